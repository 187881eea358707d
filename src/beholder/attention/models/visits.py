"""Salience as a by-product: where the scanpaths of any model go, as a map."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from beholder.attention.features import scale_of
from beholder.attention.maps import pixels
from beholder.attention.models._paths import Rng
from beholder.attention.types import Floats, Picture, inside
from beholder.spine.cite import facts_of, source
from beholder.spine.find import find
from beholder.spine.misuse import Misuse
from beholder.vision.blur import blurred_points


@source("Zanca2020", answers="map of a scanpath model", family="by-product")
def visits(
    picture: Picture, *, rng: Rng, of: str | Callable[..., Any] = "gravity", observers: int = 20, sigma: float = 1.0
) -> Floats:
    """Fixations of `observers` scanpaths of a model, under a Gaussian of `sigma` degrees.

    `of` is a built-in model of scanpaths or a function like one: from a picture and, by name, `rng` and `many`, to a
    list of scanpaths; one without `rng` is asked once. Paths without a fixation make a map of zeros. 35 px/deg where
    they are not known.
    """
    model = find("attention.models", of) if isinstance(of, str) else of
    if isinstance(of, str) and facts_of(model).get("answers") != "scanpath":
        raise Misuse(f"got of={of!r}, a model of maps; expected one of scanpaths, such as gravity or geymol")
    if observers < 1 or not sigma > 0:
        raise Misuse(f"got observers={observers}, sigma={sigma}; expected 1 or more, and above 0 degrees")
    paths = _asked(model, picture, rng, observers)
    points = np.concatenate([np.empty((0, 2)), *(inside(path, picture.shape)[0].points for path in paths)])
    where = pixels(points, picture.shape)
    return blurred_points(where, picture.shape, sigma=sigma * scale_of(picture), border="nearest")


def _asked(model: Callable[..., Any], picture: Picture, rng: Rng, observers: int) -> list[Any]:
    from inspect import signature

    if "rng" not in signature(model).parameters:
        return [model(picture)]
    return list(model(picture, rng=rng, many=observers))
