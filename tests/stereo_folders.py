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


def shifted_pair(seed=0, disparity=3):
    """Blurred noise, and the same seen from the right: `disparity` px further to the left."""
    noise = np.random.default_rng(seed).integers(0, 256, (24, 60, 3)).astype(np.float32)
    smooth = (sum(np.roll(noise, (dy, dx), (0, 1)) for dy in range(3) for dx in range(3)) / 9).astype(np.uint8)
    return smooth[:, :48], smooth[:, disparity : 48 + disparity]


def constant(disparity=3.0, hole=np.nan):
    found = np.full((24, 48), disparity, np.float32)
    found[:2] = hole
    return found


def eight_bits(values, path, kind=np.uint8):
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(np.nan_to_num(values).astype(kind)).save(path)


def lab_by_folder(root: Path) -> Path:
    """Folders Left, Right and GT with equal names, mixed cases and spaces; a pair without truth, and one side alone."""
    for n, name in enumerate(("shot 01", "shot 02")):
        left, right = shifted_pair(n)
        save(left, root / "Left images" / f"{name}.PNG")
        save(right, root / "RIGHT" / f"{name}.png")
        (root / "GT").mkdir(exist_ok=True)
        disparity.write(constant(), root / "GT" / f"{name}.pfm")
    save(shifted_pair()[0], root / "Left images" / "shot 03.png")
    save(shifted_pair()[1], root / "RIGHT" / "shot 03.png")
    save(shifted_pair()[0], root / "Left images" / "shot 04.png")
    (root / "notes.txt").write_text("shot 04: right camera failed", "utf-8")
    return root


def lab_by_name(root: Path) -> Path:
    """NAME_left, NAME_right, NAME_disp in one folder, as 8-bit levels of 16 per px, with masks of hidden pixels."""
    for n, name in enumerate(("Cup", "plant-2")):
        left, right = shifted_pair(n)
        save(left, root / f"{name}_left.jpg" if n else root / f"{name}_left.png")
        save(right, root / f"{name}_Right.png")
        eight_bits(16 * constant(), root / f"{name}_disp.png")
        save(
            np.repeat(np.where(np.arange(48) < 6, 255, 0).astype(np.uint8)[None], 24, axis=0), root / f"{name}_occ.png"
        )
    return root


def lab_by_scene(root: Path, left_name="imL.png", right_name="imR.png", truth_name="dispL.npy") -> Path:
    """A folder per scene."""
    for n, name in enumerate(("Kitchen", "hall")):
        left, right = shifted_pair(n)
        save(left, root / name / left_name)
        save(right, root / name / right_name)
        truth = root / name / truth_name
        np.save(truth, constant()) if truth.suffix == ".npy" else disparity.write(constant(), truth)
    return root
