"""The four scenes of Middlebury's second table, where they are at hand."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from beholder.io import image
from beholder.stereo.types import Map, Mask, Pair

# Scale of the disparity file, number of disparities, and the ignored border of each scene.
SCENES = {"tsukuba": (16, 16, 18), "venus": (8, 32, 10), "teddy": (4, 64, 0), "cones": (4, 64, 0)}


class Scene(NamedTuple):
    """A pair with its truth and the masks that were given with it."""

    pair: Pair
    truth: Map
    masks: dict[str, Mask]
    border: int


@pytest.fixture(scope="session")
def scene() -> Callable[[str], Scene]:
    """A loader of scenes by name; skips where there is no data."""
    root = Path(os.environ.get("BEHOLDER_DATA") or Path(__file__).parents[2].parent / "shared" / "data")
    folder = root / "stereo" / "mb_v2"
    if not folder.is_dir():
        pytest.skip("no Middlebury scenes: set BEHOLDER_DATA to a folder that holds stereo/mb_v2")

    def load(name: str) -> Scene:
        scale, disparities, border = SCENES[name]
        files = folder / name
        truth = image.read(files / f"disp_left_x{scale}.png").astype(np.float32) / scale
        if name != "venus":  # the only one without unknown pixels
            truth[truth == 0] = np.nan
        masks = {key: image.read(files / f"mask_{key}.png") == 255 for key in ("nonocc", "all", "disc")}
        pair = Pair(image.read(files / "imL.png"), image.read(files / "imR.png"), disparities)
        return Scene(pair, truth, masks, border)

    return load
