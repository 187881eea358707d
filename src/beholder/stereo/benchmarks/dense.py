"""stereo/dense: dense disparity maps against ground truth, by region."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from beholder.core.benchmark import Answers, Benchmark, Figures, Files, Lazily, Lineup, Model, Recorded, Unjudged
from beholder.core.sample import Dataset, Sample, join
from beholder.io import disparity, image
from beholder.judges.mean_rank import mean_rank
from beholder.judges.pareto import pareto
from beholder.stereo import presets
from beholder.stereo.datasets.motorcycle import motorcycle
from beholder.stereo.datasets.random_dots import random_dots
from beholder.stereo.figures import disparity_maps
from beholder.stereo.models.block import block
from beholder.stereo.models.flat import flat, mean_disparity
from beholder.stereo.models.random import random
from beholder.stereo.models.sgbm import sgbm
from beholder.stereo.regions import region
from beholder.stereo.types import Map, Pair, Truth
from beholder.stereo.views import disparity_views


def dense(dataset: Dataset[Pair, Truth] | None = None, *, preset: str = "middlebury2") -> Benchmark:
    """Bad pixels (δ = 1) in non-occluded pixels, everywhere, and near depth discontinuities, as in Middlebury's 2nd
    table.

    Models must return dense maps: a pixel without an estimate is bad. The mean absolute error of the estimated pixels
    stands beside it and is not judged. `preset` takes the rules of another benchmark (middlebury3, kitti2012,
    kitti2015, eth3d, scharstein2002), and the names of the measures say so.
    """
    chosen = presets.preset(preset)
    return Benchmark(
        name="stereo/dense",
        version=1,
        dataset=join(random_dots(), motorcycle()) if dataset is None else dataset,
        measures=chosen.measures,
        judges=(pareto, mean_rank),
        criteria=tuple(region(name) for name in chosen.regions),
        accept=chosen.accept,
        unjudged=Unjudged(measures=chosen.extra),
        lineup=Lineup({"block": block, "sgbm": sgbm}, blind, oracles),
        files=Files((".pfm", ".npy", ".npz", ".png"), disparity.read, disparity.write, show),
        figures=Figures(sample=disparity_maps, views=disparity_views),
        about=f"Dense disparity maps against ground truth (preset {chosen.name}): {chosen.about}.",
    )


def blind(dataset: Dataset[Any, Truth]) -> Mapping[str, Model | Lazily]:
    """Models that do not look: half of the range everywhere, the dataset's mean disparity, random disparities."""
    return {"flat": flat, "mean_disparity": Lazily(partial(_flat_at_mean, dataset)), "random": random}


def _flat_at_mean(dataset: Dataset[Any, Truth]) -> Model:
    return partial(flat, disparity=mean_disparity(dataset))


def oracles(dataset: Dataset[Any, Truth]) -> Mapping[str, Recorded]:
    """The truth itself: what a perfect model scores, and a check of the dataset."""
    return {"truth": Recorded(Answers(dataset, truth))}


def truth(sample: Sample[Any, Truth]) -> Map:
    """The true disparity of a sample."""
    return sample.reference.disparity


def show(pair: Pair, folder: Path) -> None:
    """Put a pair where a program can read it: left.png, right.png, and meta.json with `max_disparity`."""
    folder.mkdir(parents=True, exist_ok=True)
    image.write(pair.left, folder / "left.png")
    image.write(pair.right, folder / "right.png")
    (folder / "meta.json").write_text(json.dumps({"max_disparity": pair.max_disparity}) + "\n", "utf-8")
