"""The slowest measures, readouts and models of the whole package, and what bounds each.

Every benchmark that has a built-in dataset; one thread; CPU time of one call. The first sample warms up, and of two
others the lesser time counts: a model may fit something once. Measures: all of the domain that apply, on the answer of
the cheapest baseline, each from bare inputs, so that nothing is found that another one has left; what they read out of
an answer is timed apart. Measures over many samples are left out: they read at most 64 kB of each. Models: the
baselines that are not fast by `evaluation/costs.csv`; scanpath models that draw ten people at once draw ten.

What bounds a call: the functions in which most of its time is spent (cProfile), and the time that reading its inputs
once would take, as fast as a large array is copied here.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is loaded: CPU time of one thread

import cProfile
import pickle
import platform
import pstats
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np

from beholder.core.benchmark import Benchmark
from beholder.core.entrant import Asked, Provided
from beholder.core.job import Job, freeze
from beholder.core.measure import card
from beholder.errors import NeedsDataset, Unsuited
from beholder.evaluation.costs import FAST, read_costs
from beholder.registry.find import find, names
from beholder.registry.load import benchmarks, load

SHOWN = 3  # of each kind
SPENT = 2  # functions that are named
COPIED = 1 << 27  # bytes: far more than a processor's cache


class Call(NamedTuple):
    """One call, and what it cost."""

    name: str
    benchmark: str
    seconds: float
    megabytes: float  # of the arrays that go in
    again: Callable[[], Any]  # the same from bare inputs
    found: Any = None  # what it gave


def bandwidth() -> float:
    """Bytes a second that are read and written when a large array is copied: the most of five."""
    source, target = np.ones(COPIED // 8), np.empty(COPIED // 8)
    return 2 * COPIED / min(cpu(lambda: np.copyto(target, source)) for _ in range(5))


def cpu(call: Callable[[], Any]) -> float:
    """CPU seconds of a call."""
    start = time.process_time()
    call()
    return time.process_time() - start


def built_in() -> Iterator[tuple[str, Job]]:
    """Benchmarks that have a dataset, with their baselines; answers that were recorded cost nothing."""
    for name in benchmarks():
        if name == "stereo/published":
            continue
        try:
            bench = load(name)
        except (NeedsDataset, Unsuited):
            continue
        yield name, Job(bench, {one: Provided(one, "baseline") for one in bench.provided("baseline")})


def some(bench: Benchmark) -> tuple[str, str, str]:
    """A sample that warms up, and two that count."""
    ids = bench.dataset.ids
    return ids[0], ids[len(ids) // 3], ids[len(ids) * 2 // 3]


def bare(thing: Any) -> Any:
    """A copy without what was derived from it."""
    return pickle.loads(pickle.dumps(thing))


def models(name: str, job: Job, costs: dict[tuple[str, str], float]) -> Iterator[Call]:
    """Every baseline of a benchmark that costs something."""
    for one in job.entrants:
        if costs.get((name, one), 0.0) < FAST:
            continue
        met = [job.meet(id) for id in some(job.benchmark)]
        first, *others = (partial(asked_once, job, one, asked) for asked in met)
        first()
        yield Call(one, name, min(map(cpu, others)), freeze(met[-1].sample.stimulus) / 1e6, others[-1])


def asked_once(job: Job, name: str, asked: Asked) -> Any:
    """The first answer of an entrant to a sample; one that draws several at once draws all."""
    return next(iter(job.respondent(name).ask(asked))).ask()


def measures(name: str, job: Job, costs: dict[tuple[str, str], float]) -> Iterator[tuple[str, Call]]:
    """Every measure of a benchmark's domain that applies to it, and every readout: ("measure" or "readout", call)."""
    bench, domain = job.benchmark, name.partition("/")[0]
    room = f"{domain}.measures"
    every = {card(of).label: of for of in (*bench.all_measures, *(find(room, one) for one in names(room)))}
    every = {label: of for label, of in every.items() if card(of).per == "sample"}
    cheapest = min(job.entrants, key=lambda one: costs.get((name, one), np.inf), default=None)
    if cheapest is None or not every:
        return
    pairs = [answered(job, cheapest, id) for id in some(bench)]
    for reads in {card(of).reads for of in every.values()}:
        told = f"{reads.__module__.removeprefix('beholder.')}.{reads.__name__}"
        given = [bare((answer, stimulus)) for answer, stimulus, _ in pairs]
        calls = [timed(told, name, partial(reads, *pair), pair) for pair in given]
        if not all(calls):
            continue  # it is not about such answers
        yield "readout", least(calls)
        read = [call.found for call in calls if call]
        for label, of in every.items():
            if card(of).reads is not reads:
                continue
            given = [bare((observed, reference)) for observed, (_, _, reference) in zip(read, pairs, strict=True)]
            calls = [timed(label, name, partial(of, *pair), pair) for pair in given]
            if all(calls):
                again = given[-1]
                yield "measure", least(calls)._replace(again=lambda of=of, again=again: of(*bare(again)))


def answered(job: Job, name: str, id: str) -> tuple[Any, Any, Any]:
    """What an entrant answers to a sample, the stimulus, and whom it is scored on."""
    asked = job.meet(id)
    question = next(iter(job.respondent(name).ask(asked)))
    return job.benchmark.accept(question.ask(), asked.sample.stimulus), asked.sample.stimulus, question.held[0][1]


def timed(label: str, name: str, call: Callable[[], Any], given: Any) -> Call | None:
    """A call and its cost; None where it does not apply."""
    start = time.process_time()
    try:
        found = call()
    except Exception:  # noqa: BLE001  (a measure of another kind of answer)
        return None
    return Call(label, name, time.process_time() - start, freeze(given) / 1e6, call, found)


def least(calls: list[Call | None]) -> Call:
    """The cheaper one of those that count."""
    return min((call for call in calls[1:] if call), key=lambda call: call.seconds)


def slowest(calls: list[Call]) -> list[Call]:
    """The slowest of all, each by its slowest benchmark."""
    kept: dict[str, Call] = {}
    for call in sorted(calls, key=lambda one: one.seconds):
        kept[call.name] = call
    return sorted(kept.values(), key=lambda one: -one.seconds)[:SHOWN]


def spent_in(call: Call) -> str:
    """The functions in which most of the time is spent, with their shares."""
    profile = cProfile.Profile(time.process_time)
    with tempfile.TemporaryDirectory() as cache:  # an empty one
        os.environ["BEHOLDER_CACHE"] = cache
        profile.runcall(call.again)
    own = {where: stats[2] for where, stats in pstats.Stats(profile).stats.items() if "pickle" not in where[2]}  # type: ignore[attr-defined]
    whole = sum(own.values()) or 1.0
    most = sorted(own, key=lambda where: -own[where])[:SPENT]
    return ", ".join(f"{place(*where)} {100 * own[where] / whole:.0f} %" for where in most)


def place(file: str, _: int, function: str) -> str:
    """A function as one would look for it."""
    return f"`{Path(file).stem}.{function}`" if file.endswith(".py") else f"`{function.strip('<>')}`"


def main() -> None:
    cv2.setNumThreads(1)
    warnings.simplefilter("ignore")
    costs, rate = read_costs(), bandwidth()
    found: dict[str, list[Call]] = {"measure": [], "readout": [], "model": []}
    with tempfile.TemporaryDirectory() as cache:
        os.environ["BEHOLDER_CACHE"] = cache
        for name, job in built_in():
            found["model"] += models(name, job, costs)
            for kind, call in measures(name, job, costs):
                found[kind].append(call)
        print(f"# The slowest ({platform.machine()}, Python {platform.python_version()}, numpy {np.__version__})\n")
        print(f"CPU time of one call, one thread; a large copy moves {rate / 1e9:.1f} GB/s here.\n")
        print("| the slowest | benchmark | CPU ms | MB that go in | ms to read them | most time is spent in |")
        print("|---|---|---|---|---|---|")
        for kind, calls in found.items():
            for at, one in enumerate(slowest(calls), 1):
                print(
                    f"| {kind} {at}: {one.name} | {one.benchmark} | {1e3 * one.seconds:.1f} | {one.megabytes:.1f} "
                    f"| {1e9 * one.megabytes / rate:.2f} | {spent_in(one)} |"
                )
        print(f"\n{', '.join(f'{len({one.name for one in calls})} {kind}s' for kind, calls in found.items())} timed.")


if __name__ == "__main__":
    main()
