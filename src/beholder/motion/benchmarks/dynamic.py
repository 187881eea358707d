"""motion/dynamic: how motion perception gets there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from beholder.motion.benchmarks.static import baselines, checked_mode, restated, static
from beholder.motion.measures.dynamic import bar_dynamics, diamond_dynamics, grating_dynamics
from beholder.motion.measures.facts import barber_facts, diamond_facts
from beholder.motion.types import Movie, Percept
from beholder.spine.benchmark import EVERYWHERE, Benchmark, Model
from beholder.spine.cite import facts_of
from beholder.spine.measure import Measure, fix
from beholder.spine.sample import Bed

USED = {  # the records behind the score of each class
    "diamond": ["diamond.alpha", "diamond.beta", "diamond.tau", "diamond.window"],
    "bar": ["bar.length", "bar.tiles", "bar.evolution"],
    "grating": ["grating.saturation", "grating.growth", "grating.low_contrast", "grating.normalisation"],
    "barber": ["barber.start", "barber.lag", "barber.between", "barber.indent"],
}
FACTS = USED | {
    "diamond": [
        f"diamond.{name}" for name in ("start", "convergence", "invariance", "contrast", "type_one", "texture")
    ],
    "grating": ["grating.saturation", "grating.growth", "grating.normalisation"],
}


def dynamic(bed: Bed[Movie, Percept] | None = None, *, mode: str = "seed", reference: str = "") -> Benchmark:
    """Does the direction of motion change over time as people's and monkeys' pursuit does?

    Three columns as in the seed: bars and gratings by checks of published facts, diamonds by the fitted decay of their
    direction error. The mode "seed" makes errors absolute; "signed" counts them towards the vector average; "facts"
    judges diamonds, too, by checks that rest on no placeholder, and leaves out what is only remembered. Models of
    pairs of frames have no dynamics: outside the mode "seed" those that are built in do not take part. Barber poles
    are not in the seed's column and are not judged. `reference` is a TOML file of your own numbers.
    """
    checked_mode(mode)
    of_facts = mode == "facts"
    base = static(bed, mode="facts")
    return replace(
        base,
        name="motion/dynamic",
        version=1,
        bed=restated(base.bed, _facts if of_facts else _used, reference),
        measures=_measures(mode, reference),
        criteria=(EVERYWHERE,),
        baselines=baselines() if mode == "seed" else recurrent(),
        extra=tuple(_with(of, reference) for of in ((barber_facts,) if of_facts else (diamond_facts, barber_facts))),
        about="The course of the direction error against pursuit; a person expects 0.577 of the score of diamonds.",
    )


def recurrent() -> dict[str, Model]:
    """The built-in models that have a time course of their own."""
    return {name: model for name, model in baselines().items() if facts_of(model).get("dynamics") != "none"}


def _measures(mode: str, reference: str) -> tuple[Measure, ...]:
    bars = _with(bar_dynamics, reference)
    if mode == "facts":
        return bars, _with(diamond_facts, reference), fix(grating_dynamics, remembered=False)
    settings = {"mode": mode} if mode == "signed" else {}
    return bars, _with(diamond_dynamics, reference, **settings), grating_dynamics


def _with(of: Measure, reference: str, **settings: Any) -> Measure:
    """A measure on a user's references, where there are any; the name says so."""
    every = settings | ({"reference": reference} if reference else {})
    return fix(of, **every) if every else of


def _used(kind: str) -> list[str]:
    return USED.get(kind, [])


def _facts(kind: str) -> list[str]:
    return FACTS.get(kind, [])
