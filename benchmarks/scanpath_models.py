"""What models of scanpaths cost: CPU seconds of a 5 s scanpath on a picture of 768 × 1024 px.

All in one process and one run, on one thread; the least of several rounds that take all ways in turn, so that a busy
machine slows all of them alike.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is loaded: CPU time of one thread

import inspect
import platform
import time
from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
from skimage import data as photographs

from beholder.attention.models._field import lattice, pulls
from beholder.attention.models.gravity import retina
from beholder.attention.types import Picture
from beholder.registry.find import find

ROUNDS = 5
SHAPE = (768, 1024)
POINT = np.array([[50.3, 60.2]])
GOALS = {"gravity, 224 px": 0.1, "gravity, native": 1.5, "geymol": 1.0}
OTHERS = ("eymol", "levy", "saccadic_prior", "scanddm", "scenewalk", "wta_argmax", "wta_lif")


def path_of(name: str, **settings: Any) -> Callable[[Picture], Any]:
    """One scanpath of a model, always with the same seed."""

    def way(picture: Picture) -> Any:
        model = find("attention.models", name)
        drawn = {"rng": np.random.default_rng(0)} if "rng" in inspect.signature(model).parameters else {}
        return model(picture, **drawn, **settings)

    return way


def spent(way: Callable[[Picture], Any], picture: Picture) -> float:
    """CPU seconds of one call."""
    start = time.process_time()
    way(picture)
    return time.process_time() - start


def least(ways: dict[str, Callable[[Picture], Any]], picture: Picture) -> dict[str, float]:
    """The least CPU seconds of each way, after a first round that compiles and loads."""
    rounds = [{name: spent(way, picture) for name, way in ways.items()} for _ in range(ROUNDS + 1)]
    return {name: min(each[name] for each in rounds[1:]) for name in ways}


def main() -> None:
    cv2.setNumThreads(1)
    picture = Picture(cv2.resize(photographs.coffee(), SHAPE[::-1]), px_per_deg=35.0)
    ways = {"gravity, 224 px": path_of("gravity"), "gravity, native": path_of("gravity", side=0)}
    ways |= {"geymol": path_of("geymol")} | {name: path_of(name) for name in OTHERS}
    ways |= {"gravity, 224 px, 10 observers": path_of("gravity", many=10)}
    ways |= {f"{name}, 10 observers": path_of(name, many=10) for name in OTHERS if name != "wta_argmax"}
    times = least(ways, picture)
    print(f"# Models of scanpaths ({platform.machine()}, Python {platform.python_version()}, numpy {np.__version__})\n")
    print(f"A scanpath of 5 s, or of 10 fixations, on {SHAPE[0]} × {SHAPE[1]} px; least of {ROUNDS} rounds.\n")
    print("| model | CPU s | goal |\n|---|---|---|")
    for name, seconds in times.items():
        print(f"| {name} | {seconds:.3f} | {f'≤ {GOALS[name]:g}' if name in GOALS else ''} |")
    print("\n| the field of masses | one point, direct, CPU ms | all pixels, Fourier, CPU ms |\n|---|---|---|")
    for side in (224, 512, 0):
        mass = retina(picture, side=side).masses[0]
        fields = least({"direct": lambda _, m=mass: pulls(m, POINT), "all": lambda _, m=mass: lattice(m)}, picture)
        print(f"| {mass.shape[0]} × {mass.shape[1]} | {1e3 * fields['direct']:.2f} | {1e3 * fields['all']:.1f} |")


if __name__ == "__main__":
    main()
