"""The score table: one row for one number, and what judges and reports derive from it."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, TextIO

import numpy as np
from numpy.typing import NDArray

from beholder.core.measure import SETTLED, STATES
from beholder.core.sample import STATUSES
from beholder.errors import Misuse
from beholder.stats import bootstrap

if TYPE_CHECKING:
    import pandas as pd


class Score(NamedTuple):
    """One row. `unit` is a sample id, a tag's value, or `*`; `repeat` counts draws of a stochastic model."""

    benchmark: str
    version: int
    model: str
    role: str
    dataset: str
    unit: str
    repeat: int
    measure: str
    criterion: str
    better: str
    value: float
    lo: float
    hi: float
    n: int
    state: str
    reason: str
    provenance: str


Missing = Literal["refuse", "unasked", "common", "worst"]
COLUMNS = Score._fields
LOST = ["failed", "partial"]  # states of a score that cannot be compared, and counts against its model
CELL = ["measure", "criterion"]  # what is averaged over units
COMPONENT = ["measure", "criterion", "dataset", "unit"]  # one component of a model's error vector
LINE = ["cell", "who"]  # one line of the summary: a model in its role on a measure × criterion
SUMMARY = ["model", "role", *CELL, "better", "value", "lo", "hi"]
SUMMARY += ["held", "expected", "na", "low", "repeats", "provenance"]
WORDS = {"better": ("higher", "lower"), "state": STATES, "provenance": STATUSES}
NUMBERS = {"version": "int64", "repeat": "int64", "n": "int64", "value": "float64", "lo": "float64", "hi": "float64"}


def table(rows: Iterable[Score]) -> pd.DataFrame:
    """Rows as a data frame with the frozen columns."""
    import pandas as pd

    frame = pd.DataFrame(list(rows), columns=list(COLUMNS))
    return frame.astype({name: NUMBERS.get(name, "object") for name in COLUMNS})


def write(scores: pd.DataFrame, path: Path) -> None:
    """The table as a CSV file; equal tables are equal bytes."""
    temporary = path.with_name(f".{path.name}.tmp")
    # A reason may hold bytes of a program's output that are no text: they are spelt out.
    with temporary.open("w", newline="", encoding="utf-8", errors="backslashreplace") as file:
        dump(scores, file)
    temporary.replace(path)


def dump(scores: pd.DataFrame, file: TextIO) -> None:
    """The table as CSV text; numbers as their shortest exact text."""
    out = csv.writer(_Lines(file), lineterminator="\r\n")
    out.writerow(COLUMNS)
    out.writerows(scores[list(COLUMNS)].itertuples(index=False, name=None))


class _Lines(NamedTuple):
    """A file that ends lines with `\\n`, behind a writer that must think `\\r\\n`: else it leaves `\\r` unquoted."""

    file: TextIO

    def write(self, line: str) -> int:
        return self.file.write(line.removesuffix("\r\n") + "\n")


def read(path: Path) -> pd.DataFrame:
    """A table from its CSV."""
    import pandas as pd

    if not path.is_file():
        raise Misuse(f"got {path}, which does not exist; expected the scores.csv of a run")
    try:
        frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    except (ValueError, UnicodeDecodeError) as fault:  # pandas' own faults are ValueErrors
        raise Misuse(f"{path} is no table ({fault}); expected the scores.csv of a run") from None
    _refuse_missing(list(frame.columns), str(path))
    for column, words in WORDS.items():
        strange = frame[~frame[column].isin(words)]
        if len(strange):
            got, line = strange.iloc[0][column], strange.index[0] + 1
            raise Misuse(f"{path}, row {line}: got {column} {got!r}; expected one of {', '.join(filter(None, words))}")
    try:
        return frame[list(COLUMNS)].astype({name: NUMBERS.get(name, "object") for name in COLUMNS})
    except ValueError as fault:
        raise Misuse(f"{path}: got a number that is none ({fault}); expected the scores.csv of a run") from None


def _refuse_missing(columns: Sequence[str], where: str) -> None:
    missing = [name for name in COLUMNS if name not in columns]
    if missing:
        raise Misuse(f"{where} has no column {missing[0]!r}; expected the columns {', '.join(COLUMNS)}")


def is_part(measure: str) -> bool:
    """Whether a row's measure is a part `measure.part`, which judges leave alone.

    >>> is_part("dynamic.tau"), is_part("bad_pixels(delta=0.5)")
    (True, False)
    """
    return "." in re.sub(r"\(.*\)", "", measure)


class Components(NamedTuple):
    """What a judge compares: complete models × components, in natural values."""

    values: (
        pd.DataFrame
    )  # model × (measure, criterion, dataset, unit), mean over repeats; NaN only where these may miss
    sign: NDArray[np.float64]  # a component's sign: +1 where less is better, -1 where more is
    left_out: dict[str, str]  # model → why it cannot be compared
    dropped: int  # components that do not apply to every model, and are compared for none
    expected: int
    gaps: Mapping[str, int] = {}  # model → how many of these components it has no value of

    @property
    def losses(self) -> NDArray[np.float64]:
        """Models × components, signed so that less is always better."""
        return np.asarray(self.values.to_numpy(dtype=float) * self.sign)

    @property
    def note(self) -> tuple[str, ...]:
        """A sentence on components that were not compared, if there are such."""
        if not self.dropped:
            return ()
        return (f"{self.dropped} of {self.expected} components do not apply to every model and were left out",)


def components(scores: pd.DataFrame, roles: Sequence[str] = ("model",), missing: Missing = "refuse") -> Components:
    """The complete models and the components that apply to them all.

    A model with a failed or partial component, or without a row where another has one, is left out by name. A
    component that is `na` for some of the others is compared for none; a model to which nothing applies is left out.
    Repeats are averaged, parts ignored. Nobody may remain: then `values` is empty, and `left_out` says why.

    With `missing` = "unasked" a model may lack rows, and with "common" fail, too: such values are NaN, and every
    component stays that somebody has. With "worst" what failed or lacks has the worst value of its component.
    """
    mine = _own(scores, roles)
    _refuse_contradictions(mine)
    left_out = _incomplete(mine, missing)
    kept = mine[~mine["model"].isin(list(left_out))]
    found = grid(kept.assign(value=kept["value"].mask(kept["state"].isin(LOST))), ["model"], COMPONENT)
    stays = _comparable(kept, found, missing).to_numpy()
    values = found.loc[:, stays]
    sign = np.where(kept.drop_duplicates(COMPONENT)["better"].to_numpy() == "higher", -1.0, 1.0)[stays]
    expected = len(mine[COMPONENT].drop_duplicates())
    gaps = {str(model): int(many) for model, many in values.isna().sum(axis="columns").items() if many}
    if missing == "worst":
        values = values.fillna((values * sign).max() * sign)
    return Components(values, sign, left_out, expected - values.shape[1] if len(values) else 0, expected, gaps)


def _comparable(kept: pd.DataFrame, found: pd.DataFrame, missing: Missing) -> pd.Series[bool]:
    """Which components are compared."""
    if missing == "refuse":
        return found.notna().all()
    if missing != "worst":
        return found.notna().any()
    idle = grid(kept.assign(value=(kept["state"] == "na").astype(float)), ["model"], COMPONENT) > 0
    return found.notna().any() & ~(idle & found.isna()).any()


def _own(scores: pd.DataFrame, roles: Sequence[str]) -> pd.DataFrame:
    """The rows of these roles that are not parts."""
    _refuse_missing(list(scores.columns), "the table")
    parts = [name for name in scores["measure"].unique() if is_part(name)]
    return scores[scores["role"].isin(list(roles)) & ~scores["measure"].isin(parts)]


def _refuse_contradictions(mine: pd.DataFrame) -> None:
    """Refuse a table that holds two versions, two directions of a measure, or two values of the same thing."""
    for of, what in (("benchmark", "version"), ("measure", "better")):
        pairs = mine[[of, what]].drop_duplicates()
        twice = pairs[pairs.duplicated(of)]
        if len(twice):
            name = twice.iloc[0][of]
            got = " and ".join(str(value) for value in pairs[pairs[of] == name][what])
            raise Misuse(f"got {of} {name!r} with {what} {got} in one table; expected one; judge them apart")
    key = ["model", *COMPONENT, "repeat"]
    unlike = mine[mine.duplicated(key, keep=False) & ~mine.duplicated([*key, "value"], keep=False)]
    if len(unlike):
        model, measure, criterion, dataset, unit, _ = unlike.iloc[0][key]
        where = f"{measure} ({criterion}) at {unit} of {dataset}"
        raise Misuse(f"got two values of model {model!r} on {where}; name models apart, judge benchmarks one by one")


def grid(rows: pd.DataFrame, index: list[str], columns: list[str]) -> pd.DataFrame:
    """Mean value by index × columns, both in the order of their first appearance; NaN where there is no value."""
    import pandas as pd

    down, across = (rows.groupby(keys, sort=False).ngroup().to_numpy() for keys in (index, columns))
    names, heads = (pd.MultiIndex.from_frame(rows[keys].drop_duplicates()) for keys in (index, columns))
    values = np.full(len(names) * len(heads), np.nan)
    means = rows["value"].groupby(down * len(heads) + across).mean()  # compensated: equal repeats stay equal
    values[means.index.to_numpy(dtype=np.int64)] = means.to_numpy()
    flat = names.get_level_values(0) if len(index) == 1 else names
    return pd.DataFrame(values.reshape(len(names), len(heads)), index=flat, columns=heads)


def _incomplete(mine: pd.DataFrame, missing: Missing) -> dict[str, str]:
    """Models that cannot be compared, on everything or on what may not miss, each with its reason."""
    component, state = mine.groupby(COMPONENT, sort=False).ngroup(), mine["state"]
    marked = mine.assign(component=component, lost=state.isin(LOST), held=state.isin(SETTLED))
    models = marked.groupby("model", sort=False).agg({"component": "nunique", "lost": "any", "held": "any"})
    suspect = ~models["held"] | (models["lost"] & (missing in ("refuse", "unasked")))
    suspect |= (models["component"] < component.nunique()) & (missing == "refuse")
    # What others could answer comes first: that is why this one cannot be compared with them.
    telling = marked.assign(idle=~component.isin(component[marked["held"]])).sort_values("idle", kind="stable")
    return {
        str(model): _reason(telling[telling["model"] == model], component.nunique()) for model in models.index[suspect]
    }


def _reason(rows: pd.DataFrame, everything: int) -> str:
    """Why a model cannot be compared."""
    lost = rows[rows["lost"]]
    if len(lost):
        return f"{len(lost)} of {len(rows)} scores {lost.iloc[0]['state']}: {lost.iloc[0]['reason']}"
    if not rows["held"].any():
        return f"nothing applies: {rows.iloc[0]['reason']}"
    return f"measured on only {rows['component'].nunique()} of {everything} components"


def common(scores: pd.DataFrame, roles: Sequence[str] = ("model",)) -> pd.DataFrame:
    """The rows of units that every model of these roles has answered: for the second table over common units.

    A model that has no value anywhere does not count: else one that never ran would leave nothing to compare.
    """
    mine = _own(scores, roles)
    alive = mine[mine["model"].isin(mine[mine["state"].isin(SETTLED)]["model"].unique())]
    lost = alive["state"].isin(LOST)
    units = alive.assign(lost=lost).groupby(["dataset", "unit"], sort=False).agg({"model": "nunique", "lost": "any"})
    whole = set(units[(units["model"] == alive["model"].nunique()) & ~units["lost"]].index)
    return scores[[key in whole for key in zip(scores["dataset"], scores["unit"], strict=True)]]


def summary(scores: pd.DataFrame, *, draws: int = 1000, seed: int = 0) -> pd.DataFrame:
    """Every model's mean on every measure × criterion, with interval and counts, whatever its role.

    Columns: model, role, measure, criterion, better, value, lo, hi, held, expected, na, low, repeats, provenance.
    The value is the mean over units of the mean over repeats; `held` and `expected` count rows, and
    `provenance` is the worst of those that apply. The interval is a bootstrap over units; where there is one unit only
    it is the one that the runner filled.
    """
    import pandas as pd

    _refuse_missing(list(scores.columns), "the table")
    rows = scores.assign(cell=_number(scores, CELL), who=_number(scores, ["model", "role"]))
    lines = _counted(rows)
    settled = rows[rows["state"].isin(SETTLED)]
    per_unit = settled.groupby([*LINE, "dataset", "unit"])["value"].mean().groupby(level=LINE)
    filled = settled.groupby(LINE)[["lo", "hi"]].mean().reindex(lines.index)
    bounds = _drawn(settled, draws, seed).reindex(lines.index).where(per_unit.size().reindex(lines.index) > 1, filled)
    return pd.concat([lines, per_unit.mean(), bounds], axis="columns").reset_index(drop=True)[SUMMARY]


def _number(rows: pd.DataFrame, keys: list[str]) -> pd.Series[int]:
    """Which of the different values of these columns a row has, counted in the order of their first appearance."""
    return rows.groupby(keys, sort=False).ngroup()


def _counted(rows: pd.DataFrame) -> pd.DataFrame:
    """What is counted on each line of the summary: one model on one measure × criterion."""
    state, trust = rows["state"], {status: at for at, status in enumerate(STATUSES)}
    flags = {"held": state.isin(SETTLED), "na": state == "na", "low": state == "low"}
    marked = rows.assign(**flags, expected=1, trust=rows["provenance"].map(trust).where(state != "na", 0))
    lines = marked.groupby(LINE)
    firsts = lines[["model", "role", "measure", "criterion", "better"]].first()
    sums = lines[["held", "na", "low", "expected"]].sum()
    worst = lines["trust"].max().map(dict(enumerate(STATUSES))).rename("provenance")
    return firsts.join([sums, lines["repeat"].nunique().rename("repeats"), worst])


def _drawn(settled: pd.DataFrame, draws: int, seed: int) -> pd.DataFrame:
    """Bootstrap interval of every line; cells with the same units are drawn at once."""
    import pandas as pd

    place = _number(settled, ["dataset", "unit"])
    alike = place.groupby(settled["cell"]).agg(lambda own: np.unique(own).tobytes())
    found = [pd.DataFrame(columns=["lo", "hi"], index=pd.MultiIndex.from_product([[0], [0]], names=LINE)[:0])]
    for _, rows in settled.groupby(settled["cell"].map(alike), sort=False):
        units = grid(rows, ["dataset", "unit"], LINE)
        lo, hi = bootstrap.mean_interval(units.to_numpy(), draws=draws, seed=seed)
        found.append(pd.DataFrame({"lo": lo, "hi": hi}, index=units.columns))
    return pd.concat(found[1:] or found)
