"""Two models side by side, unit by unit: who is ahead on which measure, how surely, and where they differ most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.core.measure import SETTLED, label
from beholder.core.notebook import html_of
from beholder.core.scores import CELL, COMPONENT, ROLES, bounds_of, refuse_missing, whole
from beholder.errors import Misuse, listed
from beholder.registry.find import nearest
from beholder.stats import small_samples
from beholder.stats.best_set import LEAST, bounded
from beholder.stats.paired import holm, permutation
from beholder.stats.proportion import wilson
from beholder.verdicts import comparison_wording as wording
from beholder.verdicts.gains import NOISE, CellKey, by_cell
from beholder.verdicts.intervals import mean_interval
from beholder.verdicts.wording import cell

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]

ALPHA = 0.05  # the chance, over all measures together, that equal models are said to differ
MANY = 1000  # units above which the sign-flip test is its normal limit: two digits of p at the least, in no time
TOP = 3  # units that are named in each direction
UNITS = ["dataset", *CELL, "unit", "a", "b", "difference", "ahead"]


class Comparison(NamedTuple):
    """Two models, paired. A difference is signed so that more is better for `a`."""

    a: str
    b: str
    says: str  # the answer, in one or two sentences
    table: pd.DataFrame  # one row per measure × criterion; the columns are those of `Line`
    units: pd.DataFrame  # the units where they differ most, both ways; the columns are UNITS
    notes: tuple[str, ...] = ()  # to be read with the numbers

    @property
    def overall(self) -> pd.DataFrame:
        """The rows over all datasets, on which the sentence rests."""
        return self.table[self.table["dataset"] == ""] if self.table["dataset"].nunique() > 1 else self.table

    def __str__(self) -> str:
        return "\n".join([self.says, *self.notes])

    def __repr__(self) -> str:
        return f"<Comparison: {self.says}>"

    def _repr_html_(self) -> str:
        return html_of("comparison", self)


class Line(NamedTuple):
    """Two models on one measure × criterion, over the units that both hold."""

    dataset: str  # empty for all of several
    measure: str
    settings: str
    criterion: str
    better: str
    a: float  # mean, with its interval
    a_lo: float
    a_hi: float
    b: float
    b_lo: float
    b_hi: float
    difference: float  # more is better for a
    lo: float
    hi: float
    units: int  # that both hold
    won: float  # share of units on which a is ahead, ties counting half
    won_lo: float
    won_hi: float
    p: float  # of the sign-flip test; NaN where it was measured once
    p_holm: float  # corrected for the number of measures; NaN below six units, where nothing could be significant
    outcome: str  # for a: better or worse (significantly), ahead or behind, equal

    @property
    def turned(self) -> Line:
        """The same from the side of the second model."""
        opposite = {"better": "worse", "worse": "better", "ahead": "behind", "behind": "ahead"}
        return self._replace(
            a=self.b,
            a_lo=self.b_lo,
            a_hi=self.b_hi,
            b=self.a,
            b_lo=self.a_lo,
            b_hi=self.a_hi,
            difference=-self.difference,
            lo=-self.hi,
            hi=-self.lo,
            won=1 - self.won,
            won_lo=1 - self.won_hi,
            won_hi=1 - self.won_lo,
            outcome=opposite.get(self.outcome, self.outcome),
        )


class Pair(NamedTuple):
    """The values of two models on one measure × criterion, over the units that both hold."""

    cell: CellKey
    better: str
    units: tuple[tuple[str, str], ...]  # dataset and unit
    values: Floats  # units × 2
    own: Floats  # the intervals that the runner gave, 2 × 2: ends × models
    gain: Floats  # of each unit, more being better for a; what is nothing but rounding is 0
    mean: float  # of the gain

    @property
    def once(self) -> bool:
        """Whether it was measured once over the whole of a dataset, and not unit by unit."""
        return all(unit == "*" for _, unit in self.units)


def compare(scores: pd.DataFrame, a: str, b: str, *, seed: int = 0) -> Comparison:
    """Compare two models of one benchmark, whatever their roles, measure by measure over the units that both hold.

    `difference` is the mean paired difference with its 95 % interval (`stats.small_samples`); `won` the share of units
    on which `a` is ahead, with Wilson's interval. `p` is that of the sign-flip test of the mean: were the models equal,
    each difference would be as likely as its opposite. `p_holm` is corrected for the number of measures, a measure
    confined to a criterion counting as one; it is NaN below six units, where nothing could be significant. The rows of
    single datasets, where there are several, are corrected together. A measure taken once over a whole dataset has the
    runner's intervals, and no paired test. Repeats are averaged, parts left out. Swapping the models turns every sign
    and changes no p-value.

    >>> from beholder.core.scores import Score, table
    >>> rows = [Score("b", 1, m, "model", "dataset", u, 0, "bad", "", "", "all", "lower", v + u, 0, 0, 1, "ok", "", "")
    ...         for m, v in {"a": 0, "b": 3}.items() for u in range(6)]
    >>> found = compare(table(rows), "a", "b")
    >>> found.says
    'a significantly beats b on bad (6 units).'
    >>> found.table[["difference", "units", "won", "p", "outcome"]].values.tolist()
    [[3.0, 6, 1.0, 0.03125, 'better']]
    """
    import pandas as pd

    refuse_missing(list(scores.columns), "the table")
    rows = rows_of(scores, a, b)
    pairs = list(_pairs(rows, a, b))
    datasets = list(dict.fromkeys(str(dataset) for dataset in rows["dataset"]))
    where = datasets[0] if len(datasets) == 1 else ""
    lines = corrected([within(line, scores) for line in lines_of(pairs, where, seed)])
    alone = [
        within(line, scores)
        for name in (datasets if len(datasets) > 1 else ())
        for line in lines_of(list(_pairs(rows[rows["dataset"] == name], a, b)), name, seed)
    ]
    table = pd.DataFrame([*lines, *corrected(alone)], columns=list(Line._fields))
    most = pd.DataFrame([row for pair in pairs for row in extremes(pair, a, b)], columns=UNITS)
    answer = wording.says(a, b, lines, needed=units_needed)
    return Comparison(a, b, answer, table, most, _notes(rows, pairs, a, b))


def rows_of(scores: pd.DataFrame, a: str, b: str) -> pd.DataFrame:
    """The rows of two models of one benchmark that are no parts; of a name with several roles, those of the first.

    Misuse where one is not there, or the table is of several benchmarks.
    """
    refuse_names(scores, a, b, where="the table")
    mine = whole(scores)
    mine = mine[mine["model"].isin([a, b]) & (mine["better"] != "neither")]
    role = {name: min(mine.loc[mine["model"] == name, "role"], key=list(ROLES).index, default="") for name in (a, b)}
    benchmarks = list(dict.fromkeys(mine["benchmark"]))
    if len(benchmarks) > 1:
        raise Misuse(f"got scores of {' and '.join(benchmarks[:2])}; expected one benchmark: compare them one by one")
    return mine[mine["role"].astype("object") == mine["model"].map(role).astype("object")]


def refuse_names(scores: pd.DataFrame, a: str, b: str, *, where: str) -> None:
    """Refuse a name that no model has, with the nearest that there is, and one name given twice."""
    known = sorted({str(model) for model in scores["model"]})
    for name in (a, b):
        if name not in known:
            near = nearest(name, known)
            raise Misuse(
                f"no model of {where} is called {name!r}{near if '?' in near else f'; there are {listed(known)}'}"
            )
    if a == b:
        raise Misuse(f"got {a!r} twice; expected two models")


def _pairs(rows: pd.DataFrame, a: str, b: str) -> Iterator[Pair]:
    """Both models on each measure × criterion on which they share a unit."""
    held = rows[rows["state"].isin(SETTLED) & rows["value"].notna()]
    for _, own in held.groupby(CELL, sort=False):
        if own["model"].nunique() == 2:
            pair = _pair(own, a, b)
            if pair.units:
                yield pair


def _pair(rows: pd.DataFrame, a: str, b: str) -> Pair:
    """Both models on the rows of one measure × criterion."""
    ((cell, gains),) = by_cell(rows)
    better = str(rows["better"].iloc[0])
    sign = 1.0 if better == "higher" else -1.0
    at = [list(gains.names).index(name) for name in (a, b)]
    both = ~np.isnan(gains.units[:, at]).any(axis=1)
    keys = rows[["dataset", "unit"]].drop_duplicates()[both].itertuples(index=False, name=None)  # in the grid's order
    units = tuple((str(dataset), str(unit)) for dataset, unit in keys)
    signed = gains.units[both][:, at]
    gain = gain_of(signed)
    mean = gains.lead(*at).mean if np.isfinite(signed).all() else float(gain.mean())
    return Pair(cell, better, units, signed * sign, np.sort(gains.own[:, at] * sign, axis=0), gain, mean)


def gain_of(signed: Floats) -> Floats:
    """First less second column; ∞ − ∞ is no gain, and neither is what is nothing but rounding."""
    with np.errstate(invalid="ignore"):
        gain = np.nan_to_num(signed[:, 0] - signed[:, 1], nan=0.0, posinf=np.inf, neginf=-np.inf)
    size = np.where(np.isfinite(signed), np.abs(signed), 0.0).max(axis=1, initial=0.0)
    return np.where(np.abs(gain) <= NOISE * size, 0.0, gain)


def lines_of(pairs: Sequence[Pair], dataset: str, seed: int = 0) -> list[Line]:
    """A line for each pair, its p-value not yet corrected; pairs over equally many units are computed at once."""
    found: dict[int, Line] = {}
    for n in {len(pair.gain) for pair in pairs}:
        those = [at for at, pair in enumerate(pairs) if len(pair.gain) == n]
        found.update(zip(those, _alike([pairs[at] for at in those], dataset, seed), strict=True))
    return [found[at] for at in range(len(pairs))]


def _alike(pairs: Sequence[Pair], dataset: str, seed: int) -> Iterator[Line]:
    """The lines of pairs over equally many units."""
    gains, values = np.stack([pair.gain for pair in pairs]), np.concatenate([pair.values for pair in pairs], axis=1)
    n = gains.shape[1]
    given = np.concatenate([pair.own for pair in pairs], axis=1) if n == 1 else np.full((2, values.shape[1]), np.nan)
    shares = np.repeat(small_samples.binary(values).reshape(-1, 2).all(axis=1), 2)
    with np.errstate(invalid="ignore"):  # infinite values have no spread
        own = mean_interval(values, given, shares=shares)
        ends = small_samples.mean_interval(gains.T, shares=False)  # differences of nought and one are no shares
        means = values.mean(axis=0)
    tests = np.full(len(pairs), np.nan) if n < 2 else sign_flips(gains, seed=seed)
    for at, pair in enumerate(pairs):
        won = float((pair.gain > 0).sum() + (pair.gain == 0).sum() / 2)
        share, won_lo, won_hi = (np.nan,) * 3 if pair.once else (won / n, *wilson(won, n))
        (a, b), (a_lo, b_lo), (a_hi, b_hi) = (some[2 * at : 2 * at + 2].tolist() for some in (means, *own))
        yield Line(
            dataset, *pair.cell, pair.better, a, a_lo, a_hi, b, b_lo, b_hi,
            difference=pair.mean, lo=float(ends[0, at]), hi=float(ends[1, at]), units=n, won=share, won_lo=won_lo,
            won_hi=won_hi, p=np.nan if pair.once else float(tests[at]), p_holm=np.nan, outcome="",
        )  # fmt: skip


def within(line: Line, scores: pd.DataFrame) -> Line:
    """The line with intervals that end where the measure does; a difference is at most as large as its range."""
    least, most = bounds_of(scores, [label(line.measure, line.settings)])
    a_lo, a_hi, b_lo, b_hi = np.clip([line.a_lo, line.a_hi, line.b_lo, line.b_hi], least, most).tolist()
    lo, hi = np.clip([line.lo, line.hi], least - most, most - least).tolist()
    return line._replace(a_lo=a_lo, a_hi=a_hi, b_lo=b_lo, b_hi=b_hi, lo=lo, hi=hi)


def sign_flip(gain: Floats, *, seed: int = 0) -> float:
    """The p-value of the mean under all changes of signs, or many at random; of very many units its normal limit.

    >>> sign_flip(np.array([1.0, 2.0, 3.0])), round(sign_flip(np.tile([1.0, 1.0, -1.0], 3000)), 4)
    (0.25, 0.0)
    """
    return float(sign_flips(gain[None], seed=seed)[0])


def sign_flips(gains: Floats, *, seed: int = 0) -> Floats:
    """The p-value of each row."""
    if gains.shape[1] <= MANY:
        return permutation(gains, rng=np.random.default_rng(seed))
    from scipy.special import ndtr

    finite = np.stack([bounded(row) for row in gains])
    spread = np.sqrt((finite**2).sum(axis=1))
    far = np.abs(finite.sum(axis=1)) / np.where(spread > 0, spread, 1.0)
    return np.where(spread > 0, 2 * ndtr(-far), 1.0)


def units_needed(tests: int) -> int:
    """The least units on which so many tests can show anything: all n of them agreeing has p = 2/2ⁿ, times the tests.

    >>> units_needed(1), units_needed(7)
    (6, 9)
    """
    return 1 + int(np.ceil(np.log2(max(tests, 1) / ALPHA)))


def corrected(lines: Sequence[Line]) -> list[Line]:
    """The lines with p-values corrected for the number of tests, and what each line comes to."""
    tested = np.array([not np.isnan(line.p) and line.units >= LEAST for line in lines], dtype=bool)
    p = np.full(len(lines), np.nan)
    p[tested] = holm(np.array([line.p for line in lines])[tested])
    return [
        line._replace(p_holm=own, outcome=_outcome(line.difference, own))
        for line, own in zip(lines, p.tolist(), strict=True)
    ]


def _outcome(difference: float, p: float) -> str:
    """What a difference comes to for the first model, in a word."""
    if difference == 0 or np.isnan(difference):
        return "equal"
    words = ("better", "worse") if p <= ALPHA else ("ahead", "behind")
    return words[0] if difference > 0 else words[1]


def extremes(pair: Pair, a: str, b: str) -> Iterator[tuple[object, ...]]:
    """The units that are most in favour of one model, and of the other."""
    if pair.once:
        return
    order = np.argsort(-pair.gain, kind="stable")
    for ahead, some in ((a, order[:TOP]), (b, order[::-1][:TOP])):
        for at in some.tolist():
            if (pair.gain[at] > 0) if ahead == a else (pair.gain[at] < 0):
                dataset, unit = pair.units[at]
                yield dataset, *pair.cell, unit, *pair.values[at].tolist(), float(pair.gain[at]), ahead


def _notes(rows: pd.DataFrame, pairs: Sequence[Pair], a: str, b: str) -> tuple[str, ...]:
    """On what could not be compared: units that one lacks, measures that one lacks, scores that lost samples."""
    return tuple(
        sentence
        for sentence in (
            *(wording.lacking(name, *_lacked(rows, pairs, name)) for name in (a, b)),
            wording.not_shared(_unpaired(rows, pairs)),
            *(wording.partial(name, _partial(rows, name)) for name in (a, b)),
        )
        if sentence
    )


def _lacked(rows: pd.DataFrame, pairs: Sequence[Pair], name: str) -> tuple[int, int]:
    """On how many units one model lacks a score that the other holds, on measures that they share; and of how many."""
    held = rows[rows["state"].isin(SETTLED) & rows["value"].notna() & (rows["unit"] != "*")]
    theirs = held[held["model"] != name]
    shared = {(*pair.cell, *unit) for pair in pairs for unit in pair.units}
    compared = {pair.cell for pair in pairs}
    asked = [key for key in theirs[COMPONENT].itertuples(index=False, name=None) if key[:3] in compared]
    return len({key[3:] for key in asked if key not in shared}), len({key[3:] for key in asked})


def _unpaired(rows: pd.DataFrame, pairs: Sequence[Pair]) -> list[str]:
    """The measures, with their criteria, that only one of the two has a value of, or each on other units."""
    paired = {pair.cell for pair in pairs}
    held = rows[rows["state"].isin(SETTLED) & rows["value"].notna()]
    cells = held[CELL].drop_duplicates().itertuples(index=False, name=None)
    return [cell(*map(str, one)) for one in cells if one not in paired]


def _partial(rows: pd.DataFrame, name: str) -> list[str]:
    lost = rows[(rows["model"] == name) & (rows["state"] == "partial")]
    return list(dict.fromkeys(label(str(one), str(two)) for one, two in lost[CELL[:2]].itertuples(index=False)))
