"""A movie with probes side by side: what people and the truth say at each, and each model's flow and vectors there."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from beholder.core.sample import Sample
from beholder.core.views import View, Views
from beholder.io.drawing import points, svg
from beholder.motion.figures.perceived_flow import LONG
from beholder.motion.figures.views import film
from beholder.motion.perceived import Field, Local, Probes, Scene, Shown, at_probes
from beholder.vision.painting import Bytes, coloured, thinned

Floats = NDArray[np.float64]
FRAME = "probed frame"
SIDE = 240  # px, of a flow: the page shows no more
_TRUTH, _PEOPLE, _MODEL = "#00b386", "#000000", "#1e90ff"


def probe_views(sample: Sample[Shown, Probes], answers: Mapping[str, Field | Local]) -> Views:
    """The movie, the probed frame with arrows of people and truth; each model's flow, and its arrows beside people's.

    Of a movie whose frames are not here there is nothing to show.
    """
    scene, probes = sample.stimulus, sample.reference
    if not isinstance(scene, Scene):
        return Views((), {})
    fastest = float(np.nanmax(np.hypot(*np.concatenate([probes.truth, probes.everyone]).T), initial=1e-9))
    longer = LONG * scene.frames.shape[2] / fastest
    shared = (
        View("movie", film(scene), "the movie as models see it", "as fast as it is shown"),
        View(FRAME, _frame(scene), "the frame in which people were asked"),
        View(
            "people and truth",
            arrows(scene, longer, {_TRUTH: probes.truth, _PEOPLE: probes.everyone}),
            "what people and the truth say at each probe",
            f"black: people's mean; green: the truth; arrows {longer:.1f} times as long as the motion",
            over=FRAME,
            faint=True,
        ),
    )
    models = {name: one for name, one in answers.items() if not (isinstance(one, Local) and one.people)}
    return Views(shared, {name: _model(one, scene, probes, longer, fastest) for name, one in models.items()})


def _model(one: Field | Local, scene: Scene, probes: Probes, longer: float, fastest: float) -> tuple[View, ...]:
    beside = View(
        "at the probes",
        arrows(scene, longer, {_PEOPLE: probes.everyone, _MODEL: at_probes(one, scene).velocity}),
        "its vectors at the probes, beside people's",
        "blue: the model; black: people's mean",
        over=FRAME,
        faint=True,
    )
    if isinstance(one, Local):
        return (beside,)
    colours = flow_colours(thinned(one.velocity, SIDE), fastest)
    legend = "hue: direction (red right, green up, cyan left, violet down); the paler, the slower; black: none"
    return View("flow", colours, "its flow in colours", legend), beside


def flow_colours(velocity: NDArray[np.floating], fastest: float) -> Bytes:
    """Flow in colours: the hue is the direction, 0° red, and counts as directions do; rest is white, NaN black.

    >>> flow_colours(np.array([[[1.0, 0.0], [0.0, 0.0], [np.nan, 0.0]]]), 1.0).tolist()
    [[[255, 0, 0], [255, 255, 255], [0, 0, 0]]]
    """
    import cv2

    x, y = np.moveaxis(np.nan_to_num(velocity.astype(np.float32)), -1, 0)
    hue = np.degrees(np.arctan2(y, x)) % 360
    strong = np.clip(np.hypot(x, y) / fastest, 0, 1)
    pixels = cv2.cvtColor(np.dstack([hue, strong, np.ones_like(hue)]).astype(np.float32), cv2.COLOR_HSV2RGB)
    found = np.rint(255 * pixels).astype(np.uint8)
    found[~np.isfinite(velocity).all(axis=-1)] = 0
    return np.asarray(found)


def _frame(scene: Scene) -> Bytes:
    frame = scene.frames[scene.at]
    return coloured(np.rint(255 * np.clip(frame / (float(frame.max()) or 1.0), 0, 1)).astype(np.uint8))


def arrows(scene: Scene, longer: float, several: Mapping[str, Floats]) -> str:
    """Arrows from the probes, a colour for each kind, over the probed frame."""
    shape = scene.frames.shape[1:]
    wide = 0.006 * shape[1]
    parts = [
        _arrow(foot, foot + longer * vector * (1, -1), colour, wide)
        for colour, vectors in several.items()
        for foot, vector in zip(scene.points + 0.5, vectors, strict=True)
        if np.isfinite(vector).all()
    ]
    return svg(shape, *parts)


def _arrow(foot: Floats, tip: Floats, colour: str, wide: float) -> str:
    way = tip - foot
    long = float(np.hypot(*way)) or 1.0
    along = way / long * min(4 * wide, 0.5 * long)
    side = np.array([-along[1], along[0]]) * 0.6
    head = points(np.array([tip - along + side, tip, tip - along - side]))
    case = f'fill="none" stroke="#fff" stroke-width="{2 * wide:.1f}" stroke-linecap="round"'
    line = f'fill="none" stroke="{colour}" stroke-width="{wide:.1f}" stroke-linecap="round"'
    shaft = points(np.array([foot, tip]))
    return "".join(f'<polyline points="{way}" {look}/>' for look in (case, line) for way in (shaft, head))
