"""A textured picture that moves as it is told: only what bends to and fro is wobble."""

from itertools import pairwise

import cv2
import numpy as np
import pytest

from beholder.video.readouts.bending import bending
from beholder.video.readouts.deformation import deformation
from beholder.video.readouts.flow import pair
from beholder.video.readouts.footage import footage
from beholder.video.types import Clip, Poses, Skeleton

SIZE = (144, 256)  # height and width
MIDDLE, HALF = np.array([150.0, 70.0]), np.array([44.0, 36.0])


def texture(height, width):
    """Blotches of many sizes."""
    rng = np.random.default_rng(3)
    layers = [cv2.GaussianBlur(rng.standard_normal((height, width, 3)), (0, 0), s) * s for s in (1.2, 3, 8)]
    picture = sum(layers)
    return np.clip(128 + 55 * picture / picture.std(), 0, 255).astype(np.uint8)


def clip(*, rate=12.0, seconds=2.0, pan=20.0, zoom=0.05, wobble=0.0, shake=0.0, size=SIZE):
    """A camera pans (px/s) and zooms (log/s) over a picture. In px at 320: waves run through a part; it shakes."""
    height, width = size
    scale = np.hypot(*size) / 367
    picture = texture(2 * height, 2 * width)
    y, x = np.mgrid[:height, :width].astype(np.float32)
    middle, half = MIDDLE * height / SIZE[0], HALF * height / SIZE[0]
    inside = np.sqrt(np.maximum(1 - ((x - middle[0]) / half[0]) ** 2 - ((y - middle[1]) / half[1]) ** 2, 0))
    frames = []
    for t in np.arange(round(rate * seconds)) / rate:
        waves = wobble * scale * inside
        moved = shake * scale * (inside > 0) * np.sin(2 * np.pi * t / 0.5)
        right = x + moved + waves * np.sin(2 * np.pi * (y / (44 * scale) - t / 0.45))
        down = y + waves * np.sin(2 * np.pi * (x / (40 * scale) - t / 0.5))
        grown = np.exp(-zoom * t)
        at = [
            (right - width / 2) * grown + width / 2 + 20 + pan * scale * t,
            (down - height / 2) * grown + height / 2 + 20,
        ]
        frames.append(cv2.remap(picture, at[0].astype(np.float32), at[1].astype(np.float32), cv2.INTER_LINEAR))
    return Clip(pixels=np.stack(frames), rate=float(rate))


def pairs_of(seen):
    grey = [cv2.cvtColor(frame, cv2.COLOR_RGB2GRAY) for frame in seen.pixels]
    return [pair(a, b) for a, b in pairwise(grey)]


def found(made):
    seen = footage(made)
    return deformation(seen, pairs_of(seen))


EVERYWHERE = np.ones((90, 160), np.float32)


def test_an_affine_motion_does_not_bend():
    y, x = np.mgrid[:90, :160].astype(np.float32)
    flow = np.dstack([1.5 + 0.02 * x - 0.01 * y, -0.7 + 0.03 * y]).astype(np.float32)
    assert np.abs(bending(flow, EVERYWHERE, 3.0, 4)[8:-8, 8:-8]).max() < 0.02


def test_two_rigid_things_do_not_bend_where_they_meet():
    flow = np.zeros((90, 160, 2), np.float32)
    flow[:, 80:, 0] = 3.0
    several, one = (np.abs(bending(flow, EVERYWHERE, 3.0, aside)[..., 0]).mean() for aside in (5, 0))
    assert several < 0.06
    assert several < 0.6 * one


def test_bending_remains():
    y, _ = np.mgrid[:90, :160].astype(np.float32)
    wave = np.sin(2 * np.pi * y / 20).astype(np.float32)
    flow = np.dstack([2 + wave, 0 * wave])
    left = bending(flow, EVERYWHERE, 3.0, 4)[10:-10, 10:-10, 0]
    assert np.corrcoef(left.ravel(), wave[10:-10, 10:-10].ravel())[0, 1] > 0.9


def test_a_camera_alone_does_not_wobble():
    shape = found(clip())
    assert shape.oscillation.max() == 0
    assert shape.restless.mean() < 0.02
    assert shape.reliable > 0.8
    assert shape.events == ()


@pytest.mark.parametrize("rate", [8, 24])
def test_wobble_is_found_where_it_is_at_any_rate(rate):
    shape = found(clip(rate=rate, wobble=2.5))
    assert (shape.oscillation > 0.02).mean() > 0.6
    left, top, right, bottom = max(shape.events, key=lambda event: event.end - event.start).box
    middle = MIDDLE / (SIZE[1], SIZE[0])
    assert left < middle[0] < right
    assert top < middle[1] < bottom
    assert right - left < 0.5
    assert all(0 <= event.start < event.end <= 2.0 for event in shape.events)


def test_a_rigid_thing_that_shakes_does_not_wobble():
    """What remains is the rim, where the flow is smeared."""
    shaken, wobbling = (found(clip(pan=0.0, zoom=0.0, **{how: 3.0})).oscillation.mean() for how in ("shake", "wobble"))
    assert shaken < 0.15 * wobbling


def test_limbs_of_a_known_body_do_not_oscillate():
    made = clip(wobble=3.0)
    stick = Skeleton("stick", ("a", "b"), (("a", "b"),))
    points = np.repeat([[[0.35, 0.5], [0.9, 0.5]]], len(made.pixels), axis=0)
    body = Poses(stick, points, np.ones((len(made.pixels), 2)))
    seen = footage(made)
    pairs = pairs_of(seen)
    alone, known = deformation(seen, pairs), deformation(seen, pairs, (body,))
    assert known.oscillation.mean() < 0.7 * alone.oscillation.mean()
    assert (known.bending == alone.bending).all()  # all bending counts


def test_more_wobble_is_more_of_it():
    shares = [found(clip(wobble=size)).oscillation.mean() for size in (0.0, 1.5)]
    assert shares[0] < shares[1] < found(clip(wobble=3.0)).oscillation.mean()


def test_wobble_of_a_small_clip_is_that_of_a_large_one():
    large, small = (found(clip(wobble=2.5, size=size)).oscillation.mean() for size in ((160, 284), (108, 192)))
    assert small == pytest.approx(large, rel=0.6)


def test_nothing_is_said_of_few_frames_or_a_low_rate():
    for made in (clip(seconds=0.9), clip(rate=16, seconds=0.8), clip(rate=5, seconds=4)):
        shape = found(made)
        assert len(shape.times) == len(shape.oscillation) == 0
        assert shape.events == ()


@pytest.mark.data
@pytest.mark.parametrize("name", ["ct_pillow", "sam_bedroom"])
def test_real_clips_of_cloth_and_of_bouncing_children_do_not_wobble(data, name):
    """Clean footage that bends: the 12 clips have no flagged moment, and 0.01 at most."""
    shape = found(Clip(path=data / "clean_clips" / f"{name}.mp4"))
    assert shape.oscillation.max() < 0.01
    assert shape.events == ()
