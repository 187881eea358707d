"""Interiors: 57 people, and four models, who search grey pictures of rooms for a thing that they were shown."""

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
    "57 participants (40 to 57 per picture), search for an object shown before, 134 grey pictures of 1024 x 768, at "
    "most 2 to 12 saccades and no fixed viewing time (max_fixations in the files is one more); screens of 1280 x "
    "960 and 1280 x 1024 px, px per degree {known}; coordinates are px of the picture, from 0. Each trial began at "
    "its own place, which is the first fixation; a path ends where the target was seen. Onsets are the sums of "
    "earlier durations. This is not free viewing: do not use it for claims about salience."
)


@source("Bujia2022,Travi2022")
def interiors_search(
    path: Path, *, px_per_deg: float = np.nan, outside: Outside = "drop"
) -> Dataset[Search, Searchers]:
    """The folder as packed by ViSioNS: Datasets/Interiors and, if present, Results/Interiors_dataset/MODEL.

    A stimulus is a picture with the patch to search for; where it is, and who found it, is in the reference. The
    scanpaths of IVSN, eccNET, nnIBS and IRL in that folder are baselines (see `recorded_models`); IRL searched only 46
    of the pictures. They have no durations. Tag "target": what the target is, if it has a name.
    """
    about = ABOUT.format(known=_visions.known(px_per_deg))
    card = Card("interiors_search", about, "Bujia2022,Travi2022", _visions.LICENCE, px_per_deg)
    return _visions.search_dataset(path, "Interiors", card, outside=outside)
