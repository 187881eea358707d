"""stereo/semi_dense: disparity maps that may have holes, against ground truth, by region."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from beholder.core.benchmark import Benchmark, Figures, Model, Unjudged
from beholder.core.measure import fix
from beholder.core.sample import Dataset, join
from beholder.stereo.benchmarks.dense import blind, dense
from beholder.stereo.datasets.motorcycle import motorcycle
from beholder.stereo.datasets.random_dots import random_dots
from beholder.stereo.figures import disparity_maps
from beholder.stereo.measures.disparity import bad_pixels, density
from beholder.stereo.regions import region
from beholder.stereo.sweeps.variants import variants
from beholder.stereo.types import Pair, Truth, disparity_map
from beholder.stereo.views import disparity_views


def semi_dense(dataset: Dataset[Pair, Truth] | None = None) -> Benchmark:
    """Bad pixels (δ = 1) among the estimated ones, and the share of pixels estimated, in nonocc and disc.

    The second scenario of Cabezas & Trujillo: pixels that both views see (nonocc), and those near depth discontinuities
    (disc). A pixel without an estimate is not bad; instead the density is judged beside the errors, as in Kostlivá,
    Čech & Šára. A model that leaves pixels out loses density, and cannot dominate a denser one. The baselines do not
    fill their holes.

    Deviation: the source compares errors alone, because the maps in its table are dense.
    """
    base = dense(small() if dataset is None else dataset)
    return replace(
        base,
        name="stereo/semi_dense",
        version=2,
        measures=(fix(bad_pixels, invalid="exclude"), density),
        criteria=(region("nonocc"), region("disc")),
        unjudged=Unjudged(),
        accept=disparity_map,
        lineup=base.lineup._replace(
            # A map that does not look is dense for nothing: there it is no yardstick.
            right=dict.fromkeys(blind(base.dataset), ("density",)),
            baselines=with_holes("block", "sgbm", "sad", "ncc", "census", "guided"),
        ),
        figures=Figures(sample=partial(disparity_maps, invalid="exclude"), views=disparity_views),
        about="Disparity maps with holes: percentage of estimated pixels wrong by more than 1 px, and density.",
    )


def small() -> Dataset[Pair, Truth]:
    """Three random-dot stereograms, unlike in shape and noise, and a photograph: for runs that name no dataset."""
    return join(random_dots(3), motorcycle())


def with_holes(*names: str) -> dict[str, Model]:
    """These models, leaving holes where they find no match."""
    return {label: model for name in names for label, model in variants(name, {"fill": (False,)}).items()}
