"""How clean footage scores: real clips without faults, so that one knows what a score is worth.

clean.csv is written by `benchmarks/video/exam.py clean FOLDER… --write`.
"""

from __future__ import annotations

import csv
from functools import cache
from importlib import resources

import numpy as np

from beholder.video.types import Floats


@cache
def clean_scores() -> dict[str, Floats]:
    """The scores of clean clips, by measure; clips on which it abstains are left out."""
    text = resources.files("beholder.video.data").joinpath("clean.csv").read_text("utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    every = {name: np.array([float(row[name]) for row in rows]) for name in rows[0] if name != "clip"}
    return {name: np.sort(values[~np.isnan(values)]) for name, values in every.items()}


def lower_clean(measure: str, value: float) -> tuple[int, int]:
    """How many clean clips score lower than a value, and of how many.

    >>> lower_clean("temporal_coherence", -1.0)[0]
    0
    """
    known = clean_scores()[measure]
    return int(np.sum(known < value - 1e-9)), len(known)
