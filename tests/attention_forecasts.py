"""Forecasts by which measures of the next fixation are tried."""

from dataclasses import replace

import numpy as np

import attention_walks as walks
from beholder.attention.forecasts.forecast import Forecast, Still
from beholder.attention.forecasts.outlooks import Cells
from beholder.attention.types import Density, Lookers, Picture

PICTURE = Picture(np.zeros(walks.SHAPE, np.uint8), 8.0)


class Drifting:
    """A density about the last fixation, or about the middle, by pixels, or by cells of a coarser grid."""

    def __init__(self, cells=None, spread=12.0, floor=1e-3):
        self.cells, self.spread, self.floor = cells, spread, floor

    def __call__(self, history):
        height, width = walks.SHAPE
        x, y = history.points[-1] if len(history) else (width / 2, height / 2)
        rows, columns = self.cells or walks.SHAPE
        down, right = (np.arange(rows) + 0.5) * height / rows, (np.arange(columns) + 0.5) * width / columns
        p = np.exp(-((right - x) ** 2 + (down[:, None] - y) ** 2) / (2 * self.spread**2))
        p = (1 - self.floor) * p / p.sum() + self.floor / p.size
        return Cells(np.log(p)) if self.cells else np.log(p)


def foretold(seed):
    """A forecast that reads its history, by pixels or by cells, or one that does not; and three people."""
    rng = np.random.default_rng(seed)
    people = {who: walks.wandering(rng) for who in "abc"}
    lookers = Lookers(people, walks.SHAPE, 8.0, walks.controls(rng))
    kinds = (Drifting(), Drifting((8, 13)), Still(Density(np.log(rng.dirichlet(np.ones(2800)).reshape(walks.SHAPE)))))
    return Forecast(kinds[seed % 3], walks.SHAPE), lookers


def with_a_blind(found, lookers):
    """A further person who never looked."""
    return found, replace(lookers, paths={**lookers.paths, "blind": walks.ODD["empty"]})


def in_another_order(found, lookers, rng):
    """The same people in another order."""
    return found, replace(lookers, paths={who: lookers.paths[who] for who in rng.permutation(list(lookers.paths))})


NOBODY = (Forecast(Drifting(), walks.SHAPE), Lookers({"a": walks.ODD["empty"]}, walks.SHAPE))
SETTINGS = {
    "conditional_information_gain": [{"baseline": "controls"}],
    "conditional_log_likelihood": [{"first": "keep"}],
    "conditional_auc": [{"first": "keep"}],
    "conditional_nss": [{"first": "keep"}],
}
