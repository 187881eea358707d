"""Folders of Middlebury's stereo pages: the four scenes of the second table, those of 2005–06, and those of 2014."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple

from beholder.core.cite import source
from beholder.core.sample import Dataset, Sample, remark
from beholder.errors import Misuse
from beholder.io import disparity, image
from beholder.io import middlebury as eight_bits
from beholder.stereo import regions
from beholder.stereo.datasets import _folder
from beholder.stereo.types import Map, Mask, Pair, Truth
from beholder.store.digest import digest_files


class Known(NamedTuple):
    """What no file says of a scene of the second table."""

    scale: int  # grey levels per pixel of disparity
    max_disparity: int
    border: int  # px that are evaluated nowhere
    zero: bool  # 0 is a disparity, and none is unknown
    holes: bool  # unknown pixels have a discontinuity around them


V2 = {
    "tsukuba": Known(16, 16, 18, zero=False, holes=False),
    "venus": Known(8, 32, 10, zero=True, holes=True),
    "teddy": Known(4, 64, 0, zero=False, holes=True),
    "cones": Known(4, 64, 0, zero=False, holes=True),
}
RANGES = {"motorcycle": 64}  # quarter size, where no calib.txt says it: the largest known disparity is 59.9 px
THIRD_SCALE, THIRD_WIDTH = 3, 500  # the images of 2005–06 at a third of their size are 413 … 465 px wide
CITES = {"v2": "Scharstein2002,Scharstein2003", "2005": "Scharstein2007,Hirschmuller2007", "2014": "Scharstein2014"}


@dataclass(frozen=True)
class Layout:
    """The files of one scene."""

    edition: str
    left: Path
    right: Path
    truth: Path
    masks: Mapping[str, Path] = field(default_factory=dict)
    views: Mapping[float, Path] = field(default_factory=dict)
    scale: int | None = None  # where a file's name says it


@source(",".join(CITES.values()))
def middlebury(
    path: Path, *, scale: int | None = None, max_disparity: int | None = None, gap: float = 2.0
) -> Dataset[Pair, Truth]:
    """A folder of scene folders, or one scene folder, with the official file names or those of this project.

    Second table: im2, im6, disp2 (Tsukuba: scene1.row3.col3, …col4, truedisp.row3.col3), or imL, imR, disp_left_xN;
    masks nonocc, all, disc. 2005–06: view1, view5, disp1. 2014: im0, im1, disp0 (or disp0GT), calib.txt, or NAME_left,
    NAME_right, NAME_disp. Masks are read if present, otherwise made from the truth by the rules of
    `beholder.stereo.regions`, with `gap`; further images become views of the truth. The `scale` of an 8-bit truth is
    known for the four scenes of the second table and for the third size of 2005–06; otherwise give it.
    """
    where = _folder.folder(path, "the folder of Middlebury's scenes").resolve()
    held = places(where)
    found = {place.name: layout(place) for place in held}
    editions = sorted({scene.edition for scene in found.values()})
    annotations = [file for scene in found.values() for file in (scene.truth, *scene.masks.values())]
    images = [file for scene in found.values() for file in (scene.left, scene.right, *scene.views.values())]
    settings = f"scale={scale},max_disparity={max_disparity},gap={gap}"
    root = held[0].parent
    return Dataset(
        f"middlebury_{editions[0]}" if len(editions) == 1 else "middlebury",
        tuple(found),
        partial(photograph, root=root, scale=scale, max_disparity=max_disparity, gap=gap),
        cite=",".join(CITES[edition] for edition in editions),
        licence="Middlebury: free to use and publish; cite the papers",
        content=f"{digest_files(root, [*annotations, *images], annotations)},{settings}",
        about="Photographed scenes with ground truth; regions are read from masks, or made where there are none.",
        remarks=remark(incomplete(where) if where not in held else [], "scene", "incomplete, and left out"),
    )


def places(path: Path) -> list[Path]:
    """The folder itself if it holds a scene, else those in it that do, those of the second table first."""
    if any(layouts(path)):
        return [path]
    held = [place for place in sorted(path.iterdir()) if place.is_dir() and any(layouts(place))]
    if not held:
        partly = remark(_without(path) or incomplete(path), "scene", "incomplete")
        wanted = "expected folders with imL, im2, view1 or im0 and a true disparity"
        raise Misuse("; ".join([f"got {path} without any whole scene", *partly, wanted]))
    order = list(V2)
    return sorted(held, key=lambda place: order.index(place.name.lower()) if place.name.lower() in V2 else len(V2))


def incomplete(path: Path) -> list[str]:
    """The folders in a folder that hold a part of a scene, and what each lacks."""
    return [said for place in sorted(path.iterdir()) if place.is_dir() for said in _without(place)]


def _without(place: Path) -> list[str]:
    """What a folder lacks for the layout of which it holds most; nothing of a whole scene, and of what is no scene."""
    if any(layouts(place)):
        return []
    lacking = [[what for name, what in zip(names, PARTS, strict=True) if not _one(place, name)] for names in _NAMES]
    least = min(lacking, key=len)
    return [f"{place.name} (no {' and no '.join(least)})"] if len(least) < len(PARTS) else []


def layout(place: Path) -> Layout:
    """The files of a scene, by the first layout that fits."""
    return next(layouts(place))


def layouts(place: Path) -> Iterator[Layout]:
    """Every layout whose left image, right image and truth are in a folder."""
    for edition, left, right, truth, further in _LAYOUTS:
        files = [_one(place, name) for name in (left, right, truth)]
        if all(files):
            first, second, true = (file for file in files if file)
            named = re.search(r"_x(\d+)$", true.stem)
            yield Layout(
                edition,
                first,
                second,
                true,
                {key: file for key in ("nonocc", "all", "disc") if (file := _mask(place, key, edition))},
                dict(_views(place, *further)) if further else {},
                int(named[1]) if named else None,
            )


# Edition, left and right image, true disparity, and how further views are named and how far along the baseline they
# stand: Tsukuba's columns by whole baselines, the others by quarters of it. The factors of 2005–06 are from memory.
_PICTURE, _DATA = r"\.(png|ppm|jpg)", r"\.(png|pgm)"
_LAYOUTS: tuple[tuple[str, str, str, str, tuple[str, int, int] | None], ...] = (
    ("v2", f"imL{_PICTURE}", f"imR{_PICTURE}", rf"disp_left_x\d+{_DATA}", (f"view(\\d){_PICTURE}", 2, 4)),
    (
        "v2",
        rf"scene1\.row3\.col3{_PICTURE}",
        rf"scene1\.row3\.col4{_PICTURE}",
        rf"truedisp\.row3\.col3{_DATA}",
        (rf"scene1\.row3\.col(\d){_PICTURE}", 3, 1),
    ),
    ("v2", f"im2{_PICTURE}", f"im6{_PICTURE}", f"disp2{_DATA}", (f"im(\\d){_PICTURE}", 2, 4)),
    ("2005", f"view1{_PICTURE}", f"view5{_PICTURE}", f"disp1{_DATA}", (f"view(\\d){_PICTURE}", 1, 4)),
    ("2014", f"im0{_PICTURE}", f"im1{_PICTURE}", r"disp0(GT)?\.pfm", None),
    ("2014", f".*_left{_PICTURE}", f".*_right{_PICTURE}", r".*_disp\.(npz|npy|pfm)", None),
)
_NAMES = [each[1:4] for each in _LAYOUTS]
PARTS = ("left image", "right image", "true disparity")


def _one(place: Path, name: str) -> Path | None:
    return next((file for file in sorted(place.iterdir()) if re.fullmatch(name, file.name)), None)


def _mask(place: Path, key: str, edition: str) -> Path | None:
    own = {"nonocc": ["mask0nocc.png"]}.get(key, []) if edition == "2014" else [f"mask_{key}.png", f"{key}.png"]
    return _folder.first_existing(place, own)


def _views(place: Path, name: str, reference: int, steps: int) -> Iterator[tuple[float, Path]]:
    """Further views by their factor of the baseline; neither image of the pair is one."""
    for file in sorted(place.iterdir()):
        here = re.fullmatch(name, file.name)
        column = re.fullmatch(rf"view_col(\d){_PICTURE}", file.name)  # this project's name for Tsukuba's
        factor = int(column[1]) - 3.0 if column else (int(here[1]) - reference) / steps if here else 0.0
        if factor not in (0.0, 1.0):
            yield factor, file


def photograph(id: str, *, root: Path, scale: int | None, max_disparity: int | None, gap: float) -> Sample[Pair, Truth]:
    """One scene."""
    place = root / id
    files = layout(place)
    most, true = _true(place, files, scale, max_disparity)
    pair = _folder.pair(files.left, files.right, most)
    masks, status = _regions(place, files, true, gap)
    masks["textureless"] = masks["nonocc"] & regions.textureless(pair.left)
    views = {factor: image.read(file) for factor, file in files.views.items()}
    return Sample(id, pair, Truth(true, masks, status, views), {"edition": files.edition})


def _true(place: Path, files: Layout, scale: int | None, max_disparity: int | None) -> tuple[int, Map]:
    """How many disparities there are, and the true ones."""
    if files.edition == "2014":
        most = _folder.range_of(place, max_disparity, RANGES)
        return most, _folder.check_range(disparity.read(files.truth), most, files.truth)
    known = V2.get(place.name.lower()) if files.edition == "v2" else None
    levels = scale or files.scale or (known.scale if known else _third(files))
    most = max_disparity or (known.max_disparity if known else -(-256 // levels))
    read = eight_bits.read(files.truth, scale=levels, zero=bool(known and known.zero))
    return most, _folder.check_range(read, most, files.truth)


def _third(files: Layout) -> int:
    """The scale of the third size, if it is this."""
    width = image.read(files.left).shape[1]
    if files.edition != "2005" or width >= THIRD_WIDTH:
        raise ValueError(
            f"{files.truth}: got an 8-bit truth of a scene whose scale is not known ({width} px wide); expected one of "
            f"{', '.join(V2)}, or the third size of 2005–06; give scale="
        )
    return THIRD_SCALE


def _regions(place: Path, files: Layout, true: Map, gap: float) -> tuple[dict[str, Mask], str]:
    """Regions as read from the masks there are, the others made; what that says of the truth's status."""
    known = V2.get(place.name.lower()) if files.edition == "v2" else None
    border, holes = (known.border, known.holes) if known else (0, True)
    given = {key: _folder.mask(file) for key, file in files.masks.items()}
    return _folder.completed(true, given, gap=gap, border=border, holes=holes)
