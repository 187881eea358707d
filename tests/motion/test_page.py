"""docs/motion.md: its tables come from runs, its commands work, and it names what it must."""

import importlib.util
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from beholder.motion.benchmarks.static import baselines, static
from beholder.motion.references import records
from beholder.spine.scores import Score, table

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "motion.md").read_text("utf-8")


@pytest.fixture(scope="module")
def generate():
    spec = importlib.util.spec_from_file_location("generate", DOCS / "generate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def row(model, value, *, role="model", criterion="bar", status="placeholder"):
    return Score(
        "motion/static", 2, model, role, "classical", "a", 0, "final_score", criterion, "higher", value, 0.1, 0.9, 1,
        "ok", "", status,
    )  # fmt: skip


def test_a_table_has_the_best_first_the_nulls_last_and_says_what_it_rests_on(generate):
    scores = table([row("worse", 0.2), row("null", 0.9, role="null"), row("better", 0.6)])
    lines = generate.baseline_table(static(models="none"), scores).splitlines()
    assert lines[0] == "| model | mean | bar |"
    assert [line.split(" | ")[0].strip("| ") for line in lines[2:5]] == ["`better`", "`worse`", "`null` (null)"]
    assert lines[2] == "| `better` | 0.60 [0.10, 0.90] | 0.60 [0.10, 0.90] |"
    assert "status of the references: placeholder" in lines[-1]
    assert "version 2, bed `classical` (20 stimuli" in lines[-1]


def test_only_what_stands_between_the_marks_is_replaced(generate, tmp_path, monkeypatch):
    monkeypatch.setattr(generate, "baselines", lambda name: f"numbers of {name}")
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- table a/b -->\nold\n<!-- end -->\nafter\n")
    expected = "before\n<!-- table a/b -->\n\nnumbers of a/b\n\n<!-- end -->\nafter\n"
    assert generate.with_tables(page) == expected
    page.write_text(expected)
    assert generate.with_tables(page) == expected


@pytest.mark.parametrize("name", ["motion/static", "motion/dynamic"])
def test_the_page_has_the_table_of_every_baseline(name):
    (found,) = re.findall(rf"<!-- table {name} -->(.*?)<!-- end -->", PAGE, re.DOTALL)
    named = set(re.findall(r"^\| `(\w+)`", found, re.MULTILINE))
    assert set(baselines()) | {"still", "vector_average", "random", "true_motion"} <= named, "run ./do docs"
    assert "status of the references" in found


def test_the_references_of_the_example_are_ours_to_override(tmp_path):
    (example,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    file = tmp_path / "mine.toml"
    file.write_text(example)
    (id,) = tomllib.loads(example)
    assert records(str(file))[id].status == "verified"
    assert id in records()


def test_the_functions_and_commands_of_the_page_work(tmp_path):
    (model,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "my.py").write_text(model)
    commands = [line for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL) for line in block.splitlines()]
    runs = [line.partition("#")[0].split()[1:] for line in commands if line.startswith("beholder run")]
    assert runs
    for words in runs:
        done = subprocess.run(
            [sys.executable, "-m", "beholder.cli", *words, "--dry-run"],
            cwd=tmp_path, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr


def test_the_pictures_are_there_and_small():
    pictures = re.findall(r"\]\((motion/\w+\.png)\)", PAGE)
    assert len(pictures) == 4
    assert all((DOCS / picture).stat().st_size < 150_000 for picture in pictures)
