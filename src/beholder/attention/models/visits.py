"""A map from any model of scanpaths: where its fixations go."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from inspect import signature
from typing import Any

import numpy as np

from beholder.attention.files.paths import accept_scanpaths, as_list
from beholder.attention.maps.features import px_per_deg_of
from beholder.attention.maps.fixation_maps import pixels
from beholder.attention.models._paths import Rng
from beholder.attention.types import Floats, Picture, Scanpath, keep_inside
from beholder.core.cite import facts_of, source
from beholder.errors import Misuse
from beholder.registry.find import find, names
from beholder.vision.blur import blurred_points

Walker = Callable[..., Any]


@source("Zanca2020", answers="map of a scanpath model", family="by-product")
def visits(
    picture: Picture,
    *,
    rng: Rng,
    of: str | Walker = "gravity",
    on: str = "",
    observers: int = 20,
    sigma: float = 1.0,
) -> Floats:
    """A map of a scanpath model: the fixations of `observers` scanpaths, blurred by a Gaussian of `sigma` degrees.

    The blur is reflected at the border, so that each fixation has the same mass. `of` is a built-in scanpath model, a
    function from a picture to scanpaths as attention/scanpath takes them, or anything --model takes: for a folder of
    scanpaths for pictures of a dataset, visits(of='dir:paths', on='mit1003:PATH'). A model that takes `rng` (and
    `many`) is asked for that number of scanpaths, any other model once. Paths without a fixation make a map of zeros.
    35 px/deg are assumed where unknown.
    """
    model = scanpath_model(of, on) if isinstance(of, str) else of
    if observers < 1 or not sigma > 0:
        raise Misuse(f"got observers={observers}, sigma={sigma}; expected 1 or more, and above 0 degrees")
    paths = _draw_paths(model, picture, rng, observers)
    points = np.concatenate([np.empty((0, 2)), *(keep_inside(path, picture.shape)[0].points for path in paths)])
    where = pixels(points, picture.shape)
    return blurred_points(where, picture.shape, sigma=sigma * px_per_deg_of(picture), border="reflect")


def scanpath_model(of: str, on: str = "") -> Walker:
    """The model of scanpaths that a setting names."""
    if of not in names("attention.models"):
        return _opened(of, on)
    model: Walker = find("attention.models", of)
    if facts_of(model).get("answers") != "scanpath":
        raise Misuse(f"got of={of!r}, a map model; expected a scanpath model, such as gravity or geymol")
    return model


@cache
def _opened(of: str, on: str) -> Walker:
    from beholder.attention.models._recalled import as_function  # it loads a benchmark, which lists the models here
    from beholder.registry.load import dataset, load
    from beholder.registry.models import model

    bench = load("attention/scanpath", dataset=dataset("attention.datasets", on) if on else None)
    return as_function(model(of, bench), bench)


def _draw_paths(model: Walker, picture: Picture, rng: Rng, observers: int) -> list[Scanpath]:
    has = signature(model).parameters
    if "rng" not in has:
        answers = [model(picture)]
    elif "many" in has:
        answers = list(model(picture, rng=rng, many=observers))
    else:
        answers = [model(picture, rng=rng) for _ in range(observers)]
    return [path for one in answers for path in as_list(accept_scanpaths(one, picture))]
