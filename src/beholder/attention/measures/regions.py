"""How well a map finds the most fixated part of a picture: the ROC of Le Meur & Baccino, and precision and recall."""

from __future__ import annotations

import numpy as np

from beholder.attention.measures._people import MapPair, Of, pair_maps
from beholder.attention.readouts import Surface, surface
from beholder.attention.types import Lookers
from beholder.core.measure import NotApplicable, Result, measure
from beholder.errors import Misuse
from beholder.stats import roc
from beholder.stats.ranking import place, top_mask
from beholder.stats.roc import Area, Confusion, Mask, Roc
from beholder.vision.blur import Border

TOPS = (0.02, 0.05, 0.1, 0.2)  # shares of the picture that Le Meur & Baccino keep of the people's map


@measure(better="higher", bounds=(0, 1), cite="LeMeur2013", reads=surface)
def top_auc(
    found: Surface,
    lookers: Lookers,
    *,
    top: float = 0.2,
    area: Area = "exact",
    of: Of = "everyone",
    sigma: float = 1.0,
    border: Border = "reflect",
) -> Result:
    """The area under the ROC curve over pixels: the map against the most fixated part of the picture; chance is 0.5.

    The positive pixels are the `top` share of people's map (2, 5, 10 and 20 % in the source); pixels that tie at its
    limit are taken in reading order. TPR = TP/(TP + FN), FPR = FP/(FP + TN) over all thresholds of the map; the area is
    exact (= trapezoid), or the "left" or "right" Riemann sum. The parts are the confusion matrix when the map keeps the
    same share. A constant map scores 0.5. Undefined where all pixels are positive.

    Deviation: Le Meur & Baccino print FPR = FP/(TP + FN), and "a high threshold" for over-detection; both are
    corrected.

    >>> from beholder.attention.types import scanpath
    >>> here = Lookers({"a": scanpath(0, 0)}, (1, 4), px_per_deg=0.5)  # true: the first pixel
    >>> top_auc(Surface(np.array([[2.0, 1.0, 2.0, 3.0]])), here, top=0.25).value  # (1 + ½)/3
    0.5
    """

    def score(pair: MapPair) -> Result:
        true = _most(pair.people, top)
        its = confusion(pair.model, true, top)
        return Result(_area(pair.model, true, area), {k: float(count) for k, count in its._asdict().items()})

    return pair_maps(found, lookers, of, sigma, border).scored(("top_auc", top, area), score)


@measure(better="higher", bounds=(0, 1), cite="LeMeur2013", reads=surface)
def f_score(
    found: Surface,
    lookers: Lookers,
    *,
    top: float = 0.2,
    kept: float = 0.2,
    of: Of = "everyone",
    sigma: float = 1.0,
    border: Border = "reflect",
) -> Result:
    """F of precision and recall when the map keeps its most salient part, `kept` of the picture; chance is about `top`.

    F = 2 TP/(2 TP + FP + FN), where the positive pixels are the `top` share of people's map; the parts are precision =
    TP/(TP + FP) and recall = TP/(TP + FN). Pixels that tie at a limit are taken in reading order, so the score of a
    constant map depends on where people looked. Defined for every picture that people looked at.

    >>> from beholder.attention.types import scanpath
    >>> here = Lookers({"a": scanpath(0, 0)}, (1, 4), px_per_deg=0.5)
    >>> f_score(Surface(np.array([[4.0, 3.0, 2.0, 1.0]])), here, top=0.25, kept=0.5).value  # TP 1, FP 1, FN 0
    0.6666666666666666
    """

    def score(pair: MapPair) -> Result:
        its = confusion(pair.model, _most(pair.people, top), kept)
        return Result(its.f(), {"precision": its.precision, "recall": its.recall})

    return pair_maps(found, lookers, of, sigma, border).scored(("f_score", top, kept), score)


def confusion(model: Surface, true: Mask, kept: float) -> Confusion:
    """What a map gets right that keeps a share of the picture."""
    return roc.confusion(top_mask(model.order, _share(kept)), true)


def region_curve(found: Surface, lookers: Lookers, *, top: float = 0.2, sigma: float = 1.0) -> Roc:
    """The curve under which `top_auc` is the area, with the map of everyone."""
    model, true = _true(found, lookers, top, sigma)
    return roc.roc(model.order[true], model.order[~true])


def classes(found: Surface, lookers: Lookers, *, top: float = 0.2, sigma: float = 1.0) -> Mask:
    """(2, H, W): what the map keeps and what is true of the map of everyone, for `stats.roc.class_image`."""
    model, true = _true(found, lookers, top, sigma)
    return np.stack([top_mask(model.order, top), true])


def _true(found: Surface, lookers: Lookers, top: float, sigma: float) -> tuple[Surface, Mask]:
    """The map, and where people looked most."""
    (pair,) = pair_maps(found, lookers, "everyone", sigma, "reflect").pairs
    return pair.model, _most(pair.people, top)


def _most(people: Surface, top: float) -> Mask:
    return people.once(("top", _share(top)), lambda: top_mask(people.values, top))


def _share(share: float) -> float:
    if not 0 < share <= 1:
        raise Misuse(f"got a share of {share}; expected more than 0 and at most 1, such as 0.2 for 20 %")
    return share


def _area(model: Surface, true: Mask, area: Area) -> float:
    positives, negatives = model.order[true], model.order[~true]
    if not negatives.size:
        raise NotApplicable("all pixels are among the most fixated, so there are no others to compare with")
    if area == "exact":
        return float(place(positives, np.sort(negatives)).midrank.mean())
    return roc.area(roc.roc(positives, negatives), area)
