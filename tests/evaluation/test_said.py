"""What run.json says of a model: one set of settings, and a digest that tells it from another."""

from functools import partial

import beholder as bh
import toys
from beholder.core.entrant import said_of
from beholder.core.scores import Score, summary, table


def model(patch, *, gain=1.0, of=None, rng=None):
    """A model with settings."""
    return float(patch.mean()) * gain


def test_the_settings_are_the_defaults_and_what_was_set():
    assert said_of(model)["settings"] == {"gain": "1.0", "of": "None"}
    assert said_of(partial(model, gain=2.0, of=partial(model)))["settings"] == {"gain": "2.0", "of": "model"}


def test_the_digest_tells_one_set_from_another():
    assert said_of(model)["parameters"] == said_of(partial(model, gain=1.0))["parameters"]
    assert said_of(model)["parameters"] != said_of(partial(model, gain=2.0))["parameters"]


def test_a_model_without_settings_or_signature_has_none():
    assert said_of(lambda patch: 0.0) == {"cite": ""}
    assert said_of(None) == {"cite": ""}


class Net:
    """Weights that cannot be pickled, and a text that cannot be had."""

    def __reduce__(self):
        raise RuntimeError("weights live elsewhere")

    def __repr__(self):
        raise RuntimeError("and so does this")


NET = Net()


def test_settings_that_cannot_be_pickled_have_no_digest():
    assert said_of(partial(model, of=Net())) == {"cite": "", "settings": {"gain": "1.0", "of": "Net"}}

    def deep(patch, *, net=NET):
        return 0.5

    assert said_of(deep) == {"cite": "", "settings": {"net": "Net"}}


def test_it_goes_into_the_run():
    scores = bh.run(toys.opinions(), {"mine": partial(model, gain=3.0)}, jobs=0)
    (mine,) = [one for one in scores.attrs["run"]["models"] if one["name"] == "mine"]
    assert mine["settings"] == {"gain": "3.0", "of": "None"}
    assert mine["parameters"] == said_of(partial(model, gain=3.0))["parameters"]


def test_what_does_not_apply_says_nothing_on_the_trust_in_a_number():
    rows = [
        Score("b", 1, "m", "model", "dataset", unit, 0, "hit", "all", "higher", 0.5, 0, 0, 1, state, "", status)
        for unit, state, status in (("1", "ok", "seed"), ("2", "na", "placeholder"))
    ]
    assert list(summary(table(rows))["provenance"]) == ["seed"]
