"""The time left: by costs measured in this run or an earlier one; where there are none, it is said to be a guess."""

import json

import pytest

from beholder.engines.progress import ANSWERING, DRAWING, JUDGING, REPORT, SCORING, Leg, Silent
from beholder.evaluation import time_left
from beholder.evaluation.time_left import FILE, Meter, remember, remembered

LEGS = [
    Leg("a", {ANSWERING: {"quick": 10, "slow": 10}, SCORING: {"": 2}}),
    Leg("b", {ANSWERING: {"quick": 10}, SCORING: {"": 1}, DRAWING: {"": 4}}),
    Leg(REPORT, {JUDGING: {"": 2}}),
]


class Clock:
    """Time that passes when it is told to."""

    def __init__(self):
        self.now = 1000.0

    def monotonic(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    made = Clock()
    monkeypatch.setattr(time_left, "time", made)
    return made


def answer(meter, clock, who, count, each, slots=1):
    for _ in range(count):
        clock.now += each / slots
        meter.step(False, who, each)


def whole_run(meter, clock):
    """20 + 2 + 5 + 1 + 8 + 6 seconds."""
    with meter:
        meter.expect(LEGS, 2)
        meter.begin("a", 20, 0, phase=ANSWERING)
        answer(meter, clock, "quick", 10, 1.0, slots=2)
        answer(meter, clock, "slow", 10, 3.0, slots=2)
        meter.begin("a", 2, 0, phase=SCORING)
        answer(meter, clock, "", 2, 1.0)
        meter.begin("b", 10, 0, phase=ANSWERING)
        answer(meter, clock, "quick", 10, 1.0, slots=2)
        meter.begin("b", 1, 0, phase=SCORING)
        answer(meter, clock, "", 1, 1.0)
        meter.begin("b", 4, 0, phase=DRAWING)
        answer(meter, clock, "", 4, 2.0)
        meter.begin(REPORT, 2, 0, phase=JUDGING)
        answer(meter, clock, "", 2, 3.0)


def test_what_was_measured_is_remembered_by_benchmark_phase_and_entrant(tmp_path, clock):
    whole_run(Meter(Silent(), tmp_path), clock)
    found = remembered(tmp_path)
    assert found["a"][ANSWERING] == pytest.approx({"quick": 1.0, "slow": 3.0})
    assert found["b"][DRAWING] == pytest.approx({"": 2.0})
    assert found[REPORT] == {JUDGING: pytest.approx({"": 3.0})}


def test_a_second_run_knows_from_the_start_how_long_it_takes(tmp_path, clock):
    whole_run(Meter(Silent(), tmp_path), clock)
    meter = Meter(Silent(), tmp_path)
    meter.expect(LEGS, 2)
    meter.begin("a", 20, 0, phase=ANSWERING)
    course = meter.course()
    assert (course.done, course.of, course.sure) == (0, 2, True)
    assert course.left == pytest.approx(20 + 2 + 5 + 1 + 8 + 6)
    clock.now += 2
    assert meter.course().left == pytest.approx(40)  # time passes within a step, too
    assert meter.course().share == pytest.approx(2 / 42)


def test_on_a_slower_machine_all_that_is_left_takes_longer(tmp_path, clock):
    whole_run(Meter(Silent(), tmp_path), clock)
    meter = Meter(Silent(), tmp_path)
    meter.expect(LEGS, 2)
    meter.begin("a", 20, 0, phase=ANSWERING)
    answer(meter, clock, "quick", 10, 2.0, slots=2)
    assert meter.course().left == pytest.approx(2 * 15 + 22)  # the present phase at its own pace
    answer(meter, clock, "slow", 10, 6.0, slots=2)
    meter.begin("a", 2, 0, phase=SCORING)
    assert meter.course().left == pytest.approx(2 * 22)  # and then the others at the pace of this run


def test_a_first_run_guesses_and_says_so(tmp_path, clock):
    meter = Meter(Silent(), tmp_path)
    meter.expect(LEGS, 2)
    meter.begin("a", 20, 0, phase=ANSWERING)
    assert meter.course().left is None
    answer(meter, clock, "quick", 10, 1.0, slots=2)
    course = meter.course()
    assert course.left == pytest.approx(5 + 5)  # ten more here and ten of b, as long as those so far
    assert not course.sure
    assert 0 < course.share < 0.5


def test_a_model_of_ones_own_takes_as_long_as_others_until_it_is_measured(tmp_path, clock):
    whole_run(Meter(Silent(), tmp_path), clock)
    meter = Meter(Silent(), tmp_path)
    meter.expect([Leg("a", {ANSWERING: {"mine": 10}})], 1)
    meter.begin("a", 10, 0, phase=ANSWERING)
    assert meter.course().left == pytest.approx(10 * 2.0)
    assert not meter.course().sure
    answer(meter, clock, "mine", 2, 7.0)
    assert meter.course().left == pytest.approx(8 * 7.0)


@pytest.mark.parametrize("text", ["", "{", "[1]", '{"a": 3}', '{"a": {"answering": {"x": "long"}}}'])
def test_a_memory_that_cannot_be_read_is_none(tmp_path, text):
    (tmp_path / FILE).write_text(text)
    assert remembered(tmp_path) == {}
    remember({"a": {ANSWERING: {"x": 1.0}}}, tmp_path)
    assert json.loads((tmp_path / FILE).read_text()) == {"a": {ANSWERING: {"x": 1.0}}}


def test_memory_has_an_end(tmp_path, monkeypatch):
    monkeypatch.setattr(time_left, "MOST", 3)
    for name in "abcda":
        remember({name: {ANSWERING: {"x": 1.0}}}, tmp_path)
    assert list(remembered(tmp_path)) == ["c", "d", "a"]


def test_a_folder_that_cannot_be_written_costs_nothing_else(tmp_path):
    (tmp_path / "file").write_text("")
    remember({"a": {}}, tmp_path / "file" / "cache")
