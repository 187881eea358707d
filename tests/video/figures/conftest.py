"""Evidence made by hand: a clip of 24 frames over 2 s, a camera that pans to the right, and one event of each kind."""

import numpy as np
import pytest

from beholder.video.evidence import Camera, Coherence, Deformation, Event, Evidence, Facts, Frames, Motion
from beholder.video.types import Clip

FRAMES, RATE = 24, 12.0
BOX = (0.25, 0.25, 0.5, 0.75)


@pytest.fixture
def clip():
    """A bright square on a dark ground that moves to the right; the background carries a ramp."""
    pixels = np.zeros((FRAMES, 90, 160, 3), np.uint8)
    pixels[...] = np.linspace(20, 90, 160).astype(np.uint8)[None, None, :, None]
    for at, frame in enumerate(pixels):
        frame[30:60, 20 + 4 * at : 50 + 4 * at] = (230, 180, 60)
    return Clip(pixels, rate=RATE)


@pytest.fixture
def evidence():
    """What might be found in it; other lengths and events by keyword."""

    def make(frames=FRAMES, rate=RATE, events=None, wobble=None, shot_cuts=()):
        times = np.arange(frames) / rate
        later, steps = times[1:], np.diff(times)
        flat = np.zeros(frames - 1)
        events = (Event("vanish_or_emerge", 1.0, 1.0 + 1 / rate, BOX, 0.9),) if events is None else events
        wobble = (Event("wobble", 0.25, 0.5, (0.5, 0.1, 0.9, 0.6), 0.4),) if wobble is None else wobble
        pan = np.stack([np.full(frames - 1, -0.1), flat], axis=1)
        return Evidence(
            Facts(times, frames / rate, "given", (90, 160), (90, 160)),
            Frames(np.zeros(frames), np.full(frames, 99.0), np.full(frames, 3.0), {}),
            Camera(later, steps, pan, flat, flat, flat + 0.9, np.tile(np.eye(3), (frames - 1, 1, 1))),
            Motion(later, flat + 0.2, flat + 0.1, flat + 0.3),
            (),
            Coherence(tuple(events), tuple(shot_cuts), 1.0, frames / rate, frames),
            Deformation(later, flat + 0.01, flat, flat, 0.9, tuple(wobble)),
        )

    return make
