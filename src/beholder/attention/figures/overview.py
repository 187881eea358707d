"""Pictures of a whole run of attention/saliency: scores, people's congruency over fixations, and their centre bias."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from beholder.attention.figures.curves import COLOURS, GREY, NAMED, TEXT, course, square
from beholder.attention.maps.rates import AT
from beholder.attention.measures.curves import part
from beholder.attention.people import ceiling as people
from beholder.attention.types import Floats, Lookers, Picture
from beholder.core.measure import NotApplicable
from beholder.core.sample import Dataset
from beholder.core.scores import JUDGED, labels
from beholder.store.cache import cached
from beholder.store.digest import digest, package
from beholder.verdicts.summary import summary

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from beholder.core.benchmark import Readings

MOST = 60  # pictures that are read for congruency and centre bias: more change no line
ROLES = {
    "model": COLOURS[0],
    "baseline": COLOURS[0],
    "oracle": COLOURS[2],
    "blind": "#909090",
    "person": "#c08000",
    "ceiling": "#000000",
}
CURVES = "mean_hits"  # whose parts are points of curves
BLIND_COLOUR = "#707070"
BROKEN = ("--", "-.", ":", (0, (4, 1, 1, 1, 1, 1)))  # how the lines of blind models are told apart
SEED = 0  # of who predicts whom where groups are unlike in size
FIXATIONS = 10  # up to which congruency is drawn: few people make more in some seconds


def pictures_of(
    scores: pd.DataFrame, readings: Readings, *, dataset: Dataset[Picture, Lookers], official: Sequence[str]
) -> dict[str, Figure]:
    """Scores and mean curves; of the pictures that were run, on a grid of 200 px, congruency and the centre bias."""
    known = set(dataset.all_ids)
    ran = [id for id in scores["unit"].unique() if id in known][:MOST]
    seen = [people.shrink(sample.reference) for sample in dataset.only(ran)]
    found = {"scores": dots(scores, official)}
    if mean := mean_curves(scores):
        found["mean_curves"] = curves(mean)
    if any(len(people.observers(lookers)) > 1 for lookers in seen):
        found["congruency_over_fixations"] = congruency(seen)
    if any(len(lookers.points) for lookers in seen):
        found["centre_bias"] = centre_scatter(seen)
    if between := over_groups(seen):
        found["groups_of_observers"] = groups(between)
    return found


def dots(scores: pd.DataFrame, official: Sequence[str]) -> Figure:
    """One panel per measure, one dot per entrant with its interval; models by mean rank, people black."""
    from matplotlib.figure import Figure

    table = summary(scores[(scores["criterion"] == "all") & (scores["part"] == "")])
    table = table.assign(label=labels(table))[table["held"] > 0]
    measures = [name for name in dict.fromkeys(table["label"]) if name in official]
    measures += [name for name in dict.fromkeys(table["label"]) if name not in official]
    names = _ordered(table, official)
    across = min(5, len(measures))
    down = -(-len(measures) // across)
    figure = Figure((1.6 + 1.75 * across, down * (0.7 + 0.17 * len(names))), dpi=150, layout="constrained")
    panels = np.atleast_2d(figure.subplots(down, across, sharey=True, squeeze=False))
    for axes in panels.ravel()[len(measures) :]:
        axes.set_axis_off()
    for axes, measure in zip(panels.ravel(), measures, strict=False):
        own = table[table["label"] == measure]
        _dots(axes, own, names)
        arrow = "→" if set(own["better"]) == {"higher"} else "←"
        told = f"{own['measure'].iloc[0]}{setting(own['settings'].iloc[0])}"
        axes.set_title(f"{told} {arrow}" if measure in official else f"{told} {arrow}\n(not judged)", size=TEXT)
    for row in panels:
        row[0].set_yticks(range(len(names)), names, size=TEXT - 1)
        row[0].set_ylim(len(names) - 0.5, -0.5)
    return figure


def mean_curves(scores: pd.DataFrame) -> dict[str, Curves]:
    """The mean hit-rate and ROC curves of every entrant over the dataset, which are parts of `mean_hits`; none without.

    Points of a stochastic model are the means over its repeats; persons one by one are left away.
    """
    own = scores[(scores["measure"] == CURVES) & (scores["part"] != "") & (scores["criterion"] == "all")]
    own = own[own["role"] != "person"]
    points = own.groupby(["model", "part"], sort=False)["value"].mean()
    roles = dict(zip(own["model"], own["role"], strict=True))
    lines = {
        name: tuple(np.array([0.0, *(points.get((name, part(kind, at)), np.nan) for at in AT), 1.0])
                    for kind in ("hits", "roc"))
        for name in roles
    }  # fmt: skip
    return {name: Curves(roles[name], *both) for name, both in lines.items() if not np.isnan(both[0]).any()}


def curves(entrants: Mapping[str, Curves]) -> Figure:
    """The mean hit-rate curve and the mean shuffled ROC of a dataset: people black, the four best models in colours.

    Each panel has its own best, by the area, which stands after a name; the other models are thin and grey, blind ones
    broken lines.
    """
    from matplotlib.figure import Figure

    figure = Figure((10.5, 3.4), dpi=150, layout="constrained")
    left, right = figure.subplots(1, 2)
    _ordered_curves(left, {name: (one.role, one.hits) for name, one in entrants.items()})
    square(left, "share of the picture kept", "share of fixations inside", "hit rate, mean over pictures")
    known = {name: (one.role, one.roc) for name, one in entrants.items() if not np.isnan(one.roc).any()}
    _ordered_curves(right, known)
    square(right, "false alarms (fixations on other pictures)", "hits", "ROC, mean over pictures")
    for axes in (left, right):
        axes.legend(fontsize=TEXT - 1, frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))
    right.set_visible(bool(known))
    return figure


def _ordered_curves(axes: Axes, lines: Mapping[str, tuple[str, Floats]]) -> None:
    """Curves with their areas, people first, then models, the best first."""
    across = np.array([0.0, *AT, 1.0])
    areas = {name: float(np.trapezoid(line, across)) for name, (_, line) in lines.items()}
    by_area = sorted(lines, key=lambda name: -areas[name])
    for name in by_area:
        if lines[name][0] in ("ceiling", "oracle"):
            colour, told = ROLES[lines[name][0]], ", one left out" if lines[name][0] == "ceiling" else ""
            axes.plot(across, lines[name][1], color=colour, linewidth=1.8, label=f"{name}{told}  {areas[name]:.2f}")
    models = [name for name in by_area if lines[name][0] in JUDGED]
    for at, name in enumerate(models):
        colour, width = (COLOURS[at], 1.4) if at < NAMED else (GREY, 0.7)
        more = f"{len(models) - NAMED} other models" if at == NAMED else None
        label = f"{name}  {areas[name]:.2f}" if at < NAMED else more
        axes.plot(across, lines[name][1], color=colour, linewidth=width, label=label, zorder=2 - at / len(models))
    for at, name in enumerate(name for name in lines if lines[name][0] == "blind"):  # the same style in both panels
        label = f"{name} (blind)  {areas[name]:.2f}"
        style = BROKEN[at % len(BROKEN)]
        axes.plot(across, lines[name][1], color=BLIND_COLOUR, linestyle=style, linewidth=1.1, label=label)
    axes.plot([0, 1], [0, 1], color="black", linewidth=0.6, label="chance  0.50", zorder=0)


class Curves(NamedTuple):
    """The mean curves of a model, of people or of a blind model, from 0 to 1."""

    role: str
    hits: Floats
    roc: Floats  # NaN where there are no fixations of other pictures


def congruency(seen: Sequence[Lookers]) -> Figure:
    """How well the others predict each fixation, over fixation numbers, by four measures; mean ± SEM over pictures."""
    from matplotlib.figure import Figure

    figure = Figure((9.5, 2.7), dpi=150, layout="constrained")
    kinds: dict[people.By, str] = {
        "hit_rate": "hit rate, top 20 %", "auc": "AUC", "nss": "NSS", "information_gain": "information gain (bits)"
    }  # fmt: skip
    for axes, (by, title) in zip(figure.subplots(1, 4), kinds.items(), strict=True):
        course(axes, _cut(over(seen, by, ranks=True)), label="that fixation", colour=COLOURS[0])
        if by != "information_gain":
            course(axes, _cut(over(seen, by, ranks=False)), label="all fixations up to it", colour=COLOURS[1])
        axes.axhline(people.CHANCE[by], color=GREY, linewidth=0.8, linestyle=":")
        axes.set_title(title, size=TEXT + 1)
        axes.set_xlabel("fixation number", size=TEXT)
        axes.tick_params(labelsize=TEXT - 1, length=2)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(fontsize=TEXT - 1, frameon=False)
    return figure


def over(seen: Sequence[Lookers], by: people.By, *, ranks: bool) -> people.Course:
    """The mean course of some pictures; those with fewer than two observers are left out. It knows no model: cached."""
    key = digest("congruency", package(), list(seen), by, ranks)
    found: people.Course = cached(key, partial(_over, seen, by, ranks=ranks))
    return found


def _over(seen: Sequence[Lookers], by: people.By, *, ranks: bool) -> people.Course:
    found = []
    for lookers in seen:
        try:
            found.append(
                people.congruency_by_number(lookers, by)
                if ranks
                else people.congruency_by_count(lookers, by, most=FIXATIONS)
            )
        except NotApplicable:
            continue
    return people.mean_course(found)


def over_groups(seen: Sequence[Lookers], by: people.By = "nss") -> dict[tuple[str, str], people.Congruency]:
    """How well each group predicts each, the mean over pictures; nothing where there are no two groups."""
    each: dict[tuple[str, str], list[float]] = {}
    for at, lookers in enumerate(seen):
        try:
            found = people.group_congruency(lookers, by, rng=np.random.default_rng([SEED, at]))
        except NotApplicable:
            continue
        for pair, one in found.items():
            each.setdefault(pair, []).append(one.mean)
    return {pair: people.mean_and_sem(np.array(values)) for pair, values in each.items()}


def groups(between: Mapping[tuple[str, str], people.Congruency]) -> Figure:
    """NSS of each group's observers on maps of its own and of the other groups, of equally many people."""
    from matplotlib.figure import Figure

    seeing = sorted({pair[1] for pair in between})
    figure = Figure((1.5 + 1.2 * len(seeing), 2.8), dpi=150, layout="constrained")
    axes = figure.subplots()
    wide = 0.8 / len(seeing)
    for at, name in enumerate(seeing):
        own = {seen: found for (seen, predicting), found in between.items() if predicting == name}
        x = [sorted(seeing).index(seen) + (at - (len(seeing) - 1) / 2) * wide for seen in own]
        means, errors = [found.mean for found in own.values()], [found.sem for found in own.values()]
        axes.bar(x, means, 0.9 * wide, yerr=errors, color=COLOURS[at % len(COLOURS)], capsize=2, label=f"by {name}")
    axes.set_xticks(range(len(seeing)), [f"{name}\npredicted" for name in seeing], size=TEXT)
    axes.set_ylabel("NSS", size=TEXT)
    axes.set_title("groups of observers", size=TEXT + 1)
    axes.tick_params(labelsize=TEXT - 1, length=2)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(fontsize=TEXT - 1, frameon=False)
    return figure


def centre_scatter(seen: Sequence[Lookers]) -> Figure:
    """Every fixation by its place in its picture, first ones apart, with the marginal distributions."""
    from matplotlib.figure import Figure

    first, later = (np.concatenate(parts) for parts in zip(*map(_relative, seen), strict=True))
    everyone = np.concatenate([first, later])
    figure = Figure((4.6, 4.0), dpi=150, layout="constrained")
    grid = figure.add_gridspec(2, 2, width_ratios=(4, 1), height_ratios=(1, 4))
    axes = figure.add_subplot(grid[1, 0])
    size = float(np.clip(400 / len(everyone) ** 0.7, 1.2, 6))
    axes.scatter(later[:, 0], later[:, 1], s=size, color=COLOURS[0], alpha=0.35, linewidths=0, label="later")
    axes.scatter(
        first[:, 0], first[:, 1], s=1.5 * size, color=COLOURS[1], alpha=0.8, linewidths=0, label="first of each path"
    )
    mean, sd = everyone.mean(axis=0), everyone.std(axis=0)
    told = f"mean ({mean[0]:.2f}, {mean[1]:.2f})\nsd ({sd[0]:.2f}, {sd[1]:.2f})"
    axes.plot(mean[:1], mean[1:], "+", color="black", markersize=9, markeredgewidth=1.5, label=told)
    axes.set(xlim=(0, 1), ylim=(1, 0))
    axes.set_xlabel("x / width", size=TEXT)
    axes.set_ylabel("y / height (down)", size=TEXT)
    axes.legend(fontsize=TEXT - 2, loc="upper left", framealpha=0.9)
    axes.tick_params(labelsize=TEXT - 1)
    _marginal(figure.add_subplot(grid[0, 0], sharex=axes), everyone[:, 0], "vertical")
    _marginal(figure.add_subplot(grid[1, 1], sharey=axes), everyone[:, 1], "horizontal")
    figure.suptitle(f"{len(everyone)} fixations on {len(seen)} pictures", size=TEXT + 1)
    return figure


def _relative(lookers: Lookers) -> tuple[Floats, Floats]:
    """First and later fixations as shares of the picture's sides."""
    size = np.array(lookers.shape[::-1], float)
    paths = [path.points / size for path in lookers.paths.values()]
    empty = np.empty((0, 2))
    return np.concatenate([empty, *(p[:1] for p in paths)]), np.concatenate([empty, *(p[1:] for p in paths)])


def _marginal(axes: Axes, values: Floats, way: str) -> None:
    axes.hist(values, bins=30, range=(0, 1), color=COLOURS[0], alpha=0.6, orientation=way)  # type: ignore[arg-type]
    axes.axis("off")


def _ordered(table: pd.DataFrame, official: Sequence[str]) -> list[str]:
    """People, models by their mean rank over the official measures, then blind models and persons."""
    judged = table[table["label"].isin(official)]
    signed = judged["value"].where(judged["better"] == "lower", -judged["value"])
    ranks = judged.assign(signed=signed).groupby("label")["signed"].rank()
    means = ranks.groupby(judged["model"]).mean()
    roles = dict(zip(table["model"], table["role"], strict=True))
    order = {"ceiling": 0, "person": 1, "oracle": 2, "model": 3, "baseline": 3, "blind": 4}
    return sorted(roles, key=lambda name: (order[roles[name]], means.get(name, np.inf)))


def _dots(axes: Axes, own: pd.DataFrame, names: Sequence[str]) -> None:
    for model, role, value, lo, hi in own[["model", "role", "value", "lo", "hi"]].to_numpy():
        at, colour = names.index(model), ROLES[role]
        axes.plot([lo, hi], [at, at], color=colour, linewidth=1.2, alpha=0.6)
        axes.plot([value], [at], "o", color=colour, markersize=3.2)
        if role == "ceiling":
            axes.axvline(value, color=colour, linewidth=0.7, linestyle="--", alpha=0.6)
    axes.grid(axis="y", color="#eeeeee", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.locator_params(axis="x", nbins=4)
    axes.tick_params(labelsize=TEXT - 1, length=2)
    axes.tick_params(axis="y", length=0)
    axes.spines[["top", "right", "left"]].set_visible(False)


def setting(settings: str) -> str:
    """What tells a measure from another of the same name; the preset is the same for all.

    >>> setting("top=0.05,preset=seed"), setting("preset=seed")
    (' (top=0.05)', '')
    """
    parts = [part for part in settings.split(",") if part and not part.startswith("preset=")]
    told = [part if part[-1].isdigit() else part.partition("=")[2] for part in parts]  # a bare number says nothing
    return f" ({', '.join(told)})" if told else ""


def _cut(of: people.Course) -> people.Course:
    return people.Course(of.mean[:FIXATIONS], of.sem[:FIXATIONS], of.n[:FIXATIONS])
