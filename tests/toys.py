"""Two toy benchmarks that use everything of the pipeline that stereo does not.

`opinions`: measures are models, scored against raters; the ceiling is raters against raters.
`glances`: a stochastic looker, a tag-wise measure with parts, controls from other samples, a readout, criteria.
"""

import os
import signal
import sys
import time
import types
from dataclasses import dataclass, replace

import numpy as np

from beholder.core.benchmark import Benchmark, Criterion, Figures, Hooks, Lineup, People, Recorded, Unjudged
from beholder.core.measure import NotApplicable, Result, measure
from beholder.core.randomness import rng_for
from beholder.core.sample import Dataset, Sample
from beholder.core.scores import Score
from beholder.core.verdict import Verdict

GROUPS = {"lineup": Lineup, "figures": Figures, "hooks": Hooks}


def vary(bench, **changes):
    """A benchmark with some of its fields changed, whichever group they stand in; what is only shown is `shown` …"""
    flat = {"shown": ("unjudged", "measures"), "shown_within": ("unjudged", "criteria")}
    flat |= {name: (group, name) for group, kind in GROUPS.items() for name in kind._fields}
    for name, value in changes.items():
        if name in flat:
            group, own = flat[name]
            bench = replace(bench, **{group: getattr(bench, group)._replace(**{own: value})})
        else:
            bench = replace(bench, **{name: value})
    return bench


def pass_for_ours(monkeypatch, *functions):
    """Have functions of a test pass for functions of the package."""
    place = types.ModuleType("beholder.somewhere")
    monkeypatch.setitem(sys.modules, place.__name__, place)
    for function in functions:
        function.__module__, function.__qualname__ = place.__name__, function.__name__
        setattr(place, function.__name__, function)


# rows of a table


def score(model="a", unit="1", value=1.0, **more):
    fields = {
        "benchmark": "toy/dense", "version": 1, "model": model, "role": "model", "dataset": "toy", "unit": unit,
        "repeat": 0, "measure": "bad", "settings": "", "part": "", "criterion": "all", "better": "lower",
        "value": value, "lo": np.nan, "hi": np.nan, "n": 1, "state": "ok", "reason": "", "provenance": "",
    }  # fmt: skip
    return Score(**{**fields, **more})


def on_units(role, model, values, lo=np.nan, hi=np.nan, **more):
    """Rows of one model, a value for each of the units u0, u1 …"""
    same = {"benchmark": "b", "role": role, "criterion": "disc", "lo": lo, "hi": hi, **more}
    return [score(model, f"u{at}", value, **same) for at, value in enumerate(values)]


def failed(model, unit, **more):
    return score(model, unit, np.nan, state="failed", reason="it broke", **more)


def absent(model, unit, **more):
    return score(model, unit, np.nan, state="na", reason="no people here", **more)


def nobody(scores):
    """A judge that judges nothing."""
    return Verdict("nobody", (), scores.iloc[:0], "nothing was judged")


# opinions


@dataclass(frozen=True)
class Ratings:
    """What raters said of one item."""

    by: dict  # rater → value
    status: str = "verified"


RATERS = ("ann", "bob", "cyd", "dan")


def rated(id):
    """An item is a patch of noise; its quality is its mean, and raters see that with noise of their own."""
    rng = rng_for(7, id)
    quality = rng.random()
    patch = quality + 0.05 * rng.standard_normal((8, 8))
    who = RATERS if id != "item3" else RATERS[:3]  # dan missed one
    ratings = Ratings({r: quality + 0.1 * rng_for(7, id, r).standard_normal() for r in who})
    return Sample(id, patch, ratings, {"system": "ab"[int(id[4:]) % 2]})


def items(count=12):
    """The dataset."""
    return Dataset("items", tuple(f"item{i}" for i in range(count)), rated, licence="generated")


def mean_rating(answer, reference):
    return answer, float(np.mean(list(reference.by.values())))


@measure(better="higher", bounds=(-1, 1), cite="", per="dataset", resample="sample", draws=200)
def pearson(observed, ratings):
    """Correlation over items of what the measure says with the mean rating."""
    with np.errstate(invalid="ignore", divide="ignore"):  # a constant has no correlation: NaN
        return float(np.corrcoef(observed, ratings)[0, 1])


@measure(better="lower", bounds=(0, np.inf), cite="")
def miss(observed, rating):
    """|o − r| of one item."""
    return abs(observed - rating)


@measure(better="lower", bounds=(0, np.inf), cite="")
def miss_by(observed, rating, *, power=1):
    """|o − r|^power of one item."""
    return abs(observed - rating) ** power


def number(raw, patch):
    """Accept one finite number."""
    if not isinstance(raw, (int, float)) or isinstance(raw, bool):
        raise ValueError(f"got {type(raw).__name__}; expected a number")
    return float(raw)


def said(ratings, patch):
    return float(np.mean(list(ratings.by.values())))


def without(ratings, who):
    return Ratings({r: v for r, v in ratings.by.items() if r != who}, ratings.status)


def only(ratings, who):
    return Ratings({who: ratings.by[who]}, ratings.status)


def raters(ratings):
    return tuple(ratings.by)


def roster(dataset):
    return RATERS


class Deadly:
    """A model that ends every process that opens it, but for the one that made it."""

    def __init__(self):
        self.home = os.getpid()

    def __call__(self, patch):
        return 0.5

    def __setstate__(self, state):
        if os.getpid() != state["home"]:
            os._exit(7)
        self.__dict__ |= state


def brightness(patch):
    """A measure as a model."""
    return float(patch.mean())


def contrast(patch):
    """Another one, of no use."""
    return float(patch.std())


def constant(patch):
    return 0.5


def constant_blind(dataset):
    return {"constant": constant}


def opinions(dataset=None):
    return Benchmark(
        name="toy/opinions",
        version=1,
        dataset=dataset or items(),
        measures=(miss, pearson),
        judges=(nobody,),
        criteria=(Criterion("mean", mean_rating),),
        accept=number,
        lineup=Lineup(
            {"brightness": brightness, "contrast": contrast},
            constant_blind,
            people=People(raters, without, only, said, roster),
        ),
    )


# glances


@dataclass(frozen=True)
class Looks:
    """Where people looked on a line, and where they looked on another sample: the control."""

    at: np.ndarray
    control: np.ndarray
    status: str = "memory"


def looks(id):
    return rng_for(3, "looks", id).normal(int(id[1:]) % 3, 0.5, size=20)


def glance(id, every):
    rng = rng_for(3, "control", id)  # drawn before any slicing, from all ids, seeded by the sample's
    other = str(rng.choice([i for i in every if i != id]))
    place = int(id[1:]) % 3
    return Sample(id, np.array([float(place)]), Looks(looks(id), looks(other)), {"place": f"p{place}"})


@dataclass(frozen=True)
class Load:
    every: tuple

    def __call__(self, id):
        return glance(id, self.every)


def lines(count=9):
    ids = tuple(f"g{i}" for i in range(count))
    return Dataset("lines", ids, Load(ids), licence="generated")


def spread(answer, stimulus):
    """A readout; counts how often it is computed."""
    CALLS.append("spread")
    return np.asarray(answer) - stimulus


CALLS = []


@measure(better="lower", bounds=(0, np.inf), cite="", reads=spread, per="place")
def bias(observed, reference):
    """Mean distance per place, with its two halves as parts."""
    distances = [abs(float(np.mean(o))) for o in observed]
    return Result(float(np.mean(distances)), {"first": distances[0], "last": distances[-1]})


@measure(better="higher", bounds=(0, 1), cite="", reads=spread)
def above_control(observed, reference):
    """Share of looks that the answer is nearer to than to the control."""
    centre = float(np.mean(observed))
    return float(np.mean(abs(reference.at.mean() - centre) <= abs(reference.control - centre)))


@measure(better="lower", bounds=(0, np.inf), cite="", reads=spread)
def width(observed, reference):
    return float(np.std(observed))


def first_half(observed, reference):
    return observed[: len(observed) // 2], reference


def late_only(observed, reference):
    raise NotApplicable("nothing is late here")


def everything(observed, reference):
    return observed, reference


def looker(stimulus, *, rng):
    """Stochastic: looks near the place."""
    return stimulus[0] + rng.standard_normal(10)


def crowd(stimulus, *, rng, many):
    """Several lookers at once."""
    return list(stimulus[0] + rng.standard_normal((many, 10)))


def starer(stimulus):
    return np.full(10, stimulus[0])


def glances(dataset=None):
    return Benchmark(
        name="toy/glances",
        version=2,
        dataset=dataset or lines(),
        measures=(bias, above_control),
        judges=(nobody,),
        criteria=(Criterion("all", everything), Criterion("first", first_half), Criterion("late", late_only)),
        unjudged=Unjudged((width,)),
        lineup=Lineup({"looker": looker, "crowd": crowd, "starer": starer}, oracles=truth),
    )


def truth(dataset):
    return {"people": Recorded({id: looks(id)[:10] for id in dataset.ids})}


# models that misbehave on the sample whose first value says so


def trouble(kind, patch):
    """Everything that a model can do wrong, on one sample in three."""
    if int(1e6 * patch[0, 0]) % 3:
        return float(patch.mean())
    return {
        "raises": lambda: 1 / 0,
        "exits": lambda: sys.exit(3),
        "dies": lambda: os._exit(4),
        "segfaults": lambda: os.kill(os.getpid(), signal.SIGSEGV),
        "hangs": lambda: time.sleep(60),
        "prints": lambda: [sys.stdout.write("x" * 1_000_000) for _ in range(200)] and float(patch.mean()),
        "returns None": lambda: None,
        "returns text": lambda: "bright",
        "writes": lambda: patch.__setitem__((0, 0), 1.0),
    }[kind]()


def raises(patch):
    return trouble("raises", patch)


def exits(patch):
    return trouble("exits", patch)


def dies(patch):
    return trouble("dies", patch)


def segfaults(patch):
    return trouble("segfaults", patch)


def hangs(patch):
    return trouble("hangs", patch)


def prints(patch):
    return trouble("prints", patch)


def returns_none(patch):
    return trouble("returns None", patch)


def returns_text(patch):
    return trouble("returns text", patch)


def writes(patch):
    return trouble("writes", patch)
