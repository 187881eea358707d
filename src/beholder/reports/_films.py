"""Films with their timelines, as a page shows them: places in per cent of the width, so that they fit any screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from beholder.evaluation.films import CurveFacts, FilmFacts, MomentFacts

Link = Callable[[str], str]  # a file, relative to the page → its address, or all of it as a data URI
NARROWEST = 1.2  # per cent of the timeline: a mark must be seen, and hit
COLOURS = 5  # that the style sheet has


class Mark(NamedTuple):
    """A moment on the timeline."""

    start: float  # seconds
    end: float
    left: float  # per cent
    width: float
    box: str  # left, top, width, height in per cent; nothing where it is the whole frame
    says: str
    excused: bool


class Line(NamedTuple):
    """One line of marks."""

    name: str
    full: str
    colour: int
    marks: tuple[Mark, ...]


class Curve(NamedTuple):
    """A series: points of as many polylines as it has stretches, 100 wide and 20 high, and what it is."""

    name: str
    says: str
    stretches: tuple[str, ...]


class Player(NamedTuple):
    """One film."""

    model: str
    file: str
    poster: str
    note: str
    fault: str
    shape: tuple[int, int]  # height and width
    seconds: float
    lines: tuple[Line, ...]
    curves: tuple[Curve, ...]

    @property
    def flagged(self) -> int:
        """How many moments count."""
        return sum(not mark.excused for line in self.lines for mark in line.marks)

    @property
    def says(self) -> str:
        """How much was flagged."""
        return f"{self.flagged} flagged moment{'s' * (self.flagged != 1)}" if self.flagged else "nothing flagged"


def players(films: Sequence[FilmFacts], place: PurePosixPath, link: Link) -> tuple[Player, ...]:
    """The films of one sample; `place` is the folder of its picture."""
    return tuple(_player(film, place, link) for film in films)


def _player(film: FilmFacts, place: PurePosixPath, link: Link) -> Player:
    height, width = film["shape"]
    seconds = max(film["seconds"], 1e-3)
    names = [*film["rows"], *dict.fromkeys(one["row"] for one in film["moments"] if one["row"] not in film["rows"])]
    return Player(
        film["model"],
        "" if film["fault"] else link(str(place / film["file"])),
        "" if film["fault"] else link(str(place / film["poster"])),
        film["note"],
        film["fault"],
        (height, width),
        seconds,
        tuple(_line(film, name, at % COLOURS, seconds) for at, name in enumerate(names)),
        tuple(_curve(name, one, seconds) for name, one in film["curves"].items()),
    )


def _line(film: FilmFacts, name: str, colour: int, seconds: float) -> Line:
    marks = tuple(_mark(one, seconds) for one in film["moments"] if one["row"] == name)
    return Line(name, film["rows"].get(name, name), colour, marks)


def _mark(one: MomentFacts, seconds: float) -> Mark:
    width = min(max(100 * (one["end"] - one["start"]) / seconds, NARROWEST), 100.0)
    left = min(max(100 * one["start"] / seconds, 0.0), 100 - width)
    more = f" (excused: {one['excused']})" if one["excused"] else ""
    what = one["row"] if one["text"] in ("", one["row"]) else f"{one['row']}: {one['text']}"
    says = f"{one['start']:.2f}–{one['end']:.2f} s, {what}{more}"
    return Mark(one["start"], one["end"], round(left, 2), round(width, 2), _box(one["box"]), says, bool(more))


def _box(box: list[float] | None) -> str:
    if box is None or len(box) != 4:
        return ""
    left, top, right, foot = (100 * side for side in box)
    return f"{left:.1f} {top:.1f} {right - left:.1f} {foot - top:.1f}"


def _curve(name: str, one: CurveFacts, seconds: float) -> Curve:
    """A series over the range that is given for it; where a value lacks, it is interrupted."""
    low, span = one["low"], one["high"] - one["low"] or 1.0
    points: list[list[str]] = [[]]
    for at, value in zip(one["seconds"], one["values"], strict=False):
        if at is None or value is None:
            points.append([])
        else:
            points[-1].append(f"{100 * at / seconds:.1f},{19 - 18 * (value - low) / span:.1f}")
    says = f"{name}, from {low:.3g} to {one['high']:.3g} {one['unit']}".strip()
    return Curve(name, says, tuple(" ".join(own) for own in points if len(own) > 1))
