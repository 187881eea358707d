"""What a browser learns of a trial: what it needs to show it, and nothing that tells what it truly is.

All trials of a study are sent in one size. What is not hidden: the bytes of a picture or film are sent as they are, so
that whoever compares sizes or looks into the files can tell one from another, and classes apart that are encoded
otherwise. Where both classes share their pictures, as scanpaths do, nothing follows from them; clips should be encoded
alike, and `beholder study check` tells how far the size of the files alone gives the classes away.
"""

from __future__ import annotations

import json
import math
import mimetypes
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from beholder.errors import Misuse
from beholder.io.reading import parse_json
from beholder.study.design.file import Shown, Study, read
from beholder.study.server.security import Keys
from beholder.study.server.visits import Current

CLASS = 4096  # bytes: every trial of a study is sent in the same multiple of this
HERTZ = 60.0  # of a track with one point only
STILL = 5.0  # seconds for which a picture is shown that has no track, as in Zanca et al. 2020
FILMS = (".mp4", ".webm", ".m4v", ".ogv", ".mov")
BLANK = (1024, 768)  # px: what a track is drawn on where there is nothing behind it
UNSAID = "application/octet-stream"


@dataclass(frozen=True)
class Seen:
    """An item as it is shown."""

    show: str
    file: Path | None
    media_kind: Literal["picture", "film", "none"]
    media_type: str
    track: Sequence[Sequence[float]] | None
    seconds: float
    width: int
    height: int

    def public(self, media: str) -> dict[str, Any]:
        """What the browser is sent."""
        return {
            "show": self.show,
            "media": media if self.file else "",
            "media_kind": self.media_kind,
            "track": self.track,
            "seconds": self.seconds,
            "width": self.width,
            "height": self.height,
        }

    def early(self, media: str) -> dict[str, Any]:
        """What the browser is sent while the trial before it is shown: enough to load it."""
        return {"show": self.show, "media": media if self.file else "", "media_kind": self.media_kind}


@dataclass(frozen=True)
class Served:
    """A study and the folder with its media."""

    study: Study
    folder: Path
    _seen: dict[str, Seen] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def from_file(cls, path: Path) -> Served:
        """From a study file, or from the folder that has one."""
        path = path / "study.toml" if path.is_dir() else path
        return cls(read(path), path.parent)

    def seen(self, item: str) -> Seen:
        """An item as it is shown; read once."""
        if item not in self._seen:
            self._seen[item] = _see(self._items[item], self.folder)
        return self._seen[item]

    @cached_property
    def _items(self) -> dict[str, Shown]:
        return {item.id: item for item in self.study.items}

    @cached_property
    def lengths(self) -> dict[str, float]:
        """For how many seconds each item is shown."""
        return {item.id: self.seen(item.id).seconds for item in self.study.items}

    @cached_property
    def largest(self) -> int:
        """Bytes in which any trial of the study fits: the same for all, so that size tells nothing."""
        address = "x" * 512  # in MTurk's frame it carries a token
        seen = [self.seen(item.id) for item in self.study.items]
        size = max(len(_dumps(one.public(address))) for one in seen) + max(
            len(_dumps(one.early(address))) for one in seen
        )
        shown = size * (2 if self.study.trial == "two_alternative" else 1)
        longest = shown + len(_dumps(self._questions)) + 1024
        return -(-longest // CLASS) * CLASS

    @cached_property
    def _questions(self) -> list[dict[str, Any]]:
        return [
            {
                "dimension": question.dimension,
                "text": question.text,
                "answers": [
                    {"value": answer.value, "label": answer.label, "key": answer.key or str(at % 10)}
                    for at, answer in enumerate(question.answers, 1)
                ],
            }
            for question in self.study.questions
        ]

    @property
    def questions(self) -> list[dict[str, Any]]:
        """The questions with their answers and the key of each."""
        return self._questions

    def trial(self, current: Current, keys: Keys, bearer: str = "") -> dict[str, Any]:
        """A trial as it is sent. Checks and repeats look like any other."""
        ahead = self._shown(current.following, keys, bearer) if current.following else []
        return {
            "token": current.token,
            **current.count(self.study.trials.practice),
            "use": "practice" if current.drawn.use == "practice" else "trial",
            "shows": [seen.public(media) for seen, media in self._shown(current, keys, bearer)],
            "ahead": [seen.early(media) for seen, media in ahead],
            "questions": self._questions,
            "answer_after_end": self.study.trials.answer_after_end,
            "replay": self.study.trials.replay,
        }

    def _shown(self, current: Current, keys: Keys, bearer: str) -> list[tuple[Seen, str]]:
        """What is seen in a trial, and under which addresses."""
        carried = f"?t={bearer}" if bearer else ""
        return [
            (self.seen(item), f"/s/{self.study.name}/media/{media_token(keys, current, at)}{carried}")
            for at, item in enumerate(filter(None, (current.drawn.item, current.drawn.other)))
        ]

    def padded(self, body: dict[str, Any]) -> bytes:
        """JSON of the study's one size; what has no trial in it is padded alike."""
        return pad(body, self.largest)


def pad(body: dict[str, Any], size: int) -> bytes:
    """JSON with a `pad` that brings it to a size, or to the next multiple of 4096 where it is larger.

    >>> len(pad({"done": True}, 4096)), len(pad({"x": "y" * 5000}, 4096))
    (4096, 8192)
    """
    short = len(_dumps(body | {"pad": ""}))
    full = size if short <= size else -(-short // CLASS) * CLASS
    return _dumps(body | {"pad": "." * (full - short)})


def media_token(keys: Keys, current: Current, index: int) -> str:
    """The name under which one session gets the media of one trial, and nobody else."""
    return keys.name("media", current.session, current.token, str(current.position), str(index))


def _dumps(body: Any) -> bytes:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode("utf-8", "replace")


def _see(item: Shown, folder: Path) -> Seen:
    file = _inside(folder, item.media, item.id) if item.media else None
    track = _track(_inside(folder, item.track, item.id), item.id) if item.track else None
    kind: Literal["picture", "film", "none"] = "none"
    size, length = BLANK, STILL
    if file is not None:
        kind = "film" if file.suffix.lower() in FILMS else "picture"
        size, length = _film(file) if kind == "film" else (_picture(file), STILL)
    seconds = _duration(track) if track else length
    media_type = mimetypes.guess_type(str(file))[0] if file else ""
    return Seen(item.show, file, kind, media_type or UNSAID, track, round(seconds, 4), *size)


def _inside(folder: Path, name: str, item: str) -> Path:
    """A file of the study's folder, and of no other."""
    path = (folder / name).resolve()
    if not path.is_relative_to(folder.resolve()):
        raise Misuse(f"item {item}: got {name}, which is not in the study's folder; expected a file in it")
    if not path.is_file():
        raise Misuse(f"item {item}: got {name}, which is not a file in {folder}; expected a picture, film or track")
    return path


def _track(path: Path, item: str) -> list[list[float]]:
    """Points [seconds, x, y], rounded alike, so that no class shows by how its numbers are written."""
    try:
        raw = parse_json(path.read_text("utf-8"))
        points = [[round(float(value), 4) for value in point] for point in raw]
    except (OSError, ValueError, TypeError, OverflowError) as fault:
        raise Misuse(f"item {item}: the track {path} cannot be read: {fault}") from fault
    if not points or any(len(point) != 3 or not all(map(math.isfinite, point)) for point in points):
        raise Misuse(f"item {item}: got a track {path} with other points; expected a list of [seconds, x, y]")
    return points


def _duration(track: Sequence[Sequence[float]]) -> float:
    """To the end of the last frame."""
    last = track[-1][0]
    return last + (last / (len(track) - 1) if len(track) > 1 else 1 / HERTZ)


def _picture(path: Path) -> tuple[int, int]:
    from beholder.io import image

    try:
        with image.opened(path) as picture:
            return int(picture.width), int(picture.height)
    except Exception as fault:  # Pillow raises whatever the reader of a format does
        raise Misuse(f"{path} cannot be read as a picture: {fault}") from fault


def _film(path: Path) -> tuple[tuple[int, int], float]:
    import av

    from beholder.io.film import open_film

    try:
        with open_film(path) as film:
            stream = film.streams.video[0]
            own = float(stream.duration * stream.time_base) if stream.duration and stream.time_base else 0.0
            return (stream.width, stream.height), own or float(film.duration or 0) / av.time_base
    except (av.FFmpegError, OSError, IndexError, ValueError) as fault:
        raise Misuse(f"{path} cannot be read as a film: {fault}") from fault
