"""What V1 sees: responses of even and odd oriented filters at each place, divided by how much there is to see."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from beholder.motion.frame_pairs import Frames
from beholder.vision.filters import gabors

# Energies, where luminance is at most 1; a light stroke of half a degree on black has 0.14 at 8 px/deg (both ours).
SEEN = 3e-5  # what counts as something to see
HALF = 0.005  # what halves the normalised energy: below it contrast matters, above it hardly


def jets(frames: Frames) -> NDArray[np.float32]:
    """r / √(Σ r² + ½-saturation) for 8 even and 8 odd filters; 0 where there is next to nothing to see; (T, H, W, 16).

    Signed, so that two places match only where they have the same phase; the product of two jets is near the cosine
    between them where contrast is high, and falls with contrast where it is low.
    """
    import cv2

    bank = gabors(8, frequency=0.25, sigma=1.2)
    parts = [np.ascontiguousarray(part) for patch in bank for part in (patch.real, patch.imag)]
    found = np.empty((*frames.shape, len(parts)), np.float32)
    for frame, jet in zip(frames, found, strict=True):
        for channel, part in enumerate(parts):
            jet[..., channel] = cv2.filter2D(frame, cv2.CV_32F, part, borderType=cv2.BORDER_REPLICATE)
        energy = np.einsum("hwc,hwc->hw", jet, jet)[..., None]
        gain = np.where(energy > SEEN, 1 / np.sqrt(energy + np.float32(HALF)), np.float32(0))
        np.multiply(jet, gain, out=jet)
    return found
