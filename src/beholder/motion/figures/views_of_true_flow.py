"""A pair of frames side by side: it flickers, the true flow, and of each model the flow and where it is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.core.film import Film
from beholder.core.sample import Sample
from beholder.core.views import View, Views
from beholder.motion.figures.true_flow import (
    CLASSES,
    COLOURS,
    NO_ESTIMATE,
    NO_TRUTH,
    colours_of,
    errors_of,
    first_frame,
    said,
    top_speed,
)
from beholder.motion.figures.views_of_flow import arrows
from beholder.motion.frame_pairs import FramePair
from beholder.motion.perceived import Scene
from beholder.motion.true_flow.types import TrueFlow, Vectors, truth_of, vectors
from beholder.motion.types import Movie
from beholder.vision.painting import Bytes, coloured, rgb, shrunk, thinned

SIDE = 400  # px, of a field: finer ones show no more
FLICKER = 0.5  # s that each frame is shown
FRAME, TRUE, MODEL = "first frame", "#00b386", "#1e90ff"
_LEVELS = np.array([rgb(colour) for colour in COLOURS], np.uint8)
_ERRORS = (
    f"blue: off by {CLASSES[3]:g} px at most; orange to dark red: by more, up to {CLASSES[-2]:g} px and beyond; "
    "grey: truth unknown; black: no estimate"
)
_WHEEL = "hue: direction (red right, green up, cyan left, violet down); the paler, the slower, up to {:.3g} px"


def flow_views(sample: Sample[Movie, Any], answers: Mapping[str, Vectors]) -> Views:
    """Both frames in turn and the true flow; each model's flow on the same scale, and its errors in classes.

    Where the truth is known at probes only, arrows over the first frame stand in place of the errors.
    """
    truth, movie = truth_of(sample.reference), sample.stimulus
    fastest = top_speed(truth)
    if truth.flow.ndim == 2:
        return _probes(sample, answers, truth, fastest)
    true = colours_of(thinned(truth.flow, SIDE), fastest, NO_TRUTH)
    shared = (
        View("frames", _flicker(movie), "both frames in turn", "the first and the second frame in turn"),
        View("true flow", true, "the true flow in colours", f"{_WHEEL.format(fastest)}; grey: unknown"),
    )
    return Views(shared, {name: _answer(found, truth, fastest) for name, found in answers.items()})


def _answer(found: Vectors, truth: TrueFlow, fastest: float) -> tuple[View, View]:
    field = colours_of(thinned(found, SIDE), fastest, NO_ESTIMATE)
    return (
        View("flow", field, "its flow in colours", f"{_WHEEL.format(fastest)}; black: none"),
        View("error", _errors(found, truth), "where the flow is off, in classes", f"{said(found, truth)}; {_ERRORS}"),
    )


def _errors(found: Vectors, truth: TrueFlow) -> Bytes:
    away, known = thinned(errors_of(found, truth), SIDE), thinned(truth.known, SIDE)
    pixels: Bytes = _LEVELS[np.clip(np.digitize(np.nan_to_num(away), CLASSES[1:-1]), 0, len(_LEVELS) - 1)]
    pixels[~np.isfinite(away)] = rgb(NO_ESTIMATE)
    pixels[~known] = rgb(NO_TRUTH)
    return pixels


def _flicker(movie: Movie) -> Film:
    at = getattr(movie, "at", 0)
    frames: NDArray[Any] = movie.pictures if isinstance(movie, FramePair) else movie.frames[at : at + 2]
    drawn = [coloured(np.clip(shrunk(frame, SIDE), 0, 255).astype(np.uint8)) for frame in frames]
    return Film(((n * FLICKER, frame) for n, frame in enumerate(drawn)), len(drawn) * FLICKER)


def _probes(sample: Sample[Any, Any], answers: Mapping[str, Vectors], truth: TrueFlow, fastest: float) -> Views:
    """The first frame with the true vectors at its probes, and each model's beside them."""
    movie = sample.stimulus
    if not isinstance(movie, Scene):
        return Views((), {})
    longer = 0.09 * movie.frames.shape[2] / fastest
    upright = _up(truth.flow)
    shared = (
        View("frames", _flicker(movie), "both frames in turn", "the first and the second frame in turn"),
        View(FRAME, coloured(first_frame(movie)), "the first frame"),
        View("truth", arrows(movie, longer, {TRUE: upright}), "the true vectors at the probes",
             f"green: the truth; arrows {longer:.1f} times as long as the motion", over=FRAME, faint=True),
    )  # fmt: skip
    found = {}
    for name, one in answers.items():
        local = vectors(one, movie)
        found[name] = (
            View("at the probes", arrows(movie, longer, {TRUE: upright, MODEL: _up(local)}),
                 "its vectors at the probes beside the true ones",
                 f"{said(local, truth)}; blue: the model; green: the truth", over=FRAME, faint=True),
        )  # fmt: skip
    return Views(shared, found)


def _up(flow: Vectors) -> NDArray[np.float64]:
    """Image flow with y up, as arrows are drawn."""
    return np.asarray(flow * (1, -1), np.float64)
