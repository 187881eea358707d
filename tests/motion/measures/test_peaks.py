"""The peak error of a long bar against that of a macaque."""

import numpy as np
import pytest

from beholder.core.measure import NotApplicable, card
from beholder.motion.datasets.bars import bars
from beholder.motion.measures.peaks import bar_peak
from beholder.motion.types import Percept
from motion_traces import NOWHERE, aimed, decay


def bar(turn=1, **other):
    its = {"length": 20.0, "width": 0.5, "speed": 16.0, "tiles": 1.0} | other
    return Percept("bar", 0.0, 16.0, vector_average=45.0 * turn, conditions=its)


def pursued(peak, turn=1):
    return aimed(turn * decay(peak, 0, 0.09) / np.exp(-0.005 / 0.09), speed=16)


@pytest.mark.parametrize(("peak", "score"), [(30.0, 1.0), (20.0, np.exp(-1)), (40.0, np.exp(-1)), (0.0, np.exp(-9))])
def test_the_score_is_the_gaussian_of_the_record(peak, score):
    found = bar_peak([pursued(peak)], [bar()])
    assert (found.value, found.parts["degrees"]) == (pytest.approx(score, abs=1e-6), pytest.approx(peak, abs=1e-6))
    assert found.status == "placeholder"
    assert found.reason == "rests on placeholders: bar.observers, bar.peak"


def test_turns_are_averaged_and_told_apart():
    found = bar_peak([pursued(40), pursued(20, -1)], [bar(), bar(-1)])
    assert found.parts["degrees"] == pytest.approx(30)
    assert bar_peak([pursued(30, -1)], [bar()]).value < 0.01  # to the other side


@pytest.mark.parametrize("other", [{"length": 10.0}, {"speed": 10.0}, {"width": 1.0}, {"tiles": 2.0}])
def test_other_bars_have_no_known_peak(other):
    with pytest.raises(NotApplicable, match="the one with a known peak"):
        bar_peak([pursued(30)], [bar(**other)])
    assert bar_peak([pursued(30), pursued(5)], [bar(), bar(**other)]).value == pytest.approx(1, abs=1e-6)


def test_an_upright_bar_is_a_control():
    upright = Percept("bar", 0.0, 16.0, vector_average=0.0, conditions=dict(bar().conditions))
    with pytest.raises(NotApplicable, match="the one with a known peak"):
        bar_peak([pursued(30)], [upright])


def test_without_a_direction_nothing_is_credited():
    found = bar_peak([NOWHERE], [bar()])
    assert (found.value, found.state) == (0.0, "low")
    assert "no direction" in found.reason


def test_a_user_may_know_the_spread(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(
        '["bar.peak"]\nstimulus = "bar"\nquantity = "x"\nsource = "the paper"\nstatus = "verified"\nvalue = 28\n'
        'spread = 4\nspread_kind = "sd"\nspecies = "macaque"\nn = 3\n'
    )
    found = bar_peak([pursued(32)], [bar()], reference=str(file))
    assert (found.value, found.status, found.reason) == (pytest.approx(np.exp(-1)), "verified", "")


def test_mirror_images_that_are_answered_alike_are_not_certain_of_monkeys():
    found = bar_peak([pursued(40), pursued(40, -1)], [bar(), bar(-1)])
    # the mean of two monkeys is N(30, 10²/2), whose middle 95 % are 30 ± 13.86; 43.86 is the nearest to 40 at its best
    z = np.random.default_rng(1).standard_normal(200_000)
    drawn = np.exp(-(((40 - (30 + z * 10 / np.sqrt(2))) / 10) ** 2))
    assert (found.lo, found.hi) == pytest.approx(tuple(np.quantile(drawn, [0.025, 0.975])), abs=0.05)
    assert found.lo < found.value < found.hi


def test_more_monkeys_and_bars_that_agree_make_it_surer(tmp_path):
    def known(n):
        file = tmp_path / f"{n}.toml"
        head = '["bar.peak"]\nstimulus = "bar"\nquantity = "x"\nsource = "the paper"\nstatus = "verified"\n'
        file.write_text(f'{head}value = 30\nspread = 10\nspread_kind = "sd"\nn = {n}\n')
        return str(file)

    def width(peaks, n):
        found = bar_peak([pursued(top) for top in peaks], [bar()] * len(peaks), reference=known(n))
        return found.hi - found.lo

    assert width([40, 40], 2) > width([40, 40], 20) > width([40, 40], 2000)
    assert width([40, 40], 2000) < 0.1
    assert width([35, 45], 2000) > 0.2  # bars that disagree


def test_the_full_dataset_and_the_small_one_show_that_bar():
    shown = {full: [one.scene.percept for one in bars(full).load.scenes.values()] for full in (True, False)}
    assert any(one.conditions["length"] == 20 and one.conditions["speed"] == 16 for one in shown[True])
    upwards = aimed(90 + decay(30, 0, 0.09) / np.exp(-0.005 / 0.09), speed=16)
    assert bar_peak([upwards] * len(shown[False]), shown[False]).parts["degrees"] == pytest.approx(30)
    assert card(bar_peak).person == pytest.approx(1 / np.sqrt(3))
