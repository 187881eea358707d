"""Scenes beyond the four classical classes, and answers to them, for the laws that every measure obeys."""

from itertools import product

import numpy as np

from beholder.core.sample import Sample
from beholder.motion.observers.lawful import lawful
from beholder.motion.percepts import COHERENT, TRANSPARENT, Percepts
from beholder.motion.readouts import trace
from beholder.motion.stimuli.plaid import TYPE_I, TYPE_II, Plaid
from beholder.motion.types import Movie, Percept, Trace

SHORT, LONG = 6, 45  # instants of 10 ms


def film(pairs=LONG):
    return Movie(np.zeros((pairs + 1, 2, 2), np.float32), 100.0, 8.0)


def figure(kind, bias, **conditions):
    return Percept(kind, 0.0, 10.0, bias, bias, 7.0, {"turn": 1.0, **conditions})


def contrasts():
    levels = (1.0, 0.25, 0.05)
    kinds = (("diamond", 44.0), ("bar", 45.0), ("grating", 0.0))
    return [(figure(kind, bias, contrast=level), film()) for kind, bias in kinds for level in levels]


def plaids():
    plain = [(Plaid(normals).percept, film(pairs)) for normals in (TYPE_I, TYPE_II) for pairs in (SHORT, LONG)]
    uneven = [(Plaid(TYPE_I, balance=share, turn=turn).percept, film()) for share in (0.2, 0.8) for turn in (1, -1)]
    return [*plain, (Plaid(TYPE_II, contrast=0.1).percept, film()), *uneven]


def dots():
    levels = (0.05, 0.1, 0.2, 0.4)
    return [
        (Percept("dots", way, 6.0, conditions={"coherence": level}), film())
        for level, way in product(levels, (0.0, 180.0))
    ]


def noisy():
    cells = [*product((0.1, 0.9), (1.5, 3.0, 6.0)), (0.0, 6.0)]
    return [
        (Percept("noisy grating", 0.0, 4.0, conditions={"contrast": c, "diameter": d, "seed": float(seed)}), film())
        for (c, d), seed in product(cells, (0, 1))
    ]


def poles():
    return [
        (Percept("deep barber", 0.0 if apart >= 0 else 45.0, 11.3, 45.0, 45.0, 8.0, its | {"disparity": apart}), film())
        for its in [{"angle": 45.0, "turn": 1.0}]
        for apart in (0.5, 0.0, -0.5)
    ]


def strolls(scenes, seed):
    """Random walks of direction and speed for some scenes."""
    rng = np.random.default_rng(seed)
    wild = rng.uniform(0, 30)
    return [stroll(shown, rng, wild) for _, shown in scenes], [percept for percept, _ in scenes]


def stroll(shown, rng, wild):
    seconds = shown.seconds
    angle = np.radians(rng.uniform(-60, 60) + rng.normal(0, wild, len(seconds)).cumsum())
    speed = rng.uniform(0, 12, len(seconds))[:, None]
    return Trace(seconds, speed * np.stack([np.cos(angle), np.sin(angle)], axis=1), np.ones(len(seconds)))


def observed(scenes):
    """What an observer does who follows every fact."""
    return [trace(lawful(Sample("", shown, percept)), shown) for percept, shown in scenes]


def settled(scenes):
    """Who sees at once what people see in the end."""
    found = []
    for percept, shown in scenes:
        angle = np.radians(percept.object_direction)
        velocity = np.tile([percept.speed * np.cos(angle), percept.speed * np.sin(angle)], (len(shown.seconds), 1))
        found.append(Trace(shown.seconds, velocity, np.ones(len(shown.seconds))))
    return found


LINE_PLAIDS = [
    Percept("line plaid", 90.0, 6.0, conditions={"angle": angle, "speed": speed})
    for angle, speed in ((100.0, 3.0), (120.0, 3.0), (140.0, 3.0), (120.0, 1.5), (120.0, 6.0))
]


def alternations(seed):
    """Periods at random."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 9, len(LINE_PLAIDS))
    return [periods(rng.exponential(4, n) + 0.1) for n in sizes], LINE_PLAIDS


def periods(seconds):
    words = [(COHERENT, TRANSPARENT)[at % 2] for at in range(len(seconds))]
    return Percepts(tuple(words), np.asarray(seconds, float))


def by_the_law(percepts):
    """Coherent periods that shorten as angle and speed grow, transparent ones that stay."""
    strength = [its.conditions["angle"] / 120 * its.conditions["speed"] / 3 for its in percepts]
    return [periods([6 / much, 4.0] * 3) for much in strength]


def with_another_kind(found, percepts):
    return [*found, periods([1.0, 2.0])], [*percepts, Percept("dots", 0.0, 6.0)]
