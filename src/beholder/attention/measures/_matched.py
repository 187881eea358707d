"""Controls that match each fixation: of the same observer, at the same time."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from beholder.attention.maps.fixated_pixels import Duplicates, controls_of
from beholder.attention.maps.fixation_maps import pixels
from beholder.attention.readouts import Surface
from beholder.attention.types import Controls, Floats, Lookers
from beholder.stats.ranking import place

Match = Literal["none", "observer", "time", "both"]


def matched_midranks(
    seen: Surface, lookers: Lookers, *, match: Match, window_ms: float, duplicates: Duplicates = "keep"
) -> Floats:
    """The midrank of each fixation among the controls that match it; NaN where none does.

    With "merge" one of each fixated pixel: the mean over those who fixated it and have a control that matches.
    """
    controls = controls_of(lookers)
    names, onsets = _who_and_when(lookers)
    rows, columns = pixels(lookers.points, lookers.shape)
    at, elsewhere = seen.at((rows, columns)), seen.at(pixels(controls.points, lookers.shape))
    found = np.full(len(at), np.nan)
    for k in range(len(at)):
        like = elsewhere[_like(controls, names[k], onsets[k], match, window_ms)]
        if len(like):
            found[k] = place(at[k : k + 1], np.sort(like)).midrank[0]
    return _merged(found, rows * seen.shape[1] + columns) if duplicates == "merge" else found


def _merged(values: Floats, pixel: NDArray[np.intp]) -> Floats:
    """The mean of each pixel's values that are known; NaN without any."""
    which = np.unique(pixel, return_inverse=True)[1]
    known = np.isfinite(values)
    total, n = (np.bincount(which, weights) for weights in (np.where(known, values, 0.0), known.astype(float)))
    return np.asarray(np.where(n > 0, total / np.maximum(n, 1), np.nan))


def _who_and_when(lookers: Lookers) -> tuple[list[str], Floats]:
    names = [name for name, path in lookers.paths.items() for _ in range(len(path))]
    return names, np.concatenate([np.empty(0), *(path.onset_ms for path in lookers.paths.values())])


def _like(controls: Controls, who: str, when: float, match: Match, window_ms: float) -> NDArray[np.bool_]:
    """Which controls match; a time that is not known matches none."""
    held = np.ones(len(controls.points), np.bool_)
    if match in ("observer", "both"):
        held &= controls.observer == who
    if match in ("time", "both"):
        with np.errstate(invalid="ignore"):
            held &= np.abs(controls.onset_ms - when) <= window_ms
    return held
