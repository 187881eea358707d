"""Recorded eye movements as a dataset: pictures read when asked for, paths inside them, controls, and the card."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from beholder.attention.datasets import _folder
from beholder.attention.gaze.placing import Placing
from beholder.attention.people.controls import FixationPool, Shape, pool_fixations
from beholder.attention.people.doubts import Reach, all_shares, doubts, reach_of
from beholder.attention.types import Lookers, Outside, Picture, Scanpath, check_positive, keep_inside
from beholder.core.sample import Dataset, Sample, remark
from beholder.errors import Misuse
from beholder.io import image
from beholder.io.image import PICTURES

# Coordinates of the picture's upper left corner in a file that counts pixels from 1 and means their middles, as MATLAB
# does: (1, 1) is the middle of the first pixel, here (0.5, 0.5), and a place is in the pixel that it rounds to.
FROM_ONE = 0.5
COUNTED_FROM_ONE = "in the file, coordinates count pixels from 1 at their centres; here, from 0 at their corners"
DONE = {"drop": "dropped", "clip": "moved to the border (dropped if they have no coordinates)", "raise": "found"}


@dataclass(frozen=True, eq=False)
class Seen:
    """A picture and everybody's path on it, in px of the picture; without a file it gives controls only."""

    paths: Mapping[str, Scanpath]
    file: Path | None = None
    shape: Shape | None = None  # where it is known without the file
    tags: Mapping[str, str] = field(default_factory=dict)
    dropped: int = 0


@dataclass(frozen=True)
class Card:
    """The facts about a set of recordings."""

    name: str
    about: str  # participants, task, pictures, viewing time, coordinates
    cite: str
    licence: str
    px_per_deg: float = np.nan
    status: str = ""
    groups: Mapping[str, str] = field(default_factory=dict)
    pixels: Callable[[Path], NDArray[np.uint8]] = image.read
    shape: Callable[[Path], Shape] = _folder.picture_size
    settings: str = ""  # what else changes the paths that are read from the same files
    version: int = 1  # of the loader
    people: str = "recorded"
    placing: Placing | None = None  # of files whose coordinates nobody has checked: doubts about them are remarks
    remarks: tuple[str, ...] = ()
    columns: Mapping[str, str] = field(default_factory=dict)  # of a table: meaning → column
    who: str = "people"  # whose eye movements these are; or models
    facts: Mapping[str, str] = field(default_factory=dict)  # further lines of what `check` says
    doubts: tuple[str, ...] = ()  # what may have been misread, beside places and durations

    def __post_init__(self) -> None:
        check_positive(px_per_deg=self.px_per_deg)


@dataclass(frozen=True, eq=False)
class Gallery:
    """The loader of a dataset."""

    seen: Mapping[str, Seen]  # those with a file, all fixations inside
    pool: FixationPool
    card: Card
    reach: Reach = field(default_factory=Reach)  # of the fixations before any was left out
    raw: Mapping[str, Mapping[str, Scanpath]] = field(default_factory=dict)  # the paths before any was left out

    def __call__(self, id: str) -> Sample[Picture, Lookers]:
        one = self.seen[id]
        if one.file is None or one.shape is None:
            raise LookupError(f"{id} has no picture")  # no sample is made of such a one
        shown = self.card.pixels(one.file)
        if shown.shape[:2] != one.shape:
            raise ValueError(
                f"{one.file}: got {shown.shape[:2]} rows and columns; expected {one.shape}; was it changed?"
            )
        return Sample(id, Picture(shown, self.card.px_per_deg), self.reference(id), dict(one.tags))

    def reference(self, id: str) -> Lookers:
        """Who looked, without the picture."""
        one = self.seen[id]
        if one.shape is None:
            raise LookupError(f"{id} has no picture")
        return Lookers(
            one.paths,
            one.shape,
            self.card.px_per_deg,
            self.pool.controls_for(id, one.shape),
            {who: group for who, group in self.card.groups.items() if who in one.paths},
            one.dropped,
            self.card.status,
        )


def gaze_dataset(
    seen: Mapping[str, Seen], card: Card, *, root: Path, annotations: Sequence[Path], outside: Outside = "drop"
) -> Dataset[Picture, Lookers]:
    """The dataset of some pictures: one sample for each with a file; others of known size give controls.

    What lies outside a picture is dropped, clipped or refused (`outside`), and counted; a path may be empty.
    """
    if outside not in DONE:
        raise Misuse(f"got outside={outside!r}; expected {', '.join(DONE)}")
    raw = {id: one.paths for id, one in seen.items()}
    reach = reach_of({id: (one.paths, _shape(one, card)) for id, one in seen.items()})
    unsure = (*card.doubts, *_doubts(reach, card))
    held = {id: _with_paths_inside(one, card, outside=outside, id=id) for id, one in seen.items()}
    present = {id: one for id, one in held.items() if one.file is not None}
    if not present:
        raise Misuse(
            f"got {root} with eye movements on {len(seen)} pictures, but without the pictures; expected a file such "
            f"as {next(iter(seen), 'picture')}.jpg{'; say where they are: pictures=FOLDER' if card.placing else ''}"
        )
    files = [*annotations, *(one.file for one in present.values() if one.file)]
    shapes = {id: one.shape for id, one in held.items() if one.shape is not None}
    state = _folder.content_digest(root, files, annotations=annotations)
    dataset: Dataset[Picture, Lookers] = Dataset(
        card.name,
        tuple(present),
        Gallery(present, pool_fixations({id: one.paths for id, one in held.items()}, shapes), card, reach, raw),
        cite=card.cite,
        licence=card.licence,
        version=card.version,
        content=f"{state},px_per_deg={card.px_per_deg:g},outside={outside},{card.settings}",
        status=card.status,
        people=card.people,
        about=f"{card.about} {_summary(held, outside)}",
        remarks=(*card.remarks, *unsure, *_remarks(held)),
    )
    return dataset


def _remarks(held: Mapping[str, Seen]) -> tuple[str, ...]:
    """Which pictures were looked at and are not here, and which lie beside those that were."""
    absent = [id for id, one in held.items() if one.file is None]
    used = {one.file for one in held.values() if one.file}
    named, kinds = {file.with_suffix("") for file in used}, {*PICTURES, *(file.suffix for file in used)}
    beside = (file for place in {file.parent for file in used} for file in place.iterdir())
    unseen = [file for file in beside if file.suffix.lower() in kinds and file.with_suffix("") not in named]
    return (
        *remark(absent, "picture", "named in the recordings but missing, so left out"),
        *remark(sorted(file.name for file in unseen), "picture", "not in the recordings read, so left out"),
    )


def _with_paths_inside(one: Seen, card: Card, *, outside: Outside, id: str) -> Seen:
    """A picture with all fixations inside, where its size is known."""
    shape = _shape(one, card)
    if shape is None:
        return one
    try:
        cut = {who: keep_inside(path, shape, outside) for who, path in one.paths.items()}
    except ValueError as fault:
        raise Misuse(f"{card.name}, {id}: {fault}; say outside=drop or outside=clip") from None
    paths = {who: path for who, (path, _) in cut.items()}
    return replace(one, paths=paths, shape=shape, dropped=sum(off for _, off in cut.values()))


def _doubts(reach: Reach, card: Card) -> tuple[str, ...]:
    """What is doubtful about files whose coordinates nobody has checked; shares taken for px are refused."""
    if card.placing is None:
        return ()
    if card.placing.units == "" and all_shares(reach):
        raise Misuse(
            f"{card.name}: got x and y from 0 to 1 on pictures of {reach.width.min():.0f} px or more; expected px; if "
            "these are shares of the picture's width and height (with screen=, of the screen's), give units=share"
        )
    return doubts(reach, card.placing)


def _shape(one: Seen, card: Card) -> Shape | None:
    return card.shape(one.file) if one.file else one.shape


def _summary(held: Mapping[str, Seen], outside: Outside) -> str:
    """What is at hand, in one or two sentences."""
    here = [one for one in held.values() if one.file]
    trials = [path for one in here for path in one.paths.values()]
    said = (
        f"Here: {len(here)} pictures, {sum(map(len, trials))} fixations in {len(trials)} trials, "
        f"{sum(len(path) == 0 for path in trials)} of them empty; {sum(one.dropped for one in here)} fixations "
        f"outside their picture or without coordinates were {DONE[outside]}."
    )
    absent = [one for one in held.values() if not one.file]
    unknown = sum(one.shape is None for one in absent)
    if absent:
        said += f" {len(absent)} further pictures are not here" + (
            f"; {unknown} of them are of unknown size and provide no controls."
            if unknown
            else (", but their fixations serve as controls.")
        )
    return said
