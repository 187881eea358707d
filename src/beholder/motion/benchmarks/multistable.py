"""motion/multistable: how percepts alternate."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import cycle

import numpy as np

from beholder.core.benchmark import Answers, Benchmark, Figures, Files, Hooks, Lineup, Model, Recorded
from beholder.core.measure import fix
from beholder.core.sample import Dataset, Sample
from beholder.judges.mean_score import mean_score
from beholder.motion.datasets.line_plaids import ANGLES, SPEEDS, line_plaids
from beholder.motion.figures.timelines import timelines
from beholder.motion.figures.views import percept_views
from beholder.motion.files.movies import reveal
from beholder.motion.measures.multistable import alternation_facts
from beholder.motion.models.rivalry import rivalry
from beholder.motion.percepts import COHERENT, WORDS, Percepts, Watched, percepts, read, show, write
from beholder.motion.types import Percept

PERIOD = 4.0  # s: an order of magnitude for both blind model and oracle, ours


def multistable(dataset: Dataset[Watched, Percept] | None = None, *, reference: str = "") -> Benchmark:
    """Do the two percepts of a plaid alternate with its angle and speed as they do for people?

    A model sees a `Watched` movie and answers with what it sees over 60 s: a sequence of (percept, seconds), where each
    percept is "coherent" or "transparent". The law tested is ordinal: strengthening one percept shortens the periods of
    the other and leaves its own unchanged. Models that answer with velocities are not applicable. `reference` is a TOML
    file with your own records.
    """
    return Benchmark(
        name="motion/multistable",
        version=1,
        dataset=line_plaids() if dataset is None else dataset,
        measures=(fix(alternation_facts, reference=reference) if reference else alternation_facts,),
        judges=(mean_score,),
        accept=percepts,
        lineup=Lineup({"rivalry": rivalry}, blind, oracles),
        files=Files((".json",), read, write, show, partial(reveal, reference=reference)),
        figures=Figures(sample=timelines, views=percept_views),
        hooks=Hooks(holds=(Watched, Percept)),
        about="Two alternating percepts of a plaid: strengthening one should shorten the other's periods, not its own.",
    )


def blind(dataset: Dataset[Watched, Percept]) -> Mapping[str, Model]:
    """Models that do not look: one percept for ever, and periods drawn at random."""
    return {"steady": steady, "random": random}


def oracles(dataset: Dataset[Watched, Percept]) -> Mapping[str, Recorded]:
    """Periods that follow the law to the letter."""
    return {"lawful": Recorded(Answers(dataset, lawful))}


def steady(film: Watched) -> Percepts:
    """The coherent percept, all the time."""
    return Percepts((COHERENT,), np.array([film.watched]))


def random(film: Watched, *, rng: np.random.Generator) -> Percepts:
    """Periods of both percepts from one exponential distribution, whatever is shown."""
    return _filled(rng.exponential(PERIOD, 1000) + 0.1, film.watched)


def lawful(sample: Sample[Watched, Percept]) -> Percepts:
    """Coherent periods that are the shorter the larger the angle and the higher the speed, transparent ones alike."""
    its = sample.reference.conditions
    coherent = PERIOD * ANGLES[1] / its["angle"] * np.sqrt(SPEEDS[1] / its["speed"])
    return _filled(np.tile([coherent, PERIOD], 500), sample.stimulus.watched)


def _filled(periods: np.ndarray[tuple[int], np.dtype[np.float64]], watched: float) -> Percepts:
    """Periods of the two percepts in turn, until the trial is over."""
    ends = np.minimum(periods.cumsum(), watched)
    seconds = np.diff(np.concatenate([[0.0], ends]))
    seconds = seconds[seconds > 0]
    turns = cycle(WORDS)
    return Percepts(tuple(next(turns) for _ in seconds), seconds)
