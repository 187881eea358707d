"""The tables that VMBench prints."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from importlib import resources
from typing import NamedTuple

from beholder.study.scoreboards import vmbench

FIVE = ("CAS", "MSS", "OIS", "PAS", "TCS")


class Row(NamedTuple):
    """Five numbers, and the average that is printed beside them."""

    average: float
    five: Mapping[str, float]

    @property
    def mean(self) -> float:
        """The mean of the five."""
        return sum(self.five.values()) / len(self.five)


class Combination(NamedTuple):
    """Some of the five measures, and how often, in per cent, they predict people's preference together."""

    measures: tuple[str, ...]
    accuracy: float
    change: str  # as it is printed; "" where none is


def spearman() -> dict[str, Row]:
    """Spearman's ρ × 100 of six methods with people on five dimensions.

    >>> round(spearman()["PMM"].mean, 1), spearman()["PMM"].average
    (66.5, 62.2)
    """
    return {row["method"]: Row(float(row["average"]), {of: float(row[of]) for of in FIVE}) for row in _read("spearman")}


def ablation() -> dict[str, Combination]:
    """Nine combinations of the five measures."""
    return {
        row["configuration"]: Combination(tuple(row["measures"].split()), float(row["accuracy"]), row["change"])
        for row in _read("ablation")
    }


def leaderboard() -> dict[str, Row]:
    """Six generators and the five measures, per cent."""
    wide = vmbench().pivot(index="model", columns="measure", values="value").to_dict("index")
    return {
        row["model"]: Row(float(row["average"]), {of: float(wide[row["model"]][of]) for of in FIVE})
        for row in _read("leaderboard")
    }


def _read(name: str) -> list[dict[str, str]]:
    text = resources.files("beholder.video.data").joinpath(f"{name}.csv").read_text("utf-8")
    return list(csv.DictReader(text.splitlines()))
