"""Which files of anybody's folder are a pair and its truth: by the words in their names and in their folders'."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from beholder.io.names import IMAGES, files_below, words

DATA = (".pfm", ".npy", ".npz", ".tif", ".tiff", *(suffix for suffix in IMAGES if not suffix.startswith(".tif")))
# Words that say what a file is, and not which.
TRUTH = {
    "disp",
    "disps",
    "disparity",
    "disparities",
    "gt",
    "truth",
    "true",
    "ground",
    "groundtruth",
    "dispgt",
    "truedisp",
}
PICTURE = {
    *("im", "img", "imgs", "image", "images", "view", "views", "cam", "camera", "pic", "picture", "pictures", "photo"),
    *("color", "colour", "colored", "rgb", "rect", "rectified", "input", "inputs"),
}
MASKS = {
    "nonocc": {"nonocc", "noc", "nocc", "nonoccluded", "visible"},
    "occ": {"occ", "occl", "occlusion", "occlusions", "occluded"},
    "valid": {"valid", "known"},
}
MASK = {"mask", "masks", "map", "maps"}.union(*MASKS.values())
REGIONS = ("all", "disc")  # masks, too, but only where a file is called nothing else: scenes may have such names
SIDES = {"left": "left", "l": "left", "right": "right", "r": "right"}
# Left and right by number: im0 and im1, view1 and view5, im2 and im6 (both Middlebury's), image_2 and image_3, im1 and
# im2. The first counts whose left one has a truth.
NUMBERS = (("0", "1"), ("1", "5"), ("2", "6"), ("2", "3"), ("1", "2"))
PARTS = ("left image", "right image", "true disparity")
_SCALE = re.compile(r"_x(\d+)$")  # disp_left_x4: four grey levels per px


class Role(NamedTuple):
    """What a name says of a file."""

    kind: str  # image, truth, or a mask: nonocc, occ, valid, all, disc
    side: str  # left, right, a number, or nothing
    key: tuple[str, ...]  # what tells its scene from others


@dataclass
class Scene:
    """The files of one scene, by kind and side."""

    files: dict[str, dict[str, Path]] = field(default_factory=dict)
    name: str = ""

    @property
    def sides(self) -> tuple[str, str]:
        """What left and right are called here; words before numbers, and numbers whose left one has a truth first."""
        images, truths = (set(self.files.get(kind, {})) for kind in ("image", "truth"))
        if images & {"left", "right"}:
            return "left", "right"
        there = [pair for pair in NUMBERS if set(pair) <= images] or [pair for pair in NUMBERS if images & set(pair)]
        return next((pair for pair in there if pair[0] in truths), there[0] if there else ("left", "right"))

    def of(self, kind: str) -> Path | None:
        """The file of a kind for the left view."""
        held = self.files.get(kind, {})
        left, right = self.sides
        plain = held.get(left) or held.get("")
        others = [file for side, file in held.items() if side != right]  # dispN beside left and right
        return plain or (others[0] if len(others) == 1 and left == "left" else None)

    @property
    def parts(self) -> tuple[Path | None, Path | None, Path | None]:
        """Left image, right image, truth; None for what is missing."""
        left, right = (self.files.get("image", {}).get(side) for side in self.sides)
        return left, right, self.of("truth")

    @property
    def lacking(self) -> list[str]:
        """What it lacks of these."""
        return [what for what, file in zip(PARTS, self.parts, strict=True) if file is None]


def scenes(root: Path) -> dict[str, Scene]:
    """The scenes of a folder by name, whole or not; pictures of which no name says a side are none."""
    found: dict[tuple[str, ...], Scene] = {}
    for file in sorted(files_below(root), key=_best_format):
        role = role_of(file, root)
        if role and (role.side or role.kind != "image"):
            scene = found.setdefault(role.key, Scene())
            scene.files.setdefault(role.kind, {}).setdefault(role.side, file)
            scene.name = scene.name or ("" if role.kind in REGIONS else _name(file, root))
    named = {scene.name or root.name or "pair": scene for scene in found.values()}
    return named if len(named) == len(found) else {"_".join(key) or root.name: found[key] for key in found}


def role_of(file: Path, root: Path) -> Role | None:
    """What the words of a path say of its file; None for what is neither an image nor a map.

    >>> role_of(Path("Teddy/dispL.PFM"), Path())
    Role(kind='truth', side='left', key=('teddy',))
    >>> role_of(Path("lab/left images/shot 07.png"), Path()).key, role_of(Path("lab/disp/shot 07.npy"), Path()).key
    (('lab', 'shot', '07'), ('lab', 'shot', '07'))
    """
    if file.suffix.lower() not in DATA:
        return None
    told, own = _told(file, root), set(words(file.stem))
    region = next((kind for kind in REGIONS if kind in own and own <= {kind, "mask"}), "")
    if region:
        return Role(region, "", tuple(word for word in told if word != region and not _is_role(word)))
    kind = next((kind for kind, own in MASKS.items() if own & set(told)), "truth" if TRUTH & set(told) else "image")
    if kind == "image" and file.suffix.lower() not in IMAGES:
        return None
    at = _side(told)
    key = tuple(word for n, word in enumerate(told) if n != at and not _is_role(word))
    return Role(kind, SIDES.get(told[at], told[at]) if at is not None else "", key)


def scale_of(truth: Path) -> float | None:
    """The scale that the name of a truth says, as in disp_left_x4."""
    said = _SCALE.search(truth.stem)
    return float(said[1]) if said else None


def _told(file: Path, root: Path) -> tuple[str, ...]:
    """The words of a path below a folder, with / between its parts; a word such as imageleft is two."""
    stem = _SCALE.sub("", file.stem)
    parts = [*file.relative_to(root).parts[:-1], stem]
    joined = rf"\b({'|'.join(sorted(PICTURE | TRUTH, key=len, reverse=True))})(left|right)\b"
    own = [words(re.sub(joined, r"\1 \2", part, flags=re.IGNORECASE)) for part in parts]
    return tuple(word for part in own for word in (*part, "/"))[:-1]


def _side(told: tuple[str, ...]) -> int | None:
    """Where a side is said: by the last word for one, or by a single digit after a word for pictures or maps."""
    said = [n for n, word in enumerate(told) if word in SIDES]
    digits = [
        n
        for n, word in enumerate(told)
        if n and len(word) == 1 and word.isdigit() and told[n - 1] in PICTURE | TRUTH | MASK
    ]
    return max(said or digits, default=None)


def _is_role(word: str) -> bool:
    return word in TRUTH | PICTURE | MASK | {"/"} or word in SIDES


def _best_format(file: Path) -> tuple[int, str]:
    """Files in an order in which the better of two formats of a truth comes first."""
    suffix = file.suffix.lower()
    return DATA.index(suffix) if suffix in DATA else len(DATA), file.as_posix()


def _name(file: Path, root: Path) -> str:
    """The name of a scene as its files spell it: the folders and the words that say which."""
    kept = [part for part in file.relative_to(root).parts[:-1] if not all(map(_is_role, _told(Path(part), Path())))]
    told = _told(Path(file.name), Path())
    at = _side(told)
    return "/".join([*kept, *filter(None, ["_".join(w for n, w in enumerate(told) if n != at and not _is_role(w))])])


def incomplete(found: Mapping[str, Scene]) -> list[str]:
    """The scenes that lack something, and what."""
    lacking: Iterable[tuple[str, list[str]]] = ((name, scene.lacking) for name, scene in found.items())
    return [f"{name} (no {' and no '.join(parts)})" for name, parts in lacking if 0 < len(parts) < len(PARTS)]
