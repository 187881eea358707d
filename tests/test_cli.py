"""The command as a new user meets it: right input, and wrong input of every kind with its sentence and exit code."""

import csv
import json
import os
import shutil
import subprocess
import sys

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

import beholder as bh
import stereo_folders
from beholder.cli import app, running
from beholder.engines.progress import Silent
from beholder.errors import Terminated
from beholder.io import disparity

MODELS = """
import os, sys, time
import numpy as np

def fine(pair): return np.full(pair.left.shape[:2], 5.0)
def scaled(pair, *, by: float = 1.0): return fine(pair) * by
def wrong_shape(pair): return np.zeros((3, 3))
def wrong_type(pair): return np.full(pair.left.shape[:2], "near")
def all_nan(pair): return fine(pair) * np.nan
def none(pair): return None
def raises(pair): raise RuntimeError("no GPU here")
def exits(pair): sys.exit(7)
def dies(pair): os._exit(7)
def hangs(pair): time.sleep(60)
def prints(pair):
    for _ in range(100): print("x" * 1_000_000)
    return fine(pair)
def no_argument(): return 1
number = 3
"""
SMALL = ("--jobs", "1", "--dataset", "random_dots(count=2,size=64)", "--samples", "0", "--out", "out")


@pytest.fixture
def place(tmp_path):
    (tmp_path / "my.py").write_text(MODELS)
    (tmp_path / "broken.py").write_text("import nonsuch_module\ndef fine(pair): ...\n")
    (tmp_path / "syntax.py").write_text("def fine(pair:\n")
    (tmp_path / "datasets.py").write_text("def seven():\n    return 7\n")
    (tmp_path / "empty").mkdir()
    return tmp_path


@pytest.fixture
def beholder(place):
    def command(*words, **more):
        return subprocess.run(
            [sys.executable, "-m", "beholder.cli", *words], cwd=place, capture_output=True, text=True, check=False,
            timeout=120, env={**os.environ, **more},
        )  # fmt: skip

    return command


MISUSE = {
    "unknown verb": (("rum",), "No such command 'rum'. Did you mean 'run'? (see beholder --help)"),
    "unknown option": (("run", "--modle", "x"), "No such option: --modle"),
    "a number that is none": (("run", "stereo/dense", "--limit", "many"), "(see beholder run --help)"),
    "unknown benchmark": (("run", "stereo/dens"), "did you mean 'stereo/dense'?"),
    "unknown domain": (("run", "stero"), "did you mean 'stereo'?"),
    "unknown dataset": (("run", "stereo/dense", "--dataset", "random_dot"), "did you mean 'random_dots'?"),
    "unknown model": (("run", "stereo/dense", "--model", "sgm"), "did you mean 'sgbm'?"),
    "unknown measure": (("run", "stereo/dense", "--measure", "bad_pixel"), "did you mean 'disparity.bad_pixels'?"),
    "unknown setting of a dataset": (
        ("run", "stereo/dense", "--dataset", "random_dots(cont=2)"),
        "did you mean 'count'?",
    ),
    "unknown setting of a model": (("run", "stereo/dense", "--model", "block(windo=5)"), "did you mean 'window'?"),
    "unknown setting of a benchmark": (("run", "stereo/dense", "--set", "mode=facts"), "has no setting 'mode'"),
    "a setting without a value": (("run", "stereo/dense", "--set", "mode"), "expected key=value"),
    "settings that are no settings": (("run", "stereo/dense", "--model", "block(5)"), "expected key=value"),
    "code in a setting": (("run", "stereo/dense", "--model", "block(window=__import__('os'))"), "expected key=value"),
    "a dataset that takes no path": (
        ("run", "stereo/dense", "--dataset", "random_dots:here"),
        "it takes no path",
    ),
    "a dataset that is none": (
        ("run", "stereo/dense", "--dataset", "datasets.py:seven"),
        "expected a function that returns a Dataset",
    ),
    "missing file": (("run", "stereo/dense", *SMALL, "--model", "their.py:fine"), "their.py, which is not a file"),
    "missing function": (("run", "stereo/dense", *SMALL, "--model", "my.py:fin"), "did you mean 'fine'?"),
    "broken import": (("run", "stereo/dense", *SMALL, "--model", "broken.py:fine"), "No module named 'nonsuch_module'"),
    "syntax error": (("run", "stereo/dense", *SMALL, "--model", "syntax.py:fine"), "syntax.py is not a Python file"),
    "not a function": (("run", "stereo/dense", *SMALL, "--model", "my.py:number"), "expected a function"),
    "missing module": (("run", "stereo/dense", *SMALL, "--model", "nonsuch.mod:fn"), "no module called 'nonsuch'"),
    "missing folder": (("run", "stereo/dense", *SMALL, "--model", "dir:nowhere"), "nowhere, which is not a folder"),
    "empty folder": (("run", "stereo/dense", *SMALL, "--model", "dir:empty"), "expected files such as rds0.pfm"),
    "command without places": (("run", "stereo/dense", *SMALL, "--model", "cmd:true"), "expected {in} and {out}"),
    "missing log": (("run", "stereo/dense", *SMALL, "--model", "log:no.csv"), "no.csv, which is not a file"),
    "a model without a domain": (("run", "--model", "my.py:fine"), "expected: run DOMAIN --model"),
    "two models of one name": (
        ("run", "stereo/dense", *SMALL, "--model", "a=my.py:fine", "--model", "a=my.py:none"),
        "two models called 'a'",
    ),
    "an odd name": (
        ("run", "stereo/dense", *SMALL, "--model", "a/b=my.py:fine"),
        "no domain or benchmark is called 'a'",
    ),
    "a family of nobody": (("run", "stereo/dense", *SMALL, "--family", "locl"), "did you mean 'local'?"),
    "a report into nowhere": (("report", "empty", "--out", "no/x.html"), "holds no run.json"),
    "a blind name": (
        ("run", "stereo/dense", *SMALL, "--model", "flat=my.py:fine"),
        "two models called 'flat'",
    ),
    "unknown sample": (("run", "stereo/dense", "--only", "random_dots/rds99"), "has no sample 'random_dots/rds99'"),
    "no samples": (("run", "stereo/dense", "--limit", "0"), "expected 1 or more"),
    "no repeats": (("run", "stereo/dense", "--repeats", "0"), "expected 1 or more"),
    "start over and go on": (("run", "stereo/dense", "--fresh", "--resume"), "got --fresh and --resume; expected one"),
    "a slip in a dataset with its path": (("run", "stereo", "--dataset", "middlebry:/x"), "did you mean 'middlebury'?"),
    "no workers": (("run", "stereo/dense", "--jobs", "0"), "got --jobs 0; expected 1 to 1000"),
    "no memory": (("run", "stereo/dense", "--memory", "4", "--dry-run"), "got a memory limit of 4 B; expected 200 MB"),
    "unknown engine": (("run", "stereo/dense", "--engine", "abacus"), "there are dask, local, serial"),
    "unknown status": (("run", "stereo/dense", "--status", "verifed"), "did you mean 'verified'?"),
    "a reference that is not taken": (("run", "stereo/dense", "--reference", "my.toml"), "no setting 'reference'"),
    "a file as folder": (("run", "stereo/dense", *SMALL[:-1], "my.py"), "my.py is not a folder; choose another --out"),
    "runs of nothing": (("runs", "nope"), "got nope, which is no folder"),
    "report of nothing": (("report", "empty"), "holds no run.json"),
    "unknown view": (("report", "empty", "--as", "pdf"), "nothing called 'pdf' in reports"),
    "cite of nothing": (("cite", "nowhere"), "holds no run.json"),
    "show of nothing": (("show", "sgmb"), "did you mean 'sgbm'?"),
    "list of nothing": (("list", "stero"), "did you mean 'stereo'?"),
    "list of no kind": (("list", "stereo", "modles"), "did you mean 'models'?"),
    "list of two things": (("list", "judges", "models"), "expected a domain, a kind, or both"),
    "show of no word": (("show", "ceilling"), "did you mean 'ceiling'?"),
}


@pytest.mark.parametrize("kind", MISUSE)
def test_misuse_is_a_sentence_and_exit_code_2(beholder, kind):
    words, sentence = MISUSE[kind]
    done = beholder(*words)
    assert done.returncode == 2, done.stderr
    assert sentence in done.stderr, done.stderr
    assert "Traceback" not in done.stderr


FAULTS = {
    "wrong_shape": "answer refused: got a map of shape (3, 3); expected (64, 64)",
    "wrong_type": "answer refused: got a map of <U4",
    "none": "the model returned None",
    "raises": "RuntimeError: no GPU here (my.py, line",
    "exits": "the model called exit(7)",
    "dies": "the worker process exited with code 7",
    "hangs": "no answer within 4 s",
    "no_argument": "TypeError: no_argument() takes 0 positional arguments",
}


@pytest.mark.slow
def test_models_that_fail_are_rows_and_exit_code_1(beholder, place):
    chosen = [word for name in (*FAULTS, "all_nan", "prints") for word in ("--model", f"my.py:{name}")]
    done = beholder("run", "stereo/dense", *SMALL, "--timeout", "4", "--jobs", "2", "--quiet", *chosen)
    assert done.returncode == 1, done.stderr
    with (place / "out" / "scores.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["measure"] == "bad_pixels"]
    for name, reason in FAULTS.items():
        mine = [row for row in rows if row["model"] == name]
        assert len(mine) == 2 * 3
        assert all(row["state"] == "failed" and row["value"] == "nan" and reason in row["reason"] for row in mine), name
    for name, value in {"all_nan": "100.0", "block": None, "prints": None}.items():
        mine = [row for row in rows if row["model"] == name]
        assert all(row["state"] == "ok" and value in (None, row["value"]) for row in mine), name
    assert "failed: model raises, sample rds0: RuntimeError: no GPU here" in done.stderr
    assert len(beholder("report", "out").stdout.splitlines()) <= 40
    told = beholder("report", "out", "-v").stdout
    assert "raises" in told
    assert "no GPU here" in told


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A finished run with a model of every kind of spec."""
    place = tmp_path_factory.mktemp("run")
    (place / "my.py").write_text(MODELS)
    (place / "match.py").write_text(
        "import sys, json, numpy as np\nfrom pathlib import Path\nfrom beholder.io import disparity, image\n"
        "folder = Path(sys.argv[1])\nmeta = json.loads((folder / 'meta.json').read_text())\n"
        "left = image.read(folder / 'left.png')\n"
        "disparity.write(np.full(left.shape[:2], meta['max_disparity'] / 2), sys.argv[2])\n"
    )
    words = ["run", "stereo/dense", "--dataset", "random_dots(count=2,size=64)", "--out", "a", "--keep-answers",
             "--model", "mine=my.py:scaled(by=2)", "--model", "my:fine", "--model", "sgbm(mode=hh4)",
             "--model", f"prog=cmd:{sys.executable} match.py {{in}} {{out}}", "--measure", "disparity.rms",
             "--measure", "disparity.bad_pixels(delta=2)"]  # fmt: skip

    def command(*more):
        return subprocess.run([sys.executable, "-m", "beholder.cli", *more], cwd=place, capture_output=True, text=True,
                              check=False, timeout=120)  # fmt: skip

    first = command(*words)
    assert first.returncode == 0, first.stderr
    answers = next((place / "a" / "answers").glob("*/*"))
    second = command("run", "stereo/dense", "--dataset", "random_dots(count=2,size=64)", "--out", "b",
                     "--model", f"kept=dir:{answers / 'sgbm'}")  # fmt: skip
    assert second.returncode == 0, second.stderr
    return place, command, first


def rows_of(place, run):
    with (place / run / "scores.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def test_every_kind_of_model_spec(finished):
    place, _, _ = finished
    models = {row["model"]: row["role"] for row in rows_of(place, "a")}
    mine, ours = ["mine", "fine", "prog"], ["block", "sgbm", "sgbm(mode=hh4)"]  # ours, though one is named by --model
    blind = dict.fromkeys(["flat", "mean_disparity", "random"], "blind")
    assert models == {**dict.fromkeys(mine, "model"), **dict.fromkeys(ours, "baseline"), "truth": "oracle", **blind}
    by = {
        (r["model"], r["unit"]): r["value"]
        for r in rows_of(place, "b")
        if r["measure"] + r["criterion"] == "bad_pixelsall"
    }
    assert by["kept", "rds0"] == by["sgbm", "rds0"]  # kept answers score as the model did


def test_measures_asked_for_are_beside_the_official_ones(finished):
    place, _, _ = finished
    entry = json.loads((place / "a" / "run.json").read_text())["benchmarks"][0]
    assert entry["official"] == ["bad_pixels"]
    names = {(row["measure"], row["settings"]) for row in rows_of(place, "a")}
    assert names == {("bad_pixels", ""), ("mae", ""), ("rms", ""), ("bad_pixels", "delta=2")}


def test_the_record_says_what_was_done(finished):
    place, _, _ = finished
    facts = json.loads((place / "a" / "run.json").read_text())
    assert facts["state"] == "finished"
    assert facts["seed"] == 0
    assert facts["versions"]["numpy"]
    entry = facts["benchmarks"][0]
    assert entry["datasets"][0]["fingerprint"]
    assert entry["failed"] == 0
    assert {m["name"]: m["spec"] for m in entry["models"]}["mine"] == "my.py:scaled(by=2)"
    assert all(m["seconds"] >= 0 for m in entry["models"])
    assert entry["counts"]["ok"] == len(rows_of(place, "a"))


def test_the_run_ends_with_the_path_of_the_page_and_pictures(finished):
    place, _, first = finished
    assert first.stdout.rstrip().endswith("The whole: beholder report a -v\nReport: a/report.html")
    assert len((first.stdout + first.stderr).splitlines()) <= 40
    page = (place / "a" / "report.html").read_text()
    assert page.count("figures/stereo_dense/random_dots/rds") >= 2
    assert len(list((place / "a" / "figures").glob("*/*/*.webp"))) == 2


@pytest.mark.parametrize("view", ["terminal", "markdown", "csv", "json"])
def test_every_view(finished, view):
    _, command, _ = finished
    done = command("report", "a", "--as", view, "--by", "mean_rank,pareto")
    assert done.returncode == 0, done.stderr
    assert "sgbm(mode=hh4)" in done.stdout


def test_runs_join_in_one_report(finished):
    _, command, _ = finished
    done = command("report", "a", "b", "--as", "json")
    assert done.returncode == 0, done.stderr
    (section,) = json.loads(done.stdout)["sections"]
    assert {"kept", "prog"} <= {line["model"] for line in section["summary"]}


def test_citations_of_everything_used(finished):
    _, command, _ = finished
    text = command("cite", "a").stdout
    for key in ("Julesz1960", "Scharstein2002", "Hirschmuller2008", "Konolige1998", "Cabezas2011", "Efron1979"):
        assert f"{{{key}," in text


def test_list_show_runs_cache(finished):
    _, command, _ = finished
    assert "dense" in command("list", "stereo").stdout
    shown = command("show", "stereo/dense").stdout
    assert "bad_pixels" in shown
    assert "blind     flat, mean_disparity, random" in shown
    assert "lower is better" in command("show", "bad_pixels").stdout
    listed = command("runs", ".").stdout
    assert listed.splitlines()[0].split() == ["state", "failed", "size", "began", "folder"]
    assert "done" in listed
    assert command("runs").stdout == "there is no run below runs\n"  # and no such folder: nothing was run yet
    assert "B in" in command("cache").stdout
    assert command("cache", "--trim", "1kB").stdout.startswith("dropped ")


def test_dry_run_and_save_stimuli(finished):
    place, command, _ = finished
    told = command("run", "stereo/dense", "--dataset", "random_dots(count=3,size=64)", "--dry-run").stdout
    assert "3 samples × 6 (2 baseline, 1 oracle, 3 blind)" in told
    assert "trials  18" in told
    command("run", "stereo/dense", "--dataset", "random_dots(count=3,size=64)", "--save-stimuli", "shown")
    shown = sorted(p.name for p in (place / "shown" / "random_dots" / "rds1").iterdir())
    assert shown == ["left.png", "meta.json", "right.png"]


def test_what_is_missing_or_not_used_is_said_when_a_run_starts_and_in_its_report(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    scenes = stereo_folders.middlebury_v2_folder(tmp_path / "scenes")
    shutil.copytree(scenes / "teddy", scenes / "venus")
    next((scenes / "venus").glob("disp2.*")).unlink()
    answers = tmp_path / "mine"
    answers.mkdir()
    for name in ("teddy.pfm", "teddy.npy", "veddy.pfm"):
        disparity.write(np.full(stereo_folders.SHAPE, 5, np.float32), answers / name)
    words = ["run", "stereo/dense", "--dataset", f"middlebury:{scenes}", "--model", f"dir:{answers}", "--samples", "0"]
    words += ["--engine", "serial", "-v"]
    said = (
        "dataset middlebury_v2: 1 scene is incomplete, and left out: venus (no true disparity)",
        "model mine: 1 file is unused, because no sample of middlebury_v2 has that name: veddy.pfm",
        "model mine: 1 sample is present in several formats; taken: teddy.pfm (not teddy.npy)",
    )
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    assert all(sentence in done.stderr.splitlines() for sentence in said)
    shown = " ".join(done.stdout.split())
    page = next(tmp_path.glob("runs/*/report.html")).read_text()
    assert all(sentence[1:] in text for sentence in said for text in (shown, page))
    short = CliRunner().invoke(app, words[:-1])
    assert said[0] in short.stderr.splitlines()  # what was left out is never folded away
    assert "2 further remarks (-v shows them whole): model mine" in short.stderr.splitlines()
    again = CliRunner().invoke(app, [*words, "--quiet"])
    assert (again.stderr, again.exit_code) == ("", 0)


def test_all_cores_work_unless_told_otherwise(monkeypatch):
    words = ["run", "stereo/dense", "--dataset", "random_dots(count=1,size=64)", "--dry-run"]
    monkeypatch.setattr(running, "cores", lambda: 7)
    assert "7 workers" in CliRunner().invoke(app, words).stdout
    assert "2 workers" in CliRunner().invoke(app, [*words, "--jobs", "2"]).stdout


OTHER = """
from dataclasses import replace
from beholder.stereo.datasets.random_dots import random_dots

def other():
    return replace(random_dots(count=2, size=64, seed=5), name="other")
"""


def test_two_datasets_are_joined_by_dataset_and_pooled(beholder, place):
    (place / "datasets2.py").write_text(OTHER)
    done = beholder("run", "stereo/dense", *SMALL, "--dataset", "datasets2.py:other", "-q")
    assert done.returncode == 0, done.stderr
    told = beholder("report", "out", "--as", "markdown").stdout
    assert "On random_dots alone" in told
    assert "On other alone" in told


def test_interrupt_loses_nothing(beholder, place):
    import signal
    import time

    words = [sys.executable, "-m", "beholder.cli", "run", "stereo/dense", *SMALL, "--model", "my.py:hangs"]

    def as_in_a_terminal():  # a shell's background jobs ignore interrupts, and their children too
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    running = subprocess.Popen(words, cwd=place, stderr=subprocess.PIPE, text=True, preexec_fn=as_in_a_terminal)  # noqa: PLW1509
    while not (place / "out" / "ledger.sqlite").exists() and running.poll() is None:
        time.sleep(0.1)
    time.sleep(4)
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=30)
    assert running.returncode == 130
    assert "the same command goes on" in said


def test_a_run_that_is_terminated_says_how_to_go_on(capsys):
    def ends(pair):
        raise Terminated

    with pytest.raises(typer.Exit) as end, running._telling_how_to_go_on(Silent()):
        bh.run(bh.load("stereo/dense", limit=1), {"mine": ends}, jobs=0)  # no row of the model's
    assert end.value.exit_code == 143
    assert "the same command goes on" in capsys.readouterr().err


def test_without_words_the_help_stands_once_and_flags_take_no_value(beholder):
    done = beholder(COLUMNS="80")
    assert done.returncode == 2
    assert (done.stdout + done.stderr).count("Usage:") == 1
    assert "<bool>" not in done.stdout
    assert "--help" in done.stdout
