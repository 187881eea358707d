"""How unlike two sequences are: edits, alignments, warps, embeddings, lines of recurrence. Arrays only."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.jit import compiled

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Costs(NamedTuple):
    """What an edit costs. `substitution` may be a table, symbols × symbols; an exchange of neighbours is off at inf."""

    insertion: float = 1.0
    deletion: float = 1.0
    substitution: float | Floats = 1.0
    exchange: float = math.inf


LEVENSHTEIN = Costs()
DAMERAU = Costs(exchange=1.0)
LCS = Costs(substitution=2.0)  # no better than one deletion and one insertion
HAMMING = Costs(math.inf, math.inf)


def edit_distance(a: Ints, b: Ints, *, costs: Costs = LEVENSHTEIN) -> float:
    """The least cost of the edits that turn `a` into `b` (Wagner & Fischer 1974); symbols are whole numbers from 0.

    With exchanges it is the unrestricted Damerau–Levenshtein distance (Lowrance & Wagner 1975): what was exchanged may
    be edited further, so "ca" → "abc" costs 2. With HAMMING sequences of unlike length are infinitely far.

    >>> word = lambda letters: np.array([ord(letter) - 97 for letter in letters])
    >>> edit_distance(word("abcde"), word("abaa")), edit_distance(word("ca"), word("abc"), costs=DAMERAU)
    (3.0, 2.0)
    """
    _checked(costs)
    substitution = np.where(a[:, None] == b, 0.0, _table(costs, a, b))
    deletion, insertion = np.full(len(a), float(costs.deletion)), np.full(len(b), float(costs.insertion))
    if not math.isfinite(costs.exchange):
        return alignment_cost(substitution, deletion, insertion)
    codes = np.ascontiguousarray(a, np.int64), np.ascontiguousarray(b, np.int64)
    return float(_exchanging(*codes, substitution, deletion, insertion, float(costs.exchange)))


def _checked(costs: Costs) -> None:
    plain = costs.insertion, costs.deletion, costs.exchange
    if not (min(plain) >= 0 and np.all(np.asarray(costs.substitution) >= 0)):
        raise ValueError(f"got {costs}; expected costs of 0 or more")
    if 2 * costs.exchange < costs.insertion + costs.deletion:
        raise ValueError(
            f"got an exchange for {costs.exchange}; expected at least half of an insertion and a deletion "
            f"({(costs.insertion + costs.deletion) / 2}): below that this algorithm cannot find the distance"
        )


def _table(costs: Costs, a: Ints, b: Ints) -> Floats | float:
    if np.ndim(costs.substitution) == 0:
        return float(costs.substitution)
    found: Floats = np.asarray(costs.substitution, float)[a[:, None], b]
    return found


def worst_cost(n: int, m: int, *, costs: Costs = LEVENSHTEIN) -> float:
    """What the edits of two sequences cost that share nothing: max(n, m) when every edit costs 1.

    >>> worst_cost(5, 4), worst_cost(5, 4, costs=LCS)
    (5.0, 9.0)
    """
    pair = min(float(np.max(costs.substitution)), costs.insertion + costs.deletion)
    left = 0.0 if n == m else (n - m) * costs.deletion if n > m else (m - n) * costs.insertion
    return min(n, m) * pair + left


def alignment_cost(substitution: Floats, deletion: Floats, insertion: Floats) -> float:
    """The least cost of turning one sequence into another, each step with a price of its own.

    `substitution` is n × m: the price of the i-th of one for the j-th of the other; the others are n and m long.

    >>> alignment_cost(np.array([[0.0, 9.0]]), np.array([1.0]), np.array([1.0, 2.0]))  # keep one, insert one
    2.0
    """
    if substitution.shape != (len(deletion), len(insertion)):
        raise ValueError(
            f"got prices of {substitution.shape}, {len(deletion)} deletions and {len(insertion)} insertions; "
            "expected n × m, n and m"
        )
    return float(_alignment(np.ascontiguousarray(substitution, float), deletion, insertion))


@compiled
def _alignment(substitution: Any, deletion: Any, insertion: Any) -> Any:
    n, m = substitution.shape
    row = np.zeros(m + 1)
    for j in range(m):
        row[j + 1] = row[j] + insertion[j]
    for i in range(n):
        corner = row[0]
        row[0] += deletion[i]
        for j in range(m):
            best = min(corner + substitution[i, j], row[j + 1] + deletion[i], row[j] + insertion[j])
            corner = row[j + 1]
            row[j + 1] = best
    return row[m]


@compiled
def _exchanging(a: Any, b: Any, substitution: Any, deletion: Any, insertion: Any, exchange: Any) -> Any:
    kinds = 0
    for symbol in a:
        kinds = max(kinds, symbol + 1)
    for symbol in b:
        kinds = max(kinds, symbol + 1)
    last = np.zeros(kinds, np.int64)  # the row after the one in which a symbol of `a` was met last
    n, m = substitution.shape
    deleted, inserted = np.zeros(n + 1), np.zeros(m + 1)
    for i in range(n):
        deleted[i + 1] = deleted[i] + deletion[i]
    for j in range(m):
        inserted[j + 1] = inserted[j] + insertion[j]
    d = np.zeros((n + 1, m + 1))
    d[:, 0], d[0, :] = deleted, inserted
    for i in range(1, n + 1):
        column = 0
        for j in range(1, m + 1):
            row = last[b[j - 1]]
            best = min(d[i - 1, j - 1] + substitution[i - 1, j - 1], d[i - 1, j] + deletion[i - 1])
            best = min(best, d[i, j - 1] + insertion[j - 1])
            if row > 0 and column > 0:
                between = deleted[i - 1] - deleted[row] + inserted[j - 1] - inserted[column]
                best = min(best, d[row - 1, column - 1] + between + exchange)
            if a[i - 1] == b[j - 1]:
                column = j
            d[i, j] = best
        last[a[i - 1]] = i
    return d[n, m]


def alignment_score(scores: Floats, *, gap: float = 0.0) -> float:
    """The greatest score on the way of Needleman & Wunsch's (1970) alignment; `scores` is n × m, a gap adds `gap`.

    F_ij = max(F_{i−1,j−1} + scores_ij, F_{i−1,j} + gap, F_{i,j−1} + gap), F_i0 = i · gap; max F. Nothing gives 0.

    >>> alignment_score(np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]]))
    2.0
    """
    return float(_score(np.ascontiguousarray(scores, float), float(gap)))


@compiled
def _score(scores: Any, gap: Any) -> Any:
    n, m = scores.shape
    f = np.zeros((n + 1, m + 1))
    for i in range(1, n + 1):
        f[i, 0] = i * gap
    for j in range(1, m + 1):
        f[0, j] = j * gap
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            f[i, j] = max(f[i - 1, j - 1] + scores[i - 1, j - 1], f[i - 1, j] + gap, f[i, j - 1] + gap)
    return f.max()


def warping_path(costs: Floats) -> tuple[Ints, Ints]:
    """The cheapest way through a matrix from its first to its last cell, by steps down, right or both: i and j of each.

    The price is that of all cells on the way (Sakoe & Chiba 1978). Where two ways cost the same a diagonal step is
    taken first, then one down.

    >>> warping_path(np.array([[0.0, 5.0], [5.0, 0.0], [5.0, 0.0]]))
    (array([0, 1, 2]), array([0, 1, 1]))
    """
    if not costs.size:
        raise ValueError(f"got costs of shape {costs.shape}; expected at least one cell")
    steps = _way(np.ascontiguousarray(costs, float))
    return steps[::-1, 0], steps[::-1, 1]


@compiled
def _way(costs: Any) -> Any:
    n, m = costs.shape
    total = np.full((n, m), np.inf)
    total[0, 0] = costs[0, 0]
    for i in range(n):
        for j in range(m):
            if i > 0:
                total[i, j] = min(total[i, j], total[i - 1, j] + costs[i, j])
            if j > 0:
                total[i, j] = min(total[i, j], total[i, j - 1] + costs[i, j])
            if i > 0 and j > 0:
                total[i, j] = min(total[i, j], total[i - 1, j - 1] + costs[i, j])
    steps = np.empty((n + m - 1, 2), np.int64)
    i, j, at = n - 1, m - 1, 0
    steps[0, 0], steps[0, 1] = i, j
    while i > 0 or j > 0:
        up = total[i - 1, j] if i > 0 else np.inf
        left = total[i, j - 1] if j > 0 else np.inf
        corner = total[i - 1, j - 1] if i > 0 and j > 0 else np.inf
        if i > 0 and j > 0 and corner <= up and corner <= left:
            i, j = i - 1, j - 1
        elif i > 0 and (j == 0 or up <= left):
            i -= 1
        else:
            j -= 1
        at += 1
        steps[at, 0], steps[at, 1] = i, j
    return steps[: at + 1]


def coupling(costs: Floats) -> float:
    """The discrete Fréchet distance (Eiter & Mannila 1994): the longest leash that the best walk through needs.

    >>> coupling(np.array([[1.0, 5.0], [4.0, 2.0]]))
    2.0
    """
    if not costs.size:
        raise ValueError(f"got costs of shape {costs.shape}; expected at least one cell")
    return float(_leash(np.ascontiguousarray(costs, float)))


@compiled
def _leash(costs: Any) -> Any:
    n, m = costs.shape
    leash = np.empty((n, m))
    for i in range(n):
        for j in range(m):
            before = np.inf if i + j else 0.0
            if i > 0:
                before = min(before, leash[i - 1, j])
            if j > 0:
                before = min(before, leash[i, j - 1])
            if i > 0 and j > 0:
                before = min(before, leash[i - 1, j - 1])
            leash[i, j] = max(before, costs[i, j])
    return leash[n - 1, m - 1]


def nearest_windows(costs: Floats) -> Floats:
    """For windows of 1, 2 … min(n, m) elements: the least sum of `costs` between each of `n` and any of `m`; K × n.

    Sums run along diagonals, so all lengths together cost K · n · m. NaN where a window would not fit.

    >>> nearest_windows(np.array([[1.0, 2.0], [4.0, 3.0]]))
    array([[ 1.,  3.],
           [ 4., nan]])
    """
    return np.asarray(_windows(np.ascontiguousarray(costs, float)))


@compiled
def _windows(costs: Any) -> Any:
    n, m = costs.shape
    longest = min(n, m)
    found = np.full((longest, n), np.nan)
    sums = np.zeros((n, m))
    for k in range(longest):
        for i in range(n - k):
            least = np.inf
            for j in range(m - k):
                sums[i, j] += costs[i + k, j + k]
                least = min(least, sums[i, j])
            found[k, i] = least
    return found


def points_on_lines(rows: NDArray[np.bool_], least: int) -> int:
    """How many true cells stand in unbroken runs of at least `least` along the rows; transpose for columns.

    >>> points_on_lines(np.array([[True, True, False, True], [False, True, True, True]]), 2)
    5
    """
    edged = np.zeros((rows.shape[0], rows.shape[1] + 2), np.int8)
    edged[:, 1:-1] = rows
    turns = np.diff(edged.ravel())
    lengths = np.flatnonzero(turns == -1) - np.flatnonzero(turns == 1)
    return int(lengths[lengths >= least].sum())


def diagonals(cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The diagonals of a matrix as rows, for `points_on_lines`.

    >>> diagonals(np.eye(2, dtype=bool)).astype(int)
    array([[0, 0],
           [1, 1],
           [0, 0]])
    """
    n, m = cells.shape
    found = np.zeros((n + m - 1, n), np.bool_)
    i, j = np.nonzero(cells)
    found[j - i + n - 1, i] = True
    return found
