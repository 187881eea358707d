"""What a run of Beholder found of each item: any measure of any domain, as a measure under test."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from beholder.core import scores as table
from beholder.core.cite import source
from beholder.core.measure import SETTLED, NotApplicable
from beholder.errors import Misuse, listed
from beholder.registry.find import nearest
from beholder.study.ratings import Item


@source("")
def scored(item: Item, *, run: str, measure: str, criterion: str = "", part: str = "") -> float:
    """The score that a measure gave to an item in a finished run, turned so that more is better.

    `run` is the folder, `measure` the name as in its table, settings included: bad_pixels(threshold=1). The item's
    system is the model of the run; its group, or otherwise its id, is the sample. `criterion` and `part` choose among
    several scores.
    """
    found = _scores(run, measure, criterion, part)
    for key in ((item.system, item.group), (item.system, item.id), ("", item.id)):
        if key in found:
            return found[key]
    raise NotApplicable(f"{run} has no score of {measure} for {item.system or 'the item'} on {item.group or item.id}")


@cache
def _scores(run: str, measure: str, criterion: str, part: str) -> Mapping[tuple[str, str], float]:
    """(model, sample) → mean score over repeats; of a run of one model also ("", sample)."""
    frame = table.read(Path(run).expanduser() / "scores.csv")
    names = table.labels(frame)
    if measure not in set(names):
        raise Misuse(f"{run} has no measure called {measure!r}{nearest(measure, names.unique())}")
    own = frame[(names == measure) & (frame["part"] == part) & frame["state"].isin(SETTLED)]
    kinds = list(own["criterion"].unique())
    if criterion not in kinds and (criterion or len(kinds) > 1):
        raise Misuse(f"got criterion={criterion!r} for {measure} in {run}; expected one of {listed(kinds)}")
    own = own[own["criterion"] == (criterion or kinds[0])] if kinds else own
    sign = own["better"].map({"higher": 1.0, "lower": -1.0, "neither": 1.0}).astype(float)  # texts are categories
    means = own.assign(value=own["value"] * sign).groupby(["model", "unit"])["value"].mean().reset_index()
    keys = zip(means["model"].astype(str), means["unit"].astype(str), strict=True)
    found = dict(zip(keys, means["value"].astype(float).tolist(), strict=True))
    alone = len({model for model, _ in found}) == 1
    return found | ({("", unit): value for (_, unit), value in found.items()} if alone else {})
