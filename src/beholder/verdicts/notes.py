"""Notes: the caveats that must be read with the numbers, their kinds and their order.

A new one is a function here and a line of KINDS; those of one judge or of skill are made beside their numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from beholder.core.measure import SETTLED
from beholder.core.scores import CELL, JUDGED
from beholder.core.verdict import Known, Note, Verdict, merge_notes
from beholder.store.run_json import BenchmarkFacts, MeasureFacts, ModelFacts
from beholder.verdicts.agreement import agreement

if TYPE_CHECKING:
    import pandas as pd

KINDS = {  # of notes, and what they tell
    # Of a whole section
    "edited": "that the scores are not those that the run wrote",
    "convention": "that a model's answers seem to follow another convention, such as swapped axes",
    "files": "what is missing from a folder, or lies there and is not used",
    "status": "how many scores rest on references of doubtful status",
    "shared": "on which units runs are compared that took different samples",
    "rough": "that intervals rest on few units",
    "person": "what theory says that a person reaches",
    "agreement": "how far the judges agree",
    "family": "that only models of one family are judged",
    "pooled": "which measures cannot be compared, as runs took different samples",
    "tuned": "which models were tuned on this kind of stimulus",
    "limits": "what a model says that it cannot do",
    "blind": "which models are no better than a blind one, or not significantly",
    "ceiling": "where people do not beat the blind models",
    "dataset": "what the verdict is on one dataset alone",
    # Of a judge
    "method": "how the judge arrives at its verdict, and with what numbers",
    "components": "what was not compared, or only between some models",
    "once": "what was measured once, and so cannot be drawn anew",
    "ties": "which models do not differ significantly",
    "draws": "that there were fewer draws than asked for",
    "small": "that the verdict rests on few units",
}
HEAD = ("edited", "convention")  # kinds that stand right below the verdict
FIRST = ("files", "status", "shared", "tuned")  # kinds that bear on every number
LAST = ("dataset",)  # and those that bear on one dataset only
DOUBTFUL = {  # statuses of references that must not pass unseen, and what such a number is
    "memory": "quoted from memory (status memory)",
    "placeholder": "that are placeholders (status placeholder)",
}
FEW = 5  # units: fewer give at most 35 different resamples (4 units), too few to tell the tails of a 95 % interval
LINE = ["model", "role", *CELL]


def note_edited(folders: Iterable[str]) -> list[Note]:
    """A note on the runs whose scores.csv is not what they wrote."""
    text = "The scores.csv of {about} was changed after the run: these are not the numbers that the run wrote"
    return merge_notes(Note("edited", text, about=(folder,)) for folder in folders)


def note_conventions(entries: Iterable[BenchmarkFacts]) -> list[Note]:
    """What scores tell of a model's convention: axes that seem swapped, a sign that seems turned over."""
    told = {model: said for entry in entries for model, said in entry.get("caveats", {}).items()}
    return [Note("convention", f"{model}: {said}", about=(model,)) for model, said in told.items()]


def note_remarks(entries: Iterable[BenchmarkFacts]) -> list[Note]:
    """What datasets and models say of files that are missing, or are not used."""
    found: list[str] = []
    for entry in entries:
        found += [remark_of_dataset(one["name"], text) for one in entry["datasets"] for text in one.get("remarks", [])]
        models = entry.get("models", [])
        found += [remark_of_model(one["name"], text) for one in models for text in one.get("remarks", [])]
    return merge_notes(Note("files", text) for text in found)


def remark_of_dataset(name: str, remark: str) -> str:
    """A dataset's remark as a sentence of its own."""
    return f"dataset {name}: {remark}"


def remark_of_model(name: str, remark: str) -> str:
    """A model's remark as a sentence of its own."""
    return f"model {name}: {remark}"


def note_status(scores: pd.DataFrame) -> list[Note]:
    """A note for each doubtful status of references, with how many scores rest on it."""
    counts = {status: int((scores["provenance"] == status).sum()) for status in DOUBTFUL}
    return [
        Note("status", f"{many} of {len(scores)} scores rest on reference numbers {DOUBTFUL[status]}", (status,))
        for status, many in counts.items()
        if many
    ]


def note_tuned(known: Known) -> list[Note]:
    """A note on the models that were tuned on this kind of stimulus, and so are ahead of those that were not."""
    text = "{model} was tuned on stimuli of this kind ({on}), which gives it an advantage here"
    told = {model: text.format(model=model, on=", ".join(on)) for model, on in known.tuned.items()}
    return [Note("tuned", said, about=(model,)) for model, said in told.items()]


def note_limits(models: Iterable[ModelFacts]) -> list[Note]:
    """What judged models say on their cards that they cannot do."""
    told = {model["name"]: model["facts"].get("limits", "") for model in models if model["role"] in JUDGED}
    return [Note("limits", f"{name}: {limit}", about=(name,)) for name, limit in told.items() if limit]


def note_expectation(measures: Iterable[MeasureFacts]) -> list[Note]:
    """What a person expects of official measures, where theory says so."""
    text = "a typical person scores {:.3f} on {{about}}; 1 is the mean of people"
    return merge_notes(
        Note("person", text.format(measure["person"]), about=(measure["label"],))
        for measure in measures
        if measure["official"] and measure["person"] is not None
    )


def note_disagreement(verdicts: Sequence[Verdict]) -> list[Note]:
    """A note where judges do not name the same best models, or put two models in opposite order."""
    ranked = [verdict for verdict in verdicts if _in_order(verdict)]
    models = [str(model) for verdict in ranked for model in verdict.standing.index]
    if len(models) == len(set(models)):  # nobody was judged twice
        return []
    found = agreement(ranked)
    return [] if found.complete else [Note("agreement", found.says)]


def _in_order(verdict: Verdict) -> bool:
    """Whether a standing can be compared with others: by the numbers in its first column."""
    return bool(verdict.standing.size) and verdict.standing.dtypes.iloc[0].kind in "biuf"


def note_of_judges(verdicts: Sequence[Verdict]) -> list[Note]:
    """What judges add, with who says so; what several all say stands without."""
    by: dict[tuple[str, str], list[str]] = {}
    for verdict in verdicts:
        for note in verdict.notes:
            by.setdefault((note.kind, str(note)), []).append(verdict.method)
    everybody = len(verdicts) if len(verdicts) > 1 else 0
    return [
        Note(kind, text if len(who) == everybody else f"{', '.join(who)}: {text}") for (kind, text), who in by.items()
    ]


def note_rough(scores: pd.DataFrame, skill: pd.DataFrame) -> list[Note]:
    """A note where intervals, those of skill too, rest on few units: on all datasets, else on those where it is so."""
    held = (scores["part"] == "") & scores["state"].isin(SETTLED)
    rows = scores.loc[held, [*LINE, "dataset", "unit", "lo", "n"]]
    shared = [] if skill.empty else skill.dropna(subset=["skill", "lo"])["units"].tolist()
    if over_all := few([*behind(rows), *shared]):
        return [Note("rough", f"{over_all}: treat them as rough")]
    counts = {str(dataset): few(behind(own)) for dataset, own in rows.groupby("dataset", sort=False)}
    return merge_notes(
        Note("rough", f"On {{about}} {text[0].lower()}{text[1:]}: treat them as rough", about=(dataset,))
        for dataset, text in counts.items()
        if text
    )


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
