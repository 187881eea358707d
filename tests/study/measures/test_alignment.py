"""Measures against people on FETV's numbers, which the package carries; the table is that of specs/data.md 3.10."""

import numpy as np
import pytest

from beholder.core.measure import NotApplicable, card, fix
from beholder.study.combinations import Columns, combine, rank_sum, regression, z_sum
from beholder.study.correlations import numbers_of, rank_correlations
from beholder.study.datasets.fetv import fetv
from beholder.study.measures.ablation import ablation
from beholder.study.measures.alignment import (
    kendall,
    pearson,
    preference_accuracy,
    preference_by_group,
    rater_spearman,
    spearman,
)
from beholder.study.ratings import Judged, judged

# metric → Spearman, Kendall, preference accuracy with people's mean alignment, 2,476 videos
PUBLISHED = {
    "BLIPScore": (0.4629, 0.3326, 0.7065),
    "UMTScore": (0.4579, 0.3259, 0.7086),
    "CLIPScore-ft": (0.4051, 0.2889, 0.6706),
    "CLIPScore": (0.3071, 0.2173, 0.6823),
    "Otter-VQA": (0.0648, 0.0463, 0.5514),
}
WITHOUT = {
    "BLIPScore": (0.4227, 0.6937),
    "CLIPScore": (0.4733, 0.7006),
    "CLIPScore-ft": (0.4473, 0.7117),
    "Otter-VQA": (0.4795, 0.7140),
    "UMTScore": (0.4216, 0.6895),
}
RATERS = {"human0": (0.7517, 0.7346), "human1": (0.7470, 0.7253), "human2": (0.6787, 0.7312)}
TEMPORAL = {"CLIPScore": 0.0448, "CLIPScore-ft": -0.0217, "BLIPScore": 0.0655, "UMTScore": 0.0961, "Otter-VQA": -0.0558}


@pytest.fixture(scope="module")
def videos():
    return list(fetv())


@pytest.fixture(scope="module")
def aligned(videos):
    return [judged(video.reference, "alignment") for video in videos]


def column(videos, name):
    return [video.stimulus.columns[name] for video in videos]


@pytest.mark.parametrize("name", PUBLISHED)
def test_metrics_of_fetv(videos, aligned, name):
    said = column(videos, name)
    found = spearman(said, aligned).value, kendall(said, aligned).value, preference_accuracy(said, aligned).value
    assert found == pytest.approx(PUBLISHED[name], abs=5e-5)
    temporal = spearman(said, [judged(video.reference, "temporal") for video in videos]).value
    assert temporal == pytest.approx(TEMPORAL[name], abs=5e-5)


def test_pairs_are_counted(videos, aligned):
    parts = preference_accuracy(column(videos, "BLIPScore"), aligned).parts
    assert parts["pairs"] == 3066
    assert parts["pairs"] + parts["ties_of_people"] == 619 * 6


@pytest.mark.parametrize("who", RATERS)
def test_one_rater_against_the_mean_of_the_others(aligned, who):
    own = [one.values[who] for one in aligned]
    others = [one._replace(values={name: v for name, v in one.values.items() if name != who}) for one in aligned]
    assert (spearman(own, others).value, preference_accuracy(own, others).value) == pytest.approx(RATERS[who], abs=5e-5)


@pytest.fixture(scope="module")
def table(videos, aligned):
    values = np.array([column(videos, name) for name in PUBLISHED]).T
    people = np.array([one.mean for one in aligned])
    return Columns(tuple(PUBLISHED), values, people, tuple(one.group for one in aligned))


def test_the_sum_of_five_z_scores_and_each_left_out(table, aligned):
    said = combine(table, z_sum)
    rho, share = fix(ablation, by="spearman")(said, aligned), ablation(said, aligned)
    assert (rho.value, share.value) == pytest.approx((0.4604, 0.7078), abs=5e-5)
    for name, expected in WITHOUT.items():
        part = f"without {name}"
        assert (rho.parts[part], share.parts[part]) == pytest.approx(expected, abs=5e-5)
    assert share.parts["up_to BLIPScore"] == pytest.approx(PUBLISHED["BLIPScore"][2], abs=5e-5)
    assert share.parts["up_to Otter-VQA"] == pytest.approx(share.value)
    assert share.parts["without Otter-VQA"] > share.value  # more is not better


def test_a_negative_measure_is_turned_and_a_null_one_left_out(table, aligned):
    noise = np.random.default_rng(0).random(len(aligned))
    worse = Columns(("bad", "noise"), np.column_stack([-table.values[:, 0], noise]), table.people, table.groups)
    for how in (z_sum, rank_sum, regression):
        found = spearman(list(how(worse)), aligned).value
        assert found == pytest.approx(PUBLISHED["BLIPScore"][0], abs=0.02), how.__name__


def test_a_regression_never_sees_the_group_that_it_foretells(table):
    changed = table.people.copy()
    here = np.array([group == table.groups[0] for group in table.groups])
    changed[here] = 99.0
    before, after = regression(table), regression(Columns(table.names, table.values, changed, table.groups))
    assert after[here] == pytest.approx(before[here])
    assert after[~here] != pytest.approx(before[~here])


def test_within_and_between_systems(videos, aligned):
    said = column(videos, "CLIPScore")
    within = fix(spearman, scope="within")(said, aligned)
    systems = {one.system for one in aligned}
    assert set(within.parts) == systems
    own = [[(s, one) for s, one in zip(said, aligned, strict=True) if one.system == name] for name in systems]
    each = [spearman(*map(list, zip(*pairs, strict=True))).value for pairs in own]
    assert within.value == pytest.approx(np.mean(each))
    between = fix(pearson, scope="between")(said, aligned)
    means = [(np.mean([s for s, _ in pairs]), np.mean([one.mean for _, one in pairs])) for pairs in own]
    assert between.value == pytest.approx(np.corrcoef(np.array(means).T)[0, 1])
    assert (between.state, between.reason) == ("low", "only 4 systems: a correlation of fewer than 15 is mostly chance")


SCOPES = [(of, {"scope": scope}) for of in (spearman, kendall, pearson) for scope in ("pooled", "within", "between")]


@pytest.mark.parametrize(("of", "settings"), [*SCOPES, (preference_accuracy, {}), (rater_spearman, {})])
def test_draws_at_once_are_the_measure_on_each_draw(of, settings):
    rng = np.random.default_rng(3)
    values = rng.integers(1, 6, (40, 2)).astype(float)
    people = [Judged(dict(zip("ab", own, strict=True)), f"s{n % 4}", f"g{n // 4}") for n, own in enumerate(values)]
    said = [one.mean + rng.normal() for one in people]
    picks = rng.integers(0, 10, (8, 10))
    counts = np.stack([np.bincount(row, minlength=10) for row in picks])[:, np.repeat(np.arange(10), 4)].astype(float)
    found = card(of).resampling.at_once(said, people, counts, **settings)
    for value, row in zip(found, picks, strict=True):
        drawn = [(n, copy) for copy, group in enumerate(row) for n in range(4 * group, 4 * group + 4)]
        numbers = [said[n] for n, _ in drawn]
        ratings = [people[n]._replace(group=f"{copy}") for n, copy in drawn]  # a group that is drawn twice is two
        assert value == pytest.approx(of(numbers, ratings, **settings).value)


UNDEFINED = {
    "constant measure": ([1, 1, 1], [1, 2, 3], "gives every item the same value"),
    "constant people": ([1, 2, 3], [2, 2, 2], "people rate all items alike"),
    "two items": ([1, 2], [1, 2], "2 items; a correlation needs 3"),
    "nobody": ([1, 2, np.nan, 3], [1, np.nan, 2, np.nan], "1 items"),
}


@pytest.mark.parametrize("case", UNDEFINED)
def test_what_is_undefined_says_why(case):
    said, ratings, sentence = UNDEFINED[case]
    people = [Judged({} if np.isnan(value) else {"a": float(value)}) for value in ratings]
    with pytest.raises(NotApplicable, match=sentence):
        spearman(said, people)


def test_without_groups_and_systems_every_pair_counts():
    people = [Judged({"a": float(value)}) for value in (1, 2, 3)]
    assert preference_accuracy([1, 3, 2], people).value == pytest.approx(2 / 3)
    with pytest.raises(NotApplicable, match="all items of this group alike"):
        preference_by_group([1, 2], [Judged({"a": 1.0}), Judged({"a": 1.0})])


def test_kinds_of_raters_are_parts():
    facts = {"a": {"expert": "yes"}, "b": {"expert": "no"}, "c": {"expert": "no"}}
    people = [Judged({"a": float(n), "b": float(-n), "c": float(-n)}, facts=facts) for n in range(5)]
    found = rater_spearman(list(range(5)), people)
    assert dict(found.parts) == pytest.approx({"a": 1, "b": -1, "c": -1, "expert=yes": 1, "expert=no": -1})
    assert found.value == pytest.approx(-1 / 3)


def test_the_matrix_of_rank_correlations_holds_the_metrics_own(videos):
    said = {name: {video.id: video.stimulus.columns[name] for video in videos} for name in ("BLIPScore", "CLIPScore")}
    tags = {video.id: video.tags for video in videos}
    numbers = numbers_of(said, {k: t["system"] for k, t in tags.items()}, {k: t["cluster"] for k, t in tags.items()})
    pooled, within = rank_correlations(numbers, draws=100), rank_correlations(numbers, within=True, draws=100)
    assert pooled.rho[0, 0] == pytest.approx(1)
    assert pooled.lo[0, 1] < pooled.rho[0, 1] < pooled.hi[0, 1]
    assert 0 < within.rho[0, 1] != pytest.approx(pooled.rho[0, 1])
