"""A picture side by side: everybody's scanpaths, each model's, and what models say of one person's next fixation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from beholder.attention.figures.curves import COLOURS
from beholder.attention.figures.forecasts import CEILINGS, STEPS, person
from beholder.attention.figures.marks import LEAST, LONGEST, UNKNOWN, labelled
from beholder.attention.figures.paths import BOX, CROWD, PEOPLE, target
from beholder.attention.figures.views_of_maps import PICTURE, heat, picture_view
from beholder.attention.forecasts.forecast import Forecast
from beholder.attention.maps.features import still_picture
from beholder.attention.paths.pairs import read_scanpaths, scanpaths_of
from beholder.attention.types import Floats, Lookers, Picture, Scanpath, keep_inside
from beholder.core.sample import Sample
from beholder.core.views import View, Views
from beholder.io.drawing import embedded, points, svg

THIN, THICK = 0.0035, 0.006  # of the longer side: lines of everybody, and of one
WIDEST = 0.035  # of the longer side: the radius of a fixation of 1200 ms
NUMBER = 0.042  # of the longer side: the height of a digit
_ONE = "circles: fixations in order, the larger the longer"


def path_views(sample: Sample[Picture, Lookers], answers: Mapping[str, Any]) -> Views:
    """The picture, the scanpaths of everybody, and that of each model; what was searched for is framed."""
    shape, frame = sample.stimulus.shape, _frame(sample)
    seen = [path for path in sample.reference.paths.values() if len(path)]
    legend = f"scanpaths of {len(seen)} observers, a colour each" + (", pink frame: what was searched" * bool(frame))
    everybody = svg(shape, frame, *_crowd(seen, shape))
    return Views(
        (
            picture_view(still_picture(sample.stimulus)),
            View("people", everybody, "everybody's scanpath", legend, over=PICTURE, faint=True),
        ),
        {name: (_model(answer, sample, frame),) for name, answer in answers.items() if name != PEOPLE},
    )


def _model(answer: Any, sample: Sample[Picture, Lookers], frame: str) -> View:
    several = scanpaths_of(read_scanpaths(answer, sample.stimulus))
    path, outside = keep_inside(several[0], sample.stimulus.shape)
    also = [f"the first of {len(several)}"] * (len(several) > 1) + [f"{outside} outside, not drawn"] * (outside > 0)
    drawn = svg(sample.stimulus.shape, frame, *one_path(path, sample.stimulus.shape))
    return View("scanpath", drawn, "its scanpath", "; ".join([_ONE, *also]), over=PICTURE, faint=True)


def _frame(sample: Sample[Picture, Lookers]) -> str:
    box = target(sample)
    if box is None:
        return ""
    corner, size = (box.left, box.top), (box.right - box.left, box.bottom - box.top)
    place = f'x="{corner[0]:.0f}" y="{corner[1]:.0f}" width="{size[0]:.0f}" height="{size[1]:.0f}"'
    return f'<rect {place} fill="none" stroke="{BOX}" stroke-width="{THICK * max(sample.stimulus.shape):.1f}"/>'


def _crowd(paths: Iterable[Scanpath], shape: tuple[int, int]) -> Iterable[str]:
    """Lines and dots of everybody; many lines are faint, as they hide the picture."""
    every, unit = list(paths), max(shape)
    faint = float(np.clip(CROWD / max(len(every), 1), 0.15, 0.75))
    for at, path in enumerate(every):
        colour = COLOURS[at % len(COLOURS)]
        yield _line(path.points, colour, THIN * unit, f' opacity="{faint:.2f}"')
        dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{2 * THIN * unit:.1f}"/>' for x, y in path.points)
        yield f'<g fill="{colour}">{dots}</g>'


def one_path(path: Scanpath, shape: tuple[int, int], colour: str = COLOURS[0]) -> Iterable[str]:
    """One scanpath: a line in a white case, circles with their numbers."""
    unit = max(shape)
    yield _line(path.points, "#fff", 2.2 * THICK * unit)
    yield _line(path.points, colour, THICK * unit)
    for (x, y), radius in zip(path.points, _radii(path) * unit, strict=True):
        look = f'fill="{colour}" fill-opacity=".85" stroke="#fff" stroke-width="{THIN * unit:.1f}"'
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" {look}/>'
    high = NUMBER * unit
    case = f'fill="#fff" stroke="#000" stroke-width="{high / 8:.1f}" paint-order="stroke"'
    text = f'font-family="system-ui,sans-serif" font-size="{high:.1f}" font-weight="600" text-anchor="middle" {case}'
    places = ((at + 1, path.x[at], path.y[at] + 0.36 * high) for at in labelled(len(path)))
    numbers = (f'<text x="{x:.1f}" y="{y:.1f}">{number}</text>' for number, x, y in places)
    yield f"<g {text}>{''.join(numbers)}</g>"


def _radii(path: Scanpath) -> Floats:
    """The radius of each fixation's circle as a share of the longer side: its area is the duration."""
    known = np.clip(np.where(path.duration_ms > 0, path.duration_ms, UNKNOWN), LEAST, LONGEST)
    return np.asarray(WIDEST * np.sqrt(known / LONGEST))


def _line(places: Floats, colour: str, width: float, more: str = "") -> str:
    look = f'fill="none" stroke="{colour}" stroke-width="{width:.1f}" stroke-linejoin="round"'
    return f'<polyline points="{points(places)}" {look}{more}/>'


def forecast_views(sample: Sample[Picture, Lookers], answers: Mapping[str, Forecast]) -> Views:
    """The picture, one person's path, and what each model says of the next fixation after one and after four."""
    who, path = person(sample.reference)
    shape = sample.stimulus.shape
    steps = [at for at in STEPS if at < len(path)]
    drawn = svg(shape, *one_path(path, shape, "#000000"))
    asked = {name: one for name, one in answers.items() if name not in CEILINGS and name not in sample.reference.paths}
    return Views(
        (
            picture_view(still_picture(sample.stimulus)),
            View(f"path of {who}", drawn, "one person's scanpath", _ONE, over=PICTURE, faint=True),
        ),
        {name: found for name, one in asked.items() if (found := _forecast(one, path, steps, shape))},
    )


def _forecast(one: Forecast, path: Scanpath, steps: list[int], shape: tuple[int, int]) -> tuple[View, ...]:
    """Nothing of a record of a forecast that was asked about somebody else."""
    try:
        return tuple(_step(one.before(path, at).map, path, at, shape) for at in steps)
    except LookupError:
        return ()


def _step(values: Floats, path: Scanpath, at: int, shape: tuple[int, int]) -> View:
    """A forecast as heat, the path up to it, and a ring where the eye went."""
    unit = max(shape)
    x, y = path.points[at]
    ring = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{WIDEST * unit:.1f}" fill="none" stroke='
    here, wide = path.points[at - 1], 0.02 * unit
    square = f'x="{here[0] - wide / 2:.1f}" y="{here[1] - wide / 2:.1f}" width="{wide:.1f}" height="{wide:.1f}"'
    drawn = svg(
        shape,
        embedded(heat(values), shape),
        _line(path.points[:at], "#000", 2.2 * THIN * unit),
        _line(path.points[:at], "#fff", THIN * unit),
        f'<rect {square} fill="#fff" stroke="#000" stroke-width="{THIN * unit:.1f}"/>',
        f'{ring}"#000" stroke-width="{2.4 * THICK * unit:.1f}"/>{ring}"#39d353" stroke-width="{THICK * unit:.1f}"/>',
    )
    title = f"after {at} fixation{'s' * (at > 1)}"
    legend = "heat: where the next fixation is expected; square: where the eye is; green ring: where it went"
    return View(title, drawn, f"the forecast {title}", legend, over=PICTURE)
