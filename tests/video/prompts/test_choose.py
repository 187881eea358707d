"""The balanced choice and the near-duplicates."""

import itertools
from collections import Counter
from random import Random

import numpy as np
import pytest

from beholder.errors import Misuse
from beholder.video.prompts.choose import choose, minimums, shares
from beholder.video.prompts.duplicates import near_duplicates
from beholder.video.prompts.entry import Entry


def _entries(**counts):
    """So many of each pattern; the last is a hand-over, and every action and place comes again and again."""
    return [
        Entry(f"{pattern} {at}", "a dog", "dog", f"place {at % 7}", f"action {at % 5}", "", pattern,
              "hand-over" if at == count - 1 else "", "person" if at % 2 else "animal")
        for pattern, count in counts.items()
        for at in range(count)
    ]  # fmt: skip


def test_even_over_patterns_exact_and_seeded():
    entries = _entries(fluid=50, biological=200, weather=8)
    chosen = choose(entries, 60, {}, Random(1))
    assert len(chosen) == 60
    counts = Counter(one.pattern for one in chosen)
    assert counts["weather"] == 8  # all there are
    assert min(counts["fluid"], counts["biological"]) >= 20
    assert chosen == choose(entries, 60, {}, Random(1)) != choose(entries, 60, {}, Random(2))
    counts = Counter(one.action for one in chosen if one.pattern == "biological")
    assert max(counts.values()) - min(counts.values()) <= 1  # no action is taken more often than it must be


def test_minimums_are_met_together():
    entries = _entries(fluid=50, biological=200, weather=30)
    least = minimums(["biological=30", "interaction=3", "person=25", "weather=20"])
    chosen = choose(entries, 60, least, Random(0))
    assert sum(one.pattern == "biological" for one in chosen) >= 30
    assert sum(one.pattern == "weather" for one in chosen) >= 20
    assert sum(bool(one.interaction) for one in chosen) == 3
    assert sum(one.kind == "person" for one in chosen) >= 25
    assert len(chosen) == 60


def test_the_programme_is_as_good_as_trying_everything():
    there = {("a", "x", ""): 3, ("a", "y", ""): 2, ("b", "x", ""): 4, ("b", "y", "crossing"): 3}
    least = {"kind:y": 3, "crossing": 2}
    cells = sorted(there)
    ways = [
        way
        for way in itertools.product(*(range(there[cell] + 1) for cell in cells))
        if sum(way) == 7
        and sum(n for n, cell in zip(way, cells, strict=True) if cell[1] == "y") >= 3
        and sum(n for n, cell in zip(way, cells, strict=True) if cell[2]) >= 2
    ]

    def uneven(way):
        return sum(abs(sum(n for n, cell in zip(way, cells, strict=True) if cell[0] == p) - 3.5) for p in "ab")

    found = shares(there, 7, least)
    assert tuple(found[cell] for cell in cells) in ways
    assert uneven([found[cell] for cell in cells]) == min(map(uneven, ways))


@pytest.mark.parametrize(
    ("total", "least", "sentence"),
    [
        (60, ["weather=9"], "weather: got 8 that passed the checks, 1 short of 9. Make more candidates"),
        (60, ["hand-over=4", "weather=10"], "hand-over: got 3 .*; weather: got 8 .* 2 short of 10"),
        (60, ["fluid=40", "biological=40"], "do not fit into 60 prompts together: .* short.* each alone could be met"),
        (300, [], "got 258 prompts that passed the checks; expected 300 or more"),
        (0, [], "expected 1 or more"),
    ],
)
def test_what_is_short_is_said(total, least, sentence):
    with pytest.raises(Misuse, match=sentence):
        choose(_entries(fluid=50, biological=200, weather=8), total, minimums(least), Random(0))


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("biologcal=3", "got the category 'biologcal'; did you mean biological"),
        ("biological", "got the minimum 'biological'; expected NAME=COUNT"),
        ("biological=-1", "expected NAME=COUNT"),
        ("biological=many", "expected NAME=COUNT"),
    ],
)
def test_minimums_that_are_none(said, sentence):
    with pytest.raises(Misuse, match=sentence):
        minimums([said])


def test_minimums_by_name():
    with pytest.raises(Misuse, match="two minimums of fluid"):
        minimums(["fluid=1", "fluid=2"])
    assert minimums(["kind:fluid=2", "mutual_occlusion=1"]) == {"kind:fluid": 2, "mutual occlusion": 1}


def test_near_duplicates_are_those_that_overlap():
    """Against all pairs: nothing that stays overlaps much, and nothing is dropped that overlaps little."""
    rng = np.random.default_rng(0)
    texts = []
    for _ in range(150):
        first = [f"w{word}" for word in rng.integers(0, 400, 24)]
        other = list(first)
        for at in rng.choice(24, rng.integers(0, 5), replace=False):
            other[at] = "changed"
        texts += [" ".join(first), " ".join(other)]
    dropped = near_duplicates(texts, overlap=0.6)
    triples = [{tuple(text.split()[at : at + 3]) for at in range(22)} for text in texts]

    def overlap(one, other):
        return len(one & other) / len(one | other)

    kept = [own for own, twice in zip(triples, dropped, strict=True) if not twice]
    assert sum(overlap(a, b) >= 0.8 for a, b in itertools.combinations(kept, 2)) == 0
    for at in np.flatnonzero(dropped):
        assert max(overlap(triples[at], other) for other in triples[:at]) >= 0.6
    assert 40 < dropped.sum() < 110
    assert near_duplicates([]).tolist() == []
