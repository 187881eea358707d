"""Our values of a published table: from the run that the printed command makes, or from a recipe."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from beholder.claims.tables import recipes
from beholder.claims.tables.published import Column, Section, Table
from beholder.engines.progress import Silent
from beholder.evaluation.execute import Options, execute
from beholder.evaluation.plan import Request, plan
from beholder.registry.load import dataset
from beholder.registry.spec import parse_setting

if TYPE_CHECKING:
    import pandas as pd

Values = dict[tuple[str, str], float]  # (model, column) → value


class Ours(NamedTuple):
    """Our values, and of how many samples they are."""

    values: Values
    samples: int


def command(section: Section, table: Table) -> str:
    """What gives the table on the whole set, once `beholder data get` has fetched it.

    >>> one = Table("", "", "none", 2, (), (), benchmark="study/raters", settings="real=true", options="--jobs 2")
    >>> command(Section("fetv", "", "", "", (), cpu=1, of=1, whole=1), one)
    "beholder run study/raters --dataset 'fetv(real=true)' --jobs 2"
    """
    return f"beholder run {table.benchmark} --dataset {shlex.quote(_dataset(section, table))} {table.options}".rstrip()


def _dataset(section: Section, table: Table) -> str:
    return f"{section.name}({table.settings})" if table.settings else section.name


def measured(section: Section, table: Table, place: Path, runs: Path) -> Ours:
    """Our values on the part that is at `place`; runs are kept below `runs`, and what is there is not run again."""
    if table.recipe:
        found: tuple[Values, int] = getattr(recipes, table.recipe)(place)
        return Ours(*found)
    spec = f"{_dataset(section, table)}:{place}"
    scores = _scores(table, spec, runs / f"{section.name}-{table.benchmark.replace('/', '-')}")
    cells = [(row.model, column) for row in table.rows for column in table.columns]
    values = {(model, column.name): value(scores, model, column) for model, column in cells}
    return Ours(values, len(dataset(f"{table.benchmark.partition('/')[0]}.datasets", spec)))


def _scores(table: Table, spec: str, folder: Path) -> pd.DataFrame:
    """The scores of a run that is kept in a folder; it is made where it is not."""
    import pandas as pd

    kept = folder / "scores.csv"
    if not kept.is_file():
        words = shlex.split(table.options)
        options = dict(zip(words[::2], words[1::2], strict=True))
        settings = dict([parse_setting(options["--set"])] if "--set" in options else [])
        what = plan(Request(table.benchmark, (spec,), settings=settings, baselines=options.get("--baselines", "all")))
        execute(what, Options(out=folder, jobs=1, samples=0), Silent())
    return pd.read_csv(kept, dtype=dict.fromkeys(("settings", "part", "criterion", "unit"), "string"))


def value(scores: pd.DataFrame, model: str, column: Column) -> float:
    """The mean over units of the rows of one model that a column asks for; NaN without any."""
    own = scores[(scores["model"] == model) & (scores["measure"] == column.measure)]
    for name in ("settings", "part", "criterion", "unit"):
        wanted = getattr(column, name)
        if wanted or name != "unit":
            own = own[own[name].fillna("") == wanted]
    return float(own.groupby("unit")["value"].mean().mean())
