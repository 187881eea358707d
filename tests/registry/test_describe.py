"""What run.json says of a model: one set of settings, and a digest that tells it from another."""

from functools import partial

import beholder as bh
import toys
from beholder.registry.describe import describe

NOTHING = {"cite": "", "facts": {}, "settings": {}, "parameters": "", "resources": {}}


def model(patch, *, gain=1.0, of=None, rng=None):
    """A model with settings."""
    return float(patch.mean()) * gain


def test_the_settings_are_the_defaults_and_what_was_set():
    assert describe(model)["settings"] == {"gain": "1.0", "of": "None"}
    assert describe(partial(model, gain=2.0, of=partial(model)))["settings"] == {"gain": "2.0", "of": "model"}


def test_the_digest_tells_one_set_from_another():
    assert describe(model)["parameters"] == describe(partial(model, gain=1.0))["parameters"]
    assert describe(model)["parameters"] != describe(partial(model, gain=2.0))["parameters"]


def test_a_model_without_settings_or_signature_has_none():
    assert describe(lambda patch: 0.0) == NOTHING
    assert describe(None) == NOTHING


class Net:
    """Weights that cannot be pickled, and a text that cannot be had."""

    def __reduce__(self):
        raise RuntimeError("weights live elsewhere")

    def __repr__(self):
        raise RuntimeError("and so does this")


NET = Net()


def test_settings_that_cannot_be_pickled_have_no_digest():
    assert describe(partial(model, of=Net())) == NOTHING | {"settings": {"gain": "1.0", "of": "Net"}}

    def deep(patch, *, net=NET):
        return 0.5

    assert describe(deep) == NOTHING | {"settings": {"net": "Net"}}


def test_it_goes_into_the_run():
    scores = bh.run(toys.opinions(), {"mine": partial(model, gain=3.0)}, jobs=0)
    (mine,) = [one for one in scores.attrs["run"]["models"] if one["name"] == "mine"]
    assert mine["settings"] == {"gain": "3.0", "of": "None"}
    assert mine["parameters"] == describe(partial(model, gain=3.0))["parameters"]
