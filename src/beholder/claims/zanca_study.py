"""What Zanca et al. (2020) claim of their study with people (Table 2, five κ), analysed anew from what is printed."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.claims.claim import Claim, claims_table, judge_all, markdown_table
from beholder.stats import rater_agreement, signal_detection
from beholder.stats.equivalence import tost
from beholder.study.analysis.table2 import KAPPAS as PRINTED_KAPPAS
from beholder.study.analysis.table2 import SOURCE, Printed
from beholder.study.design.plan import items_of_kappa, participants_for
from beholder.study.design.simulation import Crowd, Design, say

Floats = NDArray[np.float64]


TABLE_2 = {
    "overall": SOURCE["accuracy"],
    "expert evaluators": SOURCE["accuracy, expert"],
    "naive evaluators": SOURCE["accuracy, naive"],
    "human videos labelled as human": SOURCE["human labelled human"],
    "synthetic videos labelled as human": SOURCE["synthetic labelled human"],
}
LABELLED_HUMAN = SOURCE["labelled human"].mean  # the text's share of clips that were called human
NAMES = {"expert": "experts", "human items": "human clips", "synthetic items": "synthetic clips"}
KAPPAS = {NAMES.get(name, name): kappa for name, kappa in PRINTED_KAPPAS.items()}
PEOPLE, TRIALS, CLIPS = 35, 20, 240  # clips are inferred: 60 films and 60 pictures, people's gaze and the model's
EXPERTS = 18  # assumed: the text says about half
BOUND = 0.05
RUNS = 200
HEAD = (
    f"### The study with people\n\nZanca et al. (2020) showed {PEOPLE} people {TRIALS} clips of gaze each, ten from "
    "people and ten from their model, and asked which are human. Their Table 2 and their five κ, as printed:"
)
READING = (
    "The answers themselves are not public, so this is an analysis of the printed means, not of the data. Two "
    f"numbers are inferred, not printed: {EXPERTS} experts (the text says 'about half'), and {CLIPS} clips (60 films "
    "and 60 pictures, each with people's gaze and with the model's). *Is not shown* means that the printed numbers "
    "are compatible with the claim and with its opposite. Your own study can settle what these numbers leave open: "
    "`beholder study new scanpaths`, `beholder study plan`, `beholder study analyse`."
)


def claims() -> str:
    """The section: the printed tables, and the claims one by one."""
    every = [
        close_to_chance(),
        cannot_be_told(),
        experts_are_better(),
        asked_for_half(),
        skill_of_people(),
        kappa_as_printed(),
        kappa_by_expertise(),
        enough_people(),
    ]
    return "\n\n".join([HEAD, quoted(), READING, claims_table(every)])


def quoted() -> str:
    """Table 2 and the κ, as they stand there."""
    rows = [[name, str(row)] for name, row in TABLE_2.items()]
    rows += [[f"κ, {name}", f"{kappa:.2f}"] for name, kappa in KAPPAS.items()]
    return markdown_table(["of the paper", "mean (sd over participants)"], rows)


class Interval(NamedTuple):
    """A mean over participants by Student's t."""

    mean: float
    lo: float
    hi: float
    t: float  # against one half
    p: float
    se: float


def interval(row: Printed, people: int) -> Interval:
    """The 95 % interval of a printed mean, and its test against guessing.

    >>> found = interval(Printed(0.53, 0.10), 35)
    >>> [round(value, 3) for value in found[1:5]]
    [0.496, 0.564, 1.775, 0.085]
    """
    from scipy.special import stdtr, stdtrit

    se = row.sd / math.sqrt(people)
    reach, t = float(stdtrit(people - 1, 0.975)) * se, (row.mean - 0.5) / se
    return Interval(row.mean, row.mean - reach, row.mean + reach, t, 2 * float(stdtr(people - 1, -abs(t))), se)


def close_to_chance() -> Claim:
    """The overall accuracy is close to the random policy."""
    found = interval(TABLE_2["overall"], PEOPLE)
    rates = [TABLE_2[name].mean for name in list(TABLE_2)[3:]]
    told = signal_detection.from_rates(*rates)
    ours = (
        f"d′ {float(told.dprime):.3f}, criterion {float(told.criterion):.3f}; accuracy {found.mean:.2f} "
        f"[{found.lo:.3f}, {found.hi:.3f}], t = {found.t:.2f}, p = {found.p:.3f}: the interval includes chance"
    )
    says = "the accuracy (53 %) is very close to the random policy (50 %)"
    return Claim(says, "0.53 (0.10)", ours, found.lo < 0.5 < found.hi)


def cannot_be_told() -> Claim:
    """Scanpaths of the model are not easily distinguishable: a claim of equivalence."""
    row = TABLE_2["overall"]
    found = interval(row, PEOPLE)
    test = tost(row.mean - 0.5, found.se, BOUND, df=PEOPLE - 1)
    ours = (
        f"that people are within {100 * BOUND:g} points of guessing is {'' if test.equivalent else 'not '}shown "
        f"(equivalence test, p = {test.p:.2f}): finding no difference does not show that there is none"
    )
    says = "few elements allow observers to distinguish human from synthetic scanpaths"
    return Claim(says, "Table 2", ours, True if test.equivalent else None, in_part="is not shown")


def experts_are_better() -> Claim:
    """Experts are slightly better than naive observers."""
    one, other = (TABLE_2[f"{name} evaluators"] for name in ("expert", "naive"))
    difference, p = welch((one, EXPERTS), (other, PEOPLE - EXPERTS))
    own = interval(one, EXPERTS)
    ours = (
        f"the difference is {difference:.2f}, p = {p:.2f} (Welch); experts alone {own.mean:.2f} "
        f"[{own.lo:.3f}, {own.hi:.3f}], assuming {EXPERTS} of them"
    )
    return Claim(
        "experts score slightly larger than naive observers",
        "0.55 (0.11), 0.50 (0.09)",
        ours,
        True if p < 0.05 else None,
        in_part="is not shown",
    )


def welch(one: tuple[Printed, int], other: tuple[Printed, int]) -> tuple[float, float]:
    """The difference of two printed means, and its p by Welch's test.

    >>> difference, p = welch((Printed(0.55, 0.11), 18), (Printed(0.50, 0.09), 17))
    >>> round(difference, 2), round(p, 2)
    (0.05, 0.15)
    """
    from scipy.special import stdtr

    parts = [row.sd**2 / n for row, n in (one, other)]
    df = sum(parts) ** 2 / sum(part**2 / (n - 1) for part, (_, n) in zip(parts, (one, other), strict=True))
    difference = one[0].mean - other[0].mean
    return difference, 2 * float(stdtr(df, -abs(difference) / math.sqrt(sum(parts))))


def asked_for_half() -> Claim:
    """The share of clips that were called human."""
    share = (TABLE_2["human videos labelled as human"].mean + TABLE_2["synthetic videos labelled as human"].mean) / 2
    ours = f"the mean of both rows of Table 2 is {share:.3f}; both count equally, because ten of each kind were shown"
    return Claim("49.4 % of the clips were called human", "text", ours, abs(share - LABELLED_HUMAN) < 0.005)


def skill_of_people() -> Claim:
    """Whether participants differ by more than chance."""
    by_chance = math.sqrt(0.25 / TRIALS)
    sd = TABLE_2["overall"].sd
    ours = f"{TRIALS} guesses have an sd of {by_chance:.3f}; the printed one is {sd:.2f}: no sign of individual skill"
    return Claim("(ours) some participants are better than others", "not asked", ours, sd > 1.25 * by_chance)


def kappa_as_printed() -> Claim:
    """The paper's formula of κ needs as many answers to every clip, and calls their number that of the annotators."""
    x = answered(KAPPAS["all"], np.random.default_rng(0))
    many = np.isfinite(x).sum(axis=1)
    yes = np.nansum(x, axis=1)
    literal = literal_kappa(yes, many - yes, PEOPLE)
    ours = (
        f"the formula needs the same n for every clip. Here {PEOPLE * TRIALS} answers to {CLIPS} clips (inferred) "
        f"are {PEOPLE * TRIALS / CLIPS:.1f} each on average, and n differs because clips are drawn at random "
        f"({many.min()} to {many.max()} in a simulation of the design). With n = {PEOPLE}, as the paper explains it, "
        f"the same answers give κ = {literal:.2f}; the form for unequal n (Gwet 2014) gives "
        f"{rater_agreement.fleiss(x):.2f}"
    )
    return Claim("κ by the printed formula, n the total number of annotators", "κ = 0.15", ours, holds=False)


def literal_kappa(yes: Floats, no: Floats, n: int) -> float:
    """κ with the same n for every item, whatever number of answers it has.

    >>> round(literal_kappa(np.array([3.0, 0.0]), np.array([0.0, 3.0]), 3), 3), round(
    ...     literal_kappa(np.array([3.0, 0.0]), np.array([0.0, 3.0]), 35), 2)
    (1.0, -0.99)
    """
    agreement = float(np.mean((yes * (yes - 1) + no * (no - 1)) / (n * (n - 1))))
    shares = np.array([yes.sum(), no.sum()]) / (yes.sum() + no.sum())
    chance = float((shares**2).sum())
    return (agreement - chance) / (1 - chance)


def kappa_by_expertise() -> Claim:
    """Experts agree more than naive observers."""
    rng = np.random.default_rng(1)
    drawn = np.array([spread_of_kappas(answered(KAPPAS["all"], rng)) for _ in range(RUNS)])
    apart = np.abs(drawn[:, 1] - drawn[:, 2])
    gap = KAPPAS["experts"] - KAPPAS["naive"]
    often = float((apart >= gap).mean())
    lo, hi = np.quantile(drawn[:, 0], [0.025, 0.975])
    ours = (
        f"in {RUNS} simulated studies of this design with a true κ of {KAPPAS['all']:.2f} for everybody, κ of all "
        f"comes out at {lo:.2f} to {hi:.2f} (95 %), and groups of {EXPERTS} and {PEOPLE - EXPERTS} differ by "
        f"{gap:.2f} or more in {often:.0%}. κ above 0 at chance accuracy means that people agree on which clips look "
        "human, but are wrong"
    )
    signs = [bool(lo > 0), often < 0.05]
    return Claim(
        "slight agreement, fair among experts (0.20, against 0.09)", "κ 0.15, 0.20, 0.09", ours, judge_all(signs)
    )


def answered(kappa: float, rng: np.random.Generator) -> Floats:
    """Clips × people in the source's design: each sees ten human and ten synthetic clips at random."""
    half = CLIPS // 2
    design = Design(half, half, TRIALS // 2, TRIALS // 2)
    shown = [
        np.concatenate([rng.permutation(half)[: TRIALS // 2], half + rng.permutation(half)[: TRIALS // 2]])
        for _ in range(PEOPLE)
    ]
    crowd = Crowd(dprime=0.176, bias=0.2, skill=0.0, items=items_of_kappa(kappa, Crowd(bias=0.2)))
    said = say(design, crowd, np.array(shown), runs=1, rng=rng)[0]
    table = np.full((CLIPS, PEOPLE), np.nan)
    for who, items in enumerate(shown):
        table[items, who] = said[who]
    return table


def spread_of_kappas(x: Floats) -> tuple[float, float, float]:
    """κ of all, of the first people as experts, and of the others."""
    return rater_agreement.fleiss(x), rater_agreement.fleiss(x[:, :EXPERTS]), rater_agreement.fleiss(x[:, EXPERTS:])


def enough_people() -> Claim:
    """How many people it would have taken."""
    row = TABLE_2["overall"]
    needed = participants_for(row.mean - 0.5, row.sd)
    ours = (
        f"to find 53 % in 4 of 5 studies at that sd takes {needed:.0f} participants; treating items as a sample "
        "takes more"
    )
    return Claim("(ours) 35 participants are enough to find what was found", "35 participants", ours, needed <= PEOPLE)
