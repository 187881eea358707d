"""docs/reference/motion.md: its tables come from runs, its commands work, and it names what it must."""

import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

import flow_folders
from beholder.core.scores import Score, table
from beholder.motion.answers import Units
from beholder.motion.benchmarks import flow
from beholder.motion.benchmarks.beyond import QUICK
from beholder.motion.benchmarks.perceived_flow import LOOKING
from beholder.motion.benchmarks.static import baselines, static
from beholder.motion.datasets.diamonds import diamonds
from beholder.motion.references import records
from beholder.motion.types import motion
from beholder.registry.find import names

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "reference" / "motion.md").read_text("utf-8")


@pytest.fixture(scope="module")
def generate():
    import generate

    return generate


def row(model, value, *, role="model", criterion="bar", status="placeholder"):
    return Score(
        "motion/static", 2, model, role, "classical", "a", 0, "final_score", "", "", criterion, "higher", value,
        0.1, 0.9, 1, "ok", "", status,
    )  # fmt: skip


def test_a_table_has_the_best_first_the_nulls_last_and_says_what_it_rests_on(generate):
    scores = table([row("worse", 0.2), row("null", 0.9, role="blind"), row("better", 0.6)])
    lines = generate.baseline_table(static(models="none"), scores).splitlines()
    assert lines[0] == "| model | mean | bar |"
    assert [line.split(" | ")[0].strip("| ") for line in lines[2:5]] == ["`better`", "`worse`", "`null` (blind)"]
    assert lines[2] == "| `better` | 0.60 [0.10, 0.90] | 0.60 [0.10, 0.90] |"
    assert "status of the references: placeholder" in lines[-1]
    assert f"version {static(models='none').version}, dataset `classical` (21 stimuli" in lines[-1]


def test_intervals_end_where_their_measures_do(generate):
    far = [
        row("far", value)._replace(unit=unit, lo=np.nan, hi=np.nan)
        for unit, value in (("a", 1.0), ("b", 1.0), ("c", 0.0))
    ]
    line = generate.baseline_table(static(models="none"), table(far)).splitlines()[2]
    ends = [float(end) for pair in re.findall(r"\[(.*?), (.*?)\]", line) for end in pair]
    assert ends
    assert min(ends) >= 0
    assert max(ends) <= 1


def test_controls_stand_last_and_join_no_mean(generate):
    cells = [row("m", 0.6), row("m", 0.0, criterion="bar controls"), row("n", 0.5, role="blind")]
    lines = generate.baseline_table(static(models="none"), table(cells)).splitlines()
    assert lines[0] == "| model | mean | bar | bar controls |"
    assert lines[2] == "| `m` | 0.60 [0.10, 0.90] | 0.60 [0.10, 0.90] | 0.00 [0.10, 0.90] |"
    assert lines[3] == "| `n` (blind) | 0.50 | 0.50 [0.10, 0.90] | — |"
    assert "1 score held by every model" in lines[-1]


def test_only_what_stands_between_the_marks_of_a_table_is_replaced(generate, tmp_path, monkeypatch):
    monkeypatch.setattr(generate, "baselines", lambda name: f"numbers of {name}")
    page, other = tmp_path / "page.md", "<!-- table a/bc -->\nkept\n<!-- end -->\n"
    page.write_text(f"before\n<!-- table a/b -->\nold\n<!-- end -->\nbetween\n{other}after\n")
    expected = f"before\n<!-- table a/b -->\n\nnumbers of a/b\n\n<!-- end -->\nbetween\n{other}after\n"
    assert generate.tables(page) == ["a/b", "a/bc"]
    assert generate.with_table(page, "a/b") == expected
    page.write_text(expected)
    assert generate.with_table(page, "a/b") == expected


@pytest.mark.parametrize(
    ("words", "written"),
    [
        (["motion.md"], ["motion/static", "motion/depth"]),
        (["motion/depth"], ["motion/depth"]),
        (["stereo.md"], []),
    ],
)
def test_a_page_or_one_of_its_tables_can_be_written(generate, tmp_path, monkeypatch, words, written):
    page, ran, drawn = tmp_path / "motion.md", [], []
    page.write_text("".join(f"<!-- table {name} -->\n<!-- end -->\n" for name in ("motion/static", "motion/depth")))
    monkeypatch.setattr(generate, "HERE", tmp_path)
    monkeypatch.setattr(generate, "baselines", lambda name: ran.append(name) or "numbers")
    monkeypatch.setattr(generate, "DRAWN", [(("motion.md",), lambda: drawn.append("motion"))])
    monkeypatch.setattr(sys, "argv", ["generate.py", *words])
    generate.main()
    assert ran == written
    assert drawn == ["motion"] * (words == ["motion.md"])
    assert page.read_text().count("numbers") == len(written)


def test_every_benchmark_of_motion_has_its_section():
    own = re.findall(r"<!-- table (\S+) -->", PAGE)
    assert sorted(own) == sorted(f"motion/{name}" for name in names("motion.benchmarks"))


BLIND = {"still", "random"}
ROWS = {
    "motion/static": {*baselines(), *BLIND, "vector_average", "true_motion"},
    "motion/dynamic": {*baselines(), *BLIND, "vector_average", "true_motion"},
    "motion/beyond": {*QUICK, *BLIND, "vector_average", "true_motion", "lawful"},
    "motion/depth": {"one_eye", "owned_ends", *BLIND, "vector_average", "true_motion"},
    "motion/multistable": {"rivalry", "steady", "random", "lawful"},
    "motion/flow": {*flow.LOOKING, "still", "mean_flow", "truth"},
    "motion/perceived_flow": {*LOOKING, *BLIND, "another_movie", "truth", "slowed_truth", "people"},
}


@pytest.mark.parametrize("name", ROWS)
def test_the_page_has_the_table_of_every_baseline(name):
    (found,) = re.findall(rf"<!-- table {name} -->(.*?)<!-- end -->", PAGE, re.DOTALL)
    named = set(re.findall(r"^\| `(\w+)`", found, re.MULTILINE))
    assert ROWS[name] <= named, f"run ./do docs {name}"
    assert "status of the references" in found


def test_every_section_has_a_picture_of_its_stimuli_and_the_steps_of_its_scores():
    parts = re.split(r"^## ", PAGE, flags=re.MULTILINE)
    for name in ("beyond", "depth", "multistable", "perceived_flow", "flow"):
        (own,) = (part for part in parts if f"<!-- table motion/{name} -->" in part)
        before = own.partition("<!-- table")[0]
        assert "](../pictures/motion/" in before, name
        assert re.findall(r"^(\d)\. ", before, re.MULTILINE)[:3] == ["1", "2", "3"], name


def test_the_references_of_the_example_are_ours_to_override(tmp_path):
    (example,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    file = tmp_path / "mine.toml"
    file.write_text(example)
    (id,) = tomllib.loads(example)
    assert records(str(file))[id].status == "verified"
    assert id in records()


FOLDERS = {  # that the commands of the page name
    "KITTI": flow_folders.kitti_flow,
    "MPI-Sintel": flow_folders.sintel_flow,
    "spring": flow_folders.spring_flow,
    "my_folder": flow_folders.lab_pairs,
}


def test_the_functions_and_commands_of_the_page_work(tmp_path, capsys):
    model, units, reliability = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    movie = diamonds()[0].stimulus
    given = {"responses": lambda movie: np.ones((len(movie.seconds), 4))}
    given |= {"preferred": np.arange(4) * 90, "speeds": np.ones(4)}
    exec(units, given)
    assert isinstance(motion(given["population"](movie), movie), Units)
    exec(reliability, {})
    assert capsys.readouterr().out.startswith("Reliability(r=0.9")
    (tmp_path / "my.py").write_text(model)
    commands = [line for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL) for line in block.splitlines()]
    runs = [shlex.split(line, comments=True)[1:] for line in commands if line.startswith("beholder run")]
    runs = [words for words in runs if not any("PATH" in word for word in words)]
    for name, make in FOLDERS.items():
        make(tmp_path / name)
    assert len(runs) == 2 + len(FOLDERS)
    for words in runs:
        done = subprocess.run(
            [sys.executable, "-m", "beholder.cli", *words, "--dry-run"],
            cwd=tmp_path, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr


def test_the_pictures_are_there_and_small():
    pictures = re.findall(r"\]\(\.\./(pictures/motion/\w+\.png)\)", PAGE)
    assert len(pictures) == 9
    assert all((DOCS / picture).stat().st_size < 150_000 for picture in pictures)
