"""Stretches of a long clip become one."""

from dataclasses import replace

import numpy as np
import pytest

from beholder.video.evidence import Event
from beholder.video.measures.smoothness import judder, motion_smoothness
from beholder.video.readouts.joining import join
from beholder.video.uneventful import uneventful


def stretch(start, frames, assessed):
    """A stretch at 8 frames/s that begins at a time, with an event in it."""
    own = uneventful(frames)
    moved = {"times": own.camera.times + start}
    return replace(
        own,
        frames=replace(own.frames, difference=np.full(frames, 4.0)),
        facts=replace(own.facts, times=own.facts.times + start),
        camera=replace(own.camera, **moved),
        motion=replace(own.motion, **moved),
        coherence=replace(own.coherence, events=(Event("vanish", start, start),), assessed=assessed),
    )


def test_one_stretch_is_the_clip():
    own = uneventful()
    assert join([own]) is own


def test_series_follow_one_another_and_shares_are_weighted():
    found = join([stretch(0.0, 24, 1.0), stretch(3.0, 8, 0.2)])
    assert found.facts.times == pytest.approx(np.arange(32) / 8)
    assert found.facts.seconds == pytest.approx(4)
    assert (np.diff(found.camera.times) > 0).all()
    assert len(found.camera.pan) == len(found.camera.homographies) == len(found.motion.speed) == 23 + 7
    assert len(found.frames.sharpness) == len(found.frames.extra["detail"]) == 32
    assert [event.start for event in found.coherence.events] == [0.0, 3.0]
    assert found.coherence.assessed == pytest.approx(0.8)  # 3 s at 1, 1 s at 0.2
    assert (found.coherence.seconds, found.coherence.frames) == (4, 32)


def test_measures_read_what_was_joined():
    found = join([stretch(0.0, 24, 1.0), stretch(3.0, 8, 1.0)])
    assert motion_smoothness(found, None).value == judder(found, None).value == 1


def test_no_stretch_is_refused():
    with pytest.raises(ValueError, match="no stretches"):
        join([])
