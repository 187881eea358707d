"""stereo/combined: errors against ground truth and errors of predicted views, in one vector."""

from __future__ import annotations

from functools import partial
from typing import Any

from beholder.core.benchmark import Benchmark, Criterion, Figures
from beholder.core.sample import Dataset
from beholder.judges.mean_rank import mean_rank
from beholder.judges.pareto import pareto
from beholder.stereo.benchmarks.dense import dense
from beholder.stereo.datasets.planes import planes
from beholder.stereo.figures import disparity_maps
from beholder.stereo.measures.disparity import bad_pixels
from beholder.stereo.measures.prediction import view_rmse
from beholder.stereo.readouts import Prediction, inside_region
from beholder.stereo.regions import confined
from beholder.stereo.types import Pair, Truth, disparity_map
from beholder.stereo.views import disparity_views


def combined(dataset: Dataset[Pair, Truth] | None = None) -> Benchmark:
    """Bad pixels and the RMSE of predicted views, both in nonocc, all and disc; Cabezas & Trujillo's integration.

    Ground truth tells whether a disparity is right; a predicted view tells whether the mistake can be seen. That makes
    six numbers per scene, which Pareto dominance compares without weights. Views are predicted inversely, with
    visibility from the true disparity; a scene without further views has three numbers.
    """
    own = dense()
    return Benchmark(
        name="stereo/combined",
        version=1,
        dataset=planes() if dataset is None else dataset,
        measures=(bad_pixels, view_rmse),
        judges=(pareto, mean_rank),
        criteria=tuple(Criterion(name, partial(inside, name=name)) for name in ("nonocc", "all", "disc")),
        accept=disparity_map,
        lineup=own.lineup,
        files=own.files,
        figures=Figures(sample=disparity_maps, views=disparity_views),
        about="Bad pixels and errors of predicted views, both by region: one vector of numbers per scene.",
    )


def inside(found: Any, truth: Truth, *, name: str) -> tuple[Any, Any]:
    """One region, of a disparity map or of what it predicts."""
    if isinstance(found, Prediction):
        return inside_region(found, truth, name=name)
    return confined(found, truth, name=name)
