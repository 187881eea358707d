import math
from functools import cache
from itertools import product

import numpy as np
import pytest

from beholder.stats.sequences import (
    DAMERAU,
    HAMMING,
    LCS,
    LEVENSHTEIN,
    Costs,
    alignment_cost,
    alignment_score,
    coupling,
    diagonals,
    edit_distance,
    nearest_windows,
    points_on_lines,
    warping_path,
    worst_cost,
)

WORDS = ["".join(word) for n in range(4) for word in product("abc", repeat=n)]


def word(letters):
    return np.array([ord(letter) - 97 for letter in letters], np.int64)


def neighbours(text):
    """Every word that one edit makes of another; letters a, b, c."""
    for at in range(len(text) + 1):
        yield from (text[:at] + letter + text[at:] for letter in "abc")
    for at in range(len(text)):
        yield text[:at] + text[at + 1 :]
        yield from (text[:at] + letter + text[at + 1 :] for letter in "abc")
        yield text[:at] + text[at : at + 2][::-1] + text[at + 2 :]


@cache
def steps_from(start):
    """By breadth-first search: how many edits or exchanges of neighbours lead to each word of up to five letters."""
    found, front = {start: 0}, [start]
    while front:
        front = [new for old in front for new in neighbours(old) if len(new) <= 5 and found.setdefault(new, 99) == 99]
        for new in front:
            found[new] = min(found[new], 1 + min(found[old] for old in neighbours(new) if found.get(old, 99) < 99))
    return found


@pytest.mark.parametrize("start", ["", "ca", "abc", "bca", "aab", "cab"])
def test_damerau_is_the_shortest_way_by_edits_and_exchanges(start):
    reached = steps_from(start)
    for end in WORDS:
        assert edit_distance(word(start), word(end), costs=DAMERAU) == reached[end], (start, end)


def naive(a, b, costs):
    """Wagner & Fischer by recursion."""

    @cache
    def d(i, j):
        if not i or not j:
            return i * costs.deletion + j * costs.insertion
        change = 0.0 if a[i - 1] == b[j - 1] else costs.substitution
        return min(d(i - 1, j - 1) + change, d(i - 1, j) + costs.deletion, d(i, j - 1) + costs.insertion)

    return d(len(a), len(b))


@pytest.mark.parametrize("costs", [LEVENSHTEIN, LCS, Costs(0.5, 2.0, 1.2)])
def test_costs_are_those_of_the_recursion(costs):
    rng = np.random.default_rng(0)
    for _ in range(50):
        a, b = (rng.integers(0, 4, rng.integers(0, 9)) for _ in range(2))
        assert edit_distance(a, b, costs=costs) == pytest.approx(naive(tuple(a), tuple(b), costs))


def test_the_example_of_le_meur_and_baccino():
    a, b = word("abcde"), word("abaa")
    assert edit_distance(a, b) == edit_distance(a, b, costs=DAMERAU) == 3
    assert (len(a) + len(b) - edit_distance(a, b, costs=LCS)) / 2 == 2
    assert math.isinf(edit_distance(a, b, costs=HAMMING))
    assert edit_distance(word("abc"), word("acc"), costs=HAMMING) == 1


def test_a_substitution_may_have_a_price_per_pair():
    table = np.array([[0, 0.1, 5], [0.1, 0, 5], [5, 5, 0]])
    assert edit_distance(word("a"), word("b"), costs=Costs(substitution=table)) == 0.1
    assert edit_distance(word("a"), word("c"), costs=Costs(substitution=table)) == 2  # delete and insert


def test_no_pair_costs_more_than_the_worst():
    rng = np.random.default_rng(1)
    for costs in (LEVENSHTEIN, LCS, DAMERAU, Costs(0.5, 2.0, 1.2)):
        for n, m in product(range(5), repeat=2):
            apart = np.zeros(n, np.int64), np.ones(m, np.int64)
            assert edit_distance(*apart, costs=costs) == pytest.approx(worst_cost(n, m, costs=costs))
            a, b = rng.integers(0, 3, n), rng.integers(0, 3, m)
            assert edit_distance(a, b, costs=costs) <= worst_cost(n, m, costs=costs) + 1e-12


@pytest.mark.parametrize("costs", [Costs(insertion=-1), Costs(exchange=0.5), Costs(substitution=math.nan)])
def test_impossible_costs_are_refused(costs):
    with pytest.raises(ValueError, match="expected"):
        edit_distance(word("a"), word("b"), costs=costs)


def test_shapes_must_fit():
    with pytest.raises(ValueError, match=r"prices of \(1, 2\)"):
        alignment_cost(np.zeros((1, 2)), np.ones(2), np.ones(2))
    for of in (warping_path, coupling):
        with pytest.raises(ValueError, match="at least one cell"):
            of(np.zeros((0, 3)))


def ways(n, m):
    """All monotone ways through n × m cells."""
    if n == m == 1:
        yield [(0, 0)]
        return
    for i, j in ((n - 1, m - 1), (n - 1, m), (n, m - 1)):
        if i and j:
            yield from ([*way, (n - 1, m - 1)] for way in ways(i, j))


def test_warps_and_leashes_are_the_best_of_all_ways():
    rng = np.random.default_rng(2)
    for n, m in ((1, 1), (1, 4), (4, 2), (4, 4)):
        costs = rng.random((n, m))
        every = [costs[tuple(np.array(way).T)] for way in ways(n, m)]
        assert costs[warping_path(costs)].sum() == pytest.approx(min(way.sum() for way in every))
        assert coupling(costs) == min(way.max() for way in every)


def test_a_gap_lowers_the_score():
    same = np.eye(3)[:, [0, 2]]
    assert alignment_score(same) == 2
    assert alignment_score(same, gap=-0.25) == 1.75
    assert alignment_score(np.zeros((0, 2))) == 0


def test_windows_are_those_of_the_plain_loops():
    costs = np.random.default_rng(3).random((5, 7))
    found = nearest_windows(costs)
    assert found.shape == (5, 5)
    for k, i in product(range(1, 6), range(5)):
        sums = [sum(costs[i + s, j + s] for s in range(k)) for j in range(7 - k + 1)] if i + k <= 5 else [math.nan]
        assert found[k - 1, i] == pytest.approx(min(sums), nan_ok=True)


def test_lines_are_counted_in_all_directions():
    cells = np.zeros((4, 5), bool)
    cells[0, 0] = cells[1, 1] = cells[2, 2] = cells[0, 4] = cells[1, 4] = True
    assert points_on_lines(diagonals(cells), 2) == 3
    assert points_on_lines(diagonals(cells), 4) == 0
    assert points_on_lines(cells.T, 2) == 2
    assert points_on_lines(cells, 2) == 0
