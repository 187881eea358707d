"""A textured disc over a textured world, and a camera: what moves how fast is known to the pixel."""

from itertools import pairwise

import cv2
import numpy as np

from beholder.video.readouts.flow import pair
from beholder.video.readouts.footage import footage
from beholder.video.types import Clip

HEIGHT, WIDTH, RADIUS, RATE = 180, 320, 25, 12.0
DIAGONAL = float(np.hypot(HEIGHT, WIDTH))


def texture(rng, height, width):
    """Noise with the spectrum of natural pictures, roughly: each octave with the same contrast."""
    octaves = (
        cv2.GaussianBlur(rng.normal(0, 1, (height, width)).astype(np.float32), (0, 0), s) * s for s in (1, 2, 4, 8)
    )
    found = sum(octaves)
    return 128 + 40 * (found - found.mean()) / found.std()


def disc(speed, *, pan=0, frames=8, seed=1, path=None, noise=1.0):
    """A clip at 12 frames/s: the disc moves in the world by `speed` px a frame, the camera by `pan`, both to the right.

    With a `path`, (frames, 2) px, the picture is shifted along it instead.
    """
    rng = np.random.default_rng(seed)
    path = np.array([[-pan * t, 0.0] for t in range(frames)]) if path is None else np.asarray(path, float)
    margin = int(np.abs(path).max()) + 8
    world = texture(rng, HEIGHT + 2 * margin, WIDTH + 2 * margin)
    round_one = texture(rng, 2 * RADIUS + 1, 2 * RADIUS + 1)
    down, right = np.mgrid[:HEIGHT, :WIDTH]
    made = []
    for t, (x, y) in enumerate(path):
        frame = _shifted(world, x - margin, y - margin)
        centre = (130 + speed * t + x, 90 + y)
        inside = (right - centre[0]) ** 2 + (down - centre[1]) ** 2 <= RADIUS**2
        frame[inside] = _shifted(round_one, centre[0] - RADIUS, centre[1] - RADIUS)[inside]
        made.append(frame + rng.normal(0, noise, frame.shape))
    grey = np.clip(np.array(made), 0, 255).astype(np.uint8)
    return Clip(np.repeat(grey[..., None], 3, axis=3), rate=RATE)


def _shifted(picture, x, y):
    matrix = np.array([[1, 0, x], [0, 1, y]], np.float32)
    return cv2.warpAffine(picture.astype(np.float32), matrix, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REFLECT)


def seen(clip):
    """The footage of a clip and its pairs."""
    own = footage(clip)
    grey = [cv2.cvtColor(frame, cv2.COLOR_RGB2GRAY) for frame in own.pixels]
    return own, [pair(first, second) for first, second in pairwise(grey)]
