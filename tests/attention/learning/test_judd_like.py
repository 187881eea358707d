"""The weights of `judd_like` follow what people looked at."""

import numpy as np
from numpy.testing import assert_array_equal

from beholder.attention.learning import judd_like
from beholder.attention.maps.judd_features import NAMES
from beholder.attention.types import Lookers, Picture, scanpath
from beholder.core.sample import Dataset, Sample


def spotted(at):
    """A grey picture with grain and one red spot, which six people looked at."""
    rng = np.random.default_rng(at)
    pixels = rng.integers(100, 130, (96, 128, 3)).astype(np.uint8)
    x, y = rng.integers(20, 100), rng.integers(20, 70)
    pixels[y - 8 : y + 8, x - 8 : x + 8] = (220, 40, 40)
    paths = {str(who): scanpath(x + rng.normal(0, 4, 5), y + rng.normal(0, 4, 5)) for who in range(6)}
    return Sample(str(at), Picture(pixels), Lookers(paths, (96, 128), px_per_deg=8.0))


def test_weights_follow_what_people_looked_at():
    dataset = Dataset("spots", ("1", "2", "3", "4"), lambda id: spotted(int(id)))
    held = judd_like.learn(dataset, count=60, seed=1)
    assert {len(values) - len(NAMES) for name, values in held.items() if name.startswith("weights")} == {1}
    weights = dict(zip(NAMES, held["weights"], strict=False))
    assert weights["colour"] > 0.3
    assert weights["rare_colour_9"] > 0
    assert_array_equal(held["weights"], judd_like.learn(dataset, count=60, seed=1)["weights"])
    rows = (judd_like.examples(spotted(9), count=60, rng=np.random.default_rng(0)) - held["mean"]) / held["scale"]
    score = rows @ held["weights"][:-1]
    assert (score[:60, None] > score[60:]).mean() > 0.9  # the area under the curve, on a picture it has not seen
