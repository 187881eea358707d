"""study/turing: can people tell human from synthetic? Participants are the models."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from numbers import Real
from typing import Any

import numpy as np

from beholder.core.benchmark import Benchmark, Hooks, Lazily, Lineup, People, Recorded, Unjudged
from beholder.core.measure import NotApplicable
from beholder.core.randomness import rng_for
from beholder.core.sample import Dataset, Sample
from beholder.errors import Misuse
from beholder.judges.mean_score import mean_score
from beholder.study.datasets.answers import answers
from beholder.study.measures.turing import Said, Truth, accuracy, dprime, false_alarms, hits
from beholder.study.ratings import Item, Opinion, Ratings, kinds_of, ratings_of
from beholder.study.tables import shared_kinds

SHOWN = 12  # participants that are rows of their own: of a crowd, the mean person and the kinds are enough


def turing(dataset: Dataset[Item, Opinion] | None = None) -> Benchmark:
    """Whether people tell human from synthetic, or whatever a yes/no study asks: accuracy, d′, hits, false alarms.

    Samples are items, the reference is what they truly are. People take part: the mean person is the ceiling, and kinds
    of them are rows; `--model log:EXPORT` makes every participant of an export a row. A model is a function of an
    `Item` (its name, its group, and where it lies, if that is known) that says True or 1 for signal, or one of the
    study's answers. Datasets: `answers:EXPORT`, or any table of ratings, 1 or 0, with a column `truth`, 1 or 0.
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
        version=1,
        dataset=made,
        measures=(accuracy,),
        judges=(mean_score,),
        unjudged=Unjudged((dprime, hits, false_alarms)),
        accept=partial(accept, words=words),
        lineup=Lineup(
            _baselines,
            _blind,
            _oracles,
            People(_names, _without, _only, _people_say, _roster, alone=True, mixed=False, kinds=_kinds),
        ),
        hooks=Hooks(holds=(Item, Truth)),
        about="Whether people tell human from synthetic: the share of right answers, and d′ apart from bias.",
    )


def _asked(table: Ratings, name: str) -> str:
    """The dimension that is right or wrong: the first one of which all values are 0 or 1."""
    if "truth" not in table.columns:
        raise Misuse(f"dataset {name}: got no column called truth; expected 1 (signal) or 0, as answers:EXPORT has it")
    for dimension in table.dimensions:
        if table.table.loc[table.table["dimension"] == dimension, "value"].isin([0.0, 1.0]).all():
            return dimension
    raise Misuse(f"dataset {name}: got grades; expected answers that are 1 (called signal) or 0: of a yes/no study")


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


def _names(truth: Truth) -> Sequence[str]:
    return tuple(truth.said)


def _kinds(truth: Truth) -> list[str]:
    """The kinds of those who saw it."""
    return list(dict.fromkeys(kind for who in truth.said for kind in kinds_of(truth.facts.get(who, {}))))


def _is(truth: Truth, name: str, who: str) -> bool:
    return name == who or who in kinds_of(truth.facts.get(name, {}))


def _without(truth: Truth, who: str) -> Truth:
    return truth._replace(said={name: said for name, said in truth.said.items() if not _is(truth, name, who)})


def _only(truth: Truth, who: str) -> Truth:
    return truth._replace(said={name: said for name, said in truth.said.items() if _is(truth, name, who)})


def _people_say(truth: Truth, item: Item) -> Said:
    if not truth.said:
        raise NotApplicable("nobody of these people saw it")
    return Said(sum(truth.said.values()), len(truth.said))


def _roster(dataset: Dataset[Item, Truth]) -> Sequence[str]:
    """The participants, if they are few enough to be rows, and the kinds of them."""
    table = dataset.load.ratings  # type: ignore[attr-defined]
    names = [str(name) for name in table.table["rater"].unique()]
    shared = list(shared_kinds(names, table.raters))
    return [*(names if 1 < len(names) <= SHOWN else []), *(shared if len(shared) <= SHOWN else [])]


def _baselines(dataset: Dataset[Item, Truth]) -> Mapping[str, Any]:
    """What most people say."""
    return {"majority": Lazily(partial(_majority, dataset))}


def _majority(dataset: Dataset[Item, Truth]) -> Recorded:
    """The answer of most; of a tie, both."""
    found = {}
    for id in dataset.all_ids:
        said = list(dataset.reference(id).said.values())
        if said:
            mean = sum(said) / len(said)
            found[id] = Said(0.5 if mean == 0.5 else float(mean > 0.5))
    return Recorded(found, partial=True)


def _blind(dataset: Dataset[Item, Truth]) -> Mapping[str, Any]:
    """Answers that have nothing to do with the item."""
    return {"coin": coin, "always_signal": always_signal}


def coin(item: Item) -> bool:
    """Heads or tails."""
    return bool(rng_for(0, "coin", item.id).random() < 0.5)


def always_signal(item: Item) -> bool:
    """The same answer to everything."""
    return True


def _oracles(dataset: Dataset[Item, Truth]) -> Mapping[str, Any]:
    """The truth."""
    return {"truth": Recorded({id: Said(float(dataset.reference(id).signal)) for id in dataset.all_ids})}
