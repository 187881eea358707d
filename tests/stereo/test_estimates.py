import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from numpy.testing import assert_array_equal

from beholder.core.measure import NotApplicable
from beholder.errors import Misuse
from beholder.registry.load import measure_from
from beholder.stereo.estimates import Part, estimated, judged
from beholder.stereo.matching.fill import background
from beholder.stereo.measures.disparity import bad_pixels, mae, quantile, rms
from beholder.stereo.measures.kitti import d1
from beholder.stereo.measures.relative import bmpre, mre, sze
from beholder.stereo.regions import region
from beholder.stereo.types import Truth

NAN = np.nan
quick = settings(deadline=None, max_examples=60)


def rows(*values):
    return np.array(values, np.float32)


def test_a_hole_is_filled_from_outside_the_region():
    # the hole lies between 9 and 4, and the 4 stands outside the region: a fill after confinement would say 9
    found, true = rows([9, NAN, 4]), rows([9, 4, 4])
    truth = Truth(true, {"nonocc": np.array([[True, True, False]])})
    part, confined = region("nonocc").select(found, truth)
    assert_array_equal(np.asarray(part), rows(9, NAN))
    assert bad_pixels(part, confined) == 50
    assert bad_pixels(part, confined, invalid="exclude") == 0
    assert bad_pixels(part, confined, invalid="fill-background") == 0
    assert mae(part, confined, invalid="fill-background") == 0
    assert bad_pixels(part, rows(9, 9), invalid="fill-background") == 50
    assert len(part) == 2


def test_a_part_without_its_map_is_not_filled():
    with pytest.raises(ValueError, match=r"got a part of a map \(2 pixels\) with holes; expected the whole map"):
        bad_pixels(rows(9, NAN), rows(9, 9), invalid="fill-background")
    assert bad_pixels(rows(9, 7), rows(9, 9), invalid="fill-background") == 50


@pytest.mark.parametrize("of", [bad_pixels, d1, mae, rms, quantile, mre, bmpre, sze])
def test_every_error_measure_has_the_three_rules(of):
    found, true = rows([9, NAN, 4, 20]), rows([9, 9, 9, 9])
    whole = of(found, true, invalid="fill-background")
    assert whole == of(background(found), true)
    assert of(found, true, invalid="exclude") == of(rows(9, 4, 20), rows(9, 9, 9))
    if of in (bad_pixels, d1):
        assert of(found, true, invalid="error") == of(rows(9, 200, 4, 20), rows(9, 9, 9, 9))
    elif of is sze:
        assert of(found, true, invalid="error") == of(rows(9, 0, 4, 20), rows(9, 9, 9, 9))
    else:
        with pytest.raises(ValueError, match="got 1 of 4 pixels without an estimate"):
            of(found, true, invalid="error")
    with pytest.raises(Misuse, match=r"invalid='skip'; expected 'error', 'exclude' or 'fill-background'"):
        of(found, true, invalid="skip")


def test_nothing_to_fill_from_is_nothing():
    nothing, true = rows([NAN, NAN]), rows([1, 2])
    assert bad_pixels(nothing, true, invalid="fill-background") == 100
    assert d1(nothing, true, invalid="exclude") == 100
    for of in (mae, quantile, mre):
        with pytest.raises(NotApplicable, match="no pixel here has an estimate"):
            of(nothing, true, invalid="fill-background")


def test_the_rule_can_be_said_on_the_command_line():
    measure = measure_from("stereo.measures", "bad_pixels(delta=3, invalid='fill-background')")
    found, true = rows([9, NAN, 4]), rows([9, 4, 4])
    assert measure(Part(found, np.ones((1, 3), bool)), true[0]) == 0


disparities = st.floats(0, 64, width=32)
pairs = array_shapes(min_dims=1, max_dims=1, max_side=20).flatmap(
    lambda s: st.tuples(
        arrays(np.float32, s, elements=disparities | st.just(NAN)), arrays(np.float32, s, elements=disparities)
    )
)


def by_loops(found, true, rule):
    """Outliers of KITTI's devkit, relative errors, and errors in depth, pixel by pixel."""
    errors = [(abs(float(f) - float(t)), float(t)) for f, t in zip(found, true, strict=True) if not np.isnan(f)]
    outliers = sum(e > 3 and (t == 0 or e / t > 0.05) for e, t in errors)
    missing = len(found) - len(errors)
    number = len(errors) if rule == "exclude" else len(found)
    bad = outliers + (missing if rule == "error" else 0)
    return 100 * bad / number if number else 100.0


@quick
@given(pairs, st.sampled_from(["error", "exclude"]))
def test_outliers_against_loops(pair, rule):
    found, true = pair
    errors = np.abs(found.astype(float) - true.astype(float))
    near = np.abs(errors - np.maximum(3, 0.05 * true)) < 1e-4  # where rounding decides, either answer will do
    if not near[~np.isnan(found)].any():
        assert d1(found, true, invalid=rule) == pytest.approx(by_loops(found, true, rule))


@quick
@given(pairs, st.sampled_from([0.0, 0.5, 0.9, 0.95, 0.99]))
def test_quantiles_against_sorting(pair, q):
    found, true = pair
    errors = sorted(abs(float(f) - float(t)) for f, t in zip(found, true, strict=True) if not np.isnan(f))
    if errors:
        assert quantile(found, true, q=q) == errors[int(len(errors) * q)]


def test_quantiles_by_hand():
    true = np.zeros(10, np.float32)
    found = np.arange(10, dtype=np.float32)
    assert [quantile(found, true, q=q) for q in (0.5, 0.9, 0.95, 0.99)] == [5, 9, 9, 9]
    for q in (1.0, -0.1, NAN):
        with pytest.raises(Misuse, match="got q="):
            quantile(found, true, q=q)


def test_outliers_need_both_thresholds():
    true = rows(10, 10, 100, 100, 100)
    assert d1(rows(13, 13.01, 104.9, 105, 105.1), true) == pytest.approx(40)


def test_relative_errors_by_hand():
    found, true = rows(6, 8, 4, 7), rows(4, 4, 4, 0)  # the last has no relative error
    assert mre(found, true) == pytest.approx((0.5 + 1 + 0) / 3)
    assert bmpre(found, true) == pytest.approx(1.5)
    assert bmpre(found, true, delta=2) == pytest.approx(1)
    assert bmpre(found, true, normalise="all") == pytest.approx(0.5)
    assert bmpre(found, true, normalise="bad") == pytest.approx(0.75)
    assert bmpre(true, true, normalise="bad") == 0
    for of in (mre, bmpre):
        with pytest.raises(NotApplicable, match="true disparity above 0"):
            of(rows(1), rows(0))
    with pytest.raises(Misuse, match="normalise='mean'"):
        bmpre(found, true, normalise="mean")


def test_errors_in_depth_by_hand():
    found, true = rows(1, 3, NAN), rows(3, 3, 1)
    assert sze(found, true) == pytest.approx(1 / 4 + 0 + 1 / 2)
    assert sze(found, true, fb=8) == pytest.approx(6)
    assert sze(found, true, mu=0.5) == pytest.approx((1 / 1.5 - 1 / 3.5) + (1 / 0.5 - 1 / 1.5))
    assert sze(found, true, invalid="exclude") == pytest.approx(1 / 4)
    for wrong in ({"fb": 0.0}, {"mu": 0.0}, {"mu": -1.0}):
        with pytest.raises(Misuse, match="expected both above 0"):
            sze(found, true, **wrong)


def test_judged_and_estimated_keep_sides_together():
    estimate, truth = judged(rows([1, NAN], [3, 4]), rows([NAN, 2], [3, 4]), "exclude")
    assert_array_equal(estimate, [3, 4])
    assert_array_equal(truth, [3, 4])
    with pytest.raises(ValueError, match="1 of 3 pixels"):
        estimated(rows([1, NAN], [3, 4]), rows([NAN, 2], [3, 4]), "error")
