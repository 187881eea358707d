"""What the measures of motion are tried with."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import motion_beyond
from beholder.motion.perceived import Local, Probes
from beholder.motion.types import Percept, Trace
from measure_inputs import Inputs, reordered

_CLOCK = (np.arange(45) + 0.5) / 100


def _aimed(degrees, speed=10.0):
    """A trace of 450 ms with these directions and speeds."""
    angles = np.radians(np.broadcast_to(degrees, _CLOCK.shape))
    speeds = np.broadcast_to(speed, _CLOCK.shape)[:, None]
    return Trace(_CLOCK, speeds * np.stack([np.cos(angles), np.sin(angles)], axis=1), np.ones(45))


def _percept(kind, *, bias=44.0, **conditions):
    turn = conditions.get("turn", 1)
    its = {"contrast": 1.0, "tiles": 1.0, "textured": 0.0, "turn": turn, **conditions}
    return Percept(kind, 0.0, 10.0, turn * bias, turn * bias, 7.0, its)


_SCENES = [
    *(_percept("diamond", turn=turn) for turn in (1, -1)),
    _percept("diamond", bias=0.0),
    _percept("diamond", textured=1.0),
    _percept("diamond", contrast=0.1),
    *(_percept("bar", length=length) for length in (2.5, 5.0, 10.0)),
    _percept("bar", length=10.0, tiles=2.0),
    *(
        _percept("grating", bias=0.0, diameter=size, contrast=c)
        for c in (1.0, 0.1)
        for size in (2.5, 5.0, 10.0, 20.0, 40.0)
    ),
    *(
        _percept("barber", angle=44.0, aspect=ratio, terminators=float(np.degrees(np.arctan(1 / ratio))))
        for ratio in (3.0, 6.0)
    ),
]


def _strolls(seed):
    """Random walks of direction and speed for all scenes."""
    rng = np.random.default_rng(seed)
    turns = rng.normal(0, rng.uniform(0, 20), (len(_SCENES), 45)).cumsum(axis=1)
    return [_aimed(walk, rng.uniform(0, 12, 45)) for walk in turns], _SCENES


def _stroll(seed):
    traces, percepts = _strolls(seed)
    at = seed % len(percepts)
    return traces[at], percepts[at]


def _observed(percept):
    """What a person or a monkey would do with a scene, as far as it is known."""
    its = percept.conditions
    fall = lambda alpha, tau: its["turn"] * alpha * np.exp(-_CLOCK / tau)  # noqa: E731
    if percept.kind == "grating":
        return _aimed(0.0, np.array([_summed(its["diameter"], its["contrast"], t) for t in _CLOCK]))
    if percept.kind == "barber":
        end = 15 / its["aspect"]
        return _aimed(end + (44 - end) * np.exp(-np.maximum(_CLOCK - 0.004, 0) / 0.15))
    if percept.kind == "bar":
        size = np.log2(its["length"] / its["tiles"] ** 0.5)
        return _aimed(fall(8 * size, 0.02 * size))
    if percept.bias == 0 or its["textured"]:
        return _aimed(0.0)
    return _aimed(fall(40, 0.09) if its["contrast"] == 1 else fall(43, 0.15))


def _summed(diameter, contrast, t):
    """A response that peaks at a size which is larger later and at low contrast, with a surround from 20 ms on."""
    best = 10 if contrast == 1 and t < 0.08 else 20
    late = 0.0 if t < 0.02 else 0.2 if t < 0.08 else 0.5
    return 30 * min(diameter, best) / best * (1 - late * max(0.0, np.log2(diameter / best) / 3))


def _earlier(found):
    """The same trace with two instants before the onset, at which nothing is known."""
    seconds = np.concatenate([[-0.015, -0.005], found.seconds])
    return Trace(
        seconds, np.pad(found.velocity, ((2, 0), (0, 0)), constant_values=np.nan), np.pad(found.strength, (2, 0))
    )


def _shifted(percept):
    """A direction that leaves the vector average at once and has covered nine tenths of the way after 60 ms."""
    turned = np.clip((_CLOCK - _CLOCK[0]) * 0.9 / 0.06, 0, 1)
    return _aimed(percept.object_direction + percept.bias * (1 - turned))


_BLIND = Trace(_CLOCK, np.full((45, 2), np.nan), np.zeros(45))
_MOTION = Inputs(
    pairs=st.integers(0, 999).map(_strolls),
    perfect=lambda percepts: [_observed(percept) for percept in percepts],
    empty=([_BLIND], [Percept("dots", 0.0, 10.0)]),
    blurred=lambda found, percepts: ([_earlier(one) for one in found], percepts),
    shuffled=reordered,
    settings={"diamond_dynamics": [{"mode": "signed"}], "grating_dynamics": [{"remembered": False}]},
)


def _matched(seed):
    """Vectors at the probes of some movies, with gaps, and what people saw there."""
    rng = np.random.default_rng(seed)
    found, probes = [], []
    for _ in range(rng.integers(2, 5)):
        truth = rng.normal(0, 5, (6, 2))
        people = truth * rng.uniform(0.3, 1) + rng.normal(0, 2, (3, 2, 6, 2))
        people[rng.random(people.shape[:3]) < 0.1] = np.nan
        vectors = truth * rng.uniform(0, 1) + rng.normal(0, rng.uniform(0.1, 4), (6, 2))
        vectors[rng.random(6) < 0.1] = np.nan
        found.append(Local(vectors))
        probes.append(Probes(truth, people, ("a", "b", "c")))
    return found, probes


_NOBODY = Probes(np.ones((6, 2)), np.full((3, 2, 6, 2), np.nan), ("a", "b", "c"))
_PERCEIVED = Inputs(
    pairs=st.integers(0, 999).map(_matched),
    perfect=lambda probes: [Local(of.everyone) for of in probes],
    empty=([Local(np.ones((6, 2)))], [_NOBODY]),
    blurred=lambda found, probes: ([*found, Local(np.arange(12.0).reshape(6, 2))], [*probes, _NOBODY]),
    shuffled=reordered,
    settings={},
)


def _beyond(scenes, *, perfect=motion_beyond.observed, settings=None):
    """How the measures beyond the classical classes are tried: on these scenes, with random walks for answers."""
    return Inputs(
        pairs=st.integers(0, 999).map(lambda seed: motion_beyond.strolls(scenes, seed)),
        perfect=lambda percepts: perfect(scenes),
        empty=([_BLIND], [Percept("barber", 0.0, 10.0)]),
        blurred=lambda found, percepts: ([_earlier(one) for one in found], percepts),
        shuffled=reordered,
        settings=settings or {},
    )


_LONG = [
    (_percept("bar", bias=45.0, turn=turn, length=20.0, width=0.5, speed=16.0), motion_beyond.film())
    for turn in (1, -1)
]


def _peaked(scenes):
    """Errors that start at 30 degrees, as a macaque's do, and fall."""
    return [_aimed(its.conditions["turn"] * 30 * np.exp((_CLOCK[0] - _CLOCK) / 0.09)) for its, _ in scenes]


_VECTORS = st.integers(1, 12).flatmap(
    lambda n: st.tuples(*(arrays(np.float32, (n, 2), elements=st.floats(-80, 80, width=32)) for _ in range(2)))
)


def _with_holes(pair):
    """The same vectors, some of them without an estimate, and some without a truth."""
    found, true = (side.copy() for side in pair)
    found[::5] = np.nan
    true[4::7] = np.nan
    return found, true


def _unknown_too(found, true):
    return np.concatenate([found, np.ones((3, 2), np.float32)]), np.concatenate([true, np.full((3, 2), np.nan)])


def _stirred(found, true, rng):
    order = rng.permutation(len(found))
    return found[order], true[order]


INPUTS = {
    "motion": _MOTION,
    "motion.flow": Inputs(
        pairs=_VECTORS.map(_with_holes),
        perfect=np.copy,
        empty=(np.ones((3, 2)), np.full((3, 2), np.nan)),
        blurred=_unknown_too,
        shuffled=_stirred,
        settings={"bad_vectors": [{"delta": 3.0}]},
    ),
    "motion.peaks": _beyond(_LONG, perfect=_peaked),
    "motion.units": _MOTION._replace(perfect=lambda percepts: [_shifted(percept) for percept in percepts]),
    "motion.perceived": _PERCEIVED,
    "motion.truth": _PERCEIVED._replace(perfect=lambda probes: [Local(of.truth) for of in probes]),
    "motion.static": Inputs(
        pairs=st.integers(0, 999).map(_stroll),
        perfect=lambda percept: _aimed(percept.object_direction),
        empty=(_aimed(0.0), Percept("bar", np.nan, 10.0)),
        blurred=lambda found, percept: (_earlier(found), percept),
        shuffled=None,
        settings={"final_score": [{"mode": "signed"}]},
    ),
    "motion.contrast": _beyond(motion_beyond.contrasts(), settings={"contrast_facts": [{"remembered": False}]}),
    "motion.plaids": _beyond(motion_beyond.plaids(), settings={"plaid_facts": [{"remembered": False}]}),
    "motion.coherence": _beyond(motion_beyond.dots()),
    "motion.detection": _beyond(motion_beyond.noisy()),
    "motion.depth": _beyond(motion_beyond.poles(), perfect=motion_beyond.settled),
    "motion.multistable": Inputs(
        pairs=st.integers(0, 999).map(motion_beyond.alternations),
        perfect=motion_beyond.by_the_law,
        empty=([motion_beyond.periods([1.0])], [Percept("dots", 0.0, 10.0)]),
        blurred=motion_beyond.with_another_kind,
        shuffled=reordered,
        settings={},
    ),
}
