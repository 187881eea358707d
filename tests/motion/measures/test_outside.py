"""Which stimuli a measure is about: those of other kinds, and controls, take no part whatever became of them."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

import beholder as bh
from beholder.core.measure import card
from beholder.core.sample import Dataset, Sample
from beholder.core.scores import labels
from beholder.motion.benchmarks.dynamic import dynamic
from beholder.motion.measures.coherence import coherence_score
from beholder.motion.measures.contrast import contrast_facts
from beholder.motion.measures.depth import depth_facts
from beholder.motion.measures.detection import detection_facts
from beholder.motion.measures.dynamic import bar_dynamics, diamond_dynamics, grating_dynamics
from beholder.motion.measures.facts import barber_facts, diamond_facts
from beholder.motion.measures.multistable import alternation_facts
from beholder.motion.measures.peaks import bar_peak
from beholder.motion.measures.plaids import plaid_facts
from beholder.motion.measures.units import mt_shift
from beholder.motion.types import Movie, Percept
from motion_traces import bar, diamond, pole

ABOUT = {
    bar_dynamics: ["bar"],
    bar_peak: ["bar"],
    mt_shift: ["bar"],
    diamond_dynamics: ["diamond"],
    diamond_facts: ["diamond"],
    grating_dynamics: ["grating"],
    barber_facts: ["barber"],
    plaid_facts: ["plaid"],
    coherence_score: ["dots"],
    detection_facts: ["noisy grating"],
    depth_facts: ["deep barber"],
    alternation_facts: ["line plaid"],
    contrast_facts: ["diamond", "bar", "grating"],
}
KINDS = sorted({kind for kinds in ABOUT.values() for kind in kinds})
UPRIGHT = Percept("bar", 0.0, 16.0, vector_average=0.0, conditions={"length": 10.0, "tiles": 1})


@pytest.mark.parametrize("of", ABOUT, ids=lambda of: of.__name__)
def test_each_is_about_its_own_kinds_and_says_so_from_another_process(of):
    excludes = pickle.loads(pickle.dumps(card(of).excludes))
    for kind in KINDS:
        why = excludes(Percept(kind, 0.0, 10.0, vector_average=45.0))
        assert why == ("" if kind in ABOUT[of] else f"this is a {kind}, and no {' or '.join(ABOUT[of])}")


@pytest.mark.parametrize(
    ("of", "percept", "why"),
    [
        (diamond_dynamics, diamond(), ""),
        (diamond_dynamics, diamond(bias=0.0), "this diamond is a control: its edges do not mislead"),
        (diamond_dynamics, diamond(textured=1.0), "this diamond is a control: textured"),
        (diamond_dynamics, diamond(contrast=0.1), "this diamond is a control: of low contrast"),
        (
            diamond_dynamics,
            diamond(bias=0.0, contrast=0.5),
            "this diamond is a control: its edges do not mislead, of low contrast",
        ),
        (diamond_facts, diamond(bias=0.0), ""),  # its facts are about controls, too
        (bar_dynamics, bar(10.0, tiles=2), ""),
        (bar_dynamics, UPRIGHT, "this bar is perpendicular to its motion: its normal does not mislead"),
        (mt_shift, UPRIGHT, "this bar is perpendicular to its motion: its normal does not mislead"),
        (bar_peak, UPRIGHT, "this bar is perpendicular to its motion: its normal does not mislead"),
        (bar_peak, bar(20.0, tiles=2), "this bar is cut into tiles"),
        (barber_facts, pole(1.0), ""),
    ],
)
def test_controls_are_outside_where_a_measure_leaves_them_out(of, percept, why):
    assert card(of).excludes(percept) == why


SHOWN = {
    "tilted": (bar(10.0), "verified"),
    "upright": (UPRIGHT, "memory"),
    "pole": (pole(3.0), "placeholder"),
}


def sample(id):
    percept, status = SHOWN[id]
    frames = np.full((21, 8, 8), 20.0, np.float32)
    frames[:, 3:5, 3:5] = 40.0 if id == "tilted" else 30.0
    return Sample(id, Movie(frames, 50.0, 8.0), replace(percept, status=status), {"direction": "right"})


def breaks(movie):
    """A model that answers for tilted bars only."""
    if movie.frames.max() < 40:
        raise RuntimeError("not for me")
    return np.tile([1.0, 0.5], (20, 1))


def test_what_is_outside_costs_a_pooled_measure_nothing():
    rows = bh.run(dynamic(Dataset("three", tuple(SHOWN), sample), models="none"), {"it": breaks}, jobs=0)
    its = rows[(rows["model"] == "it") & (labels(rows) == "bar_dynamics")].iloc[0]
    assert (its["state"], its["n"]) == ("ok", 1)
    assert its["provenance"] == "verified"
