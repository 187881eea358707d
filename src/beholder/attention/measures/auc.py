"""Areas under ROC curves: how well a map tells fixated places from others, whatever its scale.

They differ by what the others are, which thresholds are tried, and whether a pixel that was fixated twice counts
twice; published numbers differ by nothing else. There is never a jitter: ties count one half where areas are exact.
A constant map has 0.5 (0.5 of the exact ones; see each). Where everybody together made fewer than 15 fixations, an
area keeps its value and is of low confidence: 0.85 and 0.75 change places in 17 % of draws of 5. Deviation: Le Meur &
Baccino print FPR = FP/(TP + FN), and plot it upwards; it is FP/(FP + TN), along the abscissa.
"""

from __future__ import annotations

from functools import partial
from typing import Literal

import numpy as np

from beholder.attention.maps.fixated_pixels import (
    NOTHING_ELSE,
    Duplicates,
    among_controls,
    at_fixations,
    check_choice,
    controls_of,
    derived_rng,
    fixated_pixels,
    merge_duplicates,
    rank_among_all,
    unfixated_values,
    with_counts,
)
from beholder.attention.maps.fixation_maps import Where, made_once, pixels
from beholder.attention.measures._matched import Match, matched_midranks
from beholder.attention.readouts import Surface, control_gaussian, control_pixels, surface
from beholder.attention.types import Controls, Floats, Lookers
from beholder.core.measure import NotApplicable, Result, measure
from beholder.stats import roc
from beholder.stats.ranking import Place, place
from beholder.stats.samples import mean

Others = Literal["uniform", "unfixated", "shuffled"]
Thresholds = Literal["all", "fixated"]
Prior = Literal["kept", "removed"]

NO_PRIOR = "a map is not a density: it has no probabilities to divide by those of other pictures"


@measure(better="higher", bounds=(0, 1), cite="LeMeur2013, Kummerer2018", reads=surface)
def auc(
    found: Surface,
    lookers: Lookers,
    *,
    controls: Others | Floats = "uniform",
    thresholds: Thresholds = "all",
    duplicates: Duplicates = "keep",
) -> Result:
    """AUC: how often a fixated pixel is more salient than a control pixel, ties counting one half; chance is 0.5.

    AUC = mean over fixations of (#{c < s} + ½ #{c = s})/#c, where s is the value at the fixation and c are the values
    at the controls. `controls` are all pixels, fixated ones included ("uniform"); the pixels that nobody fixated
    ("unfixated"); the fixations on other pictures ("shuffled", see `sauc`); or points of your own, of shape (n, 2).
    With `thresholds` "fixated" the curve has vertices at fixated values only (pysaliency's Judd), which favours maps
    with ties. With "merge" a pixel counts once, however often it was fixated.

    Not applicable without a fixation or without a control; one fixation is enough. A constant map scores 0.5. With
    "uniform" controls it equals `percentile` (midrank) / 100, and the area under the hit-rate curve.

    >>> from beholder.attention.types import scanpath
    >>> auc(Surface(np.array([[1.0, 2.0, 3.0, 3.0]])), Lookers({"a": scanpath(2, 0)}, (1, 4))).value  # (2 + ½ 2)/4
    0.75
    """
    where = fixated_pixels(found, lookers, duplicates)
    check_choice("thresholds", thresholds, Thresholds)
    if thresholds == "all":
        return with_counts(mean(_midranks(found, lookers, controls, duplicates)), lookers, where)
    positives = found.at(where)
    curve = roc.roc(positives, _ordered(found, lookers, controls), at=positives)
    return with_counts(roc.area(curve), lookers, where)


@measure(better="higher", bounds=(0, 1), cite="Tatler2005, LeMeur2013, Kummerer2018", reads=surface)
def sauc(
    found: Surface,
    lookers: Lookers,
    *,
    match: Match = "none",
    window_ms: float = 500.0,
    duplicates: Duplicates = "keep",
    prior: Prior = "kept",
) -> Result:
    """Shuffled AUC: fixations on this picture against fixations on other pictures, which removes the centre bias.

    AUC = mean over fixations of (#{c < s} + ½ #{c = s})/#c, where c are this map's values at all fixations on all other
    pictures, repeated ones included (Tübingen). `match` keeps, for each fixation, only the controls of the same
    "observer", of the same "time" (onsets at most `window_ms` apart), or of "both", as Le Meur & Baccino ask; a
    fixation without such a control is left out and counted in the part `unmatched`. The measure underrates whatever is
    salient in the centre.

    A density is read as a map, so a blind model scores about 0.5 (`uniform` exactly; `centre` 0.50 on 41 pictures of
    MIT1003 and on the built-in ones). With `prior` = "removed", a Gaussian with the controls' mean and covariance is
    divided out of the density: log p − log p_c. That is the best use of a density; maps cannot do it. A blind model may
    then be off chance (on the built-in pictures `centre` scores 0.56, `uniform` 0.51).

    Not applicable without a fixation, a control, a control that matches, or, with "removed", a density. A constant map
    scores 0.5.

    Deviation: the Tübingen benchmark divides by the mean density of other pictures where a model has densities.

    >>> from beholder.attention.types import scanpath
    >>> others = Controls(np.array([[0.0, 0], [2, 0]]), np.array(["a", "b"]), np.zeros(2), np.array(["p", "q"]))
    >>> here = Lookers({"a": scanpath(2, 0, onset_ms=100)}, (1, 3), controls=others)
    >>> sauc(Surface(np.array([[1.0, 2.0, 3.0]])), here).value, sauc(Surface(np.eye(3)[[2]]), here, match="both").value
    (0.75, 1.0)
    """
    where = fixated_pixels(found, lookers, duplicates)
    check_choice("match", match, Match)
    check_choice("prior", prior, Prior)
    controls = controls_of(lookers)
    if prior == "removed" and found.log is None:
        raise NotApplicable(NO_PRIOR)
    if match == "none":

        def ask(there: Where) -> Floats:
            bell = control_gaussian(controls, found.shape) if prior == "removed" else None
            at = found.at(there) if bell is None else found.at(there) - bell[there]
            return among_controls(found, lookers, bell)(at).midrank

        values = at_fixations(found, lookers, ask, key=("sauc", prior), owners=(controls,), duplicates=duplicates)
        return with_counts(mean(values), lookers, where, reason=f"controls {controls.rule}")
    seen = found.relative_to(controls) if prior == "removed" else found
    values = matched_midranks(seen, lookers, match=match, window_ms=window_ms, duplicates=duplicates)
    held = ~np.isnan(values)
    if not held.any():
        raise NotApplicable(f"no fixation has a matching control (match={match})")
    return with_counts(float(values[held].mean()), lookers, where, unmatched=float((~held).sum()))


@measure(better="higher", bounds=(0, 1), cite="Judd2012, Bylinskii2019", reads=surface)
def auc_judd(found: Surface, lookers: Lookers) -> Result:
    """AUC-Judd of the MIT benchmark: each fixated pixel once, against all unfixated pixels, ties counting one half.

    AUC = mean over the n fixated pixels of (#{c < s} + ½ #{c = s})/(N − n), where c are the values of the others. The
    part `jittered` is what the benchmark's program gives on average. That program breaks ties by a random jitter,
    counts TPR_i = i/n and FPR_i = (#{pixels ≥ t_i} − i)/(N − n) at the fixated values t_i, and joins these points by
    straight lines. The lines add FPR_n/(2n) whatever the map: up to 0.005 for the 100 fixations of a picture, 0.06 for
    the 8 of an observer. Not applicable without a fixation, or where every pixel is fixated. A constant map scores 0.5
    (`jittered`: 0.5 + 1/(2n + 2)).

    Deviation: no random jitter, and no straight lines between thresholds, so that chance is 0.5 for few fixations, too.

    >>> from beholder.attention.types import scanpath
    >>> here = Lookers({"a": scanpath([1, 3], [0, 0])}, (1, 4))
    >>> found = auc_judd(Surface(np.array([[1.0, 2.0, 3.0, 4.0]])), here)  # (½ + 1)/2, and ½/4 more
    >>> found.value, found.parts["jittered"]
    (0.75, 0.875)
    """
    where = fixated_pixels(found, lookers, "merge")
    values = found.at(where)
    others = place(values, found.ordered).without(place(values, np.sort(values)))
    if not others.size:
        return with_counts(np.nan, lookers, where, reason="every pixel was fixated")
    jittered = roc.judd_area(values, found.ordered)
    return with_counts(float(others.midrank.mean()), lookers, where, jittered=jittered)


@measure(better="higher", bounds=(0, 1), cite="Borji2013, Bylinskii2019", reads=surface)
def auc_borji(
    found: Surface, lookers: Lookers, *, splits: int = 100, step: float = 0.1, draws: int = 0, seed: int = 0
) -> Result:
    """AUC-Borji: fixated pixels, each once, against as many random pixels; the mean over splits.

    The map is stretched to 0 … 1, and the thresholds are 0, step, 2 step …; TPR = #{fixated ≥ t}/n, FPR = #{random ≥
    t}/n; the area is a trapezoid sum. Coarse steps bias it downwards for peaked maps. `draws` sets another number of
    random pixels than n (SALICON's server: 100 000, with a step of 0.01). The random pixels follow from the seed and
    the fixations; the result names both. A constant map scores 0.5. Not applicable below two fixated pixels.

    >>> from beholder.attention.types import scanpath
    >>> here = Lookers({"a": scanpath([0, 1], [0, 0])}, (1, 4))
    >>> auc_borji(Surface(np.ones((1, 4))), here).value
    0.5
    """
    where = fixated_pixels(found, lookers, "merge")
    if len(where[0]) < 2:
        raise NotApplicable("AUC-Borji needs more than one fixated pixel")
    rng = derived_rng(lookers, seed)
    flat = found.stretched.ravel()
    negatives = (flat[rng.integers(0, flat.size, draws or len(where[0]))][None] for _ in range(splits))
    areas = [roc.stepped_areas(found.stretched[where], row, step)[0] for row in negatives]
    return with_counts(
        float(np.mean(areas)), lookers, where, reason=f"seed {seed}, {splits} splits", sd=float(np.std(areas))
    )


@measure(better="higher", bounds=(0, 1), cite="Borji2013, Bylinskii2019", reads=surface)
def sauc_mit(
    found: Surface, lookers: Lookers, *, pictures: int = 10, splits: int = 100, step: float = 0.1, seed: int = 0
) -> Result:
    """The shuffled AUC of the MIT benchmark: fixated pixels against those fixated on ten other pictures.

    Thresholds and rates are those of `auc_borji`. The negatives of each split are min(n, m) of the m pixels that were
    fixated on `pictures` other pictures (0: on all), drawn without repetition. With `splits` = 0 the negatives are all
    of these pixels, as often as they were fixated, except those fixated on this picture (SALICON's server). The random
    draws follow from the seed, which the result names. A constant map scores 0.5. Not applicable without a fixation or
    a control.

    >>> from beholder.attention.types import scanpath
    >>> others = Controls(np.array([[0.0, 0], [1, 0]]), np.array(["a", "b"]), np.zeros(2), np.array(["p", "q"]))
    >>> here = Lookers({"a": scanpath(2, 0)}, (1, 3), controls=others)
    >>> sauc_mit(Surface(np.array([[0.0, 0.0, 1.0]])), here).value
    1.0
    """
    where = fixated_pixels(found, lookers, "merge")
    controls, rng = controls_of(lookers), derived_rng(lookers, seed)
    values = found.stretched
    others = pixels(_points_of_pictures(controls, pictures, rng), found.shape)
    if splits == 0:
        areas = roc.stepped_areas(values[where], _unfixated_here(values, others, where)[None], step)
    else:
        at = values[merge_duplicates(others, found.shape)]
        rows = np.stack([rng.permutation(at)[: len(where[0])] for _ in range(splits)])
        areas = roc.stepped_areas(values[where], rows, step)
    said = f"seed {seed}, {splits} splits" if splits else "all controls"
    return with_counts(float(areas.mean()), lookers, where, reason=said, sd=float(areas.std()))


@measure(better="lower", bounds=(0, 1), cite="LeMeur2013", reads=surface)
def eer(found: Surface, lookers: Lookers, *, controls: Others | Floats = "uniform") -> Result:
    """Equal error rate: where the ROC curve has as many misses as false alarms; chance is 0.5.

    FPR = 1 − TPR, on the curve of `auc` over all thresholds, linear between its vertices. Not applicable without a
    fixation or a control. A constant map scores 0.5.

    Deviation: Le Meur & Baccino say that FPR and TPR are equal there; it is the two errors that are equal.

    >>> from beholder.attention.types import scanpath
    >>> eer(Surface(np.array([[1.0, 2.0, 3.0]])), Lookers({"a": scanpath(2, 0)}, (1, 3)), controls="unfixated").value
    0.0
    """
    return with_counts(
        roc.equal_error_rate(roc_curve(found, lookers, controls=controls)), lookers, fixated_pixels(found, lookers)
    )


def roc_curve(found: Surface, lookers: Lookers, *, controls: Others | Floats = "uniform") -> roc.Roc:
    """The curve under which `auc` is the area, by its corners."""
    positives = found.at(fixated_pixels(found, lookers))
    if isinstance(controls, str) and controls == "shuffled":
        return roc.corners(positives, among_controls(found, lookers))
    return roc.corners(positives, partial(place, ordered=_ordered(found, lookers, controls)))


def _midranks(found: Surface, lookers: Lookers, controls: Others | Floats, duplicates: Duplicates) -> Floats:
    """The share of the controls that each fixated pixel is above, with half of those that are equal."""
    if isinstance(controls, str) and controls == "uniform":

        def ask(where: Where) -> Floats:
            return rank_among_all(found, lookers, where).midrank

        return at_fixations(found, lookers, ask, key="auc", duplicates=duplicates)
    return _rank_among_controls(found, lookers, fixated_pixels(found, lookers, duplicates), controls).midrank


def _rank_among_controls(found: Surface, lookers: Lookers, where: Where, controls: Others | Floats) -> Place:
    """How fixated pixels stand among the controls, unless these are all pixels."""
    if isinstance(controls, str) and controls == "shuffled":
        return among_controls(found, lookers)(found.at(where))
    if not isinstance(controls, str) or controls != "unfixated":
        return place(found.at(where), _ordered(found, lookers, controls))
    every, taken = rank_among_all(found, lookers, where), merge_duplicates(fixated_pixels(found, lookers), found.shape)
    if len(taken[0]) == every.size:
        raise NotApplicable(NOTHING_ELSE)
    return every.without(place(found.at(where), np.sort(found.at(taken))))


def _ordered(found: Surface, lookers: Lookers, controls: Others | Floats) -> Floats:
    """The values of the controls, sorted."""
    if not isinstance(controls, str):
        given = np.asarray(controls, float).reshape(-1, 2)
        if not len(given):
            raise NotApplicable("there are no controls to compare with")
        return np.sort(found.at(pixels(given, found.shape)))
    check_choice("controls", controls, Others)
    if controls == "uniform":
        return found.ordered
    if controls == "unfixated":
        return np.sort(unfixated_values(found, fixated_pixels(found, lookers)))
    return np.sort(found.at(control_pixels(controls_of(lookers), found.shape)))


def _points_of_pictures(controls: Controls, pictures: int, rng: np.random.Generator) -> Floats:
    """The fixations of so many pictures, drawn without repetition; of all with 0."""
    names, picture = made_once(controls, "pictures", lambda: np.unique(controls.picture, return_inverse=True))
    if not 0 < pictures < len(names):
        return controls.points
    return controls.points[np.isin(names, rng.choice(names, pictures, replace=False))[picture]]


def _unfixated_here(values: Floats, others: tuple[np.ndarray, ...], where: tuple[np.ndarray, ...]) -> Floats:
    here = np.zeros(values.shape, np.bool_)
    here[where] = True
    free: Floats = values[others][~here[others]]
    if not free.size:
        raise NotApplicable("all fixations on other pictures lie on pixels that were fixated here")
    return free
