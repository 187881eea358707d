"""What is asked of several benchmarks at once."""

import pytest

from beholder.errors import Misuse
from beholder.evaluation.plan import Order, plan


def test_of_several_benchmarks_each_takes_the_settings_that_it_has():
    parts = {part.benchmark.name: part for part in plan(Order("motion", settings={"models": "none"})).parts}
    assert not parts["motion/static"].benchmark.baselines
    assert not parts["motion/beyond"].benchmark.baselines
    assert parts["motion/perceived_flow"].benchmark.baselines  # which has no such setting


def test_a_setting_that_none_has_is_refused():
    with pytest.raises(Misuse, match=r"none of these \d+ benchmarks has a setting 'modles'; did you mean 'models'"):
        plan(Order("motion", settings={"modles": "none"}))


def test_one_benchmark_must_have_every_setting():
    with pytest.raises(Misuse, match="benchmark motion/depth has no setting 'models'"):
        plan(Order("motion/depth", settings={"models": "none"}))
