"""Folders of KITTI's stereo benchmarks of 2012 and 2015."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from beholder.core.cite import source
from beholder.core.sample import Dataset, Sample, remark
from beholder.errors import Misuse
from beholder.io import disparity, image
from beholder.stereo.datasets import _folder
from beholder.stereo.types import Mask, Pair, Truth
from beholder.store.digest import digest_files

MAX_DISPARITY = 256  # what its 16-bit files can hold
LATER = "_11"  # the next frame of each pair, which has no truth of its own


class Edition(NamedTuple):
    """The folders of one benchmark: left and right images, the truth everywhere and where both views see."""

    year: str
    left: str
    right: str
    everywhere: str
    seen: str
    cite: str


EDITIONS = (
    Edition("2015", "image_2", "image_3", "disp_occ_0", "disp_noc_0", "Menze2015"),
    Edition("2012", "colored_0", "colored_1", "disp_occ", "disp_noc", "Geiger2012"),
    Edition("2012", "image_0", "image_1", "disp_occ", "disp_noc", "Geiger2012"),
)


@source("Geiger2012,Menze2015")
def kitti(path: Path, *, max_disparity: int = MAX_DISPARITY) -> Dataset[Pair, Truth]:
    """The training pairs of KITTI 2015 (image_2, image_3, disp_occ_0, disp_noc_0, obj_map) or 2012, in their folders.

    `path` holds these folders, or a folder `training` that does. Regions: all, where the truth is known; nonocc, the
    part of it that both views see; with object maps also fg, the cars, and bg, the rest. The truth is too sparse for a
    region disc.
    """
    root = _folder.folder(path, "KITTI's folder `training`")
    root = root / "training" if (root / "training").is_dir() else root
    edition = next((e for e in EDITIONS if all((root / part).is_dir() for part in e[1:5])), None)
    ids = sorted(file.stem for file in (root / edition.everywhere).glob("*.png")) if edition else []
    if edition is None or not ids:
        raise Misuse(f"got {path} without pairs; expected {', '.join(EDITIONS[0][1:5])} (2015), or those of 2012")
    pairs = {file.stem for file in (root / edition.left).glob("*.png") if not file.stem.endswith(LATER)}
    folders = [*edition[1:5], "obj_map"]
    files = [root / part / f"{id}.png" for id in ids for part in folders if (root / part / f"{id}.png").is_file()]
    annotations = [file for file in files if file.parent.name in folders[2:]]
    return Dataset(
        f"kitti_{edition.year}",
        tuple(ids),
        partial(street, root=root, edition=edition, max_disparity=max_disparity),
        cite=edition.cite,
        licence="CC BY-NC-SA 3.0",
        content=f"{digest_files(root, files, annotations)},max_disparity={max_disparity}",
        about="Streets from a moving car, with the sparse disparities of a laser scanner (cars: of fitted models).",
        remarks=remark(sorted(pairs - set(ids)), "pair", "without true disparities, and left out"),
    )


def street(id: str, *, root: Path, edition: Edition, max_disparity: int) -> Sample[Pair, Truth]:
    """One pair."""
    left, right, everywhere, seen, objects = (root / part / f"{id}.png" for part in (*edition[1:5], "obj_map"))
    true = _folder.check_range(disparity.read(everywhere), max_disparity, everywhere)
    known = np.isfinite(true)
    regions: dict[str, Mask] = {"all": known, "nonocc": known & np.isfinite(disparity.read(seen))}
    if objects.is_file():
        car = image.read(objects) > 0
        regions |= {"fg": known & car, "bg": known & ~car}
    return Sample(id, _folder.pair(left, right, max_disparity), Truth(true, regions), {"year": edition.year})
