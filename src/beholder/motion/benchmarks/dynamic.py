"""motion/dynamic: how motion perception gets there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from beholder.core.benchmark import EVERYWHERE, Answers, Benchmark, Model, Recorded, Unjudged
from beholder.core.cite import facts_of
from beholder.core.measure import Measure, card, fix
from beholder.core.sample import Dataset
from beholder.errors import Misuse
from beholder.motion.benchmarks.static import READOUTS, baselines, checked_mode, read_by, static
from beholder.motion.benchmarks.static import oracles as true_oracles
from beholder.motion.figures.overview import of_courses
from beholder.motion.measures.dynamic import bar_dynamics, diamond_dynamics, grating_dynamics
from beholder.motion.measures.facts import barber_facts, diamond_facts
from beholder.motion.measures.peaks import bar_peak
from beholder.motion.measures.static import final_error
from beholder.motion.measures.units import mt_shift
from beholder.motion.observers.lawful import lawful
from beholder.motion.readouts import plant, trace
from beholder.motion.references import records
from beholder.motion.types import Movie, Percept, Trace

BESIDE = (barber_facts, mt_shift)  # measured in every mode, not judged
PAIRWISE = "dynamic: not applicable outside the mode tlapale2012, because it answers for each pair of frames by itself"


def dynamic(
    dataset: Dataset[Movie, Percept] | None = None,
    *,
    mode: str = "tlapale2012",
    reference: str = "",
    models: str = "all",
    delay: float = 0.0,
    tau: float = 0.0,
) -> Benchmark:
    """Does a model's direction change over time as the smooth pursuit of people and monkeys does?

    Three columns as in Tlapale et al. (2012): bars and gratings are checked against published facts, diamonds by the
    fitted decay of their direction error. `mode`: "tlapale2012" takes absolute errors; "signed" counts errors as
    positive towards the vector average; "facts" also judges diamonds by facts that need no placeholder, and leaves out
    facts quoted from memory. Models of frame pairs have no dynamics: in the modes "signed" and "facts" they do not take
    part, and if you name one it is not applicable. Your own function counts as dynamic unless it declares
    `dynamics="none"`. Barber poles are not in the paper's column and are not judged. `reference` is a TOML file with
    your own numbers; `models` selects the built-in models: all, none, or names separated by commas. With `delay` or
    `tau`, in seconds, the answers of each model drive a simulated eye with that delay and time constant, and the
    movement of this eye is scored (see `plant`).
    """
    checked_mode(mode)
    records(reference)
    if min(delay, tau) < 0:
        raise Misuse(f"got delay={delay}, tau={tau}; expected seconds, 0 or more")
    of_facts = mode == "facts"
    measures = tuple(_followed(of, delay, tau) for of in _measures(mode, reference))
    names = tuple(card(of).label for of in measures)
    base = static(dataset, mode="facts", reference=reference)
    return replace(
        base,
        name="motion/dynamic",
        version=5,
        measures=measures,
        criteria=(EVERYWHERE,),
        unjudged=Unjudged(
            (
                *(_with(of, reference) for of in (*(() if of_facts else (diamond_facts, bar_peak)), *BESIDE)),
                final_error,
                *(read_by(of, word, how) for of in measures for word, how in READOUTS.items() if not (delay or tau)),
            )
        ),
        lineup=base.lineup._replace(
            baselines=recurrent() if mode != "tlapale2012" and models == "all" else baselines(models),
            oracles=partial(oracles, reference=reference),
        ),
        figures=base.figures._replace(
            overview=partial(of_courses, official=names, reference=reference, absolute=mode == "tlapale2012")
        ),
        hooks=base.hooks._replace(
            exclude=None if mode == "tlapale2012" else without_dynamics, shares=tuple(READOUTS.values())
        ),
        about="The time course of the direction error against pursuit; a typical person scores 0.577 on diamonds.",
    )


def oracles(dataset: Dataset[Movie, Percept], *, reference: str = "") -> Mapping[str, Recorded]:
    """The true motion, which nobody sees at once; an ideal observer; and one who follows every fact: the top."""
    return {**true_oracles(dataset), "lawful": Recorded(Answers(dataset, partial(lawful, reference=reference)))}


def recurrent() -> dict[str, Model]:
    """The built-in models that have a time course of their own."""
    return {name: model for name, model in baselines().items() if not without_dynamics(facts_of(model))}


def without_dynamics(facts: Mapping[str, str]) -> str:
    """Why dynamics do not apply to a model of these facts; nothing where they do, or where nothing is known of it.

    >>> without_dynamics({"dynamics": "recurrent"}), without_dynamics({})
    ('', '')
    """
    return PAIRWISE if facts.get("dynamics") == "none" else ""


def _measures(mode: str, reference: str) -> tuple[Measure, ...]:
    bars = _with(bar_dynamics, reference)
    if mode == "facts":
        return bars, _with(diamond_facts, reference), _with(grating_dynamics, reference, remembered=False)
    settings = {"mode": mode} if mode == "signed" else {}
    return bars, _with(diamond_dynamics, reference, **settings), _with(grating_dynamics, reference)


def _followed(of: Measure, delay: float, tau: float) -> Measure:
    """A measure of what an eye would do that follows the answer, where it has a delay or a time constant."""
    if not (delay or tau):
        return of
    return read_by(of, f"eye after {delay:g} s with {tau:g} s", partial(eye, delay=delay, tau=tau))


def eye(answer: Any, stimulus: Movie, *, delay: float, tau: float) -> Trace:
    """The readout of a simple eye that follows what the model sees."""
    return plant(trace(answer, stimulus), delay=delay, tau=tau)


def _with(of: Measure, reference: str, **settings: Any) -> Measure:
    """A measure on a user's references, where there are any; the name says so."""
    every = settings | ({"reference": reference} if reference else {})
    return fix(of, **every) if every else of
