"""What Le Meur & Baccino (2013) claim of models and people, beside what comes out here: for the claims page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from beholder.attention.people.ceiling import Course
from beholder.attention.types import Floats
from beholder.claims.claim import Claim, claims_table, judge, judge_all, markdown_table
from beholder.claims.local_data import ABSENT
from beholder.claims.recordings import (
    CURVE,
    JUDD,
    KEPT,
    SETS,
    SURE,
    SetScores,
    evaluate,
    mean,
    mean_of_known,
    recordings,
    table,
)
from beholder.core.scores import JUDGED

if TYPE_CHECKING:
    import pandas as pd

Datasets = Mapping[str, SetScores]

# Table 2 of the paper: NSS and its SEM on the sets of Le Meur and of Bruce, by the model here that stands for theirs.
TABLE_2 = {
    "itti": ((0.60, 0.10), (0.99, 0.05)),
    "lemeur_like": ((0.77, 0.13), (0.87, 0.03)),
    "aim": ((0.60, 0.09), (0.72, 0.04)),
    JUDD: ((0.82, 0.11), (0.87, 0.05)),
}
NEEDED = f"{ABSENT} It needs mit1003_subset and eyecrowd_subset below BEHOLDER_DATA."


def claims() -> str:
    """The section: the paper's own experiment on two sets of real recordings, and eight of its claims."""
    here = recordings()
    if len(here) < len(SETS):
        return "\n\n".join([HEAD, NEEDED, scores_table({})])
    datasets = {name: evaluate(dataset) for name, dataset in here.items()}
    every = [
        above_chance(datasets),
        below_people(datasets),
        judd_best(datasets),
        order_flips(datasets),
        congruency_falls(datasets),
        salient_agreed_on(datasets),
        focal_bottom_up(datasets),
        focal_centred(datasets),
    ]
    tables = [scores_table(datasets), *map(curves_table, datasets.values()), claims_table(every)]
    return "\n\n".join([HEAD, _about(datasets), *tables, AFTER])


HEAD = (
    "### Models of salience and people\n\nLe Meur & Baccino (2013) score four models on two sets of recordings, by "
    "hit-rate curves and NSS. Those sets are not available, so the same is done here on two others, with all "
    "built-in models. Models named `…_like` are not copies: the originals' detectors or tables are not public. "
    "Numbers are means over pictures ± standard errors. Models are scored on each observer in turn; *people* are "
    "the map of the other observers' fixations, blurred by one degree (Torralba et al. 2006)."
)
AFTER = (
    "That a model is above chance says little: so is `centre` in the table above, a Gaussian in the middle that "
    "does not look at the picture. The shuffled AUC (sauc) counts only what a model knows beyond the centre. The "
    "authors decided by eye whether a picture is salient. Here models decide, and they do not know what people "
    "agree on; to our eyes they put faces, animals and writing at one end, and streets, crowds and a coast at the "
    "other. Focal and ambient fixations are separated by a saccade of 5 degrees, so only where px per degree are "
    "known; for EyeCrowd they are not."
)


def _about(datasets: Datasets) -> str:
    told = "; ".join(f"{name}: {len(one.peaks)} pictures" for name, one in datasets.items())
    return (
        f"The sets ({told}) are parts of the published ones. `{JUDD}` was trained on EyeCrowd and is not scored there."
    )


def scores_table(datasets: Datasets) -> str:
    """NSS of all models, with the paper's Table 2."""
    frames = {name: table(one.scores, "nss") for name, one in datasets.items()}
    names = dict.fromkeys([*TABLE_2, *(str(model) for frame in frames.values() for model in frame)])
    head = ["NSS", "paper, Le Meur's set", "paper, Bruce's set", *datasets]
    lines = [[name, *_quoted(name), *(_cell(frame, name) for frame in frames.values())] for name in names]
    return markdown_table(head, lines)


def _quoted(name: str) -> list[str]:
    return [f"{value:.2f} ± {sem:.2f}" for value, sem in TABLE_2[name]] if name in TABLE_2 else ["", ""]


def _cell(frame: pd.DataFrame, name: str) -> str:
    return str(mean(frame[name].to_numpy())) if name in frame else "—"


def curves_table(one: SetScores) -> str:
    """The hit-rate curves of one set."""
    frames = [table(one.scores, CURVE.format(kept)) for kept in KEPT] + [table(one.scores, "hit_area")]
    order = frames[-1].mean().sort_values(ascending=False).index
    head = [f"hit rate, {one.name}", *(f"top {100 * kept:g} %" for kept in KEPT), "area"]
    lines = [[name, *(f"{frame[name].mean():.2f}" for frame in frames)] for name in order]
    return markdown_table(head, lines)


def above_chance(datasets: Datasets) -> Claim:
    """Every model is above chance, in NSS and in the area under the hit-rate curve."""
    failing = _failing(datasets, lambda frame, name, chance: mean(frame[name].to_numpy() - chance).positive)
    weak = {dataset: _not_above(one, "centre") for dataset, one in datasets.items()}
    told = "; ".join(
        f"{dataset}: {len(names)} of {len(_models(datasets[dataset]))} not above `centre`"
        for dataset, names in weak.items()
    )
    ours = f"{_all_but(failing)}; but by NSS, at 95 %, {told}"
    return Claim("every model is above chance (NSS > 0, hit rate above the diagonal)", "Figure 14", ours, not failing)


def below_people(datasets: Datasets) -> Claim:
    """Every model is below people."""
    failing = _failing(datasets, lambda frame, name, _: mean((frame["people"] - frame[name]).to_numpy()).positive)
    return Claim("every model is below people", "Figure 14", _all_but(failing), not failing)


def judd_best(datasets: Datasets) -> Claim:
    """A Judd-type model is the best on average."""
    one = next(one for one in datasets.values() if JUDD in set(one.scores["model"]))
    first, told = [], []
    for measure in ("nss", "hit_area", "sauc"):
        means = table(one.scores, measure)[_models(one)].mean().sort_values(ascending=False)
        first.append(means.index[0] == JUDD)
        told.append(f"{measure} {means[JUDD]:.2f}, place {list(means.index).index(JUDD) + 1} (first: {means.index[0]})")
    averages = {name: sum(value for value, _ in row) / 2 for name, row in TABLE_2.items()}
    source = ", ".join(f"{name} {value:.3g}" for name, value in sorted(averages.items(), key=lambda item: -item[1]))
    ours = f"{one.name} only: {'; '.join(told)}"
    return Claim("a Judd-type model is best on average (NSS, hit rate)", source, ours, judge_all(first[:2]))


def order_flips(datasets: Datasets) -> Claim:
    """The order of models depends on the set."""
    frames = [table(one.scores, "nss") for one in datasets.values()]
    common = [name for name in _models(next(iter(datasets.values()))) if all(name in frame for frame in frames)]
    found = {}
    for a, b in combinations(common, 2):
        first, second = (mean((frame[a] - frame[b]).to_numpy()) for frame in frames)
        if first.value * second.value < 0:
            found[f"{a} and {b}"] = all(abs(one.value) > SURE * one.sem for one in (first, second))
    clear = [pair for pair, sure in found.items() if sure]
    pairs = len(common) * (len(common) - 1) // 2
    ours = f"{len(found)} of {pairs} pairs swap their order, {len(clear)} beyond 95 % on both sets"
    ours += f": {'; '.join(clear)}" if clear else f" ({'; '.join(found)})" if found else ""
    holds = judge(bool(clear), bool(found))
    return Claim("the order of models flips between sets", "Itti last of four, then first", ours, holds)


def congruency_falls(datasets: Datasets) -> Claim:
    """Congruency falls in the course of looking."""
    told, signs = [], []
    for one in datasets.values():
        change = mean(
            mean_of_known(one.ranks[:, :2]) - mean_of_known(one.ranks[:, 4:])
        )  # the first two fixations, the fifth and sixth
        signs.append(change.positive)
        told.append(f"{one.name}: {_course(one.rank)} at fixations 1 … 6")
    says = "congruency (hit rate in the top 20 %) falls with fixation number"
    return Claim(says, "Figure 13", "; ".join(told), judge_all(signs))


def salient_agreed_on(datasets: Datasets) -> Claim:
    """Pictures in which something stands out are above those in which nothing does."""
    told, signs = [], []
    for one in datasets.values():
        third = max(1, len(one.peaks) // 3)
        order, congruent = np.argsort(one.peaks, kind="stable"), one.congruent[:, 0]
        low, high = mean(congruent[order[:third]]), mean(congruent[order[-third:]])
        signs += [high.value - low.value > SURE * np.hypot(high.sem, low.sem), scatter(one.congruent) > 1]
        span = f"all from {congruent.min():.2f} to {congruent.max():.2f}"
        told.append(
            f"{one.name} {high} against {low}; {span}, {scatter(one.congruent):.1f} times the 95 % range of chance"
        )
    says = "people agree more on a salient picture than on a featureless one (congruency by NSS)"
    ours = f"thirds of the pictures, by how peaked the models' mean map is: {'; '.join(told)}"
    return Claim(says, "Parrots above Stream (Figure 13)", ours, judge_all(signs))


def scatter(congruent: Floats) -> float:
    """How much pictures differ in congruency: the mean square in standard errors, over what 95 % of chance stay below.

    Q/(n − 1), Q = Σ ((x − x̄)/s)², over 1 + 1.645 √(2/(n − 1)), the normal approximation of its distribution; x̄ is
    weighted by 1/s². Pictures without an error are left out; NaN below two.

    >>> scatter(np.array([[1.0, 1.0], [1.0, 1.0]])), scatter(np.array([[0.0, 0.1], [9.0, 0.1]])) > 1
    (0.0, True)
    """
    x, s = congruent[congruent[:, 1] > 0].T
    if len(x) < 2:
        return float("nan")
    q = (((x - np.average(x, weights=s**-2)) / s) ** 2).sum() / (len(x) - 1)
    return float(q / (1 + 1.645 * np.sqrt(2 / (len(x) - 1))))


def focal_bottom_up(datasets: Datasets) -> Claim:
    """Focal fixations are more bottom-up: models predict them better than ambient ones."""
    one = next(one for one in datasets.values() if len(one.off_centre))
    told, signs = [], []
    for measure in ("nss", "sauc"):
        parts = [table(one.scores, measure, part)[_models(one)] for part in ("focal", "ambient")]
        gains = [mean((parts[0][name] - parts[1][name]).to_numpy()) for name in parts[0]]
        both = [mean(part.mean(axis=1).to_numpy()) for part in parts]
        change = mean((parts[0] - parts[1]).mean(axis=1).to_numpy())
        signs.append(change.positive)
        better = sum(gain.positive for gain in gains)
        told.append(f"{measure} {both[0]} against {both[1]}, {better} of {len(gains)} models better beyond 95 %")
    ours = f"{one.name}: mean of the models, {'; '.join(told)}"
    return Claim(
        "focal fixations are more bottom-up than ambient ones", "Follet et al., in the text", ours, judge_all(signs)
    )


def focal_centred(datasets: Datasets) -> Claim:
    """Focal fixations are nearer to the centre."""
    one = next(one for one in datasets.values() if len(one.off_centre))
    near, far = (mean(one.off_centre[:, at]) for at in (0, 1))
    holds = mean(one.off_centre[:, 1] - one.off_centre[:, 0]).positive
    ours = f"{one.name}: {near} against {far} degrees from the middle"
    return Claim("focal fixations are more centred than ambient ones", "Follet et al., in the text", ours, holds)


def _models(one: SetScores) -> list[str]:
    """The models that look."""
    rows = one.scores
    return list(dict.fromkeys(rows.loc[rows["role"].isin(JUDGED), "model"]))


def _failing(datasets: Datasets, passes: Callable[[pd.DataFrame, str, float], bool]) -> list[str]:
    """Models that do not pass, with the measure and the set."""
    found = []
    for dataset, one in datasets.items():
        for measure, chance in (("nss", 0.0), ("hit_area", 0.5)):
            frame = table(one.scores, measure)
            found += [f"{name} ({measure}, {dataset})" for name in _models(one) if not passes(frame, name, chance)]
    return found


def _not_above(one: SetScores, other: str) -> list[str]:
    frame = table(one.scores, "nss")
    return [name for name in _models(one) if not mean((frame[name] - frame[other]).to_numpy()).positive]


def _all_but(failing: Sequence[str]) -> str:
    return f"all but {', '.join(failing)}" if failing else "all, beyond 95 %"


def _course(course: Course) -> str:
    return ", ".join(f"{value:.2f}" for value in course.mean[:6])
