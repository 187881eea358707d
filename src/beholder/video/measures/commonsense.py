"""Whether what happens in a clip can happen: commonsense adherence (CAS)."""

from __future__ import annotations

from typing import Any

import numpy as np

from beholder.core.measure import NotApplicable, Result, measure
from beholder.video.evidence import Evidence
from beholder.video.readouts.analysis import analyse
from beholder.video.release.commonsense import CLASSES, commonsense
from beholder.video.release.switches import MENDED

NEEDED = "it needs a network trained on people's preferences, and no weights are loaded"


@measure(better="higher", bounds=(0, 1), cite="Ling2025", reads=analyse, parts=dict.fromkeys(CLASSES, "neither"))
def commonsense_adherence(found: Evidence, scene: Any) -> Result:
    """CAS = Σ_{i=1}^{5} p_i G(i), p_i the probability of the classes Bad … Perfect, G = 0, ¼, ½, ¾, 1.

    p is the mean over the views of a clip. Parts: the five probabilities. Commonsense needs a network: without class
    probabilities in the evidence it is not applicable. `backend=deep` supplies them, from VMBench's own checkpoint,
    converted, or from another VideoMAE with five classes.

    Deviation: frames are shrunk by area averaging, and equal views are evaluated once; the mean is over all 30.

    >>> from types import SimpleNamespace
    >>> commonsense_adherence(SimpleNamespace(classes=np.array([[0, 0, 0.5, 0.5, 0]])), None).value
    0.625
    """
    if found.classes is None:
        raise NotApplicable(NEEDED)
    mean = np.atleast_2d(found.classes).mean(axis=0)
    return Result(commonsense(mean, MENDED), dict(zip(CLASSES, mean.tolist(), strict=True)))
