import numpy as np
import pytest
from scipy.stats import mannwhitneyu

from beholder.stats.ranking import place
from beholder.stats.roc import (
    area,
    auc,
    class_image,
    confusion,
    corners,
    equal_error_rate,
    judd_area,
    roc,
    stepped_areas,
)

RNG = np.random.default_rng(0)
PAIRS = [
    (RNG.random(30), RNG.random(50)),
    (RNG.integers(0, 4, 30).astype(float), RNG.integers(0, 4, 50).astype(float)),
    (np.ones(3), np.ones(4)),
    (np.array([5.0]), np.array([1.0])),
]


@pytest.mark.parametrize(("positives", "negatives"), PAIRS)
def test_the_area_is_that_of_mann_and_whitney(positives, negatives):
    u = mannwhitneyu(positives, negatives).statistic / len(positives) / len(negatives)
    curve = roc(positives, negatives)
    assert auc(positives, negatives) == pytest.approx(u, abs=1e-14)
    assert area(curve) == area(curve, "exact") == pytest.approx(u, abs=1e-14)
    assert area(curve, "left") <= area(curve) + 1e-15
    assert area(curve, "right") >= area(curve) - 1e-15
    assert (area(curve, "left") + area(curve, "right")) / 2 == pytest.approx(u)


@pytest.mark.parametrize(("positives", "negatives"), PAIRS)
def test_curves_run_from_nothing_to_everything(positives, negatives):
    for curve in (roc(positives, negatives), roc(positives, negatives, at=positives)):
        assert (curve.fpr[0], curve.tpr[0], curve.fpr[-1], curve.tpr[-1]) == (0, 0, 1, 1)
        assert (np.diff(curve.fpr) >= 0).all()
        assert (np.diff(curve.tpr) >= 0).all()
        assert (np.diff(curve.thresholds) <= 0).all()


def test_an_error_rate_lies_on_the_curve():
    for positives, negatives in PAIRS:
        curve = roc(positives, negatives)
        rate = equal_error_rate(curve)
        assert np.interp(rate, curve.fpr, curve.tpr) >= 1 - rate - 1e-12
        assert 0 <= rate <= 1
    assert equal_error_rate(roc(np.ones(3), np.ones(4))) == 0.5
    assert equal_error_rate(roc(np.array([2.0]), np.array([1.0]))) == 0
    assert equal_error_rate(roc(np.array([1.0]), np.array([2.0]))) == 1
    # TPR 0, ½, ½, 1 over FPR 0, 0, ½, 1: the errors meet at ½
    assert equal_error_rate(roc(np.array([4.0, 1]), np.array([3.0, 0.5]))) == 0.5


def test_without_ties_judds_area_needs_no_jitter():
    # vertices at fixated values only, so at least the exact area: straight lines cut the steps
    pixels = np.sort(RNG.random(200))
    positives = pixels[[3, 50, 180, 199]]
    negatives = np.delete(pixels, [3, 50, 180, 199])
    assert judd_area(positives, pixels) == pytest.approx(area(roc(positives, negatives, at=positives)))
    assert judd_area(positives, pixels) > auc(positives, negatives)


def test_steps_go_up_to_the_highest_value():
    assert stepped_areas(np.array([1.0]), np.array([[0.95]]), 0.1)[0] == 1  # the threshold 1.0 tells them apart
    assert stepped_areas(np.array([0.92]), np.array([[0.91]]), 0.1)[0] == 0.5  # none between
    fine = stepped_areas(RNG.random(300), RNG.random((2, 400)), 1e-4)
    assert fine.shape == (2,)


def test_fine_steps_are_exact():
    positives, negatives = RNG.random(40), RNG.random(60)
    assert stepped_areas(positives, negatives[None], 1e-5)[0] == pytest.approx(auc(positives, negatives), abs=1e-3)


def test_nothing_to_compare():
    assert np.isnan(auc(np.empty(0), np.ones(2)))
    assert np.isnan(judd_area(np.ones(2), np.ones(2)))
    with pytest.raises(ValueError, match="got 0 positives and 2 negatives"):
        roc(np.empty(0), np.ones(2))
    with pytest.raises(ValueError, match="area='simpson'"):
        area(roc(np.ones(1), np.ones(1)), "simpson")


def test_the_confusion_matrix_and_its_image():
    kept, true = RNG.random((2, 9, 11)) > 0.6
    its = confusion(kept, true)
    image = class_image(kept, true)
    assert sum(its) == kept.size
    assert [(image[..., k] > 0).sum() for k in range(3)] == [its.tp, its.fn, its.fp]
    assert its.precision == pytest.approx(true[kept].mean())
    assert its.recall == pytest.approx(kept[true].mean())
    assert its.f() == pytest.approx(2 / (1 / its.precision + 1 / its.recall))
    assert its.f(2.0) == pytest.approx(5 * its.precision * its.recall / (4 * its.precision + its.recall))
    nothing = confusion(np.zeros(3, bool), np.zeros(3, bool))
    assert all(np.isnan(x) for x in (nothing.precision, nothing.recall, nothing.f()))


@pytest.mark.parametrize(("positives", "negatives"), PAIRS)
def test_corners_are_the_same_curve(positives, negatives):
    whole, few = roc(positives, negatives), corners(positives, lambda values: place(values, np.sort(negatives)))
    assert area(few) == pytest.approx(auc(positives, negatives), abs=1e-12)
    assert equal_error_rate(few) == pytest.approx(equal_error_rate(whole), abs=1e-12)
    inner = np.setdiff1d(np.linspace(0, 1, 997), whole.fpr)  # where the line is not upright
    assert np.interp(inner, few.fpr, few.tpr) == pytest.approx(np.interp(inner, whole.fpr, whole.tpr), abs=1e-12)


@pytest.mark.parametrize("levels", [2, 5, 256])
def test_judds_area_with_ties_is_the_mean_over_jitters(levels):
    # the MIT benchmark's AUC_Judd, written out: jitter, thresholds at the fixated values, trapezoid
    rng = np.random.default_rng(levels)
    values = np.floor(rng.random(300) * levels)
    fixated = rng.choice(300, 12, replace=False)
    drawn = []
    for _ in range(4000):
        broken = values + 0.5 * rng.random(300)
        t = np.sort(broken[fixated])[::-1]
        above = (broken >= t[:, None]).sum(axis=1)
        i = np.arange(1, 13)
        fpr = np.concatenate([[0], (above - i) / (300 - 12), [1]])
        tpr = np.concatenate([[0], i / 12, [1]])
        drawn.append(np.trapezoid(tpr, fpr))
    error = np.std(drawn) / np.sqrt(len(drawn))
    assert judd_area(values[fixated], np.sort(values)) == pytest.approx(np.mean(drawn), abs=4 * error + 1e-12)
