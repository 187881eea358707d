"""Pictures of how good models are: skill between blind models and people, ranks by measure, and families."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from beholder.attention.figures.curves import TEXT
from beholder.attention.figures.labels import labels as place_labels
from beholder.attention.figures.overview import ROLES, setting
from beholder.core.measure import SETTLED
from beholder.core.scores import JUDGED, labels
from beholder.judges.families import families as by_family
from beholder.verdicts.components import grid
from beholder.verdicts.skill import skill
from beholder.verdicts.summary import summary

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ACROSS = 5
SPAN = (-1.5, 1.5)  # of skill that is drawn; what is beyond stands at the border, as an arrow
SHOWN = ("ceiling", "oracle", *JUDGED, "blind")
FIRST, LATER = "#b5310f", "#7d9bb5"  # models that nobody dominates, and the others: as in the report's own pictures
SIDE = 2.9  # inches of a panel between two families, without its axes
ROOM = 0.8  # ranks beyond the outermost marks, for names
SAID: dict[str, Any] = {"ha": "center", "va": "center", "size": TEXT, "bbox": {"color": "white", "pad": 2}}
DARK = 0.55  # of the scale of ranks: numbers above are white


def skills(judged: pd.DataFrame) -> Figure | None:
    """One panel per measure: each model's skill with its interval, 0 the best blind model, 1 people; others in grey.

    Models are ordered by their mean skill. Where people do not beat the blind models the panel says so; None where that
    is so everywhere, or where there are no people or blind models.
    """
    table = skill(judged).table
    table = table.assign(label=labels(table.assign(part="")))
    if table.empty or table["skill"].isna().all():
        return None
    table = table[table["criterion"] == table["criterion"].iloc[0]]
    models = list(table.groupby("model")["skill"].mean().sort_values(ascending=False).index)
    others = _blind_skills(judged, table)
    names = [*models, *dict.fromkeys(name for own in others.values() for name in own)]
    figure, panels = _panels(list(dict.fromkeys(table["label"])), len(names))
    for axes, measure in panels:
        own = table[table["label"] == measure]
        axes.set_title(_brief(own["measure"].iloc[0], own["settings"].iloc[0]), size=TEXT, parse_math=False)
        axes.axvline(0, color=ROLES["blind"], linewidth=0.9, linestyle="--")
        axes.axvline(1, color="black", linewidth=0.9, linestyle="--")
        axes.set_xlim(SPAN[0] - 0.1, SPAN[1] + 0.1)
        if own["skill"].isna().all():
            axes.text(0, (len(names) - 1) / 2, "people do not beat\nthe blind models", **SAID)
            continue
        for model, value, lo, hi in own[["model", "skill", "lo", "hi"]].to_numpy():
            _mark(axes, names.index(model), (value, lo, hi), "model")
        for name, value in others[measure].items():
            _mark(axes, names.index(name), (value, np.nan, np.nan), "blind")
    _rows(figure, [axes for axes, _ in panels], names, blind=names[len(models) :])
    figure.supxlabel("skill: 0 is the best blind model, 1 is people", size=TEXT)
    return figure


def _blind_skills(judged: pd.DataFrame, table: pd.DataFrame) -> dict[str, dict[str, float]]:
    """Where each blind model stands on the scale of each measure: at 0 the best one, below it the others."""
    whole = summary(judged)
    means = whole.assign(label=labels(whole)).set_index(["label", "model"])["value"]
    named = labels(judged)
    found: dict[str, dict[str, float]] = {}
    for measure, best, ceiling in table[["label", "blind", "ceiling"]].drop_duplicates().to_numpy():
        blind = dict.fromkeys(judged.loc[(judged["role"] == "blind") & (named == measure), "model"])
        zero, one = means[measure, best], means[measure, ceiling]
        found[measure] = {name: float((means[measure, name] - zero) / (one - zero)) for name in blind}
    return found


def _mark(axes: Axes, row: int, at: tuple[float, float, float], role: str) -> None:
    value, lo, hi = at
    inside, colour = float(np.clip(value, *SPAN)), ROLES[role]
    if np.isnan(value):
        return
    axes.plot(np.clip([lo, hi], *SPAN), [row, row], color=colour, linewidth=1.2, alpha=0.6)
    shape = "o" if inside == value else (">" if value > 0 else "<")
    axes.plot([inside], [row], shape, color=colour, markersize=3.4)


def rank_table(judged: pd.DataFrame) -> Figure | None:
    """The place of every entrant on every measure, 1 the best, people and blind models among them; by the mean place.

    Ties share the mean of their places; who has no value has no place.
    """
    from matplotlib.figure import Figure

    table = summary(judged)
    table = table.assign(label=labels(table))[table["role"].isin(SHOWN) & (table["held"] > 0)]
    if table["model"].nunique() < 2:
        return None
    signed = table["value"].where(table["better"] == "lower", -table["value"])
    placed = table.assign(place=signed.groupby(table["label"]).rank())
    wide = placed.pivot_table(index="model", columns="label", values="place", sort=False)
    heads = table.drop_duplicates("label").set_index("label")[["measure", "settings"]]
    order = wide.mean(axis=1).sort_values(kind="stable").index
    wide = wide.loc[order]
    roles = dict(zip(table["model"], table["role"], strict=True))
    figure = Figure((2.4 + 0.5 * wide.shape[1], 1.6 + 0.22 * len(wide)), dpi=150, layout="constrained")
    axes = figure.subplots()
    values = wide.to_numpy(dtype=float)
    axes.imshow(np.ma.masked_invalid(values), cmap="YlGnBu_r", vmin=1, vmax=1.35 * np.nanmax(values), aspect="auto")
    for (row, column), value in np.ndenumerate(values):
        if not np.isnan(value):
            dark = value < DARK * np.nanmax(values)
            axes.text(column, row, f"{value:g}", ha="center", va="center", size=TEXT - 1, color="w" if dark else "k")
    means = wide.mean(axis=1)
    axes.set_yticks(range(len(wide)), [f"{name}  {means[name]:.1f}" for name in wide.index], size=TEXT)
    for label, name in zip(axes.get_yticklabels(), wide.index, strict=True):
        label.set(color="black" if roles[name] == "ceiling" else ROLES[roles[name]], parse_math=False)
        label.set_fontweight("bold" if roles[name] == "ceiling" else "normal")
    brief = [_brief(*heads.loc[name]) for name in wide.columns]
    axes.set_xticks(range(len(brief)), brief, size=TEXT, rotation=40, ha="right", rotation_mode="anchor")
    axes.set_title("rank on each measure; beside each name, the mean rank", size=TEXT, pad=6)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    return figure


def families_of(judged: pd.DataFrame, families: Mapping[str, Sequence[str]]) -> Figure | None:
    """Models between every two families of measures, by their mean ranks; those that nobody dominates in red.

    People and blind models stand where they would among the models: at one more than the number of models that are
    better, a tie counting half. The verdict is that of the judge `families`. None of fewer than two families or models.
    """
    from matplotlib.figure import Figure

    there = {name: _those(own, judged) for name, own in families.items()}
    there = {name: own for name, own in there.items() if own}
    if len(there) < 2:
        return None
    standing = by_family(judged, families=there).standing
    pairs = [(x, y) for x, y in combinations(there, 2) if {x, y} <= set(standing.columns)]
    if len(standing) < 2 or not pairs:
        return None
    beside = _beside(judged, there, [str(name) for name in standing.index])
    figure = Figure((3.5 * len(pairs), 3.6), dpi=150, layout="constrained")
    for axes, (x, y) in zip(figure.subplots(1, len(pairs), squeeze=False)[0], pairs, strict=True):
        _between(axes, standing, beside, (x, y))
    figure.supxlabel(
        "mean rank among models, 1 is best; red: not dominated by any other; grey: blind models", size=TEXT
    )
    return figure


def _those(own: Sequence[str], judged: pd.DataFrame) -> list[str]:
    """The measures of a family that are in the table."""
    pairs = dict.fromkeys(zip(labels(judged), judged["measure"], strict=True))
    return [name for name, measure in pairs if name in own or measure in own]


def _beside(judged: pd.DataFrame, families: Mapping[str, Sequence[str]], models: list[str]) -> pd.DataFrame:
    """Where people and blind models would rank among the models in each family: one row per name, with its role."""
    import pandas as pd

    rows = judged[judged["state"].isin(SETTLED) & judged["value"].notna()]
    roles = dict(zip(rows["model"], rows["role"], strict=True))
    names = [name for name, role in roles.items() if role in ("ceiling", "blind")]
    found: dict[str, list[float]] = {}
    for family, own in families.items():
        each = [_places(rows[labels(rows) == name], names, models) for name in own]
        found[family] = np.ma.masked_invalid(each).mean(axis=0).filled(np.nan).tolist()
    return pd.DataFrame({"role": [roles[name] for name in names], **found}, index=names)


def _places(rows: pd.DataFrame, names: Sequence[str], models: Sequence[str]) -> list[float]:
    """The mean place of some among the models, over the units of one measure."""
    units = grid(rows, ["dataset", "unit"], ["model"])
    units.columns = units.columns.get_level_values(0)
    losses = units * (1.0 if rows["better"].iloc[0] == "lower" else -1.0)
    rivals = losses[[name for name in models if name in losses]].to_numpy(dtype=float)
    return [_place(losses[name].to_numpy(dtype=float), rivals) if name in losses else np.nan for name in names]


def _place(own: Any, rivals: Any) -> float:
    """1 + the number of rivals that are better, a tie counting half; the mean over units.

    >>> _place(np.array([2.0, 5.0]), np.array([[1.0, 2.0], [6.0, 7.0]]))
    1.75
    """
    place = 1 + (rivals < own[:, None]).sum(axis=1) + 0.5 * (rivals == own[:, None]).sum(axis=1)
    return float(place[~np.isnan(own)].mean()) if (~np.isnan(own)).any() else np.nan


def _between(axes: Axes, standing: pd.DataFrame, beside: pd.DataFrame, pair: tuple[str, str]) -> None:
    x, y = pair
    marks = [
        Mark(str(name), own[x], own[y], FIRST if own["layer"] == 1 else LATER, "o") for name, own in standing.iterrows()
    ]
    marks += [
        Mark(str(name), own[x], own[y], ROLES[own["role"]], "*" if own["role"] == "ceiling" else "s")
        for name, own in beside.iterrows()
        if np.isfinite([own[x], own[y]]).all()
    ]
    for one in marks:
        axes.plot([one.across], [one.up], one.shape, color=one.colour, markersize=9 if one.shape == "*" else 4.5)
    _names(axes, marks)
    axes.set_xlabel(f"{x} (better to the left)", size=TEXT)
    axes.set_ylabel(f"{y} (better below)", size=TEXT)
    axes.tick_params(labelsize=TEXT - 1, length=2)
    axes.spines[["top", "right"]].set_visible(False)


class Mark(NamedTuple):
    """A name at a place between two families."""

    name: str
    across: float
    up: float
    colour: str
    shape: str


def _names(axes: Axes, marks: Sequence[Mark]) -> None:
    """Names beside their marks, none on another; the frame must stand."""
    places = np.array([(one.across, one.up) for one in marks])
    low, span = places.min(axis=0) - ROOM, np.ptp(places, axis=0) + 2 * ROOM
    axes.set(xlim=(low[0], low[0] + span[0]), ylim=(low[1], low[1] + span[1]))
    page = SIDE * 72, SIDE * 72
    found = place_labels([one.name for one in marks], (places - low) / span * page, size=TEXT - 2, page=page)
    for one, at in zip(marks, found, strict=True):
        axes.annotate(
            one.name, (one.across, one.up), xytext=(at.x, at.y), textcoords="offset points", size=TEXT - 2, ha=at.ha,
            va=at.va, color="#49637a" if one.colour == LATER else one.colour, parse_math=False,
        )  # fmt: skip


def _panels(measures: Sequence[str], rows: int) -> tuple[Figure, list[tuple[Axes, str]]]:
    from matplotlib.figure import Figure

    across = min(ACROSS, len(measures))
    down = -(-len(measures) // across)
    figure = Figure((1.6 + 1.75 * across, down * (0.6 + 0.17 * rows) + 0.3), dpi=150, layout="constrained")
    panels = figure.subplots(down, across, sharey=True, sharex=True, squeeze=False).ravel()
    for axes in panels[len(measures) :]:
        axes.set_axis_off()
    return figure, list(zip(panels, measures, strict=False))


def _rows(figure: Figure, panels: Sequence[Axes], names: Sequence[str], *, blind: Sequence[str]) -> None:
    """Names at the left of every row of panels."""
    for axes in panels:
        axes.grid(axis="y", color="#eeeeee", linewidth=0.6)
        axes.set_axisbelow(True)
        axes.tick_params(labelsize=TEXT - 1, length=2)
        axes.tick_params(axis="y", length=0)
        axes.spines[["top", "right", "left"]].set_visible(False)
    panels[0].set_yticks(range(len(names)), names)
    panels[0].set_ylim(len(names) - 0.5, -0.5)
    for axes in panels[::ACROSS]:
        for label, name in zip(axes.get_yticklabels(), names, strict=True):
            label.set(size=TEXT - 1, parse_math=False, color="#707070" if name in blind else "black")


def _brief(measure: str, settings: str) -> str:
    """A measure's name on two lines, with what tells it from others of the same name."""
    return measure.replace("_divergence", "\ndivergence") + setting(settings)
