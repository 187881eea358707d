"""What motion models cost: CPU time a pair of frames, beside OpenCV's Farnebäck and scikit-image's TV-L1.

All in one process and one run, on an outline diamond; the least of several rounds that take all ways in turn, so that
a busy machine slows all of them alike. Horn and Schunck also stands beside the same iterations written with
scipy.ndimage, whose field must be the same; the feedback model beside the 5 s of the specification's prototype.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is loaded: CPU time of one thread

import platform
import time
from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import skimage
from numpy.typing import NDArray
from scipy import ndimage

from beholder.motion.models.feedback import feedback
from beholder.motion.models.horn_schunck import horn_schunck
from beholder.motion.stimuli.diamond import Diamond
from beholder.motion.stimuli.drawing import movie
from beholder.motion.stimuli.sampling import Sampling
from beholder.motion.types import Movie
from beholder.spine.find import find
from beholder.vision.filters import blurred, cube

ROUNDS = 3
PAIRWISE = (
    "farneback",
    "tvl1",
    "iterative_lk",
    "dis",
    "lucas_kanade",
    "slow_prior",
    "horn_schunck",
    "block_matching",
)
PLAIN = "horn_schunck with scipy.ndimage"


def plain_horn_schunck(shown: Movie) -> NDArray[np.float64]:
    """The same iterations as `horn_schunck`, one convolution and one line of NumPy at a time."""
    first, second = (blurred(frame / shown.frames.max(), 1.0) for frame in shown.frames)
    ix, iy, it = (part.astype(np.float64) for part in cube(first, second))
    weights = np.array([[1, 2, 1], [2, 0, 2], [1, 2, 1]]) / 12
    u, v = np.zeros((2, *first.shape))
    for _ in range(200):
        mean_u, mean_v = (ndimage.convolve(part, weights, mode="nearest") for part in (u, v))
        step = (ix * mean_u + iy * mean_v + it) / (0.05**2 + ix**2 + iy**2)
        u, v = mean_u - ix * step, mean_v - iy * step
    return np.stack([u, v], axis=-1)


def spent(way: Callable[[Movie], Any], shown: Movie) -> float:
    """CPU seconds of one call, all threads together."""
    start = time.process_time()
    way(shown)
    return time.process_time() - start


def least(ways: dict[str, Callable[[Movie], Any]], shown: Movie) -> dict[str, float]:
    """The least CPU seconds of each way, after a first round that loads what is loaded late."""
    rounds = [{name: spent(way, shown) for name, way in ways.items()} for _ in range(ROUNDS + 1)]
    return {name: min(each[name] for each in rounds[1:]) for name in ways}


def main() -> None:
    cv2.setNumThreads(1)
    whole = movie(Diamond(), Sampling(hertz=50, size=168, seconds=0.44))
    middle = len(whole.frames) // 2
    pair = Movie(whole.frames[middle : middle + 2], whole.hertz, whole.px_per_deg)
    ways: dict[str, Callable[[Movie], Any]] = {name: find("motion.models", name) for name in PAIRWISE}
    times = least(ways | {PLAIN: plain_horn_schunck}, pair)
    print(
        f"# Motion models ({platform.machine()}, Python {platform.python_version()}, numpy {np.__version__}, "
        f"OpenCV {cv2.__version__}, scikit-image {skimage.__version__}, one thread)\n"
    )
    print(f"A pair of {pair.frames.shape[1]} × {pair.frames.shape[2]} px; least of {ROUNDS} rounds.\n")
    print("| model | CPU ms a pair | times OpenCV's Farnebäck | times scikit-image's TV-L1 |")
    print("|---|---|---|---|")
    for name, seconds in times.items():
        print(f"| {name} | {1e3 * seconds:.1f} | {seconds / times['farneback']:.2f} | {seconds / times['tvl1']:.3f} |")
    apart = np.abs(horn_schunck(pair)[0] - plain_horn_schunck(pair)).max()
    print(f"\nHorn and Schunck: the two fields differ by at most {apart:.1g} px a frame.")
    small = movie(Diamond(), Sampling(hertz=50, size=144, seconds=0.44))
    recurrent = least({"feedback": feedback}, small)["feedback"]
    updates = len(small.frames) - 2
    print(
        f"\nThe feedback model takes {recurrent:.2f} s for {updates} updates at 144 × 144 px; the prototype of the "
        f"specification took 5 s for 21 on another machine."
    )


if __name__ == "__main__":
    main()
