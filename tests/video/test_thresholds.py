"""The table of thresholds: what τ_s depends on."""

import pickle
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from beholder.video.thresholds import (
    OURS,
    Row,
    Thresholds,
    amplitude_threshold,
    drop_threshold,
    factor,
    kind_of,
    scene_type,
)
from beholder.video.types import Prompt
from beholder.video.uneventful import uneventful, with_pan, with_speed


def tau(found, scene=None, table=OURS):
    return drop_threshold(found, scene_type(found, scene), table)


def test_more_motion_forgives_more_at_that_moment():
    """Subject and camera count alike, up to full motion."""
    calm, fast = uneventful(), with_speed(uneventful(), np.linspace(0, 1, 15))
    assert (np.diff(tau(fast)) >= 0).all()
    assert tau(fast)[-1] == pytest.approx(OURS.drop + OURS.drop_moving)
    panned = with_pan(calm, [[0.05 * t, 0] for t in range(16)])  # 0.4 diagonals/s, and the subject's 0.1
    assert tau(panned)[5] == pytest.approx(1.3 * (OURS.drop + OURS.drop_moving))  # and its class is fast


def test_the_prompt_counts():
    calm, sea = uneventful(), Prompt("waves in a storm")
    assert tau(calm, sea)[0] / tau(calm)[0] == pytest.approx(dict(OURS.kinds)["fluid"])


@pytest.mark.parametrize(
    ("words", "kind"), [("a dog by the river", "body"), ("a flock of birds", "crowd"), ("abstract shapes", "unknown")]
)
def test_the_subject_is_asked_before_the_text(words, kind):
    subject = "dog" if "dog" in words else ""
    assert kind_of(Prompt(words, subject=subject)) == kind


def test_words_are_whole_words():
    assert kind_of(Prompt("a carpet")) == "unknown"  # no car


def test_between_two_classes_the_threshold_has_no_step():
    table = Thresholds(sizes=(Row("small", 0.01, 1.0), Row("large", 0.1, 2.0)))
    of = scene_type(uneventful())
    found = [factor(table, of._replace(area=area)) for area in (0.001, 0.01, 0.0316227766, 0.1, 0.9)]
    assert found == pytest.approx([1, 1, 1.5, 2, 2])


def test_a_small_subject_need_not_be_as_fast():
    """Where the prompt says how large it should be; what is seen to move does not count."""
    large, small = (amplitude_threshold(SimpleNamespace(size=size)) for size in ("large", "small"))
    assert small < amplitude_threshold(None) == OURS.amplitude < large


def test_classes_have_names():
    of = scene_type(uneventful())._replace(area=0.4, camera=0.001)
    assert (of.size_class(), of.camera_class()) == ("large", "still")


def test_what_was_asked_for_counts_before_what_is_seen():
    """The reference of a generated scene says how large its subject is and whether the camera moves."""
    of = scene_type(uneventful(), SimpleNamespace(size="large", camera="static"))
    assert (of.size_class(), of.camera_class()) == ("large", "still")
    assert scene_type(uneventful(), Prompt(size=(90, 160))).area == pytest.approx(0.05)  # px are no class


def test_a_table_can_be_sent_to_a_worker():
    assert pickle.loads(pickle.dumps(OURS)) == OURS
    assert hash(OURS) == hash(Thresholds())


def test_the_type_of_a_scene_in_which_nothing_moves():
    still = uneventful()
    still = replace(still, motion=replace(still.motion, area=np.zeros(15)))
    assert scene_type(still).area == 0
    assert np.isfinite(tau(still)).all()
