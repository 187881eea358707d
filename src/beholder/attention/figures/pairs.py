"""Pictures of two scanpaths: which of their saccades are aligned, and how alike the pairs are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from beholder.attention.figures.curves import COLOURS, GREY, TEXT
from beholder.attention.figures.marks import ground_on, path_on, washed
from beholder.attention.gaze.vectors import DIMENSIONS, Ints, Vectors, alignment, saccade_vectors
from beholder.attention.measures.multimatch import similarities
from beholder.attention.paths.pairs import Compare
from beholder.attention.types import Floats, Lookers, Picture, Scanpath
from beholder.core.measure import NotApplicable, Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST = 24  # pairs of vectors: more cannot be read
STEP = 1.35  # from a row of pairs to the next, where 1 is from one pair to the next
LONGEST = 0.55  # of the way from one pair to the next: the longest vector
HIGH, WIDE = 2.5, 8.4  # inches for the panels of vectors, and for both panels left of the similarities
MODEL, PERSON, LINK = COLOURS[0], "black", COLOURS[1]
TITLE: dict[str, Any] = {"size": TEXT, "pad": 3, "parse_math": False, "loc": "left"}


class Drawn(Protocol):
    """A scanpath with its name."""

    @property
    def name(self) -> str:
        """Whose it is."""

    @property
    def path(self) -> Scanpath:
        """The fixations."""


class Match(NamedTuple):
    """A model's scanpath and a person's."""

    model: str
    person: str
    simulated: Scanpath
    human: Scanpath


def compared(lookers: Lookers) -> Compare:
    """MultiMatch of two scanpaths on this picture: the mean of its dimensions but duration; no simplification."""
    diagonal = math.hypot(*lookers.shape)

    def compare(simulated: Scanpath, human: Scanpath) -> Result:
        if not (simulated.joined.any() and human.joined.any()):
            raise NotApplicable("a scanpath without two fixations in a row has no saccade")
        found = similarities(saccade_vectors(simulated), saccade_vectors(human), diagonal=diagonal)
        return Result(float(found[:-1].mean()))

    return compare


def nearest(models: Sequence[Drawn], lookers: Lookers) -> Match | None:
    """The first model that makes a saccade, and the person whose path is most like its own; None without such."""
    able = [one for one in models if len(one.path) > 1]
    people = {name: path for name, path in lookers.paths.items() if len(path) > 1}
    if not able or not people:
        return None
    best, compare = able[0], compared(lookers)
    who = max(people, key=lambda name: compare(best.path, people[name]).value)
    return Match(best.name, who, best.path, people[who])


def aligned_pairs(picture: Picture, match: Match) -> Figure:
    """Two scanpaths on a picture, which of their saccades are aligned, and in what they are alike.

    Left, both paths; a broken line joins the middles of saccades that belong together (the way with the least sum of
    |u − v|). Middle, those pairs one by one, both vectors from one point, numbered as the saccades are. Right, the five
    similarities of MultiMatch.
    """
    from matplotlib.figure import Figure

    figure = Figure((11.0, 3.0), dpi=150, layout="constrained")
    aligned(figure, match, ground=washed(picture), shape=picture.shape)
    return figure


def aligned(part: Any, match: Match, *, ground: Floats, shape: tuple[int, int]) -> None:
    """The same inside a part of a figure."""
    a, b = saccade_vectors(match.simulated), saccade_vectors(match.human)
    i, j = alignment(a, b)
    wide = float(np.clip(HIGH * shape[1] / shape[0], 1.5, 4.0))
    left, middle, right = part.subplots(1, 3, width_ratios=(wide, WIDE - wide, 1.6))
    _paths(left, match, ground, shape=shape, links=_middles(a, b, i, j))
    _vectors(middle, a, b, pairs=(i, j), across=_across(min(len(i), MOST), WIDE - wide))
    _similar(right, similarities(a, b, diagonal=math.hypot(*shape)))


def _middles(a: Vectors, b: Vectors, i: Ints, j: Ints) -> Floats:
    """(pairs, 2 ends, 2): the middles of aligned saccades."""
    middle = [of.starts + of.steps / 2 for of in (a, b)]
    return np.stack([middle[0][i], middle[1][j]], axis=1)


def _paths(axes: Axes, match: Match, ground: Floats, *, shape: tuple[int, int], links: Floats) -> None:
    from matplotlib.collections import LineCollection

    ground_on(axes, ground, shape)
    axes.add_collection(LineCollection(list(links), colors=LINK, linewidths=0.9, linestyles="--", zorder=2.5))
    path_on(axes, match.human, colour=PERSON)
    path_on(axes, match.simulated, colour=MODEL)
    axes.set_title(f"{match.model} (blue) and its nearest\nobserver, {match.person} (black)", **TITLE)


def _across(count: int, wide: float) -> int:
    """So many pairs side by side that all rows together are as high as there is room.

    >>> _across(3, 6.0), _across(11, 6.0)
    (3, 6)
    """
    fitting = (n for n in range(1, count) if -(-count // n) * STEP * wide / n <= HIGH)
    rows = -(-count // next(fitting, count))
    return -(-count // rows)


def _vectors(axes: Axes, a: Vectors, b: Vectors, *, pairs: tuple[Ints, Ints], across: int) -> None:
    """Pairs of vectors from common points, row after row, in one scale."""
    i, j = (of[:MOST] for of in pairs)
    longest = max(float(np.hypot(*np.concatenate([a.steps[i], b.steps[j]]).T).max()), 1e-9)
    for at, (one, other) in enumerate(zip(i.tolist(), j.tolist(), strict=True)):
        row, column = divmod(at, across)
        origin = np.array([column, row * STEP])
        for step, colour, wide in ((b.steps[other], PERSON, 1.6), (a.steps[one], MODEL, 1.0)):
            _arrow(axes, origin, LONGEST * step / longest, colour=colour, width=wide)
        axes.text(column, row * STEP + 0.67, f"{one + 1}–{other + 1}", size=TEXT - 2, ha="center", va="center")
    rows = -(-len(i) // across)
    axes.set(xlim=(-LONGEST, across - 1 + LONGEST), ylim=(STEP * rows - 0.5, -LONGEST), aspect="equal")
    axes.set_axis_off()
    left_out = f"; first {MOST} of {len(pairs[0])}" if len(pairs[0]) > MOST else ""
    axes.set_title(f"aligned saccades of model and observer, each pair from one point{left_out}", size=TEXT, pad=3)


def _arrow(axes: Axes, origin: Floats, step: Floats, *, colour: str, width: float) -> None:
    style = {"arrowstyle": "-|>,head_width=0.12,head_length=0.22", "color": colour, "linewidth": width}
    end = origin + step
    arrow = {**style, "shrinkA": 0, "shrinkB": 0}
    axes.annotate("", xy=tuple(end), xytext=tuple(origin), arrowprops=arrow, annotation_clip=False)
    axes.plot(*origin, "o", color=GREY, markersize=2.5, zorder=3)


def _similar(axes: Axes, found: Floats) -> None:
    """The five similarities as bars; what is not known is said."""
    rows = range(len(DIMENSIONS))
    axes.barh(rows, np.nan_to_num(found), color=MODEL, height=0.55)
    for row, value in zip(rows, found, strict=True):
        label = "not known" if np.isnan(value) else f"{value:.2f}"
        inside = value > 0.5
        axes.text(
            value - 0.03 if inside else np.nan_to_num(value) + 0.03, row, label, size=TEXT - 2, va="center",
            ha="right" if inside else "left", color="white" if inside else "black",
        )  # fmt: skip
    axes.set_yticks(rows, DIMENSIONS, size=TEXT - 1)
    axes.set(xlim=(0, 1), ylim=(len(rows) - 0.5, -0.5))
    axes.set_title("similarity (MultiMatch)", size=TEXT, pad=3)
    axes.tick_params(labelsize=TEXT - 1, length=2)
    axes.tick_params(axis="y", length=0)
    axes.spines[["top", "right"]].set_visible(False)
