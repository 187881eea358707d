"""What a whole evaluation the size of MIT1003 costs, projected from a part: 8 models, 15 observers, all measures.

The part are two photographs of 768 × 1024 px with fifteen observers of seven fixations each, drawn at random, and as
many controls as MIT1003 has (104,171 fixations). To them is done all that `attention/saliency` does: every observer is
held out in turn, for eight models, blind ones and people, whose gold standard is made anew each time. CPU time of
one thread; the models' maps are made before, timed apart, and then found in the cache.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is loaded: CPU time of one thread

import platform
import tempfile
import time
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
from skimage import data as photographs

from beholder.attention.benchmarks.saliency import saliency
from beholder.attention.readouts import surface
from beholder.attention.types import Controls, Lookers, Picture, scanpath
from beholder.core.benchmark import Benchmark, Figures, Lineup, Unjudged
from beholder.core.measure import Measure, card
from beholder.core.sample import Dataset, Sample
from beholder.evaluation.run import run
from beholder.registry.find import find, names

SHAPE, OBSERVERS, FIXATIONS = (768, 1024), 15, 7  # of MIT1003; its mean is 6.92 fixations a trial
PICTURES, CONTROLS = 1003, 104_171
PHOTOGRAPHS = ("coffee", "chelsea")
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


def _count(bench: Benchmark) -> int:
    return len(bench.all_measures)


if __name__ == "__main__":
    main()
