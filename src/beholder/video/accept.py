"""What a generator gives → a clip: the one border where it is validated."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.video.files.answers import read
from beholder.video.files.layout import check_layout, colour
from beholder.video.files.stream import check_rate, check_shape
from beholder.video.types import Clip, Prompt

WANTED = "expected a clip: frames (T, H, W, 3), a list of frames, (frames, rate), a path, or a Clip"


def accept(raw: Any, prompt: Prompt) -> Clip:
    """A clip from what a generator gave: a `Clip`, a path, frames (T, H, W[, 3]), a list of frames, or (frames, rate).

    Frames are uint8, or floats of 0 … 1; T = 1 is a clip, in which nothing moves. Where it has no rate, the prompt's
    counts: of frames in memory as what was asked for, of a file as what a manifest says, which overrides the file's own
    times. What a generated scene asks for says nothing of a file.
    """
    clip = _clip(raw)
    if clip.pixels is not None:
        check_shape("the clip", (clip.pixels.shape[1], clip.pixels.shape[2]))
    asked = math.nan if clip.path is not None and prompt.scene is not None else prompt.rate
    return clip.at_rate(check_rate("the clip", asked if math.isnan(clip.rate) else clip.rate))


def _clip(raw: Any) -> Clip:
    if isinstance(raw, Clip):
        return _known(raw)
    if isinstance(raw, (str, Path)):
        return read(Path(raw).expanduser())
    if isinstance(raw, tuple) and len(raw) == 2 and isinstance(raw[1], Real):
        return _clip(raw[0]).at_rate(float(raw[1]))
    return Clip(_frames(raw))


def _known(clip: Clip) -> Clip:
    """A clip of somebody's making with what its file tells, as far as they did not say it."""
    if clip.pixels is not None:
        check_layout(clip.pixels.shape, clip.pixels.dtype)
    if clip.path is None or clip.content:
        return clip
    found = read(clip.path)
    rate = found.rate if math.isnan(clip.rate) else clip.rate
    facts = {**found.facts, **clip.facts}
    return replace(clip, rate=rate, poses=clip.poses or found.poses, content=found.content, facts=facts)


def _frames(raw: Any) -> NDArray[np.uint8]:
    """Frames of a list or of anything that NumPy makes an array of."""
    frames = _stacked(raw) if isinstance(raw, (list, tuple)) else np.asarray(raw)
    if frames.dtype.kind in "OUSV" or frames.ndim == 0:
        raise TypeError(f"got a {type(raw).__name__}; {WANTED}")
    check_layout(frames.shape, frames.dtype)
    return colour(frames)


def _stacked(frames: Sequence[Any]) -> NDArray[Any]:
    if not frames:
        raise ValueError(f"got no frames; {WANTED}")
    # A picture of Pillow's may have a palette, or alpha.
    arrays = [np.asarray(one.convert("RGB") if hasattr(one, "convert") else one) for one in frames]
    shapes = {array.shape for array in arrays}
    if len(shapes) > 1:
        raise ValueError(f"got frames of {' and '.join(map(str, sorted(shapes)))}; expected one size; resize them")
    return np.stack(arrays)
