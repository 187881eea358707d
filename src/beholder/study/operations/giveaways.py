"""Trivial cues by which people could tell the classes apart: said before anything is collected."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from beholder.study.design.file import Shown, Study

if TYPE_CHECKING:
    from beholder.study.design.cues import Cue

MOST = 1000  # items that are looked at
SHOWN = 8  # cues in the table
SURE, CLEAR, PLAIN = 0.6, 0.8, 0.95  # AUC: the interval's lower end, to be said, to be refused


def cues_of(study: Study, folder: Path) -> list[Cue]:
    """The cues of a study; of a large one, those of some groups, drawn at random, with MOST items or so together."""
    from beholder.study.design.cues import cues

    return cues(study.model_copy(update={"items": some(study)}), folder)


def some(study: Study) -> tuple[Shown, ...]:
    """Items that are judged, whole groups of them; all where there are not many."""
    import numpy as np

    groups: dict[str, list[Shown]] = {}
    for item in study.items:
        if item.use == "trial":
            groups.setdefault(item.group or f"item {item.id}", []).append(item)
    kept: list[Shown] = []
    names = list(groups)
    for at in np.random.default_rng(0).permutation(len(names)):
        if len(kept) >= MOST:
            break
        kept += groups[names[at]]
    return tuple(kept)


def giveaways(study: Study, folder: Path) -> Iterator[tuple[bool, str]]:
    """What gives the classes away, in sentences, and whether that much that nobody should be asked."""
    for cue in cues_of(study, folder):
        if cue.auc <= CLEAR or cue.lo <= SURE:
            continue
        wanted = cue.name in study.analysis.cues
        fault = cue.auc > PLAIN and not wanted
        mend = "" if wanted else f"; make the classes equal in it, or declare it intended: {entry(study, cue)}"
        much = "nearly always" if cue.auc > PLAIN else "often"
        yield fault, f"people can {much} tell the classes apart without judging them, by {cue.says}{mend}"


def entry(study: Study, cue: Cue) -> str:
    """What stands in the study file where a cue is wanted."""
    names = ", ".join(f'"{name}"' for name in (*study.analysis.cues, cue.name))
    return f"cues = [{names}] under [analysis]"


def table(study: Study, folder: Path) -> list[str]:
    """How well each cue alone tells the classes apart, strong or not, the strongest first; nothing without classes."""
    found = cues_of(study, folder)[:SHOWN]
    if not found:
        return []
    wide = max(len(cue.name) for cue in found)
    classes = f"{study.signal} from {' and '.join(study.noises)}"
    return [
        f"How well trivial cues alone tell {classes}: AUC [95 % interval]; 0.5 is chance, 1 is perfect",
        *(f"  {cue.name.ljust(wide)}  {cue.auc:.2f} [{cue.lo:.2f}, {cue.hi:.2f}]" for cue in found),
    ]
