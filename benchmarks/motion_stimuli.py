"""What it costs to draw stimuli, and how near they come to the exact integral, beside drawing them 8 × finer.

Both ways show the same thing: a figure under a Gaussian of half a pixel, sampled at the centres of pixels. Ours is a
closed form; the other draws the bare figure with 8 × 8 points a pixel, blurs and samples it. The integral is exact down
each of 100 lines a pixel, where the figure is a few intervals under a normal distribution, and summed across them.
Both ways take turns in one process; the least CPU time of several rounds counts.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is loaded: CPU time of one thread

import platform
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from beholder.motion.stimuli.bar import Bar
from beholder.motion.stimuli.diamond import Diamond
from beholder.motion.stimuli.drawing import movie
from beholder.motion.stimuli.sampling import PREFILTER, Sampling

ROUNDS, FINE, LINES = 3, 8, 100
SAMPLING = Sampling(hertz=50, size=160, seconds=0.1)
SCENES = {"bar of 10°": Bar(length=10.0), "the same in two tiles": Bar(length=10.0, tiles=2), "diamond": Diamond()}
HARD = 1e-3  # px of blur: as good as a bare figure

Image = NDArray[np.float64]


def supersampled(scene: Any, seconds: float, finer: int) -> Image:
    """One frame from `finer` × `finer` points a pixel, blurred by the same Gaussian of half a pixel."""
    fine = replace(SAMPLING, size=SAMPLING.size * finer, px_per_deg=SAMPLING.px_per_deg * finer)
    centres = (np.arange(fine.size) - (fine.size - 1) / 2) / fine.px_per_deg
    bare = _Bare(fine)
    drawn = scene.luminance(*np.meshgrid(centres, -centres), seconds, bare).astype(np.float32)
    radius = int(6 * PREFILTER * finer)
    taps = np.exp(-0.5 * (np.arange(-radius, radius + 1) / (PREFILTER * finer)) ** 2)
    smooth = cv2.sepFilter2D(drawn, cv2.CV_64F, taps / taps.sum(), taps / taps.sum(), borderType=cv2.BORDER_REPLICATE)
    return _at_centres(smooth, finer)


class _Bare:
    """The clock and the size of a sampling, without its blur."""

    def __init__(self, of: Sampling) -> None:
        self.middle, self.blur = SAMPLING.middle, HARD / of.px_per_deg


def _at_centres(smooth: Image, finer: int) -> Image:
    """Pixel centres lie between four of the finer points: their mean."""
    low, high = slice(finer // 2 - 1, None, finer), slice(finer // 2, None, finer)
    return (smooth[low, low] + smooth[low, high] + smooth[high, low] + smooth[high, high]) / 4


def strokes(scene: Any) -> list[Image]:
    """The corners (4, 2) of each stroke, around the middle of the figure."""
    if isinstance(scene, Bar):
        ends = scene.ends()
    else:
        corners = scene.corners()
        ends = list(zip(corners, (*corners[1:], corners[0]), strict=True))
    found = []
    for start, end in np.asarray(ends):
        normal = np.array([-(end - start)[1], (end - start)[0]]) / np.linalg.norm(end - start) * scene.width / 2
        found.append(np.stack([start + normal, end + normal, end - normal, start - normal]))
    return found


def interval(corners: Image, x: float) -> tuple[float, float] | None:
    """Where the vertical line at x lies in a convex figure: from, to."""
    (x0, y0), (x1, y1) = corners.T, np.roll(corners, -1, axis=0).T
    crossed = (np.minimum(x0, x1) <= x) & (x < np.maximum(x0, x1))
    if not crossed.any():
        return None
    y = y0[crossed] + (x - x0[crossed]) / (x1[crossed] - x0[crossed]) * (y1[crossed] - y0[crossed])
    return float(y.min()), float(y.max())


def merged(intervals: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The union of some intervals."""
    found: list[tuple[float, float]] = []
    for low, high in sorted(intervals):
        if found and low <= found[-1][1]:
            found[-1] = (found[-1][0], max(high, found[-1][1]))
        else:
            found.append((low, high))
    return found


def exact(scene: Any, seconds: float) -> Image:
    """The coverage of each pixel by the union of all strokes, under the Gaussian."""
    size, blur = SAMPLING.size, SAMPLING.blur
    centres = (np.arange(size) - (size - 1) / 2) / SAMPLING.px_per_deg
    place = np.array([scene.speed * (seconds - SAMPLING.middle), 0])
    figure = [corners + place for corners in strokes(scene)]
    step = 1 / SAMPLING.px_per_deg / LINES
    lines = np.arange(centres[0] - 4 * blur, centres[-1] + 4 * blur, step)
    down = np.zeros((len(lines), size))
    for at, x in enumerate(lines):
        for low, high in merged([part for corners in figure if (part := interval(corners, x))]):
            down[at] += ndtr((high + centres) / blur) - ndtr((low + centres) / blur)
    across = np.exp(-0.5 * ((centres[:, None] - lines) / blur) ** 2) * step / (blur * np.sqrt(2 * np.pi))
    return (across @ down).T


def spent(way: Callable[[], Any]) -> float:
    start = time.process_time()
    way()
    return time.process_time() - start


def main() -> None:
    cv2.setNumThreads(1)
    print(f"# Stimuli ({platform.machine()}, Python {platform.python_version()}, numpy {np.__version__}, one thread)\n")
    print(f"Frames of {SAMPLING.size} × {SAMPLING.size} px; errors in shares of the figure's contrast.\n")
    print("| figure | way | CPU ms a frame | times ours | greatest error | root mean square error |")
    print("|---|---|---|---|---|---|")
    for name, scene in SCENES.items():
        ways = {
            "closed form (ours)": lambda scene=scene: movie(scene, SAMPLING).frames.astype(np.float64),
            f"{FINE} × supersampled": lambda scene=scene: np.stack(
                [supersampled(scene, float(t), FINE) for t in SAMPLING.times]
            ),
        }
        times = {way: min(spent(make) for _ in range(ROUNDS)) / len(SAMPLING.times) for way, make in ways.items()}
        true = exact(scene, float(SAMPLING.times[2]))
        for way, make in ways.items():
            frame = make()[2]
            apart = (frame - scene.background) / (scene.background * scene.contrast) - true
            ours = times["closed form (ours)"]
            print(
                f"| {name} | {way} | {1e3 * times[way]:.1f} | {times[way] / ours:.1f} | {np.abs(apart).max():.1g} "
                f"| {np.sqrt((apart**2).mean()):.1g} |"
            )


if __name__ == "__main__":
    main()
