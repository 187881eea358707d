"""Measures taken over a tag's values or the whole bed, from the small pairs that the trials have kept."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from beholder.spine.benchmark import Criterion
from beholder.spine.faults import says
from beholder.spine.job import Job, rng_for
from beholder.spine.measure import SETTLED, Measure, NotApplicable, Result, card, result
from beholder.spine.sample import worst
from beholder.spine.trial import Outcome, merged
from beholder.stats import bootstrap

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


def pooled(job: Job, measure: Measure, criterion: Criterion, outcomes: Mapping[str, Outcome]) -> Iterator[Pooled]:
    """A pooled measure for every unit and repeat; `outcomes` are a model's, by sample, in the bed's order."""
    for (unit, repeat), group in groups(measure, criterion, outcomes).items():
        names = (job.benchmark.bed.name, card(measure).name, criterion.name, unit)
        found = taken(measure, group.pairs)
        held = {id for of in group.pairs.values() for id in of}
        if found.state in SETTLED:
            found = _with_interval(measure, group, found, rng_for(job.seed, *names))
        yield Pooled(unit, repeat, _with_losses(found, group, len(held)), len(held), worst(group.statuses))


def groups(measure: Measure, criterion: Criterion, outcomes: Mapping[str, Outcome]) -> dict[tuple[str, int], Group]:
    """The samples of each unit and repeat."""
    its = card(measure)
    found: dict[tuple[str, int], Group] = defaultdict(lambda: Group(defaultdict(dict), {}, {}, []))
    for id, outcome in outcomes.items():
        unit = "*" if its.per == "bed" else outcome.tags.get(its.per, UNKNOWN)
        for repeat, who, value in outcome.pooled.get((its.name, criterion.name), []):
            group = found[unit, repeat]
            if isinstance(value, Result):
                group.lost.setdefault(id, value)
                continue
            group.pairs[who][id] = value
            group.clusters[id] = id if its.resample in ("", "sample") else outcome.tags.get(its.resample, UNKNOWN)
            group.statuses.append(outcome.status)
    return found


def taken(measure: Measure, pairs: Mapping[str, Mapping[str, tuple[Any, Any]]], ids: Sequence[str] = ()) -> Result:
    """The measure over some samples (all by default, with repetition), averaged over held-out observers."""
    results = []
    for own in pairs.values():
        chosen = [own[id] for id in ids if id in own] if ids else list(own.values())
        if chosen:
            results.append(_measured(measure, chosen))
    return merged(results)[0] if results else Result(math.nan, state="na", reason="no sample was left to pool")


def _measured(measure: Measure, pairs: Sequence[tuple[Any, Any]]) -> Result:
    observed, references = (list(side) for side in zip(*pairs, strict=True))
    try:
        return result(measure(observed, references))
    except NotApplicable as fault:
        return Result(math.nan, state="na", reason=str(fault) or "not applicable")
    except Exception as fault:  # noqa: BLE001  (a failure is a row)
        return Result(math.nan, state="failed", reason=f"{card(measure).name}: {says(fault)}")


def _with_interval(measure: Measure, group: Group, found: Result, rng: np.random.Generator) -> Result:
    """The result with its percentile bootstrap interval over what the card says is resampled."""
    its = card(measure)
    members: dict[str, list[str]] = defaultdict(list)
    for id, cluster in group.clusters.items():
        members[cluster].append(id)
    if not its.resample or not math.isnan(found.lo) or len(members) < 2:
        return found
    names = list(members)
    values = []
    for _ in range(its.draws):
        drawn = [id for at in rng.integers(len(names), size=len(names)) for id in members[names[at]]]
        values.append(taken(measure, group.pairs, drawn).value)
    lo, hi = bootstrap.interval(np.array(values)[:, None])
    return found._replace(lo=float(lo[0]), hi=float(hi[0]))


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
