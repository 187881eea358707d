"""What the measures of stereo are tried with."""

import math
from dataclasses import replace

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from beholder.stereo.readouts import Prediction
from beholder.stereo.scenes.pairs import Share
from beholder.stereo.scenes.views import fetched
from beholder.stereo.types import Truth
from measure_inputs import Inputs, reordered

disparities = st.floats(0, 128, width=32)
holed = disparities | st.just(math.nan)
_shapes = array_shapes(min_dims=1, max_dims=2, max_side=6)
_maps = _shapes.flatmap(
    lambda shape: st.tuples(arrays(np.float32, shape, elements=holed), arrays(np.float32, shape, elements=holed))
)
_UNKNOWN = np.full(3, np.nan, np.float32)
_NOWHERE = np.full((12, 14), np.nan, np.float32)


def _more(found, true):
    """Some estimates where no truth is known."""
    return np.append(found, [1, 2, np.nan]).astype(np.float32), np.append(true, _UNKNOWN)


def _shuffled(found, true, rng):
    order = rng.permutation(found.size)
    return found.ravel()[order], true.ravel()[order]


def _scene(seed, factor):
    """Some colours, a map with holes, and a truth with one further view."""
    rng = np.random.default_rng(seed)
    left, view = rng.random((2, 12, 14, 3))
    true, found = rng.uniform(0.1, 3, (2, 12, 14)).astype(np.float32)
    true[rng.random(true.shape) < 0.1] = np.nan
    found[rng.random(true.shape) < 0.1] = np.nan
    return Prediction(left, found), Truth(true, views={factor: view})


def _foretold(truth):
    """The left image that the view itself predicts."""
    factor, view = next(iter(truth.views.items()))
    return Prediction(np.nan_to_num(fetched(view, truth.disparity, factor)) / 255, truth.disparity)


def _out_of_sight(found, truth):
    """A further view so far away that it sees nothing of the scene."""
    return found, replace(truth, views={**truth.views, 1000.0: found.left})


def _seen_twice(seed):
    """Maps of one scene from some of its pairs, with noise and holes."""
    rng = np.random.default_rng(seed)
    shares = [Share(factor) for factor in rng.permutation([1.0, 0.5, -0.5, 2.0])[: rng.integers(2, 5)]]
    scene = rng.uniform(0, 20, (4, 5))
    maps = [abs(share.factor) * scene + rng.uniform(0, 2) * rng.standard_normal((4, 5)) for share in shares]
    return [np.where(rng.random((4, 5)) < 0.1, np.nan, d).astype(np.float32) for d in maps], shares


INPUTS = {
    "stereo": Inputs(
        pairs=_maps,
        perfect=np.copy,
        empty=(np.zeros(3, np.float32), _UNKNOWN),
        blurred=_more,
        shuffled=_shuffled,
        settings={
            "bad_pixels": [{"delta": 0.5}, {"delta": 0}, {"invalid": "exclude"}],
            "quantile": [{"q": 0.0}, {"q": 0.5}],
            "bmpre": [{"normalise": "all"}, {"normalise": "bad"}, {"delta": 3}],
            "sze": [{"fb": 200.0}, {"mu": 0.1}, {"invalid": "exclude"}],
            "d1": [{"invalid": "exclude"}],
        },
    ),
    "stereo.consistency": Inputs(
        pairs=st.integers(0, 999).map(_seen_twice),
        perfect=lambda shares: [np.full((4, 5), 8 * abs(share.factor), np.float32) for share in shares],
        empty=([np.ones((4, 5), np.float32)], [Share(1.0)]),
        blurred=lambda maps, shares: ([np.pad(d, (0, 3), constant_values=np.nan) for d in maps], shares),
        shuffled=reordered,
        settings={"inconsistency": [{"delta": 0.25}]},
    ),
    "stereo.published": Inputs(
        pairs=st.tuples(st.floats(0, 100) | st.just(math.nan), st.none()),
        perfect=lambda _: 0.0,
        empty=(math.nan, None),
        blurred=lambda found, reference: (found, reference),
        shuffled=None,
        settings={},
    ),
    "stereo.prediction": Inputs(
        pairs=st.builds(_scene, st.integers(0, 999), st.sampled_from([1.0, 0.5, -0.5])),
        perfect=_foretold,
        empty=(Prediction(np.zeros((12, 14)), _NOWHERE), Truth(_NOWHERE)),
        blurred=_out_of_sight,
        shuffled=None,
        settings={"view_rmse": [{"visible": "own"}, {"blend": 0.2}], "view_ssim": [{"visible": "own"}]},
    ),
}
