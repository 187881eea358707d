"""motion/perceived_flow: local velocities in natural scenes, as people see them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.core.benchmark import (
    Answers,
    Benchmark,
    Figures,
    Files,
    Hooks,
    Lineup,
    Model,
    People,
    Recorded,
    Unjudged,
)
from beholder.core.measure import NotApplicable
from beholder.core.randomness import rng_for
from beholder.core.sample import Dataset, Sample
from beholder.io import arrays, flow, image
from beholder.io.atomic import whole_file
from beholder.io.bounds import LARGEST
from beholder.judges.mean_rank import mean_rank
from beholder.motion.conventions import caveats_at_probes
from beholder.motion.datasets.simulated_observers import simulated_observers
from beholder.motion.figures.perceived_flow import probed
from beholder.motion.figures.views_of_flow import probe_views
from beholder.motion.files.archive import fitted, has_frames, recorded
from beholder.motion.measures.perceived import correlation_people, epe_people, partial_correlation, rci
from beholder.motion.measures.truth import epe_truth
from beholder.motion.perceived import Field, Local, Probes, Scene, Shown, answer, local, names, only, without
from beholder.registry.find import find

# The array of an accepted answer in a file, x to the right and y up, and that of an answer of people.
OURS, THEIRS = "px_per_frame", "px_per_frame_of_people"
# Of the built-in models those that take seconds for a pair of large frames; others join by --model.
LOOKING = ("lucas_kanade", "iterative_lk", "farneback", "dis", "tvl1")
SLOWED = 0.7  # of the truth: people underestimate speed, and so does this (spec 7.2)
MOST = 6  # observers that stand in rows of their own


def perceived_flow(dataset: Dataset[Shown, Probes] | None = None) -> Benchmark:
    """Does a model see local motion as people do: where they are right, and where they err?

    The headline is the correlation with people after the truth is partialled out, so that being right is not enough;
    beside it stands the end-point error to people. Both are computed over the movies of a set and then ranked, so that
    sets of different speeds are never averaged in px. Models are scored against each observer in turn, as people are
    against one another. The parts `mean` compare with the mean of all people, as papers do;
    `partial_correlation.corrected` divides that by the ceiling, the reliability of this mean, predicted from the
    agreement between halves of the observers and averaged over the splits. RCI is shown but not judged: compare it with
    what still, slowed_truth and one trial of a person score.

    This benchmark scores local vectors, which Tlapale et al. (2012) avoid: it is an extension and never enters their
    tables. Without a dataset the people are simulated. For real people: --dataset huperflow:PATH, second_order:PATH,
    sintel_slow:PATH or perceived_flow_temporal:PATH. Movies without frames can only score recorded answers; those that
    come with the dataset are its baselines. A `dir:` model is a folder with one .flo, .npy or .npz file per movie.
    """
    shown = simulated_observers() if dataset is None else dataset
    return Benchmark(
        name="motion/perceived_flow",
        version=2,
        dataset=shown,
        measures=(partial_correlation, epe_people),
        judges=(partial(mean_rank, undefined="model"),),
        unjudged=Unjudged((epe_truth, correlation_people, rci)),
        accept=local,
        lineup=Lineup(
            {**recorded(shown), **(looking() if has_frames(shown) else {})},
            blind,
            oracles,
            People(names, without, only, answer, roster),
        ),
        files=Files((".npz", ".npy", ".flo"), read, write, show),
        figures=Figures(sample=probed, views=probe_views),
        hooks=Hooks(holds=(object, Probes), caveats=caveats_at_probes),
        about="Local velocities against those that people perceive, with the truth partialled out. An extension of the "
        "classical suite, which scores no local vectors; the two are never mixed. Pixels differ between datasets: read "
        "px/frame within one dataset.",
    )


def looking() -> dict[str, Model]:
    """Built-in models of pairs of frames."""
    return {name: find("motion.models", name) for name in LOOKING}


def roster(dataset: Dataset[Shown, Probes]) -> Sequence[str]:
    """The observers to be shown in rows of their own."""
    found = dataset.reference(dataset.ids[0]).names
    return found[:MOST] if len(found) > 1 else ()


def blind(dataset: Dataset[Shown, Probes]) -> Mapping[str, Model | Recorded]:
    """Models that do not look, or not where they are asked.

    Nothing moves; the true speeds in random directions; what people saw in the next movie of the dataset; and, where
    there are frames, the average of the motion along the edges' normals all over the frame.
    """
    found: dict[str, Model | Recorded] = {
        "still": Recorded(Answers(dataset, _still)),
        "random": Recorded(Answers(dataset, _random)),
        "another_movie": Recorded(Answers(dataset, partial(_another, dataset.whole))),
    }
    return {**found, "normal_average": normal_average} if has_frames(dataset) else found


def oracles(dataset: Dataset[Shown, Probes]) -> Mapping[str, Recorded]:
    """The truth, the truth slowed down, and, where observers have several trials, the first one of the first observer.

    That trial is scored on the other observers. Predictions that were fitted to the people of a dataset stand here,
    too.
    """
    true = {"truth": Recorded(Answers(dataset, _truth)), "slowed_truth": Recorded(Answers(dataset, _slowed))}
    found: dict[str, Recorded] = {**true, **fitted(dataset)}
    first = dataset.reference(dataset.ids[0])
    if first.people.shape[1] < 2 or len(first.names) < 2:
        return found
    return {**found, "one_trial": Trial(Answers(dataset, _trial), leaves_out=first.names[1:])}


@dataclass(frozen=True)
class Trial(Recorded):
    """Answers of one observer, to be scored on the others."""

    leaves_out: tuple[str, ...] = ()


def _still(sample: Sample[Shown, Probes]) -> Local:
    return Local(np.zeros_like(sample.reference.truth))


def _random(sample: Sample[Shown, Probes]) -> Local:
    rng = rng_for(0, "random directions", sample.id)
    speed = np.hypot(*sample.reference.truth.T)
    angle = rng.uniform(0, 2 * np.pi, len(speed))
    return Local(np.stack([speed * np.cos(angle), speed * np.sin(angle)], axis=1))


def _another(dataset: Dataset[Shown, Probes], sample: Sample[Shown, Probes]) -> Local:
    other = dataset.load(dataset.ids[(dataset.ids.index(sample.id) + 1) % len(dataset)])
    if other.id == sample.id or len(other.reference.truth) != len(sample.reference.truth):
        raise NotApplicable("no other movie has the same number of probes")
    return Local(other.reference.everyone)


def _truth(sample: Sample[Shown, Probes]) -> Local:
    return Local(sample.reference.truth)


def _slowed(sample: Sample[Shown, Probes]) -> Local:
    return Local(SLOWED * sample.reference.truth)


def _trial(sample: Sample[Shown, Probes]) -> Local:
    return Local(sample.reference.people[0, 0], people=True)


def normal_average(scene: Scene) -> Local:
    """One velocity for the whole frame: the mean of the motion along each edge's normal, weighted by its contrast.

    n = −I_t ∇I / |∇I|², weighted by |∇I|², so Σ −I_t ∇I / Σ |∇I|², of the two probed frames' mean.
    """
    first, second = scene.frames[scene.at : scene.at + 2].astype(float)
    down, right = np.gradient((first + second) / 2)
    change = second - first
    power = float((right**2 + down**2).sum())
    if not power:
        raise NotApplicable("the frame has no edges")
    velocity = -np.array([(change * right).sum(), -(change * down).sum()]) / power
    return Local(np.tile(velocity, (len(scene.points), 1)))


def read(path: Path, *, limit: int = LARGEST) -> Any:
    """An answer from a file: an array of image flow in px/frame, a .flo of the probed pair, or one of ours, y up."""
    if path.suffix.lower() == ".flo":
        return flow.read(path, limit=limit)
    loaded = arrays.load(path, limit=limit)
    if isinstance(loaded, np.ndarray):
        return loaded
    if len(loaded) != 1:
        raise ValueError(f"{path.name}: got {len(loaded)} arrays; expected one, the flow in px/frame")
    ((name, values),) = loaded.items()
    if name not in (OURS, THEIRS):
        return values
    dense = values.ndim == 3
    return Field(values.astype(np.float32)) if dense else Local(values.astype(np.float64), people=name == THEIRS)


def write(found: Field | Local, path: Path) -> None:
    """Keep an accepted answer; half precision, 1/2000 of a value, is enough for pictures."""
    named: dict[str, Any] = {THEIRS if isinstance(found, Local) and found.people else OURS: _compact(found)}
    with whole_file(path) as file:
        np.savez(file, **named)


def _compact(found: Field | Local) -> NDArray[Any]:
    top = float(np.finfo(np.float16).max)
    return np.clip(found.velocity, -top, top).astype(np.float16) if isinstance(found, Field) else found.velocity


def show(scene: Shown, folder: Path) -> None:
    """Put a movie where a program can read it: frames.npy, 8-bit PNGs, and probes.csv with the places asked for."""
    frames = scene.frames  # not applicable where there are none
    folder.mkdir(parents=True, exist_ok=True)
    np.save(folder / "frames.npy", frames)
    top = float(frames.max(initial=0.0)) or 1.0
    for at, frame in enumerate(frames):
        image.write(np.rint(np.clip(frame / top, 0, 1) * 255).astype(np.uint8), folder / f"frame{at:03d}.png")
    rows = [f"{x:g},{y:g},{getattr(scene, 'at', 0)}" for x, y in scene.points]
    (folder / "probes.csv").write_text("\n".join(["x,y,frame", *rows]) + "\n", "utf-8")
