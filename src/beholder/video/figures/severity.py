"""The whole of a run of video/corruptions: what each measure says as a fault grows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from beholder.core.scores import JUDGED
from beholder.verdicts.drawing import INK, TEXT
from beholder.verdicts.intervals import mean_interval
from beholder.video.corruptions.kinds import EVERY, KINDS, SEVERITIES, Change
from beholder.video.figures.overview import FAINT, GROUPS, SOFT
from beholder.video.types import Floats

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from beholder.core.benchmark import Readings

Said = Mapping[str, Mapping[str, Floats]]  # measure → kind → clips × severities, NaN where it abstains
ACROSS = 7  # panels side by side
OURS, TARGET, THEIRS = "#56b4e9", "#b5310f", "#a3467a"  # other measures of ours, the one that should answer, a user's
# Rivals differ by their lines and by two greys and three muted colours.
RIVALS = (("#555b60", "-"), ("#555b60", ":"), ("#009e73", "-"), ("#e69f00", "-"), ("#555b60", "--"), ("#009e73", "--"))
SHORT = {full: name for group in GROUPS.values() for name, full in group.items()}
TOTAL = "motion_total"  # is meant for no kind of its own
RANGE = (2, 98)  # per cent of a rival's values that span the axis


class Line(NamedTuple):
    """How one measure is drawn in all panels."""

    colour: str
    style: str
    width: float
    scale: tuple[float, float]  # the values at the foot and at the top


def severity_curves(scores: pd.DataFrame, readings: Readings) -> dict[str, Figure]:
    """A panel for each kind of change: what measures say on average over clips, against its severity.

    The measure that should answer is drawn thick, with the 95 % interval of its mean over clips, in its own values. Its
    rivals are drawn thin, each scaled to the range of its values over all clips: what they are measured in differs.
    """
    roles = dict(zip(scores["model"], scores["role"], strict=True))
    taken = {name: own for name, own in readings.items() if own and roles.get(name) in JUDGED and name != TOTAL}
    kinds = _kinds(change for own in taken.values() for _, change in own.values())
    said = {name: _by_kind(own.values()) for name, own in taken.items()}
    told = _correlations(scores)
    several = {
        "severity_curves": [kind for kind in kinds if kind in KINDS],
        "severity_curves_of_further_kinds": [kind for kind in kinds if kind not in KINDS],
    }
    lines = _lines(said, {change.target for change in kinds.values()}, roles)
    return {
        title: draw_curves({kind: kinds[kind] for kind in own}, said, lines, told)
        for title, own in several.items()
        if own
    }


def _kinds(changes: Iterable[Change]) -> dict[str, Change]:
    """The kinds there are, in the order of the suite, with a change of each."""
    found = {change.kind: change for change in changes}
    return {kind: found[kind] for kind in [*(one for one in EVERY if one in found), *sorted(set(found) - set(EVERY))]}


def _by_kind(pairs: Iterable[tuple[Any, Any]]) -> dict[str, Floats]:
    values: dict[str, dict[str, dict[int, float]]] = {}
    for value, change in pairs:
        values.setdefault(change.kind, {}).setdefault(change.clip, {})[change.severity] = float(value)
    return {
        kind: np.array([[one.get(level, np.nan) for level in range(SEVERITIES)] for one in clips.values()])
        for kind, clips in values.items()
    }


def _correlations(scores: pd.DataFrame) -> dict[tuple[str, str], float]:
    """ρ with severity by measure and kind, where the table has it."""
    own = scores[(scores["measure"] == "severity_correlation") & (scores["part"] == "")]
    rows = own[["model", "criterion", "value"]].itertuples(index=False, name=None)
    return {(str(name), str(kind)): float(value) for name, kind, value in rows}


def _lines(said: Said, targets: set[str], roles: Mapping[str, str]) -> dict[str, Line]:
    """How each measure is drawn: ours in their own values, the others over the range of theirs."""
    found, count = {}, 0
    for name, kinds in said.items():
        if name in targets:
            found[name] = Line(OURS, "-", 1.0, (0.0, 1.0))
        elif roles[name] == "model":
            found[name] = Line(THEIRS, "-", 1.4, _scale(kinds.values()))
        else:
            found[name] = Line(*RIVALS[count % len(RIVALS)], 0.9, _scale(kinds.values()))
            count += 1
    return found


def _scale(values: Iterable[Floats]) -> tuple[float, float]:
    every = np.concatenate([one.ravel() for one in values])
    held = every[np.isfinite(every)]
    low, high = np.percentile(held, RANGE).tolist() if len(held) else (0.0, 1.0)
    return low, high if high > low else low + 1.0


def draw_curves(
    kinds: Mapping[str, Change], said: Said, lines: Mapping[str, Line], told: Mapping[tuple[str, str], float]
) -> Figure:
    """One panel for each kind, one legend for all."""
    from matplotlib.figure import Figure

    across = min(ACROSS, len(kinds))
    rows = -(-len(kinds) // across)
    figure = Figure((1.62 * max(across, 4) + 0.5, 1.55 * rows + 0.85), dpi=150, layout="constrained")
    grid = figure.subplots(rows, across, squeeze=False, sharex=True, sharey=True)
    for panel, (kind, change) in zip(grid.flat, kinds.items(), strict=False):
        _panel(panel, kind, change, said, lines)
        rho = told.get((change.target, kind), np.nan)
        if np.isfinite(rho) and change.expected in ("falls", "rises"):
            words = f"ρ {rho:.2f}".replace("-", "−")
            panel.text(0.04, 0.05, words, transform=panel.transAxes, fontsize=TEXT - 2, color=TARGET)
    for panel in list(grid.flat)[len(kinds) :]:
        panel.set_axis_off()
    for panel in [*grid[-1], *list(grid.flat)[: len(kinds)][-across:]]:
        panel.tick_params(labelbottom=True)
        panel.set_xlabel("severity", fontsize=TEXT - 1.5, color=SOFT, labelpad=1)
    for row in grid:
        row[0].set_ylabel("score", fontsize=TEXT - 1.5, color=SOFT, labelpad=1)
    _legend(figure, lines, [name for name in lines if any(kind in said[name] for kind in kinds)])
    return figure


def _panel(panel: Axes, kind: str, change: Change, said: Said, lines: Mapping[str, Line]) -> None:
    """The rivals first, the measure that should answer above them; where none is named, all of ours."""
    for name, line in lines.items():
        if kind in said[name] and name != change.target and (line.colour != OURS or not change.target):
            _curve(panel, said[name][kind], line)
    if change.target in said and kind in said[change.target]:
        values = said[change.target][kind]
        _curve(panel, values, lines[change.target]._replace(colour=TARGET, width=2.0), band=True)
        lost = float(np.isnan(values).mean())
        if lost:
            panel.text(0.96, 0.05, f"abstains {lost:.0%}", transform=panel.transAxes, fontsize=TEXT - 2, color=SOFT,
                       ha="right")  # fmt: skip
    wanted = f"{SHORT.get(change.target, change.target)} {change.expected}".strip()
    title = f"{kind.replace('_', ' ')}\n{wanted if change.expected != 'none' else 'nothing promised'}"
    panel.set_title(title, fontsize=TEXT - 1, color=INK)
    panel.set_xlim(-0.2, SEVERITIES - 0.8)
    panel.set_ylim(-0.06, 1.06)
    panel.set_xticks(range(SEVERITIES))
    panel.set_yticks([0, 0.5, 1], ["0", "0.5", "1"])
    panel.tick_params(labelsize=TEXT - 2, colors=INK, length=2)
    panel.spines[["top", "right"]].set_visible(False)
    panel.spines[["left", "bottom"]].set_color(FAINT)


def _curve(panel: Axes, values: Floats, line: Line, *, band: bool = False) -> None:
    low, high = line.scale
    scaled = (values - low) / (high - low)
    there = np.isfinite(scaled).any(axis=0)
    if not there.any():
        return
    at, kept = np.flatnonzero(there), scaled[:, there]
    if band and len(kept) > 1:
        lo, hi = mean_interval(kept, np.full((2, len(at)), np.nan))
        panel.fill_between(at, lo, hi, color=line.colour, alpha=0.18, lw=0)
    panel.plot(at, np.nanmean(kept, axis=0), color=line.colour, ls=line.style, lw=line.width)


def _legend(figure: Figure, lines: Mapping[str, Line], names: Sequence[str]) -> None:
    from matplotlib.lines import Line2D

    handles = [Line2D([], [], color=TARGET, lw=2.0, label="the measure that should respond, 95 % interval over clips")]
    if any(lines[name].colour == OURS for name in names):
        handles.append(Line2D([], [], color=OURS, lw=1.0, label="our measures, where none is named"))
    for name in names:
        one = lines[name]
        if one.colour != OURS:
            handles.append(Line2D([], [], color=one.colour, ls=one.style, lw=one.width + 0.3, label=name))
    columns = max(2, int(figure.get_figwidth() / 1.9))
    figure.legend(
        handles=handles, loc="outside lower center", ncols=columns, fontsize=TEXT - 1, frameon=False,
        title="rivals are scaled to their own range", title_fontsize=TEXT - 1,
    )  # fmt: skip
