import math

import numpy as np
import pytest

from beholder.core.scores import Score, table


def score(model, unit, value, **more):
    fields = {
        "benchmark": "toy/dense", "version": 1, "model": model, "role": "model", "dataset": "toy", "unit": unit,
        "repeat": 0, "measure": "bad", "settings": "", "part": "", "criterion": "all", "better": "lower",
        "value": value, "lo": math.nan, "hi": math.nan, "n": 1, "state": "ok", "reason": "", "provenance": "",
    }  # fmt: skip
    return Score(**{**fields, **more})


@pytest.fixture
def row():
    """One score with everything but the named fields filled in."""
    return score


@pytest.fixture
def matrix():
    """A table from models × units of losses; names count up, or are given."""

    def made(losses, names=None, **more):
        values = np.asarray(losses, dtype=float)
        models = names or [f"m{at}" for at in range(len(values))]
        return table(
            score(model, f"u{unit}", value, **more)
            for model, own in zip(models, values, strict=True)
            for unit, value in enumerate(own)
        )

    return made
