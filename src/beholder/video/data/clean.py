"""How clean footage scores: real clips without faults, so that one knows what a score is worth.

clean.csv is written by `benchmarks/video/exam.py clean FOLDER… --write`.
"""

from __future__ import annotations

import csv
from functools import cache
from importlib import resources

import numpy as np

from beholder.video.types import Floats

SAME = 1e-4  # clean.csv has four digits


@cache
def clean_scores() -> dict[str, Floats]:
    """The scores of clean clips, by measure; clips on which it abstains are left out."""
    text = resources.files("beholder.video.data").joinpath("clean.csv").read_text("utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    every = {name: np.array([float(row[name]) for row in rows]) for name in rows[0] if name != "clip"}
    return {name: np.sort(values[~np.isnan(values)]) for name, values in every.items()}


def among_clean(measure: str, value: float) -> str:
    """How a score stands among those of clean clips, in a few words.

    >>> among_clean("temporal_coherence", 0.3), among_clean("temporal_coherence", 1.0)
    ('below all 49', 'like all 49')
    """
    known = clean_scores()[measure]
    lower, higher = int(np.sum(known < value - SAME)), int(np.sum(known > value + SAME))
    if higher == len(known):
        return f"below all {len(known)}"
    return f"{lower} of {len(known)} lower" if lower + higher else f"like all {len(known)}"
