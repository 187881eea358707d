"""Errors of flow: cases worked out by hand, KITTI's rule step by step, and what holes cost."""

import numpy as np
import pytest

from beholder.motion.measures.flow import angular_error, bad_vectors, epe, fl


def test_errors_worked_out_by_hand():
    found = np.array([[0, 0], [3, 4], [6, 0], [np.nan, np.nan]], np.float32)
    true = np.array([[0, 0], [0, 0], [6, 2.5], [0, 12]], np.float32)
    result = epe(found, true)
    assert result.value == pytest.approx((0 + 5 + 2.5 + 12) / 4)  # the hole is at rest
    assert result.parts == {"density": 0.75, "pixels": 4.0}
    assert fl(found, true) == 50.0  # 5 px of nothing, and the hole; 2.5 px is within 3
    assert bad_vectors(found, true) == 75.0
    assert bad_vectors(found, true, delta=3.0) == 50.0


def test_fl_is_the_rule_of_the_devkit_of_kitti_2015():
    """As copies of evaluate_scene_flow.cpp have it: f_err > 3 and f_err / |f_gt| > 0.05, counted pixel by pixel."""
    rng = np.random.default_rng(1)
    true = rng.normal(0, 60, (4000, 2)).astype(np.float32)
    found = (true + rng.normal(0, 3, (4000, 2))).astype(np.float32)
    outliers = 0
    for (u, v), (u_gt, v_gt) in zip(found.astype(float), true.astype(float), strict=True):
        error, length = ((u - u_gt) ** 2 + (v - v_gt) ** 2) ** 0.5, (u_gt**2 + v_gt**2) ** 0.5
        outliers += error > 3 and error / length > 0.05
    assert 500 < outliers < 3500
    assert fl(found, true) == pytest.approx(100 * outliers / 4000)


@pytest.mark.parametrize(
    ("error", "length", "outlier"),
    [(3.0, 0, False), (3.01, 0, True), (3.01, 60, True), (4.9, 100, False), (5.0, 100, False), (5.01, 100, True)],
)
def test_both_thresholds_of_fl_are_strict(error, length, outlier):
    assert fl(np.array([[length + error, 0.0]]), np.array([[float(length), 0.0]])) == 100 * outlier


def test_the_angular_error_is_that_of_arccos():
    rng = np.random.default_rng(2)
    found, true = rng.normal(0, 5, (2, 500, 2))
    one, other = (np.column_stack([side, np.ones(500)]) for side in (found, true))
    cosine = (one * other).sum(axis=1) / np.linalg.norm(one, axis=1) / np.linalg.norm(other, axis=1)
    assert angular_error(found, true) == pytest.approx(np.degrees(np.arccos(cosine)).mean(), abs=1e-6)
    assert angular_error(found, found) == 0  # where arccos would leave 1e-6
    assert angular_error(np.array([[np.nan, 5.0]]), np.array([[1.0, 0.0]])) == pytest.approx(45)  # at rest


def test_answering_only_where_it_is_easy_does_not_pay():
    true = np.array([[1, 0], [50, 0]], np.float32)
    whole, part = np.array([[1, 0], [40, 0]], np.float32), np.array([[1, 0], [np.nan, np.nan]], np.float32)
    for measure in (lambda *pair: epe(*pair).value, fl, bad_vectors):
        assert measure(part, true) >= measure(whole, true)
