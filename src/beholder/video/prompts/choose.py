"""The balanced choice: so many prompts, as even over patterns and kinds as can be, with every demanded minimum."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from random import Random

import numpy as np
from numpy.typing import NDArray

from beholder.errors import Misuse, listed
from beholder.video.prompts.entry import Entry, holds
from beholder.video.prompts.tags import ANY, INTERACTIONS, KINDS, PATTERNS

Cell = tuple[str, str, str]
SHORT = 1e5  # what a prompt that a minimum lacks costs, …
UNEVEN = 100.0  # … one that a pattern is off its share, and 1 one that a cell is off its
RARE = 0.35  # the weight of a cell with an interaction: about a fifth of a set are interactions
CATEGORIES = (*PATTERNS, *INTERACTIONS, ANY, *(f"kind:{kind}" for kind in KINDS))


def minimums(said: Sequence[str]) -> dict[str, int]:
    """Minimums from NAME=COUNT: a pattern (fluid …), an interaction (collision …), `interaction` (any), or a kind.

    The kinds fluid, weather and energy are called kind:fluid …, for patterns have these names.

    >>> minimums(["biological=200", "hand-over=20", "person=300"])
    {'biological': 200, 'hand-over': 20, 'kind:person': 300}
    """
    found: dict[str, int] = {}
    for one in said:
        name, _, count = (part.strip() for part in one.partition("="))
        name = name.replace("_", " ") if name.replace("_", " ") in INTERACTIONS else name
        known = name if name in CATEGORIES else f"kind:{name}"
        if known not in CATEGORIES:
            near = get_close_matches(name, [*CATEGORIES, *KINDS], 1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise Misuse(f"got the category {name!r}{hint}; expected one of {listed(CATEGORIES, most=30)}")
        if not re.fullmatch(r"\d{1,7}", count):
            raise Misuse(f"got the minimum {one!r}; expected NAME=COUNT, such as biological=200")
        if known in found:
            raise Misuse(f"got two minimums of {name}; expected each once")
        found[known] = int(count)
    return found


def choose(entries: Sequence[Entry], total: int, least: Mapping[str, int], rng: Random) -> list[Entry]:
    """So many of the entries, in their order.

    How many of each cell (pattern × kind × interaction) is an integer programme: the minimums first, then as many of
    each pattern, then cells by the square root of what there is of them. Of a cell, those are taken whose action,
    subject and place have been taken least. Raises `Misuse` with what is short, and why, where it cannot be done.
    """
    there: dict[Cell, list[int]] = defaultdict(list)
    for at, entry in enumerate(entries):
        there[entry.cell].append(at)
    _refuse_too_many(len(entries), total)
    counts = shares({cell: len(own) for cell, own in there.items()}, total, least)
    used: Counter[tuple[str, str]] = Counter()
    taken: list[int] = []
    for cell in sorted(there):
        taken += _varied(entries, there[cell], counts[cell], used, rng)
    return [entries[at] for at in sorted(taken)]


def _refuse_too_many(there: int, total: int) -> None:
    if total < 1:
        raise Misuse(f"got {total} prompts to keep; expected 1 or more")
    if total > there:
        raise Misuse(f"got {there:,} prompts that passed the checks; expected {total:,} or more: make more candidates")


def shares(there: Mapping[Cell, int], total: int, least: Mapping[str, int]) -> dict[Cell, int]:
    """How many to take of each cell, of which there are so many.

    >>> cells = {("fluid", "fluid", ""): 9, ("energy", "energy", ""): 2}
    >>> shares(cells, 6, {}), shares(cells, 6, {"fluid": 5})
    ({('energy', 'energy', ''): 2, ('fluid', 'fluid', ''): 4}, {('energy', 'energy', ''): 1, ('fluid', 'fluid', ''): 5})
    """
    from scipy.optimize import LinearConstraint, milp
    from scipy.sparse import csr_array

    cells = sorted(there)
    names = list(least)
    rows, costs, limits, integer = _programme(cells, there, total, least)
    found = milp(
        costs,
        constraints=LinearConstraint(csr_array(rows[0]), rows[1], rows[2]),
        bounds=limits,
        integrality=integer,
        options={"mip_rel_gap": 0.0, "time_limit": 60.0},
    )
    if found.x is None:
        raise Misuse(f"no choice of {total:,} prompts was found: {found.message}")
    counts = np.round(found.x[: len(cells)]).astype(int)
    lacks = np.round(found.x[len(cells) : len(cells) + len(names)]).astype(int)
    if lacks.any():
        raise Misuse(_short(there, total, least, dict(zip(names, lacks.tolist(), strict=True))))
    return dict(zip(cells, counts.tolist(), strict=True))


def _programme(cells: Sequence[Cell], there: Mapping[Cell, int], total: int, least: Mapping[str, int]) -> tuple[
    tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]],
    NDArray[np.float64],
    tuple[NDArray[np.float64], NDArray[np.float64]],
    NDArray[np.int_],
]:  # fmt: skip
    """Constraints, costs, bounds: counts of cells, what minimums lack, and by how much patterns and cells are off."""
    patterns = sorted({cell[0] for cell in cells})
    c, m, p = len(cells), len(least), len(patterns)
    width = c + m + 2 * p + 2 * c
    level = _levels(cells, there, total, least)
    wanted = _wanted(cells, there, level)
    rows: list[NDArray[np.float64]] = []
    low, high = [], []

    def add(row: NDArray[np.float64], least: float, most: float) -> None:
        rows.append(row)
        low.append(least)
        high.append(most)

    whole = np.zeros(width)
    whole[:c] = 1
    add(whole, total, total)
    for at, (name, count) in enumerate(least.items()):
        row = np.zeros(width)
        row[:c] = [holds(name, cell) for cell in cells]
        row[c + at] = 1
        add(row, count, np.inf)
    for at, name in enumerate(patterns):
        row = np.zeros(width)
        row[:c] = [cell[0] == name for cell in cells]
        row[[c + m + 2 * at, c + m + 2 * at + 1]] = 1, -1
        add(row, level[name], level[name])
    for at in range(c):
        row = np.zeros(width)
        row[at] = 1
        row[[c + m + 2 * p + 2 * at, c + m + 2 * p + 2 * at + 1]] = 1, -1
        add(row, wanted[at], wanted[at])
    costs = np.concatenate([np.zeros(c), np.full(m, SHORT), np.full(2 * p, UNEVEN), np.ones(2 * c)])
    most = np.concatenate([[there[cell] for cell in cells], np.full(width - c, np.inf)])
    integer = np.concatenate([np.ones(c + m), np.zeros(width - c - m)]).astype(int)
    return (np.array(rows), np.array(low), np.array(high)), costs, (np.zeros(width), most), integer


def _levels(cells: Sequence[Cell], there: Mapping[Cell, int], total: int, least: Mapping[str, int]) -> dict[str, int]:
    """How many prompts each pattern should have: its minimum, and then one by one to whichever has the fewest."""
    full: Counter[str] = Counter()
    for cell in cells:
        full[cell[0]] += there[cell]
    level = {name: min(least.get(name, 0), full[name]) for name in sorted(full)}
    while sum(level.values()) < total:
        level[min((name for name in level if level[name] < full[name]), key=lambda name: level[name])] += 1
    return level


def _wanted(cells: Sequence[Cell], there: Mapping[Cell, int], level: Mapping[str, int]) -> list[float]:
    """What each cell would have of its pattern's share: by the square root of what there is."""
    weights = [there[cell] ** 0.5 * (RARE if cell[2] else 1.0) for cell in cells]
    whole: dict[str, float] = defaultdict(float)
    for cell, weight in zip(cells, weights, strict=True):
        whole[cell[0]] += weight
    return [level[cell[0]] * weight / whole[cell[0]] for cell, weight in zip(cells, weights, strict=True)]


def _short(there: Mapping[Cell, int], total: int, least: Mapping[str, int], lacks: Mapping[str, int]) -> str:
    """What is short, and why."""
    said = []
    for name, count in least.items():
        many = sum(own for cell, own in there.items() if holds(name, cell))
        if many < count:
            said.append(f"{name}: got {many:,} that passed the checks, {count - many:,} short of {count:,}")
    if said:
        return f"{'; '.join(said)}. Make more candidates, or demand less"
    missed = listed(f"{name} ({many:,} short)" for name, many in lacks.items() if many)
    return (
        f"the minimums do not fit into {total:,} prompts together: {missed}, though each alone could be met. "
        "Keep more, or demand less"
    )


def _varied(
    entries: Sequence[Entry], own: Sequence[int], count: int, used: Counter[tuple[str, str]], rng: Random
) -> Iterable[int]:
    """Entries of a cell whose words were used least so far, ties at random."""
    waiting = rng.sample(list(own), len(own))
    taken = []
    for _ in range(count):
        best = min(waiting, key=lambda at: _worn(entries[at], used))
        waiting.remove(best)
        taken.append(best)
        used.update(_words(entries[best]))
    return taken


def _words(entry: Entry) -> list[tuple[str, str]]:
    return [("action", entry.action), ("noun", entry.subject_noun), ("place", entry.place)]


def _worn(entry: Entry, used: Counter[tuple[str, str]]) -> tuple[int, int]:
    counts = [used[word] for word in _words(entry)]
    return counts[0], counts[1] + counts[2]
