"""What a whole evaluation the size of MIT1003 costs, projected from a part: 8 models, 15 observers, all measures.

The part are two photographs of 768 × 1024 px with fifteen observers of seven fixations each, drawn at random, and as
many controls as MIT1003 has (104,171 fixations). To them is done all that `attention/saliency` does: every observer is
held out in turn, for eight models, blind ones and people, whose gold standard is made anew each time. CPU time of
one thread; the models' maps are made before, timed apart, and then found in the cache.

Then the whole evaluation of one map beside pysaliency doing the same (see attention_measures.py): AUC, shuffled AUC and
NSS of fifteen observers in turn, and CC, KL and SIM with the smooth map of each half of them. The peer is asked
observer by observer, and as its best user would ask it: all fixations at once, averaged by observer.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is loaded: CPU time of one thread

import json
import platform
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from skimage import data as photographs

import attention_measures
from beholder.attention.benchmarks.saliency import saliency
from beholder.attention.measures.auc import auc, sauc
from beholder.attention.measures.maps import cc, kl, sim
from beholder.attention.measures.nss import nss
from beholder.attention.people.smooth_maps import blur_of, halves, smooth_map
from beholder.attention.readouts import Surface, surface
from beholder.attention.types import Controls, Lookers, Picture, scanpath
from beholder.core.benchmark import Benchmark, Figures, Lineup, Unjudged
from beholder.core.measure import Measure, card
from beholder.core.sample import Dataset, Sample
from beholder.evaluation.run import run
from beholder.registry.find import find, names

SHAPE, OBSERVERS, FIXATIONS = (768, 1024), 15, 7  # of MIT1003; its mean is 6.92 fixations a trial
PICTURES, CONTROLS = 1003, 104_171
PHOTOGRAPHS = ("coffee", "chelsea")
MAPS = 6  # beside the peer, which takes a second and a half for each
MODELS = ("itti", "gbvs", "image_signature", "spectral_residual", "fine_grained", "covsal", "bms", "lemeur_like")


def sample(id: str) -> Sample[Picture, Lookers]:
    """A photograph and who looked at it."""
    rng = np.random.default_rng(PHOTOGRAPHS.index(id))
    pixels = cv2.resize(getattr(photographs, id)(), SHAPE[::-1])
    points = rng.random((OBSERVERS, FIXATIONS, 2)) * SHAPE[::-1]
    onsets = 400.0 * np.arange(FIXATIONS)
    paths = {f"{who}": scanpath(*path.T, onset_ms=onsets) for who, path in enumerate(points)}
    return Sample(id, Picture(pixels, 35.0), Lookers(paths, SHAPE, 35.0, replace(controls())))


@cache
def controls() -> Controls:
    """Fixations of other pictures, around the middle."""
    rng = np.random.default_rng(0)
    around = rng.normal(0.5, 0.2, (CONTROLS, 2)).clip(0, 0.999) * SHAPE[::-1]
    who, where = rng.integers(0, OBSERVERS, CONTROLS), rng.integers(0, PICTURES, CONTROLS)
    return Controls(around, who.astype(str), rng.random(CONTROLS) * 3000, where.astype(str))


def remaining(bench: Benchmark) -> list[Measure]:
    """Measures of maps and densities that the benchmark does not have yet."""
    there = {card(of).name for of in bench.all_measures}
    every = [find("attention.measures", name) for name in names("attention.measures")]
    return [of for of in every if card(of).reads is surface and card(of).name not in there]


def bound(*, parts: bool = False) -> Benchmark:
    """The benchmark with eight models, without figures."""
    bench = saliency(Dataset("photographs", PHOTOGRAPHS, sample), parts=parts)
    brought = {name: bench.provide("baseline", name) for name in MODELS}
    return replace(bench, lineup=bench.lineup._replace(baselines=brought), figures=Figures())


def spent(bench: Benchmark) -> float:
    """CPU seconds of a run a picture."""
    start = time.process_time()
    scores = run(bench, jobs=0)
    failed = scores[scores["state"] == "failed"]
    if len(failed):
        raise RuntimeError(f"got {len(failed)} failed scores, as {failed.iloc[0]['reason']}; expected none")
    return (time.process_time() - start) / len(PHOTOGRAPHS)


def of_models() -> float:
    """CPU seconds of the models alone a picture, after a first call."""
    models, shown = [find("attention.models", name) for name in MODELS], [sample(id).stimulus for id in PHOTOGRAPHS]
    [model(shown[0]) for model in models]
    start = time.process_time()
    for picture in shown:
        for model in models:
            model(picture)
    return (time.process_time() - start) / len(PHOTOGRAPHS)


def whole(folder: Path, at: int) -> attention_measures.Ways:
    """Everything of one map, as calls without arguments."""
    shown = np.array(np.load(folder / "maps.npy", mmap_mode="r")[at])
    points = np.load(folder / "points.npy")

    def evaluated(here: Lookers) -> list[float]:
        found = Surface(shown)
        held = [here.only(who) for who in here.paths]
        alone = [[measure(found, one).value for measure in (auc, sauc, nss)] for one in held]
        return [*np.mean(alone, axis=0), *(measure(found, here, of="halves").value for measure in (cc, kl, sim))]

    first, second, third = (attention_measures.lookers(points, at) for _ in range(3))
    for half in halves(third):  # people's maps, for the last of the three
        smooth_map(half, blur_of(half))
    return {
        "observer by observer": lambda: evaluated(first),
        "all fixations at once": lambda: evaluated(second),
        "the same, people's maps given": lambda: evaluated(third),
    }


def beside_the_peer(count: int) -> None:
    """Print the table of whole evaluations."""
    with tempfile.TemporaryDirectory() as place:
        attention_measures.inputs(Path(place), count)
        try:
            ours, theirs = attention_measures.in_turn(Path(place), count, whole, "whole")
        except (OSError, subprocess.CalledProcessError, json.JSONDecodeError) as problem:
            print(f"not compared: pysaliency does not run here ({problem})")
            return
    print(f"A whole map beside pysaliency {theirs[0]['versions']['pysaliency']}, least of {len(ours)} passes:\n")
    print("| how the peer is asked | ours, CPU ms a map | pysaliency | times faster | values apart, at most |")
    print("|---|---|---|---|---|")
    for name in ours[0]["spent"]:
        mine, its = (1e3 * min(one["spent"][name] for one in passes) / count for passes in (ours, theirs))
        apart = np.abs(np.subtract(ours[0]["values"][name], theirs[0]["values"][name])).max()
        print(f"| {name} | {mine:.1f} | {its:.1f} | {its / mine:.1f} | {apart:.0e} |")


def main() -> None:
    cv2.setNumThreads(1)
    plain, parted = bound(), bound(parts=True)
    every = plain.with_measures(*remaining(plain))
    with tempfile.TemporaryDirectory() as place:
        os.environ["BEHOLDER_CACHE"] = place
        spent(
            replace(plain, measures=plain.measures[:1], unjudged=Unjudged(), lineup=Lineup(plain.lineup.baselines))
        )  # fills the cache
        times = {
            f"{len(MODELS)} models alone": of_models(),
            f"the {_count(plain)} measures of `attention/saliency`": spent(plain),
            f"the same with its {len(parted.unjudged.criteria)} parts of looking": spent(parted),
            f"every measure there is, {_count(every)}": spent(every),
        }
    print(f"# A whole evaluation ({platform.machine()}, Python {platform.python_version()}, numpy {np.__version__})\n")
    print(
        f"{len(MODELS)} models, people, blind models; {OBSERVERS} observers held out in turn; "
        f"{SHAPE[0]} × {SHAPE[1]} px; {CONTROLS:,} controls a picture; measured on "
        f"{len(PHOTOGRAPHS)} pictures, one thread.\n"
    )
    print(f"| | CPU s a picture | projected to {PICTURES:,} pictures, CPU hours |")
    print("|---|---|---|")
    for name, seconds in times.items():
        print(f"| {name} | {seconds:.2f} | {seconds * PICTURES / 3600:.2f} |")
    print()
    beside_the_peer(int(sys.argv[1]) if sys.argv[1:] else MAPS)


def _count(bench: Benchmark) -> int:
    return len(bench.all_measures)


if __name__ == "__main__":
    main()
