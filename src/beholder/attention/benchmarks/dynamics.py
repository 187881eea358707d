"""attention/dynamics: how models move their eyes, wherever they look."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from beholder.attention.benchmarks.scanpath import draw, overview, side_by_side
from beholder.attention.datasets.simulated import simulated
from beholder.attention.files import maps as files
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
    """Are a model's saccades and fixations like people's: how far, whereto, turning how, staying how long?

    Each number is the divergence KL(people‖model) of two histograms over all pictures, with one added to every count;
    the other direction, Jensen–Shannon, Wasserstein and Kolmogorov–Smirnov are its parts. Where a model looks does not
    count. A model returns what it does for attention/scanpath; one without durations has no number there, and the
    second verdict is among those that have all four.

    A histogram of few saccades is far from any other by chance, so all are of equally many scanpaths: one per picture,
    of one repeat of a model, or of people, another person on each; repeats and persons are then averaged. The reference
    is everybody else. From each number is subtracted what as many draws from people's own distribution have on average
    (the part `by_chance`; the part `raw` is the number before), so that 5 right saccades do not rank behind 1,000 wrong
    ones. Below 50 movements a number is of low confidence, and its model is named and not ranked.
    """
    shown = simulated() if dataset is None else dataset
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
        files=Files(path_files.SUFFIXES, path_files.read, path_files.write, files.show),
        figures=Figures(
            draw,
            partial(overview, dataset=shown, official=tuple(card(of).label for of in MOVEMENTS)),
            views=side_by_side,
        ),
        hooks=Hooks(split=path_files.as_list, inform=partial(with_viewing_time, viewing=viewing)),
        about="Distributions of movements, pooled over pictures: of one repeat of a model, one scanpath a picture, "
        "beside those of all people; of people, another person on each picture, beside those of all others. Scanpaths "
        "are as many for all, saccades are not: whoever makes fewer is farther off by chance alone. What as many draws "
        "from people's own distribution have on average is therefore subtracted (part by_chance; part raw is the "
        "divergence itself), and 0 is as near as chance allows. Models with fewer than 50 movements of a kind are of "
        "low confidence and not ranked. Intervals are a bootstrap over pictures. Another picture's people move as "
        "people do: they are no blind model of that, and stand as an oracle. Models with a setting for it that nobody "
        f"has set look for {viewing.seconds:g} s, or make {viewing.fixations} fixations, as people do here.",
    )


@source(key_of(mean_rank))
def of_complete(scores: pd.DataFrame) -> Verdict:
    """Mean rank on every measure, durations included, among the models that have all of them."""
    found = mean_rank(scores, undefined="model", low="apart")
    return found._replace(method="mean rank of those with durations")
