"""DOVER's technical branch, from a TorchScript file of it that the user has.

Its sampling is as the spec read it in DOVER's configuration (7 × 7 fragments of 32 × 32 px, 32 frames, every second
one, three clips). Where in their cells fragments lie and where clips start is from memory of its code: at random there,
here by a generator that always starts alike.
"""

from __future__ import annotations

import warnings
from importlib import import_module
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from beholder.errors import Misuse
from beholder.video.networks.weights import Weights
from beholder.video.rivals.asking import asks
from beholder.video.rivals.frames import every
from beholder.video.rivals.roles import DOVER
from beholder.video.types import Bytes, Clip

GRID, FRAGMENT = 7, 32  # fragments a side, and px of each
LENGTH, INTERVAL, CLIPS = 32, 2, 3  # frames, from one to the next, and clips
MEAN = np.array([123.675, 116.28, 103.53], np.float32)
STD = np.array([58.395, 57.12, 57.375], np.float32)


@asks(DOVER)
def dover_technical_raw(clip: Clip, text: str, weights: Weights) -> float:
    """What the technical branch says, mean over three clips of fragments."""
    torch = import_module("torch")
    made = torchscript(weights)
    frames = every(clip)
    rng = np.random.default_rng(0)
    corners = rng.random((GRID, GRID, 2))
    shown = np.stack([fragments([frames[at] for at in some], corners) for some in moments(len(frames))])
    pixels = np.moveaxis((shown.astype(np.float32) - MEAN) / STD, -1, 1)
    with torch.inference_mode():
        said = [made(torch.from_numpy(np.ascontiguousarray(one[None]))) for one in pixels]
    return float(np.mean([_number(one, weights) for one in said]))


def torchscript(weights: Weights) -> Any:
    """The module in a TorchScript file; what is none is refused. It is code of whoever made it, and runs as such."""
    torch = import_module("torch")
    file = next(iter(sorted(Path(weights.place).glob("*.pt"))))
    try:
        with warnings.catch_warnings(
            category=DeprecationWarning, action="ignore"
        ):  # torch would rather have torch.export
            return torch.jit.load(str(file), map_location="cpu").eval()
    except (RuntimeError, ValueError) as fault:
        first = (str(fault).strip().splitlines() or [""])[0]
        raise Misuse(
            f"{file.name} of {weights.role} is no TorchScript ({first}); save it with torch.jit.save"
        ) from None


def _number(said: Any, weights: Weights) -> float:
    first = said[0] if isinstance(said, (list, tuple)) else said
    if not hasattr(first, "mean") or not np.isfinite(float(first.mean())):
        raise Misuse(f"the network of {weights.role} gave no number; expected a tensor of one number per clip")
    return float(first.mean())


def moments(count: int) -> list[list[int]]:
    """The frames of three clips, evenly over a film; one that is too short starts again at its beginning.

    >>> [some[0] for some in moments(93)], moments(3)[0][:5]
    ([5, 15, 25], [0, 2, 1, 0, 2])
    """
    spare = max(0, count - LENGTH * INTERVAL + 1)
    starts = [int(spare / CLIPS * (at + 0.5)) for at in range(CLIPS)]
    return [[(start + INTERVAL * at) % count for at in range(LENGTH)] for start in starts]


def fragments(frames: list[Bytes], corners: NDArray[np.float64]) -> Bytes:
    """A mosaic (T, 224, 224, 3) of pieces at full size, one of each cell of a grid, in all frames at the same place."""
    side = GRID * FRAGMENT
    height, width = frames[0].shape[:2]
    if min(height, width) < side:
        scale = side / min(height, width)
        height, width = max(side, round(height * scale)), max(side, round(width * scale))
        frames = [cv2.resize(frame, (width, height), interpolation=cv2.INTER_LINEAR) for frame in frames]
    made = np.empty((len(frames), side, side, 3), np.uint8)
    film = np.stack(frames)
    for row in range(GRID):
        for column in range(GRID):
            top = _place(row, height, corners[row, column, 0])
            left = _place(column, width, corners[row, column, 1])
            piece = film[:, top : top + FRAGMENT, left : left + FRAGMENT]
            made[:, row * FRAGMENT : (row + 1) * FRAGMENT, column * FRAGMENT : (column + 1) * FRAGMENT] = piece
    return made


def _place(cell: int, length: int, share: float) -> int:
    """Where a fragment begins in its cell."""
    start, end = cell * length // GRID, (cell + 1) * length // GRID
    return min(start + int(share * max(0, end - start - FRAGMENT + 1)), length - FRAGMENT)
