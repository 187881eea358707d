import math
from dataclasses import replace

import numpy as np
import pytest

from beholder.core.measure import NotApplicable
from beholder.stereo.measures.prediction import view_mse, view_psnr, view_rmse, view_ssim
from beholder.stereo.readouts import Prediction
from beholder.stereo.types import Truth


def row(*values, dtype=np.float32):
    return np.array([values], dtype)


LEFT = row(10, 20, 30, 40, dtype=np.uint8)


# At disparity 1 the left pixels 1, 2, 3 are found at 0, 1, 2, with errors 0, 3 and 4.
SHIFTED = Truth(row(1, 1, 1, 1), views={1.0: row(20, 33, 36, 0, dtype=np.uint8)})


def test_by_hand():
    mine = Prediction(LEFT, SHIFTED.disparity)
    assert view_mse(mine, SHIFTED).value == pytest.approx(25 / 3)
    assert view_rmse(mine, SHIFTED).value == pytest.approx((25 / 3) ** 0.5)
    assert view_psnr(mine, SHIFTED).value == pytest.approx(10 * math.log10(255**2 / (25 / 3)))
    assert view_psnr(mine, SHIFTED, bits=10).value == pytest.approx(10 * math.log10(1023**2 / (25 / 3)))


def test_forward_by_hand():
    # The left pixels 1, 2, 3 are rendered at 0, 1, 2: the same errors; column 3 is a gap.
    mine = Prediction(LEFT, SHIFTED.disparity)
    found = view_mse(mine, SHIFTED, way="forward", visible="none")
    assert (found.value, found.parts["gaps"], found.parts["hidden"]) == (pytest.approx(25 / 3), 0.25, 0)
    assert view_mse(mine, SHIFTED, way="forward").parts == {"gaps": 0, "hidden": 0.25}


def test_it_is_the_mean_over_views():
    views = {1.0: SHIFTED.views[1.0], 0.0: LEFT + np.uint8(2)}
    found = view_rmse(Prediction(LEFT, SHIFTED.disparity), replace(SHIFTED, views=views))
    assert found.value == pytest.approx(((25 / 3) ** 0.5 + 2) / 2)


def test_gaps_and_hidden_pixels_are_counted_apart():
    # By the truth pixel 0 leaves the picture; of the other three the model says nothing of one.
    mine = Prediction(LEFT, row(1, 1, np.nan, 1))
    found = view_mse(mine, SHIFTED)
    assert found.value == pytest.approx((0 + 16) / 2)
    assert found.parts == {"gaps": pytest.approx(1 / 3), "hidden": 0.25}


def test_a_map_of_holes_has_failed_and_a_scene_without_views_does_not_apply():
    empty = view_rmse(Prediction(LEFT, row(*[np.nan] * 4)), SHIFTED)
    assert empty.state == "failed"
    assert "the map is empty" in empty.reason
    with pytest.raises(NotApplicable, match="no further view"):
        view_rmse(Prediction(LEFT, SHIFTED.disparity), Truth(SHIFTED.disparity))
    with pytest.raises(NotApplicable, match="no pixel here is visible"):
        view_rmse(Prediction(LEFT, SHIFTED.disparity), Truth(row(*[np.nan] * 4), views=SHIFTED.views))


def test_equal_pictures_have_the_psnr_of_one_wrong_level():
    still = Truth(row(0, 0, 0, 0), views={1.0: LEFT})
    assert view_psnr(Prediction(LEFT, still.disparity), still).value == pytest.approx(10 * math.log10(255**2 * 4))


def test_ssim_without_gaps_is_scikit_images():
    from skimage.metrics import structural_similarity

    rng = np.random.default_rng(3)
    left, view = (rng.integers(0, 256, (20, 24, 3)).astype(np.uint8) for _ in range(2))
    still = Truth(np.zeros((20, 24), np.float32), views={0.5: view})
    window = {"gaussian_weights": True, "sigma": 1.5, "use_sample_covariance": False, "data_range": 255}
    _, whole = structural_similarity(left.astype(float), view.astype(float), full=True, channel_axis=-1, **window)
    assert view_ssim(Prediction(left, still.disparity), still).value == pytest.approx(whole.mean())
    with pytest.raises(NotApplicable, match="smaller than the window"):
        view_ssim(Prediction(LEFT, SHIFTED.disparity), SHIFTED)
