"""The sentences of a chapter: what the judges say, and what must be read with the numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from beholder.core.measure import SETTLED
from beholder.core.scores import is_part
from beholder.verdicts.agreement import compare

if TYPE_CHECKING:
    import pandas as pd

    from beholder.core.benchmark import Verdict
    from beholder.evaluation.sections import Chapter

FEW = 5  # units: fewer give at most 35 different resamples (4 units), too few to tell the tails of a 95 % interval
EVERYWHERE = ("rest on references", "the runs share")  # words of notes that bear on every number: these come first
LONG = 300  # letters, four lines: sentences on dozens of models would bury those of the other benchmarks
LINE = ["model", "role", "measure", "criterion"]


def says(chapter: Chapter) -> str:
    """The official verdict's sentence."""
    return said(chapter, chapter.verdicts[0]) if chapter.verdicts else "There is no verdict: nothing was judged."


def said(chapter: Chapter, verdict: Verdict) -> str:
    """A verdict's sentence; whom it left out is named, and the reasons stand with the standing."""
    text = verdict.says
    for model, why in verdict.left_out.items():
        text = text.replace(f"{model} ({why})", model)
    return sentence(text, _names(chapter))


def short(text: str, most: int = LONG) -> str:
    """A text as it is, or the whole words within its first letters.

    >>> short("a is best."), short("a, b and c are best", most=6)
    ('a is best.', 'a, b …')
    """
    kept = text[: most + 1].rsplit(" ", 1)[0].rstrip(",;:")
    return text if len(text) <= most else f"{kept} …"


def notes(chapter: Chapter) -> list[str]:
    """Every sentence that must be read with the numbers, once.

    What bears on every number comes first, then how far intervals and judges can be trusted, people and nulls, the
    judges' own remarks, and what is said of single datasets last.
    """
    told = sorted(merged(chapter.notes, _cells(chapter)), key=_place)
    first = sum(_place(note) == 0 for note in told)
    last = sum(_place(note) <= 1 for note in told)
    rough = [*_rough(chapter), *_expected(chapter)]
    found = [*told[:first], *rough, *_dissent(chapter), *told[first:last], *_judged(chapter), *told[last:]]
    names = _names(chapter)
    return list(dict.fromkeys(sentence(note, names) for note in found))


def _expected(chapter: Chapter) -> list[str]:
    """What a person expects of official measures, where theory says so."""
    by: dict[float, list[str]] = {}
    for measure in chapter.facts.get("measures", ()):
        if measure.get("official") and measure.get("person") is not None:
            by.setdefault(measure["person"], []).append(measure["name"])
    return [f"a person expects {value:.3f} of {', '.join(names)}: 1 is the mean person" for value, names in by.items()]


def _place(note: str) -> int:
    if any(words in note for words in EVERYWHERE):
        return 0
    return 2 if note.startswith("On ") and " alone: " in note else 1


def merged(sentences: Iterable[str], cells: Sequence[str]) -> list[str]:
    """Sentences that differ only in the measure and criterion they speak of become one that names all of these.

    >>> merged(["a is worse on ig (all)", "b is better", "a is worse on kl (all)"], ["ig (all)", "kl (all)"])
    ['a is worse on ig (all), kl (all)', 'b is better']
    """
    where = re.compile(rf"(?<= on )({'|'.join(map(re.escape, cells))})(?= |,|\.|$)")
    found: dict[str, list[str]] = {}
    for one in sentences:
        mentioned = where.findall(one) if cells else []
        shape = where.sub("\0", one) if len(mentioned) == 1 else one
        found.setdefault(shape, []).extend(mentioned[:1])
    return [shape.replace("\0", ", ".join(dict.fromkeys(names))) for shape, names in found.items()]


def _cells(chapter: Chapter) -> list[str]:
    """Measures with their criteria, as sentences name them."""
    pairs = chapter.scores[["measure", "criterion"]].drop_duplicates()
    return [f"{measure} ({criterion})" for measure, criterion in pairs.itertuples(index=False, name=None)]


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


def _names(chapter: Chapter) -> list[str]:
    """Names with which a sentence may begin: those of the models under test."""
    scores = chapter.scores
    return [str(name) for name in scores.loc[scores["role"] == "model", "model"].unique()]


def _judged(chapter: Chapter) -> list[str]:
    """What judges add, with who says so; what several all say stands without."""
    by: dict[str, list[str]] = {}
    for verdict in chapter.verdicts:
        for note in verdict.notes:
            by.setdefault(note, []).append(verdict.method)
    everybody = len(chapter.verdicts) if len(chapter.verdicts) > 1 else 0
    return [note if len(who) == everybody else f"{', '.join(who)}: {note}" for note, who in by.items()]


def _dissent(chapter: Chapter) -> list[str]:
    """A sentence where judges do not name the same best models, or put two models in opposite order."""
    ranked = [verdict for verdict in chapter.verdicts if _in_order(verdict)]
    models = [str(model) for verdict in ranked for model in verdict.standing.index]
    if len(models) == len(set(models)):  # nobody was judged twice
        return []
    found = compare(ranked)
    agreed = len({frozenset(verdict.best) for verdict in ranked}) == 1 and found.disagreements.empty
    return [] if agreed else [found.says]


def _in_order(verdict: Verdict) -> bool:
    """Whether a standing can be compared with others: by the numbers in its first column."""
    return bool(verdict.standing.size) and verdict.standing.dtypes.iloc[0].kind in "biuf"


def _rough(chapter: Chapter) -> list[str]:
    """A sentence where intervals rest on few units: over all datasets, else of the datasets where it is so."""
    rows = chapter.scores[chapter.scores["state"].isin(SETTLED) & ~chapter.scores["measure"].map(is_part)]
    whole = few([*behind(rows), *_shared(chapter)])
    if whole:
        return [f"{whole}: take them as rough"]
    datasets = {str(dataset): few(behind(own)) for dataset, own in rows.groupby("dataset", sort=False)}
    told = dict.fromkeys(filter(None, datasets.values()))
    return [
        f"On {', '.join(b for b in datasets if datasets[b] == what)} {_lower(what)}: take them as rough"
        for what in told
    ]


def _shared(chapter: Chapter) -> list[int]:
    """How many units model, null and people share behind each skill with an interval."""
    return [] if chapter.skill.empty else chapter.skill.dropna(subset=["skill", "lo"])["units"].tolist()


def _lower(text: str) -> str:
    return text[0].lower() + text[1:]


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
