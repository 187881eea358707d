"""stereo/parameters: one algorithm under many settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from beholder.core.benchmark import Benchmark, Figures, Unjudged
from beholder.core.sample import Dataset
from beholder.errors import NotFound
from beholder.registry.find import nearest
from beholder.stereo.benchmarks.dense import dense
from beholder.stereo.benchmarks.semi_dense import small
from beholder.stereo.sweeps.sensitivity import sensitivity_of_answers
from beholder.stereo.sweeps.variants import GRIDS, variants
from beholder.stereo.types import Pair, Truth


def parameters(
    dataset: Dataset[Pair, Truth] | None = None,
    *,
    algorithm: str = "sgbm",
    grid: Mapping[str, Sequence[Any]] | None = None,
) -> Benchmark:
    """Which settings of one algorithm are undominated? `stereo/dense`, run over every combination of a grid.

    The intra-technique goal of Cabezas & Trujillo. `algorithm` is a built-in model; `grid` replaces the default values
    of its settings. Judges compare settings sample by sample; `stereo.sensitivity` gives the effect of each setting
    alone.
    """
    if grid is None and algorithm not in GRIDS:
        raise NotFound(f"no grid of settings for {algorithm!r}{nearest(algorithm, GRIDS)}")
    base = dense(small() if dataset is None else dataset)
    return replace(
        base,
        name="stereo/parameters",
        version=1,
        unjudged=Unjudged(),
        lineup=base.lineup._replace(baselines=variants(algorithm, GRIDS[algorithm] if grid is None else grid)),
        figures=Figures(sample=partial(sensitivity_of_answers, algorithm=algorithm)),
        about=f"{algorithm} with many settings: percentage of pixels wrong by more than 1 px.",
    )
