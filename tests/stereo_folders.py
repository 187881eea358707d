"""Small folders of the layouts of the stereo benchmarks, with made-up scenes, for the tests of their loaders."""

from pathlib import Path

import numpy as np
from PIL import Image

from beholder.io import disparity, image, middlebury

SHAPE = (12, 30)


def picture(seed, colour=True):
    """Noise."""
    shape = (*SHAPE, 3) if colour else SHAPE
    return np.random.default_rng(seed).integers(0, 256, shape).astype(np.uint8)


def true_map(seed):
    """Whole disparities of 1 … 14 px in steps, a few of them unknown."""
    rng = np.random.default_rng(seed)
    values = np.repeat(rng.integers(1, 15, (SHAPE[0], 5)), 6, axis=1).astype(np.float32)
    values[rng.random(SHAPE) < 0.05] = np.nan
    return values


def levels(seed):
    """A mask of Middlebury's conventions."""
    return np.random.default_rng(seed).choice(np.array([0, 128, 255], np.uint8), SHAPE)


def save(values, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    image.write(values, path)


def kitti_folder(root: Path, year: int = 2015, count: int = 2) -> Path:
    """KITTI's folders below `training`."""
    names = ("image_2", "image_3", "disp_occ_0", "disp_noc_0") if year == 2015 else ()
    left, right, occ, noc = names or ("image_0", "image_1", "disp_occ", "disp_noc")
    for n in range(count):
        name = f"{n:06}_10.png"
        save(picture(n, year == 2015), root / "training" / left / name)
        save(picture(100 + n, year == 2015), root / "training" / right / name)
        everywhere, seen = true_map(n), true_map(n)
        seen[:, :5] = np.nan
        for part, values in ((occ, everywhere), (noc, seen)):
            (root / "training" / part).mkdir(parents=True, exist_ok=True)
            disparity.write(values, root / "training" / part / name)
        if year == 2015:
            save((np.arange(30) > 20).astype(np.uint8) * np.ones(SHAPE, np.uint8), root / "training" / "obj_map" / name)
    return root


def eth3d_folder(root: Path, apart: bool = True) -> Path:
    """ETH3D's two folders as they are unpacked, or all in one."""
    for n, scene in enumerate(("delivery_area_1l", "forest_2s")):
        shown = root / "two_view_training" / scene if apart else root / scene
        told = root / "two_view_training_gt" / scene if apart else root / scene
        save(picture(n, False), shown / "im0.png")
        save(picture(100 + n, False), shown / "im1.png")
        (shown / "calib.txt").write_text("cam0=[541.7 0 553.8; 0 541.7 232.4; 0 0 1]\nbaseline=59.9\nndisp=32\n")
        save(levels(n), told / "mask0nocc.png")
        disparity.write(true_map(n), told / "disp0GT.pfm")
    return root


def middlebury_2014_folder(root: Path) -> Path:
    """One scene of 2014."""
    place = root / "Piano-perfect"
    save(picture(0), place / "im0.png")
    save(picture(100), place / "im1.png")
    disparity.write(true_map(0), place / "disp0.pfm")
    save(levels(0), place / "mask0nocc.png")
    (place / "calib.txt").write_text("cam0=[1 0 0; 0 1 0; 0 0 1]\ndoffs=1.5\nndisp=24\n")
    return root


def middlebury_v2_folder(root: Path, scene: str = "teddy", scale: int = 4) -> Path:
    """A scene of the second table under its official names, without masks, and the nine views."""
    for k in range(9):
        save(picture(k), root / scene / f"im{k}.ppm")
    middlebury.write(true_map(0), root / scene / "disp2.png", scale=scale, zero=False)
    with Image.open(root / scene / "disp2.png") as held:
        held.save(root / scene / "disp2.pgm")
    (root / scene / "disp2.png").unlink()
    return root


def tsukuba_folder(root: Path) -> Path:
    """Tsukuba under its official names, large enough for its border."""
    rng = np.random.default_rng(0)
    for column in range(1, 6):
        name = f"scene1.row3.col{column}.ppm"
        save(rng.integers(0, 256, (50, 60, 3)).astype(np.uint8), root / "tsukuba" / name)
    Image.fromarray(np.full((50, 60), 5 * 16, np.uint8)).save(root / "tsukuba" / "truedisp.row3.col3.pgm")
    return root
