"""Scanpaths in pairs: a score over all people, the most typical person, tables, and a permutation test of groups.

A comparison is a function (simulated, human) → `Result`; it raises `NotApplicable` where the two cannot be compared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial, singledispatch
from typing import Any, Literal, NamedTuple

import numpy as np

from beholder.attention.types import Floats, Lookers, Scanpath, keep_inside, scanpath
from beholder.core.measure import Better, NotApplicable, Result
from beholder.errors import Misuse

Compare = Callable[[Scanpath, Scanpath], Result]
Over = Literal["mean", "best", "medoid"]
Walk = Scanpath | Sequence[Scanpath]

LONGEST = 1000  # fixations: five minutes of looking; of two such scanpaths STDE takes a third of a second
ALONE = "only the person being scored fixated this picture"
NOBODY = "nobody fixated this picture, so there is no scanpath to compare with"
STILL = "the model made no fixation inside the picture"


@singledispatch
def read_scanpaths(answer: Any, stimulus: Any) -> Walk:
    """The readout of every measure that compares scanpaths: one scanpath, or several of one model.

    Other answer types join by `read_scanpaths.register`.
    """
    raise TypeError(f"got an answer of {type(answer).__name__}; expected a Scanpath, or a list of them")


@read_scanpaths.register
def _of_scanpath(answer: Scanpath, stimulus: Any) -> Walk:
    return answer


@read_scanpaths.register(list)
@read_scanpaths.register(tuple)
def _of_several(answer: Sequence[Any], stimulus: Any) -> Walk:
    others = {type(one).__name__ for one in answer if not isinstance(one, Scanpath)}
    if others or not answer:
        raise TypeError(f"got a list of {', '.join(sorted(others)) or 'nothing'}; expected one Scanpath or more")
    return tuple(answer)


@read_scanpaths.register
def _of_array(answer: np.ndarray, stimulus: Any) -> Walk:
    if answer.ndim != 2 or answer.shape[1] not in (2, 3):
        raise ValueError(f"got an array of shape {answer.shape}; expected n × 2 (x, y) or n × 3 (x, y, ms)")
    return scanpath(answer[:, 0], answer[:, 1], duration_ms=answer[:, 2] if answer.shape[1] == 3 else None)


def scanpaths_of(observed: Walk) -> tuple[Scanpath, ...]:
    """The scanpaths of an answer, as a tuple."""
    return (observed,) if isinstance(observed, Scanpath) else tuple(observed)


def paths_with_fixations(lookers: Lookers) -> dict[str, Scanpath]:
    """The paths of everybody who made a fixation; not applicable if nobody did."""
    found = {name: path for name, path in lookers.paths.items() if len(path)}
    if not found:
        raise NotApplicable(NOBODY)
    return found


def over_people(
    observed: Walk, lookers: Lookers, compare: Compare, *, over: Over = "mean", better: Better = "higher"
) -> Result:
    """Compare a model's scanpath with people's: the mean over people, the best, or the most typical person (medoid).

    Several scanpaths of a model are averaged. A scanpath that a person made (its `by`), or that was made from one, is
    not compared with that person. Fixations outside the picture (NaN is outside) are dropped and counted (part
    `dropped`); people without fixations are left out. Pairs that cannot be compared are counted (part `undefined`) and
    the reason says why; if no pair is left, the score is not applicable. If most pairs are of low confidence, so is
    the score. Parts are averaged over pairs; `n` is the number of pairs.
    """
    people = paths_with_fixations(lookers)
    if over not in ("mean", "best", "medoid"):
        raise Misuse(f"got over={over!r}; expected 'mean', 'best' or 'medoid'")
    held = [keep_inside(path, lookers.shape) for path in scanpaths_of(observed)]
    if over == "medoid":
        who = medoid(people, compare, better=better)
        people = {who: people[who]}
    found = [
        _compare_with_people(path, _others(people, path), compare, better if over == "best" else None)
        for path, _ in held
    ]
    return _pool_pairs(found, dropped=float(np.mean([off for _, off in held])))


def within_bounds(compare: Compare) -> Compare:
    """The same comparison of the first 1,000 fixations of each scanpath: what is longer is cut, and the pair is low.

    For measures whose cost grows with the third power of the lengths, or with a thousand draws of each: on 5,000
    fixations they would take minutes.
    """
    return partial(_bounded, compare=compare)


def _bounded(simulated: Scanpath, human: Scanpath, *, compare: Compare) -> Result:
    longest = max(len(simulated), len(human))
    if longest <= LONGEST:
        return compare(simulated, human)
    found = compare(simulated.at(slice(LONGEST)), human.at(slice(LONGEST)))
    said = f"the first {LONGEST:,} of {longest:,} fixations are compared"
    return found._replace(state="low", reason="; ".join(filter(None, (said, found.reason))))


def _others(people: Mapping[str, Scanpath], path: Scanpath) -> Mapping[str, Scanpath]:
    """Everybody but the person who made this path."""
    if not path.by:
        return people
    found = {name: other for name, other in people.items() if name != path.by}
    if not found:
        raise NotApplicable(ALONE)
    return found


class _Compared(NamedTuple):
    """One scanpath compared with some people."""

    values: Floats  # one per pair that could be compared
    parts: Sequence[Mapping[str, float]]
    low: Sequence[str]  # reasons of the pairs of low confidence
    notes: Sequence[str]  # reasons of the other pairs
    refused: Sequence[str]


def _compare_with_people(
    path: Scanpath, people: Mapping[str, Scanpath], compare: Compare, best: Better | None
) -> _Compared:
    results, refused = compare_with_each(path, people.values(), compare)
    if best and results:
        pick = max if best == "higher" else min
        results = [pick(results, key=lambda one: one.value)]
    low = [one.reason for one in results if one.state == "low"]
    notes = [one.reason for one in results if one.state != "low" and one.reason]
    values = np.array([one.value for one in results])
    return _Compared(values, [one.parts for one in results], low, notes, refused)


def compare_with_each(path: Scanpath, people: Any, compare: Compare) -> tuple[list[Result], list[str]]:
    """Compare one scanpath with several: the results, and the reasons of those that cannot be compared."""
    results, refused = [], []
    for human in people:
        try:
            found = compare(path, human)
        except NotApplicable as reason:
            refused.append(str(reason))
            continue
        if np.isnan(found.value):
            refused.append(found.reason or "undefined")
        else:
            results.append(found)
    return results, refused


def _pool_pairs(found: Sequence[_Compared], dropped: float) -> Result:
    refused = [why for one in found for why in one.refused]
    held = [one for one in found if len(one.values)]
    if not held:
        raise NotApplicable(refused[0])
    pairs = sum(len(one.values) for one in held)
    low = [why for one in held for why in one.low]
    said = []
    if refused:
        said.append(f"{len(refused)} of {pairs + len(refused)} pairs could not be compared: {refused[0]}")
    notes = [why for one in held for why in one.notes]
    said += [f"{len(of)} of {pairs} pairs: {of[0]}" for of in (low, notes) if of]
    counts = {"n": float(pairs), "undefined": float(len(refused)), "dropped": dropped}
    value = float(np.mean([one.values.mean() for one in held]))
    parts = _mean_parts([parts for one in held for parts in one.parts])
    return Result(value, {**parts, **counts}, state="low" if 2 * len(low) > pairs else "ok", reason="; ".join(said))


def _mean_parts(parts: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The mean of each part over the pairs that have it."""
    found = {}
    for name in dict.fromkeys(name for one in parts for name in one):
        values = np.array([one[name] for one in parts if name in one])
        known = values[~np.isnan(values)]
        found[name] = float(known.mean()) if len(known) else float("nan")
    return found


def pair_table(paths: Mapping[str, Scanpath], compare: Compare) -> Floats:
    """Compare everybody with everybody else: rows are taken as simulated, columns as human; NaN where undefined.

    >>> paths = {"a": scanpath([0, 1], [0, 0]), "b": scanpath([3], [0])}
    >>> pair_table(paths, lambda a, b: Result(float(len(a) - len(b))))
    array([[nan,  1.],
           [-1., nan]])
    """
    members = list(paths.values())
    found = np.full((len(members), len(members)), np.nan)
    for i, simulated in enumerate(members):
        for j, human in enumerate(members):
            if i != j:
                results, _ = compare_with_each(simulated, [human], compare)
                found[i, j] = results[0].value if results else np.nan
    return found


def medoid(paths: Mapping[str, Scanpath], compare: Compare, *, better: Better = "higher") -> str:
    """The most typical person: the one whom the others resemble most on average; the first of equals.

    >>> near = lambda a, b: Result(float(abs(a.x[0] - b.x[0])))
    >>> medoid({name: scanpath(x, 0) for name, x in {"a": 0, "b": 4, "c": 5}.items()}, near, better="lower")
    'b'
    """
    names = list(paths)
    table = pair_table(paths, compare)
    known = np.isfinite(table)
    if not known.any():
        return names[0]
    typical = np.where(known, table, 0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    worst = -np.inf if better == "higher" else np.inf
    ranked = np.where(known.any(axis=0), typical, worst)
    return names[int(np.argmax(ranked) if better == "higher" else np.argmin(ranked))]


def leave_one_out(
    lookers: Lookers, compare: Compare, *, over: Over = "mean", better: Better = "higher"
) -> dict[str, float]:
    """The score of each person against all others: people as models; NaN where a person cannot be compared.

    >>> here = Lookers({name: scanpath(x, 0) for name, x in {"a": 0, "b": 4, "c": 5}.items()}, (1, 9))
    >>> leave_one_out(here, lambda a, b: Result(float(abs(a.x[0] - b.x[0]))), better="lower")
    {'a': 4.5, 'b': 2.5, 'c': 3.0}
    """
    found = {}
    for name, path in paths_with_fixations(lookers).items():
        try:
            found[name] = over_people(path, lookers.without(name), compare, over=over, better=better).value
        except NotApplicable:
            found[name] = float("nan")
    return found


class Separation(NamedTuple):
    """Whether groups of people look differently."""

    difference: float  # how much more alike people of one group are than people of two groups; in the measure's unit
    p: float  # of a difference at least as large with random labels
    within: float
    between: float
    permutations: int


def group_separation(
    table: Floats,
    groups: Sequence[str],
    *,
    rng: np.random.Generator,
    better: Better = "higher",
    permutations: int = 999,
) -> Separation:
    """Are people of one group more alike than people of different groups? A permutation test on a `pair_table`.

    difference = within − between (its negative where lower is better), the means over known pairs; p = (1 + #{random
    labels with at least that})/(1 + permutations). One group, or groups of one alone, are refused.

    >>> table = np.array([[np.nan, 9, 1, 1], [9, np.nan, 1, 1], [1, 1, np.nan, 9], [1, 1, 9, np.nan]])
    >>> found = group_separation(table, ["x", "x", "y", "y"], rng=np.random.default_rng(0))
    >>> found.difference, found.p > 0.2  # one in three of all ways to pair four people is this one
    (8.0, True)
    """
    labels = np.unique(np.asarray(groups), return_inverse=True)[1]
    if table.shape != (len(labels), len(labels)):
        raise ValueError(f"got a table of {table.shape} and {len(labels)} groups; expected one group per row")
    known = np.isfinite(table)
    same = labels[:, None] == labels
    if not (known & same).any() or not (known & ~same).any():
        raise ValueError(
            "got no pair within a group, or none between groups; expected two groups, one of them with two people"
        )
    sign = 1.0 if better == "higher" else -1.0
    within, between = table[known & same].mean(), table[known & ~same].mean()
    found = sign * (within - between)
    drawn = np.array([_gap(table, known, rng.permutation(labels)) for _ in range(permutations)])
    drawn = drawn[~np.isnan(drawn)]
    beyond = int((sign * drawn >= found - 1e-12).sum())
    return Separation(float(found), (1 + beyond) / (1 + len(drawn)), float(within), float(between), len(drawn))


def _gap(table: Floats, known: np.ndarray[Any, np.dtype[np.bool_]], labels: Any) -> float:
    same = labels[:, None] == labels
    if not (known & same).any() or not (known & ~same).any():
        return float("nan")  # unknown pairs left none to compare: this draw does not count
    return float(table[known & same].mean() - table[known & ~same].mean())
