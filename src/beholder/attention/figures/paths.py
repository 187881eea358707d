"""Pictures of scanpaths: who went where on a picture, in what order and for how long."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from beholder.attention.figures import pairs
from beholder.attention.figures.curves import COLOURS, TEXT
from beholder.attention.figures.marks import AREA, UNKNOWN, ground_on, path_on, washed
from beholder.attention.maps.features import still_picture
from beholder.attention.measures.multimatch import Weights, multimatch
from beholder.attention.paths.pairs import Walk, leave_one_out, read_scanpaths, scanpaths_of
from beholder.attention.paths.search import Box, Searchers
from beholder.attention.types import Floats, Lookers, Picture, Scanpath, keep_inside
from beholder.core.measure import NotApplicable
from beholder.core.sample import Sample

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PEOPLE = "people"  # the ceiling's name in every run: people stand in panels of their own
ACROSS = 5  # panels side by side: numbers in narrower ones cannot be read
WIDE = 11.0  # inches
TALL = 3.2  # inches, the highest that a panel may be: one of a very high picture is narrower
CAPTION = 0.24  # inches above a panel, for its title
SHOWN_MS = (100, 300, 600)  # circles in the legend
LETTERS = 26  # of a name above a panel; of a longer one the middle is cut
CROWD = 10  # observers whose lines can be told apart; those of more are fainter
BOX = "#e6007e"  # of what was searched for: no line of a path has it


class Entry(NamedTuple):
    """A scanpath to be drawn, and how much it is like those of people."""

    name: str
    path: Scanpath  # inside the picture
    outside: int  # fixations that were left away
    score: float  # MultiMatch with people; NaN where it is undefined
    several: int = 1  # scanpaths that the answer has; the first is drawn

    @property
    def title(self) -> str:
        """What stands above the panel."""
        score = "" if np.isnan(self.score) else f"  {self.score:.2f}"
        return cut(self.name) + score + (f", {self.outside} outside" if self.outside else "")


def cut(name: str) -> str:
    """A name short enough to stand above a panel; what is cut is its middle, as settings differ at the end.

    >>> cut("gravity"), cut("wta_lif(of='gbvs',threshold=0.25)")
    ('gravity', "wta_lif(of='g…reshold=0.25)")
    """
    half = LETTERS // 2
    return name if len(name) <= LETTERS else f"{name[:half]}…{name[half - LETTERS :]}"


def walks(sample: Sample[Picture, Lookers], answers: Mapping[str, Any]) -> Figure:
    """Scanpaths on one picture: of people, of each model, and how the best model's saccades match a person's.

    Fixations are circles, numbered in order, their area as the duration (equal where it is unknown). First all
    observers at once, then the four who are most like the others; then every model, the most like people first, with
    its MultiMatch: the mean over people and dimensions, without durations, which some models do not have. Below, the
    best model and the observer nearest to it (`pairs`). Of an answer with several scanpaths the first is drawn;
    fixations outside the picture are counted and not drawn. What was searched for is framed where the sample knows it;
    of a clip the middle frame is shown.
    """
    from matplotlib.figure import Figure

    lookers = sample.reference
    people, models = persons(lookers), ordered(answers, sample)
    side = WIDE / ACROSS
    tall = min(TALL, side * sample.stimulus.shape[0] / sample.stimulus.shape[1]) + CAPTION
    bands = -(-len(models) // ACROSS)
    match = pairs.nearest(models, lookers)
    heights = [tall + 0.1, *([bands * tall + 0.45] if bands else []), *([3.0] if match else [])]
    figure = Figure((WIDE, sum(heights)), dpi=150, layout="constrained")
    parts: Any = np.atleast_1d(figure.subfigures(len(heights), 1, height_ratios=heights, squeeze=False)[:, 0])
    ground = washed(still_picture(sample.stimulus))
    _people(_panels(parts[0], 1), sample, ground, people)
    if models:
        for axes, one in zip(_panels(parts[1], bands), models, strict=False):
            _one(axes, sample, ground, one)
        _key(parts[1], models, people)
    if match:
        pairs.aligned(parts[-1], match, ground=ground, shape=sample.stimulus.shape)
    return figure


def persons(lookers: Lookers) -> list[Entry]:
    """Everybody who fixated anything, the most like the others (MultiMatch) first."""
    seen = {name: path for name, path in lookers.paths.items() if len(path)}
    if not seen:
        return []
    alike = leave_one_out(lookers, pairs.compared(lookers))
    found = [Entry(f"observer {name}", *keep_inside(path, _shape(lookers)), alike[name]) for name, path in seen.items()]
    return sorted(found, key=lambda one: -np.nan_to_num(one.score, nan=-1))


def ordered(answers: Mapping[str, Any], sample: Sample[Picture, Lookers]) -> list[Entry]:
    """Models' scanpaths, the most like people's first; people themselves are not among them."""
    found = []
    for name, answer in answers.items():
        if name != PEOPLE:
            given = read_scanpaths(answer, sample.stimulus)
            drawn = keep_inside(scanpaths_of(given)[0], sample.stimulus.shape)
            found.append(Entry(name, *drawn, _alike(given, sample.reference), len(scanpaths_of(given))))
    return sorted(found, key=lambda one: -np.nan_to_num(one.score, nan=-1))


def _alike(given: Walk, lookers: Lookers) -> float:
    try:
        return multimatch(given, lookers, weights=Weights(duration=0.0)).value
    except NotApplicable:
        return float("nan")


def target(sample: Sample[Picture, Lookers]) -> Box | None:
    """Where the thing is that was searched for, if the sample knows it."""
    lookers = sample.reference
    return lookers.target if isinstance(lookers, Searchers) and np.isfinite(lookers.target).all() else None


def _panels(part: Any, bands: int) -> list[Axes]:
    """Panels of some bands, one after the other; those that stay empty show nothing."""
    found = part.subplots(bands, ACROSS, squeeze=False).ravel()
    for axes in found:
        axes.set_axis_off()
    return list(found)


def _people(panels: Sequence[Axes], sample: Sample[Picture, Lookers], ground: Floats, people: Sequence[Entry]) -> None:
    """Everybody at once, and the first few one by one."""
    ground_on(panels[0], ground, sample.stimulus.shape)
    faint = float(np.clip(CROWD / max(len(people), 1), 0.15, 0.75))  # many lines hide the picture, dots do not
    for at, one in enumerate(people):
        colour = COLOURS[at % len(COLOURS)]
        panels[0].plot(one.path.x, one.path.y, "-", color=colour, linewidth=0.6, alpha=faint)
        panels[0].plot(one.path.x, one.path.y, "o", color=colour, markersize=2.2, markeredgewidth=0, alpha=0.8)
    _framed(panels[0], sample)
    panels[0].set_title(f"all {len(people)} observers" if people else "nobody looked", size=TEXT, pad=3)
    for axes, one in zip(panels[1:], people, strict=False):
        _one(axes, sample, ground, one, colour="black")


def _one(axes: Axes, sample: Sample[Picture, Lookers], ground: Floats, one: Entry, *, colour: str = COLOURS[0]) -> None:
    ground_on(axes, ground, sample.stimulus.shape)
    _framed(axes, sample)
    path_on(axes, one.path, colour=colour)
    if not len(one.path):
        axes.text(0.5, 0.5, "no fixation", size=TEXT, ha="center", va="center", transform=axes.transAxes)
    axes.set_title(one.title, size=TEXT, pad=3, parse_math=False)


def _framed(axes: Axes, sample: Sample[Picture, Lookers]) -> None:
    from matplotlib.patches import Rectangle

    box = target(sample)
    if box is not None:
        size = box.right - box.left, box.bottom - box.top
        axes.add_patch(Rectangle((box.left, box.top), *size, fill=False, edgecolor=BOX, linewidth=1.4, zorder=6))


def _key(part: Any, models: Sequence[Entry], people: Sequence[Entry]) -> None:
    """What circles, colours and numbers mean."""
    from matplotlib.lines import Line2D

    def circle(ms: float, label: str, colour: str) -> Line2D:
        return Line2D([], [], linestyle="", marker="o", markersize=(AREA * ms) ** 0.5, color=colour, label=label)

    timed = any((one.path.duration_ms > 0).any() for one in (*models, *people))
    marks = [circle(ms, f"{ms} ms", "#606060") for ms in SHOWN_MS] if timed else []
    marks += [circle(UNKNOWN, "observer", "black"), circle(UNKNOWN, "model", COLOURS[0])]
    sizes = "circle area: fixation duration" if timed else "durations are unknown: all circles are equal"
    note = f"numbers: order of fixations; {sizes}; beside each name: MultiMatch with people (without durations)"
    part.legend(
        handles=marks,
        loc="outside lower center",
        ncols=len(marks),
        fontsize=TEXT,
        frameon=False,
        title=note,
        title_fontsize=TEXT,
    )


def _shape(lookers: Lookers) -> tuple[int, int]:
    return lookers.shape[0], lookers.shape[1]
