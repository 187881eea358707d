"""Independent components: principal ones to whiten, then FastICA of Hyvärinen (1999)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from beholder.attention.types import Floats

Rows = NDArray[np.floating]

BLOCK = 4096  # rows that are brought to 64 bits at a time: all of them were too many for a small machine
NOTHING = 1e-10  # of the greatest variance: a direction in which there is none but for rounding


def whitening(rows: Rows, *, share: float = 1.0) -> Floats:
    """The matrix (k, n) after which rows (m, n) have variances of 1 and no correlation, greatest variance first.

    k is the least number of principal components that hold a `share` of the variance; directions without any are
    always left out. The greatest weight of each row is positive.

    >>> rows = np.array([[2.0, 0.0], [-2.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    >>> whitening(rows).round(3).tolist(), len(whitening(rows, share=0.8))
    ([[0.707, 0.0], [0.0, 1.414]], 1)
    """
    if not 0 < share <= 1 or len(rows) < 2 or not np.isfinite(rows).all():
        raise ValueError(
            f"got a share of {share} of {len(rows)} rows; expected a share above 0 and up to 1, and two finite rows "
            "or more"
        )
    values, vectors = np.linalg.eigh(covariance(rows))
    values, vectors = values[::-1], vectors[:, ::-1]
    if not values[0] > 0:
        raise ValueError(f"got {len(rows)} identical rows; expected rows that vary")
    held = np.cumsum(values) / values.sum()
    count = min(int(np.searchsorted(held, share - 1e-12)) + 1, int((values > NOTHING * values[0]).sum()))
    return _upright((vectors[:, :count] / np.sqrt(values[:count])).T)


def _upright(matrix: Floats) -> Floats:
    """Rows with the sign that makes the greatest weight of each positive."""
    greatest = np.take_along_axis(matrix, np.abs(matrix).argmax(axis=1)[:, None], axis=1)
    return np.asarray(matrix * np.sign(greatest))


def covariance(rows: Rows) -> Floats:
    """The covariance (n, n) of rows (m, n) over m, added up in 64 bits."""
    mean = rows.mean(axis=0, dtype=np.float64)
    whole = np.zeros((rows.shape[1], rows.shape[1]))
    for start in range(0, len(rows), BLOCK):
        part = rows[start : start + BLOCK] - mean
        whole += part.T @ part
    return whole / len(rows)


def rotation(white: Rows, *, rng: np.random.Generator, rounds: int = 300, tolerance: float = 1e-6) -> Rows:
    """The rotation (k, k) of white columns (k, m) into components that are as independent as can be: FastICA.

    All at once, W ← E[g(Wz) zᵀ] − E[g′(Wz)] W with g = tanh, then W ← (W Wᵀ)^(−1/2) W, until no row turns by more
    than arccos(1 − `tolerance`), or for so many `rounds`.
    """
    turned = orthogonalise(rng.standard_normal((len(white), len(white))).astype(white.dtype))
    for _ in range(rounds):
        last, turned = turned, orthogonalise(sharpen(turned, white))
        if np.abs(np.abs((turned * last).sum(axis=1)) - 1).max() < tolerance:
            break
    return turned


def sharpen(turned: Rows, white: Rows) -> Rows:
    """One step towards independence, before rows are made orthogonal again."""
    bent = np.tanh(turned @ white)
    slope = 1 - (bent**2).mean(axis=1)
    return np.asarray(bent @ white.T / white.shape[1] - slope[:, None] * turned)


def orthogonalise(matrix: Rows) -> Rows:
    """The nearest matrix of orthogonal rows, (M Mᵀ)^(−1/2) M.

    >>> orthogonalise(np.array([[3.0, 0.0], [0.0, 0.5]])).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    left, _, right = np.linalg.svd(matrix, full_matrices=False)
    return np.asarray(left @ right)


def whitened_columns(rows: Rows, whiten: Floats) -> Rows:
    """The columns (k, m) that a whitening matrix makes of rows, in 32 bits, which halve the time of what follows."""
    mean = whiten @ rows.mean(axis=0, dtype=np.float64)
    return np.asarray(whiten.astype(np.float32) @ rows.T.astype(np.float32) - mean[:, None].astype(np.float32))


def unmixing(rows: Rows, *, rng: np.random.Generator, share: float = 1.0, rounds: int = 300) -> Floats:
    """Filters (k, n) whose answers to rows (m, n) are independent, of variance 1: whitening, then a rotation.

    The one that explains most of the variance is the first; the greatest weight of each is positive. Neither order
    nor sign follows from independence.
    """
    whiten = whitening(rows, share=share)
    white = whitened_columns(rows, whiten)
    turned = rotation(white, rng=rng, rounds=rounds).astype(np.float64)
    filters = turned @ whiten
    explained = (np.linalg.pinv(filters) ** 2).sum(axis=0)
    order = np.argsort(-explained, kind="stable")
    return _upright(filters)[order]
