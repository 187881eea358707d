"""motion/flow: optical flow against ordinary ground truth."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from beholder.core.benchmark import Answers, Benchmark, Figures, Files, Hooks, Lazily, Lineup, Model, Recorded, Unjudged
from beholder.core.sample import Dataset, Sample
from beholder.io import arrays, image, spring
from beholder.io import flow as flow_files
from beholder.io.atomic import whole_file
from beholder.io.bounds import LARGEST
from beholder.judges.mean_rank import mean_rank
from beholder.motion.datasets.moving_layers import moving_layers
from beholder.motion.figures.true_flow import flow_sheet
from beholder.motion.figures.views_of_true_flow import flow_views
from beholder.motion.frame_pairs import FramePair
from beholder.motion.measures.flow import angular_error, bad_vectors, epe, fl
from beholder.motion.perceived import Probes
from beholder.motion.true_flow.parts import REGIONS, SPEEDS, part
from beholder.motion.true_flow.types import TrueFlow, Vectors, flow_of, truth_of
from beholder.motion.types import Movie
from beholder.registry.find import find

# Built-in models of pairs of frames that take a second or less for a pair of this size; others join by --model.
LOOKING = ("lucas_kanade", "iterative_lk", "farneback", "dis", "tvl1", "classic_median", "large_displacement")


def flow(dataset: Dataset[Movie, TrueFlow] | None = None) -> Benchmark:
    """How near is a model's optical flow to the true one: as Middlebury, Sintel, KITTI and Spring score it?

    Judged are the mean end-point error (EPE) and KITTI's outliers (Fl-all: wrong by more than 3 px and 5 %), over all
    pixels whose flow is known. Beside them stand Spring's 1px and Barron's angular error, and every measure in parts:
    matched and unmatched pixels, where the dataset tells them apart, the classes of speed of Sintel's table (a speed
    of exactly 10 or 40 px belongs to the faster class), and the background and foreground of KITTI's. A pixel without
    an estimate counts as rest in a mean, and as wrong in a percentage.

    This is right or wrong, not like people: whether a model errs as people do is what motion/perceived_flow asks.
    Without a dataset, photographs are cut into layers that move over one another. For others: --dataset flow:PATH, with
    the folder of KITTI, Sintel, Spring or Middlebury, or your own. Datasets of perceived flow serve, too: the truth at
    their probes is taken. A `dir:` model is a folder with one .flo, .png (KITTI's), .flo5, .npy or .npz file per pair.
    """
    return Benchmark(
        name="motion/flow",
        version=1,
        dataset=moving_layers() if dataset is None else _of_things(dataset),
        measures=(epe, fl),
        judges=(mean_rank,),
        criteria=(part("all"),),
        unjudged=Unjudged((bad_vectors, angular_error), tuple(part(name) for name in (*REGIONS, *SPEEDS))),
        accept=flow_of,
        lineup=Lineup({name: find("motion.models", name) for name in LOOKING}, blind, oracles),
        files=Files((".npz", ".npy", ".flo", ".png", ".flo5"), read, write, show, reveal),
        figures=Figures(sample=flow_sheet, views=flow_views),
        hooks=Hooks(holds=(object, TrueFlow | Probes)),
        about="Optical flow against ground truth: end-point error and outliers over all known pixels, and in parts of "
        "the frame. Means are over pairs of frames, each of equal weight.",
    )


def _of_things(dataset: Dataset[Any, Any]) -> Dataset[Any, Any]:
    """A dataset whose people, if there are any, have no part in its reference: the truth is compared with."""
    found = replace(dataset, people="")
    object.__setattr__(found, "spec", dataset.spec)
    return found


def blind(dataset: Dataset[Any, Any]) -> Mapping[str, Model | Lazily]:
    """Models that do not look: nothing moves, and everything moves as the dataset does on average."""
    return {"still": still, "mean_flow": Lazily(partial(_steady, dataset))}


def still(movie: Movie, *, u: float = 0.0, v: float = 0.0) -> Vectors:
    """One vector in every pixel, (u, v) in px; at rest by default."""
    return np.broadcast_to(np.array([u, v], np.float32), (*movie.frames.shape[1:], 2))


def _steady(dataset: Dataset[Any, Any]) -> Model:
    u, v = mean_flow(dataset.whole)
    return partial(still, u=u, v=v)


def mean_flow(dataset: Dataset[Any, Any]) -> tuple[float, float]:
    """The mean over pairs of the mean true vector of each."""
    truths = (truth_of(dataset.reference(id)) for id in dataset.ids)
    u, v = np.mean([truth.flow[truth.known].mean(axis=0) for truth in truths if truth.known.any()], axis=0)
    return float(u), float(v)


def oracles(dataset: Dataset[Any, Any]) -> Mapping[str, Recorded]:
    """The truth itself: what a perfect model scores, and a check of the dataset."""
    return {"truth": Recorded(Answers(dataset, true_answer))}


def true_answer(sample: Sample[Any, Any]) -> Vectors:
    """The true flow of a sample."""
    return truth_of(sample.reference).flow


def read(path: Path, *, limit: int = LARGEST) -> Any:
    """An answer from a file: image flow in px, u right and v down."""
    suffix = path.suffix.lower()
    if suffix in (".flo", ".png"):
        return flow_files.read(path, limit=limit)
    if suffix == ".flo5":
        return spring.read(path, limit=limit)
    return arrays.only(path, limit=limit)


def write(found: Vectors, path: Path) -> None:
    """Keep an accepted answer; half precision, 1/2000 of a value, is enough for pictures."""
    top = float(np.finfo(np.float16).max)
    with whole_file(path) as file:
        np.savez(file, flow=np.clip(found, -top, top).astype(np.float16))


def show(movie: Movie, folder: Path) -> None:
    """Put a pair where a program can read it: frame000.png, frame001.png …, and meta.json with what is asked for."""
    folder.mkdir(parents=True, exist_ok=True)
    levels = movie.pictures if isinstance(movie, FramePair) else np.rint(np.clip(movie.frames, 0, 255)).astype(np.uint8)
    for at, frame in enumerate(levels):
        image.write(frame, folder / f"frame{at:03d}.png")
    first = getattr(movie, "at", 0)
    asked = {"from_frame": first, "to_frame": first + 1, "answer": "flow (height, width, 2): u right, v down, px"}
    (folder / "meta.json").write_text(json.dumps(asked) + "\n", "utf-8")


def reveal(sample: Sample[Any, Any], folder: Path) -> None:
    """Put the answer beside a pair: truth.flo, or truth.npy of the vectors at probes."""
    folder.mkdir(parents=True, exist_ok=True)
    true = true_answer(sample)
    if true.ndim == 3:
        flow_files.write(true, folder / "truth.flo")
    else:
        np.save(folder / "truth.npy", true)
