"""Eymol of Zanca and Gori: eye movements by laws of mechanics, as its program of March 2017 has them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal
from warnings import catch_warnings, simplefilter

import numpy as np

from beholder.attention.gaze.extraction import dispersion_fixations
from beholder.attention.maps.features import px_per_deg_of
from beholder.attention.maps.scaling import colours, fitting
from beholder.attention.models._curiosity import UNITS, Derivatives, Final, drives, final_slope, leaps
from beholder.attention.models._paths import (
    Paths,
    Rng,
    clip_inside,
    last_point,
    observer_count,
    one_or_many,
    start_points,
)
from beholder.attention.types import Floats, Picture, Scanpath
from beholder.core.cite import source
from beholder.errors import Misuse
from beholder.vision.scales import resized

Version = Literal["cat2000", "final"]

HERTZ = 100  # at which positions are read
FRAME = (1080, 1920)  # px that the picture is fitted to [V]
LONGER = 480  # px of the last program [V]
DETAIL, NARROW, WIDE = 15, 201, 301  # px of the Gaussian kernels [V]; OpenCV's σ of each
CENTRE = 0.3  # of each side: σ of the centre map (ours)


@source("Zanca2017", answers="scanpath", family="variational", supervised="no")
def eymol(
    picture: Picture,
    *,
    rng: Rng,
    many: int | None = None,
    seconds: float = 5.0,
    version: Version = "cat2000",
    after: Scanpath | None = None,
) -> Paths:
    """EyMoL: a point of mass 1 drawn by details of brightness b and of the periphery p in turn, four times a second.

    The action has the terms 1/2 v², curiosity η cos² ωt ‖∇b‖² + η' sin² ωt ‖∇p‖², brightness invariance λ (∇b · v)²,
    and walls; see `_curiosity` for the equations of both programs. b is equalised brightness, blurred by a Gaussian of
    15 px; p is a difference of Gaussians of 201 and 301 px. Both are multiplied by a centre map and divided by their
    maxima, on a picture fitted to 1920 × 1080. Observers begin within 0.17 of the shorter side from the middle, at 0.3
    … 0.7 px per 1/300 s in x and y. A fixation is a stay within 1.5 deg for 80 ms. With `after` they begin at the last
    fixation of that path, at t = 0, and remember nothing else.

    Deviation: only the size of the centre map is known; here it is a Gaussian of 0.3 sides. Leapfrog steps of 1/3000 s
    replace odeint. version="final" has the last program's equations, with blurs of 3 and 55 px because its own are
    unknown; with its constants the eye hardly moves. 35 px/deg are assumed where unknown.
    """
    if not 0 < seconds < np.inf or version not in ("cat2000", "final"):
        raise Misuse(f"got seconds={seconds}, version={version!r}; expected above 0 s, and 'cat2000' or 'final'")
    moved = trajectories(picture, rng=rng, count=observer_count(many), seconds=seconds, version=version, after=after)
    return one_or_many(
        [dispersion_fixations(each, hertz=HERTZ, px_per_deg=px_per_deg_of(picture)) for each in moved], many
    )


def trajectories(
    picture: Picture,
    *,
    rng: Rng,
    count: int,
    seconds: float = 5.0,
    version: Version = "cat2000",
    after: Scanpath | None = None,
) -> Floats:
    """Where each observer looks at 100 Hz, (count, t, 2), x and y in px of the picture."""
    samples = max(1, round(seconds * HERTZ))
    rows, columns = picture.shape
    longer = LONGER if version == "final" else round(max(rows, columns) * min(FRAME[0] / rows, FRAME[1] / columns))
    shape = fitting(picture.shape, longer)
    speed = rng.uniform(0.3, 0.7, (count, 2)) * rng.choice([-1.0, 1.0], (count, 2))
    ratio = np.array(picture.shape[::-1]) / shape[::-1]
    begin = start_points(shape, count, rng)
    if after is not None:
        begin = np.tile(last_point(after, picture.shape) / ratio, (count, 1))
    start = np.concatenate([begin[:, ::-1], speed], axis=1)
    bright = equalised(picture, shape)
    if version == "final":
        states = _final(bright, start, samples)
    else:
        states = leaps(drives(*sights(bright)), start, every=10 * UNITS // HERTZ, count=samples)
    places = np.moveaxis(states[..., 1::-1], 0, 1)
    return clip_inside(places * ratio, picture.shape)


def equalised(picture: Picture, shape: tuple[int, int]) -> Floats:
    """Brightness of a size, 0 … 1, its histogram made even."""
    import cv2

    grey = cv2.cvtColor(np.rint(255 * resized(colours(picture), shape)).astype(np.uint8), cv2.COLOR_RGB2GRAY)
    return np.asarray(cv2.equalizeHist(grey) / 255.0)


def sights(bright: Floats) -> tuple[Floats, Floats]:
    """b and p: details, and what lies around, each under the centre map and at most 1."""
    centre = centre_map((bright.shape[0], bright.shape[1]))
    detail = _smooth(bright, DETAIL) * centre
    narrow, wide = _wide(bright, (NARROW, WIDE))
    around = (narrow / max(narrow.max(), 1e-9) - wide / max(wide.max(), 1e-9)) * centre
    return detail / max(detail.max(), 1e-9), around / max(float(around.max()), 1e-9)


def centre_map(shape: tuple[int, int]) -> Floats:
    """A Gaussian of 0.3 sides around the middle, 1 there."""
    down, right = (np.exp(-((((np.arange(n) + 0.5) / n - 0.5) / CENTRE) ** 2) / 2) for n in shape)
    return np.asarray(np.outer(down, right))


def _wide(image: Floats, widths: Sequence[int]) -> list[Floats]:
    """The image under OpenCV's Gaussian kernels of some widths, by cosine transforms: for wide ones that is faster.

    Kernels are symmetric, and OpenCV reflects at the middle of the last pixel, as the transform of type I does.
    """
    import cv2
    from scipy import fft

    waves = fft.dctn(image, type=1)
    found = []
    for width in widths:
        half = cv2.getGaussianKernel(width, 0)[width // 2 :, 0] * np.append(1.0, np.full(width // 2, 2.0))
        down, right = (
            np.cos(np.outer(np.arange(n) * np.pi / (n - 1), np.arange(len(half)))) @ half for n in image.shape
        )
        found.append(np.asarray(fft.idctn(waves * np.outer(down, right), type=1)))
    return found


def _smooth(image: Floats, width: int) -> Floats:
    import cv2

    return np.asarray(cv2.GaussianBlur(image, (width, width), 0))


def _final(bright: Floats, start: Floats, samples: int) -> Floats:
    """States (samples, n, 4) of the last program, by odeint as there."""
    from scipy.integrate import odeint

    centred = bright * centre_map((bright.shape[0], bright.shape[1]))
    near, far = (Derivatives(_smooth(centred, width)) for width in (3, 55))
    slope = final_slope(near, far, Final())
    times = np.arange(samples + 1) * UNITS / HERTZ
    kept = {"rtol": 1e-2, "atol": 1e-2, "mxstep": 1000}  # the program's [V]
    with catch_warnings():
        simplefilter("ignore")  # odeint warns of too many steps at a wall, as it does in the program
        return np.stack([odeint(slope, one, times, **kept)[1:] for one in start], axis=1)
