"""A seeded search for the one parameter set of a model that scores best over a whole benchmark, through run().

First the model as it is, then settings drawn at random within the ranges, then coordinate by coordinate around the
best one, with steps that halve. The same seed gives the same search, whoever computes it.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.core.benchmark import Benchmark, Figures, Lineup, Unjudged
from beholder.engines.progress import Silent
from beholder.errors import Misuse
from beholder.evaluation.run import run
from beholder.evaluation.tune.ranges import Number, Range, default_share, fit_ranges
from beholder.registry.models import Plug
from beholder.registry.spec import parse
from beholder.store.ledger import Ledger
from beholder.verdicts.components import components
from beholder.verdicts.layout import by_unit, layout

if TYPE_CHECKING:
    import pandas as pd

Settings = Mapping[str, Number]
Point = NDArray[np.float64]  # one share of its range for each parameter

DRAWN = 4  # settings at random for each parameter, before the best one is refined
WIDEST, FINEST = 0.25, 1 / 256  # of a range: the first and the last step of the refinement


class Search(NamedTuple):
    """What is searched, how long, and from which seed."""

    over: Mapping[str, Range]
    trials: int = 30
    seed: int = 0


class Trial(NamedTuple):
    """One parameter set and its mean over the official measures; NaN with a reason where there is none."""

    settings: Settings  # nothing: the model as it is
    score: float
    cells: int = 0  # measure × criterion, unit by unit, that were scored: fewer are another question
    reason: str = ""


class Tuned(NamedTuple):
    """What came out: every trial in its order, the first one the model as it is."""

    trials: tuple[Trial, ...]
    higher: bool  # is better

    @property
    def best(self) -> Trial | None:
        """The best trial among those with the most scored components, the earliest of equals; None if none scored."""
        most = max(trial.cells for trial in self.trials)
        whole = [trial for trial in self.trials if trial.cells == most > 0]
        return max(whole, key=lambda trial: trial.score if self.higher else -trial.score, default=None)


def tune(
    benchmark: Benchmark,
    model: Plug | Callable[..., Any],
    search: Search,
    *,
    jobs: int = 0,
    ledger: Ledger | None = None,
    watch: Silent | None = None,
) -> Tuned:
    """Search for the parameter set with the best mean of the official measures; every trial is an entrant of run().

    The mean is over units within each measure × criterion, then over these, as `mean_score` takes it. A setting that
    fails on a sample is a trial without a score. With a ledger, what it holds already is not computed again.
    """
    opened, search = ready(benchmark, model, search)
    lean = replace(benchmark, lineup=Lineup(people=benchmark.lineup.people), unjudged=Unjudged(), figures=Figures())
    asked = _Asked(lean, model, search, jobs, ledger or Ledger(), watch or Silent())
    explore(search, np.array([default_share(opened, key, one) for key, one in search.over.items()]), asked)
    return asked.tuned


def ready(benchmark: Benchmark, model: Plug | Callable[..., Any], search: Search) -> tuple[Callable[..., Any], Search]:
    """The model, opened, and the search with ranges that fit it; refused where there is no such search."""
    if search.trials < 2:
        raise Misuse(f"got {search.trials} trials; expected 2 or more: the first is the model as it is")
    opened = _opened(model, benchmark)
    return opened, search._replace(over=fit_ranges(opened, search.over, f"model {_named(model)}"))


class _Asked:
    """Puts parameter sets to the benchmark, and keeps the trials."""

    def __init__(
        self, lean: Benchmark, model: Plug | Callable[..., Any], search: Search, jobs: int, book: Ledger, watch: Silent
    ) -> None:
        self.lean, self.model, self.search, self.jobs, self.book, self.watch = lean, model, search, jobs, book, watch
        self.tuned = Tuned((), True)

    def __call__(self, batch: Sequence[Settings]) -> list[float]:
        """How good each set is, more is better; −∞ where it could not be scored."""
        entrants = {f"trial {worded(settings)}": settled(self.model, settings) for settings in batch}
        scores = run(self.lean, entrants, seed=self.search.seed, jobs=self.jobs, ledger=self.book)
        found = [
            merit(scores[scores["model"] == name], settings) for name, settings in zip(entrants, batch, strict=True)
        ]
        higher = str(scores["better"].iloc[0]) == "higher"
        self.tuned = Tuned((*self.tuned.trials, *found), higher)
        best = self.tuned.best
        told = f"best so far {best.score:.4g} ({worded(best.settings)})" if best else f"no score ({found[0].reason})"
        self.watch.say(f"trial {len(self.tuned.trials)} of {self.search.trials}: {told}")
        signed = [trial.score if higher else -trial.score for trial in found]
        return [-math.inf if math.isnan(value) else value for value in signed]


def explore(search: Search, start: Point, ask: Callable[[Sequence[Settings]], list[float]]) -> None:
    """The course of the search: it asks how good sets are, at most as many as there are trials.

    `start` is where the model stands as it is, a share of each range; NaN where it stands outside.
    """
    rng = np.random.default_rng(search.seed)
    walk = _Walk(search, ask)
    walk.best, walk.top = start, ask([{}])[0]
    walk.to(rng.random((DRAWN * len(search.over), len(search.over))))
    walk.best = np.where(np.isnan(walk.best), 0.5, walk.best)
    step = WIDEST
    while walk.left > 0 and step >= FINEST:
        before = walk.top
        for axis in np.eye(len(search.over)):
            walk.to(np.clip([walk.best + step * axis, walk.best - step * axis], 0, 1))
        step = step if walk.top > before else step / 2


class _Walk:
    """Where the search is: the best point and how good it is; no set is asked for twice."""

    best: Point
    top: float

    def __init__(self, search: Search, ask: Callable[[Sequence[Settings]], list[float]]) -> None:
        self.over, self.left, self.ask, self.seen = search.over, search.trials - 1, ask, set[str]()

    def to(self, points: Point) -> None:
        """Ask for some points, and move to the best of them if it is better."""
        fresh: dict[str, tuple[Settings, Point]] = {}
        for point in points:
            settings = {key: one.at(share) for (key, one), share in zip(self.over.items(), point, strict=True)}
            if worded(settings) not in self.seen and len(fresh) < self.left:
                self.seen.add(worded(settings))
                fresh[worded(settings)] = (settings, point)
        self.left -= len(fresh)
        merits = self.ask([settings for settings, _ in fresh.values()]) if fresh else []
        for (_, point), value in zip(fresh.values(), merits, strict=True):
            if value > self.top:
                self.best, self.top = point, value


def merit(rows: pd.DataFrame, settings: Settings) -> Trial:
    """A trial from the score rows of its model."""
    found = components(rows)
    if not found.values.size:
        return Trial(settings, math.nan, reason="; ".join(found.left_out.values()) or "nothing applies")
    if len(set(found.sign)) > 1:
        raise Misuse(
            "got official measures of both directions (higher and lower is better), whose mean cannot be tuned by"
        )
    units = by_unit(found.values.to_numpy(dtype=float), layout(found))
    return Trial(settings, float(np.nanmean(units, axis=0).mean()), found.values.shape[1])


def settled(model: Plug | Callable[..., Any], settings: Settings) -> Plug | Callable[..., Any]:
    """The model with these settings beside those that it has."""
    if not isinstance(model, Plug):
        return functools.partial(model, **settings) if settings else model
    return replace(model, spec=spelt(model.spec, settings)) if settings else model


def spelt(spec: str, settings: Settings) -> str:
    """A spec with further settings.

    >>> spelt("block(window=5)", {"range": 0.5}), spelt("block", {})
    ('block(window=5,range=0.5)', 'block')
    """
    name, fixed = parse(spec)
    every = ",".join(f"{key}={value!r}" for key, value in {**fixed, **settings}.items())
    return f"{name}({every})" if every else name


def worded(settings: Settings) -> str:
    """A parameter set in words.

    >>> worded({"k": 3, "s": 0.5}), worded({})
    ('k=3, s=0.5', 'as it is')
    """
    return ", ".join(f"{key}={value!r}" for key, value in settings.items()) or "as it is"


def _opened(model: Plug | Callable[..., Any], benchmark: Benchmark) -> Callable[..., Any]:
    if not isinstance(model, Plug):
        return model
    if model.spec.startswith("cmd:"):
        raise Misuse(f"got {model.spec}; expected a function: only that has parameters to search over")
    return model.function(benchmark.files)


def _named(model: Plug | Callable[..., Any]) -> str:
    return parse(model.spec)[0] if isinstance(model, Plug) else str(getattr(model, "__name__", model))
