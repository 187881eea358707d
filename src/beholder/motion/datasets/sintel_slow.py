"""Sintel-slow: the mean perceived flow at 36 places of five slow movies."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from beholder.core.cite import source
from beholder.core.sample import Dataset, Sample
from beholder.io import matlab
from beholder.motion.files.archive import Archive, find_files
from beholder.motion.perceived import Probes, Shown, Unseen
from beholder.store.digest import digest_files

Floats = NDArray[np.float64]

FOLDER = "evaluate_human/matlab code/Data-sintelslow"
MOVIES = ("ambush_2", "ambush_4", "cave_4", "market_6", "temple_3")
PLACES = 36


@source("Sun2025,Butler2012")
def sintel_slow(path: Path) -> Dataset[Shown, Probes]:
    """A folder with evaluate_human/matlab code/Data-sintelslow, or Data-sintelslow itself: HumanResp.mat, SintelGT.mat.

    A sample is a movie with its 36 probes, whose places and frames are not in the files. Only the mean over people is
    given, so there is no ceiling. v is assumed to point upwards, as in HuPerFlow from the same laboratory; no file says
    so, and there are no frames to check it on. Tags: set, movie.
    """
    inner = path / FOLDER
    place = inner if inner.is_dir() else path
    files = find_files(
        place, ["HumanResp.mat", "SintelGT.mat"], f"the folder of {FOLDER}, with HumanResp.mat, SintelGT.mat"
    )
    people, truth = (
        matlab.array(file, file.stem, (2, PLACES, len(MOVIES))).transpose(2, 1, 0) for file in files
    )  # movies × probes × 2
    samples = {name: _sample(name, truth[at], people[at]) for at, name in enumerate(MOVIES)}
    return Dataset(
        "sintel_slow",
        tuple(samples),
        Archive(samples),
        cite="Sun2025,Butler2012",
        licence="Apache-2.0",
        content=digest_files(place, files, files),
        about="Mean perceived flow in slow Sintel movies; no frames, no single observers; px/frame, v upwards.",
        people="recorded",
    )


def _sample(name: str, truth: Floats, people: Floats) -> Sample[Unseen, Probes]:
    probes = Probes(truth.copy(), people[None, None].copy(), ("mean",), status="verified")
    return Sample(name, Unseen(count=PLACES), probes, {"set": "sintel_slow", "movie": name})
