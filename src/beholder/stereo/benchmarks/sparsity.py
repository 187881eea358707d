"""stereo/sparsity: error against sparsity, over a sweep of the setting that makes a matcher leave pixels out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from beholder.core.benchmark import Benchmark, Figures
from beholder.core.measure import fix
from beholder.core.sample import Dataset
from beholder.stereo.benchmarks.semi_dense import semi_dense
from beholder.stereo.measures.disparity import bad_pixels, density
from beholder.stereo.regions import region
from beholder.stereo.sweeps.sparsity import sparsity_of_answers, swept
from beholder.stereo.types import Pair, Truth


def sparsity(
    dataset: Dataset[Pair, Truth] | None = None, *, algorithms: Sequence[str] = ("sgbm", "block")
) -> Benchmark:
    """Which settings of which matchers lie on the boundary of what is feasible in density and error?

    After Kostlivá, Čech & Šára: a matcher that leaves out uncertain pixels makes fewer errors. The judge is dominance
    over density and bad pixels (δ = 1) among the estimated ones, both in nonocc; the figure of each sample shows the
    curves, the boundary, and the area between them.
    """
    base = semi_dense(dataset)
    return replace(
        base,
        name="stereo/sparsity",
        version=1,
        measures=(fix(bad_pixels, invalid="exclude"), density),
        criteria=(region("nonocc"),),
        lineup=base.lineup._replace(baselines=swept([algorithms] if isinstance(algorithms, str) else algorithms)),
        figures=Figures(sample=sparsity_of_answers),
        about="Matchers that leave pixels out: wrong pixels among the estimated ones, against the share estimated.",
    )
