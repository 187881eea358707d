"""How many people a study needs: its very design is simulated before anything is collected.

Power is the share of simulated studies that find what is there: by a test at 5 % that takes people and items as samples
(two-way standard errors); of agreement, on one side. Where there is nothing to find, it is the share of studies that
show it: two one-sided tests against the bound that the study file states.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.errors import Misuse
from beholder.stats import signal_detection
from beholder.stats.proportion import Z
from beholder.study.design.curve import Test, needed
from beholder.study.design.file import Study
from beholder.study.design.simulation import (
    ITEM_SD,
    PERSON_SD,
    SOURCE_KAPPA,
    Crowd,
    Design,
    assign,
    choose,
    design_of,
    say,
)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

RUNS = 400  # simulated studies: the power of 80 % is known to within 4 points
SIZES = (10, 20, 35, 50, 75, 100, 150, 200, 300)  # numbers of participants
ENOUGH = 0.8
ONE_SIDED = 1.6448536269514722
BLOCK = 4_000_000  # answers held at once
DPRIMES, KAPPAS, SHARES = (0.1, 0.2, 0.3, 0.5), (0.05, 0.1, 0.15), (0.53, 0.55, 0.6)


class Row(NamedTuple):
    """One effect that may be there, and how often studies of each size find it."""

    what: str  # d′, κ or preference
    effect: float
    accuracy: float  # the share of right answers that it amounts to
    power: dict[int, float]  # participants → share of studies
    needed: float  # participants for a power of 80 %, by a curve through them; infinite where none of them is enough

    @property
    def nothing(self) -> bool:
        """Whether there is nothing to find, so that what is found is false."""
        return not self.what.startswith("no ") and self.effect == (0.5 if self.what == "preference" else 0)


@dataclass(frozen=True)
class Plan:
    """How many people are needed."""

    study: str
    design: Design
    crowd: Crowd
    rows: tuple[Row, ...]
    runs: int
    bound: float  # of the test of equivalence
    uncounted: tuple[str, ...] = ()  # classes that are shown and have no right answer: controls

    def assumptions(self) -> list[str]:
        """What the numbers hang on, in words."""
        return list(_assumptions(self))

    def sentences(self) -> list[str]:
        """What follows, in words."""
        return [_sentence(row, self.bound) for row in self.rows]

    def text(self) -> str:
        """What is assumed, the table and the sentences, for a terminal."""
        sizes = list(self.rows[0].power)
        head = ["if there is", "right", *(f"n={size}" for size in sizes), "80 % power"]
        rows = [head, *(_cells(row) for row in self.rows)]
        widths = [max(len(row[at]) for row in rows) for at in range(len(head))]
        lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
        return "\n".join([*self.assumptions(), "", *lines, "", *self.sentences()]) + "\n"

    def table(self) -> list[dict[str, float | str]]:
        """One row for each effect and number of participants."""
        return [
            {"what": row.what, "effect": row.effect, "accuracy": row.accuracy, "participants": size, "power": power}
            for row in self.rows
            for size, power in row.power.items()
        ]


def plan(
    study: Study,
    *,
    dprimes: Sequence[float] = DPRIMES,
    kappas: Sequence[float] = KAPPAS,
    shares: Sequence[float] = SHARES,
    sizes: Sequence[int] = SIZES,
    crowd: Crowd | None = None,
    runs: int = RUNS,
    seed: int = 0,
) -> Plan:
    """How often studies of this design find a d′, an agreement κ (yes/no), or a preference share (two at a time).

    `crowd` says how much people and items differ. A κ is made by the items alone: κ = (2/π) asin ρ for answers that
    are half yes, with the share ρ of the variance that is the items'.
    """
    if not sizes or min(sizes) < 2 or runs < 2:
        raise Misuse(f"got sizes {list(sizes)} and {runs} runs; expected two or more of each")
    design, base = design_of(study), crowd or Crowd()
    choice, bound = study.trial == "two_alternative", study.analysis.bound
    rng = np.random.default_rng(seed)
    assigned = assign(design, max(sizes), rng)
    asked, between = sorted({*sizes}), {size for size in SIZES if min(sizes) < size < max(sizes)}
    sizes = sorted({*asked, *between})  # the curve goes through all of these, so that few sizes find the same number
    rows: list[Row] = []

    def add(what: str, effect: float, accuracy: float, found: Iterator[tuple[int, Bools]], test: Test) -> None:
        power = _power(found, runs)
        need = needed(power, runs=runs, items=design.items, test=test, enough=ENOUGH)
        rows.append(Row(what, effect, accuracy, {size: power[size] for size in asked}, need))

    if choice:
        for share in shares:
            own = base._replace(dprime=_latent_choice(share, base))
            add("preference", share, share, _chosen(design, own, assigned, sizes, runs, rng), "two sides")
        none = _chosen(design, base._replace(dprime=0.0), assigned, sizes, runs, rng, within=bound)
        add("no preference", 0.5, 0.5, none, "equivalence")
    else:
        for dprime in dprimes:
            own = base._replace(dprime=dprime * math.sqrt(1 + base.bias**2 + base.items**2 + base.skill**2 / 4))
            right = float(signal_detection.accuracy(dprime))
            add("d′", dprime, right, _told_apart(design, own, assigned, sizes, runs, rng), "two sides")
        none = _told_apart(design, base._replace(dprime=0.0), assigned, sizes, runs, rng, within=bound)
        add("no d′", 0.0, 0.5, none, "equivalence")
        for kappa in kappas:
            own = base._replace(dprime=0.0, items=items_of_kappa(kappa, base))
            add("κ", kappa, 0.5, _agreeing(design, own, assigned, sizes, runs, rng), "one side")
    counted = {study.signal, *study.noises} if study.noises and not choice else set(study.classes)
    uncounted = tuple(name for name in study.classes if name not in counted)
    return Plan(study.title, design, base, tuple(rows), runs, bound, uncounted)


def items_of_kappa(kappa: float, crowd: Crowd) -> float:
    """The sd of items at which people of a crowd who guess agree by κ.

    >>> round(items_of_kappa(0.15, Crowd(bias=0.0)), 3)
    0.552
    """
    if not 0 <= kappa < 1:
        raise Misuse(f"got κ = {kappa:g}; expected 0 or more, and less than 1")
    rho = math.sin(kappa * math.pi / 2)
    return math.sqrt(rho / (1 - rho) * (1 + crowd.bias**2 + crowd.skill**2 / 4))


def participants_for(shift: float, sd: float, *, power: float = ENOUGH) -> float:
    """Participants whose mean share of right answers is found to differ from one half by `shift`; `sd` is theirs.

    n = ((z_0.975 + z_power) sd / shift)², the formula without any simulation: a check on it, and on printed tables.

    >>> round(participants_for(0.03, 0.10))  # Zanca et al. (2020): 53 %, sd 0.10
    87
    """
    from scipy.special import ndtri

    return float(((Z + ndtri(power)) * sd / shift) ** 2)


def _latent_choice(share: float, crowd: Crowd) -> float:
    """The d′ that makes that share of choices right on average."""
    return float(signal_detection.dprime_of_choices(share)) * math.sqrt(1 + crowd.items**2 + crowd.skill**2 / 2)


def _power(found: Iterator[tuple[int, Bools]], runs: int) -> dict[int, float]:
    hits: dict[int, int] = {}
    for size, seen in found:
        hits[size] = hits.get(size, 0) + int(seen.sum())
    return {size: count / runs for size, count in hits.items()}


def _blocks(runs: int, answers: int) -> Iterator[int]:
    step = max(1, BLOCK // max(answers, 1))
    yield from (min(step, runs - start) for start in range(0, runs, step))


def _told_apart(
    design: Design,
    crowd: Crowd,
    assigned: Ints,
    sizes: Sequence[int],
    runs: int,
    rng: np.random.Generator,
    *,
    within: float = 0.0,
) -> Iterator[tuple[int, Bools]]:
    """Whether hits and false alarms are found to differ, for each size: t of H − F with two-way standard errors."""
    signal = assigned < design.signals
    for block in _blocks(runs, assigned.size):
        said = say(design, crowd, assigned, runs=block, rng=rng)
        for size in sizes:
            mine = signal[:size]
            x = said[:, :size].astype(float)
            means = [(x * of).sum(axis=(1, 2)) / max(of.sum(), 1) for of in (mine, ~mine)]
            # each answer's part in H − F, so that the parts of a person or an item add up to theirs
            weight = mine / max(mine.sum(), 1) - ~mine / max((~mine).sum(), 1)
            residuals = (x - np.where(mine, means[0][:, None, None], means[1][:, None, None])) * weight
            error = np.sqrt(_two_way(residuals, assigned[:size], design.items))
            yield size, _seen(means[0] - means[1], error, min(size, design.items), within and 2 * within)


def _chosen(
    design: Design,
    crowd: Crowd,
    assigned: Ints,
    sizes: Sequence[int],
    runs: int,
    rng: np.random.Generator,
    *,
    within: float = 0.0,
) -> Iterator[tuple[int, Bools]]:
    """Whether choices are found to differ from one half."""
    for block in _blocks(runs, assigned.size):
        said = choose(crowd, assigned, design.items, runs=block, rng=rng)
        for size in sizes:
            x = said[:, :size].astype(float)
            mean = x.mean(axis=(1, 2))
            error = np.sqrt(_two_way((x - mean[:, None, None]) / x[0].size, assigned[:size], design.items))
            yield size, _seen(mean - 0.5, error, min(size, design.items), within)


def _seen(found: Floats, error: Floats, groups: int, within: float) -> Bools:
    """Whether a difference is found; with `within`, whether it is shown to be smaller than that."""
    from scipy.special import stdtrit

    if within:
        return np.asarray(np.abs(found) + float(stdtrit(groups - 1, 0.95)) * error < within)
    return np.asarray(np.abs(found) > float(stdtrit(groups - 1, 0.975)) * error)


def _agreeing(
    design: Design, crowd: Crowd, assigned: Ints, sizes: Sequence[int], runs: int, rng: np.random.Generator
) -> Iterator[tuple[int, Bools]]:
    """Whether answers to the same item are found to be alike: the mean product of two residuals, z over items."""
    for block in _blocks(runs, assigned.size):
        said = say(design, crowd, assigned, runs=block, rng=rng)
        for size in sizes:
            x = said[:, :size].astype(float)
            residuals = x - x.mean(axis=(1, 2), keepdims=True)
            sums, squares = (_by_item(of, assigned[:size], design.items) for of in (residuals, residuals**2))
            pairs = sums**2 - squares
            error = pairs.std(axis=1, ddof=1) * math.sqrt(design.items)
            yield size, pairs.sum(axis=1) > ONE_SIDED * np.maximum(error, 1e-12)


def _by_item(values: Floats, assigned: Ints, items: int) -> Floats:
    """The sum over the answers to each item, runs × items."""
    runs = len(values)
    place = (np.arange(runs)[:, None] * items + assigned.ravel()[None, :]).ravel()
    found = np.bincount(place, values.reshape(runs, -1).ravel(), minlength=runs * items)
    return np.asarray(found.reshape(runs, items), float)


def _two_way(parts: Floats, assigned: Ints, items: int) -> Floats:
    """The variance of a sum of residuals, people and items being samples (as stats.two_way.mean_error)."""
    by_people = parts.sum(axis=2)
    by_items = _by_item(parts, assigned, items)
    people, shown = by_people.shape[1], len(np.unique(assigned))
    own = [people / (people - 1) * (by_people**2).sum(axis=1), shown / max(shown - 1, 1) * (by_items**2).sum(axis=1)]
    total = own[0] + own[1] - (parts**2).sum(axis=(1, 2))
    return np.asarray(np.where(total > 0, total, np.maximum(*own)))


def _cells(row: Row) -> list[str]:
    what = row.what if row.what.startswith("no ") else f"{row.what} {row.effect:g}"
    power = [f"{100 * share:.0f} %" for share in row.power.values()]
    return [what, f"{100 * row.accuracy:.1f} %", *power, "false positives" if row.nothing else _needed(row)]


def _needed(row: Row) -> str:
    """How many, in words: about so many where that number itself was not simulated."""
    least, most = min(row.power), max(row.power)
    if not math.isfinite(row.needed):
        return f"more than {most}"
    if row.needed <= least:
        return f"at most {least}"
    return f"{'' if row.needed in row.power else 'about '}{row.needed:.0f}"


def _assumptions(found: Plan) -> Iterator[str]:
    """What the numbers hang on: first of all, how much items and people differ."""
    of, crowd = found.design, found.crowd
    things, unit = ("items", f"items ({of.signals} + {of.noises})") if of.noises else ("pairs", "pairs")
    usual = math.isclose(crowd.items, ITEM_SD) and math.isclose(crowd.bias, PERSON_SD)
    as_where = (
        f"as in Zanca et al. (κ {SOURCE_KAPPA:g})"
        if usual
        else f"so that guessing people agree by κ {_kappa(crowd):.2f}"
    )
    yield f"Assumes that {things} differ {as_where}: by an sd of {crowd.items:g}; --item-sd sets it."
    yield (
        f"Assumes that people differ in bias by an sd of {crowd.bias:g}; --person-sd sets it. The unit of both is the "
        "noise of one answer."
    )
    yield (
        f"{of.trials} scored trials per participant, {of.items} {unit}; {found.runs} simulated studies per row."
        + (f" Neither scored nor counted: {', '.join(found.uncounted)}." if found.uncounted else "")
    )
    if any(row.what == "κ" for row in found.rows):
        yield "In the rows of κ, items differ just enough to give that κ."


def _kappa(crowd: Crowd) -> float:
    """By how much people of a crowd who guess agree: `items_of_kappa` the other way round."""
    return 2 / math.pi * math.asin(crowd.items**2 / (1 + crowd.items**2 + crowd.bias**2 + crowd.skill**2 / 4))


def _sentence(row: Row, bound: float) -> str:
    sizes = list(row.power)
    if row.nothing:
        low, high = (f"{100 * of(row.power.values()):.0f}" for of in (min, max))
        many = low if low == high else f"{low} to {high}"
        return (
            f"Where there is nothing to find ({row.what} {row.effect:g}), {many} % of studies still find something: "
            "this is the false-positive rate, which should be 5 %."
        )
    what = _aim(row, bound)
    if math.isfinite(row.needed):
        next_up = next(size for size in sorted(sizes) if size >= row.needed)
        simulated = f"{next_up} were simulated: {100 * row.power[next_up]:.0f} %"
        return f"{what} in 4 of 5 studies: {_needed(row)} participants ({simulated})."
    most = max(sizes)
    more = "; more items would help more than more people" if _flat(row) else ""
    return f"{what}, {most} participants are not enough: only {100 * row.power[most]:.0f} % of studies succeed{more}."


def _aim(row: Row, bound: float) -> str:
    if row.what == "d′":
        return f"To find d′ {row.effect:g} ({100 * row.accuracy:.1f} % right)"
    if row.what.startswith("no "):
        return f"To show, where there is {row.what}, that answers are within {100 * bound:g} points of guessing"
    return f"To find {'an agreement of κ' if row.what == 'κ' else 'a preference of'} {row.effect:g}"


def _flat(row: Row) -> bool:
    """Whether the last third of the sizes hardly added to the power."""
    found = list(row.power.values())
    return len(found) > 3 and found[-1] - found[-3] < 0.05
