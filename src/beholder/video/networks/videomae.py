"""VideoMAE with five classes, Bad … Perfect: how probable each is in the views of a clip (CAS)."""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.core.measure import NotApplicable
from beholder.errors import Misuse
from beholder.video.files.clips import opened
from beholder.video.networks.loading import network
from beholder.video.networks.pixels import Tensor, normalised, short_side
from beholder.video.networks.weights import Weights
from beholder.video.types import Bytes, Clip, Floats

LEVELS = 5  # Bad, Poor, Fair, Good, Perfect
EVERY = 4  # frames: the released scripts look at every fourth
SEGMENTS, CROPS = 10, 3  # views in time, and across the longer side
BATCH = 2  # views at once: 16 frames of ViT-g take about 1 GB


class Views(NamedTuple):
    """The different views of a clip, and which of them each of the 30 is."""

    pixels: Bytes  # (V, T, S, S, 3)
    which: NDArray[np.intp]  # (SEGMENTS · CROPS,)


def classifier(weights: Weights) -> Any:
    """The network; one of another number of classes is refused."""
    made = network(weights, "VideoMAEForVideoClassification")
    if made.config.num_labels != LEVELS:
        raise Misuse(
            f"{weights.place} distinguishes {made.config.num_labels} classes; expected the five levels Bad … Perfect: "
            "convert VMBench's checkpoint, or train a head of your own (beholder video train)"
        )
    eps = getattr(made.config, "fc_norm_eps", None)  # the library has one eps for the last norm, VideoMAE V2 another
    if eps:
        made.fc_norm.eps = eps
    return made


def classes(clip: Clip, weights: Weights) -> Floats:
    """(30, 5): the probabilities of the five classes in 10 × 3 views of a clip; equal views are looked at once."""
    made = classifier(weights)
    seen = views(clip, int(made.config.num_frames), int(made.config.image_size))
    return probabilities(made, seen.pixels)[seen.which]


def probabilities(made: Any, pixels: Bytes) -> Floats:
    """(V, 5) of views (V, T, S, S, 3), some at a time."""
    torch = import_module("torch")
    found = []
    with torch.inference_mode():
        for at in range(0, len(pixels), BATCH):
            said = made(pixel_values=torch.from_numpy(tensor(pixels[at : at + BATCH]))).logits
            found.append(said.double().softmax(-1).numpy())
    return np.concatenate(found)


def tensor(pixels: Bytes) -> Tensor:
    """(V, T, S, S, 3) → (V, T, 3, S, S), as the network has it."""
    return normalised(pixels)


def views(clip: Clip, length: int = 16, side: int = 224) -> Views:
    """Ten windows of `length` frames, every fourth one, each cut in three places across the longer side.

    As in the released scripts: of short clips the last frame is repeated, and windows of a short clip coincide.
    """
    picked, starts = windows(_count(clip), length)
    wanted = sorted({frame for start in set(starts) for frame in picked[start : start + length]})
    frames = _frames(clip, wanted, side)
    spare = max(frames[wanted[0]].shape[:2]) - side
    corners = [int(at * spare / (CROPS - 1)) for at in range(CROPS)]
    every = [(start, corner) for start in starts for corner in corners]
    unlike = list(dict.fromkeys(every))
    pixels = [
        np.stack([_cut(frames[frame], corner, side) for frame in picked[start : start + length]])
        for start, corner in unlike
    ]
    return Views(np.stack(pixels), np.array([unlike.index(one) for one in every]))


def windows(count: int, length: int = 16) -> tuple[list[int], list[int]]:
    """The frames that are looked at, and where among them each of the ten windows starts.

    >>> windows(49)[0][-5:], set(windows(49)[1])  # 13 frames, filled up to 16: ten times the same window
    ([44, 48, 48, 48, 48], {0})
    """
    picked = list(range(0, count, EVERY))
    picked += picked[-1:] * (length - len(picked))
    step = max((len(picked) - length) / (SEGMENTS - 1), 0)
    return picked, [int(at * step) for at in range(SEGMENTS)]


def _count(clip: Clip) -> int:
    """How many frames a clip has."""
    if clip.pixels is not None:
        return len(clip.pixels)
    with opened(clip, 64) as stream:
        count = sum(1 for _ in stream.frames)
    if not count:
        raise NotApplicable("the clip has no frame")
    return count


def _frames(clip: Clip, wanted: list[int], side: int) -> dict[int, Bytes]:
    """Some frames of a clip, their shorter side `side` px."""
    some = set(wanted)
    with opened(clip) as stream:
        return {at: short_side(frame, side) for at, (_, frame) in enumerate(stream.frames) if at in some}


def _cut(frame: Bytes, corner: int, side: int) -> Bytes:
    """A square of a frame, so far from the left or the top."""
    height, width = frame.shape[:2]
    return frame[:side, corner : corner + side] if width >= height else frame[corner : corner + side, :side]
