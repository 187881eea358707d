"""video/opinions: do measures of video agree with what people say of the clips? The models here are measures."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

from beholder.core.benchmark import Benchmark
from beholder.core.sample import Dataset
from beholder.errors import NeedsDataset
from beholder.study.benchmarks.opinions import opinions as study_opinions
from beholder.study.ratings import Item, Opinion
from beholder.video.benchmarks.corruptions import OURS, RIVALS
from beholder.video.datasets.fetv_clips import RATES
from beholder.video.models.measured import measured

(FETV_RATE,) = set(RATES.values())  # frames/s of all four generators
TRIVIAL = (
    "trivial_difference",
    "trivial_flow",
    "trivial_residual",
    "trivial_flow_variation",
    "trivial_sharpness_change",
)


def opinions(dataset: Dataset[Item, Opinion] | None = None, *, dimension: str = "") -> Benchmark:
    """Which video measure agrees best with people's ratings of the clips, and does the total agree?

    The paper's measures, their totals with and without amplitude, the rival measures and five trivial ones are run on
    the clips themselves, so the dataset must include the clips: `--dataset fetv_clips:PATH`.
    """
    if dataset is None:
        raise NeedsDataset("it needs clips that people have rated: --dataset fetv_clips:PATH")
    made = study_opinions(dataset, dimension=dimension)
    rate = FETV_RATE if dataset.name == "fetv_clips" else math.nan  # its GIFs do not say how fast they are
    ours = {name: partial(measured, measure=name, rate=rate) for name in (*OURS, *RIVALS, *TRIVIAL)}
    return replace(
        made,
        name="video/opinions",
        version=2,
        lineup=made.lineup._replace(baselines={**ours}),
        about="Video measures against people's ratings of the same clips.",
    )
