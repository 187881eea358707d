"""How well a disparity map predicts views that the model has not seen (Szeliski 1999, Szeliski & Zabih 2000).

All of them take a `Prediction` and the `Truth` that holds the views, and are means over these views. `way` is
"inverse" (views are fetched and compared with the left image) or "forward" (the left image is rendered into each
view). `visible` says which pixels are compared: those that the true disparity shows in both images ("truth"), those
that the model's own map does ("own"), or all ("none"). Without the first, wrong maps win: a hidden pixel is
best explained by any other of its colour. `blend` makes values intervals, as `views.differences` says.

Colours are grey levels of 0 … 255, each channel by itself. Pixels without a prediction are left out; the parts tell
how many of those asked for they were (`gaps`) and how many were not asked for (`hidden`), as shares. The numbers hold
errors of the rendering besides those of the map.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from beholder.core.measure import NotApplicable, Result, measure
from beholder.stereo.readouts import Compared, Prediction, Visible, Way, prediction, view_of
from beholder.stereo.scenes.views import differences
from beholder.stereo.types import Truth

WINDOW = 11  # px: the side of the Gaussian window (σ = 1.5) of SSIM, beyond which scikit-image cuts it


@measure(better="lower", bounds=(0, 255**2), cite="Szeliski1999,Cabezas2011", reads=prediction, unit="levels²")
def view_mse(
    found: Prediction, truth: Truth, *, way: Way = "inverse", visible: Visible = "truth", blend: float = 0.0
) -> Result:
    """Mean squared error of predicted views.

    MSE = 1/N · Σ (I_true − I_estimated)², N being all channels of the pixels compared. No view, or no pixel that is
    visible in one: not applicable. No prediction at all: failed.

    >>> left, view = np.array([[10, 20, 30]], np.uint8), np.array([[22, 30, 0]], np.uint8)
    >>> truth = Truth(np.ones((1, 3), np.float32), views={1.0: view})
    >>> view_mse(Prediction(left, truth.disparity), truth).value
    2.0
    """
    return _over_views(found, truth, lambda pair: _mse(pair, blend), way, visible)


@measure(better="lower", bounds=(0, 255), cite="Szeliski1999,Cabezas2011", reads=prediction, unit="levels")
def view_rmse(
    found: Prediction, truth: Truth, *, way: Way = "inverse", visible: Visible = "truth", blend: float = 0.0
) -> Result:
    """Root of the mean squared error of predicted views.

    RMSE = MSE^½ of each view, then the mean over views. Empties are treated as in `view_mse`.

    >>> left, view = np.array([[10, 20, 30]], np.uint8), np.array([[22, 28, 0]], np.uint8)
    >>> truth = Truth(np.ones((1, 3), np.float32), views={1.0: view})
    >>> view_rmse(Prediction(left, truth.disparity), truth).value
    2.0
    """
    return _over_views(found, truth, lambda pair: _mse(pair, blend) ** 0.5, way, visible)


@measure(better="higher", bounds=(0, np.inf), cite="Szeliski1999,Cabezas2011", reads=prediction, unit="dB")
def view_psnr(
    found: Prediction,
    truth: Truth,
    *,
    way: Way = "inverse",
    visible: Visible = "truth",
    blend: float = 0.0,
    bits: int = 8,
) -> Result:
    """Peak signal-to-noise ratio of predicted views.

    PSNR = 10 · log10((2^B − 1)² / MSE) of each view, B bits; then the mean over views. Empties are treated as in
    `view_mse`.

    Deviation: an MSE below 1/N (less than one wrong level in one of N values) counts as 1/N, so that equal images have
    a finite value.

    >>> left, view = np.array([[10, 20, 30]], np.uint8), np.array([[71, 81, 0]], np.uint8)
    >>> truth = Truth(np.ones((1, 3), np.float32), views={1.0: view})
    >>> view_psnr(Prediction(left, truth.disparity), truth).value.__round__(4)  # 20 · log10(255 / 51)
    13.9794
    """
    peak = 2**bits - 1

    def psnr(pair: Compared) -> float:
        least = 1 / (np.count_nonzero(pair.held) * pair.actual.shape[-1])
        return float(10 * np.log10(peak**2 / max(_mse(pair, blend), least)))

    return _over_views(found, truth, psnr, way, visible)


@measure(better="higher", bounds=(-1, 1), cite="Wang2004", reads=prediction)
def view_ssim(found: Prediction, truth: Truth, *, way: Way = "inverse", visible: Visible = "truth") -> Result:
    """Structural similarity of predicted views.

    SSIM = (2μxμy + C1)(2σxy + C2) / ((μx² + μy² + C1)(σx² + σy² + C2)) in a Gaussian window, σ = 1.5, C1 = (0.01 L)²,
    C2 = (0.03 L)², L = 255: scikit-image's, averaged over the pixels compared and their channels. Pixels that are not
    compared take the actual colour in both images, for the windows that reach them. Empties are treated as in
    `view_mse`; images smaller than the window of 11 × 11 are not applicable.

    >>> picture = np.arange(144, dtype=np.uint8).reshape(12, 12)
    >>> truth = Truth(np.zeros((12, 12), np.float32), views={1.0: picture})
    >>> round(view_ssim(Prediction(picture, truth.disparity), truth).value, 6)
    1.0
    """
    return _over_views(found, truth, _ssim, way, visible)


def _over_views(
    found: Prediction, truth: Truth, value: Callable[[Compared], float], way: Way, visible: Visible
) -> Result:
    """The mean of a value over the views in which something can be compared."""
    predict = view_of(way)
    pairs = {f: predict(found, truth, f, visible=visible) for f in truth.views}
    asked = {f: pair for f, pair in pairs.items() if pair.asked.any()}
    if not asked:
        raise NotApplicable("this sample has no further view" if not pairs else "no pixel here is visible in a view")
    empty = [f for f, pair in asked.items() if not pair.held.any()]
    if empty:
        return Result(np.nan, state="failed", reason=f"nothing was predicted for view {empty[0]:g}: the map is empty")
    each = [value(pair) for pair in asked.values()]
    gaps = float(np.mean([1 - np.count_nonzero(p.held) / np.count_nonzero(p.asked) for p in asked.values()]))
    hidden = float(np.mean([np.mean(~p.asked) for p in asked.values()]))
    return Result(float(np.mean(each)), {"gaps": gaps, "hidden": hidden})


def _mse(pair: Compared, blend: float) -> float:
    return float(np.mean(differences(pair.predicted, pair.actual, blend=blend)[pair.held] ** 2))


def _ssim(pair: Compared) -> float:
    from skimage.metrics import structural_similarity

    if min(pair.asked.shape) < WINDOW:
        raise NotApplicable(f"the picture is {pair.asked.shape}, smaller than the window of {WINDOW} × {WINDOW}")
    filled = np.where(pair.held[..., None], pair.predicted, pair.actual)
    window = {"gaussian_weights": True, "sigma": 1.5, "use_sample_covariance": False, "data_range": 255}
    _, similar = structural_similarity(pair.actual, filled, full=True, channel_axis=-1, **window)
    return float(np.clip(np.mean(similar[pair.held]), -1, 1))
