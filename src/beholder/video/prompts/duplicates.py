"""Near-duplicates among tens of thousands of texts: MinHash signatures in bands, then exact overlap of word triples."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

BANDS, ROWS = 12, 6  # of two texts that overlap by 0.8, 97 % meet in a band; of two by 0.5, 17 %
SHINGLE = 3  # words
PRIME = (1 << 31) - 1  # products of two numbers below it fit into 64 bits
WORD = re.compile(r"\w+")


def near_duplicates(texts: Sequence[str], *, overlap: float = 0.6, seed: int = 0) -> NDArray[np.bool_]:
    """Which texts nearly repeat an earlier one that stays: their word triples overlap (Jaccard) by `overlap` or more.

    The work grows with the number of texts, not with its square.

    >>> near_duplicates(["A dog runs over the wet grass.", "A cat sleeps all day.", "A dog runs over the wet grass!"])
    array([False, False,  True])
    """
    sets = [_shingles(text) for text in texts]
    bands = _bands(sets, np.random.default_rng(seed))
    doubled = np.zeros(len(texts), np.bool_)
    shelves: list[dict[int, list[int]]] = [{} for _ in range(BANDS)]
    for at, (own, keys) in enumerate(zip(sets, bands.tolist(), strict=True)):
        met = {other for shelf, key in zip(shelves, keys, strict=True) for other in shelf.get(key, ())}
        if any(_overlap(own, sets[other]) >= overlap for other in met):
            doubled[at] = True
            continue
        for shelf, key in zip(shelves, keys, strict=True):
            shelf.setdefault(key, []).append(at)
    return doubled


def _shingles(text: str) -> frozenset[int]:
    """Every three words in a row, as numbers that are the same in every process."""
    words = WORD.findall(text.lower())
    rows = range(max(1, len(words) - SHINGLE + 1))
    return frozenset(zlib.crc32(" ".join(words[at : at + SHINGLE]).encode()) % PRIME for at in rows)


def _overlap(one: frozenset[int], other: frozenset[int]) -> float:
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared)


def _bands(sets: Sequence[frozenset[int]], rng: np.random.Generator) -> NDArray[np.uint64]:
    """A key for each text and band: equal keys mean equal smallest hashes in the rows of the band."""
    if not sets:
        return np.zeros((0, BANDS), np.uint64)
    ends = np.cumsum([len(one) for one in sets])
    flat = np.fromiter((value for one in sets for value in sorted(one)), np.uint64, int(ends[-1]))
    starts = np.concatenate([[0], ends[:-1]])
    keys = np.zeros((len(sets), BANDS), np.uint64)
    factors = rng.integers(1, PRIME, (BANDS, ROWS, 2)).astype(np.uint64)
    for band in range(BANDS):
        for factor, offset in factors[band]:
            smallest = np.minimum.reduceat((flat * factor + offset) % np.uint64(PRIME), starts)
            keys[:, band] = keys[:, band] * np.uint64(1_000_003) + smallest  # wraps around, which is meant
    return keys
