"""The sentences of a section: what the judges say, and what must be read with the numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from beholder.core.measure import SETTLED
from beholder.core.scores import CELL, JUDGED, whole
from beholder.core.verdict import Note, Verdict, merge_notes
from beholder.verdicts.agreement import agreement

if TYPE_CHECKING:
    import pandas as pd

    from beholder.evaluation.sections import Section

FEW = 5  # units: fewer give at most 35 different resamples (4 units), too few to tell the tails of a 95 % interval
FIRST = ("status", "shared")  # kinds of notes that bear on every number
LAST = ("dataset",)  # and those that bear on one dataset only
LONG = 300  # letters, four lines: sentences on dozens of models would bury those of the other benchmarks
LINE = ["model", "role", *CELL]


def official_headline(section: Section) -> str:
    """The official verdict's sentence."""
    return headline(section, section.verdicts[0]) if section.verdicts else "There is no verdict: nothing was judged."


def headline(section: Section, verdict: Verdict) -> str:
    """A verdict's sentence; whom it left out is named, and the reasons stand with the standing."""
    return sentence(verdict.headline, _names(section))


def short(text: str, most: int = LONG) -> str:
    """A text as it is, or the whole words within its first letters.

    >>> short("a is best."), short("a, b and c are best", most=6)
    ('a is best.', 'a, b …')
    """
    kept = text[: most + 1].rsplit(" ", 1)[0].rstrip(",;:")
    return text if len(text) <= most else f"{kept} …"


def notes(section: Section) -> list[str]:
    """Every sentence that must be read with the numbers, once.

    What bears on every number comes first, then how far intervals and judges can be trusted, people and blind models,
    the judges' own remarks, and what is said of single datasets last.
    """
    merged = merge_notes(section.notes)
    found = [note for note in merged if note.kind in FIRST]
    found += [*_rough(section), *_expected(section), *_dissent(section)]
    found += [note for note in merged if note.kind not in (*FIRST, *LAST)]
    found += [*_of_judges(section), *(note for note in merged if note.kind in LAST)]
    names = _names(section)
    return list(dict.fromkeys(sentence(str(note), names) for note in found))


def _expected(section: Section) -> list[Note]:
    """What a person expects of official measures, where theory says so."""
    text = "a person expects {:.3f} of {{about}}: 1 is the mean person"
    return merge_notes(
        Note("person", text.format(measure["person"]), about=(measure["label"],))
        for measure in section.facts["measures"]
        if measure["official"] and measure["person"] is not None
    )


def sentence(text: str, names: Iterable[str] = ()) -> str:
    """A text with a capital and a full stop; a name at its beginning stays as it is, as it may have to be typed.

    >>> sentence("none of these is dominated"), sentence("sgm is best", ["sgm"]), sentence("Really?"), sentence("")
    ('None of these is dominated.', 'sgm is best.', 'Really?', '')
    """
    line = text.strip()
    if not line:
        return ""
    stop = "" if line[-1] in ".!?…" else "."
    named = any(re.match(rf"{re.escape(name)}(?!\w)", line) for name in names if name)
    return (line if named else line[0].upper() + line[1:]) + stop


def _names(section: Section) -> list[str]:
    """Names with which a sentence may begin: those of the models that are judged."""
    scores = section.scores
    return [str(name) for name in scores.loc[scores["role"].isin(JUDGED), "model"].unique()]


def _of_judges(section: Section) -> list[Note]:
    """What judges add, with who says so; what several all say stands without."""
    by: dict[tuple[str, str], list[str]] = {}
    for verdict in section.verdicts:
        for note in verdict.notes:
            by.setdefault((note.kind, str(note)), []).append(verdict.method)
    everybody = len(section.verdicts) if len(section.verdicts) > 1 else 0
    return [
        Note(kind, text if len(who) == everybody else f"{', '.join(who)}: {text}") for (kind, text), who in by.items()
    ]


def _dissent(section: Section) -> list[Note]:
    """A note where judges do not name the same best models, or put two models in opposite order."""
    ranked = [verdict for verdict in section.verdicts if _in_order(verdict)]
    models = [str(model) for verdict in ranked for model in verdict.standing.index]
    if len(models) == len(set(models)):  # nobody was judged twice
        return []
    found = agreement(ranked)
    return [] if found.complete else [Note("agreement", found.says)]


def _in_order(verdict: Verdict) -> bool:
    """Whether a standing can be compared with others: by the numbers in its first column."""
    return bool(verdict.standing.size) and verdict.standing.dtypes.iloc[0].kind in "biuf"


def _rough(section: Section) -> list[Note]:
    """A note where intervals rest on few units: over all datasets, else on the datasets where it is so."""
    rows = whole(section.scores)
    rows = rows[rows["state"].isin(SETTLED)]
    if over_all := few([*behind(rows), *_behind_skill(section)]):
        return [Note("rough", f"{over_all}: take them as rough")]
    counts = {str(dataset): few(behind(own)) for dataset, own in rows.groupby("dataset", sort=False)}
    return merge_notes(
        Note("rough", f"On {{about}} {text[0].lower()}{text[1:]}: take them as rough", about=(dataset,))
        for dataset, text in counts.items()
        if text
    )


def _behind_skill(section: Section) -> list[int]:
    """How many units model, blind model and people share behind each skill with an interval."""
    return [] if section.skill.empty else section.skill.dropna(subset=["skill", "lo"])["units"].tolist()


def behind(rows: pd.DataFrame) -> list[int]:
    """How many units are behind the interval of each line; of a measure taken once, how many the runner drew from."""
    lines = rows.groupby(LINE, sort=False)
    units = rows.drop_duplicates([*LINE, "dataset", "unit"]).groupby(LINE, sort=False).size()
    filled = lines["lo"].count() > 0
    return [*units[units > 1], *lines["n"].max()[(units == 1) & filled]]


def few(counts: Sequence[int]) -> str:
    """What is to be said of intervals over so many units; nothing where there are enough.

    >>> few([3, 3]), few([2, 9]), few([2, 3]), few([9])
    ('Intervals rest on 3 units', 'Some intervals rest on only 2 units', 'Intervals rest on 2 to 3 units', '')
    """
    least, most = min(counts, default=FEW), max(counts, default=FEW)
    if least >= FEW:
        return ""
    if most >= FEW:
        return f"Some intervals rest on only {least} unit{'s' * (least != 1)}"
    return f"Intervals rest on {least if least == most else f'{least} to {most}'} unit{'s' * (most != 1)}"
