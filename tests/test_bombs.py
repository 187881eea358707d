"""Files that are small on the disk and huge when they are read are refused from their headers, in little memory."""

import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import beholder as bh
import bombs
from beholder.attention.types import Picture
from beholder.io import disparity
from beholder.motion.perceived import Scene
from beholder.motion.types import Movie
from beholder.stereo.types import Pair

MOST = 400  # MB above an idle process that refusing may take

# Each bomb, its name, and who reads it
BOMBS = [
    (bombs.npz, "a.npz", "io.disparity"),
    (bombs.npz, "b.npz", "motion.files.answers"),
    (bombs.npz, "c.npz", "attention.files.maps"),
    (bombs.npz_of_many, "many.npz", "attention.files.forecasts"),
    (bombs.npz_of_a_header, "header.npz", "motion.files.answers"),
    (bombs.npz_of_no_array, "notes.npz", "motion.benchmarks.perceived_flow"),
    (bombs.npz_of_a_million, "million.npz", "motion.files.answers"),
    (bombs.npz_of_bzip2, "bzip2.npz", "motion.files.answers"),
    (bombs.npy, "a.npy", "io.disparity"),
    (bombs.npy, "b.npy", "attention.files.paths"),
    (bombs.pfm, "a.pfm", "io.disparity"),
    (bombs.flo, "a.flo", "motion.benchmarks.perceived_flow"),
    (bombs.png, "a.png", "io.disparity"),
    (bombs.png, "b.png", "attention.files.maps"),
    (bombs.png_of_flow, "c.png", "io.flow"),
    (bombs.mat, "a.mat", "attention.files.maps"),
    (bombs.mat, "b.mat", "io.matlab"),
    (bombs.mat_of_a_cell, "cell.mat", "io.structs"),
    (bombs.hdf5, "c.mat", "io.structs"),
    (bombs.hdf5, "a.h5", "attention.files.maps"),
    (bombs.hdf5_of_a_chunk, "chunk.h5", "attention.files.maps"),
    (bombs.csv, "a.csv", "attention.files.paths"),
    (bombs.csv_of_gigabytes, "b.csv", "io.table"),
    (bombs.csv_of_columns, "columns.csv", "io.table"),
    (bombs.json, "a.json", "attention.files.paths"),
    (bombs.json, "b.json", "motion.percepts"),
    (bombs.nested_json, "nested.json", "stereo.benchmarks.published"),
    (bombs.film, "a.mov", "io.film"),
    (bombs.film, "b.mkv", "io.film"),  # which does not say how many frames it has
    (bombs.film_of_a_frame, "frame.mov", "io.film"),
]

# Reads each file, and tells what it said and the peak so far, in MB above what stood before the first.
READING = """
import importlib, json, re, sys
from pathlib import Path
from beholder.io.bounds import FLOOR
import beholder.cli

def peak():
    # ru_maxrss begins with that of the parent
    return int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) / 1e3

readers = {name: importlib.import_module(f"beholder.{name}").read for _, name in json.loads(sys.argv[1])}
idle, found = peak(), {}
for file, name in json.loads(sys.argv[1]):
    try:
        readers[name](Path(file), limit=FLOOR)
        said = "nothing"
    except ValueError as fault:
        said = str(fault)
    found[Path(file).name] = (said, peak() - idle)
print(json.dumps(found))
"""

# Runs the command, and tells its exit code and its peak in MB.
RUNNING = """
import resource, subprocess, sys
code = subprocess.run([sys.executable, "-m", "beholder.cli", *sys.argv[1:]]).returncode
print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e3)
"""


@pytest.fixture(scope="module")
def refusals(tmp_path_factory):
    place = tmp_path_factory.mktemp("bombs")
    for make, name, _ in BOMBS:
        make(place / name)
    asked = [(str(place / name), reader) for _, name, reader in BOMBS]
    done = subprocess.run([sys.executable, "-c", READING, json.dumps(asked)], check=False, capture_output=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", [name for _, name, _ in BOMBS])
def test_a_bomb_is_refused_by_its_name_and_in_little_memory(refusals, name):
    said, peak = refusals[name]
    assert name in said, said
    assert "; expected " in said or "np.savez" in said
    assert peak < MOST


def test_what_refusing_took_is_printed(refusals, capsys):
    with capsys.disabled():
        print("\nrefusing bombs, peak MB above idle so far:", *(f"{n} {peak:.0f}" for n, (_, peak) in refusals.items()))


def run(*words):
    done = subprocess.run([sys.executable, "-c", RUNNING, "run", *words], check=False, capture_output=True, text=True)
    code, peak = done.stdout.split()[-2:]
    return int(code), float(peak), done.stdout + done.stderr


def test_a_run_refuses_bombs_and_goes_on(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    dataset = "random_dots(count=2,size=64)"
    for model in ("fine", "npz", "png"):
        (tmp_path / model).mkdir()
        for id in ("rds0", "rds1"):
            disparity.write(np.full((64, 64), 4.0), tmp_path / model / f"{id}.pfm")
    for model in ("npz", "png"):
        (tmp_path / model / "rds1.pfm").unlink()
        getattr(bombs, model)(tmp_path / model / f"rds1.{model}")
    always = ("stereo/dense", "--dataset", dataset, "--samples", "0", "--quiet", "--jobs", "1")
    code, idle, told = run(*always, "--model", "fine=dir:fine", "--out", "idle")
    assert code == 0, told
    code, peak, told = run(*always, "--model", "npz=dir:npz", "--model", "png=dir:png", "--out", "bombed")
    assert code == 1, told
    with capsys.disabled():
        print(f"\na run with bombs: {peak - idle:.0f} MB above one without ({idle:.0f} MB)")
    assert peak - idle < MOST
    table = pd.read_csv("bombed/scores.csv")
    for model, held in (("npz", "float32 of 27386 x 27386, 6,000 MB"), ("png", "uint16 of 13000 x 13000, 1,352 MB")):
        rows = table[table["model"] == model]
        bombed = rows[rows["unit"] == "rds1"]
        assert set(bombed["state"]) == {"failed"}
        assert bombed["reason"].str.contains(f"{held} as float64; expected at most 67 MB; check", regex=False).all()
        assert set(rows[rows["unit"] == "rds0"]["state"]) == {"ok"}


def shown(*shape):
    """Grey levels of any size that take no memory."""
    return np.broadcast_to(np.uint8(0), shape)


PIXELS, FRAMES = 9000 * 9000, 50 * 300 * 400


@pytest.mark.parametrize(
    ("name", "stimulus", "numbers"),
    [
        ("stereo/dense", Pair(shown(9000, 9000), shown(9000, 9000), 64), PIXELS),
        ("attention/saliency", Picture(shown(9000, 9000)), 3 * PIXELS),  # a grey map in a coloured picture
        ("attention/conditional", Picture(shown(9000, 9000)), PIXELS),
        ("attention/scanpath", Picture(shown(100, 100)), 3 * 100_000),
        ("motion/static", Movie(shown(50, 300, 400), 100.0, 8.0), 64 * FRAMES),  # how likely are 64 velocities?
        ("motion/depth", Movie(shown(50, 300, 400), 100.0, 8.0), 2 * FRAMES),
        ("motion/perceived_flow", Scene(shown(50, 300, 400), 100.0, 8.0, points=np.zeros((1, 2))), 2 * FRAMES),
    ],
)
def test_whatever_may_be_answered_is_within_the_limit(name, stimulus, numbers):
    assert bh.load(name).files.limit(stimulus) >= 8 * numbers
