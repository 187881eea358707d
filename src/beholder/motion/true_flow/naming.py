"""Anybody's folder of frames and true flow: which frames a truth belongs to, by the words and numbers in names."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from beholder.io import names
from beholder.io.names import IMAGES, files_below
from beholder.motion.true_flow.layouts import Files

Words = tuple[str | int, ...]

FIELDS = (".flo", ".flo5", ".npy", ".npz")
TABLES = (".csv", ".tsv")
# Words that say what a file is, and not which: they are left out when names are compared.
TRUTH = {
    *("flow", "flows", "flo", "of", "optical", "gt", "truth", "true", "ground", "groundtruth", "uv", "vectors"),
    *("fw", "fwd", "forward", "probe", "probes"),
}
FRAME = {
    *("frame", "frames", "image", "images", "img", "imgs", "im", "picture", "pictures", "pic", "rgb"),
    *("color", "colour", "colored", "input", "inputs", "data"),
}
HIDDEN = {"occ", "occl", "occlusion", "occlusions", "occluded", "unmatched"}
INVALID = {"invalid"}
BACK = {"bw", "bwd", "backward", "backwards"}
EARLIER = {"first", "prev", "previous", "before", "start"}  # that stand before the other word, against the alphabet
_DEPTH, _COLOURS = 24, 25  # bytes of a PNG: bits per channel, and 2 for red, green and blue


@dataclass
class Found:
    """What a folder holds, by what its files are; frames and masks by place and by what tells them from others."""

    truths: list[Path] = field(default_factory=list)
    frames: dict[Words, dict[Words, Path]] = field(default_factory=dict)
    hidden: dict[Words, dict[Words, Path]] = field(default_factory=dict)
    invalid: dict[Words, dict[Words, Path]] = field(default_factory=dict)
    backwards: list[str] = field(default_factory=list)


def words(text: str) -> Words:
    """The words of a name, and its numbers as numbers.

    >>> words("Frame_0010")
    ('frame', 10)
    """
    return tuple(int(word) if word.isdigit() else word for word in names.words(text))


def pairs(root: Path) -> tuple[dict[str, Files], list[str], list[str]]:
    """The pairs of a folder by id, the truths without both frames, and the flows that go backwards."""
    found = scanned(root)
    matched, alone = {}, []
    for truth in found.truths:
        files = _of(truth, root, found)
        if files:
            matched[truth] = files
        else:
            alone.append(truth.relative_to(root).as_posix())
    return _named(root, matched), alone, found.backwards


def scanned(root: Path) -> Found:
    """All files of a folder, sorted out."""
    found = Found()
    for file in files_below(root):
        told, (place, key) = set(words(file.relative_to(root).with_suffix("").as_posix())), _key(file, root)
        if told & BACK:
            found.backwards.append(file.name)
        elif is_truth(file):
            found.truths.append(file)
        elif file.suffix.lower() in IMAGES:
            kind = found.hidden if told & HIDDEN else found.invalid if told & INVALID else found.frames
            kind.setdefault(place, {}).setdefault(key, file)
    return found


def is_truth(file: Path) -> bool:
    """Whether a file holds flow: by its suffix, or as a PNG of three 16-bit channels; a table if it has x, y, u, v."""
    suffix = file.suffix.lower()
    if suffix in TABLES:
        with file.open(encoding="utf-8-sig", errors="replace") as table:
            head = re.split(r"[,\t]", table.readline(10_000))
        return {"x", "y", "u", "v"} <= {word.strip(' "\n').lower() for word in head}
    if suffix != ".png":
        return suffix in FIELDS
    with file.open("rb") as picture:
        start = picture.read(_COLOURS + 1)
    return len(start) > _COLOURS and start[_DEPTH] == 16 and start[_COLOURS] == 2


def _key(file: Path, root: Path) -> tuple[Words, Words]:
    """What tells the place of a file from others, and what tells it from others there."""
    said = TRUTH | FRAME | HIDDEN | INVALID
    folders = tuple(word for part in file.relative_to(root).parts[:-1] for word in words(part) if word not in said)
    return folders, tuple(word for word in words(file.stem) if word not in said)


def _of(truth: Path, root: Path, found: Found) -> Files | None:
    """The frames and masks of a truth: of its own number and the next, or the only two that its name begins."""
    place, key = _key(truth, root)
    frames = found.frames.get(place, {})
    number = key[-1] if key else None
    if key in frames and isinstance(number, int):
        later = [k for k in frames if k[:-1] == key[:-1] and isinstance(k[-1], int) and k[-1] > number]
        chosen = [key, *sorted(later, key=lambda k: k[-1])[:1]]
    else:
        chosen = sorted((k for k in frames if k[:-1] == key and k), key=_earliest)
    if len(chosen) != 2:
        return None
    masks = [kind.get(place, {}).get(key) for kind in (found.hidden, found.invalid)]
    return Files(frames[chosen[0]], frames[chosen[1]], truth, hidden=masks[0], invalid=masks[1])


def _earliest(key: Words) -> tuple[bool, int, str]:
    last = key[-1]
    return last not in EARLIER, last if isinstance(last, int) else 0, str(last)


def _named(root: Path, matched: dict[Path, Files]) -> dict[str, Files]:
    """Pairs by an id: the folders that say which, and the truth's name; the whole path where that is not enough."""
    said = TRUTH | FRAME
    short = {}
    for truth in matched:
        *folders, _ = truth.relative_to(root).parts
        kept = [part for part in folders if not set(words(part)) <= said]
        stem = truth.stem if set(words(truth.stem)) - said or not kept else ""
        short[truth] = "/".join(filter(None, [*kept, stem])).strip()
    unique = len(set(short.values())) == len(short) and all(short.values())
    whole = {truth: truth.relative_to(root).with_suffix("").as_posix() for truth in matched}
    return {(short if unique else whole)[truth]: files for truth, files in matched.items()}
