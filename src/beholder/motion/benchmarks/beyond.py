"""motion/beyond: contrast, plaids, dots and detection, which Tlapale et al. (2012) ask for in their conclusion."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from beholder.core.benchmark import EVERYWHERE, Answers, Benchmark, Lazily, Model, Recorded, Unjudged
from beholder.core.measure import Measure, fix
from beholder.core.sample import Dataset, Sample
from beholder.motion.benchmarks.static import baselines, static
from beholder.motion.benchmarks.static import oracles as true_oracles
from beholder.motion.datasets.beyond import beyond as dataset_beyond
from beholder.motion.figures.beyond import of_conditions
from beholder.motion.measures.coherence import coherence_score
from beholder.motion.measures.contrast import contrast_facts
from beholder.motion.measures.detection import detection_facts
from beholder.motion.measures.plaids import plaid_facts
from beholder.motion.observers.lawful import lawful
from beholder.motion.types import Movie, Percept

QUICK = ("slow_prior", "lucas_kanade", "horn_schunck", "farneback", "dis", "feedback")  # one of a kind


def beyond(
    dataset: Dataset[Movie, Percept] | None = None,
    *,
    remembered: bool = True,
    reference: str = "",
    models: str = "quick",
) -> Benchmark:
    """Do contrast, time, coherence and size change a model's motion estimates as they change what people see?

    Four columns: facts on contrast, facts on plaids, the coherence threshold of dots, and facts on the detection of
    gratings by size. Most of these facts are quoted from memory, and the threshold is a placeholder. `remembered` =
    False keeps only the facts on contrast and plaids that are verified or derived. Every row shows the status of the
    facts behind it. `models` selects the baselines: "quick" takes one built-in model of each kind; otherwise all, none,
    or names separated by commas. `reference` is a TOML file with your own records.
    """
    base = static(dataset_beyond() if dataset is None else dataset, reference=reference)
    return replace(
        base,
        name="motion/beyond",
        version=3,
        dataset=unstated(base.dataset),
        measures=_measures(remembered, reference),
        criteria=(EVERYWHERE,),
        unjudged=Unjudged(),
        lineup=base.lineup._replace(baselines=_chosen(models), oracles=oracles),
        figures=base.figures._replace(overview=of_conditions),
        about="Facts beyond the four classical classes: contrast, plaids, coherence of dots, gratings in noise.",
    )


def oracles(dataset: Dataset[Movie, Percept]) -> Mapping[str, Model | Recorded | Lazily]:
    """The true motion, which people do not see in all of these, and an observer who follows every fact."""
    return {**true_oracles(dataset), "lawful": Recorded(Answers(dataset, lawful))}


def _measures(remembered: bool, reference: str) -> tuple[Measure, ...]:
    settings: dict[str, Any] = {"reference": reference} if reference else {}
    if not remembered:
        return tuple(fix(of, remembered=False, **settings) for of in (contrast_facts, plaid_facts))
    every = (contrast_facts, plaid_facts, coherence_score, detection_facts)
    return tuple(fix(of, **settings) if settings else of for of in every)


def _chosen(models: str) -> dict[str, Model]:
    return baselines(",".join(QUICK) if models == "quick" else models)


def unstated(dataset: Dataset[Movie, Percept]) -> Dataset[Movie, Percept]:
    """The dataset whose percepts claim nothing of people: the measures say what their own facts rest on."""
    return replace(dataset, load=_Unstated(dataset.load))


@dataclass(frozen=True)
class _Unstated:
    load: Callable[[str], Sample[Movie, Percept]]

    def __call__(self, id: str) -> Sample[Movie, Percept]:
        sample = self.load(id)
        return replace(sample, reference=replace(sample.reference, status=""))
