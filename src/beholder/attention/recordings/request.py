"""What `beholder gaze` is asked: files, how they are to be read, the geometry, and the detector."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from beholder.attention.gaze.detection import DETECTORS, Gaze
from beholder.attention.gaze.extraction import RELEASED_MS, RELEASED_PX, geymol_fixations
from beholder.attention.recordings import bids, eyelink, tables
from beholder.attention.recordings.options import COMMAND, Options
from beholder.attention.recordings.trials import Trial, widen_gaps
from beholder.attention.types import Scanpath, check_positive
from beholder.display import Screen
from beholder.errors import Misuse
from beholder.io.table import SUFFIXES

TRACKER = "tracker"


@dataclass(frozen=True)
class Request:
    """The command's options."""

    files: tuple[Path, ...]
    detector: str = "velocity"
    px_per_deg: float = np.nan
    screen: tuple[int, int] | None = None  # width and height in px
    width_cm: float = np.nan
    distance_cm: float = np.nan
    columns: Mapping[str, str] = field(default_factory=dict)
    unit: str = ""  # of times: ms, s, us; "" as the column's name says
    hertz: float = np.nan  # where a table has no times
    starts: str = ""  # how a message begins that begins a trial (EyeLink)
    eye: str = ""
    pictures: Path | None = None  # shown in the middle of the screen, in their own size
    around_ms: float = 0.0  # also lost before and after each gap
    options: Options = COMMAND  # how a reader of errors gives what is missing

    def __post_init__(self) -> None:
        check_positive(
            px_per_deg=self.px_per_deg, width_cm=self.width_cm, distance_cm=self.distance_cm, hertz=self.hertz
        )  # fmt: skip


def released(
    gaze: Gaze, *, px_per_deg: float = np.nan, limit: float = RELEASED_PX, least_ms: float = RELEASED_MS
) -> Scanpath:
    """As the released G-Eymol finds fixations: within `limit` px (not degrees) of the sample where one began."""
    times = gaze.start_ms + np.arange(len(gaze), dtype=np.float64) * 1000.0 / gaze.hertz
    return geymol_fixations(np.stack([gaze.x, gaze.y], axis=1), times, limit=limit, least_ms=least_ms)


FINDERS: Mapping[str, Callable[..., Scanpath]] = {**DETECTORS, "geymol": released}


def read_trials(asked: Request) -> list[Trial]:
    """All trials of all files, in px of the pictures where these are given."""
    found = [trial for file in asked.files for trial in _read(file, asked)]
    if not found:
        raise Misuse(f"got {', '.join(map(str, asked.files))} without any trial; expected gaze samples")
    placed = [_on_picture(trial, asked) for trial in found] if asked.pictures else found
    return widen_gaps([replace(trial, px_per_deg=_scale(trial, asked)) for trial in placed], asked.around_ms)


def _read(path: Path, asked: Request) -> Iterator[Trial]:
    if not path.exists():
        raise Misuse(f"got {path}, which does not exist; expected a recording")
    if path.is_dir():
        recordings = sorted(path.rglob("*.asc"))
        if not recordings:
            return bids.read(path, eye=asked.eye)
        return (trial for file in recordings for trial in eyelink.read(file, starts=asked.starts, eye=asked.eye))
    if path.suffix.lower() == ".asc":
        return eyelink.read(path, starts=asked.starts, eye=asked.eye)
    if path.name.endswith("_physio.tsv.gz"):
        return bids.read(path, eye=asked.eye)
    if path.suffix.lower() in SUFFIXES:
        return tables.read(path, named=asked.columns, unit=asked.unit, hertz=asked.hertz, options=asked.options)
    raise Misuse(
        f"got {path}; expected a table ({', '.join(SUFFIXES)}), an EyeLink text file (.asc; edf2asc makes it), "
        "…_physio.tsv.gz of BIDS, or a folder of these"
    )


def _scale(trial: Trial, asked: Request) -> float:
    """px per degree: as given, from the geometry that was given, or as the recording says."""
    if np.isfinite(asked.px_per_deg):
        return asked.px_per_deg
    if np.isfinite(asked.width_cm) and np.isfinite(asked.distance_cm):
        size = asked.screen or trial.screen
        if size is None:
            raise Misuse(
                f"got the screen's width and distance in cm; expected the screen's px as well: {asked.options.screen}"
            )
        return Screen(*size, asked.width_cm, asked.distance_cm).px_per_deg
    return trial.px_per_deg


def _on_picture(trial: Trial, asked: Request) -> Trial:
    """A trial in px of its picture, which stood in the middle of the screen."""
    from PIL import Image

    size = asked.screen or trial.screen
    if size is None:
        raise Misuse("got --pictures; expected the screen's size as well: --screen 1920x1080")
    place = Path(asked.pictures or ".")
    files = [file for file in sorted(place.rglob(f"{Path(trial.stimulus).name}.*")) if file.is_file()]
    if not files:
        raise Misuse(f"got no picture {trial.stimulus}.* below {place}; expected one for each stimulus")
    with Image.open(files[0]) as opened:
        left, top = (size[0] - opened.width) / 2, (size[1] - opened.height) / 2
    gaze, tracked = trial.gaze, trial.tracked
    moved = replace(gaze, x=gaze.x - left, y=gaze.y - top)
    marked = None if tracked is None else replace(tracked, x=tracked.x - left, y=tracked.y - top)
    return replace(trial, gaze=moved, tracked=marked)
