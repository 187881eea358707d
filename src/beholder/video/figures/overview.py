"""The whole of a run of video/motion: every model's five measures, grouped as the paper groups them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from beholder.core.scores import JUDGED, whole
from beholder.verdicts.drawing import COLOURS, INK, TEXT
from beholder.verdicts.summary import summary

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from beholder.core.benchmark import Readings

# What is seen at a glance, and what is seen in detail (Ling2025): short name → full.
GROUPS: Mapping[str, Mapping[str, str]] = {
    "global": {"CAS": "commonsense_adherence", "MSS": "motion_smoothness"},
    "local": {"OIS": "object_integrity", "PAS": "perceptible_amplitude", "TCS": "temporal_coherence"},
}
SOFT, FAINT = "#5a646b", "#d5d9dd"
ROLES = {"model": COLOURS[0], "baseline": COLOURS[1], "oracle": "#00805c", "blind": SOFT}  # in this order from the top
COLUMN, ROW = 1.75, 0.26  # inches: a panel across, and a model down


def part_scores(scores: pd.DataFrame, readings: Readings) -> dict[str, Figure]:
    """The five measures as dots with 95 % intervals over clips, models in rows, the best mean at the top."""
    table = _means(scores)
    return {"part_scores": draw_parts(table)} if len(table) else {}


def _means(scores: pd.DataFrame) -> pd.DataFrame:
    """Every model's mean on each of the five, with its interval, by model and short name; the release's are theirs."""
    rows = whole(scores)
    short = {full: name for group in GROUPS.values() for name, full in group.items()}
    names = rows["measure"].str.removesuffix("_release").map(short)
    own = rows["settings"] == ""  # a variant that a user adds stands in the tables
    kept = rows[names.notna() & own & rows["role"].isin(list(ROLES))]
    found = summary(kept)
    return found.assign(short=found["measure"].str.removesuffix("_release").map(short))


def draw_parts(table: pd.DataFrame) -> Figure:
    """A panel for each measure, under the name of its group."""
    from matplotlib.figure import Figure

    models = _order(table)
    figure = Figure((COLUMN * 5 + 1.9, ROW * len(models) + 1.5), dpi=150, layout="constrained")
    parts: Any = figure.subfigures(1, 2, width_ratios=[2 * COLUMN + 1.6, 3 * COLUMN + 0.3], wspace=0.02)
    for part, (group, measures) in zip(parts, GROUPS.items(), strict=True):
        part.suptitle(group, fontsize=TEXT + 1.5, color=INK)
        panels = part.subplots(1, len(measures), sharey=True, squeeze=False)[0]
        for panel, name in zip(panels, measures, strict=True):
            _dots(panel, table[table["short"] == name], models)
            panel.set_title(f"{name} ↑\n{measures[name].replace('_', ' ')}", fontsize=TEXT - 0.5, color=INK)
        shown = [name for name, _ in models] if group == "global" else [""] * len(models)
        panels[0].set_yticks(range(len(models)), shown, fontsize=TEXT, parse_math=False)
    _legend(figure, [role for role in ROLES if role in {own for _, own in models}])
    return figure


def _legend(figure: Figure, roles: Sequence[str]) -> None:
    from matplotlib.lines import Line2D

    handles = [
        Line2D(
            [], [], marker="o", color=ROLES[role], mfc="white" if role == "blind" else ROLES[role], ms=4.5, label=role
        )
        for role in roles
    ]
    title = "mean over clips with its 95 % interval; k/n: clips to which a measure applies, of all"
    figure.legend(
        handles=handles, loc="outside lower center", ncols=len(roles), fontsize=TEXT - 1, frameon=False, title=title,
        title_fontsize=TEXT - 1,
    )  # fmt: skip


def _order(table: pd.DataFrame) -> list[tuple[str, str]]:
    """Models with their roles from the foot to the top: who is judged above the others, the better above the worse."""
    means = table.groupby(["model", "role"])["value"].mean().reset_index()
    ranks = {role: at for at, role in enumerate(ROLES)}
    place = means["role"].map(ranks).astype(float).mask(means["role"].isin(JUDGED), 0)  # categories sort by name
    ordered = means.assign(place=place).sort_values(["place", "value"], ascending=[False, True], na_position="first")
    return [(str(one.model), str(one.role)) for one in ordered.itertuples()]


def _dots(panel: Axes, own: pd.DataFrame, models: Sequence[tuple[str, str]]) -> None:
    lines = {(str(one["model"]), str(one["role"])): one for _, one in own.iterrows()}
    for at, who in enumerate(models):
        panel.axhline(at, color=FAINT, lw=0.6, zorder=0)
        one = lines.get(who)
        if one is None or not np.isfinite(one["value"]):
            panel.text(0.5, at, "not applicable" if one is None or one["na"] else "failed", **_soft("center"))
            continue
        colour = ROLES[who[1]]
        panel.plot([one["lo"], one["hi"]], [at, at], color=colour, lw=1.6, solid_capstyle="butt")
        panel.plot(one["value"], at, "o", ms=4.5, color=colour, mfc="white" if who[1] == "blind" else colour)
        if one["held"] < one["expected"]:
            panel.text(1.06, at, f"{one['held']}/{one['expected']}", **_soft("left"))
    panel.set_xlim(-0.03, 1.05)
    panel.set_ylim(-0.7, len(models) - 0.3)
    panel.set_xticks([0, 0.5, 1], ["0", "0.5", "1"])
    panel.tick_params(labelsize=TEXT - 1, colors=INK, length=2)
    panel.tick_params(axis="y", length=0)
    panel.spines[["top", "right", "left"]].set_visible(False)


def _soft(side: str) -> dict[str, Any]:
    back = {"facecolor": "white", "edgecolor": "none", "pad": 0.8}
    return {"ha": side, "va": "center", "fontsize": TEXT - 2, "color": SOFT, "bbox": back}
