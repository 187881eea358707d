"""Folders of ETH3D's two-view benchmark."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np

from beholder.core.cite import source
from beholder.core.sample import Dataset, Sample, remark
from beholder.errors import Misuse
from beholder.io import disparity
from beholder.stereo.datasets import _folder
from beholder.stereo.types import Pair, Truth
from beholder.store.digest import digest_files

IMAGES, TRUTHS = ("im0.png", "im1.png"), ("disp0GT.pfm", "mask0nocc.png")
FILES = (*IMAGES, *TRUTHS)
MAX_DISPARITY = 64  # where no calib.txt says it, for lack of better knowledge


@source("Schops2017")
def eth3d(path: Path, *, max_disparity: int | None = None) -> Dataset[Pair, Truth]:
    """The training pairs: im0, im1 and calib.txt in one folder per scene, disp0GT and mask0nocc in it or beside it.

    `path` holds the scenes, or the two folders two_view_training and two_view_training_gt as they are unpacked.
    Regions: all, where the truth is known; nonocc, where the mask is 255. `max_disparity` defaults to the ndisp of
    calib.txt, or to 64 where there is none.
    """
    root = _folder.folder(path, "ETH3D's folder of scenes")
    shown, told = root / "two_view_training", root / "two_view_training_gt"
    shown, told = (shown, told) if shown.is_dir() and told.is_dir() else (root, root)
    missing = {place.name: _missing(place, told / place.name) for place in sorted(shown.iterdir()) if place.is_dir()}
    ids = [id for id, names in missing.items() if not names]
    partly = [f"{id} (no {', no '.join(names)})" for id, names in missing.items() if 0 < len(names) < len(FILES)]
    if not ids:
        raise Misuse(f"got {path} without pairs; expected folders with {', '.join(FILES)}")
    annotations = [told / id / name for id in ids for name in TRUTHS]
    others = [shown / id / name for id in ids for name in (*IMAGES, "calib.txt") if (shown / id / name).is_file()]
    return Dataset(
        "eth3d",
        tuple(ids),
        partial(scene, shown=shown, told=told, max_disparity=max_disparity),
        cite="Schops2017",
        licence="CC BY-NC-SA 4.0",
        content=f"{digest_files(root, [*annotations, *others], annotations)},max_disparity={max_disparity}",
        about="Grey pairs of a two-camera rig indoors and outdoors, with the disparities of a laser scanner.",
        remarks=remark(partly, "scene", "incomplete, and left out"),
    )


def _missing(place: Path, truth: Path) -> list[str]:
    """The files that a scene lacks."""
    return [name for name in FILES if not ((place if name in IMAGES else truth) / name).is_file()]


def scene(id: str, *, shown: Path, told: Path, max_disparity: int | None) -> Sample[Pair, Truth]:
    """One pair."""
    most = _folder.range_of(shown / id, max_disparity, {id.lower(): MAX_DISPARITY})
    truth = told / id / TRUTHS[0]
    true = _folder.check_range(disparity.read(truth), most, truth)
    known = np.isfinite(true)
    regions = {"all": known, "nonocc": known & _folder.mask(told / id / TRUTHS[1])}
    left, right = (shown / id / name for name in IMAGES)
    return Sample(id, _folder.pair(left, right, most), Truth(true, regions))
