"""Scanpaths in pairs: a score over all people, the most typical one, tables, and groups told apart by permutation.

A comparison is a function (simulated, human) → `Result`; it raises `NotApplicable` where the two cannot be compared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import singledispatch
from typing import Any, Literal, NamedTuple

import numpy as np

from beholder.attention.types import Floats, Lookers, Scanpath, inside, scanpath
from beholder.core.measure import Better, NotApplicable, Result
from beholder.errors import Misuse

Compare = Callable[[Scanpath, Scanpath], Result]
Over = Literal["mean", "best", "medoid"]
Walk = Scanpath | Sequence[Scanpath]

ALONE = "nobody but the one whose scanpath this is fixated this picture"
NOBODY = "nobody fixated this picture: there is no scanpath to compare with"
STILL = "the model made no fixation inside the picture"


@singledispatch
def walk(answer: Any, stimulus: Any) -> Walk:
    """The readout of everything that compares scanpaths: one, or several of one model (its observers).

    Answers of other types join by `walk.register`.
    """
    raise TypeError(f"got an answer of {type(answer).__name__}; expected a Scanpath, or a list of them")


@walk.register
def _of_scanpath(answer: Scanpath, stimulus: Any) -> Walk:
    return answer


@walk.register(list)
@walk.register(tuple)
def _of_several(answer: Sequence[Any], stimulus: Any) -> Walk:
    strange = {type(one).__name__ for one in answer if not isinstance(one, Scanpath)}
    if strange or not answer:
        raise TypeError(f"got a list of {', '.join(sorted(strange)) or 'nothing'}; expected one Scanpath or more")
    return tuple(answer)


@walk.register
def _of_array(answer: np.ndarray, stimulus: Any) -> Walk:
    if answer.ndim != 2 or answer.shape[1] not in (2, 3):
        raise ValueError(f"got an array of shape {answer.shape}; expected n × 2 (x, y) or n × 3 (x, y, ms)")
    return scanpath(answer[:, 0], answer[:, 1], duration_ms=answer[:, 2] if answer.shape[1] == 3 else None)


def each(observed: Walk) -> tuple[Scanpath, ...]:
    """The scanpaths of an answer."""
    return (observed,) if isinstance(observed, Scanpath) else tuple(observed)


def lookers_of(lookers: Lookers) -> dict[str, Scanpath]:
    """Who fixated anything; nobody at all is not applicable."""
    found = {name: path for name, path in lookers.paths.items() if len(path)}
    if not found:
        raise NotApplicable(NOBODY)
    return found


def over_people(
    observed: Walk, lookers: Lookers, compare: Compare, *, over: Over = "mean", better: Better = "higher"
) -> Result:
    """A comparison of a model's scanpath with those of people: their mean, the best one, or the most typical person's.

    Several scanpaths of a model are averaged; one that is a person's (its `by`) is not compared with that person, nor
    is one made of it. Fixations outside the picture are dropped and counted (part `dropped`;
    NaN is outside); people who fixated nothing are left away. Pairs that cannot be compared are counted (part
    `undefined`), and the reason says why; when there is no other the whole is not applicable. Where most pairs are of
    low confidence, so is the score. What is said of pairs is said with their number. Parts are averaged over
    the pairs; `n` is their number.
    """
    people = lookers_of(lookers)
    if over not in ("mean", "best", "medoid"):
        raise Misuse(f"got over={over!r}; expected 'mean', 'best' or 'medoid'")
    held = [inside(path, lookers.shape) for path in each(observed)]
    if over == "medoid":
        who = medoid(people, compare, better=better)
        people = {who: people[who]}
    found = [_over(path, _others(people, path), compare, better if over == "best" else None) for path, _ in held]
    return _together(found, dropped=float(np.mean([off for _, off in held])))


def _others(people: Mapping[str, Scanpath], path: Scanpath) -> Mapping[str, Scanpath]:
    """Everybody but the one whose path it is."""
    if not path.by:
        return people
    found = {name: other for name, other in people.items() if name != path.by}
    if not found:
        raise NotApplicable(ALONE)
    return found


class _Compared(NamedTuple):
    """One scanpath beside some people."""

    values: Floats  # those that are counted
    parts: Sequence[Mapping[str, float]]
    low: Sequence[str]  # the reasons of pairs that are of low confidence
    notes: Sequence[str]  # what is said of the others
    refused: Sequence[str]


def _over(path: Scanpath, people: Mapping[str, Scanpath], compare: Compare, best: Better | None) -> _Compared:
    results, refused = compared(path, people.values(), compare)
    if best and results:
        pick = max if best == "higher" else min
        results = [pick(results, key=lambda one: one.value)]
    low = [one.reason for one in results if one.state == "low"]
    notes = [one.reason for one in results if one.state != "low" and one.reason]
    values = np.array([one.value for one in results])
    return _Compared(values, [one.parts for one in results], low, notes, refused)


def compared(path: Scanpath, people: Any, compare: Compare) -> tuple[list[Result], list[str]]:
    """One scanpath beside several: the results, and why there is none for some."""
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


def _together(found: Sequence[_Compared], dropped: float) -> Result:
    refused = [why for one in found for why in one.refused]
    held = [one for one in found if len(one.values)]
    if not held:
        raise NotApplicable(refused[0])
    pairs = sum(len(one.values) for one in held)
    low = [why for one in held for why in one.low]
    said = []
    if refused:
        said.append(f"{len(refused)} of {pairs + len(refused)} pairs are not compared: {refused[0]}")
    notes = [why for one in held for why in one.notes]
    said += [f"{len(of)} of {pairs} pairs: {of[0]}" for of in (low, notes) if of]
    counts = {"n": float(pairs), "undefined": float(len(refused)), "dropped": dropped}
    value = float(np.mean([one.values.mean() for one in held]))
    parts = _averaged([parts for one in held for parts in one.parts])
    return Result(value, {**parts, **counts}, state="low" if 2 * len(low) > pairs else "ok", reason="; ".join(said))


def _averaged(parts: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The mean of each part over the pairs that have it."""
    found = {}
    for name in dict.fromkeys(name for one in parts for name in one):
        values = np.array([one[name] for one in parts if name in one])
        known = values[~np.isnan(values)]
        found[name] = float(known.mean()) if len(known) else float("nan")
    return found


def pair_table(paths: Mapping[str, Scanpath], compare: Compare) -> Floats:
    """Everybody beside everybody else: row = taken as simulated, column = as human; NaN on the diagonal and undefined.

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
                results, _ = compared(simulated, [human], compare)
                found[i, j] = results[0].value if results else np.nan
    return found


def medoid(paths: Mapping[str, Scanpath], compare: Compare, *, better: Better = "higher") -> str:
    """Who is most typical: the one whom the others resemble best on average; of equals the first.

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
    """Each person beside all others: the score of people as models; NaN where a person cannot be compared.

    >>> here = Lookers({name: scanpath(x, 0) for name, x in {"a": 0, "b": 4, "c": 5}.items()}, (1, 9))
    >>> leave_one_out(here, lambda a, b: Result(float(abs(a.x[0] - b.x[0]))), better="lower")
    {'a': 4.5, 'b': 2.5, 'c': 3.0}
    """
    found = {}
    for name, path in lookers_of(lookers).items():
        try:
            found[name] = over_people(path, lookers.without(name), compare, over=over, better=better).value
        except NotApplicable:
            found[name] = float("nan")
    return found


class Separation(NamedTuple):
    """Whether groups of people look differently."""

    difference: float  # how much more alike people of one group are than people of two; in the measure's unit
    p: float  # of a difference as great, groups given out at random
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
        raise ValueError(f"got a table of {table.shape} and {len(labels)} groups; expected one group a row")
    known = np.isfinite(table)
    same = labels[:, None] == labels
    if not (known & same).any() or not (known & ~same).any():
        raise ValueError("got no pair within a group, or none between two; expected two groups, and two people in one")
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
