"""FIND: conversations on film, with the place that each of 39 people looked at in every frame."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from beholder.attention.datasets import _folder
from beholder.attention.datasets._films import (
    SIDE,
    Reel,
    Shown,
    film_dataset,
    fixations_from_frames,
    geometry_note,
    stretches,
)
from beholder.attention.datasets._gaze import Card
from beholder.attention.maps.features import ASSUMED
from beholder.attention.types import Floats, Lookers, Outside
from beholder.core.cite import source
from beholder.core.sample import Dataset, remark
from beholder.errors import Misuse
from beholder.io import film, structs

ABOUT = (
    "39 participants, free viewing of filmed conversations (the files state neither task nor sound). There is one "
    "gaze position per frame, constant during a fixation, so runs of equal positions are the fixations; pursuit is "
    "not in the files. Films are cut into stretches of about {seconds:g} s, which are not independent samples; a "
    "fixation across a cut counts as two. px per degree {known}; coordinates are px of the film, taken as they are: "
    "whether they count from 0 or 1 is not known. The films of {absent} further recordings are not here."
)


@source("Xu2018,Boccignone2020")
def find_video_gaze(
    path: Path, *, seconds: float = 4.0, side: int = SIDE, px_per_deg: float = ASSUMED, outside: Outside = "drop"
) -> Dataset[Shown, Lookers]:
    """The folder with fix_data/NAME.mat (a cell of frames x 2, one per person) and videos/NAME.mp4.

    A sample is a stretch of a film as a `Clip`, its longer side at most `side` px (0: full size); scanpaths are in the
    same px. Recordings without their film are left out, because the .mat does not give its size. Tag "film": which
    film.
    """
    root = _folder.existing_folder(path, "the folder with fix_data and videos")
    files = sorted(_folder.require(root, "fix_data").glob("*.mat"))
    films = {file.stem: file for file in _folder.pictures(_folder.require(root, "videos"), film.SUFFIXES).values()}
    here = [file for file in files if file.stem in films]
    if not here:
        raise Misuse(f"got {root} with {len(files)} gaze files but none of their films; expected videos/NAME.mp4")
    reels = {id: reel for file in here for id, reel in _reels(file, films[file.stem], seconds)}
    licence = "none stated; broadcast excerpts: for local use, not to be redistributed"
    about = ABOUT.format(seconds=seconds, known=geometry_note(px_per_deg), absent=len(files) - len(here))
    settings = f"seconds={seconds:g}"
    card = Card("find_video_gaze", about, "Xu2018,Boccignone2020", licence, px_per_deg, settings=settings)
    found = film_dataset(reels, card, root=root, annotations=here, outside=outside, side=side)
    absent = [file.stem for file in files if file.stem not in films]
    unseen = sorted(films.keys() - {file.stem for file in files})
    remarks = (
        *remark(absent, "film", "named in the recordings but missing, so left out"),
        *remark(unseen, "film", "without a recording, so left out"),
    )
    return replace(found, remarks=remarks)


def _reels(file: Path, shown: Path, seconds: float) -> Iterator[tuple[str, Reel]]:
    facts = film.facts(shown)
    people = {f"{at:02}": _places(one, file, facts.frames) for at, one in enumerate(_cell(file), 1)}
    cuts = stretches(facts.frames, facts.hertz, seconds=seconds)
    for n, (first, count) in enumerate(cuts):
        paths = {
            who: fixations_from_frames(places[first : first + count], facts.hertz) for who, places in people.items()
        }
        id = f"{file.stem}/{n:02}" if len(cuts) > 1 else file.stem
        yield id, Reel(paths, facts.shape, facts.hertz, count, first, shown, tags={"film": file.stem})


def _cell(file: Path) -> list[Any]:
    found = structs.several(structs.variable(file, "curr_v_all_s"))
    if not found:
        raise Misuse(f"{file}: got nobody in curr_v_all_s; expected a cell of frames x 2, one per person")
    return found


def _places(values: Any, file: Path, count: int) -> Floats:
    found = np.asarray(values, np.float64)
    if found.shape != (count, 2):
        raise Misuse(f"{file}: got gaze of shape {found.shape}; expected {(count, 2)}, one place per frame of the film")
    return found
