"""How many fixations the most salient part of a picture holds."""

from __future__ import annotations

import numpy as np

from beholder.attention.maps.fixated_pixels import fixated_pixels, rank_among_all, with_counts
from beholder.attention.readouts import Surface, surface
from beholder.attention.types import Floats, Lookers
from beholder.core.measure import Result, measure
from beholder.errors import Misuse
from beholder.stats.ranking import Place


@measure(better="higher", bounds=(0, 1), cite="Torralba2006, LeMeur2013", reads=surface)
def hit_rate(found: Surface, lookers: Lookers, *, kept: float = 0.2) -> Result:
    """The share of fixations inside the most salient part of the picture, `kept` of its area; chance is `kept`.

    hits(q) = 1/M #{f: x_f among the q·N most salient pixels}. Where pixels tie at the limit, a fixation on one of them
    counts as the share of those pixels that still fits: min(1, max(0, (q·N − #{>})/#{=})). False alarms cost nothing.

    A constant map scores q. Not applicable without a fixation.

    >>> from beholder.attention.types import scanpath
    >>> here = Lookers({"a": scanpath([3, 0], [0, 0])}, (1, 4))
    >>> hit_rate(Surface(np.array([[1.0, 2.0, 3.0, 4.0]])), here, kept=0.25).value
    0.5
    """
    if not 0 <= kept <= 1:
        raise Misuse(f"got kept={kept}; expected a share of the picture, 0 … 1")
    where = fixated_pixels(found, lookers)
    value = _hits(rank_among_all(found, lookers, where), np.array([kept]))[0]
    return with_counts(float(value), lookers, where)


@measure(better="higher", bounds=(0, 1), cite="Torralba2006, LeMeur2013", reads=surface)
def hit_area(found: Surface, lookers: Lookers) -> Result:
    """The area under the hit-rate curve; chance is 0.5.

    ∫₀¹ hits(q) dq, exact: 1 − mean over fixations of (#{>} + ½ #{=})/N, which equals `auc` with uniform controls. A
    constant map scores 0.5. Not applicable without a fixation.

    >>> from beholder.attention.types import scanpath
    >>> hit_area(Surface(np.array([[1.0, 2.0, 3.0, 4.0]])), Lookers({"a": scanpath(3, 0)}, (1, 4))).value
    0.875
    """
    where = fixated_pixels(found, lookers)
    return with_counts(float(rank_among_all(found, lookers, where).midrank.mean()), lookers, where)


def hit_rate_curve(found: Surface, lookers: Lookers, *, kept: Floats | None = None) -> tuple[Floats, Floats]:
    """The curve: shares of the picture (0, 0.01 … 1 unless given), and the hit rate of each."""
    q = np.linspace(0, 1, 101) if kept is None else np.asarray(kept, float)
    return q, _hits(rank_among_all(found, lookers, fixated_pixels(found, lookers)), q)


def _hits(among: Place, kept: Floats) -> Floats:
    above = among.size - among.less - among.equal
    room = kept[:, None] * among.size - above
    found: Floats = np.clip(room / among.equal, 0, 1).mean(axis=1)
    return found
