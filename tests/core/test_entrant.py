"""Whose answers are cached, and under which keys: only those of ours, and never two models under one."""

from functools import partial, wraps

from beholder.core.entrant import answer_key
from beholder.stereo.models.flat import flat


class Called:
    """A model that is an object; it pretends to be ours."""

    __module__ = "beholder.somewhere"

    def __init__(self, level):
        self.level = level

    def __call__(self, stimulus):
        return self.level


def test_a_function_of_ours_has_a_key_for_its_settings_and_its_stimulus():
    keys = [
        answer_key(flat, "seen"),
        answer_key(flat, "other"),
        answer_key(partial(flat, disparity=3.0), "seen"),
        answer_key(partial(flat, disparity=4.0), "seen"),
    ]
    assert len(set(keys)) == 4
    assert all(keys)
    assert answer_key(flat, "seen") == keys[0]


def test_objects_have_none_because_nobody_knows_their_state():
    assert answer_key(Called(1), "seen") == answer_key(partial(Called(2)), "seen") == ""


def test_neither_has_what_is_not_ours():
    assert answer_key(lambda stimulus: 1, "seen") == ""


def test_neither_has_what_only_bears_the_name_of_ours():
    @wraps(flat)
    def mine(pair):
        return -flat(pair)

    assert answer_key(mine, "seen") == ""


def test_what_names_files_has_none_because_they_may_change():
    assert answer_key(partial(flat, disparity="dir:maps"), "seen") == ""
