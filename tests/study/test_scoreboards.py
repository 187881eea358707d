"""Published tables, read and judged."""

import pytest

from beholder.errors import Misuse
from beholder.judges.mean_rank import mean_rank
from beholder.judges.pareto import pareto
from beholder.study.scoreboards import physion, vmbench
from study_files import physion_folder, write


def values(scores, role):
    rows = scores[scores["role"] == role]
    return {(row.model, row.unit): (round(row.value, 4), row.n) for row in rows.itertuples()}


def test_physion_takes_one_protocol_and_the_mean_of_seeds(tmp_path):
    scores = physion(physion_folder(tmp_path))
    assert values(scores, "baseline") == {
        ("DPI", "drop"): (0.7, 2), ("DPI", "towers"): (0.7, 2), ("SVG", "drop"): (0.5, 1), ("SVG", "towers"): (0.5, 1),
    }  # fmt: skip
    assert values(scores, "ceiling") == {("people", "drop"): (0.7, 1), ("people", "towers"): (0.8, 1)}
    write(tmp_path / "results/csv/summary/model_human_accuracies.csv", "scenario\ndrop\n")
    with pytest.raises(Misuse, match="no column called Readout Train Data Type"):
        physion(tmp_path)
    with pytest.raises(Misuse, match="expected the folder of Physion's tables"):
        physion(tmp_path / "none")


@pytest.mark.data
def test_the_real_physion(data):
    # data.md 3.16
    if not (data / "physion_tables").is_dir():
        pytest.skip("physion_tables is not here: set BEHOLDER_DATA")
    scores = physion(data / "physion_tables")
    people = {unit: value for (_, unit), (value, _) in values(scores, "ceiling").items()}
    assert people == {
        "clothiness": 0.6784, "collision": 0.8102, "containment": 0.767, "dominoes": 0.6943, "drop": 0.7456,
        "linking": 0.6447, "rollingsliding": 0.8705, "towers": 0.7649,
    }  # fmt: skip
    layers = pareto(scores, over="units", draws=0).standing["layer"]
    assert layers.groupby(layers).apply(lambda names: sorted(names.index)).to_dict() == {
        1: ["CSWM", "DPI", "GNS", "GNS-ransac"],
        2: ["DEITFrozenLSTM", "DEITFrozenMLP", "RPIN", "VGGFrozenLSTM", "VGGFrozenMLP"],
        3: ["OP3", "SVG"],
    }
    ranks = mean_rank(scores, ties="average").standing["mean_rank"]
    assert ranks.to_dict() == pytest.approx(
        {"DPI": 1.75, "GNS-ransac": 2.75, "GNS": 3.5, "DEITFrozenLSTM": 5.188, "DEITFrozenMLP": 5.938, "RPIN": 6.0,
         "VGGFrozenLSTM": 6.938, "CSWM": 7.25, "VGGFrozenMLP": 7.25, "SVG": 9.625, "OP3": 9.812}, abs=0.00051
    )  # fmt: skip


def test_vmbench():
    scores = vmbench()
    assert len(scores) == 30
    assert scores.groupby("model")["value"].mean().round(2).to_dict() == {
        "OpenSora-v1.2": 51.6, "Mochi 1": 53.26, "OpenSora-Plan-v1.3.0": 58.92, "CogVideoX-5B": 60.64,
        "HunyuanVideo": 64.34, "Wan2.1": 65.74,
    }  # fmt: skip
    standing = pareto(scores, over="units").standing
    assert standing["dominated_by"][standing["layer"] > 1].to_dict() == {"OpenSora-v1.2": "OpenSora-Plan-v1.3.0"}


@pytest.mark.data
def test_the_leaderboard_is_that_of_the_repository(data):
    file = data / "score_tables" / "vmbench" / "README.md"
    if not file.is_file():
        pytest.skip("score_tables is not here: set BEHOLDER_DATA")
    board = file.read_text("utf-8").partition("</div>")[0]  # its first table
    lines = [line for line in board.splitlines() if line.startswith("|")]
    head, *rows = [[cell.strip(" *") for cell in line.strip("|").split("|")] for line in lines if "---" not in line]
    printed = {(row[0], name): float(cell) for row in rows for name, cell in zip(head[2:], row[2:], strict=True)}
    assert {(row.model, row.measure): row.value for row in vmbench().itertuples()} == printed
