"""The verbs, as a new user meets them; wrong input is a sentence, and exit code 2 in `main`."""

import csv
import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from beholder.cli import app
from beholder.errors import Misuse


def prompts(*words):
    done = CliRunner().invoke(app, ["video", "prompts", *map(str, words)])
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.output


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("prompts") / "set"
    said = prompts("make", "--candidates", 800, "--keep", 60, "--out", place, "--minimum", "hand-over=3")
    assert "800  candidates" in said
    assert "60  kept" in said
    assert str(place / "prompts.json") in said
    return place


def test_from_the_set_to_the_sheet_and_back(folder, tmp_path):
    sheet = tmp_path / "sheet.csv"
    assert "60 prompts to mark" in prompts("review", folder, "--out", sheet)
    rows = list(csv.DictReader(sheet.read_text("utf-8-sig").splitlines()))
    for at, row in enumerate(rows):
        row["verdict"] = "drop" if at % 10 == 0 else "keep"
    rows[1] |= {
        "verdict": "edit",
        "edited": "A dog runs over the wet grass and then turns around to look for its ball.",
    }
    with sheet.open("w", newline="") as file:
        out = csv.DictWriter(file, rows[0])
        out.writeheader()
        out.writerows(rows)
    said = prompts("final", folder, sheet, "--out", tmp_path / "final", "--keep", 48, "--minimum", "hand-over=2")
    assert "53 keep, 1 edit, 6 drop; 48 written" in said
    records = json.loads((tmp_path / "final" / "prompts.json").read_text())
    dropped = {row["prompt"] for row in rows if row["verdict"] == "drop"}
    assert len(records) == 48
    assert not dropped & {record["prompt"] for record in records}
    about = json.loads((tmp_path / "final" / "about.json").read_text())
    assert (about["sheets"], about["verdicts"]) == (["sheet.csv"], {"keep": 53, "edit": 1, "drop": 6})
    assert (about["kept"], about["seed"], about["minimum"]) == (48, 0, {"hand-over": 2})
    before = sheet.read_bytes()
    with pytest.raises(Misuse, match="may hold verdicts; expected another name, or --fresh"):
        prompts("review", folder, "--out", sheet)
    assert sheet.read_bytes() == before
    with pytest.raises(Misuse, match="where the prompts are that are read; expected another folder"):
        prompts("final", folder, sheet, "--out", folder)
    with pytest.raises(Misuse, match=r"hand-over: got .* short of 50"):
        prompts("final", folder, sheet, "--out", tmp_path / "f", "--minimum", "hand-over=50")


def test_a_set_is_not_overwritten_unless_fresh(folder, tmp_path, monkeypatch):
    place = tmp_path / "set"
    words = ("make", "--candidates", 300, "--keep", 12, "--out", place)
    prompts(*words, "--keep-candidates")
    (place / "notes.txt").write_text("mine")
    before = {path.name: path.read_bytes() for path in place.iterdir()}
    with pytest.raises(Misuse, match="which holds a set already"):
        prompts(*words, "--seed", 1)
    monkeypatch.setattr("beholder.video.prompts.figure.save", _fail)
    with pytest.raises(RuntimeError, match="no figure"):
        prompts(*words, "--seed", 1, "--fresh")
    assert {path.name: path.read_bytes() for path in place.iterdir()} == before  # whole or not at all
    assert [path.name for path in tmp_path.iterdir()] == ["set"]
    monkeypatch.undo()
    prompts(*words, "--seed", 1, "--fresh")
    assert (place / "prompts.json").read_bytes() != before["prompts.json"]
    assert {path.name for path in place.iterdir()} == set(before) - {"candidates.jsonl"}


def _fail(*_):
    raise RuntimeError("no figure")


def test_captions_of_a_table_are_tagged(tmp_path):
    (tmp_path / "mine.csv").write_text("id,caption\n1,A dog runs.\n2,Rain falls on the roof.\n")
    prompts("tag", tmp_path / "mine.csv", "--out", tmp_path / "tagged")
    records = json.loads((tmp_path / "tagged" / "prompts.json").read_text())
    assert [record["prompt"] for record in records] == ["A dog runs.", "Rain falls on the roof."]
    (tmp_path / "none.txt").write_text("\n")
    with pytest.raises(Misuse, match="got no prompt"):
        prompts("tag", tmp_path / "none.txt", "--out", tmp_path / "none")


def test_sets_side_by_side_and_other_styles(folder, tmp_path):
    (tmp_path / "mine.txt").write_text("A dog runs.\nRain falls on the roof.\n")
    figure = tmp_path / "figure.svg"
    said = prompts("count", f"ours={folder}", tmp_path / "mine.txt", "--figure", figure)
    assert "ours" in said
    assert "mine" in said
    assert figure.read_text().startswith("<?xml")
    prompts("tag", tmp_path / "mine.txt", "--out", tmp_path / "tagged", "--as", "vmbench,vbench")
    records = json.loads((tmp_path / "tagged" / "full_info.json").read_text())
    assert [record["pattern"] for record in records] == ["biological", "weather"]
    prompts("convert", tmp_path / "tagged" / "full_info.json", "--out", tmp_path / "back")
    assert json.loads((tmp_path / "back" / "prompts.json").read_text())[1]["pattern_by"] == "rules"


def test_words_of_your_own(tmp_path):
    (tmp_path / "captions.txt").write_text(
        "Two dogs run through the forest\nA horse galloping in a meadow, 4k\n/b/beach 3\n"
    )
    assert "3 lines" in prompts("extract", tmp_path / "captions.txt", "--out", tmp_path / "words")
    said = prompts(
        "make", "--vocabulary", tmp_path / "words", "--alone", "--candidates", 60, "--keep", 2, "--out", tmp_path / "o"
    )
    assert "2  kept" in said
    lines = (tmp_path / "o" / "prompts.txt").read_text().splitlines()
    assert all("dog" in line or "horse" in line for line in lines)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("make", "--alone", "--out", "o"), "got --alone without --vocabulary"),
        (("make", "--as", "csv", "--out", "o"), "got --as csv; expected vmbench or vbench"),
        (("make", "--use", "sing", "--out", "o"), "got --use sing"),
        (("make", "--use", "check", "--out", "o"), "got --use check without a language model"),
        (("make", "--minimum", "fish=3", "--out", "o"), "got the category 'fish'"),
        (("make", "--endpoint", "http://127.0.0.1:9/v1", "--out", "o"), "without a model"),
        (("make", "--vocabulary", "nowhere", "--out", "o"), "got nowhere without subjects.txt"),
        (("count", "nowhere"), "got nowhere without prompts"),
        (("count", "nowhere", "--figure", "f.xyz"), "got f.xyz; expected a figure's name that ends with .png"),
        (("make", "--out", __file__), "which is a file; expected a folder"),
        (("review", "nowhere", "--out", "s.csv"), "got nowhere without prompts"),
        (("extract", "nowhere.csv", "--out", "o"), "which is not a file"),
    ],
)
def test_wrong_input_is_a_sentence(words, sentence, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Misuse, match=sentence):
        prompts(*words)
    assert not (tmp_path / "o").exists()


def test_a_minimum_that_cannot_be_met_is_exit_code_2(tmp_path):
    words = ["video", "prompts", "make", "--candidates", "300", "--keep", "20", "--minimum", "weather=900", "-q"]
    done = subprocess.run(
        [sys.executable, "-m", "beholder.cli", *words, "--out", str(tmp_path / "o")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.startswith("beholder: weather: got ")
    assert not (tmp_path / "o").exists()
