"""Where the quality of frames suddenly drops."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from beholder.video.evidence import Evidence
from beholder.video.measures._holds import repeated
from beholder.video.thresholds import OURS, Thresholds, drop_threshold, factor, scene_type
from beholder.video.types import Floats

TICK = 1 / 8  # s: one frame of the paper's clips, which have 8 frames/s
EPS = 1e-6  # s: times in files are rounded
ROUNDS = 4  # of the estimate of a clip's own noise


class Drops(NamedTuple):
    """Drops of quality at every frame of a clip."""

    size: Floats  # ΔQ_t: how far quality is below the best of the last 1/8 s
    threshold: Floats  # τ_s(t)
    counted: Floats  # 0 … 1: how much of a drop begins at each frame
    at_cut: Floats  # the same of those at a shot cut, which are excused
    factor: float  # what the type of the scene multiplied τ_s by


def quality_drops(found: Evidence, scene: Any, table: Thresholds = OURS) -> Drops:
    """Drops of sharpness or detail beyond τ_s(t), which is the table's, or the clip's own noise where that is larger.

    A drop counts fully from 2 τ_s on, in part above τ_s. Drops within 1/8 s of one that was counted are the same drop,
    of which the largest part counts.
    """
    kind = scene_type(found, scene, table)
    asked = drop_threshold(found, kind, table)
    sharp = _opinion(found, found.frames.sharpness, asked, table.noise, table.most)
    detail = found.frames.extra.get("detail")
    found_by = [sharp]
    if detail is not None:
        found_by.append(_opinion(found, detail, table.detail * asked, table.noise, table.detail * table.most))
    strength = np.max([np.clip(size / threshold - 1, 0.0, 1.0) for size, threshold in found_by], axis=0)
    counted = strongest(found.facts.times, strength)
    cut = _at_cut(found)
    return Drops(*sharp, np.where(cut, 0.0, counted), np.where(cut, counted, 0.0), factor(table, kind))


def _opinion(found: Evidence, quality: Floats, asked: Floats, noise: float, most: float) -> tuple[Floats, Floats]:
    """ΔQ_t and τ_s(t) of one series of quality; its own noise raises τ_s to `most` at most."""
    times = found.facts.times
    own = own_noise(times, quality, repeated(found), noise)
    return below_best(times, quality), np.maximum(asked, min(noise * own, most))


def below_best(times: Floats, quality: Floats) -> Floats:
    """How far each frame is below the best of the last 1/8 s, or of the frame before where that is longer ago.

    >>> below_best(np.arange(4) / 8, np.array([2.0, 1.5, 1.8, 1.0])).tolist()  # at 8 frames/s: Q(f_{t−1}) − Q(f_t)
    [0.0, 0.5, -0.30000000000000004, 0.8]
    """
    first = np.searchsorted(times, times - TICK - EPS)
    best = [quality[min(lo, at - 1) : at].max() if at else quality[0] for at, lo in enumerate(first)]
    return np.array(best) - quality


def own_noise(times: Floats, quality: Floats, repeats: np.ndarray[Any, np.dtype[np.bool_]], clip: float = 5.0) -> float:
    """The robust deviation of changes over 1/8 s, repeated frames left out: they do not change and would hide it.

    It is read at the 40 % quantile, not the median, and again without what lies beyond `clip` deviations: in a clip
    with many bursts of bad frames more than half of all changes may be faults, which must not pass for noise.
    """
    times, quality = times[~repeats], quality[~repeats]
    first = np.searchsorted(times, times - TICK - EPS)
    earlier = np.minimum(first, np.maximum(np.arange(len(times)) - 1, 0))
    change = np.abs(quality - quality[earlier])[1:]
    found = np.inf
    for _ in range(ROUNDS):
        change = change[change <= clip * found]
        found = float(np.quantile(change, 0.4)) / 0.5244 if change.size else 0.0  # of a normal deviation, 0.5244
    return found


def strongest(times: Floats, strength: Floats) -> Floats:
    """Of drops within 1/8 s of one another only the strongest.

    >>> strongest(np.arange(4) / 24, np.array([0.0, 0.6, 1.0, 1.0])).tolist()  # one step, seen by three frames
    [0.0, 0.0, 1.0, 0.0]
    """
    kept = np.zeros_like(strength)
    for at in np.argsort(-strength, kind="stable"):
        if strength[at] <= 0:
            break
        if not kept[np.abs(times - times[at]) < TICK - EPS].any():
            kept[at] = strength[at]
    return kept


def _at_cut(found: Evidence) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Frames within 1/8 s after a shot cut: another picture has another sharpness."""
    cuts = np.array(found.coherence.shot_cuts)[None]
    since = found.facts.times[:, None] - cuts
    return np.asarray(((since > -EPS) & (since < TICK - EPS)).any(axis=1))
