"""motion/static: where motion perception ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from beholder.core.benchmark import (
    Answers,
    Benchmark,
    Criterion,
    Figures,
    Files,
    Hooks,
    Lineup,
    Model,
    Recorded,
    Unjudged,
    everywhere,
)
from beholder.core.cite import facts_of
from beholder.core.measure import Measure, Readout, card, fix, recard
from beholder.core.sample import Dataset, Sample
from beholder.errors import Misuse, NotFound
from beholder.judges.mean_score import mean_score
from beholder.motion.conventions import caveats
from beholder.motion.datasets.classical import classical
from beholder.motion.figures.courses import courses
from beholder.motion.figures.overview import CONTROLS, of_ends
from beholder.motion.figures.views import motion_views
from beholder.motion.files.answers import ROOM, SUFFIXES, read, write
from beholder.motion.files.answers import find as find_fields
from beholder.motion.files.movies import reveal, show
from beholder.motion.measures.static import final_error, final_score
from beholder.motion.observers.recursive_bayes import recursive_bayes
from beholder.motion.readouts import sketch, trace_of_all, trace_of_mode, trace_of_moving
from beholder.motion.references import records
from beholder.motion.types import Movie, Percept, Velocity, average_motion, motion, true_motion
from beholder.registry.find import find, names, nearest

RIGHT = {"vector_average": ("grating",)}  # of one orientation, the average of the normals is the motion
CLASSES = "bar,diamond,grating,barber"  # the columns of Tlapale et al. (2012)
MODES = ("tlapale2012", "signed", "facts")
READOUTS = {"all": trace_of_all, "moving": trace_of_moving, "mode": trace_of_mode}  # beside the usual one


def static(
    dataset: Dataset[Movie, Percept] | None = None,
    *,
    mode: str = "tlapale2012",
    reference: str = "",
    classes: str = CLASSES,
    models: str = "all",
) -> Benchmark:
    """How close is a model's final direction to the one people see, by class of stimulus?

    The stimuli of Tlapale et al. (2012) are judged; controls (upright bars; diamonds of type I, textured or faint;
    faint gratings; poles that are square or have teeth, masks or soft sides) have their own columns. `mode`:
    "tlapale2012" scores by the paper's Gaussian, whose spreads are placeholders unless `reference`, a TOML file,
    supplies them; "signed" counts the error as positive towards the vector average; "facts" judges by the plain error
    in degrees, which needs no spread. The same score from other readouts (all pixels, moving pixels, modal direction)
    stands beside it. The mean is taken over the stimuli of a class and then over the classes, as in the paper.
    Intervals are over stimuli; they are wide only where figures differ, because most models treat one figure alike in
    all directions. An answer without a direction gets the worst score; leaving it out would remove that stimulus for
    all models. `models` selects the built-in models: all, none, or names separated by commas.
    """
    records(reference)  # a file that cannot be read is refused here, and not in every sample
    measures, beside = _measures(mode, reference)
    kinds = _kinds(classes, known=dataset is None or mode != "facts")
    return Benchmark(
        name="motion/static",
        version=4,
        dataset=classical() if dataset is None else dataset,
        measures=measures,
        judges=(mean_score,),
        criteria=tuple(of_class(kind) for kind in kinds),
        unjudged=Unjudged(beside, tuple(controls_of(kind) for kind in kinds)),
        accept=motion,
        lineup=Lineup(baselines(models), blind, oracles, right=RIGHT),
        files=Files(SUFFIXES, read, write, show, partial(reveal, reference=reference), ROOM, find=find_fields),
        figures=Figures(
            partial(courses, reference=reference),
            partial(of_ends, official=tuple(card(of).label for of in measures)),
            views=partial(motion_views, reference=reference),
            sketch=sketch,
        ),
        hooks=Hooks(holds=(Movie, Percept), caveats=caveats),
        about="Final direction of motion against the one people see; a typical person scores 0.577.",
    )


def _kinds(classes: str, *, known: bool) -> list[str]:
    """The classes; `known` are ours, whose spreads have records: degrees on a dataset of one's own need none."""
    kinds, ours = [kind.strip() for kind in classes.split(",")], CLASSES.split(",")
    for kind in kinds if known else ():
        if kind not in ours:
            raise NotFound(f"got classes={classes!r}, but no class is called {kind!r}{nearest(kind, ours)}")
    return kinds


def _measures(mode: str, reference: str) -> tuple[tuple[Measure, ...], tuple[Measure, ...]]:
    checked_mode(mode)
    settings = ({"mode": mode} if mode == "signed" else {}) | ({"reference": reference} if reference else {})
    score = fix(final_score, **settings) if settings else final_score
    if mode == "facts":
        return (final_error,), tuple(read_by(final_error, word, how) for word, how in READOUTS.items())
    return (score,), (final_error, *(read_by(score, word, how) for word, how in READOUTS.items()))


def checked_mode(mode: str) -> None:
    """Refuse a mode that there is not."""
    if mode not in MODES:
        raise Misuse(f"got mode={mode!r}; expected one of {', '.join(MODES)}")


def read_by(of: Measure, word: str, readout: Readout) -> Measure:
    """The same measure on another readout, and named after it."""
    return recard(partial(of), card(of), {"readout": word}, reads=readout)


def of_class(kind: str) -> Criterion:
    """The criterion that confines a measure to the stimuli of a class that are no controls."""
    return Criterion(kind, everywhere, partial(_why_excluded, kind=kind, controls=False))


def controls_of(kind: str) -> Criterion:
    """The criterion that confines a measure to the controls of a class."""
    return Criterion(f"{kind}{CONTROLS}", everywhere, partial(_why_excluded, kind=kind, controls=True))


def _why_excluded(percept: Percept, *, kind: str, controls: bool) -> str:
    if percept.kind != kind:
        return f"this is a {percept.kind}"
    if controls:
        return "" if percept.control else "this is not a control"
    return percept.control and f"this is a control: {percept.control}"


def baselines(models: str = "all") -> dict[str, Model]:
    """The built-in models that answer with motion and need nothing else (a network needs its checkpoint)."""
    every = names("motion.models")
    chosen = {"all": every, "none": []}.get(models, [name.strip() for name in models.split(",")])
    for name in chosen:
        if name not in every:
            raise NotFound(f"got models={models!r}, but no model is called {name!r}{nearest(name, every)}")
    found = {name: find("motion.models", name) for name in chosen}
    unlike = [name for name, model in found.items() if facts_of(model).keys() & {"needs", "answers"}]
    if models != "all" and unlike:
        why = facts_of(found[unlike[0]]).get("needs") or "an answer of another kind"
        raise Misuse(f"got models={models!r}, but {unlike[0]} cannot take part by its name: {why}; give it as --model")
    return {name: model for name, model in found.items() if name not in unlike}


def blind(dataset: Dataset[Movie, Percept]) -> Mapping[str, Model | Recorded]:
    """Models that do not look: nothing moves, all moves right, the vector average of the edges' normals, any direction.

    A model that always gives the same answer must not pass as one that looks.
    """
    average = Recorded(Answers(dataset, partial(_shown, average_motion)))
    return {"still": still, "rightward": rightward, "vector_average": average, "random": random}


def oracles(dataset: Dataset[Movie, Percept]) -> Mapping[str, Recorded]:
    """The true motion, what people end with; and how an ideal observer of edges and corners gets there."""
    known = {"true_motion": true_motion, "recursive_bayes": recursive_bayes}
    return {name: Recorded(Answers(dataset, partial(_shown, of))) for name, of in known.items()}


def _shown(of: Callable[[Percept, Movie], Velocity], sample: Sample[Movie, Percept]) -> Velocity:
    return of(sample.reference, sample.stimulus)


def still(movie: Movie) -> Velocity:
    """Nothing moves, and so there is no direction."""
    return Velocity(np.zeros((len(movie.seconds), 2)))


def rightward(movie: Movie) -> Velocity:
    """Everything moves to the right, always, at one px/frame: a constant flow."""
    return Velocity(np.tile([movie.hertz / movie.px_per_deg, 0.0], (len(movie.seconds), 1)))


def random(movie: Movie, *, rng: np.random.Generator) -> Velocity:
    """One direction at random for the whole movie, at one px/frame."""
    angle = rng.uniform(0, 2 * np.pi)
    speed = movie.hertz / movie.px_per_deg
    return Velocity(np.tile([speed * np.cos(angle), speed * np.sin(angle)], (len(movie.seconds), 1)))
