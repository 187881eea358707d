"""What columns of eye movements mean, and what programs and labs call them: listed here, and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from beholder.attention.types import Floats
from beholder.errors import Misuse
from beholder.io.columns import UNITS, Words, unit_of

if TYPE_CHECKING:
    import pandas as pd

# Spelt as `io.columns.plain` spells them, the best first. Sources, from memory where no name says otherwise: EyeLink
# Data Viewer (CURRENT_FIX_…, RECORDING_SESSION_LABEL), Tobii Studio and Pro Lab (MCSpx, Gaze event duration, Presented
# Media name), Pupil Labs Core (norm_pos_x), Neon and Invisible ("fixation x [px]", "duration [ms]"), Gazepoint (FPOG…).
WHO_AND_WHAT: Words = {
    "stimulus": (
        *("image", "picture", "stim", "img", "photo", "filename", "file_name", "image_name", "imagename", "image_file"),
        *("image_id", "picture_name", "stimulus_name", "stimulusname", "trial_image", "stim_file", "stimulus_file"),
        *("presented_stimulus_name", "presented_media_name", "media_name", "medianame", "file"),
    ),
    "observer": (
        *("subject", "participant", "recording_session_label", "session_label", "sub", "subj", "obs", "viewer", "user"),
        *("subject_id", "participant_id", "observer_id", "participant_name", "participantname", "subject_nr", "vp"),
        *("recording_name", "recordingname", "wearer_name", "recording_id"),
    ),
    "group": (),
}
PLACES: Words = {
    axis: (
        *(f"current_fix_{axis}", f"fix_{axis}", f"fixation_{axis}", f"{axis}_px", f"fixation_{axis}_px", f"pos_{axis}"),
        *(
            f"fixation_point_{axis}_mcspx",
            f"fixationpoint{axis}_mcspx",
            f"fixation_point_{axis}",
            f"fixationpoint{axis}",
        ),
        *(f"fixation_point_{axis}_mcs_px", f"fixation_point_{axis}_dacs_px", f"fixation_point_{axis}_px"),
        *(f"gaze_{axis}", f"{axis}_coordinate", f"mean_{axis}", f"{axis}_mean", f"avg_{axis}", f"fpog{axis}"),
        *(f"{axis}_norm", f"norm_{axis}", f"norm_pos_{axis}"),
    )
    for axis in "xy"
}
FIXATIONS: Words = {
    **{word: WHO_AND_WHAT[word] for word in ("stimulus", "observer")},
    "index": (
        *(
            "current_fix_index",
            "fixation_index",
            "fixationindex",
            "fix_index",
            "fixation_number",
            "fix_nr",
            "fixation_id",
        ),
        *("eye_movement_type_index", "fixation", "nr", "number", "order", "id"),
    ),
    **PLACES,
    "onset": (
        *("onset_ms", "start_ms", "current_fix_start", "start_timestamp_ns", "start_timestamp", "onset_s", "start_s"),
        *("start_time", "start", "fix_start", "fixation_start", "time_start", "fpogs", "time_ms", "time_s", "time"),
    ),
    "duration": (
        *("duration_ms", "dur_ms", "current_fix_duration", "fix_duration", "fixation_duration", "fixation_duration_ms"),
        *("gaze_event_duration_ms", "gaze_event_duration", "gazeeventduration", "gazeeventduration_ms", "duration_s"),
        *("dur_s", "dur", "fpogd"),
    ),
    "group": WHO_AND_WHAT["group"],
    "event": ("eye_movement_type", "eyemovementtype", "gazeeventtype", "gaze_event_type", "event_type"),
}
SCANPATHS: Words = {
    "model": ("observer", "method", "system", "generator", "network", "subject"),
    "repeat": ("run", "trial", "sample", "path", "scanpath", "seed", "repetition", "rep"),
    **{word: names for word, names in FIXATIONS.items() if word not in ("observer", "group", "event")},
}
GAZE: Words = {
    axis: (
        *(f"gaze_{axis}", f"{axis}_px", f"{axis}_coordinate", f"gaze_point_{axis}_mcspx", f"gazepoint{axis}_mcspx"),
        *(f"gaze_point_{axis}_mcs_px", f"gaze_point_{axis}_dacs_px", f"gazepoint{axis}_adcspx", f"gazepoint{axis}"),
        *(f"gaze_point_{axis}", f"gaze_point_{axis}_px", f"gaze_{axis}_px", f"bpog{axis}", f"norm_pos_{axis}"),
    )
    for axis in "xy"
} | {
    "time": (
        *("time_ms", "timestamp_ms", "time_s", "time_us", "recording_timestamp_ms", "recording_timestamp_us"),
        *("recordingtimestamp_ms", "recordingtimestamp_us", "recording_timestamp", "recordingtimestamp"),
        *("timestamp_us", "timestamp_ns", "gaze_timestamp", "timestamp"),
    ),
    "stimulus": (*WHO_AND_WHAT["stimulus"], "trial"),
    "observer": WHO_AND_WHAT["observer"],
    "valid": ("validity", "validity_code"),
    **{
        f"valid_{side}": (f"validity_{side}", f"validity{side}", f"{side}_validity", f"{side}_gaze_point_validity")
        for side in ("left", "right")
    },
}
EYES = ("valid_left", "valid_right")
FIXATED = ("fixation", "fix", "fixa")  # how programs mark rows that are fixations
SHARES = ("norm", "fpog", "bpog")  # in names of columns that run from 0 to 1
FROM_BELOW = ("norm_pos",)  # in names of columns whose y counts from below (Pupil Core)


def milliseconds(values: Floats, column: str, unit: str = "") -> Floats:
    """Times in ms: in the unit that is given, or that the column's name tells, or in ms."""
    if unit and unit not in UNITS:
        raise Misuse(f"got time={unit}; expected {', '.join(UNITS)}")
    return values * UNITS[unit or unit_of(column) or _usual(column)]


def _usual(column: str) -> str:
    """The unit of columns that do not tell it, by their programs: Pupil Core and Gazepoint count seconds."""
    return "s" if column.strip().lower() in ("start_timestamp", "gaze_timestamp", "fpogs", "fpogd") else "ms"


def numbers(rows: pd.DataFrame, column: str, where: Any, expected: str = "numbers, empty where missing") -> Floats:
    """A column of numbers; text in it is refused."""
    cells = rows[column]
    if cells.dtype.kind in "fiub":
        return cells.to_numpy(np.float64)
    filled = cells[cells.notna()]
    for row, cell in _culprit(filled):
        raise Misuse(
            f"{where}: got text in the column {column.strip()}: {str(cell)[:30]!r} in row {row} (the head is row 1); "
            f"expected {expected}"
        )
    # all are numbers: the text that made the column one of texts stands in other rows
    return filled.map(float).reindex(cells.index).to_numpy(np.float64)


def _culprit(cells: pd.Series[Any]) -> list[tuple[Any, Any]]:
    """The row and the text of the first cell that is no number: neither with a point nor with a decimal comma.

    Where there is none, some have a comma and others a point: then the first with a comma, if there is one.
    """
    every = [(row, cell) for row, cell in zip(cells.index, cells, strict=True) if not _is_number(cell)]
    worst = [(row, cell) for row, cell in every if not _is_number(str(cell).replace(",", ".", 1))]
    return [((row + 2 if isinstance(row, int) else row), cell) for row, cell in (worst or every)[:1]]


def _is_number(cell: Any) -> bool:
    try:
        float(cell)
    except (TypeError, ValueError):
        return False
    return True


def told_by_names(columns: Mapping[str, str]) -> dict[str, str]:
    """The unit and origin of places that the names of their columns tell."""
    name = columns["x"].lower()
    found = {"units": "share"} if any(word in name for word in SHARES) else {}
    return found | ({"origin": "bottom_left"} if any(word in name for word in FROM_BELOW) else {})
