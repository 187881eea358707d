"""stereo/local: local matchers only, with holes."""

from __future__ import annotations

from dataclasses import replace

from beholder.core.benchmark import Benchmark
from beholder.core.sample import Dataset
from beholder.stereo.benchmarks.semi_dense import semi_dense, with_holes
from beholder.stereo.types import Pair, Truth


def local(dataset: Dataset[Pair, Truth] | None = None) -> Benchmark:
    """`stereo/semi_dense` among local matchers, which decide each pixel by its neighbourhood alone.

    The third scenario of Cabezas & Trujillo: the same regions, another set of algorithms. All baselines are local in
    the taxonomy of Scharstein & Szeliski; whether your own model is local is up to you.
    """
    base = semi_dense(dataset)
    return replace(
        base,
        name="stereo/local",
        version=2,
        lineup=base.lineup._replace(baselines=with_holes("block", "sad", "ncc", "census", "guided")),
        about="Local matchers with holes: percentage of estimated pixels wrong by more than 1 px, and density.",
    )
