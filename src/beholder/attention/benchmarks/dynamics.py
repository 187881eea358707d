"""attention/dynamics: how models move their eyes, wherever they look."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from beholder.attention.benchmarks.scanpath import draw, overview, side_by_side
from beholder.attention.datasets.simulated import simulated
from beholder.attention.files import maps as files
from beholder.attention.files import path_tables
from beholder.attention.files import paths as path_files
from beholder.attention.files.recorded import recorded_models
from beholder.attention.gaze.saccades import reduce_to_moves
from beholder.attention.measures.dynamics import (
    amplitude_divergence,
    direction_divergence,
    duration_divergence,
    joint_divergence,
    turning_divergence,
)
from beholder.attention.paths.blind import PEOPLE, blind_movements, people_elsewhere
from beholder.attention.paths.viewing_time import scanpath_models, viewing_time, with_viewing_time
from beholder.attention.people.doubts import of_people
from beholder.attention.types import Lookers, Picture
from beholder.core.benchmark import Benchmark, Figures, Files, Hooks, Lineup, Unjudged
from beholder.core.cite import key_of, source
from beholder.core.measure import card
from beholder.core.sample import Dataset
from beholder.core.verdict import Verdict
from beholder.judges.mean_rank import mean_rank

if TYPE_CHECKING:
    import pandas as pd

MOVEMENTS = (amplitude_divergence, direction_divergence, turning_divergence, duration_divergence)


def dynamics(dataset: Dataset[Picture, Lookers] | None = None, *, seconds: float = 0.0) -> Benchmark:
    """Do a model's saccades and fixations resemble people's in amplitude, direction, turning angle and duration?

    Each number is the divergence KL(people‖model) of two histograms over all pictures, with one added to every count;
    the other direction, Jensen–Shannon, Wasserstein and Kolmogorov–Smirnov are its parts. Where a model looks does not
    count. A model returns the same as for attention/scanpath. A model without durations has no number there; the second
    verdict is among models that have all four.

    A histogram of few saccades is far from any other by chance, so every histogram has the same number of scanpaths:
    one per picture, of one repeat of a model, or, for people, of a different person on each picture; repeats and people
    are then averaged. The reference is everybody else. The mean divergence of as many draws from people's own
    distribution is subtracted from each number (the part `by_chance`; the part `raw` is the number before), so that 5
    right saccades do not rank behind 1,000 wrong ones. Below 50 movements confidence is low, and the model is named but
    not ranked.
    """
    shown = simulated() if dataset is None else of_people(dataset)
    viewing = viewing_time(shown, seconds)
    return Benchmark(
        name="attention/dynamics",
        version=3,
        dataset=shown,
        measures=MOVEMENTS,
        judges=(partial(mean_rank, low="apart"), of_complete),
        criteria=(reduce_to_moves(),),
        unjudged=Unjudged((joint_divergence,)),
        accept=path_files.accept_scanpaths,
        lineup=Lineup(
            {**scanpath_models(shown.name, viewing), **recorded_models(shown)},
            blind_movements,
            people_elsewhere,
            PEOPLE,
        ),
        files=Files(path_files.SUFFIXES, path_files.read, path_files.write, files.show, table=path_tables.read),
        figures=Figures(
            draw,
            partial(overview, dataset=shown, official=tuple(card(of).label for of in MOVEMENTS)),
            views=side_by_side,
        ),
        hooks=Hooks(split=path_files.as_list, inform=partial(with_viewing_time, viewing=viewing)),
        about="Distributions of eye movements, pooled over pictures. One scanpath per picture of one repeat of a "
        "model is compared with all people; for the ceiling, one person per picture is compared with all "
        "others. Every model has the same number of scanpaths but not of saccades, and a model with fewer "
        "saccades is farther off by chance alone. So the mean divergence of as many draws from people's own "
        "distribution is subtracted (part by_chance; part raw is the divergence itself): 0 is as close as "
        "chance allows. Models with fewer than 50 movements of a kind have low confidence and are not ranked. "
        "Intervals are bootstrapped over pictures. The people of another picture move as people do, so they "
        "are not a blind model here, but an oracle. A model that can be told how long to look, and has not "
        f"been, looks for {viewing.seconds:g} s or makes {viewing.fixations} fixations, as people do here.",
    )


@source(key_of(mean_rank))
def of_complete(scores: pd.DataFrame) -> Verdict:
    """Mean rank on every measure, durations included, among the models that have all of them."""
    found = mean_rank(scores, undefined="model", low="apart")
    return found._replace(method="mean rank among models with durations")
