"""The true flow of a pair of frames, and what a model's answer becomes before it is compared with it.

All vectors here are image flow, as ground truth is published: u to the right, v down, in px from frame to frame.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, singledispatch
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.motion.perceived import Local, Probes, Scene, bilinear, numbers
from beholder.motion.types import Flow, Movie, Velocity

Vectors = NDArray[np.float32]  # (…, 2)
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class TrueFlow:
    """The flow from the first frame to the second: of every pixel, or at the probed points of a `Scene`.

    `regions` are parts of the frame that are scored apart: matched and unmatched, where the second frame shows the
    point or does not; fg and bg, where moving objects are marked.
    """

    flow: Vectors  # (H, W, 2) or (P, 2); NaN: unknown
    regions: Mapping[str, Mask] = field(default_factory=dict)
    status: str = ""

    def __post_init__(self) -> None:
        for name, mask in self.regions.items():
            if mask.shape != self.flow.shape[:-1] or mask.dtype != np.bool_:
                raise ValueError(
                    f"region {name}: got {mask.dtype} of shape {mask.shape}; expected bool of {self.flow.shape[:-1]}"
                )

    @cached_property
    def known(self) -> Mask:
        """Where the flow is known."""
        return np.asarray(np.isfinite(self.flow).all(axis=-1))

    @cached_property
    def speed(self) -> NDArray[np.float32]:
        """Its length in px; NaN where it is unknown."""
        return np.asarray(np.hypot(self.flow[..., 0], self.flow[..., 1]))


@singledispatch
def truth_of(reference: Any) -> TrueFlow:
    """The truth in a reference: itself, or what moved at the probes where people were asked."""
    raise TypeError(f"got a reference of {type(reference).__name__}; expected a TrueFlow, or Probes with their truth")


@truth_of.register
def _(reference: TrueFlow) -> TrueFlow:
    return reference


@truth_of.register
def _(reference: Probes) -> TrueFlow:
    return TrueFlow((reference.truth * (1, -1)).astype(np.float32), status=reference.status)


def flow_of(raw: Any, movie: Movie) -> Vectors:
    """A model's answer, accepted: image flow in px, (H, W, 2), or (P, 2) at the probes of a `Scene`; NaN: no estimate.

    For T frames: (T − 1, H, W, 2), of which that of the asked pair is taken; (H, W, 2); (T − 1, 2) or (2,), one vector
    for the whole frame. `Flow` and `Velocity`, in deg/s and y up, are turned into px.

    >>> movie = Movie(np.zeros((2, 1, 2), np.float32), 30.0, 30.0)
    >>> flow_of([3, 4], movie).tolist()
    [[[3.0, 4.0], [3.0, 4.0]]]
    """
    values = _pixels(raw, movie)
    asked, (height, width) = getattr(movie, "at", 0), movie.frames.shape[1:]
    pairs, points = len(movie.frames) - 1, getattr(movie, "points", None)
    if values.shape == (pairs, height, width, 2):
        values = values[asked]
    elif values.shape in ((2,), (pairs, 2)) and (points is None or pairs != len(points)):
        values = np.broadcast_to(values.reshape(-1, 2)[asked if values.ndim > 1 else 0], (height, width, 2))
    if values.shape != (height, width, 2) and (points is None or values.shape != points.shape):
        raise ValueError(_misshapen(values.shape, (height, width), None if points is None else points.shape))
    return np.where(np.isfinite(values).all(axis=-1, keepdims=True), values, np.nan).astype(np.float32)


def _pixels(raw: Any, movie: Movie) -> NDArray[np.float64]:
    """The numbers of an answer, in px, v down."""
    if isinstance(raw, Flow | Velocity):
        return np.asarray(raw.velocity * (movie.px_per_deg / movie.hertz) * (1, -1))
    if isinstance(raw, Local):  # y up
        return raw.velocity * (1, -1)
    return numbers(raw)


def _misshapen(got: tuple[int, ...], frame: tuple[int, int], probes: tuple[int, ...] | None) -> str:
    wanted = f"{(*frame, 2)}, a vector (u, v) for each pixel" + (f", or {probes}, one per probe" if probes else "")
    turned = got[-3:] == (2, *frame)
    mend = "move the axis of u and v to the end" if turned else "return the flow at the size of the frames"
    return f"got an answer of shape {got}; expected {wanted}; {mend}"


def vectors(found: Vectors, movie: Movie) -> Vectors:
    """The readout: a field as it is, or bilinear at the probes where only these have a truth."""
    if isinstance(movie, Scene) and found.ndim == 3:
        return bilinear(found, movie.points).astype(np.float32)
    return found
