"""The claims page: verdicts follow from scores and can fall, and without data it says what it needs."""

import numpy as np
import pandas as pd
import pytest

import toys
from beholder.attention.benchmarks.saliency import saliency
from beholder.attention.people.ceiling import Course
from beholder.attention.types import Lookers, Picture, scanpath
from beholder.claims import le_meur_2013 as page
from beholder.claims import recordings as source
from beholder.registry.find import names

FEW = ("itti", "bms", "judd_like")
PICTURES = 12
NOISE = np.random.default_rng(0).normal(0, 0.05, PICTURES)


def rows(measure, means, criterion="all"):
    """Scores of models that differ by their means; all vary alike over pictures."""
    roles = {"people": "ceiling", "centre": "blind"}
    name, _, settings = measure.removesuffix(")").partition("(")
    kept = {"measure": name, "settings": settings, "part": "", "criterion": criterion}
    return [
        kept | {"model": m, "role": roles.get(m, "model"), "unit": f"p{i}", "value": value + NOISE[i]}
        for m, value in means.items()
        for i in range(PICTURES)
    ]


def scored(means, **more):
    """A run in which all measures say the same."""
    every = ["nss", "hit_area", "sauc", *(source.CURVE.format(kept) for kept in source.KEPT)]
    shifted = {measure: 0.5 if measure == "hit_area" else 0.0 for measure in every}
    own = [row for measure in every for row in rows(measure, {m: v + shifted[measure] for m, v in means.items()})]
    for part, gain in more.items():
        own += [row for m in ("nss", "sauc") for row in rows(m, {k: v + gain for k, v in means.items()}, part)]
    return pd.DataFrame(own)


def seen(means, name="mit1003", **more):
    course = Course(np.linspace(0.9, 0.6, 6), np.zeros(6), np.full(6, 9))
    made = {
        "ranks": np.tile(course.mean, (PICTURES, 1)) + NOISE[:, None],
        "congruent": np.stack([np.linspace(1, 4, PICTURES), np.full(PICTURES, 0.1)], axis=1),
        "peaks": np.arange(PICTURES, dtype=float),
        "off_centre": np.stack([5 + NOISE, 6 - NOISE], axis=1),
    }
    return source.SetScores(name, scored(means, focal=0.2, ambient=0.0), rank=course, **made | more)


GOOD = {"itti": 0.5, "aim": 0.6, "judd_like": 1.0, "centre": 0.8, "people": 2.0}


CLAIMS = (
    page.above_chance,
    page.below_people,
    page.judd_best,
    page.order_flips,
    page.congruency_falls,
    page.salient_agreed_on,
    page.focal_bottom_up,
    page.focal_centred,
)


def verdicts(datasets):
    return {step.__name__: step(datasets).holds for step in CLAIMS}


def both(first=GOOD, second=GOOD, **more):
    return {"mit1003": seen(first, **more), "eyecrowd": seen(second, "eyecrowd", **more)}


def test_table_2_is_that_of_the_paper():
    means = {name: sum(value for value, _ in row) / 2 for name, row in page.TABLE_2.items()}
    assert {name: round(value, 3) for name, value in means.items()} == {
        "itti": 0.795,
        "lemeur_like": 0.82,
        "aim": 0.66,
        "judd_like": 0.845,
    }
    assert set(page.TABLE_2) <= set(names("attention.models"))
    assert set(source.QUICK) <= set(names("attention.models"))


def test_everything_holds_where_it_does():
    flipped = GOOD | {"itti": 0.6, "aim": 0.5}
    assert set(verdicts(both(second=flipped)).values()) == {True}


@pytest.mark.parametrize(
    ("claim", "datasets"),
    [
        (page.above_chance, both(second=GOOD | {"itti": -0.2})),
        (page.below_people, both(second=GOOD | {"itti": 2.5})),
        (page.judd_best, both(first=GOOD | {"aim": 1.5})),
        (page.order_flips, both()),
        (page.congruency_falls, both(ranks=np.tile(np.linspace(0.5, 0.9, 6), (PICTURES, 1)))),
        (page.salient_agreed_on, both(congruent=np.stack([2 + NOISE, np.ones(PICTURES)], axis=1))),
        (page.focal_centred, both(off_centre=np.stack([6 + NOISE, 5 - NOISE], axis=1))),
    ],
)
def test_each_verdict_can_fall(claim, datasets):
    found = claim(datasets)
    assert found.holds is False
    assert found.line.endswith("| does not hold |")


def test_more_bottom_up_can_fall_in_part():
    datasets = both()
    scores = datasets["mit1003"].scores
    scores.loc[(scores["measure"] == "sauc") & (scores["criterion"] == "focal"), "value"] -= 0.5
    assert page.focal_bottom_up(datasets).holds is None


def test_a_model_that_is_only_luckily_above_chance_fails():
    datasets = both()
    scores = datasets["mit1003"].scores
    at = (scores["model"] == "aim") & (scores["measure"] == "nss") & (scores["criterion"] == "all")
    scores.loc[at, "value"] = np.where(np.arange(PICTURES) % 2, -1.0, 1.1)
    claim = page.above_chance(datasets)
    assert claim.holds is False
    assert "all but aim (nss, mit1003)" in claim.here


def test_flips_within_the_noise_hold_in_part():
    flipped = both(second=GOOD | {"itti": 0.6, "aim": 0.5})
    scores = flipped["mit1003"].scores
    at = (scores["model"] == "aim") & (scores["measure"] == "nss")
    scores.loc[at, "value"] += np.tile([1.0, -1.0], int(at.sum()) // 2)
    assert page.order_flips(flipped).holds is None


def test_pictures_may_differ_although_models_do_not_say_how():
    assert page.salient_agreed_on(both(peaks=-np.arange(PICTURES, dtype=float))).holds is None


def test_equal_pictures_differ_by_chance_alone():
    rng = np.random.default_rng(1)
    found = [page.scatter(np.stack([rng.normal(2, 0.3, 50), np.full(50, 0.3)], axis=1)) > 1 for _ in range(400)]
    assert 0.02 < np.mean(found) < 0.09


def test_means_by_hand():
    found = source.mean(np.array([1.0, 3.0, np.nan]))
    assert found == (2.0, 1.0)
    assert source.mean(np.array([])).positive is False
    assert np.isnan(source.mean(np.array([2.0])).sem)


def test_the_tables_name_people_and_quote_the_paper():
    datasets = both()
    text = page.scores_table(datasets)
    assert "| itti | 0.60 ± 0.10 | 0.99 ± 0.05 |" in text
    assert "| people |  |  | " in text
    curves = page.curves_table(datasets["mit1003"]).splitlines()
    assert curves[0] == "| hit rate, mit1003 | top 5 % | top 10 % | top 20 % | top 30 % | top 50 % | area |"
    assert curves[2].startswith("| people |")


def test_without_data_the_page_says_what_it_needs(monkeypatch, tmp_path):
    monkeypatch.setenv("BEHOLDER_DATA", str(tmp_path))
    assert source.recordings() == {}
    text = page.claims()
    assert page.NEEDED in text
    assert "| judd_like | 0.82 ± 0.11 | 0.87 ± 0.05 |" in text


def test_how_far_from_the_middle():
    path = scanpath([50, 53, 10], [50, 54, 50])
    near, far = source.distances(Lookers({"a": path}, (100, 100), px_per_deg=2.0))
    assert (near, far) == (2.5, 20.0)


def test_a_picture_with_one_odd_thing_peaks_more_than_noise():
    noise = np.random.default_rng(0).integers(110, 146, (128, 128, 3), np.uint8)
    odd = noise.copy()
    odd[56:72, 56:72] = (255, 0, 0)
    assert source.peak(Picture(odd)) > source.peak(Picture(noise)) > 0


def test_rows_without_anything_known():
    assert np.array_equal(
        source.mean_of_known(np.array([[1, 3], [np.nan, 2], [np.nan] * 2])), [2, 2, np.nan], equal_nan=True
    )


def test_a_failure_of_a_built_in_model_is_not_taken_for_a_bad_score():
    failed = pd.DataFrame([{"state": "failed", "model": "itti", "unit": "p1", "reason": "no memory"}])
    with pytest.raises(RuntimeError, match="itti on p1: no memory"):
        source._refuse_failures(failed)


def few_models(dataset):
    """attention/saliency with three models: that all of them answer is asked in tests/attention."""
    bench = saliency(dataset)
    return toys.vary(
        bench, baselines={name: bench.lineup.baselines[name] for name in FEW if name in bench.lineup.baselines}
    )


@pytest.mark.slow
def test_the_page_from_real_recordings(monkeypatch, data):
    monkeypatch.setenv("BEHOLDER_DATA", str(data))
    datasets = source.recordings()
    if len(datasets) < 2:
        pytest.skip("mit1003_subset or eyecrowd_subset is not here: set BEHOLDER_DATA")
    monkeypatch.setattr(page, "recordings", lambda: {name: dataset[:2] for name, dataset in datasets.items()})
    monkeypatch.setattr(source, "saliency", few_models)
    text = page.claims()
    assert text.count("| holds") + text.count("| does not hold |") == 8
    assert "| judd_like | 0.82 ± 0.11 | 0.87 ± 0.05 | " in text
    line = next(line for line in text.splitlines() if line.startswith("| judd_like | 0.82"))
    assert line.endswith("| — |"), "it was trained on eyecrowd"
