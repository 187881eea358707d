"""MCS: people, and four models, who search pictures of COCO for a microwave oven or a clock."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from beholder.attention.datasets import _visions
from beholder.attention.datasets._gaze import Card
from beholder.attention.paths.search import Search, Searchers
from beholder.attention.types import Outside
from beholder.core.cite import source
from beholder.core.sample import Dataset

ABOUT = (
    "30 participants, search for a microwave oven or a clock in pictures of COCO; px per degree {known}; coordinates "
    "are px of the picture, from 0. A path ends where the target was seen. Onsets are the sums of earlier durations. "
    "This is not free viewing: do not use it for claims about salience."
)


@source("Zelinsky2019,Travi2022")
def mcs_search(path: Path, *, px_per_deg: float = np.nan, outside: Outside = "drop") -> Dataset[Search, Searchers]:
    """The folder as packed by ViSioNS: Datasets/MCS and, if present, Results/MCS_dataset/MODEL.

    A stimulus is a picture with the patch to search for; where it is, and who found it, is in the reference. The
    scanpaths of models in that folder are baselines. They have no durations. Tag "target": what the target is.
    """
    about = ABOUT.format(known=_visions.known(px_per_deg))
    card = Card("mcs_search", about, "Zelinsky2019,Travi2022", _visions.LICENCE, px_per_deg)
    return _visions.search_dataset(path, "MCS", card, outside=outside)
