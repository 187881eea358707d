"""Small folders of frames and true flow: the published layouts, and folders as laboratories keep them."""

from pathlib import Path

import numpy as np

from beholder.io import flow, image, spring

SHAPE = (24, 40)


def picture(shift, seed=0, colour=True):
    """Blurred noise, shifted by whole pixels (x, y): the next frame of the same scene."""
    noise = np.random.default_rng(seed).integers(0, 256, (SHAPE[0] + 20, SHAPE[1] + 20, 3)).astype(np.float32)
    smooth = sum(np.roll(noise, (dy, dx), (0, 1)) for dy in range(3) for dx in range(3)) / 9
    x, y = shift
    part = smooth[10 - y : 10 - y + SHAPE[0], 10 - x : 10 - x + SHAPE[1]].astype(np.uint8)
    return part if colour else part[..., 0]


def field(u, v, holes=True):
    """One vector all over the frame, unknown in the first row."""
    found = np.tile(np.array([u, v], np.float32), (*SHAPE, 1))
    if holes:
        found[0] = np.nan
    return found


def save(values, path: Path):
    path.parent.mkdir(parents=True, exist_ok=True)
    if values.dtype == np.uint8:
        image.write(values, path)
    elif path.suffix == ".flo5":
        spring.write(values, path)
    elif path.suffix == ".npy":
        np.save(path, values)
    else:
        flow.write(values, path)


def corner(columns=5):
    """An image that is 255 in its first columns."""
    return np.repeat(np.where(np.arange(SHAPE[1]) < columns, 255, 0).astype(np.uint8)[None], SHAPE[0], axis=0)


def kitti_flow(root: Path) -> Path:
    """KITTI 2015's folders below `training`."""
    base = root / "training"
    for n in range(2):
        for at in (10, 11):
            save(picture((2 * (at - 10), 0), n), base / "image_2" / f"{n:06}_{at}.png")
        everywhere, seen = field(2, 0), field(2, 0)
        seen[:, :5] = np.nan
        save(everywhere, base / "flow_occ" / f"{n:06}_10.png")
        save(seen, base / "flow_noc" / f"{n:06}_10.png")
        save(np.repeat((np.arange(40) > 30).astype(np.uint8)[None], 24, axis=0), base / "obj_map" / f"{n:06}_10.png")
    return root


def sintel_flow(root: Path) -> Path:
    """Sintel's folders: one scene of three frames."""
    base = root / "training"
    for n in (1, 2, 3):
        for seed, render in enumerate(("clean", "final")):
            save(picture((n - 1, n - 1), seed), base / render / "alley_1" / f"frame_{n:04}.png")
    for n in (1, 2):
        save(field(1, 1, holes=False), base / "flow" / "alley_1" / f"frame_{n:04}.flo")
        save(corner(), base / "occlusions" / "alley_1" / f"frame_{n:04}.png")
        save(corner(2), base / "invalid" / "alley_1" / f"frame_{n:04}.png")
    return root


def spring_flow(root: Path) -> Path:
    """Spring's folders; flow and match map of twice the size."""
    scene = root / "train" / "0001"
    for n in (1, 2):
        save(picture((0, n - 1), 3), scene / "frame_left" / f"frame_left_{n:04}.png")
    save(field(0, 1), scene / "flow_FW_left" / "flow_FW_left_0001.flo5")
    twice = corner().repeat(2, axis=0).repeat(2, axis=1)
    save(twice, scene / "maps" / "matchmap_flow_FW_left" / "matchmap_flow_FW_left_0001.png")
    return root


def middlebury_flow(root: Path) -> Path:
    """Middlebury's two folders."""
    for n in (10, 11):
        save(picture((n - 10, 0), 4), root / "other-data" / "RubberWhale" / f"frame{n}.png")
    save(field(1, 0), root / "other-gt-flow" / "RubberWhale" / "flow10.flo")
    return root


def lab_pairs(root: Path) -> Path:
    """Pairs by name in one folder, mixed cases, a space, a truth whose frames are lost, and one that goes backwards."""
    for n, name in enumerate(("Cup 01", "cup_02")):
        save(picture((0, 0), n), root / f"{name}_img1.png")
        save(picture((3, 1), n), root / f"{name}_IMG2.png")
        save(field(3, 1), root / f"{name}_flow.flo")
    save(field(3, 1), root / "cup_03_flow.flo")
    save(field(-3, -1), root / "cup_02_flow_bw.flo")
    (root / "readme.txt").write_text("measured in March", "utf-8")
    return root


def lab_sequence(root: Path, v=-2) -> Path:
    """Numbered frames in one folder and arrays in another, with occlusions; the picture moves 2 px up."""
    for n in (8, 9, 10):
        save(picture((0, -2 * (n - 8)), 5, colour=False), root / "Images" / "seq A" / f"Frame_{n}.png")
    for n in (8, 9):
        save(np.moveaxis(field(0, v), -1, 0), root / "GT flow" / "seq A" / f"{n:04}.npy")
        save(corner(), root / "occ" / "seq A" / f"{n:04}.png")
    return root


def lab_probes(root: Path, people=True) -> Path:
    """One folder per movie with two frames and a table of probes, answered twice by two people."""
    rows = ["X,Y,u,v,observer,seen_u,seen_v" if people else "x,y,u,v"]
    for x, y in ((5, 6), (20.5, 8), (30, 12)):
        told = [f"{x},{y},2,1,{who},{1.5 + trial},{0.5}" for who in ("ann", "bob") for trial in (0, 1)]
        rows += told if people else [f"{x},{y},2,1"]
    for name in ("kitchen", "street"):
        folder = root / name
        save(picture((0, 0), 7), folder / "before.png")
        save(picture((2, 1), 7), folder / "after.png")
        (folder / "probes.csv").write_text("\n".join(rows) + "\n", "utf-8")
    return root


FOLDERS = {"flow": lab_pairs}
