"""What the measures of prediction read: a model's map together with the image that it belongs to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import singledispatch
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.core.measure import NotApplicable
from beholder.errors import Misuse
from beholder.stereo.scenes.views import Floats, fetched, levels, rendered, seen_from
from beholder.stereo.types import Image, Map, Mask, Pair, Truth

Way = Literal["inverse", "forward"]
Visible = Literal["truth", "own", "none"]


@dataclass(frozen=True, eq=False)
class Prediction:
    """All that predicts a further view: the left image, its disparity, and the left pixels that are asked for."""

    left: Image
    disparity: Map
    where: Mask | None = None  # None: all of them
    _made: dict[Any, Any] = field(default_factory=dict, repr=False)

    def once(self, make: Callable[[Any, Map, float], Any], of: Any, disparity: Map, factor: float) -> Any:
        """What `make` gives, made once: all measures ask for the same views and the same visibility."""
        key = (make, id(of), id(disparity), factor)
        if key not in self._made:
            self._made[key] = (of, disparity, make(of, disparity, factor))  # both are kept, so that ids stay theirs
        return self._made[key][-1]


class Compared(NamedTuple):
    """A predicted picture beside the actual one."""

    predicted: Floats  # NaN in gaps
    actual: Floats
    asked: Mask  # the pixels that are compared, as far as they were predicted

    @property
    def held(self) -> Mask:
        """The pixels that are asked for and predicted."""
        return self.asked & ~np.isnan(self.predicted[..., 0])  # a gap is one in all channels


@singledispatch
def prediction(answer: Any, stimulus: Pair) -> Prediction:
    """The readout of view prediction. Answers of other types join by `prediction.register`."""
    raise TypeError(
        f"got an answer of {type(answer).__name__}; expected a disparity map; register a readout of this type"
    )


@prediction.register
def _map(answer: np.ndarray, stimulus: Pair) -> Prediction:
    return Prediction(stimulus.left, answer)


def fetched_view(of: Prediction, truth: Truth, factor: float, *, visible: Visible = "truth") -> Compared:
    """Inverse prediction: the left image as it is found in view `factor`, beside the left image itself.

    Asked for are the pixels that the view sees: by the true disparity ("truth"), which is the same for every model;
    by the model's own map ("own"), which needs no truth; or all ("none"), hidden or not.
    """
    inside = np.ones(of.disparity.shape, np.bool_) if of.where is None else of.where
    seen = inside & _seen(of, truth, factor, visible)
    found = of.once(fetched, truth.views[factor], of.disparity, factor)
    return Compared(found, levels(of.left), seen)


def rendered_view(of: Prediction, truth: Truth, factor: float, *, visible: Visible = "truth") -> Compared:
    """Forward prediction: view `factor` as the left image is rendered into it, beside the view itself.

    Rendering hides by itself what lies behind. Asked for are the pixels of the view that the left image can show, by
    the true disparity ("truth") or the model's own ("own"), or all of them ("none"), with gaps where it can not.
    """
    if of.where is not None:
        raise NotApplicable("regions belong to the left image, and forward prediction is compared in the other view")
    _chosen(visible, Visible)
    shown = of.disparity if visible == "own" else truth.disparity
    gaps = np.isnan(rendered(of.left, shown, factor)).any(axis=-1)
    asked = np.ones_like(gaps) if visible == "none" else np.logical_not(gaps)
    return Compared(rendered(of.left, of.disparity, factor), levels(truth.views[factor]), asked)


def view_of(way: Way) -> Callable[..., Compared]:
    """How views are predicted, by its name."""
    _chosen(way, Way)
    return fetched_view if way == "inverse" else rendered_view


def inside_region(of: Prediction, truth: Truth, *, name: str) -> tuple[Prediction, Truth]:
    """The criterion that confines a prediction to one region of the left image."""
    if name not in truth.regions:
        raise NotApplicable(f"this sample has no region {name!r}; it has {', '.join(truth.regions) or 'none'}")
    return replace(of, where=truth.regions[name] & np.isfinite(truth.disparity)), truth


def _seen(of: Prediction, truth: Truth, factor: float, visible: Visible) -> NDArray[np.bool_]:
    _chosen(visible, Visible)
    if visible == "none":
        return np.ones(of.disparity.shape, np.bool_)
    disparity = truth.disparity if visible == "truth" else of.disparity
    seen: NDArray[np.bool_] = of.once(_visible, None, disparity, factor)
    return seen


def _visible(_: None, disparity: Map, factor: float) -> Mask:
    return seen_from(disparity, factor)


def _chosen(word: str, words: Any) -> None:
    if word not in words.__args__:
        raise Misuse(f"got {word!r}; expected one of {', '.join(words.__args__)}")
