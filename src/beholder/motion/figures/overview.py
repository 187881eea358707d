"""Pictures of a benchmark of motion as a whole: scores, the mean course of diamonds, and summation over size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from beholder.core.measure import Card, card
from beholder.core.scores import JUDGED, labels
from beholder.errors import NotFound
from beholder.motion.courses.decays import course, no_plain_diamond
from beholder.motion.courses.fit import Fit
from beholder.motion.courses.gratings import responses, windows
from beholder.motion.courses.series import Seen
from beholder.motion.figures.courses import (
    GREY,
    SIDE_BY_SIDE,
    TEXT,
    fitted,
    human_course,
    placeholders,
    step_aside,
    styles,
)
from beholder.registry.find import find
from beholder.verdicts.summary import summary

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from beholder.core.benchmark import Readings

Floats = NDArray[np.float64]
CONTROLS = " controls"  # the end of the name of a criterion that is not judged
COLUMNS = 5  # panels of models side by side
_KEYS = 4  # of the legend of a mean course: band and curve of people, error and fit of the model
TWICE = 2.0  # the way of a grating: what goes further leaves the frame
MOST = 20  # panels of models: more are too small to be read
_DOT: dict[str, Any] = {"marker": "o", "linestyle": "", "markersize": 3.5}
ROLES = {
    "model": "#0072b2",
    "baseline": "#0072b2",
    "oracle": "#009e73",
    "blind": "#a0a0a0",
    "person": "#000000",
    "ceiling": "#000000",
}


def of_ends(scores: pd.DataFrame, readings: Readings, *, official: Sequence[str]) -> dict[str, Figure]:
    """The pictures of motion/static."""
    return {"scores": bars(scores, official)}


def of_courses(
    scores: pd.DataFrame, readings: Readings, *, official: Sequence[str], reference: str = "", absolute: bool = True
) -> dict[str, Figure]:
    """The pictures of motion/dynamic; those whose stimuli the dataset does not hold are left out."""
    models = dict.fromkeys(scores.loc[scores["role"].isin(JUDGED), "model"])
    seen = {str(name): [Seen(*pair) for pair in readings.get(str(name), {}).values()] for name in models}
    diamonds = {name: [one for one in own if not no_plain_diamond(one.percept)] for name, own in seen.items()}
    discs = {name: [one for one in own if one.percept.kind == "grating"] for name, own in seen.items()}
    found = {"scores": bars(scores, official, _beside(scores, official))}
    if any(diamonds.values()):
        found["mean_course_of_diamonds"] = mean_courses(diamonds, reference=reference, absolute=absolute)
    if any(len(_sizes(own)) > 2 for own in discs.values()):
        found["spatial_summation"] = summation(discs, reference=reference)
    return found


def _beside(scores: pd.DataFrame, official: Sequence[str]) -> list[str]:
    """The measures that are not judged, but for those that only read an answer otherwise: they would fill the page."""
    plain = scores[(scores["part"] == "") & ~scores["settings"].str.contains("readout=")]
    return [str(name) for name in dict.fromkeys(labels(plain)) if name not in official]


def bars(scores: pd.DataFrame, official: Sequence[str], beside: Sequence[str] = ()) -> Figure:
    """One panel per column of the table, one dot per model with its interval; best mean of the judged columns first.

    Titles have unit and arrow as in the tables. Where the column is a Gaussian score, a line shows what a person
    expects of it, 0.577.
    """
    from matplotlib.figure import Figure

    table = summary(scores[labels(scores).isin([*official, *beside])])
    table = table.assign(label=labels(table))[table["held"] > 0]
    cells = list(table[["label", "measure", "criterion"]].drop_duplicates().itertuples(index=False, name=None))
    names = _ordered(table, official)
    figure = Figure((1.6 + 1.6 * len(cells), 1.4 + 0.2 * len(names)), dpi=150, layout="constrained")
    panels = np.atleast_1d(figure.subplots(1, len(cells), sharey=True))
    for axes, (label, measure, criterion) in zip(panels, cells, strict=True):
        own = table[(table["label"] == label) & (table["criterion"] == criterion)]
        _dots(axes, own, names)
        _expectation(axes, measure)
        axes.set_xlabel(_unit(measure) or "score", size=TEXT - 1)
        judged = label in official and not criterion.endswith(CONTROLS)
        named = _headed(label, _unit(measure), str(own["better"].iloc[0]))
        lines = [*([] if criterion == "all" else [criterion]), named, *([] if judged else ["(not judged)"])]
        axes.set_title("\n".join(lines), size=TEXT)
    panels[0].set_yticks(range(len(names)), names, size=TEXT)
    panels[0].set_ylim(len(names) - 0.5, -0.9)
    _keyed(figure, table)
    return figure


def _headed(label: str, unit: str, better: str) -> str:
    """A measure with its unit and an arrow to where it is better, as the tables write it.

    >>> _headed("mt_shift", "ms", "lower"), _headed("of a user", "", "higher")
    ('mt_shift [ms] ↓', 'of a user ↑')
    """
    return f"{label}{f' [{unit}]' if unit else ''} {'↓' if better == 'lower' else '↑'}"


def _keyed(figure: Figure, table: pd.DataFrame) -> None:
    """What colours, whiskers and arrows mean, in a line below the panels; in several where the figure is narrow."""
    from matplotlib.lines import Line2D

    told = {"higher": "↑ higher is better", "lower": "↓ lower is better"}
    keys = [
        *(Line2D([], [], color=ROLES[role], **_DOT, label=role) for role in ROLES if role in set(table["role"])),
        Line2D([], [], color=GREY, linewidth=1.2, label="95 % interval"),
        *(Line2D([], [], linestyle="", label=text) for better, text in told.items() if better in set(table["better"])),
    ]
    columns = min(len(keys), max(2, int(figure.get_figwidth() / 1.1)))
    figure.legend(handles=keys, loc="outside lower center", ncols=columns, fontsize=TEXT - 1, frameon=False)


def _ordered(table: pd.DataFrame, official: Sequence[str]) -> list[str]:
    """Models by their mean over the columns that are judged, best first; then the other roles."""
    judged = table[table["label"].isin(official) & ~table["criterion"].str.endswith(CONTROLS)]
    means = judged.groupby("model")["value"].mean() * (1 if set(judged["better"]) == {"lower"} else -1)
    roles = dict(zip(table["model"], table["role"], strict=True))
    order = {role: at for at, role in enumerate(ROLES)} | {"baseline": 0}
    return sorted(roles, key=lambda name: (order[roles[name]], means.get(name, np.inf)))


def _dots(axes: Axes, own: pd.DataFrame, names: Sequence[str]) -> None:
    for model, role, value, lo, hi in own[["model", "role", "value", "lo", "hi"]].to_numpy():
        at, colour = names.index(model), ROLES[role]
        axes.plot([lo, hi], [at, at], color=colour, linewidth=1.2, alpha=0.6)
        axes.plot([value], [at], color=colour, **_DOT)
    axes.grid(axis="y", color="#eeeeee", linewidth=0.6)
    axes.set_axisbelow(True)
    if not own.empty and own[["value", "hi"]].max().max() <= 1:
        axes.set_xlim(-0.04, 1.04)
        axes.set_xticks([0, 0.5, 1])
    axes.tick_params(labelsize=TEXT - 1, length=2)
    axes.tick_params(axis="y", length=0)
    axes.spines[["top", "right", "left"]].set_visible(False)


def _expectation(axes: Axes, measure: str) -> None:
    """The line of a person, where the measure's card says what one expects of it."""
    own = _card(measure)
    expected = own.person if own else None
    if expected is not None:
        axes.axvline(expected, color="#000000", linewidth=0.8, linestyle="--")
        axes.text(expected, 1.0, " a person", size=TEXT - 2, va="top", transform=axes.get_xaxis_transform())


def _unit(measure: str) -> str:
    own = _card(measure)
    return own.unit if own else ""


def _card(measure: str) -> Card | None:
    """The card of a measure of ours; None of a user's.

    >>> [own and own.person for own in map(_card, ("final_score", "bar_dynamics", "of a user"))]
    [0.5773502691896258, None, None]
    """
    try:
        return card(find("motion.measures", measure))
    except NotFound:
        return None


def mean_courses(those: Mapping[str, Sequence[Seen]], *, reference: str = "", absolute: bool = True) -> Figure:
    """Figure 3c of Tlapale et al. (2012), one panel per model: mean error on diamonds, its fit, the curve of people."""
    from matplotlib.figure import Figure

    shown = dict(list({name: own for name, own in those.items() if own}.items())[:MOST])
    across = min(COLUMNS, len(shown))
    down = -(-len(shown) // across)
    wide = max(1.0 + 1.7 * across, 4.4)
    columns = min(_KEYS, int(wide / 2.3))
    figure = Figure((wide, 0.9 + 1.35 * down - 0.2 * (-_KEYS // columns)), dpi=150, layout="constrained")
    panels = np.atleast_1d(figure.subplots(down, across, sharex=True, sharey=True)).ravel()
    for axes, (name, own) in zip(panels, shown.items(), strict=False):
        _mean_course(axes, own, reference=reference, absolute=absolute)
        axes.set_title(name, size=TEXT)
    for axes in panels[max(0, len(shown) - across) :]:  # below them there is no panel
        axes.tick_params(labelbottom=True)
    for axes in panels[len(shown) :]:
        axes.set_visible(False)
    figure.supxlabel("time from the onset of motion (ms)", size=TEXT)
    figure.supylabel("direction error (deg)", size=TEXT)
    named = {label: line for axes in panels for line, label in zip(*axes.get_legend_handles_labels(), strict=True)}
    figure.legend(named.values(), named, loc="outside upper center", ncols=columns, fontsize=TEXT, frameon=False)
    return figure


def _mean_course(axes: Axes, own: Sequence[Seen], *, reference: str, absolute: bool) -> None:
    """One model. People's t = 0 is the onset of its response, from which its own fit and its score count, too."""
    seconds, error = course(own, absolute=absolute)
    found = fitted(seconds, error)
    latency = found.latency if found else 0.0
    smooth = np.linspace(latency, float(seconds[-1]), 100)
    _people(axes, smooth, latency, reference)
    axes.plot(seconds * 1000, error, color="#0072b2", linewidth=1.6, label="mean error of the model")
    if found:
        axes.plot(smooth * 1000, found.at(smooth), color="#d55e00", linewidth=1.0, linestyle="--", label="its fit")
    axes.text(0.97, 0.95, _told(found), size=TEXT - 2, ha="right", va="top", transform=axes.transAxes)
    axes.set_ylim(-10, 90)
    axes.tick_params(labelsize=TEXT - 2, length=2)
    axes.spines[["top", "right"]].set_visible(False)


def _people(axes: Axes, seconds: Floats, latency: float, reference: str) -> None:
    """The curve and the band of people, were they to respond after this latency."""
    mean, sd = human_course(seconds - latency, reference=reference)
    label = f"people{placeholders(reference)},\nfrom the onset of the model's response"
    band: dict[str, Any] = {"color": "#000000", "alpha": 0.1, "linewidth": 0, "label": "people ± 1 sd"}
    axes.fill_between(seconds * 1000, mean - sd, mean + sd, **band)
    axes.plot(seconds * 1000, mean, color="#000000", linewidth=1.0, linestyle=":", label=label)


def _told(found: Fit | None) -> str:
    """The numbers of a fit."""
    if not found:
        return "no direction"
    if found.status == "none":
        return f"no decay\nβ {found.beta:.0f}°".replace("-", "−")
    return f"α {found.alpha:.0f}°, β {found.beta:.0f}°\nτ {found.tau * 1000:.0f} ms".replace("-", "−")


def _sizes(own: Sequence[Seen]) -> set[float]:
    return {one.condition("diameter") for one in own}


def summation(those: Mapping[str, Sequence[Seen]], *, reference: str = "") -> Figure:
    """R(d), the way that the eye would go in a window of time, over the diameter of a grating; of the highest contrast.

    Windows count from the onset of the response and are those of `grating_dynamics`, a user's where there are any.

    As a share of the way that the grating goes: a mean of a flow field stays at 1 whatever the size. The grey curve is
    the shape of people's early response, which grows and then saturates with a slight decrease; its scale is not known.
    Whoever is more than twice as fast as the grating leaves the frame, and the legend says how far.
    """
    from matplotlib.figure import Figure

    figure = Figure((9.0, 3.0), dpi=150, layout="constrained")
    times = windows(reference)
    panels = figure.subplots(1, len(times), sharex=True, sharey=True)
    shown = {name: _strongest(own) for name, own in those.items() if own}
    for axes, window in zip(panels, times, strict=True):
        for n, ((name, own), style) in enumerate(zip(shown.items(), styles(len(shown)), strict=True)):
            sizes, response = responses(own, *window)
            way = own[0].percept.speed * (window[1] - window[0])
            (line,) = axes.plot(sizes, response / way, marker=".", linewidth=1.2, label=name, **style)
            step_aside(line, n, len(shown))
        axes.set_title(f"{window[0] * 1000:.0f}–{window[1] * 1000:.0f} ms\nafter the response begins", size=TEXT)
        axes.set_xlabel("diameter (deg)", size=TEXT)
        axes.tick_params(labelsize=TEXT - 1, length=2)
        axes.spines[["top", "right"]].set_visible(False)
    _shape(panels[0], max(max(_sizes(own)) for own in shown.values()))
    panels[0].set_ylabel("response R(d); 1: moves with the grating", size=TEXT)
    _cut(panels)
    handles: Any = panels[0].get_legend_handles_labels()
    note: dict[str, Any] = {"title": SIDE_BY_SIDE, "title_fontsize": TEXT - 2} if len(shown) > 1 else {}
    figure.legend(*handles, loc="outside right upper", fontsize=TEXT - 1, frameon=False, **note)
    return figure


def _cut(panels: Sequence[Axes]) -> None:
    """Cut the frame where few would press all others flat; their names say how far they go."""
    tops: dict[str, float] = {}
    for line in (line for axes in panels for line in axes.get_lines()):
        top = float(np.nanmax(np.asarray(line.get_ydata(), float), initial=0.0))
        tops[str(line.get_label())] = max(tops.get(str(line.get_label()), 0.0), top)
    if max(tops.values()) <= TWICE:
        return
    panels[0].set_ylim(-0.05, TWICE)  # of all, which share it
    for line in panels[0].get_lines():
        top = tops[str(line.get_label())]
        line.set_label(f"{line.get_label()} (to {top:.1f})" if top > TWICE else str(line.get_label()))


def _strongest(own: Sequence[Seen]) -> list[Seen]:
    top = max(one.condition("contrast") for one in own)
    return [one for one in own if one.condition("contrast") == top]


def _shape(axes: Axes, largest: float) -> None:
    """Grows, saturates, falls a little: a sketch of the fact, of no known scale."""
    from scipy.special import erf

    sizes = np.linspace(0, largest, 100)
    centre, surround = erf(sizes / (0.35 * largest)) ** 2, erf(sizes / largest) ** 2
    label = "people: shape only, no numbers"
    axes.plot(sizes, centre / (1 + 0.15 * surround), color=GREY, linewidth=5, alpha=0.35, label=label, zorder=0)
