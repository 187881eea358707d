"""How alike a map and the map of where people looked are, pixel by pixel.

The map of people is that of everyone who looked (`of` = "everyone", the field's convention), of the held-out observers
("held"), or of each half of the observers in turn ("halves": the mean of two scores, and people have one too: that of
the other half's gold standard). It is blurred by `sigma` degrees (1 degree is 24 px where the geometry is not known);
what lies beyond the border is "reflect"ed, or 0 ("constant", which dims the edges of every map and so favours the
centre). Without any fixation they are not applicable; a fixation on the border, one that is repeated and a single one
are as others.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal

import numpy as np

from beholder.attention.maps.fixated_pixels import check_choice
from beholder.attention.measures._people import MapPair, MapPairs, Of, pair_maps
from beholder.attention.readouts import Surface, surface
from beholder.attention.types import Floats, Lookers
from beholder.core.measure import Result, measure
from beholder.errors import Misuse
from beholder.stats import divergence, transport
from beholder.stats.divergence import EPS, Moments
from beholder.vision.blur import Border

Direction = Literal["people-model", "model-people"]


@measure(better="higher", bounds=(-1, 1), cite="LeMeur2013, Bylinskii2019", reads=surface)
def cc(
    found: Surface, lookers: Lookers, *, of: Of = "everyone", sigma: float = 1.0, border: Border = "reflect"
) -> Result:
    """Pearson's linear correlation of the two maps; chance is 0.

    r = cov(H, P)/(σ_H σ_P) over all pixels. A constant map scores 0; undefined where people's map is constant. No
    p-value is given, because neighbouring pixels are not independent.

    >>> from beholder.attention.types import scanpath
    >>> here = Lookers({"a": scanpath(0, 0)}, (1, 2), px_per_deg=0.1)  # people: 1, 0
    >>> round(cc(Surface(np.array([[5.0, 1.0]])), here).value, 6), cc(Surface(np.ones((1, 2))), here).value
    (1.0, 0.0)
    """
    return pair_maps(found, lookers, of, sigma, border).scored("cc", _correlation)


def _correlation(pair: MapPair) -> float:
    model, people = pair.model, pair.people
    moments = model.moments, people.moments  # which tell what `level` is
    return _correlated(moments, (model.level, people.level), pair.product("level", model.level))


def _rank_correlation(pair: MapPair) -> float:
    (model, own), (people, theirs) = pair.model.ranked, pair.people.ranked
    return _correlated((own, theirs), (model, people))


def _correlated(
    moments: tuple[Moments, Moments], values: tuple[Floats, Floats], product: Callable[[], float] | None = None
) -> float:
    """The correlation; a constant map says nothing, and has 0."""
    (own, theirs), (model, people) = moments, values
    if theirs.length and not own.length:
        return 0.0
    return divergence.correlation((model, own), (people, theirs), product=product)


@measure(better="higher", bounds=(-1, 1), cite="LeMeur2013", reads=surface)
def spearman(
    found: Surface, lookers: Lookers, *, of: Of = "everyone", sigma: float = 1.0, border: Border = "reflect"
) -> Result:
    """Spearman's rank correlation of the two maps, ties sharing their mean rank; chance is 0.

    ρ = cov(R_H, R_P)/(σ σ) of the ranks. A constant map scores 0; undefined where people's map is constant.

    >>> from beholder.attention.types import scanpath
    >>> here = Lookers({"a": scanpath(0, 0)}, (1, 3), px_per_deg=0.5)  # people: falling from left to right
    >>> round(spearman(Surface(np.array([[9.0, 2.0, 1.0]])), here).value, 6)
    1.0
    """
    return pair_maps(found, lookers, of, sigma, border).scored("spearman", _rank_correlation)


@measure(better="higher", bounds=(0, 1), cite="Swain1991, Bylinskii2019", reads=surface)
def sim(
    found: Surface,
    lookers: Lookers,
    *,
    stretch: bool = False,
    of: Of = "everyone",
    sigma: float = 1.0,
    border: Border = "reflect",
) -> Result:
    """Similarity: the mass that both maps share, 1 for equal ones.

    SIM = Σ min(p, q), where p and q are the maps as shares of their sum (a negative minimum is raised to 0 first). With
    `stretch` both are first brought to 0 … 1, as the MIT benchmark does. A map without mass counts as uniform. A
    density is scored by the map that it expects to do best (`optimal.sim_map`). Defined for every picture that people
    looked at.

    >>> from beholder.attention.types import scanpath
    >>> sim(Surface(np.ones((1, 2))), Lookers({"a": scanpath(0, 0)}, (1, 2), px_per_deg=0.1)).value
    0.5
    """
    return pair_maps(found, lookers, of, sigma, border).scored(("sim", stretch), partial(_shared, stretch=stretch))


def _shared(pair: MapPair, *, stretch: bool) -> float:
    model, people = pair.sharing, pair.people
    if not stretch:
        own, theirs = model.mass, people.mass  # which tell what `level` is
        return min(1.0, divergence.common_mass((model.level, own), (people.level, theirs), held=pair.held))
    p, q = (divergence.shares(one.stretched) for one in (model, people))
    return min(1.0, divergence.shared_mass(p, q))


@measure(better="lower", bounds=(0, np.inf), cite="Kullback1951, Bylinskii2019", reads=surface, unit="nats")
def kl(
    found: Surface,
    lookers: Lookers,
    *,
    direction: Direction = "people-model",
    eps: float = EPS,
    base: float = np.e,
    of: Of = "everyone",
    sigma: float = 1.0,
    border: Border = "reflect",
) -> Result:
    """The Kullback–Leibler divergence between the two maps, with zeros guarded as in the MIT and Tübingen benchmarks.

    "people-model" is D(Q‖P) = Σ Q log(ε + Q/(P + ε)), where Q are people's shares and P the model's: the cost of using
    the model in place of people. "model-people" is D(P‖Q). In nats, or to another `base`. A map without mass counts as
    uniform; zeros where people look cost −log ε at most. Defined for every picture that people looked at.

    Deviation: Le Meur & Baccino print Σ p log(r/p), which is never positive; the sign is corrected here.

    >>> from beholder.attention.types import scanpath
    >>> here = Lookers({"a": scanpath(0, 0)}, (1, 2), px_per_deg=0.1)
    >>> round(kl(Surface(np.ones((1, 2))), here, base=2).value, 6)  # people: 1, 0; the model: ½, ½
    1.0
    """
    check_choice("direction", direction, Direction)

    def score(pair: MapPair) -> float:
        p, q = _directed(pair, direction)
        if not 0 < eps <= EPS:  # a larger ε would show in the sum
            return _nonnegative(divergence.guarded(p.shares, q.shares, eps), base)
        log = q.log_shares(eps)
        product = pair.product(("log", eps), log, total=p.mass.total) if p is pair.people else None
        if product:
            return _nonnegative(p.negative_entropy - product(), base)
        return _nonnegative(divergence.guarded_of((p.shares, p.negative_entropy), log), base)

    return pair_maps(found, lookers, of, sigma, border).scored(("kl", direction, eps, base), score)


@measure(better="lower", bounds=(0, np.inf), cite="Kullback1951, LeMeur2013", reads=surface, unit="nats")
def kl_added(
    found: Surface,
    lookers: Lookers,
    *,
    direction: Direction = "people-model",
    eps: float = 1e-20,
    base: float = np.e,
    of: Of = "everyone",
    sigma: float = 1.0,
    border: Border = "reflect",
) -> Result:
    """The Kullback–Leibler divergence between the two maps, ε added before they become shares (Le Meur & Baccino 2013).

    q = (H + ε)/Σ(H + ε), and p in the same way; "people-model" is Σ q log(q/p), "model-people" Σ p log(p/q). With zeros
    in the map it differs wildly from `kl`. ε is on the scale of the maps as given. Defined for every picture that
    people looked at; with ε = 0 it may be infinite.

    >>> from beholder.attention.types import scanpath
    >>> here = Lookers({"a": scanpath(0, 0)}, (1, 2), px_per_deg=0.1)
    >>> round(kl_added(Surface(np.ones((1, 2))), here, base=2).value, 6)
    1.0
    """
    check_choice("direction", direction, Direction)

    def score(pair: MapPair) -> float:
        p, q = _directed(pair, direction)
        return _nonnegative(divergence.kl(p.values, q.values, eps=eps, guard="added"), base)

    return pair_maps(found, lookers, of, sigma, border).scored(("kl_added", direction, eps, base), score)


def _directed(pair: MapPair, direction: Direction) -> tuple[Surface, Surface]:
    return (pair.people, pair.model) if direction == "people-model" else (pair.model, pair.people)


def _nonnegative(nats: float, base: float) -> float:
    """In another base; below 0 a divergence of shares is rounding, or its ε."""
    if not base > 1:
        raise Misuse(f"got base={base}; expected more than 1, such as 2 for bits")
    return max(0.0, nats) / float(np.log(base))


@measure(better="lower", bounds=(0, 1), cite="Lin1991", reads=surface, unit="bits")
def jensen_shannon(
    found: Surface, lookers: Lookers, *, of: Of = "everyone", sigma: float = 1.0, border: Border = "reflect"
) -> Result:
    """The Jensen–Shannon divergence between the two maps, in bits: symmetric, and zeros need no guard.

    JS = ½ D(p‖m) + ½ D(q‖m), m = ½ (p + q). A map without mass counts as uniform. Defined for every picture that people
    looked at.

    >>> from beholder.attention.types import scanpath
    >>> here = Lookers({"a": scanpath(0, 0)}, (1, 2), px_per_deg=0.1)
    >>> jensen_shannon(Surface(np.array([[0.0, 1.0]])), here).value
    1.0
    """
    return pair_maps(found, lookers, of, sigma, border).scored("js", _jensen_shannon)


def _jensen_shannon(pair: MapPair) -> float:
    return min(1.0, divergence.jensen_shannon(pair.model.shares, pair.people.shares))


@measure(better="lower", bounds=(0, np.inf), cite="Rubner2000, Bylinskii2019", reads=surface, unit="px")
def emd(
    found: Surface,
    lookers: Lookers,
    *,
    factor: int = 32,
    of: Of = "everyone",
    sigma: float = 1.0,
    border: Border = "reflect",
) -> Result:
    """Earth mover's distance: the least work that turns one map into the other, in px of the picture.

    min Σ f_ij d_ij, exact: both maps are summed over squares of `factor` px and made shares, and d is the distance
    between squares. The part `deg` is the same in degrees. A picture of one square scores 0. A map without mass counts
    as uniform. Defined for every picture that people looked at.

    Deviation: maps are reduced by sums, not by bicubic interpolation, which can be negative.

    >>> from beholder.attention.types import scanpath
    >>> here = Lookers({"a": scanpath(0, 0)}, (1, 3), px_per_deg=0.1)
    >>> emd(Surface(np.array([[0.0, 0.0, 1.0]])), here, factor=1).value
    2.0
    """
    return _moved(pair_maps(found, lookers, of, sigma, border), factor, exact=True)


@measure(better="lower", bounds=(0, np.inf), cite="Rubner2000", reads=surface, unit="px")
def emd_sliced(
    found: Surface,
    lookers: Lookers,
    *,
    factor: int = 8,
    of: Of = "everyone",
    sigma: float = 1.0,
    border: Border = "reflect",
) -> Result:
    """A quick lower bound of `emd`: π/2 times the mean over 36 directions of the distance along each.

    In each direction ∫ |F_p − F_q|, where F are the cumulative shares. It equals `emd` for masses of the same shape
    that are shifted, and is less where shapes differ, on MIT1003 by 8 % on average and by up to a third: do not compare
    it with `emd`. Defined for every picture that people looked at.

    >>> from beholder.attention.types import scanpath
    >>> here = Lookers({"a": scanpath(0, 0)}, (1, 3), px_per_deg=0.1)
    >>> round(emd_sliced(Surface(np.array([[0.0, 0.0, 1.0]])), here, factor=1).value, 2)
    2.0
    """
    return _moved(pair_maps(found, lookers, of, sigma, border), factor, exact=False)


def _moved(both: MapPairs, factor: int, *, exact: bool) -> Result:
    if factor < 1:
        raise Misuse(f"got factor={factor}; expected squares of 1 px or more")
    work = transport.transported if exact else transport.sliced

    def score(pair: MapPair) -> float:
        p, q = (transport.reduced(one.shares, factor) for one in (pair.model, pair.people))
        return factor * work(p, q)

    found = both.scored(("moved", exact, factor), score)
    px_per_deg = both.lookers.px_per_deg
    return found._replace(parts={"deg": found.value / px_per_deg}) if np.isfinite(px_per_deg) else found
