"""What it costs to draw stimuli, and how near they come to the exact integral, beside drawing them 8 × finer.

Both ways show the same thing: a figure under a Gaussian of half a pixel, sampled at the centres of pixels. Ours is a
closed form; the other draws the bare figure with 8 × 8 points a pixel, blurs and samples it. The integral is exact down
each of 200 lines a pixel, where the figure is a few intervals under a normal distribution, and summed across them.
Both ways take turns in one process; the least CPU time of several rounds counts.

Gratings, plaids and barber poles are not here: they are smooth functions, defined by their values at the centres.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is loaded: CPU time of one thread

import platform
import time
from collections.abc import Callable, Iterator
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from beholder.motion.stimuli.bar import Bar
from beholder.motion.stimuli.diamond import Diamond
from beholder.motion.stimuli.drawing import movie
from beholder.motion.stimuli.sampling import PREFILTER, Sampling

ROUNDS, FINE, LINES = 3, 8, 200
SAMPLING = Sampling(hertz=50, size=160, seconds=0.1)
SCENES = {
    "bar of 10°": Bar(length=10.0),
    "the same in two tiles": Bar(length=10.0, tiles=2),
    "diamond": Diamond(),
    "diamond, corners of 8°": Diamond(half_angle=4.0),
    "diamond that its strokes fill": Diamond(edge=6.0, half_angle=8.0, width=2.0),
}

Image = NDArray[np.floating[Any]]


def supersampled(scene: Any, seconds: float, finer: int) -> Image:
    """One frame from `finer` × `finer` points a pixel, in or out, blurred by the same Gaussian of half a pixel."""
    step = 1 / SAMPLING.px_per_deg / finer
    centres = ((np.arange(SAMPLING.size * finer) - (SAMPLING.size * finer - 1) / 2) * step).astype(np.float32)
    x, y = (centres - np.float32(scene.speed * (seconds - SAMPLING.middle)))[None], -centres[:, None]
    bare = np.zeros((len(centres), len(centres)), bool)
    for corners in strokes(scene):
        bare |= _within(x, y, corners.astype(np.float32))
    radius = int(6 * PREFILTER * finer)
    taps = np.exp(-0.5 * (np.arange(-radius, radius + 1) / (PREFILTER * finer)) ** 2).astype(np.float32)
    taps /= taps.sum()
    smooth = cv2.sepFilter2D(bare.astype(np.float32), cv2.CV_32F, taps, taps, borderType=cv2.BORDER_REPLICATE)
    return _at_centres(smooth, finer)


def _within(x: Image, y: Image, corners: Image) -> NDArray[np.bool_]:
    """Which points lie in a stroke: two inequalities along it and two across."""
    (x0, y0), length, width = corners.mean(axis=0), corners[1] - corners[0], corners[2] - corners[1]
    along = (x - x0) * length[0] + (y - y0) * length[1]
    across = (x - x0) * width[0] + (y - y0) * width[1]
    return np.asarray((np.abs(along) < length @ length / 2) & (np.abs(across) < width @ width / 2))


def _at_centres(smooth: Image, finer: int) -> Image:
    """Pixel centres lie between four of the finer points: their mean."""
    low, high = slice(finer // 2 - 1, None, finer), slice(finer // 2, None, finer)
    return (smooth[low, low] + smooth[low, high] + smooth[high, low] + smooth[high, high]) / 4


def strokes(scene: Any) -> list[Image]:
    """The corners (4, 2) of each stroke, around the middle of the figure."""
    found = []
    for start, end in np.asarray(scene.ends() if isinstance(scene, Bar) else scene.edges()):
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
    return np.asarray((across @ down).T)


def spent(way: Callable[[Any], Image], scene: Any) -> float:
    """Seconds of CPU time."""
    start = time.process_time()
    way(scene)
    return time.process_time() - start


def ours(scene: Any) -> Image:
    """The figure's coverage in all frames, from the movie that a model is shown."""
    frames = movie(scene, SAMPLING).frames.astype(np.float64)
    return np.asarray((frames - scene.background) / (scene.background * scene.contrast))


def finer(scene: Any) -> Image:
    """The same from finer frames."""
    return np.stack([supersampled(scene, float(moment), FINE) for moment in SAMPLING.times])


def rows(name: str, scene: Any) -> Iterator[str]:
    """A row of the table for each way; errors in the frame half-way."""
    ways = {"closed form (ours)": ours, f"{FINE} × supersampled": finer}
    rounds = [{way: spent(make, scene) for way, make in ways.items()} for _ in range(ROUNDS)]
    best = {way: min(times[way] for times in rounds) / len(SAMPLING.times) for way in ways}
    half = len(SAMPLING.times) // 2
    true = exact(scene, float(SAMPLING.times[half]))
    for way, make in ways.items():
        apart = make(scene)[half] - true
        figures = f"{1e3 * best[way]:.1f} | {best[way] / best['closed form (ours)']:.1f} | {np.abs(apart).max():.1g}"
        yield f"| {name} | {way} | {figures} | {np.sqrt((apart**2).mean()):.1g} |"


def main() -> None:
    cv2.setNumThreads(1)
    print(f"# Stimuli ({platform.machine()}, Python {platform.python_version()}, numpy {np.__version__}, one thread)\n")
    print(f"Frames of {SAMPLING.size} × {SAMPLING.size} px; errors in shares of the figure's contrast.\n")
    print("| figure | way | CPU ms a frame | times ours | greatest error | root mean square error |")
    print("|---|---|---|---|---|---|")
    for name, scene in SCENES.items():
        for row in rows(name, scene):
            print(row, flush=True)


if __name__ == "__main__":
    main()
