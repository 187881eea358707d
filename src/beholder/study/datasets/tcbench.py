"""TC-Bench: people answer two questions on each video of five image-to-video generators."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from beholder.core.cite import source
from beholder.core.sample import Dataset, remark
from beholder.errors import Misuse
from beholder.study.datasets import _files
from beholder.study.ratings import Item, Opinion, Ratings, clean

if TYPE_CHECKING:
    import pandas as pd

HUMAN = "eval_results/human_eval/i2v/human_scores_all.json"
METRICS = ("eval_results/*_eval/i2v/*.json", "eval_results/i2v_consistency/*/i2v/*.json")
ABOUT = (
    "Videos that five generators made from a first picture and a prompt; three people answered two questions about "
    "each, from 1 to 5. It is not documented which question is which, nor whether the same three people answered "
    "throughout."
)


@source("Feng2024")
def tcbench(path: Path) -> Dataset[Item, Opinion]:
    """The folder of TC-Bench with human_scores_all.json and the metrics' files for image to video.

    An item is generator/prompt-seed; its group is the prompt. Dimensions: question_1, question_2. Raters are known only
    by their position. Measures without a value for some rated video are left out. Of GPT-4's answers (gpt_eval, only in
    the whole set) the measure `gpt` is the share of assertions about a video that it affirmed.
    """
    root = _files.folder(path, "the folder of TC-Bench, with eval_results")
    table, ragged = _opinions(root / HUMAN)
    columns, remarks = _measures(root, list(table["item"].unique()))
    made = clean(table, columns)
    said = (*made.remarks, *remark(ragged, "item", "rated by fewer people than the others"), *remarks)
    return Ratings(made.table, made.columns, remarks=said).dataset(
        "tcbench", cite="Feng2024", licence="MIT", about=ABOUT
    )


def _opinions(file: Path) -> tuple[pd.DataFrame, list[str]]:
    """The ratings in {generator_prompt-seed: [[first question, by rater], [second]]}, and which have fewer raters."""
    import pandas as pd

    rows: list[tuple[str, str, str, str, str, Any]] = []
    raters: dict[str, int] = {}
    for key, answers in _files.read_mapping(file, "{generator_prompt-seed: [[ratings], [ratings]]}").items():
        name = re.fullmatch(r"(.+)_(\d+)-(\d+)", key)
        if name is None or not isinstance(answers, list) or not all(isinstance(each, list) for each in answers):
            raise Misuse(f"{file}: got {key!r}: {str(answers)[:40]}; expected generator_prompt-seed: [[ratings], …]")
        system, prompt, seed = name.groups()
        id = f"{system}/{prompt}-{seed}"
        raters[id] = min(map(len, answers), default=0)
        rows += [
            (id, system, prompt, f"question_{question}", f"rater_{place}", value)
            for question, given in enumerate(answers, 1)
            for place, value in enumerate(given, 1)
        ]
    most = max(raters.values(), default=0)
    table = pd.DataFrame(rows, columns=["item", "system", "group", "dimension", "rater", "value"])
    return table, [id for id, many in raters.items() if many < most]


def _measures(root: Path, items: list[str]) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """What every metric says of the rated videos; metrics that lack some are left out."""
    import pandas as pd

    found: dict[str, dict[str, float]] = {}
    for file in sorted(file for pattern in METRICS for file in root.glob(pattern) if "human_eval" not in file.parts):
        metric = file.parent.parent.name.removesuffix("_eval")
        values = _files.read_mapping(file, "{prompt-seed: number}")
        found.setdefault(metric, {}).update({f"{file.stem}/{key}": _value(said) for key, said in values.items()})
    whole = {name: by for name, by in found.items() if all(math.isfinite(by.get(id, math.nan)) for id in items)}
    unrated = sorted({id for by in whole.values() for id in by} - set(items))
    columns = pd.DataFrame({name: [by[id] for id in items] for name, by in whole.items()}, index=items)
    return columns, (
        *remark(
            sorted(found.keys() - whole.keys()),
            "measure",
            "without a value for some rated video, so left out",
        ),
        *remark(unrated, "video", "measured but not rated"),
    )


def _value(said: Any) -> float:
    """A number, or the share of assertions that hold: a list of {question, correct: 0 or 1}.

    >>> _value([{"question": "Is it pink?", "correct": 1}, {"question": "Is it green?", "correct": 0}])
    0.5
    """
    if not isinstance(said, list):
        return float(said)
    return sum(float(one["correct"]) for one in said) / len(said) if said else math.nan
