"""SubsMatch: how often short patterns of places come in two scanpaths."""

from __future__ import annotations

from functools import partial
from typing import Literal

import numpy as np

from beholder.attention.maps.fixated_pixels import check_choice
from beholder.attention.measures._areas import Ints
from beholder.attention.paths.pairs import Over, Walk, over_people, paths_with_fixations, read_scanpaths
from beholder.attention.types import Floats, Lookers, Scanpath
from beholder.core.measure import NotApplicable, Result, measure
from beholder.errors import Misuse

Axis = Literal["x", "y"]


@measure(better="lower", bounds=(0, 1), cite="Kubler2014", reads=read_scanpaths)
def subsmatch(
    found: Walk,
    lookers: Lookers,
    *,
    letters: int = 4,
    window: int = 2,
    axis: Axis = "x",
    over: Over = "mean",
) -> Result:
    """SubsMatch: how much the frequencies of short patterns differ; 0 for the same patterns, 1 if none is shared.

    d = ½ Σ_w |f_w − g_w| over all words w of `window` letters, where f and g are their relative frequencies. A letter
    is a percentile range of one coordinate. Its limits are the quantiles of all people's fixations on this picture, so
    that people use each of the `letters` about equally often; a value on a limit belongs to the upper letter.

    Undefined for a scanpath with fewer fixations than a window; not applicable where nobody made a fixation.

    Deviation: the limits come from people alone (including the person left out), not from both scanpaths, so that a
    model does not shift them.

    >>> from beholder.attention.types import scanpath
    >>> person = Lookers({"a": scanpath([0, 0, 5, 5], [0, 0, 0, 0])}, (1, 9))  # AABB: AA, AB, BB
    >>> subsmatch(scanpath([0, 5, 0], [0, 0, 0]), person, letters=2).value  # AB, BA: ½ (⅓ + ½ + ⅙ + ⅓) with BA new
    0.6666666666666666
    """
    check_choice("axis", axis, Axis)
    if letters < 2 or window < 1:
        raise Misuse(f"got letters={letters}, window={window}; expected 2 or more, and 1 or more")
    paths_with_fixations(lookers)
    column = 0 if axis == "x" else 1
    shares = np.arange(1, letters) / letters
    limits = np.quantile(lookers.everyone.points[:, column], shares)
    compare = partial(_compared, limits=limits, window=window, column=column)
    return over_people(found, lookers, compare, over=over, better="lower")


def _compared(simulated: Scanpath, human: Scanpath, *, limits: Floats, window: int, column: int) -> Result:
    a, b = (words(np.searchsorted(limits, path.points[:, column], "right"), window) for path in (simulated, human))
    _, codes = np.unique(np.concatenate([a, b]), axis=0, return_inverse=True)
    kinds = int(codes.max()) + 1
    f, g = (np.bincount(of.ravel(), minlength=kinds) / len(of) for of in np.split(codes, [len(a)]))
    parts = {"words": float(len(a)), "words_people": float(len(b))}
    return Result(float(np.clip(np.abs(f - g).sum() / 2, 0.0, 1.0)), parts)


def words(letters: Ints, window: int) -> Ints:
    """All words of so many letters in a row, one per line.

    >>> words(np.array([0, 1, 1]), 2).tolist()
    [[0, 1], [1, 1]]
    """
    if len(letters) < window:
        raise NotApplicable(f"a scanpath of {len(letters)} fixation(s) holds no word of {window} letters")
    return np.lib.stride_tricks.sliding_window_view(letters, window)
