"""How the measures of a family are tried by the laws of test_every_measure.py; one file of inputs a domain uses it."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st


class Inputs(NamedTuple):
    """How the measures of a family are tried."""

    pairs: st.SearchStrategy[tuple[Any, Any]]  # (observed, reference), with everything that may happen to them
    perfect: Callable[[Any], Any] | None  # the answer that nobody could better; None: the bound is a limit only
    empty: tuple[Any, Any]  # a pair in which there is nothing to measure
    blurred: Callable[[Any, Any], tuple[Any, Any]]  # the same pair with further material of which nothing is known
    shuffled: Callable[[Any, Any, np.random.Generator], tuple[Any, Any]] | None  # None: the order matters
    settings: dict[str, list[dict[str, Any]]]  # further settings under which a measure is tried, by its name


def reordered(maps, shares, rng):
    order = rng.permutation(len(maps))
    return [maps[n] for n in order], [shares[n] for n in order]
