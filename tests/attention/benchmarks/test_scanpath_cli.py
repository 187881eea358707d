"""One command scores a folder of scanpaths: the table, the report, and a sentence for each file that is wrong."""

import json

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from attention_gallery import NAMES, bump, gallery, spot
from beholder.cli import app
from beholder.core.scores import labels
from beholder.errors import Misuse

pytestmark = pytest.mark.slow  # a whole run of the command

SHOWN = NAMES[:5]
DOTS, EDGE, FERN, GATE, HILL = SHOWN


def around(name, count=6):
    """A walk about the place that people look at."""
    return np.random.default_rng(5).normal(spot(name), 3, (count, 2))


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    root = tmp_path_factory.mktemp("run")
    dataset, walks, maps = gallery(root / "dataset", SHOWN), root / "walks", root / "maps"
    walks.mkdir()
    maps.mkdir()
    for name in SHOWN:
        np.save(maps / f"{name}.npy", bump(*spot(name)))
    rows = "\n".join(f"{x},{y},250" for x, y in around(DOTS))
    (walks / f"{DOTS}.csv").write_text(f"x,y,duration_ms\n{rows}\n", "utf-8")
    (walks / f"{EDGE}.json").write_text(json.dumps([around(EDGE).tolist(), around(EDGE).tolist()]), "utf-8")
    np.save(walks / f"{FERN}.npy", bump(*spot(FERN)))
    (walks / f"{GATE}.txt").write_text("x y\n999 999\n", "utf-8")
    mapped = f"mapped=wta_argmax(of='dir:{maps}',on='table:{dataset}',fixations=1)"
    words = [
        "run",
        "attention/scanpath",
        "--dataset",
        f"table:{dataset}",
        "--out",
        root / "out",
        "--samples",
        "1",
        "--repeats",
    ]
    models = ["--model", f"mine=dir:{walks}", "--model", mapped]
    done = CliRunner().invoke(app, [*map(str, words), "2", "--jobs", "1", *models])
    assert done.exit_code in (0, 1), done.exception
    rows = pd.read_csv(root / "out" / "scores.csv", keep_default_na=False)
    rows["value"] = pd.to_numeric(rows["value"], errors="coerce")
    return done, rows, root / "out"


def own(rows, model, measure):
    return rows[(rows["model"] == model) & (labels(rows) == measure)].set_index("unit")


def test_each_path_of_a_folder_is_read_and_scored(ran):
    mine = own(ran[1], "mine", "stde(norm=k)")
    assert (mine.loc[[DOTS, EDGE], "value"] > 0.85).all()
    assert mine.loc[EDGE, "repeat"].tolist() == [0, 1]


def test_what_is_wrong_is_said_with_the_name_of_the_file(ran):
    done, rows, _ = ran
    mine = own(rows, "mine", "scanmatch")
    assert f"{FERN}.npy: got a map of shape (48, 64)" in mine.loc[FERN, "reason"]
    assert "wta_lif(of=" in mine.loc[FERN, "reason"]
    assert f"{GATE}.txt: got 1 fixations, none inside the picture of 64 x 48 px" in mine.loc[GATE, "reason"]
    assert "no recorded answer" in mine.loc[HILL, "reason"]
    assert done.exit_code == 1
    assert "mine" in done.output


def test_a_folder_of_maps_walks(ran):
    mapped = own(ran[1], "mapped", "mannan.distance")
    assert set(own(ran[1], "mapped", "mannan")["state"]) <= {"ok", "low"}
    assert mapped["value"].mean() < own(ran[1], "uniform", "mannan.distance")["value"].mean() / 2


def test_all_others_are_complete(ran):
    _, rows, out = ran
    others = rows[rows["model"] != "mine"]
    assert not (others["state"] == "failed").any()
    assert {"people", "gravity", "wta_lif", "centre_stare", "shuffled_in_time"} <= set(others["model"])
    (entry,) = json.loads((out / "run.json").read_text("utf-8"))["benchmarks"]
    assert any("overview" in figure for figure in entry["figures"])
    assert "attention/scanpath" in (out / "report.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--set", "seconds=-2"], "got seconds=-2; expected above 0"),
        (["--set", "second=2"], "second"),
        (["--model", "mine=dir:nowhere"], "got dir:nowhere, which is not a folder"),
        (["--model", "gravitas"], "no model called 'gravitas'"),
        (["--measure", "string_edit.string_edits"], "string_edit"),
    ],
)
def test_wrong_words_are_misuse(tmp_path, words, said):
    done = CliRunner().invoke(app, ["run", "attention/scanpath", "--out", str(tmp_path / "out"), *words])
    assert isinstance(done.exception, Misuse)  # the program then ends with 2
    assert said in str(done.exception)
