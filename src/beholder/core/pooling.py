"""Measures taken over a tag's values or the whole dataset, from the small pairs that the trials have kept."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.core.benchmark import EVERYWHERE, Benchmark, Criterion
from beholder.core.failures import describe_fault
from beholder.core.measure import SETTLED, Measure, NotApplicable, Resampling, Result, arguments, card, result
from beholder.core.randomness import rng_for
from beholder.core.sample import worst
from beholder.core.trial import Outcome, average
from beholder.stats import bootstrap

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

UNKNOWN = "(unknown)"  # the group of a sample whose tags nobody has seen, because its worker died


class Group(NamedTuple):
    """One unit of a pooled measure for one repeat: what was observed of each sample, for each held-out observer."""

    pairs: dict[str, dict[str, tuple[Any, Any]]]  # whom → sample → (observed, reference)
    clusters: dict[str, str]  # sample → what is resampled together
    lost: dict[str, Result]  # by sample
    statuses: list[str]


class Pooled(NamedTuple):
    """One number over many samples."""

    unit: str
    repeat: int
    result: Result
    n: int
    status: str


def pool(
    benchmark: Benchmark, measure: Measure, criterion: Criterion, outcomes: Mapping[str, Outcome], *, seed: int
) -> Iterator[Pooled]:
    """A pooled measure for every unit and repeat; `outcomes` are an entrant's, by sample, in the dataset's order."""
    found = _group(measure, criterion, outcomes)
    if not found and outcomes:
        yield Pooled("*", 0, Result(math.nan, state="na", reason=why_nothing(measure, criterion)), 0, "")
    for unit in dict.fromkeys(unit for unit, _ in found):
        repeats = {repeat: group for (of, repeat), group in found.items() if of == unit}
        names = (benchmark.dataset.name, card(measure).label, criterion.name, unit)
        results = _with_intervals(measure, repeats, partial(rng_for, seed, *names))
        for repeat, group in repeats.items():
            held = len({id for of in group.pairs.values() for id in of})
            yield Pooled(unit, repeat, _with_losses(results[repeat], group, held), held, worst(group.statuses))


def why_nothing(measure: Measure, criterion: Criterion) -> str:
    """Why there is nothing of a measure on a dataset."""
    within = "" if criterion == EVERYWHERE else f" within {criterion.name}"
    return f"{card(measure).label} applies to no sample of this dataset{within}"


def _group(measure: Measure, criterion: Criterion, outcomes: Mapping[str, Outcome]) -> dict[tuple[str, int], Group]:
    """The samples of each unit and repeat."""
    its, by = card(measure), _resampled_by(measure)
    found: dict[tuple[str, int], Group] = defaultdict(lambda: Group(defaultdict(dict), {}, {}, []))
    for id, outcome in outcomes.items():
        unit = "*" if its.per == "dataset" else outcome.tags.get(its.per, UNKNOWN)
        for repeat, who, value in outcome.pooled.get((its.label, criterion.name), []):
            group = found[unit, repeat]
            if isinstance(value, Result):
                group.lost.setdefault(id, value)
                continue
            group.pairs[who][id] = value
            group.clusters[id] = id if by in ("", "sample") else outcome.tags.get(by, UNKNOWN)
            group.statuses.append(outcome.status)
    return found


def _resampled_by(measure: Measure) -> str:
    resampling = card(measure).resampling
    return resampling.by if resampling else ""


def take(measure: Measure, pairs: Mapping[str, Mapping[str, tuple[Any, Any]]], ids: Sequence[str] = ()) -> Result:
    """The measure over some samples (all by default, with repetition), averaged over held-out observers."""
    results = []
    for own in pairs.values():
        chosen = [own[id] for id in ids if id in own] if ids else list(own.values())
        if chosen:
            results.append(_measured(measure, chosen))
    return average(results)[0] if results else Result(math.nan, state="na", reason="no sample was left to pool")


def _measured(measure: Measure, pairs: Sequence[tuple[Any, Any]]) -> Result:
    observed, references = (list(side) for side in zip(*pairs, strict=True))
    try:
        return result(measure(observed, references))
    except NotApplicable as fault:
        return Result(math.nan, state="na", reason=str(fault) or "not applicable")
    except Exception as fault:  # noqa: BLE001  (a failure is a row)
        return Result(math.nan, state="failed", reason=f"{card(measure).label}: {describe_fault(fault)}")


def _with_intervals(
    measure: Measure, repeats: Mapping[int, Group], rng: Callable[[], np.random.Generator]
) -> dict[int, Result]:
    """The result of each repeat, with a bootstrap interval over what the card says is resampled.

    Where draws are made at once, all repeats share the interval of their mean, which is what a table shows, shifted to
    each one's value; else each repeat has its own.
    """
    results = {repeat: take(measure, group.pairs) for repeat, group in repeats.items()}
    drawn: dict[int, Floats] = {}
    resampling = card(measure).resampling
    for repeat, group in repeats.items():
        if results[repeat].state in SETTLED and math.isnan(results[repeat].lo) and resampling:
            drawn |= {repeat: draws} if len(draws := _bootstrap(measure, resampling, group, rng)) else {}
    alike = len({tuple(repeats[repeat].clusters.items()) for repeat in drawn}) == 1
    if resampling and resampling.at_once and alike:
        mean = bootstrap.mean_of_known(np.array(list(drawn.values()))) - np.mean(
            [results[repeat].value for repeat in drawn]
        )
        drawn = {repeat: mean + results[repeat].value for repeat in drawn}
    for repeat, draws in drawn.items():
        bounds = bootstrap.interval(draws[:, None], units=len(set(repeats[repeat].clusters.values())))
        lo, hi = np.clip(bounds, *card(measure).bounds)
        results[repeat] = results[repeat]._replace(lo=float(lo[0]), hi=float(hi[0]))
    return results


def _bootstrap(measure: Measure, how: Resampling, group: Group, rng: Callable[[], np.random.Generator]) -> Floats:
    """The values of the draws; none where there are fewer than three clusters."""
    members: dict[str, list[str]] = defaultdict(list)
    for id, cluster in group.clusters.items():
        members[cluster].append(id)
    names = list(members)
    if len(names) < bootstrap.LEAST:
        return np.empty(0)
    values = _at_once(measure, how, group, names, rng())
    if values is None:
        drawn = ([id for at in row for id in members[names[at]]] for row in _picks(len(names), how.draws, rng()))
        values = np.array([take(measure, group.pairs, ids).value for ids in drawn])
    return values


def _picks(n: int, draws: int, rng: np.random.Generator) -> Iterator[Ints]:
    """Which of `n` clusters stand in each draw; only a few draws are held at once."""
    block = max(1, bootstrap.BLOCK // n)
    for start in range(0, draws, block):
        yield from rng.integers(n, size=(min(block, draws - start), n))


def _at_once(
    measure: Measure, how: Resampling, group: Group, names: Sequence[str], rng: np.random.Generator
) -> Floats | None:
    """The value of each draw of clusters, averaged over held-out observers, by the measure's vectorised function."""
    if how.at_once is None:
        return None
    often = np.empty((how.draws, len(names)))
    for row, picks in zip(often, _picks(len(names), how.draws, rng), strict=True):
        row[:] = np.bincount(picks, minlength=len(names))
    place = {name: at for at, name in enumerate(names)}
    total, held = np.zeros(how.draws), np.zeros(how.draws)
    for own in group.pairs.values():
        observed, references = (list(side) for side in zip(*own.values(), strict=True))
        at = [place[group.clusters[id]] for id in own]
        counts = often if at == list(range(len(names))) else often[:, at]  # most often each sample is its own cluster
        found = how.at_once(observed, references, counts, **arguments(measure))
        if found is None:
            return None
        total, held = total + np.nan_to_num(found), held + ~np.isnan(found)
    return np.where(held > 0, total / np.maximum(held, 1), np.nan)


def _with_losses(found: Result, group: Group, held: int) -> Result:
    """A number that has lost samples is partial and says so; one that has lost them all has failed."""
    lost = list(group.lost.values())
    failed = [r for r in lost if r.state == "failed"]
    if not failed:
        return found if held or not lost else lost[0]
    if not held:
        return failed[0]
    counts = f"{held} of {held + len(failed)} samples; the first one lost: {failed[0].reason}"
    return found._replace(state="partial", reason=counts) if found.state in SETTLED else found
