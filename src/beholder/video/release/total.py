"""The released table: the mean of each measure over clips, and the mean of these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from beholder.video.release.switches import AS_RELEASED, Switches

LEFT_OUT = "PAS"  # D2


def averages(values: Mapping[str, Sequence[float]], switches: Switches = AS_RELEASED) -> dict[str, float]:
    """The rows of the table, ×100: each measure's mean over the clips that have it; PAS has no row (D2)."""
    taken = {
        name: held
        for name, of in values.items()
        if (held := [one for one in of if not np.isnan(one)])
        and not (switches.amplitude_left_out_of_total and name == LEFT_OUT)
    }
    return {name: 100 * float(np.mean(of)) for name, of in taken.items()}


def total(values: Mapping[str, Sequence[float]], switches: Switches = AS_RELEASED) -> float:
    """The last row: the unweighted mean of the others; 0 where there is none.

    >>> values = {"CAS": [0.6, 0.8], "PAS": [0.1]}
    >>> round(total(values), 6), round(total(values, Switches(amplitude_left_out_of_total=False)), 6)
    (70.0, 40.0)
    """
    rows = averages(values, switches)
    return float(np.mean(list(rows.values()))) if rows else 0.0
