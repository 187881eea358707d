"""Simulated participants: people who differ in bias, items that differ in looks, a d′ that is known."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from statistics import NormalDist
from typing import Any

import numpy as np

from beholder.errors import Misuse
from beholder.study.design.file import FIRST, SECOND, Shown, Study
from beholder.study.design.simulation import ITEM_SD, PERSON_SD

NORMAL = NormalDist()
OWN = 0.5  # share of the variance of one answer's noise that stays when a clip is shown again: a view of one's own
FARTHEST, WIDEST = 10, 20  # d′ and standard deviations beyond these are no study's
LAPSE = 0.02  # chance that a check is missed


@dataclass(frozen=True)
class Population:
    """How people answer: the evidence for an item is ±d/2 by its class + item effect + bias of the person + noise.

    d is set so that the d′ of all answers together, item and person effects averaged over, is `dprime`: for normal
    effects d′ = d / √(1 + item_sd² + person_sd²).
    """

    dprime: float = 0.2
    item_sd: float = ITEM_SD
    person_sd: float = PERSON_SD

    def __post_init__(self) -> None:
        if not -FARTHEST <= self.dprime <= FARTHEST:  # so is no nan let through
            raise Misuse(f"got --dprime {self.dprime:g}; expected -{FARTHEST} … {FARTHEST}")
        for option, value in (("--item-sd", self.item_sd), ("--person-sd", self.person_sd)):
            if not 0 <= value <= WIDEST:
                raise Misuse(f"got {option} {value:g}; expected a standard deviation, 0 … {WIDEST}")

    @property
    def slope(self) -> float:
        """d, the distance of the classes in units of the noise of one answer."""
        return self.dprime * math.sqrt(1 + self.item_sd**2 + self.person_sd**2)

    @cached_property
    def kappa(self) -> float:
        """Fleiss' κ of two classes, equally often shown: two people agree by chance, by class and by item effect.

        >>> round(Population(dprime=0.0, item_sd=0.0).kappa, 6)
        0.0
        >>> rho = 0.25 / (1 + 0.25 + 0.09)  # without a class effect κ = 2/π·asin ρ, ρ the correlation of two people
        >>> bool(abs(Population(dprime=0.0, item_sd=0.5, person_sd=0.3).kappa - 2 / math.pi * math.asin(rho)) < 1e-9)
        True
        """
        nodes, weights = np.polynomial.hermite_e.hermegauss(61)
        weights = weights / weights.sum()
        scale = math.sqrt(1 + self.person_sd**2)
        says = [
            np.array([NORMAL.cdf((side * self.slope / 2 + self.item_sd * node) / scale) for node in nodes])
            for side in (1, -1)
        ]
        agree = float(np.mean([weights @ (p**2 + (1 - p) ** 2) for p in says]))
        share = float(np.mean([weights @ p for p in says]))
        chance = share**2 + (1 - share) ** 2
        return (agree - chance) / (1 - chance)


def with_kappa(kappa: float, dprime: float, person_sd: float) -> Population:
    """The population with this κ: what the classes do not give, item effects do."""
    least = Population(dprime, 0.0, person_sd).kappa
    if not least - 1e-9 <= kappa < 0.9:
        raise Misuse(
            f"got --kappa {kappa:g}; with d′ = {dprime:g} the classes alone give κ = {least:.3f}; expected a value "
            "from that to 0.9"
        )
    low, high = 0.0, 20.0
    for _ in range(50):  # κ rises with the item effects
        middle = (low + high) / 2
        low, high = (middle, high) if Population(dprime, middle, person_sd).kappa < kappa else (low, middle)
    return Population(dprime, high, person_sd)


@dataclass
class Looks:
    """What the items of one study look like to everybody: drawn once, by the seed and the item's id."""

    study: Study
    population: Population
    seed: int = 0

    def __post_init__(self) -> None:
        rng = np.random.default_rng([self.seed, 1])
        effects = rng.normal(0, self.population.item_sd, len(self.study.items))
        self.items: Mapping[str, Shown] = {item.id: item for item in self.study.items}
        self._effect = {item.id: float(one) for item, one in zip(self.study.items, effects, strict=True)}
        self._side = self._sides()

    def _sides(self) -> dict[str, float]:
        """+½ for the class whose right answer stands first, -½ for the other; several lie between."""
        classes = list(self.study.classes)
        first = self.study.questions[0].answers[0].value
        if self.study.trial == "two_alternative":
            classes.sort(key=lambda name: name not in self.study.right)
        else:
            classes.sort(key=lambda name: self.study.right.get(name, "") != first)
        return dict(zip(classes, np.linspace(0.5, -0.5, len(classes)) if len(classes) > 1 else [0.0], strict=True))

    def evidence(self, id: str) -> float:
        """How much an item looks like the first answer."""
        return self.population.slope * self._side.get(self.items[id].kind, 0.0) + self._effect[id]


@dataclass
class Observer:
    """One simulated participant."""

    looks: Looks
    number: int
    views: dict[tuple[str, str], float] = field(default_factory=dict)  # of an item, in a dimension

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng([self.looks.seed, 2, self.number])
        self.bias = float(self.rng.normal(0, self.looks.population.person_sd))

    def answer(self, trial: Mapping[str, Any]) -> dict[str, str]:
        """What this participant says in a trial (a row of the table of trials), by dimension."""
        study = self.looks.study
        return {one.dimension: self._one(one, at, trial) for at, one in enumerate(study.questions)}

    def _one(self, question: Any, at: int, trial: Mapping[str, Any]) -> str:
        values = [one.value for one in question.answers]
        expected = self.looks.items[trial["item"]].expected
        if trial["use"] == "check" and at == 0 and expected:
            others = [value for value in values if value != expected]
            return expected if self.rng.random() > LAPSE else str(self.rng.choice(others))
        return self._say(values, trial, question.dimension)

    def _seen(self, item: str, dimension: str) -> float:
        """How an item looks now: as to everybody, with a view of one's own that stays and noise that does not."""
        view = self.views.setdefault((item, dimension), float(self.rng.normal(0, math.sqrt(OWN))))
        return self.looks.evidence(item) + view + float(self.rng.normal(0, math.sqrt(1 - OWN)))

    def _say(self, values: list[str], trial: Mapping[str, Any], dimension: str) -> str:
        seen = self._seen(trial["item"], dimension)
        if trial["other"]:
            return FIRST if seen + self.bias > self._seen(trial["other"], dimension) else SECOND
        if len(values) == 2:
            return values[0] if seen + self.bias > 0 else values[1]
        # A scale: the last answer is most like the first class; as many in each of its steps if nothing differs.
        share = NORMAL.cdf((seen + self.bias) / math.sqrt(2))
        return values[min(int(share * len(values)), len(values) - 1)]
