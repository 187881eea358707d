"""A stereo pair side by side: its left image, the truth, and of each model the map and where it is wrong."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from beholder.core.sample import Sample
from beholder.core.views import View, Views
from beholder.io.image import eight_bit
from beholder.stereo.figures import CLASSES, COLOURS, DELTA, FARTHEST, GAP, NO_ESTIMATE, NO_TRUTH
from beholder.stereo.readouts import Prediction, fetched_view
from beholder.stereo.scenes.views import rendered
from beholder.stereo.types import Image, Map, Pair, Truth
from beholder.vision.painting import Bytes, coloured, painted, rgb, shrunk, thinned

SIDE = 400  # px, of a map: finer ones are a third larger and show no more
_LEVELS = np.array([rgb(colour) for colour in COLOURS], np.uint8)
_ERRORS = (
    f"blue: off by {DELTA:g} px at most; orange to dark red: by more, up to {CLASSES[-1]:g} px and beyond; "
    "grey: truth unknown; black: no estimate"
)
_DIFFERENCES = (
    f"dark blue: none, yellow: {FARTHEST} grey levels and more; grey: hidden or unknown; black: nothing predicted"
)


def disparity_views(sample: Sample[Pair, Truth], answers: Mapping[str, Map]) -> Views:
    """The left image and the truth; each model's map on the same scale, and its errors in classes."""
    truth = thinned(sample.reference.disparity, SIDE)
    high = float(sample.reference.disparity[np.isfinite(sample.reference.disparity)].max(initial=0.0))
    near = f"purple: 0 px, yellow: {high:.3g} px and more"
    shared = (
        _left(sample.stimulus),
        View("ground truth", _map(truth, high, NO_TRUTH), "the true disparity", f"{near}; grey: unknown"),
    )
    return Views(shared, {name: _answer(thinned(found, SIDE), truth, high, near) for name, found in answers.items()})


def _answer(found: Map, truth: Map, high: float, near: str) -> tuple[View, View]:
    return (
        View("disparity", _map(found, high, NO_ESTIMATE), "the estimated disparity", f"{near}; black: no estimate"),
        View("error", _errors(found, truth), "where the estimate is off, in classes", _ERRORS),
    )


def _left(pair: Pair) -> View:
    return View("left image", _photograph(pair.left), "the left image of the pair")


def _photograph(image: Image) -> Bytes:
    return np.asarray(shrunk(coloured(eight_bit(image))))


def _map(disparity: Map, high: float, missing: str) -> Bytes:
    pixels = painted(disparity, 0.0, high)
    pixels[~np.isfinite(disparity)] = rgb(missing)
    return pixels


def _errors(found: Map, truth: Map) -> Bytes:
    away = np.abs(found - truth)
    pixels: Bytes = _LEVELS[np.clip(np.digitize(np.nan_to_num(away), CLASSES[1:-1]), 0, len(_LEVELS) - 1)]
    pixels[~np.isfinite(away)] = rgb(NO_ESTIMATE)
    pixels[~np.isfinite(truth)] = rgb(NO_TRUTH)
    return pixels


def prediction_views(sample: Sample[Pair, Truth], answers: Mapping[str, Map]) -> Views:
    """The left image and a further view; what each model's map makes of the image, and how far that is off.

    Scenes without further views have their disparity maps shown.
    """
    truth = sample.reference
    if not truth.views:
        return disparity_views(sample, answers)
    factor = min(truth.views, key=lambda f: abs(f - 0.5))
    only = Truth(truth.disparity, truth.regions, views={factor: truth.views[factor]})
    seen = View("further view", _photograph(truth.views[factor]), f"the view at {factor:g} of the baseline",
                f"taken at {factor:g} of the way from the left camera to the right one")  # fmt: skip
    found = {name: _predicted(Prediction(sample.stimulus.left, one), only, factor) for name, one in answers.items()}
    return Views((_left(sample.stimulus), seen), found)


def _predicted(of: Prediction, only: Truth, factor: float) -> tuple[View, View]:
    pair = fetched_view(of, only, factor)
    view = thinned(rendered(of.left, of.disparity, factor), SIDE)
    made = np.array(np.clip(np.broadcast_to(np.nan_to_num(view), (*view.shape[:2], 3)), 0, 255), np.uint8)
    made[np.isnan(view).any(axis=-1)] = rgb(GAP)
    away = thinned(np.sqrt(np.mean((pair.predicted - pair.actual) ** 2, axis=-1)), SIDE)
    pixels = painted(away, 0.0, FARTHEST, scale="plasma")
    pixels[~np.isfinite(away)] = rgb(NO_ESTIMATE)
    pixels[~thinned(pair.asked, SIDE)] = rgb(NO_TRUTH)
    return (
        View("predicted view", made, "the left image rendered into the further view", "pink: gap"),
        View("difference", pixels, "how far the prediction is from the image", _DIFFERENCES),
    )
