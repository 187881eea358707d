"""What models of salience cost: CPU time a picture of 768 × 1024 px, two of them beside OpenCV's own.

All in one process and one run, on one thread; the least of several rounds that take all ways in turn, so that a busy
machine slows all of them alike. Spectral residual and fine grain stand beside `cv2.saliency`, whose maps they share.
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
from skimage import data as photographs

from beholder.attention.types import Picture
from beholder.registry.find import find

ROUNDS = 3
SHAPE = (768, 1024)
MAPS = ("itti", "gbvs", "image_signature", "spectral_residual", "fine_grained", "covsal", "bms", "lemeur_like")
PRIORS = ("centre", "uniform")
PEERS = {
    "spectral_residual": cv2.saliency.StaticSaliencySpectralResidual_create,
    "fine_grained": cv2.saliency.StaticSaliencyFineGrained_create,
}


def opencv(name: str) -> Callable[[Picture], NDArray[Any]]:
    """OpenCV's own map of a picture."""

    def way(picture: Picture) -> NDArray[Any]:
        return np.asarray(PEERS[name]().computeSaliency(np.ascontiguousarray(picture.pixels[..., ::-1]))[1])

    return way


def spent(way: Callable[[Picture], Any], picture: Picture) -> float:
    """CPU seconds of one call."""
    start = time.process_time()
    way(picture)
    return time.process_time() - start


def least(ways: dict[str, Callable[[Picture], Any]], picture: Picture) -> dict[str, float]:
    """The least CPU seconds of each way, after a first round that loads what is loaded late."""
    rounds = [{name: spent(way, picture) for name, way in ways.items()} for _ in range(ROUNDS + 1)]
    return {name: min(each[name] for each in rounds[1:]) for name in ways}


def main() -> None:
    cv2.setNumThreads(1)
    picture = Picture(cv2.resize(photographs.coffee(), SHAPE[::-1]), px_per_deg=32.0)
    ways: dict[str, Callable[[Picture], Any]] = {name: find("attention.models", name) for name in MAPS + PRIORS}
    peers = {f"{name} of OpenCV": opencv(name) for name in PEERS}
    times = least(ways | peers, picture)
    print(
        f"# Models of salience ({platform.machine()}, Python {platform.python_version()}, numpy {np.__version__}, "
        f"OpenCV {cv2.__version__}, scikit-image {skimage.__version__}, one thread)\n"
    )
    print(f"A picture of {SHAPE[0]} × {SHAPE[1]} px; least of {ROUNDS} rounds.\n")
    print("| model | CPU ms a picture | times OpenCV's own | correlation of the two maps |")
    print("|---|---|---|---|")
    for name in ways:
        row = f"| {name} | {1e3 * times[name]:.1f} |"
        if name not in PEERS:
            print(f"{row} | |")
            continue
        other = f"{name} of OpenCV"
        alike = np.corrcoef(ways[name](picture).ravel(), peers[other](picture).ravel())[0, 1]
        print(f"{row} {times[name] / times[other]:.2f} | {alike:.5f} |")


if __name__ == "__main__":
    main()
