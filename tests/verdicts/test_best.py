import numpy as np
import pandas as pd

from beholder.verdicts.best import leaders


def test_who_leads_and_who_is_not_significantly_worse():
    rng = np.random.default_rng(0)
    hard = rng.normal(size=(12, 1))
    units = hard + [0.3, 0.0, 0.05] + 0.1 * rng.normal(size=(12, 3)) * [1, 1, 4]
    found = leaders(units.mean(axis=0), units, pd.Index(["far", "first", "near"]))
    assert found[:2] == (("first",), ("near",))


def test_five_units_are_not_tested():
    units = np.arange(5.0)[:, None] + [0.0, 100.0]
    found = leaders(units.mean(axis=0), units, pd.Index(["a", "b"]))
    assert found == (("a",), (), 2, "5 units are too few to test the differences (6 are needed)")
