"""What judges share: which components belong to a unit, and the words of a verdict. Nothing here decides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.core.benchmark import Verdict
from beholder.core.measure import SETTLED
from beholder.core.scores import CELL, COMPONENT, Components, is_part
from beholder.stats import bootstrap

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
FEW = 5  # units below which a dataset is small: Middlebury's second table had four, and methods were tuned to them


class Layout(NamedTuple):
    """Where each component belongs, and how units are drawn."""

    units: Ints  # of each component, the number of its (dataset, unit)
    cells: Ints  # of each component, the number of its measure × criterion
    names: tuple[str, ...]  # of each cell: measure (criterion)
    strata: Ints  # of each unit, the set that it is drawn from

    @property
    def drawable(self) -> bool:
        """Whether there is something to draw: a stratum of two units or more."""
        return bool((np.bincount(self.strata) > 1).any())


def layout(found: Components) -> Layout:
    """Units and cells of the components."""
    frame = found.values.columns.to_frame(index=False)
    units, cells = (
        np.asarray(frame.groupby(keys, sort=False).ngroup(), dtype=np.int64) for keys in (["dataset", "unit"], CELL)
    )
    names = tuple(f"{m} ({c})" for m, c in frame[CELL].drop_duplicates().itertuples(index=False, name=None))
    return Layout(units, cells, names, bootstrap.strata(units, cells))


def by_unit(found: Components, lay: Layout) -> Floats:
    """Units × cells × models in natural values; NaN where a unit lacks a cell."""
    units = np.full((len(lay.strata), len(lay.names), len(found.values)), np.nan)
    units[lay.units, lay.cells] = found.values.to_numpy(dtype=float).T
    return units


def indefinite(scores: pd.DataFrame) -> dict[str, str]:
    """Models that answered a unit, and yet have no value on a measure that another model has there; and why."""
    models = scores[(scores["role"] == "model") & ~scores["measure"].map(is_part)]
    held = models[models["state"].isin(SETTLED)]
    answered, defined = (held[keys].drop_duplicates() for keys in (["model", "dataset", "unit"], COMPONENT))
    lost = models[models["state"] == "na"].merge(answered).merge(defined)
    return {str(model): f"{own['measure'].iloc[0]}: {own['reason'].iloc[0]}" for model, own in lost.groupby("model")}


def doubtful(scores: pd.DataFrame) -> dict[str, str]:
    """Models with a score of low confidence, and why it is."""
    low = scores[(scores["role"] == "model") & (scores["state"] == "low") & ~scores["measure"].map(is_part)]
    return {str(model): f"of low confidence: {own['reason'].iloc[0]}" for model, own in low.groupby("model")}


def rounded(found: Components, decimals: int | None) -> Components:
    """The same with rounded values, as a printed table has them."""
    return found if decimals is None else found._replace(values=found.values.round(decimals))


def filled(scores: pd.DataFrame, found: Components) -> Floats:
    """The intervals that the runner gave, 2 × models × components; NaN where it gave none."""
    given = scores[scores["role"] == "model"].groupby(["model", *COMPONENT])[["lo", "hi"]].mean()
    whole = found.values.stack(list(range(4)), future_stack=True).index
    return given.reindex(whole).to_numpy(dtype=float).T.reshape(2, *found.values.shape)


def small(lay: Layout) -> tuple[str, ...]:
    """A warning where a verdict rests on very few units."""
    units = len(lay.strata)
    if units >= FEW:
        return ()
    return (f"only {units} unit{'s' * (units != 1)}: so small a dataset can favour a model by chance or by tuning",)


def nobody(method: str, found: Components) -> Verdict | None:
    """The verdict where there is nobody or nothing to judge, else None."""
    import pandas as pd

    if found.values.size:
        return None
    if len(found.values):
        why = "no component applies to all of them: " + listed(found.values.index)
    else:
        why = "; ".join(f"{model}: {reason}" for model, reason in found.left_out.items())
    says = f"nobody could be judged: {why or 'the table has no row of a model'}"
    return Verdict(
        method, (), pd.DataFrame(index=pd.Index([], name="model")), says, left_out=found.left_out, notes=found.note
    )


def scope(found: Components) -> str:
    """What a verdict is relative to besides the models: measures, criteria, units and datasets."""
    frame = found.values.columns.to_frame(index=False)
    measures = [
        str(name) if list(own.unique()) == ["all"] else f"{name} ({', '.join(own.unique())})"
        for name, own in frame.groupby("measure", sort=False)["criterion"]
    ]
    return f"{listed(measures)} {over(found)}"


def over(found: Components) -> str:
    """On how many units of what datasets; the whole dataset (*) is none, and named where there are no others."""
    frame = found.values.columns.to_frame(index=False)
    each = frame[["dataset", "unit"]].drop_duplicates()
    units = int((each["unit"] != "*").sum())
    count = f"{units} unit{'s' * (units != 1)}" if units else "the whole"
    return f"over {count} of {listed(frame['dataset'].unique())}"


def ending(found: Components) -> str:
    """The end of a sentence, which names the models that were not judged."""
    if not found.left_out:
        return ""
    return "; left out: " + listed([f"{model} ({why})" for model, why in found.left_out.items()])


def listed(names: Iterable[str], *, most: int = 12, by: str = ", ") -> str:
    """Names in a row, cut where there are too many to be read.

    >>> listed("abcde", most=3)
    'a, b, c and 2 more'
    """
    every = list(names)
    more = f" and {len(every) - most} more" if len(every) > most else ""
    return by.join(every[:most]) + more


def with_interval(value: float, lo: float, hi: float) -> str:
    """A number with its interval, where it has one.

    >>> with_interval(5.8333, 5.0, 6.5), with_interval(0.5, float("nan"), float("nan"))
    ('5.833 [5, 6.5]', '0.5')
    """
    return f"{value:.4g}" if np.isnan([lo, hi]).any() else f"{value:.4g} [{lo:.4g}, {hi:.4g}]"


def ordered(method: str, found: Components, standing: pd.DataFrame, losses: Floats, drawn: Floats) -> Verdict:
    """The verdict of a judge that gives each model one number: it stands, with its interval, in the first columns.

    `losses` is that number signed so that less is better, `drawn` its bootstrap distribution, draws × models, from
    the same resampled units for all; without draws nothing is said on who cannot be told from the best.
    """
    leads = np.isclose(losses, losses.min(), rtol=1e-12, atol=0.0)  # equal up to rounding error is equal
    best = [str(name) for name in standing.index[leads]]
    unsure = [str(name) for name in standing.index[undecided(drawn, leads)]]
    number = with_interval(*(float(x) for x in standing.iloc[int(np.argmax(leads)), :3]))
    says = f"{_lead(method, best, len(standing))} {number}, on {scope(found)}"
    if unsure:
        says += f"; not to be told from {best[0]} (the interval of the paired difference holds 0): {listed(unsure)}"
    table = standing.iloc[np.argsort(losses, kind="stable")]
    return Verdict(method, tuple(best), table, says + ending(found), left_out=found.left_out, notes=found.note)


def _lead(method: str, best: Sequence[str], models: int) -> str:
    if models == 1:
        return f"{best[0]} is the only model judged, so there is nothing to compare; its {method} is"
    return f"{listed(best)} {'has' if len(best) == 1 else 'share'} the best {method} of {models} models,"


def undecided(drawn: Floats, leads: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Who cannot be told from the first leader: the interval of the paired difference of losses holds 0.

    >>> drawn = np.array([[0.0, 1.0, 1.0], [0.0, -1.0, 2.0]])
    >>> undecided(drawn, np.array([True, False, False]))
    array([False,  True, False])
    """
    with np.errstate(invalid="ignore"):  # infinite losses differ by nothing that is known
        lo, _ = bootstrap.interval(drawn - drawn[:, [int(np.argmax(leads))]])
    return np.asarray((lo <= 0) & ~leads)
