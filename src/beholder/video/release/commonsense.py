"""CAS: five classes from Bad to Perfect, and what each is worth."""

from __future__ import annotations

import numpy as np

from beholder.video.release.switches import AS_RELEASED, Switches
from beholder.video.types import Floats

CLASSES = ("Bad", "Poor", "Fair", "Good", "Perfect")
WORTH = np.array([0.0, 0.25, 0.5, 0.75, 1.0])  # G(i)
UNTRAINED = 0.49995  # what the scripts' network says before any weights are loaded, of any clip: measured by the spec


def commonsense(probabilities: Floats | None, switches: Switches = AS_RELEASED) -> float:
    """CAS = Σ p_i G(i), p the mean over views of a clip, shape (views, 5) or (5,); with D1 always the same.

    >>> sure = np.array([0, 0, 0, 0, 1.0])
    >>> commonsense(sure), commonsense(sure, Switches(cas_without_weights=False))
    (0.49995, 1.0)
    """
    if switches.cas_without_weights:
        return UNTRAINED
    shape = () if probabilities is None else probabilities.shape
    if probabilities is None or shape[-1:] != (len(CLASSES),):
        raise ValueError(f"got class probabilities of {shape}; expected (views, 5): {', '.join(CLASSES)}")
    return float(np.atleast_2d(probabilities).mean(axis=0) @ WORTH)
