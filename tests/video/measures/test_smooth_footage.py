"""Smoothness of real and of damaged footage: the promises of the issue, on few clips; tables stand in the docs."""

from dataclasses import replace

import pytest

from beholder.video.corruptions.suite import corrupt
from beholder.video.datasets.scenes import written
from beholder.video.measures.amplitude import perceptible_amplitude
from beholder.video.measures.smoothness import events_of, jerk, judder, motion_smoothness
from beholder.video.readouts.camera import camera
from beholder.video.readouts.motion import motion
from beholder.video.scenes.rendering import render
from beholder.video.types import Clip
from beholder.video.uneventful import uneventful
from video_disc import seen


def found(clip):
    """The evidence that smoothness is read from; what takes long and it does not read is left out."""
    own, pairs = seen(clip)
    moving, tracks = motion(own, pairs)
    quiet = uneventful(len(own.facts.times), own.facts.rate)
    return replace(quiet, facts=own.facts, frames=own.frames, camera=camera(own, pairs), motion=moving, tracks=tracks)


@pytest.mark.data
@pytest.mark.parametrize("name", ["ct_apple", "ct_paragliding-launch"])
def test_hands_are_smooth(data, name):
    """The prototype read hand-held clips as shaken, .29 to .86 (specs/video.md 5)."""
    own = found(Clip(path=data / "clean_clips" / f"{name}.mp4"))
    assert jerk(own, None).value > 0.9
    assert motion_smoothness(own, None).value == judder(own, None).value == 1
    assert events_of(own) == ()
    assert 0.05 < perceptible_amplitude(own, None).value < 0.9


@pytest.fixture(scope="module")
def scene():
    return render(written("scene01", 21)[0].script, rate=12.0, seconds=2.5, size=(135, 240))


@pytest.mark.parametrize(
    ("kind", "measure"), [("blur_burst", motion_smoothness), ("repeats", judder), ("jitter", jerk)]
)
def test_each_falls_with_its_own_fault_and_the_others_do_not(scene, kind, measure):
    clips = [found(corrupt(scene, kind, severity, seed=21)) for severity in (0, 2, 5)]
    scores = [measure(clip, None).value for clip in clips]
    assert scores[0] > 0.98
    assert scores[0] > scores[1] > scores[2]
    assert scores[2] < 0.85
    for other in {motion_smoothness, judder, jerk} - {measure}:
        assert other(clips[-1], None).value > 0.95
