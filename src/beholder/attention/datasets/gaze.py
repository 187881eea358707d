"""Anybody's raw gaze: tables of samples, EyeLink text or BIDS, with a detector that finds the fixations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from beholder.attention.datasets import _folder
from beholder.attention.datasets._fixations import Pictures, picture_folder
from beholder.attention.datasets._gaze import Card, Seen, gaze_dataset
from beholder.attention.gaze.placing import Placing
from beholder.attention.recordings.fixation_table import Found, find_fixations
from beholder.attention.recordings.options import DATASET
from beholder.attention.recordings.request import Request
from beholder.attention.types import Lookers, Outside, Picture, Scanpath
from beholder.core.cite import source
from beholder.core.sample import Dataset
from beholder.io.columns import named
from beholder.io.table import SUFFIXES

ABOUT = "Your own raw gaze from {name}; fixations {how}; px per degree {known}; {told}."


@source("LeMeur2013")
def gaze(  # noqa: PLR0913  (what a lab's files may need to be told)
    path: Path,
    *,
    detector: str = "velocity",
    columns: str = "",
    pictures: str = "",
    px_per_deg: float = np.nan,
    screen: str = "",
    width_cm: float = np.nan,
    distance_cm: float = np.nan,
    placement: str = "",
    time: str = "",
    hertz: float = np.nan,
    starts: str = "",
    eye: str = "",
    outside: Outside = "drop",
) -> Dataset[Picture, Lookers]:
    """Raw gaze, a row per sample: a table, an EyeLink text file (.asc), or a folder of these or of BIDS; and pictures.

    A table has the columns x, y, time, stimulus, observer and, if there is one, valid (1 or true where the sample is
    good), or Tobii's validity of each eye (Valid and Invalid, or codes from 0, good, to 4, lost). Names that Tobii,
    Pupil Labs and others use are recognised, `columns` says any other: columns='x=gx,y=gy'. `time` is the unit of times
    (s, ms, us, ns); `hertz` the rate where there are none. `detector` finds the fixations: velocity, acceleration,
    dispersion, geymol, or tracker (those that the tracker marked). `starts` is how EyeLink messages that begin a trial
    start, `eye` L or R.

    Where the recording or `screen` says how large the screen was, pictures stood on it at their own size in the middle,
    or as `placement` says (fit, stretch, picture); else coordinates are px of the picture. Detectors work in degrees:
    give px_per_deg, or screen, width_cm and distance_cm, where the recording does not say it.
    """
    placing = Placing(px_per_deg, screen, width_cm, distance_cm, placement)
    root = path if path.is_dir() else path.parent
    files = _tables(path) if path.is_dir() else [path]
    asked = Request(
        tuple(files),
        detector,
        px_per_deg,
        placing.size,
        width_cm,
        distance_cm,
        named(columns),
        time,
        hertz,
        starts,
        eye,
        options=DATASET,
    )
    found = find_fixations(asked)
    known = Pictures(picture_folder(root / "x", pictures))
    seen = dict(_seen(found, known, placing))
    scales = sorted({round(trial.px_per_deg, 6) for trial in found.trials if np.isfinite(trial.px_per_deg)})
    scale = scales[0] if len(scales) == 1 else float("nan")
    told = f"{scale:.4g}" if np.isfinite(scale) else "not known"
    card = Card(
        f"gaze_{path.stem}", ABOUT.format(name=path.name, how=found.how, known=told, told=_placed(found, placing).told),
        "LeMeur2013", "not stated", scale,
        settings=f"{placing.key},{detector},{columns},{time},{hertz:g},{starts},{eye}",
        placing=_placed(found, placing), columns=found.columns, facts=_facts(found), doubts=found.doubts, version=2,
    )  # fmt: skip
    return gaze_dataset(seen, card, root=root, annotations=_annotations(files), outside=outside)


def _facts(found: Found) -> dict[str, str]:
    """What `check` says of raw gaze: how often, what was lost, how fixations were found."""
    gone, many = found.lost_samples
    return {
        "sampling rate": f"{found.rates} Hz",
        "detector": found.how,
        "lost": f"{100 * gone / max(1, many):.1f} % of {many:,} samples",
        "valid": found.validity,
    }


def _tables(folder: Path) -> list[Path]:
    """What is read of a folder: all its tables, or else itself, as one of EyeLink or BIDS."""
    tables = [file for file in sorted(folder.iterdir()) if file.suffix.lower() in SUFFIXES[:3]]
    described = (folder / "dataset_description.json").is_file() or any(folder.rglob("*_physio.tsv.gz"))
    return [folder] if described or any(folder.rglob("*.asc")) or not tables else tables


def _annotations(files: list[Path]) -> list[Path]:
    inside = ("*.asc", "*_physio.tsv.gz", "*_events.tsv", "*_physioevents.tsv.gz", "*.json")
    return [
        own
        for file in files
        for own in ([file] if file.is_file() else [one for kind in inside for one in file.rglob(kind)])
    ]


def _placed(found: Found, placing: Placing) -> Placing:
    """The placing with the screen that the recording knows, where none was given."""
    sizes = {trial.screen for trial in found.trials if trial.screen}
    if placing.screen or len(sizes) != 1:
        return placing
    width, height = sizes.pop()
    return replace(placing, screen=f"{width}x{height}")


def _seen(found: Found, known: Pictures, placing: Placing) -> Iterator[tuple[str, Seen]]:
    """Each picture with everybody's fixations."""
    by_name: dict[str, dict[str, Scanpath]] = {}
    own = _placed(found, placing)
    for trial, path in zip(found.trials, found.paths, strict=True):
        by_name.setdefault(trial.stimulus, {})[trial.observer] = path
    for name, paths in sorted(by_name.items()):
        id, file = known.of(name)
        yield id, Seen(_moved(paths, file, own), file)


def _moved(paths: Mapping[str, Scanpath], file: Path | None, placing: Placing) -> dict[str, Scanpath]:
    if file is None:
        return dict(paths)
    shape = _folder.picture_size(file)
    places = {who: placing.on_picture(path.x, path.y, shape) for who, path in paths.items()}
    return {who: replace(path, x=places[who][0], y=places[who][1]) for who, path in paths.items()}
