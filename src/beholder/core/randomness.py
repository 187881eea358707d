"""Randomness is an argument: generators that depend on nothing but a seed and names."""

from __future__ import annotations

from hashlib import blake2b

import numpy as np


def rng_for(seed: int, *names: str) -> np.random.Generator:
    """A generator for a seed and some names, such as those of a dataset and a sample.

    >>> bool(rng_for(1, "set", "a").random() == rng_for(1, "set", "a").random() != rng_for(1, "set", "b").random())
    True
    """
    return np.random.default_rng([seed, *(int.from_bytes(blake2b(n.encode(), digest_size=8).digest()) for n in names)])
