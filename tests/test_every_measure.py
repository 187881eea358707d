"""Laws that every measure of the package obeys. A new family of measures needs one entry in INPUTS, and no test."""

import doctest
import functools
import inspect
import math
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

import attention_walks as walks
import motion_beyond
from beholder.attention.maps import continuous_map
from beholder.attention.readouts import Surface
from beholder.attention.types import Controls, Lookers, scanpath
from beholder.motion.perceived import Local, Probes
from beholder.motion.types import Percept, Trace
from beholder.spine.cite import library
from beholder.spine.find import domains, find, names
from beholder.spine.job import freeze
from beholder.spine.measure import Card, NotApplicable, card, fix, result
from beholder.stereo.pairs import Share
from beholder.stereo.readouts import Prediction
from beholder.stereo.types import Truth
from beholder.stereo.views import fetched

EVERY = [(f"{domain}.measures", name) for domain in domains() for name in names(f"{domain}.measures")]
quick = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
each_measure = pytest.mark.parametrize(("place", "name"), EVERY, ids=lambda word: word)


class Inputs(NamedTuple):
    """How the measures of a family are tried."""

    pairs: st.SearchStrategy[tuple[Any, Any]]  # (observed, reference), with everything that may happen to them
    perfect: Callable[[Any], Any] | None  # the answer that nobody could better; None: the bound is a limit only
    empty: tuple[Any, Any]  # a pair in which there is nothing to measure
    blurred: Callable[[Any, Any], tuple[Any, Any]]  # the same pair with further material of which nothing is known
    shuffled: Callable[[Any, Any, np.random.Generator], tuple[Any, Any]] | None  # None: the order matters
    settings: dict[str, list[dict[str, Any]]]  # further settings under which a measure is tried, by its name


disparities = st.floats(0, 128, width=32)
holed = disparities | st.just(math.nan)
_shapes = array_shapes(min_dims=1, max_dims=2, max_side=6)
_maps = _shapes.flatmap(
    lambda shape: st.tuples(arrays(np.float32, shape, elements=holed), arrays(np.float32, shape, elements=holed))
)
_UNKNOWN = np.full(3, np.nan, np.float32)
_NOWHERE = np.full((12, 14), np.nan, np.float32)


def _more(found, true):
    """Some estimates where no truth is known."""
    return np.append(found, [1, 2, np.nan]).astype(np.float32), np.append(true, _UNKNOWN)


def _shuffled(found, true, rng):
    order = rng.permutation(found.size)
    return found.ravel()[order], true.ravel()[order]


def _scene(seed, factor):
    """Some colours, a map with holes, and a truth with one further view."""
    rng = np.random.default_rng(seed)
    left, view = rng.random((2, 12, 14, 3))
    true, found = rng.uniform(0.1, 3, (2, 12, 14)).astype(np.float32)
    true[rng.random(true.shape) < 0.1] = np.nan
    found[rng.random(true.shape) < 0.1] = np.nan
    return Prediction(left, found), Truth(true, views={factor: view})


def _foretold(truth):
    """The left image that the view itself predicts."""
    factor, view = next(iter(truth.views.items()))
    return Prediction(np.nan_to_num(fetched(view, truth.disparity, factor)) / 255, truth.disparity)


def _out_of_sight(found, truth):
    """A further view so far away that it sees nothing of the scene."""
    return found, replace(truth, views={**truth.views, 1000.0: found.left})


def _seen_twice(seed):
    """Maps of one scene from some of its pairs, with noise and holes."""
    rng = np.random.default_rng(seed)
    shares = [Share(factor) for factor in rng.permutation([1.0, 0.5, -0.5, 2.0])[: rng.integers(2, 5)]]
    scene = rng.uniform(0, 20, (4, 5))
    maps = [abs(share.factor) * scene + rng.uniform(0, 2) * rng.standard_normal((4, 5)) for share in shares]
    return [np.where(rng.random((4, 5)) < 0.1, np.nan, d).astype(np.float32) for d in maps], shares


def _reordered(maps, shares, rng):
    order = rng.permutation(len(maps))
    return [maps[n] for n in order], [shares[n] for n in order]


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
    shuffled=_reordered,
    settings={"diamond_dynamics": [{"mode": "signed"}], "grating_dynamics": [{"remembered": False}]},
)

_LOOKED_AT = (40, 70)  # more than one square of `emd`


def _wandering(rng, most):
    n = int(rng.integers(0, most))
    x, y = rng.uniform(0, 1, (2, n)) * np.array(_LOOKED_AT[::-1])[:, None]
    return scanpath(x, y, onset_ms=np.arange(n) * 250.0, duration_ms=rng.uniform(50, 400, n))


def _controls(rng):
    points = rng.uniform(0, 1, (12, 2)) * np.array(_LOOKED_AT[::-1])
    names, pictures = np.array(["a", "b"] * 6), np.array(["p", "q", "r"] * 4)
    return Controls(points, names, rng.uniform(0, 900, 12), pictures)


def _gazed(seed):
    """A map (coarse, fine, constant or negative) or a density, and three observers, who may not have looked at all."""
    rng = np.random.default_rng(seed)
    lookers = Lookers({who: _wandering(rng, 6) for who in "abc"}, _LOOKED_AT, 3.0, _controls(rng), dropped=seed % 3)
    kinds = (rng.random(_LOOKED_AT), rng.integers(0, 4, _LOOKED_AT) - 1.0, np.full(_LOOKED_AT, 0.1), None)
    kind = kinds[seed % 4]
    if kind is not None:
        return Surface(kind), lookers
    density = rng.dirichlet(np.ones(2800)).reshape(_LOOKED_AT)
    return Surface(density, np.log(density)), lookers


def _estimated(seed):
    """A density, and three observers."""
    found, lookers = _gazed(4 * seed + 3)
    return found, lookers


def _with_a_blind(found, lookers):
    """A further observer who never looked."""
    return found, replace(lookers, paths={**lookers.paths, "blind": scanpath([], [])})


def _reading_order(lookers):
    """The order of a map of people, pixels that tie in reading order: what no map finds the top of better."""
    people = continuous_map(lookers)
    found = np.empty(people.size)
    found[np.argsort(-people, axis=None, kind="stable")] = np.arange(people.size)[::-1]
    return Surface(found.reshape(people.shape))


_ATTENTION = Inputs(
    pairs=st.integers(0, 999).map(_gazed),
    perfect=None,
    empty=(Surface(np.ones(_LOOKED_AT)), Lookers({"a": scanpath([], [])}, _LOOKED_AT)),
    blurred=_with_a_blind,
    shuffled=lambda found, lookers, rng: (
        found,
        replace(lookers, paths={who: lookers.paths[who] for who in rng.permutation(list(lookers.paths))}),
    ),
    settings={
        "auc": [
            {"controls": "unfixated"},
            {"controls": "shuffled"},
            {"thresholds": "fixated"},
            {"duplicates": "merge"},
        ],
        "sauc": [{"match": "observer"}, {"match": "time"}, {"match": "both", "duplicates": "merge"}],
        "auc_borji": [{"splits": 3, "step": 0.01, "draws": 50}],
        "sauc_mit": [{"pictures": 1, "splits": 3}, {"pictures": 0, "splits": 0}],
        "eer": [{"controls": "shuffled"}],
        "nss": [{"kernel": 1.0}, {"ddof": 1, "duplicates": "merge"}],
        "percentile": [{"ties": "strict"}],
        "hit_rate": [{"kept": 0.5}],
        "fixation_kl": [{"controls": "shuffled", "repeats": 5}],
        "kl": [{"direction": "model-people"}, {"base": 2, "of": "held"}, {"eps": 1e-7}],
        "kl_added": [{"direction": "model-people"}],
        "sim": [{"stretch": True}],
        "cc": [{"of": "held"}],
        "top_auc": [{"top": 0.02}, {"area": "trapezoid"}],
        "information_gain": [{"baseline": "controls"}],
    },
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
    shuffled=_reordered,
    settings={},
)


def _beyond(scenes, *, perfect=motion_beyond.observed, settings=None):
    """How the measures beyond the seed's classes are tried: on these scenes, with random walks for answers."""
    return Inputs(
        pairs=st.integers(0, 999).map(lambda seed: motion_beyond.strolls(scenes, seed)),
        perfect=lambda percepts: perfect(scenes),
        empty=([_BLIND], [Percept("barber", 0.0, 10.0)]),
        blurred=lambda found, percepts: ([_earlier(one) for one in found], percepts),
        shuffled=_reordered,
        settings=settings or {},
    )


_WALKS = Inputs(
    pairs=st.integers(0, 499).map(walks.walked),
    perfect=lambda lookers: lookers.paths["a"],
    empty=walks.NOBODY,
    blurred=walks.with_unknowns,
    shuffled=None,
    settings={
        "string_edit": [{"kind": "levenshtein", "cut": "people"}, {"kind": "lcs"}, {"kind": "hamming", "cut": 2}],
        "string_similarity": [{"kind": "lcs", "areas": walks.LABELS}, {"kind": "hamming"}, {"over": "best", "cut": 2}],
        "mannan": [{"reference": "shuffled"}],
        "multimatch": [{"simplify": True}, {"align": "direction"}, {"over": "medoid"}],
        "scanmatch": [{"step_ms": 50.0}, {"grid": (3, 2), "threshold": 1.0}],
        "subsmatch": [{"window": 3, "letters": 2}, {"axis": "y"}],
        "tde": [{"k": 1, "norm": "rms"}, {"norm": "mean", "reach": "hausdorff"}],
        "string_tde": [{"k": 1}, {"reach": "hausdorff"}],
        "stde": [{"norm": "rms"}, {"norm": "mean"}, {"reach": "hausdorff"}],
        "dtw": [{"normalise": True, "unit": "deg"}],
        "eyenalysis": [{"weights": (1.0, 1.0, 0.1, 0.1)}],
        "scasim": [{"normalise": "durations"}, {"normalise": "fixations"}],
        "sequence_score": [{"areas": 4}, {"bandwidth": 5.0, "cut": "shorter"}],
        "determinism": [{"least": 3}],
    },
)
_DYNAMICS = Inputs(
    pairs=st.integers(0, 499).map(walks.pooled),
    perfect=walks.as_people,
    empty=walks.NOBODY_POOLED,
    blurred=walks.with_nobody,
    shuffled=_reordered,
    settings={
        "amplitude_divergence": [{"by": "wasserstein"}, {"by": "ks", "unit": "diagonal"}, {"by": "js"}],
        "direction_divergence": [{"by": "wasserstein"}, {"by": "ks"}, {"by": "kl_model_people"}],
        "joint_divergence": [{"by": "js"}],
    },
)
_OF_SCANPATHS = ("string_edit", "mannan", "multimatch", "scanmatch", "subsmatch", "time_delay", "elastic", "scasim")


# By domain, or by domain.family where the families of a domain read different things.
INPUTS = {
    "attention": _ATTENTION,
    "attention.maps": _ATTENTION._replace(perfect=lambda lookers: Surface(continuous_map(lookers))),
    "attention.regions": _ATTENTION._replace(perfect=_reading_order),
    **{f"attention.{family}": _WALKS for family in (*_OF_SCANPATHS, "sequence_score")},
    "attention.recurrence": _WALKS._replace(perfect=None),
    "attention.dynamics": _DYNAMICS,
    "attention.information": _ATTENTION._replace(pairs=st.integers(0, 249).map(_estimated)),
    "motion": _MOTION,
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
        shuffled=_reordered,
        settings={},
    ),
    "stereo": Inputs(
        pairs=_maps,
        perfect=np.copy,
        empty=(np.zeros(3, np.float32), _UNKNOWN),
        blurred=_more,
        shuffled=_shuffled,
        settings={
            "bad_pixels": [{"delta": 0.5}, {"delta": 0}, {"invalid": "exclude"}],
            "quantile": [{"q": 0.0}, {"q": 0.5}],
            "bmpre": [{"normalise": "all"}, {"normalise": "bad"}, {"delta": 3}],
            "sze": [{"fb": 200.0}, {"mu": 0.1}, {"invalid": "exclude"}],
            "d1": [{"invalid": "exclude"}],
        },
    ),
    "stereo.consistency": Inputs(
        pairs=st.integers(0, 999).map(_seen_twice),
        perfect=lambda shares: [np.full((4, 5), 8 * abs(share.factor), np.float32) for share in shares],
        empty=([np.ones((4, 5), np.float32)], [Share(1.0)]),
        blurred=lambda maps, shares: ([np.pad(d, (0, 3), constant_values=np.nan) for d in maps], shares),
        shuffled=_reordered,
        settings={"inconsistency": [{"delta": 0.25}]},
    ),
    "stereo.published": Inputs(
        pairs=st.tuples(st.floats(0, 100) | st.just(math.nan), st.none()),
        perfect=lambda _: 0.0,
        empty=(math.nan, None),
        blurred=lambda found, reference: (found, reference),
        shuffled=None,
        settings={},
    ),
    "stereo.prediction": Inputs(
        pairs=st.builds(_scene, st.integers(0, 999), st.sampled_from([1.0, 0.5, -0.5])),
        perfect=_foretold,
        empty=(Prediction(np.zeros((12, 14)), _NOWHERE), Truth(_NOWHERE)),
        blurred=_out_of_sight,
        shuffled=None,
        settings={"view_rmse": [{"visible": "own"}, {"blend": 0.2}], "view_ssim": [{"visible": "own"}]},
    ),
}


def inputs(place, name):
    domain, family = place.partition(".")[0], name.partition(".")[0]
    found = INPUTS.get(f"{domain}.{family}") or INPUTS.get(domain)
    if found is None:
        pytest.fail(
            f"no inputs for the measures of {domain}.{family}: add INPUTS['{domain}.{family}'] = Inputs(...) "
            "to tests/test_every_measure.py, with a strategy that draws (observed, reference)"
        )
    return found


found = functools.cache(find)  # a look-up reads the files of all families


def variants(place, name):
    """The measure as it is, and with the further settings that INPUTS names."""
    measure = found(place, name)
    yield measure
    for chosen in inputs(place, name).settings.get(measure.__name__, []):
        yield fix(measure, **chosen)


def value(measure, observed, reference):
    """The number, or NaN where there is nothing to measure."""
    freeze((observed, reference))
    try:
        found = result(measure(observed, reference))
    except NotApplicable:
        return math.nan
    assert (found.state in ("na", "failed")) == math.isnan(found.value)
    return found.value


@each_measure
def test_its_card_is_complete(place, name):
    its = card(find(place, name))
    assert isinstance(its, Card)
    assert its.name == name.partition(".")[2] == find(place, name).__name__
    assert its.better in ("higher", "lower")
    assert its.bounds[0] < its.bounds[1]
    assert callable(its.reads)
    assert its.per
    if its.per != "sample":
        assert its.resample, "a pooled measure says what is resampled for its interval"


@each_measure
def test_its_source_is_in_the_library(place, name):
    keys = [key.strip() for key in card(find(place, name)).cite.split(",") if key.strip()]
    assert keys, "a measure says where it comes from: cite=KEY"
    assert [key for key in keys if key not in library()] == []


@each_measure
def test_its_docstring_has_a_formula_and_an_example(place, name):
    text = inspect.getdoc(find(place, name))
    examples = doctest.DocTestParser().get_examples(text)
    assert [example for example in examples if example.want], "an example that can be checked by hand"
    prose = text.partition(">>>")[0]
    assert re.search(r"[=/Σ∑√∏∫≤≥<>^·]", prose), "a line with the formula"
    words = r"NaN|undefined|not applicable|empt|without an estimate|holes|no known|nothing"
    assert re.search(words, prose, re.IGNORECASE), "how empties and NaN are treated"


@each_measure
def test_its_settings_are_keywords_with_defaults(place, name):
    further = list(inspect.signature(find(place, name)).parameters.values())[2:]
    assert all(p.kind is p.KEYWORD_ONLY and p.default is not p.empty for p in further)


@each_measure
@quick
@given(data=st.data())
def test_a_perfect_answer_reaches_the_best_bound(place, name, data):
    kind = inputs(place, name)
    if kind.perfect is None:
        pytest.skip(f"no answer reaches the bounds of {place} {name}: they are limits")
    _, reference = data.draw(kind.pairs)
    for measure in variants(place, name):
        found, best = value(measure, kind.perfect(reference), reference), card(measure).best
        assert math.isnan(found) or math.isinf(best) or found == pytest.approx(best, abs=1e-9)


@each_measure
@quick
@given(data=st.data())
def test_its_values_stay_in_their_bounds(place, name, data):
    pair = data.draw(inputs(place, name).pairs)
    for measure in variants(place, name):
        found, (lo, hi) = value(measure, *pair), card(measure).bounds
        assert math.isnan(found) or lo <= found <= hi
        assert value(measure, *pair) == pytest.approx(found, nan_ok=True, abs=0)  # the same again


@each_measure
def test_some_answers_are_worse_than_the_best(place, name):
    # else the laws above would hold of a constant
    seen = set()

    @quick
    @given(inputs(place, name).pairs)
    def collect(pair):
        seen.add(value(find(place, name), *pair))

    collect()
    assert len({number for number in seen if not math.isnan(number)}) > 1


def same(one, other):
    return one == pytest.approx(other, rel=1e-9, abs=1e-12, nan_ok=True)


@each_measure
@quick
@given(data=st.data(), seed=st.integers(0, 9))
def test_the_order_does_not_matter(place, name, data, seed):
    kind = inputs(place, name)
    if kind.shuffled is None:
        pytest.skip(f"the order matters to the measures of {place}")
    pair = data.draw(kind.pairs)
    other = kind.shuffled(*pair, np.random.default_rng(seed))
    for measure in variants(place, name):
        assert same(value(measure, *other), value(measure, *pair))


@each_measure
@quick
@given(data=st.data())
def test_what_is_not_known_changes_nothing(place, name, data):
    kind = inputs(place, name)
    pair = data.draw(kind.pairs)
    for measure in variants(place, name):
        assert same(value(measure, *kind.blurred(*pair)), value(measure, *pair))


@each_measure
def test_where_there_is_nothing_to_measure_there_is_no_number(place, name):
    for measure in variants(place, name):
        assert math.isnan(value(measure, *inputs(place, name).empty))


HOLES = (np.array([5, 6, 8, np.nan], np.float32), np.full(4, 5, np.float32))  # errors 0, 1, 3 and one hole


@pytest.mark.parametrize(
    ("name", "chosen", "expected"),
    [
        ("bad_pixels", {}, 50.0),  # the hole is bad: 2 of 4
        ("bad_pixels", {"invalid": "exclude"}, 100 / 3),  # it is left out: 1 of 3
        ("mae", {}, 4 / 3),  # (0 + 1 + 3) / 3
        ("rms", {}, (10 / 3) ** 0.5),  # (0 + 1 + 9) / 3
        ("density", {}, 0.75),
    ],
)
def test_holes_of_disparity_maps_cost_what_the_docstrings_say(name, chosen, expected):
    assert value(fix(find("stereo.measures", name), **chosen), *HOLES) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("name", "expected"), [("bad_pixels", 100.0), ("density", 0.0), ("mae", math.nan), ("rms", math.nan)]
)
def test_a_map_of_holes_alone(name, expected):
    found = np.full(4, np.nan, np.float32)
    assert value(find("stereo.measures", name), found, HOLES[1]) == pytest.approx(expected, nan_ok=True)


def test_the_walk_meets_every_family_and_says_what_is_missing():
    assert ("stereo.measures", "disparity.bad_pixels") in EVERY
    with pytest.raises(pytest.fail.Exception, match=r"add INPUTS\['smell\.odour'\] = Inputs"):
        inputs("smell.measures", "odour.near")
