"""One command scores a folder of maps: the table, the report, and a sentence for each file that is wrong."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from PIL import Image
from typer.testing import CliRunner

from attention_gallery import NAMES, SHAPE, bump, gallery, spot
from beholder.cli import app
from beholder.core.scores import labels
from beholder.errors import Misuse

pytestmark = pytest.mark.slow  # whole runs

DOTS, EDGE, FERN, GATE, HILL, IVY, JAR = NAMES


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    root = tmp_path_factory.mktemp("run")
    dataset, maps, whole = gallery(root / "dataset"), root / "maps", root / "whole"
    maps.mkdir()
    whole.mkdir()
    for name in NAMES:
        np.save(whole / f"{name}.npy", bump(*spot(name)))
    np.save(maps / f"{DOTS}.npy", bump(*spot(DOTS)))
    Image.fromarray((255 * bump(*spot(EDGE))).astype(np.uint8)).save(maps / f"{EDGE}.png")
    Image.fromarray((65535 * bump(*spot(FERN))).astype(np.uint16)).save(maps / f"{FERN}.png")
    np.save(maps / f"{GATE}.npy", np.full(SHAPE, 7.0))
    np.save(maps / f"{HILL}.npy", bump(*spot(HILL))[:, :-1])
    np.save(maps / f"{IVY}.npy", np.where(bump(*spot(IVY)) > 0.5, np.nan, 0.0))
    words = [
        "run",
        "attention/saliency",
        "--dataset",
        f"table:{dataset}",
        "--model",
        f"mine=dir:{maps}",
        "--model",
        f"whole=dir:{whole}",
        "--measure",
        "histogram.other_pictures_kl",
        "--out",
        root / "out",
    ]
    done = CliRunner().invoke(app, [*map(str, words), "--set", "parts=false", "--samples", "1", "--jobs", "1"])
    assert done.exit_code in (0, 1), done.exception
    rows = pd.read_csv(root / "out" / "scores.csv", keep_default_na=False)
    rows["value"] = pd.to_numeric(rows["value"], errors="coerce")
    return done, rows, root / "out"


def mine(rows, measure="nss(preset=beholder)"):
    return rows[(rows["model"] == "mine") & (labels(rows) == measure)].set_index("unit")


def test_maps_of_eight_and_sixteen_bits_and_numbers_score_alike(ran):
    own = mine(ran[1])
    assert set(own.loc[[DOTS, EDGE, FERN, GATE], "state"]) == {"ok"}
    assert (own.loc[[DOTS, EDGE, FERN], "value"] > 1.5).all()
    assert own.loc[GATE, "value"] == 0  # constant: chance
    assert mine(ran[1], "auc(preset=beholder)").loc[GATE, "value"] == 0.5


def test_what_is_wrong_is_said_with_the_name_of_the_file(ran):
    done, rows, _ = ran
    own = mine(rows)
    assert f"{HILL}.npy: got a map of shape (48, 63); expected (48, 64)" in own.loc[HILL, "reason"]
    assert re.search(rf"{IVY}\.npy: got \d+ of 3072 values that are not finite", own.loc[IVY, "reason"])
    assert "no recorded answer" in own.loc[JAR, "reason"]
    assert done.exit_code == 1
    assert "mine" in done.output


def test_the_others_are_complete_and_people_are_above_the_blind(ran):
    _, rows, out = ran
    others = rows[rows["model"] != "mine"]
    assert not (others["state"] == "failed").any()
    nss = others[labels(others) == "nss(preset=beholder)"].groupby("model")["value"].mean()
    assert nss["people"] > nss[["centre", "uniform", "centre_bias", "another_picture"]].max()
    facts = json.loads((out / "run.json").read_text("utf-8"))
    (entry,) = facts["benchmarks"]
    assert any("overview" in figure for figure in entry["figures"])


def test_a_measure_that_is_named_is_added(ran):
    _, rows, _ = ran
    own = rows[labels(rows) == "other_pictures_kl"].set_index("model")
    assert (own["unit"] == "*").all()
    assert set(own.loc[["whole", "people", "centre"], "state"]) == {"ok"}
    assert own.loc["whole", "value"] > 5 * own.loc["centre", "value"]
    lo, hi = (float(own.loc["whole", end]) for end in ("lo", "hi"))
    assert lo <= own.loc["whole", "value"] <= hi
    assert "other_pictures_kl" in CliRunner().invoke(app, ["report", str(ran[2]), "-v"]).output


def test_the_report_shows_the_pictures(ran):
    page = (ran[2] / "report.html").read_text("utf-8")
    assert "attention/saliency" in page
    assert page.count("<img") >= 3


def test_a_setting_that_does_not_exist_is_misuse(tmp_path):
    done = CliRunner().invoke(app, ["run", "attention/saliency", "--set", "preset=tubingen", "--out", str(tmp_path)])
    assert isinstance(done.exception, Misuse)  # the program then ends with 2
    assert "did you mean 'tuebingen'" in str(done.exception)
