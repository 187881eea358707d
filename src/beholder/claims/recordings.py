"""The runs behind Le Meur & Baccino (2013) and Zanca et al. (2020): models and people on sets of real recordings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from beholder.attention.benchmarks.saliency import blind as saliency_blind
from beholder.attention.benchmarks.saliency import saliency
from beholder.attention.criteria import mode
from beholder.attention.datasets.eyecrowd import eyecrowd
from beholder.attention.datasets.mit1003 import mit1003
from beholder.attention.gaze.modes import split_modes
from beholder.attention.maps.fixation_maps import continuous_map
from beholder.attention.measures.auc import sauc
from beholder.attention.measures.hit_rate import hit_area, hit_rate
from beholder.attention.measures.nss import nss
from beholder.attention.people.ceiling import (
    Course,
    congruency,
    congruency_by_number,
    mean_course,
    observers,
    only,
    without,
)
from beholder.attention.types import Floats, Lookers, Picture, Salience
from beholder.claims.local_data import data_folder
from beholder.core.benchmark import Benchmark, Figures, People, Unjudged
from beholder.core.measure import fix
from beholder.core.sample import Dataset
from beholder.core.scores import labels
from beholder.evaluation.run import run
from beholder.registry.find import find
from beholder.stats.divergence import moments

if TYPE_CHECKING:
    import pandas as pd

SETS: Mapping[str, tuple[str, Callable[[Path], Dataset[Picture, Lookers]]]] = {
    "mit1003": ("mit1003_subset", mit1003),
    "eyecrowd": ("eyecrowd_subset", eyecrowd),
}
JUDD = "judd_like"
KEPT = (0.05, 0.1, 0.2, 0.3, 0.5)  # shares of the picture at which hit-rate curves are read
CURVE = "hit_rate(kept={:g})"
BLIND = ("uniform", "centre", "centre_bias")
SURE = 1.96  # standard errors: 95 % of a normal distribution
RANKS = 6  # fixations of which courses are shown: almost all trials have as many
QUICK = ("itti", "gbvs", "image_signature", "bms")  # models whose common map says whether something stands out


class SetScores(NamedTuple):
    """One set: who scores what, and how alike people look."""

    name: str
    scores: pd.DataFrame  # rows of a run
    ranks: Floats  # (pictures, fixations): congruency of the k-th fixation
    rank: Course  # its mean over pictures
    congruent: Floats  # (pictures, 2): congruency by NSS, and its standard error over observers
    peaks: Floats  # (pictures,): how far the common map of some models rises above its mean, in their z-scores
    off_centre: Floats  # (pictures, 2): degrees from the middle of focal and of ambient fixations; none if unknown


class Mean(NamedTuple):
    """A mean over pictures and its standard error."""

    value: float
    sem: float

    @property
    def positive(self) -> bool:
        """Above 0 by more than chance."""
        return self.value > SURE * self.sem

    def __str__(self) -> str:
        return f"{self.value:.2f} ± {self.sem:.2f}"


def mean(values: Floats) -> Mean:
    """The mean over pictures that have a value; the error is NaN below two.

    >>> str(mean(np.array([1.0, 3.0, np.nan])))
    '2.00 ± 1.00'
    """
    own = np.asarray(values, float)[np.isfinite(values)]
    if len(own) < 2:
        return Mean(float(own.mean()) if len(own) else np.nan, np.nan)
    return Mean(float(own.mean()), float(own.std(ddof=1) / np.sqrt(len(own))))


def recordings() -> dict[str, Dataset[Picture, Lookers]]:
    """The sets that are here."""
    places = {name: (data_folder(folder), load) for name, (folder, load) in SETS.items()}
    return {name: load(place) for name, (place, load) in places.items() if place}


def evaluate(dataset: Dataset[Picture, Lookers]) -> SetScores:
    """Run the models that were not trained on a set, and people."""
    scores = run(bench(dataset), jobs=0)
    _refuse_failures(scores)
    samples = [dataset.load(id) for id in dataset.ids]
    courses = [congruency_by_number(one.reference, "hit_rate") for one in samples]
    return SetScores(
        dataset.name,
        scores,
        np.stack([_padded(course.mean) for course in courses]),
        mean_course(courses),
        np.array([congruency(one.reference)[:2] for one in samples]),
        np.array([peak(one.stimulus) for one in samples]),
        np.array([distances(one.reference) for one in samples if np.isfinite(one.reference.px_per_deg)]),
    )


def bench(dataset: Dataset[Picture, Lookers]) -> Benchmark:
    """The saliency benchmark with the measures of Le Meur & Baccino (2013), and with the shuffled AUC."""
    base = saliency(dataset)
    return replace(
        base,
        measures=(nss, hit_area, sauc),
        unjudged=Unjudged(tuple(fix(hit_rate, kept=kept) for kept in KEPT), (mode("focal"), mode("ambient"))),
        lineup=base.lineup._replace(blind=_blind, people=People(observers, without, only, smooth)),
        figures=Figures(),
    )


def smooth(lookers: Lookers, picture: Picture) -> Salience:
    """What these people say, as Le Meur & Baccino (2013) have it: their fixations, blurred by one degree."""
    return Salience(continuous_map(lookers), observers(lookers))


def _blind(dataset: Dataset[Picture, Lookers]) -> dict[str, Any]:
    return {name: model for name, model in saliency_blind(dataset).items() if name in BLIND}


def _refuse_failures(scores: pd.DataFrame) -> None:
    """Claims are of models that answered: a built-in one that fails is an error of ours."""
    failed = scores[scores["state"] == "failed"]
    if len(failed):
        first = failed.iloc[0]
        raise RuntimeError(
            f"got {len(failed)} failed scores, the first of {first['model']} on {first['unit']}: {first['reason']}; "
            "expected an answer from every built-in model"
        )


def table(scores: pd.DataFrame, measure: str, criterion: str = "all") -> pd.DataFrame:
    """A measure of each picture (rows) and model (columns)."""
    own = scores[(labels(scores) == measure) & (scores["criterion"] == criterion)]
    return own.pivot_table(index="unit", columns="model", values="value", dropna=False, sort=False)


def peak(picture: Picture) -> float:
    """How far the mean of some models' z-scored maps rises above 0: whether one place stands out for all."""
    maps = [np.asarray(find("attention.models", name)(picture), float) for name in QUICK]
    spread = [(values, *moments(values)) for values in maps]
    common = np.mean([(values - mean) / (length or np.inf) for values, mean, length in spread], axis=0)
    return float(common.max() * np.sqrt(common.size))


def distances(lookers: Lookers) -> tuple[float, float]:
    """Mean degrees from the middle of the picture, of focal and of ambient fixations; NaN where there are none."""
    split = split_modes(lookers)
    focal, ambient = (_from_middle(part) for part in (split.focal, split.ambient))
    return focal, ambient


def _from_middle(lookers: Lookers) -> float:
    away = lookers.points - np.array(lookers.shape[::-1]) / 2
    return float(np.hypot(*away.T).mean() / lookers.px_per_deg) if len(away) else np.nan


def mean_of_known(values: Floats) -> Floats:
    """The mean of each row over what is known of it; NaN where nothing is."""
    known = np.isfinite(values)
    total = np.where(known, values, 0.0).sum(axis=1)
    return np.where(known.any(axis=1), total / np.maximum(known.sum(axis=1), 1), np.nan)


def _padded(values: Floats) -> Floats:
    """The first few, NaN beyond the last."""
    found = np.full(RANKS, np.nan)
    found[: len(values)] = values[:RANKS]
    return found
