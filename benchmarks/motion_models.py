"""What motion models cost: CPU time a pair of frames, beside scikit-image, scipy.ndimage and PyPI's pyoptflow.

All in one process and one run, on an outline diamond; the least of several rounds that take all ways in turn, so that
a busy machine slows all of them alike. Each peer stands under the model of ours that must give the same field: TV-L1
and iterated Lucas–Kanade of scikit-image, and 200 iterations of Horn and Schunck as pyoptflow (where it is installed:
`pip install pyoptflow`) and as a few lines of scipy.ndimage have them. The feedback model stands beside the 5 s of the
specification's prototype.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is loaded: CPU time of one thread

import importlib.util
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
from beholder.motion.stimuli.diamond import Diamond
from beholder.motion.stimuli.drawing import movie
from beholder.motion.stimuli.sampling import Sampling
from beholder.motion.types import Movie
from beholder.registry.find import find
from beholder.vision.filters import blurred, cube

ROUNDS = 3
PAIRWISE = (
    "farneback",
    "dis",
    "lucas_kanade",
    "slow_prior",
    "block_matching",
    "classic_median",
    "ffv1mt",
    "motion_energy",
    "large_displacement",
    "tvl1",
    "iterative_lk",
    "horn_schunck",
)
MARGIN = 24  # px: pyoptflow has zeros beyond the border, we have the nearest pixel


def presmoothed(shown: Movie) -> list[NDArray[np.float32]]:
    """The two frames as Horn and Schunck see them."""
    return [blurred((frame - shown.frames.min()) / np.ptp(shown.frames), 1.0) for frame in shown.frames]


def of_scikit_image(flow: Callable[..., NDArray[np.float32]]) -> Callable[[Movie], NDArray[Any]]:
    """A function of scikit-image as a model of one pair; rows come first there."""
    return lambda shown: flow(*(shown.frames / shown.frames.max()))[::-1].transpose(1, 2, 0)


def pyoptflow_horn_schunck(shown: Movie) -> NDArray[np.float64]:
    """The field of pyoptflow; its cubes of derivatives lie left of and above a pixel, ours right and below."""
    from pyoptflow import HornSchunck

    u, v = HornSchunck(*presmoothed(shown), alpha=0.05, Niter=200)
    return np.roll(np.stack([u, v], axis=-1), (-1, -1), axis=(0, 1))


def plain_horn_schunck(shown: Movie) -> NDArray[np.float64]:
    """The same iterations as `horn_schunck`, one convolution and one line of NumPy at a time."""
    first, second = presmoothed(shown)
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


def peers() -> dict[str, tuple[str, Callable[[Movie], Any]]]:
    """Other programs by name: which model of ours has the same field, and the program."""
    from skimage.registration import optical_flow_ilk, optical_flow_tvl1

    found: dict[str, tuple[str, Callable[[Movie], Any]]] = {
        "scikit-image's TV-L1": ("tvl1", of_scikit_image(optical_flow_tvl1)),
        "scikit-image's iterated LK": ("iterative_lk", of_scikit_image(optical_flow_ilk)),
        "scipy.ndimage's Horn–Schunck": ("horn_schunck", plain_horn_schunck),
    }
    if importlib.util.find_spec("pyoptflow"):
        found["pyoptflow's Horn–Schunck"] = ("horn_schunck", pyoptflow_horn_schunck)
    return found


def apart(ours: NDArray[Any], theirs: NDArray[Any]) -> str:
    """How far two fields are from each other away from the border, in px a frame: median, and greatest."""
    inner = np.s_[MARGIN:-MARGIN, MARGIN:-MARGIN]
    distance = np.abs(ours - theirs)[inner]
    return f"{np.median(distance):.0e}, at most {distance.max():.0e}"


def main() -> None:
    cv2.setNumThreads(1)
    whole = movie(Diamond(), Sampling(hertz=50, size=168, seconds=0.44))
    middle = len(whole.frames) // 2
    frames = whole.frames[middle : middle + 2]
    pair = Movie(frames - frames.min(), whole.hertz, whole.px_per_deg)
    models: dict[str, Callable[[Movie], Any]] = {name: find("motion.models", name) for name in PAIRWISE}
    others = peers()
    times = least(models | {name: way for name, (_, way) in others.items()}, pair)
    print(
        f"# Motion models ({platform.machine()}, Python {platform.python_version()}, numpy {np.__version__}, "
        f"OpenCV {cv2.__version__}, scikit-image {skimage.__version__}, one thread)\n"
    )
    print(f"A pair of {frames.shape[1]} × {frames.shape[2]} px; least of {ROUNDS} rounds; fields in px a frame.\n")
    print("| model | CPU ms a pair | times ours | apart from ours: median, greatest |")
    print("|---|---|---|---|")
    for name in models:
        print(f"| {name} | {1e3 * times[name]:.1f} | | |")
        for other, (ours, way) in others.items():
            if ours == name:
                ratio, distance = times[other] / times[name], apart(models[name](pair)[0], way(pair))
                print(f"| · {other} | {1e3 * times[other]:.1f} | {ratio:.1f} | {distance} |")
    small = movie(Diamond(), Sampling(hertz=50, size=144, seconds=0.44))
    recurrent = least({"feedback": feedback}, small)["feedback"]
    updates = len(small.frames) - 2
    print(
        f"\nThe feedback model takes {recurrent:.2f} s for {updates} updates at 144 × 144 px; the prototype of the "
        f"specification took 5 s for 21 on another machine."
    )


if __name__ == "__main__":
    main()
