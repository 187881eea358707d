"""Runs that something befalls: one small benchmark, always the same command, and the table of an undisturbed run."""

import csv
import os
import subprocess
import sys
import time
from pathlib import Path

import beholder as bh
from beholder.store.digest import digest
from beholder.store.runs import read_finished

COUNT = 24
DATASET = f"random_dots(count={COUNT},size=64)"
MODEL = """
import pathlib, time
import numpy as np
from beholder.store.digest import digest

def mine(pair):
    time.sleep(0.1)
    with open(pathlib.Path(__file__).with_name("calls"), "a") as log:  # one write: whole lines, whoever dies
        log.write(digest(pair) + "\\n")
    return np.full(pair.left.shape[:2], 4.0)
"""
ALWAYS = ("run", "stereo/dense", "--quiet", "--samples", "0", "--baselines", "none")


class Place:
    """A folder with a model that writes down whenever it is asked, a cache and temporary files of its own."""

    def __init__(self, root: Path, model: str = MODEL) -> None:
        self.root = root
        root.mkdir(parents=True, exist_ok=True)
        (root / "my.py").write_text(model)
        self.temporary = root / "tmp"
        self.temporary.mkdir(exist_ok=True)
        self.env = {**os.environ, "BEHOLDER_CACHE": str(root / "cache"), "TMPDIR": str(self.temporary)}

    def words(self, *more, out="out", dataset=DATASET, models=("mine",)):
        """The command."""
        who = [word for name in models for word in ("--model", f"my.py:{name}")]
        jobs = () if "--jobs" in more or "--engine" in more else ("--jobs", "2")
        return [sys.executable, "-m", "beholder.cli", *ALWAYS, "--dataset", dataset, *who, "--out", out, *jobs, *more]

    def start(self, *more, **how):
        """Begin a run."""
        return subprocess.Popen(
            self.words(*more, **how), cwd=self.root, env=self.env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )

    def run(self, *more, **how):
        """Run to the end: exit code and what was said."""
        running = self.start(*more, **how)
        said, _ = running.communicate(timeout=600)
        return running.returncode, said.decode()

    def scores(self, out="out"):
        """The table, byte for byte."""
        return (self.root / out / "scores.csv").read_bytes()

    def rows(self, out="out"):
        """The rows of single samples."""
        with (self.root / out / "scores.csv").open(encoding="utf-8") as file:
            return [row for row in csv.DictReader(file) if row["unit"] != "*"]

    def calls(self):
        """Which samples the model was asked, in order, by the digest of what it saw."""
        file = self.root / "calls"
        return file.read_text().splitlines() if file.exists() else []

    def finished(self, out="out"):
        """The samples of the model that the ledger holds, by digest."""
        own = [one.ids for (_, model), one in read_finished(self.root / out).items() if model == "mine"]
        known = seen()
        return {known[id] for ids in own for id in ids}


def seen():
    """The digest of each sample's stimulus."""
    if not SEEN:
        dataset = bh.load("stereo/dense", dataset=DATASET).dataset
        SEEN.update((id, digest(dataset.load(id).stimulus)) for id in dataset.ids)
    return SEEN


SEEN = {}


def until(true, seconds=60.0):
    """Wait until something is so."""
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(0.02)
