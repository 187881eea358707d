"""Pictures of a run of study/opinions: who agrees with people how far, and what each measure adds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from beholder.core.scores import JUDGED
from beholder.judges.nemenyi import nemenyi
from beholder.stats import bootstrap
from beholder.study.combinations import KINDS, Columns, columns_of, combine
from beholder.study.correlations import Matrix, Numbers, numbers_of, rank_correlations
from beholder.study.pairs import pairs_of
from beholder.study.ratings import Judged, Ratings, judged
from beholder.verdicts.drawing import COLOURS, INK, TEXT, draw_critical_difference

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from beholder.core.benchmark import Readings

Floats = NDArray[np.float64]
Said = Mapping[str, Mapping[str, float]]  # measure → item → number

# Okabe & Ito's colours, told apart by everybody.
SYSTEMS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#555555")
SHOWN = 6  # measures in the scatter, the best ones
PANELS = 4  # dimensions that have a panel each
FEWEST = 5  # groups of which mean ranks are drawn
DRAWS = 500


def overview(table: Ratings, dimensions: Sequence[str], scores: pd.DataFrame, readings: Readings) -> dict[str, Figure]:
    """All that can be drawn of this run; what cannot be, such as an ablation of one measure, is left away."""
    roles = dict(zip(scores["model"], scores["role"], strict=True))
    read = {
        name: {id: float(pair[0]) for id, pair in own.items() if isinstance(pair[0], float)}
        for name, own in readings.items()
        if roles.get(name) in JUDGED and name not in KINDS  # a combination says another thing on each dimension
    }
    said = {name: own for name, own in read.items() if own}
    drawn: dict[str, Callable[[], Figure | None]] = {
        "agreement_with_people": lambda: agreement(scores, dimensions),
        "scatter": lambda: scatter(table, dimensions, scores, said),
        "ablation": lambda: ablation(table, dimensions),
        "critical_difference": lambda: ranks(scores, dimensions),
        "rank_correlations_among_measures": lambda: matrix(table, said),
    }
    made = {name: draw() for name, draw in drawn.items()}
    return {name: figure for name, figure in made.items() if figure is not None}


# Agreement


def agreement(scores: pd.DataFrame, dimensions: Sequence[str]) -> Figure | None:
    """Spearman's ρ and preference accuracy of each measure, with intervals, people's and what blind measures get."""
    whole = scores[(scores["part"] == "") & (scores["settings"] == "") & scores["value"].notna()]
    order = _order(whole, dimensions)
    if not order:
        return None
    shown = list(dimensions[:PANELS])
    figure, axes = _panels(len(shown), rows=2, height=0.22 * len(order) + 0.7)
    for row, (name, label, none) in enumerate(
        (("spearman", "Spearman's ρ with the mean rating", 0.0), ("preference_accuracy", "preference accuracy", 0.5))
    ):
        for panel, dimension in zip(axes[row], shown, strict=True):
            own = whole[(whole["measure"] == name) & (whole["criterion"] == dimension)]
            _dots(panel, own, order, none)
            panel.set_xlabel(label, fontsize=TEXT)
            if not row:
                panel.set_title(dimension, fontsize=TEXT + 1.5, color=INK)
    for row in axes:
        row[0].set_yticks(range(len(order)), order, fontsize=TEXT)
    return figure


def _order(whole: pd.DataFrame, dimensions: Sequence[str]) -> list[str]:
    """The models, the best at the top."""
    own = whole[
        whole["role"].isin(JUDGED) & (whole["measure"] == "spearman") & whole["criterion"].isin(list(dimensions))
    ]
    return list(own.groupby("model")["value"].mean().sort_values().index)


def _dots(panel: Axes, own: pd.DataFrame, order: Sequence[str], none: float) -> None:
    means = own.groupby(["model", "role"], sort=False)[["value", "lo", "hi"]].mean().reset_index()
    people = means[means["role"] == "ceiling"]
    for _, one in people.iterrows():
        panel.axvspan(one["lo"], one["hi"], color="#f3d9a4", alpha=0.6, lw=0)
        panel.axvline(one["value"], color="#9a6a00", lw=1.2)
        panel.text(
            one["value"],
            len(order) - 0.35,
            "one person",
            fontsize=TEXT - 1.5,
            color="#7a5300",
            ha="center",
            va="bottom",
        )
    blind = means[means["role"] == "blind"].sort_values("value")
    for at, (_, one) in enumerate(blind.iterrows()):  # names stand on two lines: two may score alike
        panel.axvline(one["value"], color="#8a939a", lw=0.9, ls=(0, (3, 2)))
        low = -0.7 - 0.6 * (at % 2)
        panel.text(one["value"], low, one["model"], fontsize=TEXT - 1.5, color="#5a646b", ha="center", va="top")
    panel.axvline(none, color="#b8c0c6", lw=0.8, zorder=0)
    for _, one in means[means["role"].isin(JUDGED)].iterrows():
        colour = COLOURS[0] if one["role"] == "model" else COLOURS[1]
        if one["model"] in order:
            place = order.index(one["model"])
            panel.plot([one["lo"], one["hi"]], [place, place], color=colour, lw=1.6, solid_capstyle="butt")
            panel.plot(one["value"], place, "o", color=colour, ms=4.5)
    panel.set_ylim(-2.1, len(order) + 0.4)
    panel.set_yticks(range(len(order)), [""] * len(order))


# Scatter


def scatter(table: Ratings, dimensions: Sequence[str], scores: pd.DataFrame, said: Said) -> Figure | None:
    """What the best measures say against the mean rating, one point per item, coloured by system."""
    whole = scores[(scores["part"] == "") & (scores["settings"] == "") & (scores["measure"] == "spearman")]
    best = [name for name in reversed(_order(whole[whole["value"].notna()], dimensions)) if name in said][:SHOWN]
    if not best:
        return None
    shown = list(dimensions[:PANELS])
    figure, axes = _panels(len(best), rows=len(shown), height=1.75)
    samples = _samples(table)
    systems = list(dict.fromkeys(one.system for one in samples.values()))
    for row, dimension in zip(axes, shown, strict=True):
        for panel, name in zip(row, best, strict=True):
            rho = whole[(whole["model"] == name) & (whole["criterion"] == dimension)]["value"]
            _cloud(panel, said[name], {id: judged(one, dimension) for id, one in samples.items()}, systems)
            number = f"ρ = {rho.iloc[0]:.2f}" if len(rho) and rho.notna().all() else "ρ undefined"
            panel.set_title(f"{name}   {number}" if dimension == shown[0] else number, fontsize=TEXT, color=INK)
        row[0].set_ylabel(f"{dimension}: mean rating", fontsize=TEXT)
    if len(systems) > 1:
        handles = [axes[0][0].plot([], [], "o", ms=4, color=_colour(systems, name), label=name)[0] for name in systems]
        figure.legend(
            handles=handles, loc="outside lower center", ncols=min(6, len(systems)), fontsize=TEXT, frameon=False
        )
    return figure


def _cloud(panel: Axes, said: Mapping[str, float], people: Mapping[str, Judged], systems: Sequence[str]) -> None:
    held = [id for id in said if id in people and people[id].values]
    x = np.array([said[id] for id in held])
    y = np.array([people[id].mean for id in held])
    # Means of few raters take few values: points that would hide one another are shifted a little.
    step = np.diff(np.unique(y)).min(initial=1.0)
    y = y + np.random.default_rng(0).uniform(-0.25, 0.25, len(y)) * step
    colours = [_colour(systems, people[id].system) for id in held]
    faint = float(np.clip(250 / max(len(held), 1), 0.2, 0.85))
    panel.scatter(x, y, s=5 if len(held) > 300 else 12, c=colours, alpha=faint, lw=0, rasterized=True)


def _colour(systems: Sequence[str], name: str) -> str:
    return SYSTEMS[systems.index(name) % len(SYSTEMS)]


# Ablation


def ablation(table: Ratings, dimensions: Sequence[str], kind: str = "z_sum") -> Figure | None:
    """What the sum of z-scores loses without each measure, and what it gains with one more at a time."""
    shown = list(dimensions[:PANELS])
    found = {name: columns_of(table, name) for name in shown}
    many = len(found[shown[0]][2].names)
    if many < 2 or not all(ids for ids, _, _ in found.values()):
        return None
    figure, axes = _panels(2, rows=len(shown), height=0.24 * many + 0.9, width=3.4)
    for row, (dimension, (_, opinions, columns)) in zip(axes, found.items(), strict=True):
        _ablate(row, columns, opinions, kind, dimension)
    return figure


def _ablate(row: Sequence[Axes], columns: Columns, opinions: Sequence[Judged], kind: str, dimension: str) -> None:
    found = combine(columns, KINDS[kind])
    names, at = columns.names, np.unique(columns.groups, return_inverse=True)[1]
    counts = np.concatenate(list(bootstrap.counts(at.max() + 1, draws=DRAWS, rng=np.random.default_rng(0))))[:, at]
    full = pairs_of([one.value for one in found], opinions)
    top, drawn = full.accuracy()[0], full.accuracy(counts)
    places = range(len(names), 0, -1)
    for place, name in zip(places, names, strict=True):
        less = pairs_of([one.without[name] for one in found], opinions)
        change, lo, hi = _change(less.accuracy()[0] - top, less.accuracy(counts) - drawn)
        colour = "#8a939a" if lo <= 0 <= hi else COLOURS[0] if change > 0 else COLOURS[1]
        row[0].plot([lo, hi], [place, place], color=colour, lw=1.6)
        row[0].plot(change, place, "o", color=colour, ms=4.5)
    row[0].axvline(0, color="#b8c0c6", lw=0.8, zorder=0)
    row[0].set_yticks(list(places), [f"without {name}" for name in names], fontsize=TEXT)
    row[0].set_ylim(0.4, len(names) + 0.6)
    row[0].set_xlabel("change of preference accuracy", fontsize=TEXT)
    row[0].set_title(f"{dimension}: all {len(names)} together {top:.3f}", fontsize=TEXT, color=INK)
    steps = [pairs_of([one.up_to[name] for one in found], opinions) for name in names]
    values = [float(one.accuracy()[0]) for one in steps]
    bounds = np.array([_change(0.0, one.accuracy(counts))[1:] for one in steps])
    row[1].fill_between(range(len(names)), bounds[:, 0], bounds[:, 1], color=COLOURS[1], alpha=0.15, lw=0)
    row[1].plot(range(len(names)), values, "o-", color=COLOURS[1], ms=4.5, lw=1.4)
    row[1].set_xticks(
        range(len(names)),
        [name if not at else f"+ {name}" for at, name in enumerate(names)],
        fontsize=TEXT - 1,
        rotation=25,
        ha="right",
    )
    row[1].set_ylabel("preference accuracy", fontsize=TEXT)
    row[1].set_title("adding one at a time", fontsize=TEXT, color=INK)


def _change(value: float, draws: Floats) -> tuple[float, float, float]:
    lo, hi = bootstrap.interval(np.asarray(draws)[:, None])
    return value, float(lo[0]), float(hi[0])


# Ranks


def ranks(scores: pd.DataFrame, dimensions: Sequence[str]) -> Figure | None:
    """Mean ranks of measures over groups, with the critical difference: what the judge says, drawn."""
    own = scores[(scores["measure"] == "preference_by_group") & (scores["part"] == "")]
    judged_on = own[own["role"].isin(JUDGED) & own["criterion"].isin(list(dimensions))]
    if judged_on["model"].nunique() < 2 or judged_on["unit"].nunique() < FEWEST:
        return None
    verdict = nemenyi(judged_on)
    return draw_critical_difference(verdict) if len(verdict.standing) > 1 else None


# Matrix


def matrix(table: Ratings, said: Said) -> Figure | None:
    """Spearman's ρ of each two measures: below the diagonal over all items, above it within systems."""
    tags = {id: table.load(id).tags for id in _samples(table)}
    numbers: Numbers = numbers_of(
        said, {id: one["system"] for id, one in tags.items()}, {id: one["cluster"] for id, one in tags.items()}
    )
    if len(numbers.names) < 2 or len(numbers.values) < 3:
        return None
    several = len(set(numbers.systems.tolist())) > 1
    return _draw_matrix(rank_correlations(numbers), rank_correlations(numbers, within=True) if several else None)


def _draw_matrix(pooled: Matrix, within: Matrix | None) -> Figure:
    from matplotlib.figure import Figure

    size = len(pooled.names)
    side = 0.85 * size + 1.6
    figure = Figure(figsize=(side, side * 0.86), layout="constrained")
    axes = figure.add_subplot()
    shown = np.tril(pooled.rho, -1) + (np.triu(within.rho, 1) if within else 0)
    shown[~(np.tri(size, k=-1, dtype=bool) | (np.triu(np.ones((size, size), bool), 1) & (within is not None)))] = np.nan
    axes.imshow(shown, cmap="RdBu", vmin=-1, vmax=1)
    for one in range(size):
        for other in range(size):
            source = pooled if one > other else within if one < other else None
            if source is not None and not np.isnan(source.rho[one, other]):
                rho, lo, hi = source.rho[one, other], source.lo[one, other], source.hi[one, other]
                ink = "white" if abs(rho) > 0.6 else INK
                axes.text(other, one - 0.1, f"{rho:.2f}", ha="center", va="center", fontsize=TEXT + 0.5, color=ink)
                axes.text(
                    other, one + 0.22, f"[{lo:.2f}, {hi:.2f}]", ha="center", va="center", fontsize=TEXT - 3, color=ink
                )
    axes.set_xticks(range(size), pooled.names, fontsize=TEXT, rotation=30, ha="right")
    axes.set_yticks(range(size), pooled.names, fontsize=TEXT)
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    above = "\nabove it within systems" if within else ""
    title = f"Spearman's ρ among measures: below the diagonal over all items,{above}"
    axes.set_title(title.rstrip(","), fontsize=TEXT, color=INK, loc="left")
    return figure


def _samples(table: Ratings) -> dict[str, Any]:
    return {id: table.load(id).reference for id in dict.fromkeys(table.table["item"])}


def _panels(columns: int, *, rows: int, height: float, width: float = 2.3) -> tuple[Figure, Any]:
    """A grid of panels in the house's style."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width * columns + 1.2, height * rows + 0.6), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False)
    for panel in axes.flat:
        panel.spines[["top", "right"]].set_visible(False)
        panel.tick_params(labelsize=TEXT - 1, colors=INK)
    return figure, axes
