"""What judges compare: complete models × components of their error vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.core.measure import SETTLED, label
from beholder.core.scores import COMPONENT, JUDGED, LOST, plain, refuse_missing
from beholder.core.verdict import Note
from beholder.errors import Misuse

if TYPE_CHECKING:
    import pandas as pd

Missing = Literal["refuse", "unasked", "common", "worst"]


class Components(NamedTuple):
    """What a judge compares: complete models × components, in natural values."""

    values: pd.DataFrame  # model × COMPONENT, mean over repeats; NaN only where values may miss
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
    def notes(self) -> tuple[Note, ...]:
        """A note on components that were not compared, if there are such."""
        if not self.dropped:
            return ()
        text = f"{self.dropped} of {self.expected} components do not apply to every model and were left out"
        return (Note("components", text, numbers={"dropped": self.dropped, "expected": self.expected}),)


def components(scores: pd.DataFrame, roles: Sequence[str] = JUDGED, missing: Missing = "refuse") -> Components:
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
    refuse_missing(list(scores.columns), "the table")
    return scores[(scores["part"] == "") & scores["role"].isin(list(roles))]


def _refuse_contradictions(mine: pd.DataFrame) -> None:
    """Refuse a table that holds two versions, two directions of a measure, or two values of the same thing."""
    for of, what in ((["benchmark"], "version"), (["measure", "settings"], "better")):
        pairs = mine[[*of, what]].drop_duplicates()
        twice = pairs[pairs.duplicated(of)]
        if len(twice):
            alike = pairs.merge(twice[of].iloc[:1])
            got = " and ".join(str(value) for value in alike[what])
            name = label(*alike[of].iloc[0])
            raise Misuse(f"got {of[0]} {name!r} with {what} {got} in one table; expected one; judge them separately")
    key = ["model", *COMPONENT, "repeat"]
    unlike = mine[mine.duplicated(key, keep=False) & ~mine.duplicated([*key, "value"], keep=False)]
    if len(unlike):
        model, measure, settings, criterion, dataset, unit, _ = unlike.iloc[0][key]
        where = f"{label(measure, settings)} ({criterion}) at {unit} of {dataset}"
        raise Misuse(
            f"got two values of model {model!r} on {where}; give models different names, or judge benchmarks one by one"
        )


def grid(rows: pd.DataFrame, index: list[str], columns: list[str]) -> pd.DataFrame:
    """Mean value by index × columns, both in the order of their first appearance; NaN where there is no value."""
    import pandas as pd

    down, across = (rows.groupby(keys, sort=False).ngroup().to_numpy() for keys in (index, columns))
    names, heads = (pd.MultiIndex.from_frame(plain(rows[keys].drop_duplicates())) for keys in (index, columns))
    values = np.full(len(names) * len(heads), np.nan)
    cells, value = down * len(heads) + across, rows["value"]
    several = np.bincount(cells)[cells] > 1  # few, in a table that may be large
    values[cells[~several]] = value[~several]
    means = value[several].groupby(cells[several]).mean()  # compensated: equal repeats stay equal
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
        return f"no measure applies: {rows.iloc[0]['reason']}"
    return f"measured on only {rows['component'].nunique()} of {everything} components"


def on_common_units(scores: pd.DataFrame, roles: Sequence[str] = JUDGED) -> pd.DataFrame:
    """The rows of units that every model of these roles has answered: for the second table over common units.

    A model that has no value anywhere does not count: else one that never ran would leave nothing to compare.
    """
    mine = _own(scores, roles)
    alive = mine[mine["model"].isin(mine[mine["state"].isin(SETTLED)]["model"].unique())]
    lost = alive["state"].isin(LOST)
    units = alive.assign(lost=lost).groupby(["dataset", "unit"], sort=False).agg({"model": "nunique", "lost": "any"})
    shared = set(units[(units["model"] == alive["model"].nunique()) & ~units["lost"]].index)
    return scores[[key in shared for key in zip(scores["dataset"], scores["unit"], strict=True)]]
