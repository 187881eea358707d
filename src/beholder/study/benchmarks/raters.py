"""study/raters: do the raters agree with one another?"""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping
from functools import partial
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from beholder.core.benchmark import Benchmark, Criterion, Hooks, Lineup, everywhere
from beholder.core.cite import source
from beholder.core.measure import SETTLED
from beholder.core.sample import Dataset
from beholder.core.scores import JUDGED, plain, whole
from beholder.core.verdict import Verdict
from beholder.errors import Misuse, listed
from beholder.stats import rater_agreement
from beholder.stats.bootstrap import interval
from beholder.study.datasets.fetv import fetv
from beholder.study.measures.agreement import agreement
from beholder.study.models.fleiss import fleiss
from beholder.study.models.gwet import gwet
from beholder.study.models.icc import icc
from beholder.study.models.krippendorff import krippendorff
from beholder.study.ratings import Item, Opinion
from beholder.study.tables import Coefficient, Size, Table, tables

if TYPE_CHECKING:
    import pandas as pd

Scale = Literal["nominal", "ordinal", "interval"]
SCALES: tuple[Scale, ...] = ("nominal", "ordinal", "interval")
SHUFFLES = 100  # of random raters: enough for the 2.5 % at either end
METHOD, CITE = "coefficients", "Krippendorff2004"
NAMES = {  # of coefficients in sentences
    "fleiss": "Fleiss' κ",
    **{f"krippendorff_{scale}": f"Krippendorff's α ({scale})" for scale in SCALES},
    "gwet": "Gwet's AC1",
    "icc": "ICC(1,1)",
}


def raters(dataset: Dataset[Item, Opinion] | None = None, *, scale: Scale = "ordinal") -> Benchmark:
    """Do raters agree with one another? Six coefficients of agreement; nothing is judged.

    A sample is one dimension of a table of ratings. A model is a coefficient of agreement: a function of a `Table`
    (`values`: items × raters, NaN where somebody did not rate) that returns a number, or a `Coefficient` with its
    interval. The verdict's sentence gives Krippendorff's α for the `scale`: nominal (categories), ordinal (grades) or
    interval (numbers). Intervals are bootstraps over items, or over groups where there are several. Parts are the
    coefficients among raters of one kind, where the table gives kinds. Random raters are the same people with each
    person's ratings shuffled: their Krippendorff's α is about 0. Other forms are models as well:
    `--model "icc2=icc(form='2,1')"`.
    """
    if scale not in SCALES:
        raise Misuse(f"got scale={scale!r}; expected one of {', '.join(SCALES)}")
    table = tables(fetv() if dataset is None else dataset)
    return Benchmark(
        name="study/raters",
        version=1,
        dataset=table,
        measures=(agreement,),
        judges=(partial(coefficients, scale=scale),),
        criteria=tuple(Criterion(name, everywhere, partial(_other, name)) for name in table.ids),
        accept=accept,
        lineup=Lineup(baselines(), partial(blind, scale=scale)),
        hooks=Hooks((Table, Size)),
        about="Agreement of raters beyond chance, by Fleiss, Krippendorff, Gwet and the intraclass correlation.",
    )


def _other(dimension: str, reference: Size) -> str:
    """Each dimension is a criterion of its own, so that none is averaged with the others."""
    return "" if reference.dimension == dimension else "this sample is another dimension"


def baselines() -> dict[str, Any]:
    """The coefficients."""
    alphas = {f"krippendorff_{scale}": partial(krippendorff, level=scale) for scale in SCALES}
    return {"fleiss": fleiss, **alphas, "gwet": gwet, "icc": icc}


def blind(dataset: Dataset[Table, Size], *, scale: Scale = "ordinal") -> Mapping[str, Any]:
    """Raters who answer at random."""
    return {"random_raters": partial(random_raters, scale=scale)}


def random_raters(table: Table, *, scale: Scale = "ordinal") -> Coefficient:
    """Krippendorff's α of the same raters with the ratings of each one shuffled: mean and 95 % of some shuffles."""
    if why := rater_agreement.why_undefined(table.values):
        return Coefficient(math.nan, reason=why)
    rng = np.random.default_rng(0)
    shuffles = (rater_agreement.shuffled(table.values, rng) for _ in range(SHUFFLES))
    drawn = np.array([rater_agreement.krippendorff(values, level=scale) for values in shuffles])
    lo, hi = interval(drawn[:, None])
    return Coefficient(float(np.nanmean(drawn)), float(lo[0]), float(hi[0]))


def accept(raw: Any, stimulus: Table) -> Coefficient:
    """A coefficient, alone or as (value, lo, hi): a number up to 1, or NaN where it is undefined."""
    given = (
        Coefficient(*raw) if isinstance(raw, tuple) and 0 < len(raw) <= len(Coefficient._fields) else Coefficient(raw)
    )
    for number in given[:3]:
        if isinstance(number, bool) or not isinstance(number, numbers.Real) or number > 1 + 1e-9:
            raise ValueError(f"got {number!r}; expected a coefficient of agreement: a number up to 1, or NaN")
    value, lo, hi = (min(float(number), 1.0) for number in given[:3])
    return Coefficient(value, lo, hi, *given[3:])


@source("Krippendorff2004")
def coefficients(scores: pd.DataFrame, *, scale: Scale = "ordinal") -> Verdict:
    """Tell how far raters agree, by Krippendorff's α of the scale; no coefficient is better than another."""
    rows = whole(scores)
    rows = plain(rows[rows["role"].isin(JUDGED) & (rows["unit"] != "*")])  # what --only has left out is no table
    several = rows["dataset"].nunique() > 1
    rows = rows.assign(table=rows["dataset"] + " " + rows["unit"] if several else rows["unit"])
    held = rows[rows["state"].isin(SETTLED)]
    standing = _standing(held)
    if held.empty:
        why = listed(dict.fromkeys(rows["reason"]), most=3) or "the table has no row with a coefficient"
        return Verdict(METHOD, (), standing, f"agreement is undefined: {why}", CITE)
    models = list(held["model"].unique())
    chosen = f"krippendorff_{scale}" if f"krippendorff_{scale}" in models else models[0]
    return Verdict(METHOD, (), standing, _finding(rows[rows["model"] == chosen], NAMES.get(chosen, chosen)), CITE)


def _standing(held: pd.DataFrame) -> pd.DataFrame:
    """Coefficients × tables, with intervals."""
    import pandas as pd

    found = pd.DataFrame(index=pd.Index(held["model"].unique(), name="model", dtype="object"))
    for table, own in held.groupby("table", sort=False):
        values = own.groupby("model")[["value", "lo", "hi"]].mean().reindex(found.index)
        found[[str(table), f"{table} lo", f"{table} hi"]] = values.to_numpy(dtype=float)
    return found


def _finding(rows: pd.DataFrame, name: str) -> str:
    """What one coefficient says of each table: on which raters agree for certain, on which not, and what is unknown."""
    held = rows[rows["state"].isin(SETTLED)]
    sizes = list(dict.fromkeys(held["reason"]))
    alike = len(sizes) == 1
    certain = held["lo"].fillna(held["value"]) > 0
    names = chain([f"{name} "], repeat(""))  # said once
    told = []
    for words, own in (("raters agree on", held[certain]), ("no agreement beyond chance was found on", held[~certain])):
        each = [
            f"{row.table}: {next(names)}{_number(row)}{'' if alike else f' ({row.reason})'}" for row in own.itertuples()
        ]
        told += [f"{words} {'; '.join(each)}"] if each else []
    undefined = [f"undefined on {row.table} ({row.reason})" for row in rows.drop(held.index).itertuples()]
    return "; ".join([*told, *(sizes if alike else ()), *undefined])


def _number(row: Any) -> str:
    return f"{row.value:.2f}" if math.isnan(row.lo) else f"{row.value:.2f} [{row.lo:.2f}, {row.hi:.2f}]"
