"""What people answered in a study, from the folder that `beholder study export` writes; without one, simulated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from beholder.core.cite import source
from beholder.core.sample import Dataset, Sample, remark
from beholder.errors import Misuse
from beholder.study.ratings import Item, Opinion, Ratings, clean

if TYPE_CHECKING:
    import pandas as pd

    from beholder.study.analysis.answers import Export

PEOPLE, ITEMS, SHOWN, SEED = 24, 24, 10, 16  # of the simulated study: people, items of each class, trials of each
EXCLUDED = "excluded by the study's rules and left out"
SIMULATED = (
    "Simulated answers (seed 16): 24 simulated participants, half of them called expert, each say of 20 out of 48 "
    "items whether they are human. No person gave these answers."
)


@source("Zanca2020")
def answers(path: Path | None = None) -> Dataset[Item, Opinion]:
    """People's answers in a Beholder study: the folder of `beholder study export`; without one, simulated answers.

    In a yes/no study the value is 1 where an item was called signal (human), and the only column is the truth. In a
    rating study it is the grade. In a choice between two it is 1 for the chosen item and 0 for the other. Raters are
    sessions; their kind is their group in the study. Sessions that the study's own rules exclude are left out, and
    counted in a remark.
    """
    if path is None:
        return _simulated()
    from beholder.study.analysis.answers import read

    export = read(Path(path))
    kept = export.kept()
    if kept.answers.empty:
        from beholder.study.analysis.analyse import broken_rules
        from beholder.study.analysis.wording import nobody

        raise Misuse(f"{path}: {nobody(broken_rules(export), len(export.sessions))}")
    table, words = _values(kept)
    truth = _truth(kept, words)
    everybody = zip(kept.sessions["session"], kept.sessions["kind"], strict=True)
    kinds = {str(who): {"kind": str(kind)} for who, kind in everybody if kind}
    made = clean(table, truth, raters=kinds)
    out = [str(who) for who in export.sessions["session"] if who not in set(kept.sessions["session"])]
    left = remark(out, "session", EXCLUDED)
    found = made.dataset(
        f"answers_{export.study.name}",
        cite="Zanca2020",
        licence="not stated",
        about=f"Answers of {len(kept.sessions)} participants to: {export.study.title}.",
        remarks=(*export.remarks, *left),
    )
    simulated = kept.sessions["simulated"].isin(["1", "1.0"]).any()
    return replace(found, load=Load(made, words, "placeholder" if simulated else "verified"))


@dataclass(frozen=True)
class Load:
    """Loads items, and knows what the words mean that people could choose from."""

    ratings: Ratings
    words: Mapping[str, float] = field(default_factory=dict)  # answer → 1: signal
    status: str = "verified"

    def __call__(self, id: str) -> Sample[Item, Opinion]:
        """One item with what people say of it."""
        return self.ratings.load(id)


def _values(export: Export) -> tuple[pd.DataFrame, dict[str, float]]:
    """The table of ratings, and the words of a yes/no question with what they mean."""
    import pandas as pd

    rows, study = export.answers, export.study
    words: dict[str, float] = {}
    if study.trial == "two_alternative":
        return _chosen(export), words
    values = pd.to_numeric(rows["value"], errors="coerce")
    if study.trial == "yes_no" and study.signal in study.right:
        yes = study.right[study.signal]
        words = {answer.value: float(answer.value == yes) for answer in study.questions[0].answers}
        first = rows["dimension"] == study.questions[0].dimension
        values = values.where(~first, rows["value"].map(words))
    order = {question.dimension: at for at, question in enumerate(study.questions)}
    table = rows.assign(value=values, rater=rows["session"], order=rows["dimension"].map(order).fillna(len(order)))
    table = table.sort_values("order", kind="stable")
    return table[["item", "system", "group", "dimension", "rater", "value"]], words


def _chosen(export: Export) -> pd.DataFrame:
    """Two rows a choice: what was chosen, and what was not."""
    import pandas as pd

    from beholder.study.analysis.trials import pairs

    rows = pairs(export)
    sides = []
    for place, won in (("first", rows["ahead"]), ("second", ~rows["ahead"])):
        named = {"item": rows[f"{place}_item"], "system": rows[f"{place}_system"], "value": won.astype(float)}
        sides.append(rows.assign(**named, rater=rows["session"]))
    return pd.concat(sides, ignore_index=True)[["item", "system", "group", "dimension", "rater", "value"]]


def _truth(export: Export, words: Mapping[str, float]) -> pd.DataFrame | None:
    """What each item is, where a yes/no answer can be right."""
    if not words:
        return None
    items = export.items.drop_duplicates("item").set_index("item")
    right = {name: words[value] for name, value in export.study.right.items() if value in words}
    return items["class"].map(right).to_frame("truth").astype(float)


def _simulated() -> Dataset[Item, Opinion]:
    """A small study of people who tell a little, in which items and people differ."""
    import pandas as pd

    from beholder.study.design.simulation import Crowd, Design, assign, say

    design, rng = Design(ITEMS, ITEMS, SHOWN, SHOWN), np.random.default_rng(SEED)
    assigned = assign(design, PEOPLE, rng)
    said = say(design, Crowd(dprime=0.4), assigned, runs=1, rng=rng)[0]
    # Names are in no order of class, as those of a study are.
    names = [f"clip{place:02}" for place in rng.permutation(design.items)]
    table = pd.DataFrame(
        {
            "item": [names[at] for at in assigned.ravel()],
            "group": [f"picture{at % ITEMS:02}" for at in assigned.ravel()],
            "dimension": "human",
            "rater": np.repeat([f"person{who:02}" for who in range(PEOPLE)], design.trials),
            "value": said.ravel().astype(float),
        }
    )
    truth = pd.DataFrame({"truth": (np.arange(design.items) < ITEMS).astype(float)}, index=names)
    kinds = {f"person{who:02}": {"kind": ("expert", "naive")[who % 2]} for who in range(PEOPLE)}
    made = clean(table.sort_values("item", kind="stable"), truth, raters=kinds)
    words = {"human": 1.0, "synthetic": 0.0}
    found = made.dataset("answers_simulated", cite="Zanca2020", licence="CC0-1.0", about=SIMULATED)
    return replace(found, load=Load(made, words, "placeholder"))
