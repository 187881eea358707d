"""How well a measure of video follows damage that was done on purpose, and keeps still where none was.

All are pooled over the corrupted clips of one kind; what is observed is what the measure under test says of a clip,
turned so that more is better, NaN where it abstains.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from beholder.core.measure import NotApplicable, Result, measure
from beholder.stats.resampled_correlation import spearman
from beholder.stats.small_counts import POINTS, too_few
from beholder.video.corruptions.kinds import Change

Floats = NDArray[np.float64]


def _by_clip(observed: Sequence[float], changes: Sequence[Change]) -> Iterator[tuple[str, Floats, Floats]]:
    """Clip by clip: its name, severities and what was said of each."""
    for clip in dict.fromkeys(change.clip for change in changes):
        here = [at for at, change in enumerate(changes) if change.clip == clip]
        yield clip, np.array([changes[at].severity for at in here], float), np.array([observed[at] for at in here])


def _correlation(severity: Floats, said: Floats) -> float:
    """Spearman's ρ of one clip; 0 where the measure abstains, or says the same of every severity."""
    if np.isnan(said).any() or np.ptp(said) == 0:
        return 0.0
    return float(spearman(severity, said, np.ones((1, len(said))))[0])


def _of_clips(observed: Sequence[float], changes: Sequence[Change]) -> Floats:
    found = [_correlation(severity, said) for _, severity, said in _by_clip(observed, changes) if len(severity) > 2]
    if not found:
        raise NotApplicable("no clip has three severities")
    return np.array(found)


def _drawn(observed: Sequence[float], changes: Sequence[Change], counts: Floats) -> Floats:
    """The mean over clips for each draw of clips."""
    first = [next(at for at, c in enumerate(changes) if c.clip == clip) for clip, _, _ in _by_clip(observed, changes)]
    often = counts[:, first]
    return np.asarray(often @ _of_clips(observed, changes) / often.sum(axis=1))


@measure(
    better="lower", bounds=(-1, 1), cite="Spearman1904", per="dataset", resample="clip", at_once=_drawn,
    parts={"worst": "lower", "abstained": "lower", "pooled": "lower"},
)  # fmt: skip
def severity_correlation(observed: Sequence[float], changes: Sequence[Change]) -> Result:
    """Spearman's ρ between the severity of a fault and the score, within each clip, averaged over clips.

    (1/n) Σ_clips ρ(severity, score). −1: the score falls with every step, in every clip. A clip in which the measure
    abstains at any severity, or never changes, counts as 0. Parts: the `worst` clip, the share of clips with an
    abstention, and ρ `pooled` over clips, which is stricter: a score must mean the same in every clip. Not applicable
    without a clip at three severities; low confidence with fewer than 15 scores in all.

    >>> some = [Change("a", "vanish", level, "temporal_coherence", "falls", True) for level in range(3)]
    >>> severity_correlation([1.0, 0.8, 0.3], some).value
    -1.0
    """
    found = _of_clips(observed, changes)
    said, severity = np.array(observed, float), np.array([change.severity for change in changes], float)
    held = ~np.isnan(said)
    lost = [np.isnan(own).any() for _, _, own in _by_clip(observed, changes)]
    parts = {"worst": float(found.max()), "abstained": float(np.mean(lost))}
    if held.sum() > 2 and np.ptp(said[held]) > 0:
        parts["pooled"] = float(spearman(severity[held], said[held], np.ones((1, held.sum())))[0])
    points = sum(len(own) for _, _, own in _by_clip(observed, changes) if len(own) > 2)
    few = too_few(points, POINTS, "scores", of="a correlation")
    return Result(float(found.mean()), parts, state="low" if few else "ok", reason=few, n=len(found))


@measure(
    better="lower", bounds=(0, np.inf), cite="Ling2025", per="dataset", resample="clip", draws=300,
    parts={"ninetieth": "lower", "abstained": "lower"},
)  # fmt: skip
def shift(observed: Sequence[float], changes: Sequence[Change]) -> Result:
    """How much the score changes with a change that is not a fault: the median over clips and severities.

    shift = median |s(severity) − s(0)|, in the measure's own units. Severity 0 is the same clip without the change.
    Parts: the 90th percentile, and the share of pairs that were not compared because the measure abstained on one of
    the two. Not applicable where no pair is left.

    >>> same = [Change("a", "mirror", level, "", "stays", True) for level in range(3)]
    >>> shift([0.9, 0.9, 0.8], same).value.__round__(3)
    0.05
    """
    moved = [
        np.abs(said[severity > 0] - said[severity == 0][:1])
        for _, severity, said in _by_clip(observed, changes)
        if (severity == 0).any()
    ]
    every = np.concatenate(moved) if moved else np.empty(0)
    held = every[~np.isnan(every)]
    if not len(held):
        raise NotApplicable("no clip was scored both with the change and without it")
    parts = {"ninetieth": float(np.quantile(held, 0.9)), "abstained": 1 - len(held) / len(every)}
    return Result(float(np.median(held)), parts, n=len(held))
