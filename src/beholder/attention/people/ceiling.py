"""The human ceiling: how well each person is predicted by the others, and scores as a share of that.

Everyone is predicted by all the others, so every map is made from the same number of people.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, NamedTuple, get_args

import numpy as np

from beholder.attention.criteria import first_fixations
from beholder.attention.maps.fixation_maps import others_map, pixels, sigma_px
from beholder.attention.measures.nss import z_scores
from beholder.attention.people.gold_standard import gold_standard
from beholder.attention.readouts import Surface
from beholder.attention.types import Density, Floats, Lookers, Picture
from beholder.core.measure import NotApplicable
from beholder.core.sample import Dataset
from beholder.errors import Misuse
from beholder.stats.ranking import place

By = Literal["hit_rate", "auc", "nss", "information_gain"]

MOST = 6  # observers who get rows of their own
TOP = 0.2  # of the picture: Torralba's binarisation is not published; with this data.md's 0.8648 is reproduced
CHANCE = {"hit_rate": TOP, "auc": 0.5, "nss": 0.0, "information_gain": 0.0}


class Congruency(NamedTuple):
    """How much alike people look: the mean over observers, with its standard error."""

    mean: float
    sem: float  # NaN for one observer
    n: int  # observers


class Course(NamedTuple):
    """Congruency at fixation number 1, 2 …; NaN where fewer than two observers are left."""

    mean: Floats
    sem: Floats
    n: np.ndarray[tuple[int], np.dtype[np.int64]]


def observers(lookers: Lookers) -> tuple[str, ...]:
    """Who fixated this picture at all."""
    return tuple(name for name, path in lookers.paths.items() if len(path))


def without(lookers: Lookers, who: str) -> Lookers:
    """Everybody but one."""
    return lookers.without(who)


def only(lookers: Lookers, who: str) -> Lookers:
    """One observer alone."""
    return lookers.only(who)


def predict_other(lookers: Lookers, picture: Picture) -> Density:
    """These people's prediction of where another will look: the gold standard."""
    return gold_standard(lookers)


def shown_observers(dataset: Dataset[Picture, Lookers]) -> Sequence[str]:
    """The observers who get rows of their own: up to six of those who saw both the first and the last picture."""
    first, last = (observers(dataset.reference(dataset.ids[at])) for at in (0, -1))
    both = [who for who in first if who in last]
    return both[:MOST] if len(both) > 1 else ()


def fixation_scores(lookers: Lookers, by: By = "nss", *, kept: float = TOP, sigma: float = 1.0) -> dict[str, Floats]:
    """The score of each fixation of each observer on the map of the others.

    The map is their fixations blurred by `sigma` degrees, reflected at the border. "auc" is the fixation's midrank
    among all pixels; "hit_rate" says whether it lies in the highest `kept` share of the map; "information_gain" is the
    gain of the others' gold standard over a uniform density, in bits. Observers without fixations are left out.
    """
    if by not in get_args(By):
        raise Misuse(f"got by={by!r}; expected one of {', '.join(map(repr, get_args(By)))}")
    seen = observers(lookers)
    if len(seen) < 2:
        raise NotApplicable("fewer than two people fixated this picture, so none can be left out")
    return {who: _scores_of(lookers, who, by=by, kept=kept, sigma=sigma) for who in seen}


def congruency(lookers: Lookers, by: By = "nss", *, kept: float = TOP, sigma: float = 1.0) -> Congruency:
    """Inter-observer congruency (Torralba et al. 2006): the mean over observers of how well the others predict each.

    Le Meur & Baccino also call it dispersion; as their footnote says, high dispersion is low congruency.

    >>> from beholder.attention.types import scanpath
    >>> here = scanpath([2, 2], [1, 1])
    >>> congruency(Lookers({"a": here, "b": here}, (4, 8), px_per_deg=0.1), "auc").mean  # all in one pixel of 32
    0.984375
    """
    each = [values.mean() for values in fixation_scores(lookers, by, kept=kept, sigma=sigma).values()]
    return mean_and_sem(np.array(each))


def congruency_by_number(lookers: Lookers, by: By = "nss", *, kept: float = TOP, sigma: float = 1.0) -> Course:
    """Congruency by fixation number: everybody's k-th fixation on the map of all fixations of the others.

    Observers with fewer than k fixations are left out of the k-th value.
    """
    each = list(fixation_scores(lookers, by, kept=kept, sigma=sigma).values())
    table = np.full((len(each), max(map(len, each))), np.nan)
    for row, values in zip(table, each, strict=True):
        row[: len(values)] = values
    return _course(table)


def congruency_by_count(
    lookers: Lookers, by: By = "nss", *, kept: float = TOP, sigma: float = 1.0, most: int | None = None
) -> Course:
    """Congruency by the number of fixations: everybody's first k fixations on maps of the others' first k.

    k runs up to `most`, or as long as two observers have made k fixations. Observers with fewer than k are left out of
    the k-th value, as predictors too, so all maps of one k are made from the same number of fixations.
    """
    lengths = sorted((len(path) for path in lookers.paths.values()), reverse=True)
    longest = lengths[1] if len(lengths) > 1 else 0
    if not longest:
        raise NotApplicable("fewer than two people fixated this picture, so none can be left out")
    rows = [
        _congruency_of_first(lookers, k, by=by, kept=kept, sigma=sigma)
        for k in range(1, min(longest, most or longest) + 1)
    ]
    mean, sem, n = zip(*rows, strict=True)
    return Course(np.array(mean), np.array(sem), np.array(n, np.int64))


def mean_course(courses: Sequence[Course]) -> Course:
    """The mean course of some pictures, with the standard error over pictures."""
    if not courses:
        raise ValueError("got no courses; expected one of a picture at least")
    table = np.full((len(courses), max(len(course.mean) for course in courses)), np.nan)
    for row, course in zip(table, courses, strict=True):
        row[: len(course.mean)] = course.mean
    return _course(table)


def group_congruency(
    lookers: Lookers, by: By = "nss", *, kept: float = TOP, sigma: float = 1.0, rng: np.random.Generator
) -> dict[tuple[str, str], Congruency]:
    """How well each group predicts its own observers and those of every other group, by (predicted, predicting).

    All maps are made from equally many people, drawn anew for each observer: one fewer than the smallest group has.
    Nobody predicts themselves. Groups are those of `Lookers.groups`; a group of fewer than two people has no row.
    """
    members = _group_members(lookers)
    if len(members) < 2:
        raise NotApplicable("there are no two groups with two observers or more each")
    size = min(map(len, members.values())) - 1
    found: dict[tuple[str, str], Congruency] = {}
    for seen, those in members.items():
        for seeing, others in members.items():
            each = []
            for who in those:
                drawn = rng.choice([name for name in others if name != who], size, replace=False).tolist()
                each.append(_scores_of(_subgroup(lookers, [*drawn, who]), who, by=by, kept=kept, sigma=sigma).mean())
            found[seen, seeing] = mean_and_sem(np.array(each))
    return found


def shrink(lookers: Lookers, *, longer: int = 200) -> Lookers:
    """The same people on a picture scaled down to a longer side of at most `longer` px: curves hardly change."""
    factor = max(1, -(-max(lookers.shape) // longer))
    if factor == 1:
        return lookers
    paths = {name: replace(path, x=path.x / factor, y=path.y / factor) for name, path in lookers.paths.items()}
    given = lookers.controls
    controls = None if given is None else replace(given, points=given.points / factor)
    shape = (-(-lookers.shape[0] // factor), -(-lookers.shape[1] // factor))
    return Lookers(paths, shape, sigma_px(lookers) / factor, controls, lookers.groups)


def normalised(score: float, ceiling: float, *, chance: float | None = None) -> float:
    """A score as a share of what people reach: score / ceiling, or (score − chance)/(ceiling − chance).

    1 is as good as people. NaN where people are not above chance (0 where none is given).

    >>> normalised(0.75, 0.875), normalised(0.75, 0.9, chance=0.5)
    (0.8571428571428571, 0.625)
    """
    least = chance or 0.0
    return (score - least) / (ceiling - least) if ceiling > least else math.nan


def normalised_auc(score: float, ideal: float) -> float:
    """The nAUC of OSIE's authors: 0.5 + (AUC − 0.5)/(AUC_ideal − 0.5)/2, so that chance is 0.5 and people are 1.

    >>> normalised_auc(0.7, 0.9)
    0.75
    """
    return 0.5 + normalised(score, ideal, chance=0.5) / 2


def _scores_of(lookers: Lookers, who: str, *, by: By, kept: float, sigma: float) -> Floats:
    where = pixels(lookers.paths[who].points, (lookers.shape[0], lookers.shape[1]))
    if by == "information_gain":
        log = gold_standard(lookers.without(who)).log
        return np.asarray((log[where] + math.log(log.size)) / math.log(2))
    found = Surface(others_map(lookers, who, sigma=sigma))
    if by == "nss":
        return z_scores(found, lookers, where)
    standing = place(found.at(where), found.ordered)
    if by == "auc":
        return standing.midrank
    above = standing.size - standing.less - standing.equal
    return np.clip((kept * standing.size - above) / standing.equal, 0, 1)


def _congruency_of_first(lookers: Lookers, count: int, *, by: By, kept: float, sigma: float) -> Congruency:
    long_enough = [name for name, path in lookers.paths.items() if len(path) >= count]
    return congruency(first_fixations(_subgroup(lookers, long_enough), count), by, kept=kept, sigma=sigma)


def _subgroup(lookers: Lookers, who: Sequence[str]) -> Lookers:
    """Some of the observers, as a group of their own."""
    paths = {name: path for name, path in lookers.paths.items() if name in who}
    return Lookers(paths, lookers.shape, lookers.px_per_deg, lookers.controls, lookers.groups)


def _group_members(lookers: Lookers) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in observers(lookers):
        if name in lookers.groups:
            found.setdefault(lookers.groups[name], []).append(name)
    return {group: those for group, those in found.items() if len(those) > 1}


def mean_and_sem(each: Floats) -> Congruency:
    """Mean and standard error of some values; NaN are left out."""
    held = each[~np.isnan(each)]
    sem = float(held.std(ddof=1) / math.sqrt(len(held))) if len(held) > 1 else math.nan
    return Congruency(float(held.mean()) if len(held) else math.nan, sem, len(held))


def _course(table: Floats) -> Course:
    """Mean and standard error of each column; NaN below two values."""
    rows = [mean_and_sem(column) for column in table.T]
    mean = np.array([row.mean if row.n > 1 else math.nan for row in rows])
    return Course(mean, np.array([row.sem for row in rows]), np.array([row.n for row in rows], np.int64))
