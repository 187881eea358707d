"""A picture side by side: people's fixations, and of each model the map and where it differs from people's."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from beholder.attention.figures.looks import CLASSES, KEPT, PEOPLE
from beholder.attention.maps.fixation_maps import continuous_map
from beholder.attention.readouts import surface
from beholder.attention.types import Density, Floats, Lookers, Picture, Salience
from beholder.core.sample import Sample
from beholder.core.views import View, Views
from beholder.io.drawing import embedded, svg
from beholder.stats.ranking import top_mask
from beholder.vision.painting import Bytes, coloured, painted, rgb, shrunk, thinned

PICTURE = "picture"
SMOOTH, SHARP = 120, 240  # px: maps are smooth and may be coarse; the edges of classes must be seen
DOT = 0.006  # of the longer side: the radius of a fixation
STEPS = 15  # of how opaque heat is: more cannot be told apart, and weigh three times as much
OPAQUE = 0.85  # of heat at its highest
CLASSED = 0.75  # of the colour of a class, as on the sheet
HEAT = "heat from clear (lowest) to yellow (highest)"
_NAMES = "red: both; green: people only (missed); blue: the model only (false alarm)"


def map_views(
    sample: Sample[Picture, Lookers], answers: Mapping[str, Salience | Density], *, sigma: float = 1.0
) -> Views:
    """The picture and where people looked; each model's map, and its highest fifth against people's most fixated."""
    smooth = continuous_map(sample.reference, sigma=sigma)
    true = thinned(top_mask(smooth, KEPT), SHARP)
    shared = picture_view(sample.stimulus), _people(sample, smooth, sigma)
    return Views(
        shared, {name: _answer(answer, sample.stimulus, true) for name, answer in answers.items() if name != PEOPLE}
    )


def picture_view(picture: Picture) -> View:
    """What was looked at."""
    return View(PICTURE, np.asarray(shrunk(coloured(picture.pixels))), "the picture that was looked at")


def heat(values: Floats, largest: int = SMOOTH) -> Bytes:
    """A map as heat to lie over its picture, (H, W, 4): the higher, the more opaque."""
    small = shrunk(values - values.min(), largest)
    top = float(small.max())
    shares = small / top if top > 0 else small
    alpha = (255 * OPAQUE / STEPS * np.rint(STEPS * np.sqrt(shares))).astype(np.uint8)  # the root shows weak places
    return np.dstack([painted(shares, 0.0, 1.0, scale="plasma"), alpha])


def _people(sample: Sample[Picture, Lookers], smooth: Floats, sigma: float) -> View:
    """People's map as heat, and every fixation as a dot."""
    radius = DOT * max(smooth.shape)
    look = f'r="{radius:.1f}" fill="#fff" stroke="#000" stroke-width="{radius / 2:.1f}"'
    dots = [f'<circle cx="{x:.1f}" cy="{y:.1f}" {look}/>' for x, y in sample.reference.points]
    crowd = len(sample.reference.paths)
    legend = f"dots: fixations of {crowd} observers; heat: how often they looked there, σ = {sigma:g}°"
    drawn = svg(smooth.shape, embedded(heat(smooth), smooth.shape), *dots)
    return View("people", drawn, "where people looked, as dots and as heat", legend, over=PICTURE)


def _answer(answer: Salience | Density, picture: Picture, true: NDArray[np.bool_]) -> tuple[View, View]:
    found = surface(answer, picture)
    said = thinned(top_mask(found.order, KEPT), SHARP)
    layer = np.zeros((*true.shape, 4), np.uint8)
    for mask, colour in zip((said & true, ~said & true, said & ~true), CLASSES.values(), strict=True):
        layer[mask] = (*rgb(colour), round(255 * CLASSED))
    where = f"the top {KEPT:.0%} of each; {_NAMES}"
    return (
        View("answer", heat(found.values), "its map as heat", HEAT, over=PICTURE),
        View("against people", layer, "where its map and people's agree and differ", where, over=PICTURE, faint=True),
    )
