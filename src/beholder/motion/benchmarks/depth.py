"""motion/depth: motion seen with two eyes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from beholder.core.benchmark import Answers, Benchmark, Figures, Files, Hooks, Lineup, Model, Recorded
from beholder.core.measure import fix
from beholder.core.sample import Dataset, Sample
from beholder.judges.mean_score import mean_score
from beholder.motion.datasets.depths import depths
from beholder.motion.eyes import accepted, one_eye, owned_ends
from beholder.motion.figures.courses import courses
from beholder.motion.figures.views import left_views
from beholder.motion.files.answers import ROOM, SUFFIXES, read, write
from beholder.motion.files.answers import find as find_fields
from beholder.motion.files.movies import reveal_pair, show_pair
from beholder.motion.measures.depth import depth_facts
from beholder.motion.stimuli.depth import BinocularMovie
from beholder.motion.types import Answer, Percept, Velocity, average_motion, true_motion

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def depth(dataset: Dataset[BinocularMovie, Percept] | None = None, *, reference: str = "") -> Benchmark:
    """Does the direction of a barber pole depend on its depth as it does for people?

    A model sees a `BinocularMovie`, a movie for each eye, and answers with flow or velocities in the left eye's frame.
    People see stripes behind their surround move along the stripes' normal, and other stripes along the long axis; this
    is quoted from memory, not verified. A model that takes a single movie is not applicable; a sentence says what it
    was given.
    """
    return Benchmark(
        name="motion/depth",
        version=1,
        dataset=depths() if dataset is None else dataset,
        measures=(fix(depth_facts, reference=reference) if reference else depth_facts,),
        judges=(mean_score,),
        accept=accepted,
        lineup=Lineup({"one_eye": one_eye, "owned_ends": owned_ends}, blind, oracles),
        files=Files(
            SUFFIXES, read, write, show_pair, partial(reveal_pair, reference=reference), ROOM, find=find_fields
        ),
        figures=Figures(sample=left_courses, views=left_views),
        hooks=Hooks(holds=(BinocularMovie, Percept)),
        about="Barber poles in front of, level with and behind their surround: depth decides whether line ends count.",
    )


def blind(dataset: Dataset[BinocularMovie, Percept]) -> Mapping[str, Model | Recorded]:
    """Models that do not look: nothing moves, the stripes' normal at any depth, and any direction."""
    return {"still": still, "vector_average": Recorded(Answers(dataset, _average)), "random": random}


def oracles(dataset: Dataset[BinocularMovie, Percept]) -> Mapping[str, Recorded]:
    """What people end with, as far as is remembered."""
    return {"true_motion": Recorded(Answers(dataset, _true))}


def still(pair: BinocularMovie) -> Velocity:
    """Nothing moves, and so there is no direction."""
    return Velocity(np.zeros((len(pair.left.seconds), 2)))


def random(pair: BinocularMovie, *, rng: np.random.Generator) -> Velocity:
    """One direction at random for the whole movie, at one px/frame."""
    angle, speed = rng.uniform(0, 2 * np.pi), pair.left.hertz / pair.left.px_per_deg
    return Velocity(np.tile([speed * np.cos(angle), speed * np.sin(angle)], (len(pair.left.seconds), 1)))


def left_courses(sample: Sample[BinocularMovie, Percept], answers: Mapping[str, Answer]) -> Figure:
    """The left eye's film strip, errors over time, and final directions."""
    return courses(replace(sample, stimulus=sample.stimulus.left), answers)  # type: ignore[arg-type]


def _average(sample: Sample[BinocularMovie, Percept]) -> Velocity:
    return average_motion(sample.reference, sample.stimulus.left)


def _true(sample: Sample[BinocularMovie, Percept]) -> Velocity:
    return true_motion(sample.reference, sample.stimulus.left)
