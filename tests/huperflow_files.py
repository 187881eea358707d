"""A small folder of HuPerFlow's layout."""

import numpy as np

from beholder.io import image
from beholder.motion.datasets import huperflow as module

PLACES = 3


def write_table(folder, *, trials=16, head=module.COLUMNS, dataset=1):
    """A table of two movies with three places, in an order of its own; every answer tells where it stands."""
    lines = []
    for movie in (2, 1):
        for place in range(1, PLACES + 1):
            for trial in range(trials, 0, -1):
                spot = f"{10 * place},{20 * place + movie},{place},{movie}"
                answer = "," if (movie, place, trial) == (1, 1, 1) else f"{trial},{100 * movie + place}"
                lines.append(f"{dataset},1,{movie},{place},{trial},{spot},{answer}")
    file = folder / module.TABLE
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join([head, *lines]) + "\n")


def write_frames(folder):
    place = folder / "img" / "mov"
    place.mkdir(parents=True)
    for frame in range(1, 16):
        image.write(np.full((90, 80, 3), 10 * frame, np.uint8), place / f"Mov1_F{frame:02d}.png")


def huperflow_folder(root):
    """Two movies, the first with its frames, which move; and a table of probes that no loader reads."""
    write_table(root)
    write_frames(root)
    (root / "csv").mkdir()
    (root / "csv" / "KITTI_mov1.csv").write_text("x,y\n1,2\n")
    return root
