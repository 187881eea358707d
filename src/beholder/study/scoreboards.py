"""Small published tables, systems × criteria, as score tables that judges read."""

from __future__ import annotations

from importlib import resources
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

from beholder.core.scores import Score, table
from beholder.errors import Misuse
from beholder.io import table as tables

if TYPE_CHECKING:
    import pandas as pd

PEOPLE = "people"
SUMMARY = "results/csv/summary/model_human_accuracies.csv"
PROTOCOL = {  # which of the training protocols are compared: readout on the same scenario, dynamics on all, readout B
    "Readout Train Data Type": "same",
    "Dynamics Training Dataset Type": "all",
    "Readout Type": "B",
}


def physion(path: Path) -> pd.DataFrame:
    """Accuracy of Physion's models in each scenario, the mean of their seeds, and people's (role ceiling).

    `path` is the folder of Physion's tables. Rows with readouts trained on the same scenario, dynamics trained on all,
    and readout B; units are the scenarios.
    """
    file = path / SUMMARY
    if not file.is_file():
        raise Misuse(f"got {path} without {SUMMARY}; expected the folder of Physion's tables")
    rows = tables.read(file)
    needed = [*PROTOCOL, "Model", "scenario", "model_correct", "human_correct"]
    if lacking := [name for name in needed if name not in rows]:
        raise Misuse(f"{file}: no column called {lacking[0]}; expected {', '.join(needed)}")
    for name, word in PROTOCOL.items():
        rows = rows[rows[name] == word]
    cells = rows.groupby(["Model", "scenario"])["model_correct"].agg(["mean", "size"]).reset_index()
    models = [
        _score("physion", model, scenario, "accuracy", value, n=n)
        for model, scenario, value, n in cells.itertuples(index=False)
    ]
    people = rows.groupby("scenario")["human_correct"].first()
    return table(
        models
        + [_score("physion", PEOPLE, str(name), "accuracy", value, role="ceiling") for name, value in people.items()]
    )


def vmbench() -> pd.DataFrame:
    """VMBench's leaderboard: five measures of six generators, per cent.

    Its printed average is left out: it is not the mean of the five for HunyuanVideo (63.4, not 64.34) and Wan2.1 (78.4,
    not 65.74).

    >>> vmbench().groupby("model")["value"].mean().round(2).to_dict()["Wan2.1"]
    65.74
    """
    import pandas as pd

    text = resources.files("beholder.study.data").joinpath("vmbench.csv").read_text("utf-8")
    rows = pd.read_csv(StringIO(text)).melt("model", var_name="measure")
    return table(
        _score("vmbench", model, "*", measure, value) for model, measure, value in rows.itertuples(index=False)
    )


def _score(
    board: str, model: str, unit: str, measure: str, value: float, *, n: int = 1, role: str = "baseline"
) -> Score:
    """One published number, of which more is better."""
    nan = float("nan")
    return Score(
        f"published/{board}", 1, model, role, board, unit, 0, measure, "", "", "all", "higher", float(value), nan, nan,
        int(n), "ok", "", "verified",
    )  # fmt: skip
