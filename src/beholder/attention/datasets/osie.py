"""OSIE: fifteen people, seven hundred pictures of several objects each."""

from __future__ import annotations

from pathlib import Path

from beholder.attention.datasets import _folder, _nus
from beholder.attention.datasets._gaze import COUNTED_FROM_ONE, FROM_ONE, Card, gaze_dataset
from beholder.attention.types import Lookers, Outside, Picture
from beholder.core.cite import source
from beholder.core.sample import Dataset

SHAPE = (600, 800)
PX_PER_DEG = 24.0  # the standard deviation of the authors' blur, which stands for a degree


@source("Xu2014")
def osie(path: Path, *, px_per_deg: float = PX_PER_DEG, outside: Outside = "drop") -> Dataset[Picture, Lookers]:
    """The folder with eye/fixations.mat and stimuli, or the repository with both below data."""
    root = _folder.existing_folder(path, "the folder of OSIE")
    seen, file = _nus.read_pictures(root, offset=FROM_ONE, shape=SHAPE)  # the authors' program rounds them
    about = (
        "15 participants, free viewing, 700 pictures of 800 x 600, 3 s each; a degree is taken to be 24 px, the "
        f"authors' blur; {COUNTED_FROM_ONE}. {_nus.ONSETS}"
    )
    card = Card("osie", about, "Xu2014", "MIT (repository)", px_per_deg, version=2)
    return gaze_dataset(seen, card, root=root, annotations=[file], outside=outside)
