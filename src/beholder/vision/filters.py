"""Linear filters over one image, or over a pair of frames."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.float32]

REACH = 4.0  # standard deviations after which a Gaussian is cut; scipy.ndimage cuts at the same place


def gaussian(sigma: float) -> Image:
    """A normalised Gaussian, sampled at whole pixels and cut at four standard deviations; 0 gives the identity.

    >>> gaussian(0.5).round(3)
    array([0.   , 0.106, 0.787, 0.106, 0.   ], dtype=float32)
    >>> gaussian(0)
    array([1.], dtype=float32)
    """
    if not sigma >= 0:
        raise ValueError(f"got sigma={sigma}; expected a standard deviation of 0 or more pixels")
    if sigma == 0:
        return np.ones(1, np.float32)
    radius = int(REACH * sigma + 0.5)
    weights = np.exp(-0.5 * (np.arange(-radius, radius + 1) / sigma) ** 2)
    return np.asarray(weights / weights.sum(), np.float32)


def blurred(image: Image, sigma: float, *, outside: str = "edge") -> Image:
    """An image, or one of up to 512 channels (H, W, C), under a Gaussian.

    `outside` says what lies beyond the border: "edge", the nearest pixel, or "zero".
    """
    import cv2

    borders = {"edge": cv2.BORDER_REPLICATE, "zero": cv2.BORDER_CONSTANT}
    if outside not in borders:
        raise ValueError(f"got outside={outside!r}; expected one of {', '.join(borders)}")
    weights, grid = gaussian(sigma), image.astype(np.float32, copy=False)
    smooth = cv2.sepFilter2D(grid, cv2.CV_32F, weights, weights, borderType=borders[outside])
    return np.asarray(smooth, np.float32).reshape(image.shape)


def cube(first: Image, second: Image) -> tuple[Image, Image, Image]:
    """The derivatives Ix, Iy, It of a pair: means of four differences over cubes of 2 × 2 × 2 (Horn and Schunck 1981).

    They belong half a pixel right of and below each pixel, midway between the frames. The last row and column are
    repeated, so that differences across the border are 0.

    >>> first, second = np.mgrid[:3, :4][1].astype(np.float32) ** 2, np.mgrid[:3, :4][1].astype(np.float32) ** 2 + 3
    >>> [d[0].tolist() for d in cube(first, second)]
    [[1.0, 3.0, 5.0, 0.0], [0.0, 0.0, 0.0, 0.0], [3.0, 3.0, 3.0, 3.0]]
    """
    a, b = (np.pad(frame, ((0, 1), (0, 1)), mode="edge") for frame in (first, second))
    both = a + b
    along, down = np.diff(both, axis=1), np.diff(both, axis=0)
    across = np.asarray((along[1:] + along[:-1]) / 4, np.float32)
    downward = np.asarray((down[:, 1:] + down[:, :-1]) / 4, np.float32)
    return across, downward, _of_four(b - a)


def _of_four(grid: Image) -> Image:
    return np.asarray((grid[1:, 1:] + grid[1:, :-1] + grid[:-1, 1:] + grid[:-1, :-1]) / 4, np.float32)


def gabors(orientations: int, *, frequency: float, sigma: float) -> NDArray[np.complex64]:
    """Complex Gabor patches (orientations, n, n) under a round Gaussian: real part even, without mean; imaginary odd.

    Waves run along 0, 180° / orientations, … counter-clockwise from the right; `frequency` is in cycles/px.

    >>> patches = gabors(4, frequency=0.25, sigma=1.2)
    >>> patches.shape, bool(abs(patches.sum()) < 1e-5)
    ((4, 11, 11), True)
    """
    if orientations < 1 or not 0 < frequency <= 0.5 or not sigma > 0:
        raise ValueError(
            f"got {orientations} orientations, frequency={frequency}, sigma={sigma}; expected 1 or more, "
            "up to 0.5 cycles/px, and a number above 0"
        )
    envelope = np.outer(gaussian(sigma), gaussian(sigma)).astype(np.float64)
    radius = len(envelope) // 2
    down, right = np.mgrid[-radius : radius + 1, -radius : radius + 1]
    angles = np.pi * np.arange(orientations)[:, None, None] / orientations
    waves = np.exp(2j * np.pi * frequency * (right * np.cos(angles) - down * np.sin(angles)))
    means = (waves.real * envelope).sum((1, 2), keepdims=True)
    return np.asarray(envelope * (waves - means), np.complex64)


def oriented_energy(image: Image, patches: NDArray[np.complex64]) -> Image:
    """The squared responses of even and odd patches, added: (H, W, orientations), whatever the polarity of contrast."""
    import cv2

    def answered(patch: NDArray[np.float32]) -> NDArray[np.float64]:
        return np.asarray(cv2.filter2D(image, cv2.CV_32F, patch, borderType=cv2.BORDER_REPLICATE))

    energies = [
        answered(np.ascontiguousarray(patch.real)) ** 2 + answered(np.ascontiguousarray(patch.imag)) ** 2
        for patch in patches
    ]
    return np.stack(energies, axis=-1).astype(np.float32)
