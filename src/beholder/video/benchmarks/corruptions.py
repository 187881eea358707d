"""video/corruptions: does a measure of video follow damage that was done on purpose? The models here are measures."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from beholder.core.benchmark import EVERYWHERE, Benchmark, Criterion, Figures, Hooks, Lineup, Model, Unjudged
from beholder.core.sample import Dataset
from beholder.errors import Misuse
from beholder.judges.mean_score import mean_score
from beholder.video.corruptions.kinds import KINDS, Change
from beholder.video.datasets.corrupted import corrupted
from beholder.video.figures.severity import severity_curves
from beholder.video.measures.tracking import severity_correlation, shift
from beholder.video.models.measured import measured
from beholder.video.types import Clip

OURS = (
    *("motion_smoothness", "judder", "jerk", "object_integrity", "perceptible_amplitude", "temporal_coherence"),
    *("motion_total", "motion_total(amplitude=false)", "motion_total(amplitude=false,further=true)"),
)
QUICK = "blur_burst+repeats+jitter+vanish+wobble+limb_stretch+exit+pan"  # by default, so that a run takes a minute
RIVALS = ("ssim", "mean_flow", "flicker", "warping_error", "interpolation_error", "dynamic_degree")


def corruptions(dataset: Dataset[Clip, Change] | None = None) -> Benchmark:
    """How each video measure responds to 21 kinds of change to a clip, at up to six severities.

    A measure should fall with the faults it is meant to detect, and stay the same when a change is not a fault. Kinds
    of change that one of our measures is meant to detect are judged; the others, the hard cases and the invariances are
    shown. Your own measure is a function from a clip to a number, higher is better, NaN where it abstains (`--model
    my.py:score`). By default eight kinds are tried at three severities on two generated scenes; `--dataset corrupted`
    takes all 21 at six severities, and `--dataset corrupted:FOLDER` corrupts the clips in a folder instead.
    """
    data = corrupted(kinds=QUICK, levels=3, clips=2, frames=20) if dataset is None else dataset
    if not all(id.count("/") >= 2 for id in data.all_ids):
        raise Misuse(f"got the dataset {data.name}; expected clips with faults: --dataset corrupted, corrupted:FOLDER")
    judged = [name for name, kind in KINDS.items() if kind.gated and kind.expected == "falls"]
    there = {id.split("/")[-2] for id in data.all_ids}
    return Benchmark(
        name="video/corruptions",
        version=2,
        dataset=data,
        measures=(severity_correlation,),
        judges=(mean_score,),
        criteria=tuple(_only(name) for name in judged if name in there),
        unjudged=Unjudged((shift,), tuple(_only(name) for name in sorted(there - set(judged)))),
        accept=accept,
        lineup=Lineup({name: partial(measured, measure=name) for name in (*OURS, *RIVALS)}, blind),
        figures=Figures(overview=severity_curves),
        hooks=Hooks(holds=(Clip, Change)),
        about="Video measures against deliberate corruptions of clips: which fall with a fault, which stay the same.",
    )


def accept(raw: Any, clip: Clip) -> float:
    """One number; NaN says that the measure abstains."""
    one = np.asarray(raw)
    if one.dtype.kind not in "iuf" or one.size != 1:
        raise ValueError(f"got {type(raw).__name__}; expected one number for the clip, or NaN to abstain")
    value = float(one.reshape(-1)[0])
    if math.isinf(value):
        raise ValueError("got infinity; expected a number, or NaN to abstain")
    return value


def _only(kind: str) -> Criterion:
    return Criterion(kind, EVERYWHERE.select, partial(_not_of, kind=kind))


def _not_of(change: Change, *, kind: str) -> str:
    return "" if change.kind == kind else f"this clip has {change.kind}, not {kind}"


def blind(dataset: Dataset[Any, Any]) -> Mapping[str, Model]:
    """Measures that do not look: always the same."""
    return {"constant": constant, "random": random}


def constant(clip: Clip) -> float:
    """The same for every clip."""
    return 1.0


def random(clip: Clip) -> float:
    """A number that has nothing to do with faults: the digits of one pixel."""
    if clip.pixels is None:
        return math.nan
    return float(int(clip.pixels[0].sum(dtype="int64")) * 2654435761 % 4294967296) / 4294967296
