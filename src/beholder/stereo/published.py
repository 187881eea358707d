"""Middlebury's second stereo table as far as it could be read or remembered: published numbers, each with its status.

`published.csv` holds one row per algorithm. Rows of status "verified" were read in a paper that `source` names; of
"partial" ones the four nonocc numbers were, and the rest is remembered like all of "memory". Empty numbers are not
known. `online` rows stood in the online table; the others were measured elsewhere on the same scenes. `paper_name`,
`paper_tables`, `paper_avg_rank` and `paper_rank` are as Cabezas & Trujillo (2011) print them. `family` is "local" where
they say so (`family_from` paper) or where the method is known to be (memory).
"""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

from beholder.core.benchmark import Recorded
from beholder.core.measure import NotApplicable
from beholder.core.sample import worst

SCENES = ("tsukuba", "venus", "teddy", "cones")
REGIONS = ("nonocc", "all", "disc")


@dataclass(frozen=True)
class Figures:
    """Published bad pixels (δ = 1, per cent) of one algorithm in one scene, by region; NaN where they are not known."""

    values: Mapping[str, float]
    statuses: Mapping[str, str] = field(default_factory=dict)  # of each number

    @property
    def status(self) -> str:
        """The worst status of its numbers, which the scores take over."""
        return worst(list(self.statuses.values()))


@dataclass(frozen=True)
class Row(Recorded):
    """An algorithm of the table: a model that is known by its published numbers only."""

    name: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)  # all else that the table says of it; family only if known
    cite: str = "Scharstein2002"

    @property
    def status(self) -> str:
        """verified, partial or memory."""
        return self.facts["status"]

    @property
    def online(self) -> bool:
        """Whether it stood in the online table."""
        return self.facts["online"] == "yes"


@cache
def rows() -> Mapping[str, Row]:
    """The table by the algorithms' names.

    >>> rows()["ADCensus"].recall("cones").values["disc"], rows()["ADCensus"].status, len(rows())
    (6.95, 'verified', 94)
    """
    text = resources.files("beholder.stereo").joinpath("published.csv").read_text("utf-8")
    return {line["algorithm"]: _row(line) for line in csv.DictReader(text.splitlines())}


def name_here(paper_name: str) -> str:
    """The table's name of an algorithm that Cabezas & Trujillo call `paper_name`.

    >>> name_here("PUTV3"), name_here("CostAggrtocc")
    ('PUTv3', 'CostAggr+occ')
    """
    return next(name for name, row in rows().items() if row.facts["paper_name"] == paper_name)


def in_table(number: str) -> list[str]:
    """The algorithms in one of the tables 1 to 4 of Cabezas & Trujillo, by their names here.

    >>> in_table("4")[:2], len(in_table("2"))
    (['GeoSup', 'AdaptDispCalib'], 16)
    """
    return [name for name, row in rows().items() if number in row.facts["paper_tables"].split()]


def _row(line: dict[str, str]) -> Row:
    columns = {f"{scene}_{region}" for scene in SCENES for region in REGIONS}
    facts = {key: text for key, text in line.items() if key not in columns and (text or key != "family")}
    return Row({scene: _figures(line, scene) for scene in SCENES}, name=line["algorithm"], facts=facts)


def _figures(line: dict[str, str], scene: str) -> Figures:
    texts = {region: line[f"{scene}_{region}"] for region in REGIONS}
    read = {"verified": REGIONS, "partial": ("nonocc",), "memory": ()}[line["status"]]
    statuses = {region: "verified" if region in read else "memory" for region in REGIONS}
    return Figures({region: float(text or math.nan) for region, text in texts.items()}, statuses)


def figures(raw: Any, stimulus: None) -> Figures:
    """Published numbers as an answer: `Figures`, or a mapping from the regions to per cents, None where not known.

    >>> figures({"nonocc": 1.5, "all": None, "disc": 7}, None).values
    {'nonocc': 1.5, 'all': nan, 'disc': 7.0}
    """
    if isinstance(raw, Figures):
        return raw
    if not isinstance(raw, Mapping) or set(raw) != set(REGIONS):
        raise ValueError(f"got {type(raw).__name__} {_keys(raw)}; expected percentages of {', '.join(REGIONS)}")
    return Figures({region: _per_cent(raw[region], region) for region in REGIONS})


def figure_in(found: Figures, reference: Any, *, region: str) -> tuple[float, Any]:
    """The criterion that reads the number of one region."""
    value = found.values[region]
    if math.isnan(value):
        raise NotApplicable(f"the number in {region} is not known")
    return value, reference


def _keys(raw: Any) -> str:
    return f"of {', '.join(map(str, raw))}" if isinstance(raw, Mapping) else ""


def _per_cent(value: Any, region: str) -> float:
    if value is None:
        return math.nan
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value < 0 or value > 100:
        raise ValueError(f"got {value!r} in {region}; expected per cent of bad pixels, 0 … 100, or nothing")
    return float(value)
