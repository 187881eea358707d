"""What Ling et al. (2025, VMBench) claim of motion in generated video, beside what comes out here: the claims page."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from beholder.claims.claim import Claim, judge, judge_all, markdown_table
from beholder.claims.ling_elsewhere import Elsewhere, measured_elsewhere
from beholder.claims.local_data import ABSENT, data_folder
from beholder.stats import resampled_correlation as correlation
from beholder.video.data.printed import FIVE, Row, ablation, leaderboard, spearman
from beholder.video.release.commonsense import UNTRAINED
from beholder.video.release.total import total

OURS = "PMM"  # the paper's five measures
ALL = "all five"
NEAR = 0.1  # points: a printed mean may be cut off instead of rounded
MODELS, RATED = 6, 1200  # generators, and clips that were shown to people: 200 prompts, if each has all six
CATEGORIES = 969
IMPROVED = 35.3  # per cent, as the abstract has it
TRADE_OFF = -0.18  # PAS and OIS
TOTAL = "motion_total"
RIVALS = ("ssim", "mean_flow")  # of the paper's table, those that are here
RATINGS = "FETV's ratings of temporal quality"
OPEN = "in its table; cannot be tested"

HEAD = (
    "### Motion in generated video\n\nLing et al. (2025) propose five measures of motion (PMM: CAS, MSS, OIS, PAS, "
    "TCS) and compare them with others on ratings of 1,200 generated clips. Neither the ratings nor the clips are "
    "in its repository, so none of the paper's correlations can be recomputed. What can be checked is whether its "
    "numbers agree with one another, what its released scripts would have computed, and how measures of the same "
    "kind do on other ratings. The paper's numbers are taken from a digest of the paper and from the README of its "
    "repository."
)
SCRIPTS = (
    "**The released scripts** cannot have produced the leaderboard. CAS never loads its weights, so every clip gets "
    f"{100 * UNTRAINED:.3f}, while the leaderboard's column has 31.2 to 62.8. The table looks for PAS under a "
    "misspelt name, so its total is over four measures. The measures `…_release` reproduce these and eight further "
    "defects; choose them with `--set definition=release`."
)
AVERAGES = (
    "**The printed averages are not the means** of their rows for PMM, HunyuanVideo and Wan2.1. The means are used "
    "here."
)
NOT_ELSEWHERE = f"{ABSENT} It needs fetv_clips below BEHOLDER_DATA."


class Checked(NamedTuple):
    """A claim, and what was measured elsewhere of it."""

    claim: Claim
    elsewhere: str = "—"

    @property
    def cells(self) -> tuple[str, ...]:
        """The row of the table."""
        return self.claim.says, self.claim.source, self.claim.here, self.elsewhere, self.claim.verdict


def claims() -> str:
    """The section: the paper's tables, what they add up to, and its claims one by one."""
    return section(measured_elsewhere(), data_folder("vmbench_prompts"))


def section(elsewhere: Elsewhere | None, prompts: Path | None) -> str:
    """The section, from what was measured on other ratings and the folder of the released prompts, where they are."""
    rows = [
        best_on_all_five(elsewhere),
        averages(),
        improvement(),
        largest_drop(elsewhere),
        each_pays(),
        trade_off(elsewhere),
        wan_is_best(),
        leaderboard_averages(),
        categories(prompts),
    ]
    head = ["claim", "paper", "from its own numbers", "on other clips and ratings", "verdict"]
    tables = [correlations_table(), ablation_table(), leaderboard_table()]
    after = SCRIPTS if elsewhere else f"{SCRIPTS}\n\nOn other ratings: {NOT_ELSEWHERE}"
    return "\n\n".join([HEAD, *tables, AVERAGES, markdown_table(head, [row.cells for row in rows]), after])


# The paper's tables, with what they add up to.


def correlations_table() -> str:
    """Spearman's ρ × 100 with people, and the mean of the five beside the printed one."""
    head = ["ρ × 100", *FIVE, "average, printed", "mean of the five"]
    return markdown_table(head, [[name, *_five(row), f"{row.mean:.2f}"] for name, row in spearman().items()])


def ablation_table() -> str:
    """All nine combinations, with the printed changes and those that the accuracies give."""
    head = ["preferences predicted", "accuracy, %", "change, printed", "change, computed", "against"]
    lines = []
    for name, row in ablation().items():
        change = changes().get(name)
        computed = [f"{change.by:+.1f}", change.against] if change else ["", ""]
        lines.append([name, f"{row.accuracy:.1f}", row.change, *computed])
    return markdown_table(head, lines)


def leaderboard_table() -> str:
    """Six generators, the printed average, the mean of the five, and the total as the released script makes it."""
    head = ["generator", *FIVE, "average, printed", "mean of the five", "of four, as released"]
    lines = [[name, *_five(row), f"{row.mean:.2f}", f"{as_released(row):.2f}"] for name, row in leaderboard().items()]
    return markdown_table(head, lines)


def _five(row: Row) -> list[str]:
    return [f"{value:.1f}" for value in (*row.five.values(), row.average)]


def as_released(row: Row) -> float:
    """The total that the released script would print of these five."""
    return total({name: [value / 100] for name, value in row.five.items()})


class Change(NamedTuple):
    """By how many points a combination predicts more than another."""

    by: float
    against: str


def changes() -> dict[str, Change]:
    """What the nine accuracies give where the paper prints a change."""
    against = {"CAS + MSS": "CAS only", "CAS + MSS + OIS": "CAS + MSS"}
    found = {name: against.get(name, ALL) for name, row in ablation().items() if row.change}
    return {name: Change(gained(name, other), other) for name, other in found.items()}


def gained(name: str, other: str) -> float:
    """What one combination has more than another, points."""
    return ablation()[name].accuracy - ablation()[other].accuracy


# The claims.


def best_on_all_five(elsewhere: Elsewhere | None) -> Checked:
    """PMM agrees with people better than every rival on all five dimensions."""
    rivals = {name: row for name, row in spearman().items() if name != OURS}
    own, won, told = spearman()[OURS].five, [], []
    for of in FIVE:
        best = max(rivals, key=lambda name: rivals[name].five[of])
        won.append(own[of] > rivals[best].five[of])
        told.append(f"{of} {own[of]:.1f} (next: {best} {rivals[best].five[of]:.1f})")
    holds = judge(False, all(won))
    claim = Claim("PMM is best on all five dimensions", "ρ × 100 of 54.5 to 77.1", ", ".join(told), holds, OPEN)
    return Checked(claim, _beside_rivals(elsewhere))


def _beside_rivals(elsewhere: Elsewhere | None) -> str:
    if elsewhere is None:
        return "—"
    shown = [name for name in (TOTAL, *RIVALS) if name in elsewhere.agreement]
    told = "; ".join(f"{name} {elsewhere.agreement[name]}" for name in shown)
    return f"ρ of classical measures with {RATINGS}: {told}"


def averages() -> Checked:
    """The averages of the table of correlations."""
    told, holds = _means(spearman())
    return Checked(Claim("average correlation: PMM 62.2, the best other method 26.9", "62.2, 26.9", told, holds))


def leaderboard_averages() -> Checked:
    """The averages of the leaderboard."""
    rows = leaderboard()
    told, holds = _means(rows)
    by_mean, by_average = (
        sorted(rows, key=key) for key in (lambda name: rows[name].mean, lambda name: rows[name].average)
    )
    order = "the same" if by_mean == by_average else "another"
    return Checked(Claim("the leaderboard's averages", "51.6 to 78.4", f"{told}. The order is {order}", holds))


def _means(rows: Mapping[str, Row]) -> tuple[str, bool | None]:
    """Which printed averages are the means of their rows."""
    wrong = {name: row for name, row in rows.items() if abs(row.average - row.mean) > NEAR}
    told = "; ".join(f"{name} has {row.mean:.2f}, not {row.average}" for name, row in wrong.items())
    here = f"{len(rows) - len(wrong)} of {len(rows)} are the means of their rows{': ' + told if wrong else ''}"
    return here, judge(not wrong, len(wrong) < len(rows))


def improvement() -> Checked:
    """The 35.3 % of the abstract."""
    rows = spearman()
    best = max((name for name in rows if name != OURS), key=lambda name: rows[name].average)
    own, other = rows[OURS], rows[best]
    difference = own.average - other.average
    here = (
        f"{own.average} − {other.average} = {difference:.1f} is in points of ρ × 100, not per cent, over {best} "
        f"alone, and uses a wrong average; the rows give {own.mean:.1f} − {other.mean:.1f} = "
        f"{own.mean - other.mean:.1f} points"
    )
    holds = judge(False, abs(difference - IMPROVED) < 0.05)
    says = f"{IMPROVED} % better than baselines on average"
    return Checked(Claim(says, f"{IMPROVED} %", here, holds, "a difference, not per cent"))


def largest_drop(elsewhere: Elsewhere | None) -> Checked:
    """CAS contributes most: without it accuracy falls most."""
    drops = {name: change.by for name, change in changes().items() if change.against == ALL}
    first, second, *_ = ranked = sorted(drops, key=drops.__getitem__)
    pairs = RATED // MODELS * math.comb(MODELS, 2)
    error = 100 * math.sqrt(0.7 * 0.3 / pairs)
    here = (
        f"{', '.join(f'{name} {drops[name]:+.1f}' for name in ranked)}: first by {drops[second] - drops[first]:.1f} "
        f"points. Even if all {pairs:,} pairs of clips of one prompt were judged, one accuracy has a standard error "
        f"of {error:.1f}"
    )
    holds = judge(False, first == "without CAS")
    return Checked(Claim("CAS contributes most", "−6.5 points without it", here, holds, OPEN), _left_out(elsewhere))


def _left_out(elsewhere: Elsewhere | None) -> str:
    if elsewhere is None:
        return "—"
    told = ", ".join(f"without {name} {elsewhere.total(without=name):.2f}" for name in elsewhere.said)
    return f"CAS needs a network. ρ of the mean of the other four with {RATINGS}: {elsewhere.total():.2f}; {told}"


def each_pays() -> Checked:
    """Every measure adds to the others."""
    steps = ("CAS only", "CAS + MSS", "CAS + MSS + OIS", "without TCS", ALL)
    added = [gained(after, before) for before, after in pairwise(steps)]
    told = ", ".join(f"{name} {change:+.1f}" for name, change in zip(("MSS", "OIS", "PAS", "TCS"), added, strict=True))
    here = f"added in turn to CAS: {told}; left out of the five, each costs accuracy"
    says = "the five complement one another"
    return Checked(Claim(says, "58.9 to 70.6", here, judge_all([change > 0 for change in added])))


def trade_off(elsewhere: Elsewhere | None) -> Checked:
    """PAS and the other dimensions exclude each other."""
    columns = {of: np.array([row.five[of] for row in leaderboard().values()]) for of in FIVE}
    rho = {of: float(correlation.spearman(columns["PAS"], own)[0]) for of, own in columns.items() if of != "PAS"}
    told = ", ".join(f"{of} {value:+.2f}" for of, value in rho.items())
    here = (
        f"over the six generators, ρ of PAS with {told}: with six points, none is beyond chance. Scores of single "
        "clips are not public"
    )
    says = "PAS is negatively correlated with the others: amplitude is traded for integrity"
    holds = judge_all([value < 0 for value in rho.values()])
    claim = Claim(says, f"ρ = {TRADE_OFF} with OIS", here, holds, "with OIS alone; not reproduced")
    return Checked(claim, _pairs(elsewhere))


def _pairs(elsewhere: Elsewhere | None) -> str:
    if elsewhere is None:
        return "—"
    rho, clips = elsewhere.correlation("PAS", "OIS")
    return f"ρ = {rho:+.2f} over {clips} of FETV's clips, by the classical measures"


def wan_is_best() -> Checked:
    """Wan2.1 is the best generator, with 78.4."""
    rows = leaderboard()
    first, second, *_ = sorted(rows, key=lambda name: -rows[name].mean)
    one, other = rows[first], rows[second]
    here = (
        f"{first} is first with {one.mean:.2f}, {one.mean - other.mean:.1f} points ahead of {second}, not "
        f"{one.average - other.average:.1f}; without PAS it has {as_released(one):.2f}"
    )
    holds = judge(first == "Wan2.1" and abs(one.average - one.mean) <= NEAR, first == "Wan2.1")
    return Checked(Claim("Wan2.1 is best, with 78.4", "78.4", here, holds, "best, but not with 78.4"))


def categories(prompts: Path | None) -> Checked:
    """The 969 categories of motion."""
    says, source = f"{CATEGORIES} categories of motion in six patterns", f"{CATEGORIES}, 6"
    if prompts is None:
        here = f"{ABSENT} It needs vmbench_prompts below BEHOLDER_DATA."
        return Checked(Claim(says, source, here, None, "not tested"))
    counts = counted(prompts)
    here = (
        f"the {counts['prompts']:,} released prompts have {counts['actions']:,} different actions, and the list of "
        f"actions has {counts['types']:,}; no file names a pattern or a category"
    )
    found = CATEGORIES in counts.values()
    return Checked(Claim(says, source, here, judge(found, True), "not found in the release"))


def counted(prompts: Path) -> dict[str, int]:
    """How many prompts, different actions in them, and different lines in the list of actions there are."""
    records = json.loads((prompts / "prompts" / "prompts.json").read_text("utf-8"))
    types = (prompts / "prompts" / "action_type.txt").read_text("utf-8").splitlines()
    return {"prompts": len(records), "actions": len({record["action"] for record in records}), "types": len(set(types))}
