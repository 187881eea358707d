"""study/turing: can people tell human from synthetic? Rows are participants, and what models say."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from beholder.core.benchmark import Benchmark, Hooks, Lazily, Lineup, Recorded, Unjudged
from beholder.core.cite import source
from beholder.core.measure import SETTLED
from beholder.core.sample import Dataset, Sample
from beholder.core.scores import JUDGED, whole
from beholder.core.verdict import Verdict
from beholder.errors import Misuse, Unsuited, listed
from beholder.study.datasets.answers import answers
from beholder.study.measures.turing import Said, Truth, accuracy, dprime, false_alarms, hits
from beholder.study.ratings import Item, Opinion, Ratings, kinds_of, ratings_of
from beholder.study.tables import shared_kinds
from beholder.verdicts.summary import summary

if TYPE_CHECKING:
    import pandas as pd

SHOWN = 12  # kinds of participants that are rows of their own
EVERYBODY, MAJORITY = "everybody", "majority"
METHOD, CITE, JUDGED_BY = "share of right answers", "Zanca2020", "accuracy"


def turing(dataset: Dataset[Item, Opinion] | None = None) -> Benchmark:
    """Can people tell human from synthetic, or whatever a yes/no study asks? Accuracy, d′, hits, false alarms.

    Samples are items; the reference is their true class. Rows are all participants together, each kind of participant,
    and the majority answer; `--model log:EXPORT` makes every participant a row. Shares are means over items, each of
    which counts once; d′ is pooled over all answers. `beholder study analyse` gives means over participants, with
    intervals over both participants and items. A model is a function of an `Item` (its name, its group, and its file,
    if known) that returns True or 1 for signal, or one of the study's answers. Datasets: `answers:EXPORT`, or any table
    of ratings, 1 or 0, with a column `truth`, 1 or 0.
    """
    given = answers() if dataset is None else dataset
    table = ratings_of(given)
    dimension = _asked(table, given.name)
    words: Mapping[str, float] = getattr(given.load, "words", {})
    status: str = getattr(given.load, "status", "verified")
    judged = [id for id in given.all_ids if not math.isnan(table.columns["truth"].get(id, math.nan))]
    made = Dataset(
        given.name,
        tuple(id for id in given.ids if id in set(judged)),
        _Load(table, dimension, status),
        given.cite,
        given.licence,
        content=given.fingerprint,
        about=given.about,
        people=given.people,
        all_ids=tuple(judged),
        remarks=given.remarks,
    )
    return Benchmark(
        name="study/turing",
        version=2,
        dataset=made,
        measures=(accuracy,),
        judges=(told_apart,),
        unjudged=Unjudged((dprime, hits, false_alarms)),
        accept=partial(accept, words=words),
        lineup=Lineup(_baselines, _blind, _oracles),
        hooks=Hooks(holds=(Item, Truth)),
        about="Can people tell human from synthetic? Share of right answers, as a mean over items, and pooled d′.",
    )


def _asked(table: Ratings, name: str) -> str:
    """The dimension that is right or wrong: the first one of which all values are 0 or 1."""
    if "truth" not in table.columns:
        raise Unsuited(f"dataset {name}: got no column called truth; expected 1 (signal) or 0, as in answers:EXPORT")
    for dimension in table.dimensions:
        if table.table.loc[table.table["dimension"] == dimension, "value"].isin([0.0, 1.0]).all():
            return dimension
    raise Misuse(f"dataset {name}: got grades; expected the answers of a yes/no study: 1 (called signal) or 0")


@dataclass(frozen=True)
class _Load:
    """Loads an item without what is known of it, and the truth."""

    ratings: Ratings
    dimension: str
    status: str

    def __call__(self, id: str) -> Sample[Item, Truth]:
        sample = self.ratings.load(id)
        item, opinion = sample.stimulus, sample.reference
        known = self.ratings.columns["truth"][id]
        said = dict(opinion.ratings.get(self.dimension, {}))
        truth = Truth(bool(known == 1), said, opinion.raters, self.status)
        return Sample(id, Item(id, group=item.group, media=item.media), truth, {"cluster": sample.tags["cluster"]})


def accept(raw: Any, item: Item, *, words: Mapping[str, float]) -> Said:
    """True, 1 or the word for signal; False, 0 or another word; a share of answers; or what several said."""
    if isinstance(raw, Said):
        return raw
    if isinstance(raw, str) and raw in words:
        return Said(words[raw])
    value = raw.item() if isinstance(raw, np.generic) else raw
    if isinstance(value, str):
        value = {"0": 0, "1": 1, "0.0": 0, "1.0": 1}.get(value.strip(), value)
    if isinstance(value, Real) and 0 <= float(value) <= 1:
        return Said(float(value))
    known = ", ".join(words) or "0 and 1"
    raise ValueError(
        f"got {str(raw)[:40]!r}; expected True for signal or False, or one of the study's answers: {known}"
    )


def _baselines(dataset: Dataset[Item, Truth]) -> Mapping[str, Any]:
    """What participants say: all, each kind of them, and what most say."""
    table = dataset.load.ratings  # type: ignore[attr-defined]
    names = [str(name) for name in table.table["rater"].unique()]
    kinds = sorted(shared_kinds(names, table.raters))
    found: dict[str, Any] = {EVERYBODY: Lazily(partial(_participants, dataset, ""))}
    found |= {
        kind.removeprefix("kind="): Lazily(partial(_participants, dataset, kind))
        for kind in (kinds if len(kinds) <= SHOWN else [])
    }
    return found | {MAJORITY: Lazily(partial(_majority, dataset))}


def _participants(dataset: Dataset[Item, Truth], kind: str) -> Recorded:
    """All answers to an item, of everybody or of those of a kind; items that none of them saw are left out."""
    found = {}
    for id in dataset.all_ids:
        truth = dataset.reference(id)
        said = [value for who, value in truth.said.items() if not kind or kind in kinds_of(truth.facts.get(who, {}))]
        if said:
            found[id] = Said(sum(said), len(said))
    return Recorded(found, partial=True)


def _majority(dataset: Dataset[Item, Truth]) -> Recorded:
    """The answer of most; of a tie, both."""
    found = {}
    for id in dataset.all_ids:
        said = list(dataset.reference(id).said.values())
        if said:
            mean = sum(said) / len(said)
            found[id] = Said(0.5 if mean == 0.5 else float(mean > 0.5))
    return Recorded(found, partial=True)


@source("Zanca2020")
def told_apart(scores: pd.DataFrame) -> Verdict:
    """Tell whether participants are right more often than by guessing, and who else is; nobody is ranked.

    Every number is a mean over items: each item counts once, however many answers it has. Intervals are bootstraps
    over items; those of `beholder study analyse`, whose means are over participants, draw participants, too.
    """
    every = whole(scores)
    every = every[(every["measure"] == JUDGED_BY) & (every["part"] == "")]
    rows = every[every["role"].isin(JUDGED)]
    held = rows[rows["state"].isin(SETTLED)]
    standing = _standing(every, held)
    if standing.empty:
        why = listed(dict.fromkeys(rows["reason"]), most=3) or "the table has no answer"
        return Verdict(METHOD, (), standing, f"no verdict: {why}", CITE)
    made = (
        "SIMULATED answers (status placeholder: no person gave them): "
        if (held["provenance"] == "placeholder").all()
        else ""
    )
    return Verdict(METHOD, (), standing, f"{made}{_finding(standing)}", CITE)


def _standing(every: pd.DataFrame, held: pd.DataFrame) -> pd.DataFrame:
    """Who is right how often: the mean over items, its interval as the table of scores has it, and how many items."""
    import pandas as pd

    lines = summary(every)
    lines = lines[lines["role"].isin(JUDGED) & (lines["held"] > 0)].drop_duplicates("model").set_index("model")
    many = held.drop_duplicates(["model", "dataset", "unit"]).groupby("model").size()
    names = list(dict.fromkeys(held["model"].astype(str)))
    index = pd.Index(names, name="model", dtype="object")
    found = lines.loc[names, ["value", "lo", "hi"]].to_numpy(dtype=float)
    made = pd.DataFrame(found, index=index, columns=["right", "lo", "hi"])
    return made.assign(items=[int(many[name]) for name in names])


def _finding(standing: pd.DataFrame) -> str:
    """People first, then each kind of them, then what most say, then models."""
    told = {str(name): _right(row) for name, row in standing.iterrows()}
    said = []
    if EVERYBODY in told:
        row = standing.loc[EVERYBODY]
        verdict = "more often than by guessing" if row["lo"] > 0.5 else "less often than by guessing"
        verdict = verdict if row["lo"] > 0.5 or row["hi"] < 0.5 else "which does not show whether they guess"
        said.append(
            f"participants are right in {told.pop(EVERYBODY)} of answers, {verdict} (50 %; mean over "
            f"{row['items']:.0f} items; brackets hold for these participants and resample items only: beholder study "
            "analyse gives intervals over participants and items)"
        )
    most = told.pop(MAJORITY, "")
    said += [f"{name} {right}" for name, right in told.items()]
    said += [f"the majority answer is right for {most}"] if most else []
    return "; ".join(said)


def _right(row: pd.Series[float]) -> str:
    ends = "" if math.isnan(row["lo"]) else f" [{100 * row['lo']:.0f}, {100 * row['hi']:.0f}]"
    return f"{100 * row['right']:.0f} %{ends}"


def _blind(dataset: Dataset[Item, Truth]) -> Mapping[str, Any]:
    """Answers that have nothing to do with the item."""
    return {"coin": coin, "always_signal": always_signal}


def coin(item: Item) -> Said:
    """Heads or tails, as often as one likes: half of the answers say signal."""
    return Said(0.5)


def always_signal(item: Item) -> bool:
    """The same answer to everything."""
    return True


def _oracles(dataset: Dataset[Item, Truth]) -> Mapping[str, Any]:
    """The truth."""
    return {"truth": Recorded({id: Said(float(dataset.reference(id).signal)) for id in dataset.all_ids})}
