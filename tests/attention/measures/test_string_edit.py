import numpy as np
import pytest

from attention_walks import SCREEN, A, B, person
from beholder.attention.measures.string_edit import string_edit, string_similarity
from beholder.attention.types import Lookers, scanpath
from beholder.core.measure import NotApplicable
from beholder.errors import Misuse
from beholder.stats.sequences import Costs


def row(letters):
    """A scanpath over a row of areas A, B, C …, each one pixel."""
    return scanpath([ord(letter) - 65 for letter in letters], np.zeros(len(letters)))


def by_row(letters, cells=5):
    return person(row(letters), (1, cells))


@pytest.mark.parametrize("synthetic", ["ACB", "BAC"])
def test_one_exchange_makes_either_of_the_seeds_paths(synthetic):
    assert string_edit(row(synthetic), by_row("ABC"), areas=(5, 1)).value == 1
    assert string_edit(row(synthetic), by_row("ABC"), areas=(5, 1), kind="levenshtein").value == 2


@pytest.mark.parametrize("kind", ["levenshtein", "damerau"])
def test_abcde_beside_abaa(kind):
    found = string_similarity(row("ABCDE"), by_row("ABAA"), areas=(5, 1), kind=kind)
    assert found.value == pytest.approx(0.4)
    assert (found.parts["length"], found.parts["length_people"]) == (5, 4)
    assert found.parts["missed"] == 0
    assert found.parts["unfixated"] == 0


def test_lcs_and_hamming():
    found = string_edit(row("ABCDE"), by_row("ABAA"), areas=(5, 1), kind="lcs")
    assert (found.value, found.parts["common"]) == (5, 2)
    assert string_similarity(row("ABCDE"), by_row("ABAA"), areas=(5, 1), kind="lcs").value == pytest.approx(4 / 9)
    with pytest.raises(NotApplicable, match="5 and 4 areas"):
        string_edit(row("ABCDE"), by_row("ABAA"), areas=(5, 1), kind="hamming")
    assert string_edit(row("ABCD"), by_row("ABAA"), areas=(5, 1), kind="hamming").value == 2


def test_the_golden_strings():
    lookers = person(B, SCREEN)
    found = string_edit(A, lookers, kind="levenshtein")
    assert found.value == 2
    assert string_similarity(A, lookers, kind="levenshtein").value == pytest.approx(2 / 3)


def test_the_last_cells_are_no_others():
    # 1023 of 1024 px in 3 columns: the public program's floor(x / floor(W/n)) is 3, the first cell of the next row
    lookers = person(scanpath([1023], [0]), (768, 1024))
    assert string_edit(scanpath([0], [300]), lookers, areas=3).value == 1
    assert string_edit(scanpath([700], [0]), lookers, areas=3).value == 0


def test_areas_may_be_given():
    labels = np.full((4, 6), -1)
    labels[:, 2:4], labels[:, 4:] = 0, 1
    lookers = person(scanpath([2, 5, 0], [0, 0, 0]), (4, 6))
    found = string_edit(scanpath([3, 0], [3, 3]), lookers, areas=labels)
    assert (found.value, found.parts["missed"], found.parts["unfixated"]) == (1, 1, 0)
    assert string_edit(scanpath([3, 0], [3, 3]), lookers, areas=lambda of: labels).value == 1
    with pytest.raises(NotApplicable, match="neither scanpath has a fixation in any area"):
        string_similarity(scanpath([0], [0]), person(scanpath([1], [1]), (4, 6)), areas=labels)


@pytest.mark.parametrize(("cut", "expected"), [("none", 3), ("people", 2), ("shorter", 2), (1, 0)])
def test_truncation(cut, expected):
    # whole: C and B exchanged, the two between deleted; cut to ACA: two substitutions
    assert string_edit(row("ACAAB"), by_row("ABC"), areas=(5, 1), cut=cut).value == expected


def test_costs_of_ones_own():
    cheap = Costs(insertion=0.25, deletion=0.5)
    assert string_edit(row("A"), by_row("AB"), areas=(5, 1), kind=cheap).value == 0.25
    assert string_edit(row("AB"), by_row("A"), areas=(5, 1), kind=cheap).value == 0.5


def test_over_people():
    lookers = Lookers({"a": row("ABC"), "b": row("ABD"), "c": row("EEE")}, (1, 5))
    ways = ("mean", "best", "medoid")
    scores = {over: string_edit(row("ABC"), lookers, areas=(5, 1), over=over).value for over in ways}
    assert scores == {"mean": pytest.approx(4 / 3), "best": 0, "medoid": 0}  # of a and b, equally typical, a is first


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "soundex"},
        {"areas": 0},
        {"areas": (2, 2, 2)},
        {"areas": np.zeros((2, 2), int)},
        {"cut": "all"},
        {"cut": 0},
        {"over": "max"},
    ],
)
def test_wrong_settings_are_named(wrong):
    with pytest.raises(Misuse, match=r"got .*expected"):
        string_edit(A, person(B, SCREEN), **wrong)
