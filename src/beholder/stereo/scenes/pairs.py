"""All pairs of a scene: its left image with the right one and with every further view, for self-consistency."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, sqrt
from typing import Any

import numpy as np

from beholder.core.benchmark import Criterion
from beholder.core.sample import Dataset, Sample
from beholder.stereo.types import Image, Map, Pair, Truth

MOST = 4096  # pixels of a map that are kept to be compared with the other pairs: 16 kB


@dataclass(frozen=True, eq=False)
class Share:
    """Where the second image of a pair stands, by its factor f of the scene's baseline, and the true disparity there.

    A pair with f < 0 is shown mirrored, so that its disparities are positive.
    """

    factor: float
    disparity: Map | None = None
    status: str = ""


def pairs(dataset: Dataset[Pair, Truth]) -> Dataset[Pair, Share]:
    """The pairs of every scene of a dataset (tag "scene"); ids are `scene@f`. Loads each scene once for its views."""
    load = _Pairs(dataset)
    return Dataset(
        f"{dataset.name}|pairs",
        load.ids(dataset.ids),
        load,
        cite=dataset.cite,
        licence=dataset.licence,
        content=dataset.fingerprint,
        status=dataset.status,
        about=f"{dataset.about} Each left image stands in a pair with every other view of its scene.",
        all_ids=load.ids(dataset.all_ids),
    )


@dataclass(frozen=True)
class _Pairs:
    dataset: Dataset[Pair, Truth]

    def ids(self, scenes: tuple[str, ...]) -> tuple[str, ...]:
        """A name for each pair, those of the shortest baselines first."""
        factors = {id: sorted({1.0, *self.dataset.load(id).reference.views}, key=abs) for id in scenes}
        return tuple(f"{id}@{factor:g}" for id in scenes for factor in factors[id])

    def __call__(self, id: str) -> Sample[Pair, Share]:
        scene, _, text = id.rpartition("@")
        whole, factor = self.dataset.load(scene), float(text)
        shown, truth = whole.stimulus, whole.reference
        other = shown.right if factor == 1 else truth.views[factor]
        pair = Pair(_facing(shown.left, factor), _facing(other, factor), ceil(shown.max_disparity * abs(factor)))
        true = _facing(truth.disparity * np.float32(abs(factor)), factor)
        return Sample(id, pair, Share(factor, true, truth.status), {**whole.tags, "scene": scene})


def _facing(image: Image, factor: float) -> Image:
    return image if factor >= 0 else np.ascontiguousarray(image[:, ::-1])


def on_common_grid(found: Map, share: Share) -> tuple[Map, Share]:
    """An answer on a grid of pixels of the left image, the same for all pairs of a scene, no longer mirrored."""
    step = max(1, ceil(sqrt(found.size / MOST)))
    return np.ascontiguousarray(_facing(found, share.factor)[::step, ::step]), replace(share, disparity=None)


GRID = Criterion("all", on_common_grid)


def scaled(found: Any, share: Share) -> Any:
    """Disparities of a pair as those of the scene's own baseline.

    >>> scaled(np.array([3.0]), Share(-0.5))
    array([6.])
    """
    return np.asarray(found, np.float64) / abs(share.factor)
