"""One file of the package adds a measure, a model, a dataset, a benchmark, a judge or a report; each works at once."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import beholder

DATASET = """
from beholder.core.sample import Dataset
from beholder.stereo.datasets.random_dots import random_dots

def tiny(count: int = 2) -> Dataset:
    \"\"\"Two small stereograms.\"\"\"
    made = random_dots(count=count, size=64)
    return Dataset("tiny", made.ids, made.load, cite="Julesz1960", licence="generated", content=made.content)
"""
MODEL = """
import numpy as np
from beholder.core.cite import source

@source("Julesz1960", family="local")
def threes(pair, *, level: float = 3.0):
    \"\"\"The same disparity everywhere.\"\"\"
    return np.full(pair.left.shape[:2], level)
"""
MEASURE = """
import numpy as np
from beholder.core.measure import measure

@measure(better="lower", bounds=(0, np.inf), cite="Scharstein2002", unit="px")
def worst(found, true):
    \"\"\"The largest error: max |d − d*|.\"\"\"
    return float(np.nanmax(np.abs(found - true)))
"""
BENCHMARK = """
from dataclasses import replace
from beholder.stereo.benchmarks.dense import dense

def sparse(dataset=None):
    \"\"\"Dense by another name.\"\"\"
    return replace(dense(dataset), name="stereo/sparse")
"""
CLOSED = """
from beholder.errors import NeedsDataset
from beholder.stereo.benchmarks.dense import dense

def closed(dataset=None, *, width: int = 3):
    \"\"\"A benchmark whose data cannot be shipped.\"\"\"
    if dataset is None:
        raise NeedsDataset("its pictures are not free; get them and give --dataset NAME:PATH")
    return dense(dataset)
"""
JUDGE = """
from beholder.core.verdict import Verdict
from beholder.verdicts.components import components

def coin(scores):
    \"\"\"Whoever comes first in the alphabet wins.\"\"\"
    values = components(scores).values
    best = sorted(values.index)[0]
    return Verdict("coin", (best,), values.mean(axis=1).to_frame("mean"), f"the coin says {best}")
"""
REPORT = """
def shout(sections):
    \"\"\"The verdicts, loudly.\"\"\"
    return "\\n".join(verdict.says.upper() for section in sections for verdict in section.verdicts)
"""
ENGINE = """
from concurrent.futures import ThreadPoolExecutor
from beholder.engines.from_executor import FromExecutor

def strands(jobs=1, *, timeout=None):
    \"\"\"Tasks in threads of this process.\"\"\"
    return FromExecutor(ThreadPoolExecutor(jobs))
"""
ADDED = {
    "stereo/datasets/tiny.py": DATASET,
    "stereo/models/threes.py": MODEL,
    "stereo/measures/largest.py": MEASURE,
    "stereo/benchmarks/sparse.py": BENCHMARK,
    "stereo/benchmarks/closed.py": CLOSED,
    "judges/coin.py": JUDGE,
    "reports/shout.py": REPORT,
    "engines/strands.py": ENGINE,
}


@pytest.fixture(scope="module")
def scratch(tmp_path_factory):
    """A copy of the package with nothing added; `add` adds one file and gives the runner of the command."""
    place = tmp_path_factory.mktemp("scratch")
    shutil.copytree(Path(beholder.__file__).parent, place / "beholder", ignore=shutil.ignore_patterns("__pycache__"))

    def command(*words):
        return subprocess.run(
            [sys.executable, "-m", "beholder.cli", *words], cwd=place, capture_output=True, text=True, check=False,
            env={**os.environ, "PYTHONPATH": str(place)}, timeout=120,
        )  # fmt: skip

    return place, command


@pytest.fixture(scope="module")
def added(scratch):
    place, command = scratch
    for path, text in ADDED.items():
        assert not (place / "beholder" / path).exists()
        (place / "beholder" / path).write_text(text)
    return command


def test_each_is_listed_at_once(added):
    kinds = ("benchmarks", "datasets", "models", "measures", "judges", "reports", "engines")
    listed = "".join(added("list", kind).stdout for kind in kinds)
    for word in ("tiny", "threes", "largest.worst", "sparse", "coin", "shout", "strands"):
        assert word in listed


def test_each_is_shown_at_once(added):
    for word in ("tiny", "threes", "worst", "stereo/sparse", "coin", "shout", "strands"):
        done = added("show", word)
        assert done.returncode == 0, done.stderr
    assert "level=3.0" in added("show", "threes").stdout
    assert "family    local" in added("show", "threes").stdout


@pytest.mark.slow
def test_all_of_them_work_together(added, scratch):
    place, _ = scratch
    done = added("run", "stereo/sparse", "--dataset", "tiny", "--model", "threes(level=4)", "--measure",
                 "largest.worst",
                 "--engine", "strands", "--out", "out", "--quiet")  # fmt: skip
    assert done.returncode == 0, done.stderr
    text = (place / "out" / "scores.csv").read_text()
    for word in ("stereo/sparse", "tiny", "threes(level=4)", "worst"):
        assert word in text
    told = added("report", "out", "--by", "coin", "--as", "shout")
    assert told.stdout.strip() == "THE COIN SAYS BLOCK"
    assert "Julesz" in added("cite", "out").stdout


@pytest.mark.slow
def test_a_benchmark_without_a_built_in_dataset_is_skipped_with_a_sentence(added):
    alone = added("run", "stereo/closed", "--dry-run")
    assert alone.returncode == 2
    assert "its pictures are not free" in alone.stderr
    every = added("run", "stereo", "--dry-run")
    assert every.returncode == 0, every.stderr
    assert "stereo/closed is skipped: its pictures are not free" in every.stderr
    assert "stereo/dense" in every.stdout
    given = added("run", "stereo/closed", "--dataset", "tiny", "--set", "width=5", "--dry-run")
    assert given.returncode == 0, given.stderr
