"""A movie side by side: it plays, with what people see in it, and each model's direction over time and in the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from beholder.core.film import Film
from beholder.core.sample import Sample
from beholder.core.views import View, Views
from beholder.io.drawing import points, svg
from beholder.io.video import srgb
from beholder.motion.courses.decays import no_plain_diamond
from beholder.motion.courses.series import Seen
from beholder.motion.figures.courses import LEAST, Floats, human_course, placeholders, seen
from beholder.motion.percepts import TRANSPARENT, Percepts, Watched
from beholder.motion.readouts import STILL, final_direction
from beholder.motion.stimuli.depth import BinocularMovie
from beholder.motion.types import Answer, Movie, Percept
from beholder.vision.painting import Bytes, coloured, shrunk

SIDE = 240  # px, the longer side of a movie: stimuli are made of few and smooth parts
WIDE, HIGH, LEFT, FOOT = 400.0, 300.0, 52.0, 48.0  # of a chart, and what its axes take
_MODEL, _AVERAGE = "#0072b2", "#909090"
_TEXT = 'font-family="system-ui,sans-serif" font-size="17" fill="#333"'
_PERCEPTS = {"coherent": "#0072b2", "transparent": "#e69f00"}


def motion_views(sample: Sample[Movie, Percept], answers: Mapping[str, Answer], *, reference: str = "") -> Views:
    """The movie, where people end; each model's direction error over time, and the direction in which it ends."""
    movie, percept = sample.stimulus, sample.reference
    read = {name: seen(answer, sample) for name, answer in answers.items()}
    reach = _reach(list(read.values()), percept)
    shared = (
        View("movie", film(movie), "the movie as models see it", "as fast as it is shown; black: no light"),
        View("people", _compass(percept), "the direction that people see in the end", _ENDS),
    )
    found = {name: (_over_time(one, sample, reach, reference), _end(one)) for name, one in read.items()}
    return Views(shared, found)


def left_views(sample: Sample[BinocularMovie, Percept], answers: Mapping[str, Answer]) -> Views:
    """The same of what the left eye sees."""
    return motion_views(replace(sample, stimulus=sample.stimulus.left), answers)  # type: ignore[arg-type]


def film(movie: Movie) -> Film:
    """A movie that plays: luminance as a monitor shows it, white twice the ground's."""
    return Film(_frames(movie), len(movie.frames) / movie.hertz)


def _frames(movie: Movie) -> Iterator[tuple[float, Bytes]]:
    white = max(2 * float(np.median(movie.frames[:, 0])), float(movie.frames.max(initial=0.0))) or 1.0
    for at, frame in enumerate(movie.frames):
        yield at / movie.hertz, coloured(srgb(shrunk(frame, SIDE) / white))


def _reach(several: list[Seen], percept: Percept) -> tuple[float, float]:
    """From where to where errors go, of all models alike."""
    every = np.concatenate([[-LEAST, LEAST, abs(percept.bias)], *(one.error for one in several)])
    held = every[np.isfinite(every)]
    return float(held.min()), float(held.max())


_COURSE = "blue: the model; black line: where people end; dotted: the edges' vector average"


def _over_time(one: Seen, sample: Sample[Movie, Percept], reach: tuple[float, float], reference: str) -> View:
    """The direction error of a model over time; of diamonds with the band of people."""
    seconds = one.trace.seconds
    span = min(float(seconds.min(initial=0.0)), 0.0), max(float(seconds.max(initial=0.0)), 0.01)

    def place(times: Floats, errors: Floats) -> Floats:
        x = LEFT + (WIDE - LEFT - 8) * (times - span[0]) / (span[1] - span[0])
        y = 8 + (HIGH - FOOT - 8) * (reach[1] - errors) / (reach[1] - reach[0])
        return np.stack([x, np.clip(y, 0, HIGH)], axis=1)

    across = np.array(span)
    band, told = _people(sample, span[1], place, reference)
    bias = abs(sample.reference.bias)
    average = _line(place(across, np.full(2, bias)), "#000", 1, ' stroke-dasharray="2 4"') if bias > 0 else ""
    drawn = svg(
        (HIGH, WIDE),
        _axes(span, reach, place),
        band,
        _line(place(across, np.zeros(2)), "#000", 1.2),
        average,
        *(_line(place(seconds[own], one.error[own]), _MODEL, 3) for own in _stretches(one.error)),
        _say(WIDE / 2, 30, "no direction", 'text-anchor="middle"') if not np.isfinite(one.error).any() else "",
    )
    return View("direction error over time", drawn, "how far its direction is from people's, over time", _COURSE + told)


def _people(sample: Sample[Movie, Percept], end: float, place: Any, reference: str) -> tuple[str, str]:
    """The band of people, for diamonds that they were shown, and what is to be said of it."""
    if no_plain_diamond(sample.reference):
        return "", ""
    seconds = np.linspace(0, end, 40)
    mean, sd = human_course(seconds, reference=reference)
    outline = np.concatenate([place(seconds, mean - sd), place(seconds, mean + sd)[::-1]])
    band = f'<polygon points="{points(outline)}" fill="#000" opacity=".12"/>'
    return band + _line(place(seconds, mean), "#000", 1, ' opacity=".6"'), (
        f"; grey band: people ± 1 sd{placeholders(reference)}"
    )


def _stretches(errors: Floats) -> list[Any]:
    """Where an error is known without a break."""
    held = np.flatnonzero(np.isfinite(errors))
    return [part for part in np.split(held, np.flatnonzero(np.diff(held) > 1) + 1) if len(part)]


def _axes(span: tuple[float, float], reach: tuple[float, float], place: Any) -> str:
    parts = []
    for level in _ticks(*reach):
        ((_, y),) = place(np.array([span[0]]), np.array([level]))
        parts.append(_line(np.array([[LEFT, y], [WIDE - 8, y]]), "#e4e4e4", 1))
        parts.append(_say(LEFT - 6, y + 4, f"{level:g}°", 'text-anchor="end"'))
    for time in _ticks(1000 * span[0], 1000 * span[1]):
        ((x, _),) = place(np.array([time / 1000]), np.zeros(1))
        parts.append(_say(x, HIGH - FOOT + 22, f"{time:g}", 'text-anchor="middle"'))
    parts.append(_say((LEFT + WIDE) / 2, HIGH - 6, "ms from the onset of motion", 'text-anchor="middle"'))
    return "".join(parts)


def _ticks(low: float, high: float) -> list[float]:
    """Three to seven round numbers within a range.

    >>> _ticks(-5.0, 47.0), _ticks(0.0, 480.0)
    ([0.0, 10.0, 20.0, 30.0, 40.0], [0.0, 100.0, 200.0, 300.0, 400.0])
    """
    rough = (high - low) / 4
    size = 10 ** np.floor(np.log10(rough))
    step = size * next(many for many in (1, 2, 5, 10) if many * size >= 0.75 * rough)
    first = np.ceil(low / step - 1e-9)
    return [float(step * at) + 0.0 for at in np.arange(first, np.floor(high / step + 1e-9) + 1)]


_ENDS = "0° is right, 90° up; black: people in the end; grey: the edges' vector average"


def _end(one: Seen) -> View:
    direction = final_direction(one.trace, slowest=STILL * one.percept.speed)
    drawn = _compass(one.percept, direction)
    told = f"blue: the model, {direction % 360:.0f}°" if np.isfinite(direction) else "the model has no final direction"
    return View("final direction", drawn, "the direction in which it ends, beside people's", f"{told}; {_ENDS}")


def _compass(percept: Percept, model: float = np.nan) -> str:
    """Arrows of people, of the vector average and of a model."""
    middle, radius = np.array([HIGH / 2, HIGH / 2]), HIGH / 2 - 34
    ring = f'<circle cx="{middle[0]:g}" cy="{middle[1]:g}" r="{radius:g}" fill="none" stroke="#ccc"/>'
    names = {0: "right", 90: "up", 180: "left", 270: "down"}
    ends = {0: "end", 180: "start"}  # names at the sides stand inside, above the line
    words = [_name(middle, radius, at, word, ends.get(at, "middle")) for at, word in names.items()]
    arrows = (
        (percept.vector_average, _AVERAGE, 0.85, 4),
        (percept.object_direction, "#000", 1.0, 5),
        (model, _MODEL, 0.7, 7),
    )
    drawn = [_arrow(middle, radius * long, at, colour, wide) for at, colour, long, wide in arrows if np.isfinite(at)]
    return svg((HIGH, HIGH), ring, *words, *drawn)


def _name(middle: Floats, radius: float, degrees: float, word: str, anchor: str) -> str:
    x, y = _tip(middle, radius + (0 if anchor != "middle" else 18), degrees)
    return _say(x, y + (-6 if anchor != "middle" else 5), word, f'text-anchor="{anchor}"')


def _tip(middle: Floats, radius: float, degrees: float) -> Floats:
    return np.asarray(middle + radius * np.array([np.cos(np.radians(degrees)), -np.sin(np.radians(degrees))]))


def _arrow(middle: Floats, length: float, degrees: float, colour: str, width: float) -> str:
    tip = _tip(middle, length, degrees)
    head = np.array([_tip(tip, 16, degrees + 155), tip, _tip(tip, 16, degrees + 205)])
    return _line(np.array([middle, tip]), colour, width) + _line(head, colour, width)


def _line(places: Floats, colour: str, width: float, more: str = "") -> str:
    look = f'fill="none" stroke="{colour}" stroke-width="{width:g}" stroke-linejoin="round" stroke-linecap="round"'
    return f'<polyline points="{points(places)}" {look}{more}/>'


def _say(x: float, y: float, text: str, more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" {_TEXT} {more}>{text}</text>'


def percept_views(sample: Sample[Watched, Percept], answers: Mapping[str, Percepts]) -> Views:
    """The movie, and which of two percepts each model had when."""
    movie = View("movie", film(sample.stimulus), "the movie as models see it", "it goes on like this; black: no light")
    return Views((movie,), {name: (_periods(answer, sample.stimulus.watched),) for name, answer in answers.items()})


def _periods(answer: Percepts, watched: float) -> View:
    """A lane for each percept, and its periods over the trial."""
    starts = np.concatenate([[0.0], answer.seconds.cumsum()[:-1]])
    scale = (WIDE - 16) / watched
    bars = "".join(
        f'<rect x="{8 + scale * start:.1f}" y="{70 * (word == TRANSPARENT) + 36}" width="{scale * lasts:.1f}" '
        f'height="36" fill="{_PERCEPTS[word]}"/>'
        for word, start, lasts in zip(answer.words, starts, answer.seconds, strict=True)
    )
    lanes = "".join(
        _say(8, 70 * at + 28, f"{word}: {answer.share(word):.0%} of the time") for at, word in enumerate(_PERCEPTS)
    )
    ticks = "".join(_say(8 + scale * at, 168, f"{at:g} s", 'text-anchor="middle"') for at in _ticks(0, watched)[1:])
    return View("percepts", svg((180.0, WIDE), lanes, bars, ticks), "which percept it had when, over the trial")
