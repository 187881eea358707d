"""stereo/consistency: whether a model agrees with itself over the views of a scene; no ground truth is needed."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from beholder.core.benchmark import Benchmark, Model
from beholder.core.sample import Dataset
from beholder.judges.mean_rank import mean_rank
from beholder.judges.pareto import pareto
from beholder.stereo.benchmarks.dense import dense
from beholder.stereo.datasets.planes import planes
from beholder.stereo.measures.consistency import inconsistency
from beholder.stereo.models.flat import flat
from beholder.stereo.models.random import random
from beholder.stereo.scenes.pairs import GRID, pairs
from beholder.stereo.types import Pair, Truth, disparity_map


def consistency(dataset: Dataset[Pair, Truth] | None = None) -> Benchmark:
    """The percentage of pixels on which a model's maps for different pairs of one scene contradict each other.

    The dataset must have further views of each scene. Each sample pairs the left image with one of them, and a model
    sees one pair at a time; a scene is a unit. Self-consistency is necessary, not sufficient: the blind model "zero"
    never contradicts itself. Read this measure only beside others.
    """
    own = dense()
    return Benchmark(
        name="stereo/consistency",
        version=1,
        dataset=pairs(planes() if dataset is None else dataset),
        measures=(inconsistency,),
        judges=(pareto, mean_rank),
        criteria=(GRID,),
        accept=disparity_map,
        lineup=own.lineup._replace(blind=blind, right={"zero": ("inconsistency",)}),
        files=own.files,
        about="Disparities of one scene from several pairs, scaled to one baseline: how often they disagree.",
    )


def blind(dataset: Dataset[Any, Any]) -> Mapping[str, Model]:
    """Models that do not look: no disparity anywhere, which is consistent and wrong, and any disparity anywhere."""
    return {"zero": partial(flat, disparity=0), "random": random}
