"""motion/static: where motion perception ends."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from beholder.judges.mean_score import mean_score
from beholder.media.whole import whole_file
from beholder.motion.beds.classical import classical
from beholder.motion.figures import courses
from beholder.motion.measures.static import final_error, final_score
from beholder.motion.readouts import trace_of_all, trace_of_mode, trace_of_moving
from beholder.motion.references import record
from beholder.motion.types import Flow, Movie, Percept, Trace, Velocity, average_motion, motion, true_motion
from beholder.spine.benchmark import Benchmark, Criterion, Files, Model, Recorded
from beholder.spine.find import find, names
from beholder.spine.measure import Measure, NotApplicable, Readout, card, fix
from beholder.spine.misuse import Misuse
from beholder.spine.sample import Bed, Sample, worst

CLASSES = "bar,diamond,grating,barber"  # the seed's columns
MODES = ("seed", "signed", "facts")
OURS = "deg_per_s"  # the array of an accepted answer in a file: x to the right, y up


def static(
    bed: Bed[Movie, Percept] | None = None, *, mode: str = "seed", reference: str = "", classes: str = CLASSES
) -> Benchmark:
    """How near is the final direction to that of people, by class of stimulus?

    The mode "seed" scores it by the seed's Gaussian, whose spreads are placeholders until `reference`, a TOML file,
    gives them; "signed" counts the error towards the vector average; "facts" judges by the plain error in degrees,
    which needs no spread. The same score by other readouts (all pixels, moving pixels, modal direction) stands beside
    it. The mean is over the stimuli of a class and then over the classes, as in the seed.
    """
    measures, beside = _measures(mode, reference)
    shown = classical() if bed is None else bed
    return Benchmark(
        name="motion/static",
        version=1,
        bed=shown if mode == "facts" else restated(shown, _used, reference),
        measures=measures,
        judges=(mean_score,),
        criteria=tuple(of_class(name.strip()) for name in classes.split(",")),
        accept=motion,
        files=Files((".npz", ".npy"), read, write, show),
        baselines=baselines(),
        nulls=nulls,
        oracles=oracles,
        draw=partial(courses, reference=reference),
        extra=beside,
        about="Final direction of motion against that of people; 0.577 is what a person expects of the seed's score.",
    )


def _measures(mode: str, reference: str) -> tuple[tuple[Measure, ...], tuple[Measure, ...]]:
    checked_mode(mode)
    settings = ({"mode": mode} if mode == "signed" else {}) | ({"reference": reference} if reference else {})
    score = fix(final_score, **settings) if settings else final_score
    readouts = {"all": trace_of_all, "moving": trace_of_moving, "mode": trace_of_mode}
    if mode == "facts":
        return (final_error,), tuple(read_by(final_error, word, how) for word, how in readouts.items())
    return (score,), (final_error, *(read_by(score, word, how) for word, how in readouts.items()))


def _used(kind: str) -> list[str]:
    return [f"static.{kind}"]


def checked_mode(mode: str) -> None:
    """Refuse a mode that there is not."""
    if mode not in MODES:
        raise Misuse(f"got mode={mode!r}; expected one of {', '.join(MODES)}")


def read_by(of: Measure, word: str, readout: Readout) -> Measure:
    """The same measure on another readout, and named after it."""
    other = partial(of)
    name, _, settings = card(of).name.rstrip(")").partition("(")
    label = ",".join(filter(None, [settings, f"readout={word}"]))
    other.card = replace(card(of), name=f"{name}({label})", reads=readout)  # type: ignore[attr-defined]
    return other


def of_class(kind: str) -> Criterion:
    """The criterion that confines a measure to one class of stimuli."""
    return Criterion(kind, partial(_confined, kind=kind))


def _confined(found: Trace, percept: Percept, *, kind: str) -> tuple[Trace, Percept]:
    if percept.kind != kind:
        raise NotApplicable(f"this is a {percept.kind}")
    return found, percept


def baselines() -> dict[str, Model]:
    """Every built-in model of motion."""
    return {name: find("motion.models", name) for name in names("motion.models")}


def nulls(bed: Bed[Movie, Percept]) -> Mapping[str, Model | Recorded]:
    """Models that do not look: nothing moves, the vector average of the edges' normals, and any direction."""
    return {"still": still, "vector_average": Recorded(Motions(bed, average_motion)), "random": random}


def oracles(bed: Bed[Movie, Percept]) -> Mapping[str, Recorded]:
    """The true motion: what people end with."""
    return {"true_motion": Recorded(Motions(bed, true_motion))}


def still(movie: Movie) -> Velocity:
    """Nothing moves, and so there is no direction."""
    return Velocity(np.zeros((len(movie.seconds), 2)))


def random(movie: Movie, *, rng: np.random.Generator) -> Velocity:
    """One direction at random for the whole movie, at a pixel a frame."""
    angle = rng.uniform(0, 2 * np.pi)
    speed = movie.hertz / movie.px_per_deg
    return Velocity(np.tile([speed * np.cos(angle), speed * np.sin(angle)], (len(movie.seconds), 1)))


@dataclass(frozen=True)
class Motions(Mapping[str, Velocity]):
    """A motion that is known of each sample of a bed, made when it is asked for."""

    bed: Bed[Movie, Percept]
    of: Callable[[Percept, Movie], Velocity]

    def __getitem__(self, id: str) -> Velocity:
        if id not in self:
            raise KeyError(id)
        sample = self.bed.load(id)
        return self.of(sample.reference, sample.stimulus)

    def __contains__(self, id: object) -> bool:
        return id in self.bed.ids

    def __iter__(self) -> Iterator[str]:
        return iter(self.bed.ids)

    def __len__(self) -> int:
        return len(self.bed)


def restated(
    bed: Bed[Movie, Percept], used: Callable[[str], Sequence[str]], reference: str = ""
) -> Bed[Movie, Percept]:
    """The bed whose percepts have the worst status of the records that a score on their kind uses."""
    return replace(bed, load=_Restated(bed.load, used, reference))


@dataclass(frozen=True)
class _Restated:
    load: Callable[[str], Sample[Movie, Percept]]
    used: Callable[[str], Sequence[str]]
    reference: str

    def __call__(self, id: str) -> Sample[Movie, Percept]:
        sample = self.load(id)
        percept = sample.reference
        statuses = [record(name, self.reference).worst for name in self.used(percept.kind)]
        return replace(sample, reference=replace(percept, status=worst([percept.status, *statuses])))


def read(path: Path) -> Any:
    """An answer from a file: an array of image flow in px a frame, or one of ours, which is in deg/s."""
    loaded = np.load(path, allow_pickle=False)
    if isinstance(loaded, np.ndarray):
        return loaded
    with loaded:
        if len(loaded.files) != 1:
            raise ValueError(f"{path.name}: got {len(loaded.files)} arrays; expected one, the flow in px a frame")
        values = loaded[loaded.files[0]]
        if loaded.files[0] != OURS:
            return values
    return Flow(values.astype(np.float32)) if values.ndim == 4 else Velocity(values.astype(np.float64))


def write(answer: Flow | Velocity, path: Path) -> None:
    """Keep an accepted answer; half precision, 1/2000 of a value, is enough for pictures."""
    top = float(np.finfo(np.float16).max)
    dense = isinstance(answer, Flow)
    values = np.clip(answer.velocity, -top, top).astype(np.float16) if dense else answer.velocity
    with whole_file(path) as file:
        np.savez(file, deg_per_s=values)


def show(movie: Movie, folder: Path) -> None:
    """Put a movie where a program can read it: frames.npy in cd/m², 16-bit PNGs, and meta.json with the scale."""
    import cv2

    folder.mkdir(parents=True, exist_ok=True)
    np.save(folder / "frames.npy", movie.frames)
    top = float(movie.frames.max(initial=0.0)) or 1.0
    for at, frame in enumerate(movie.frames):
        levels = np.rint(np.clip(frame / top, 0, 1) * 65535).astype(np.uint16)
        cv2.imwrite(str(folder / f"frame{at:03d}.png"), levels)
    meta = {"hertz": movie.hertz, "px_per_deg": movie.px_per_deg, "onset": movie.onset, "cd_m2_of_65535": top}
    (folder / "meta.json").write_text(json.dumps(meta, indent=1) + "\n", "utf-8")
