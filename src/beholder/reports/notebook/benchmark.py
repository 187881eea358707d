"""A benchmark in a notebook: what is measured, on what, and who takes part."""

from __future__ import annotations

from typing import TYPE_CHECKING

from beholder.core.measure import card
from beholder.errors import listed
from beholder.registry.load import judge_spec
from beholder.reports._pieces import answer, frame, grid, note, paragraph
from beholder.reports._view import ARROWS
from beholder.verdicts.trust import PEOPLE

if TYPE_CHECKING:
    from beholder.core.benchmark import Benchmark


def benchmark(of: Benchmark) -> str:
    """Its card."""
    dataset = of.dataset
    people = PEOPLE.get(dataset.people, "")
    part = f" of {len(dataset.all_ids)}" if len(dataset) < len(dataset.all_ids) else ""
    rows = {
        "dataset": f"{dataset.name}: {len(dataset)}{part} samples{f'; {people}' if people else ''}",
        "measures": listed([f"{card(m).label} {ARROWS[card(m).better]}" for m in of.measures]),
        "criteria": listed([criterion.name for criterion in of.criteria]),
        "judges": ", ".join(map(judge_spec, of.judges)),
        "baselines": listed(of.provided("baseline")) or "none",
        "blind": listed(of.provided("blind")) or "none",
        "ceiling": "people" if of.lineup.people else "none",
    }
    return frame(
        answer(f"{of.name}, version {of.version}"),
        paragraph(of.about),
        grid((), list(rows.items())),
        note(f"bh.run(this, your_model) scores a function from stimulus to answer. bh.show({of.name!r}) tells more."),
    )
