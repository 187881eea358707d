"""Which files are clips, and what they are called without their suffix."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePath

from beholder.video.files.pictures import frame_files, natural

# The first is what accepted answers are written as.
SUFFIXES = (
    *(".mp4", ".webm", ".mkv", ".mov", ".m4v", ".avi", ".mpg", ".mpeg", ".ts", ".wmv", ".flv", ".ogv"),
    *(".gif", ".webp", ".apng", ".npz", ".npy"),
)
KEYPOINTS = (".keypoints.json", ".keypoints.npz")  # beside a clip, not clips themselves


def is_clip(path: Path) -> bool:
    """Whether a file is a clip by its name."""
    name = path.name.lower()
    return path.suffix.lower() in SUFFIXES and not name.startswith(".") and not name.endswith(KEYPOINTS)


def stem(path: PurePath | str) -> str:
    """A file's name without the suffix of a clip; other points belong to it. Of a text, the whole path.

    >>> stem("wan/v2.1 take.MP4"), stem("v2.1"), stem(Path("wan/a.gif"))
    ('wan/v2.1 take', 'v2.1', 'a')
    """
    name = path.name if isinstance(path, PurePath) else path.replace("\\", "/")
    suffix = PurePath(name).suffix
    return name[: len(name) - len(suffix)] if suffix.lower() in SUFFIXES else name


def clips_in(folder: Path, above: tuple[Path, ...] = ()) -> Iterator[tuple[str, Path]]:
    """Every clip below a folder with its path without suffix: files, and folders of frames; in natural order.

    A link to a folder above leads round in a circle and is left out.
    """
    above = (*above, folder.resolve())
    for path in sorted(folder.iterdir(), key=lambda path: natural(path.name)):
        if path.name.startswith("."):
            continue
        if is_frames(path):
            yield path.name, path
        elif path.is_dir():
            if path.resolve() not in above:
                yield from ((f"{path.name}/{inner}", clip) for inner, clip in clips_in(path, above))
        elif is_clip(path):
            yield stem(path), path


def is_frames(path: Path) -> bool:
    """Whether a folder is one clip: it holds pictures, at least two, and no clips."""
    return path.is_dir() and len(frame_files(path)) > 1 and not any(map(is_clip, path.iterdir()))
