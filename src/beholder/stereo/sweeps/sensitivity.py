"""What each setting of an algorithm does to its error, whatever the other settings are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from beholder.core.measure import SETTLED, NotApplicable
from beholder.core.sample import Sample
from beholder.core.scores import JUDGED, labels
from beholder.stereo.measures.disparity import bad_pixels
from beholder.stereo.regions import confined
from beholder.stereo.sweeps.variants import settings_of
from beholder.stereo.types import Map, Pair, Truth

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00")  # Okabe & Ito's, apart for colour-blind readers
_TEXT = 8  # points
_ASIDE = 0.12  # of the distance of two values: criteria stand beside one another


class Effect(NamedTuple):
    """The errors under one value of one parameter: of every setting that has it, each averaged over samples."""

    parameter: str
    value: Any
    criterion: str
    each: tuple[float, ...]

    @property
    def mean(self) -> float:
        """The mean over all settings of the other parameters."""
        return float(np.mean(self.each))

    @property
    def spread(self) -> float:
        """Their standard deviation, n − 1 in the denominator; NaN for one setting."""
        return float(np.std(self.each, ddof=1)) if len(self.each) > 1 else np.nan


def effects(errors: Mapping[str, Mapping[str, float]], algorithm: str) -> list[Effect]:
    """The effect of every value of every parameter that was varied, from label → criterion → error.

    Labels of other models are left out, and so are parameters that had one value only. In a full grid the means of
    two values differ by what the parameter does, for all else is the same.

    >>> errors = {"sad(window=5,cap=10)": {"all": 4.0}, "sad(window=5,cap=20)": {"all": 6.0},
    ...           "sad(window=9,cap=10)": {"all": 1.0}, "sad(window=9,cap=20)": {"all": 2.0}, "truth": {"all": 0.0}}
    >>> [(one.parameter, one.value, one.mean) for one in effects(errors, "sad")]
    [('window', 5, 5.0), ('window', 9, 1.5), ('cap', 10, 2.5), ('cap', 20, 4.0)]
    """
    settings = {name: found for name in errors if (found := settings_of(algorithm, name))}
    values: dict[str, dict[Any, None]] = {}
    for found in settings.values():
        for parameter, value in found.items():
            values.setdefault(parameter, {})[value] = None
    criteria = dict.fromkeys(key for name in settings for key in errors[name])
    return [
        Effect(parameter, value, criterion, _each(errors, settings, (parameter, value), criterion))
        for parameter, several in values.items()
        if len(several) > 1
        for value in several
        for criterion in criteria
    ]


def _each(
    errors: Mapping[str, Mapping[str, float]], settings: Mapping[str, Any], wanted: tuple[str, Any], criterion: str
) -> tuple[float, ...]:
    parameter, value = wanted
    return tuple(errors[name][criterion] for name, of in settings.items() if of.get(parameter) == value)


def sensitivity(scores: pd.DataFrame, algorithm: str = "sgbm", *, measure: str = "bad_pixels") -> pd.DataFrame:
    """A row for each value of each parameter and criterion: mean error over all else, spread, number of settings.

    `scores` is the table of a run of `stereo/parameters`. Settings that failed or lack a criterion on any sample are
    left out whole.
    """
    import pandas as pd

    own = scores[(labels(scores) == measure) & scores["role"].isin(JUDGED)]
    lost = set(own.loc[~own["state"].isin(SETTLED), "model"])
    means = own[~own["model"].isin(lost)].groupby(["model", "criterion"], sort=False)["value"].mean().unstack()
    found = effects({str(name): dict(row) for name, row in means.iterrows()}, algorithm)
    rows = [(e.parameter, e.value, e.criterion, e.mean, e.spread, len(e.each)) for e in found]
    return pd.DataFrame(rows, columns=["parameter", "value", "criterion", "mean", "spread", "settings"])


def sensitivity_of_answers(sample: Sample[Pair, Truth], answers: Mapping[str, Map], *, algorithm: str) -> Figure:
    """The bad pixels of each setting on one sample, drawn against each parameter."""
    return sensitivity_plot(effects({name: _bad(map, sample.reference) for name, map in answers.items()}, algorithm))


def _bad(found: Map, truth: Truth) -> dict[str, float]:
    shares = {}
    for name in truth.regions:
        try:
            shares[name] = bad_pixels(*confined(found, truth, name=name))
        except NotApplicable:
            continue
    return shares


def sensitivity_plot(found: Sequence[Effect]) -> Figure:
    """A panel for each parameter: every setting as a faint dot, mean and spread over the others for each value."""
    from matplotlib.figure import Figure

    names = list(dict.fromkeys(one.parameter for one in found))
    if not names:
        raise ValueError("got no parameter with two values or more; expected the answers or scores of a grid")
    criteria = list(dict.fromkeys(one.criterion for one in found))
    figure = Figure((2.2 * len(names) + 1.0, 2.6), dpi=200, layout="constrained")
    for axes, name in zip(figure.subplots(1, len(names), sharey=True, squeeze=False)[0], names, strict=True):
        _panel(axes, [one for one in found if one.parameter == name], criteria)
    first = figure.axes[0]
    first.set_ylabel("bad pixels (%)", size=_TEXT)
    first.set_ylim(bottom=0)
    handles, labels = first.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside right upper", fontsize=_TEXT, frameon=False)
    return figure


def _panel(axes: Axes, found: Sequence[Effect], criteria: Sequence[str]) -> None:
    values = list(dict.fromkeys(one.value for one in found))
    for n, criterion in enumerate(criteria):
        colour = _COLOURS[n % len(_COLOURS)]
        own = [one for one in found if one.criterion == criterion]
        at = np.arange(len(values)) + (n - (len(criteria) - 1) / 2) * _ASIDE
        for x, one in zip(at, own, strict=True):
            axes.plot([x] * len(one.each), one.each, ".", color=colour, alpha=0.4, markersize=4, markeredgewidth=0)
        means, spreads = [one.mean for one in own], [np.nan_to_num(one.spread) for one in own]
        axes.errorbar(at, means, spreads, color=colour, marker="o", markersize=3, lw=1, capsize=2, label=criterion)
    axes.set_xticks(np.arange(len(values)), [f"{value}" for value in values])
    axes.set_xlabel(found[0].parameter, size=_TEXT)
    axes.tick_params(labelsize=_TEXT - 1)
    axes.spines[["top", "right"]].set_visible(False)
