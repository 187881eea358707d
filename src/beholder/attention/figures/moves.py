"""Pictures of how eyes move: amplitudes, directions, turns and durations of people and of each model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from beholder.attention.figures.curves import COLOURS, TEXT
from beholder.attention.gaze.distributions import (
    MILLISECONDS,
    Pooled,
    amplitudes_of,
    directions_of,
    durations_of,
    joint_histograms,
    turnings_of,
)
from beholder.attention.gaze.saccades import Moves, PeopleMoves, moves, people_moves
from beholder.attention.measures import dynamics
from beholder.attention.types import Floats, Lookers
from beholder.core.measure import NotApplicable, Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Kind = Literal["amplitude", "duration", "direction", "turning"]
ROLES = {
    "model": COLOURS[0],
    "baseline": COLOURS[0],
    "oracle": COLOURS[2],
    "blind": "#909090",
}  # people are black, and in every panel
STILL = moves([])  # of nobody
ACROSS = 5
BINS, SECTORS, CELLS = 24, 24, 16  # of lines, of roses, and of each side of a joint distribution
SHOWN = 0.995  # of all values lie inside the axis; the last bin holds the rest
PEAK = 1.5  # of people's fullest cell is the end of the scale: one who stares would leave the others pale
ENOUGH = 30  # values of an observer whose own distribution is in the band
MANY = 3  # such observers make a band
FIRST = "first repeat only (tables show the mean over repeats)"  # of a stochastic model one answer is drawn
TITLES = {
    "amplitude": "saccade amplitude",
    "duration": "fixation duration",
    "direction": "saccade direction (as on the picture)",
    "turning": "angle between successive saccades (up: straight on, down: back)",
}
MEASURES: Mapping[str, Callable[..., Result]] = {
    "amplitude": dynamics.amplitude_divergence,
    "duration": dynamics.duration_divergence,
    "direction": dynamics.direction_divergence,
    "turning": dynamics.turning_divergence,
}
POOLS: Mapping[str, Callable[..., Pooled]] = {
    "amplitude": amplitudes_of,
    "duration": durations_of,
    "direction": directions_of,
    "turning": turnings_of,
}


class Movers(NamedTuple):
    """A model's movements on some pictures, and those of everybody who looked at them."""

    name: str
    role: str
    found: Sequence[Moves]
    people: Sequence[PeopleMoves]

    def pool(self, kind: Kind) -> Pooled:
        """The values of the model and of people, in the units of the measure."""
        return POOLS[kind](self.found, self.people)


class Crowd(NamedTuple):
    """Each observer's own movements, picture by picture."""

    pictures: Sequence[PeopleMoves]  # of everybody
    each: Mapping[str, Sequence[PeopleMoves]]

    def own(self, kind: Kind) -> list[Floats]:
        """The values of each observer who has enough of them."""
        found = [POOLS[kind]([STILL] * len(those), those).people for those in self.each.values()]
        return [values for values in found if len(values) >= ENOUGH]


def crowd(seen: Sequence[Lookers]) -> Crowd:
    """Everybody who looked at some pictures, together and one by one."""
    each: dict[str, list[PeopleMoves]] = {}
    for lookers in seen:
        for name, path in lookers.paths.items():
            its = (lookers.shape[0], lookers.shape[1]), float(lookers.px_per_deg)
            each.setdefault(name, []).append(PeopleMoves(moves([path]), *its))
    return Crowd([people_moves(lookers) for lookers in seen], each)


def divergence(one: Movers, kind: Kind) -> tuple[float, float]:
    """KL(people‖model) and KL(model‖people) of what is drawn, the first repeat, in nats; NaN where it is undefined."""
    try:
        found = MEASURES[kind](one.found, one.people)
    except NotApplicable:
        return float("nan"), float("nan")
    return found.parts["kl"], found.parts["kl_model_people"]


def distributions(those: Sequence[Movers], people: Crowd, kind: Literal["amplitude", "duration"]) -> Figure | None:
    """One panel per entrant: its distribution over that of people, with the divergence both ways; the nearest first.

    Black is everybody together, the grey band where the middle 80 % of observers are, each by their own; the last bin
    holds all that is beyond. Those without any value are named below. None where nobody has a value.
    """
    known, without = _split_by_values(those, kind)
    if not known:
        return None
    edges = _edges([one.pool(kind) for one in known])
    band = _band([_shares(values, edges) for values in people.own(kind)])
    figure, panels = _panels(len(known), high=1.25)
    for axes, one in zip(panels, known, strict=False):
        pool = one.pool(kind)
        if band is not None:
            axes.stairs(band[1], edges, baseline=band[0], color="#dcdcdc", fill=True, zorder=0)
        axes.stairs(_shares(pool.model, edges), edges, color=ROLES[one.role], fill=True, alpha=0.35, zorder=1)
        axes.stairs(_shares(pool.model, edges), edges, color=ROLES[one.role], linewidth=1.2, zorder=2)
        axes.stairs(_shares(pool.people, edges), edges, color="black", linewidth=1.0, zorder=3)
        _set_title(axes, one, kind)
        axes.set(xlim=(edges[0], edges[-1]), yticks=[])
        axes.spines[["top", "right", "left"]].set_visible(False)
        axes.tick_params(labelsize=TEXT - 1, length=2)
    unit = {"diagonal": "share of the diagonal"}.get(known[0].pool(kind).unit, known[0].pool(kind).unit)
    said = f"{TITLES[kind]} ({unit}); each panel has its own vertical scale"
    figure.supxlabel(said + _named(without, "any"), size=TEXT)
    _legend(figure, known, band is not None)
    return figure


def roses(those: Sequence[Movers], kind: Literal["direction", "turning"]) -> Figure | None:
    """One rose per entrant, over that of people in black: how often eyes go each way; the nearest first.

    The area of a sector is its share, so that long arms do not look longer than they are. Turns have straight on above.
    """
    known, without = _split_by_values(those, kind)
    if not known:
        return None
    edges = np.linspace(-180, 180, SECTORS + 1)
    figure, panels = _panels(len(known), high=1.75, subplot_kw={"projection": "polar"})
    for axes, one in zip(panels, known, strict=False):
        pool, polar = one.pool(kind), _polar(axes)
        sides, wide = np.radians(edges[:-1]), 2 * np.pi / SECTORS
        model, people = (np.sqrt(_shares(values, edges)) for values in (pool.model, pool.people))
        polar.bar(sides, model, wide, align="edge", color=ROLES[one.role], alpha=0.45, linewidth=0)
        around = np.radians(np.repeat(edges, 2)[1:-1])
        polar.plot(np.append(around, around[0]), np.append(np.repeat(people, 2), people[0]), color="black", linewidth=1)
        if kind == "turning":
            polar.set_theta_zero_location("N")
        _set_title(axes, one, kind, y=1.06)
    figure.supxlabel(TITLES[kind] + _named(without, "any"), size=TEXT)
    _legend(figure, known, False)
    return figure


def joint(those: Sequence[Movers], people: Crowd) -> Figure | None:
    """How often an amplitude and the duration of the fixation after it come together: people first, then entrants.

    Shares of cells on one scale of colour, with KL(people‖model) over the cells of `joint_divergence`. Those without
    durations are named below.
    """
    scored = [(one, _joint_divergence(one)) for one in those]
    known = sorted((pair for pair in scored if not np.isnan(pair[1])), key=lambda pair: pair[1])
    if not known:
        return None
    tables = [joint_histograms([STILL] * len(people.pictures), people.pictures, bins=CELLS)[1]]
    tables += [joint_histograms(one.found, one.people, bins=CELLS)[0] for one, _ in known]
    shares = [table / table.sum() for table in tables]
    titles = ["people", *(f"{one.name}\nKL {value:.2f}" for one, value in known)]
    figure, panels = _panels(len(shares), high=1.6, sharex=True, sharey=True)
    last = max(int(np.flatnonzero(table.sum(axis=1)).max()) for table in tables) + 1
    shown = [
        _cells(axes, table, title, top=PEAK * float(shares[0].max()), last=last)
        for axes, table, title in zip(panels, shares, titles, strict=False)
    ]
    bar = figure.colorbar(shown[0], ax=panels, shrink=0.6, aspect=30, pad=0.01, extend="max")
    bar.set_label("share of saccades", size=TEXT)
    bar.ax.tick_params(labelsize=TEXT - 1, length=2)
    without = [one.name for one, value in scored if np.isnan(value)]
    said = f"amplitude of a saccade (share of the diagonal)\nKL(people‖model) {FIRST}"
    figure.supxlabel(said + _named(without, "durations"), size=TEXT)
    figure.supylabel("duration of the next fixation (ms)", size=TEXT)
    return figure


def _cells(axes: Axes, table: Floats, title: str, *, top: float, last: int) -> Any:
    from matplotlib.colors import PowerNorm

    amplitudes, durations = np.arange(last + 1) / CELLS, np.linspace(0, MILLISECONDS, CELLS + 1)
    axes.set_title(title, size=TEXT, pad=3, parse_math=False)
    axes.tick_params(labelsize=TEXT - 1, length=2)
    norm = PowerNorm(0.5, 0, top)  # the root lets rare cells be seen
    held = np.ma.masked_equal(table[:last].T, 0)
    return axes.pcolormesh(amplitudes, durations, held, cmap="viridis_r", norm=norm)


def _joint_divergence(one: Movers) -> float:
    try:
        return dynamics.joint_divergence(one.found, one.people).parts["kl"]
    except NotApplicable:
        return float("nan")


def _split_by_values(those: Sequence[Movers], kind: Kind) -> tuple[list[Movers], list[str]]:
    """Entrants that have such values, the nearest to people first; the names of the others."""
    found = [(divergence(one, kind)[0], one) for one in those]
    known = sorted((pair for pair in found if not np.isnan(pair[0])), key=lambda pair: pair[0])
    return [one for _, one in known], [one.name for value, one in found if np.isnan(value)]


def _edges(pools: Sequence[Pooled]) -> Floats:
    """Bins from 0 to where almost all values of all are below."""
    tops = [np.quantile(values, SHOWN) for pool in pools for values in (pool.people, pool.model) if len(values)]
    end = min(max(tops), pools[0].span[1])
    return np.linspace(0, end or 1.0, BINS + 1)


def _shares(values: Floats, edges: Floats) -> Floats:
    """The share of values in each bin; the last holds what is beyond it."""
    kept = np.clip(values, edges[0], edges[-1])
    return np.asarray(np.histogram(kept, edges)[0] / max(len(values), 1))


def _band(each: Sequence[Floats]) -> tuple[Floats, Floats] | None:
    """Where the middle 80 % of observers are in each bin; none of fewer than three."""
    if len(each) < MANY:
        return None
    low, high = np.quantile(np.stack(each), (0.1, 0.9), axis=0)
    return low, high


def _panels(count: int, *, high: float, **settings: Any) -> tuple[Figure, list[Axes]]:
    """A figure with so many panels; those that stay empty show nothing."""
    from matplotlib.figure import Figure

    across = min(count, ACROSS)
    down = -(-count // across)
    figure = Figure((max(5.4, 2.1 * across), down * (high + 0.3) + 0.7), dpi=150, layout="constrained")
    panels = figure.subplots(down, across, squeeze=False, **settings).ravel()
    for axes in panels[count:]:
        axes.set_axis_off()
    return figure, list(panels[:count])


def _polar(axes: Any) -> Any:
    axes.set(xticks=np.radians([0, 90, 180, 270]), xticklabels=[], yticks=[])
    axes.spines[:].set_visible(False)
    axes.grid(color="#e4e4e4", linewidth=0.6)
    return axes


def _set_title(axes: Axes, one: Movers, kind: Kind, *, y: float | None = None) -> None:
    """Name and divergences, above a panel."""
    people_model, model_people = divergence(one, kind)
    title = f"{one.name}\nKL {people_model:.2f}, reverse {model_people:.2f}"
    axes.set_title(title, size=TEXT, pad=3, y=y, parse_math=False)


def _named(without: Sequence[str], what: str) -> str:
    return f"\nwithout {what}: {', '.join(without)}" if without else ""


def _legend(figure: Figure, those: Sequence[Movers], band: bool) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    marks: list[Any] = [Line2D([], [], color="black", label="people, all together")]
    marks += [Patch(color="#dcdcdc", label="middle 80 % of observers")] if band else []
    marks += [Patch(color=ROLES[role], alpha=0.5, label=role) for role in ROLES if role in {one.role for one in those}]
    title = f"KL(people‖model) and KL(model‖people), nats\n{FIRST}"
    legend = figure.legend(
        handles=marks, loc="outside upper center", ncols=len(marks), fontsize=TEXT, frameon=False,
        title=title, title_fontsize=TEXT,
    )  # fmt: skip
    legend.get_title().set_multialignment("center")
