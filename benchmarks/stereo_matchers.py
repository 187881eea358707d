"""What matching costs: CPU time of every matcher, and of our costs by themselves, beside OpenCV's StereoBM.

All in one process and one run, on the Motorcycle pair that comes with scikit-image; the least of several rounds that
take all ways in turn, so that a busy machine slows all of them alike. The unit is a millisecond a megapixel
and disparity.
"""

from __future__ import annotations

import platform
import time
import tracemalloc
from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import cv2
import numpy as np

from beholder.registry.find import find
from beholder.stereo.datasets.motorcycle import motorcycle
from beholder.stereo.matching import volume
from beholder.stereo.types import Pair

ROUNDS = 5
MATCHERS = ("block", "sgbm", "wls", "sad", "ncc", "census", "guided")


def drained(slices: Iterable[Any]) -> None:
    """Compute all slices and keep none."""
    deque(slices, maxlen=0)


def ways() -> dict[str, Callable[[Pair], Any]]:
    """Matchers, then costs by themselves."""
    models = {name: partial(find("stereo.models", name), fill=False) for name in MATCHERS}
    modes = {
        f"sgbm {mode}": partial(find("stereo.models", "sgbm"), mode=mode, fill=False) for mode in ("5", "3way", "hh4")
    }
    costs = {
        "cost: absolute differences": volume.absolute_differences,
        "cost: census": volume.census,
        "cost: correlation": volume.correlation,
        "cost: colour + gradient": volume.ad_gradient,
    }
    return models | modes | {name: lambda pair, of=of: drained(of(pair)) for name, of in costs.items()}


def spent(way: Callable[[Pair], Any], pair: Pair) -> float:
    """CPU seconds of one call, all threads together."""
    start = time.process_time()
    way(pair)
    return time.process_time() - start


def peak(way: Callable[[Pair], Any], pair: Pair) -> float:
    """The most megabytes that NumPy held at once; OpenCV's own buffers are not counted."""
    tracemalloc.start()
    way(pair)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most / 1e6


def main() -> None:
    cv2.setNumThreads(1)
    pair = motorcycle()[0].stimulus
    work = pair.left.shape[0] * pair.left.shape[1] * pair.max_disparity
    every = ways()
    times = {name: [spent(way, pair)] for name, way in every.items()}  # a first round, which loads what is loaded late
    for _ in range(ROUNDS):
        for name, way in every.items():
            times[name].append(spent(way, pair))
    least = {name: min(several) for name, several in times.items()}
    print(
        f"# Matchers ({platform.machine()}, Python {platform.python_version()}, numpy {np.__version__}, "
        f"OpenCV {cv2.__version__}, one thread)\n"
    )
    print(f"{work / 1e6:.1f} million pixels × disparities; least of {ROUNDS} rounds; StereoBM is `block`.\n")
    print("| way | CPU s | ms a megapixel and disparity | times StereoBM | peak MB of arrays |")
    print("|---|---|---|---|---|")
    for name, seconds in least.items():
        ratio = seconds / least["block"]
        print(f"| {name} | {seconds:.3f} | {1e9 * seconds / work:.2f} | {ratio:.1f} | {peak(every[name], pair):.0f} |")
    print(f"\nA whole volume in float32 would be {4 * work / 1e6:.0f} MB.")


if __name__ == "__main__":
    main()
