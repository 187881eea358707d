"""Winner takes all by a network of leaky integrate-and-fire units, which says when (Walther and Koch)."""

from __future__ import annotations

import numpy as np

from beholder.attention.maps.scaling import fitting
from beholder.attention.models._paths import Guide, Paths, Rng, guide_map, observer_count, one_or_many
from beholder.attention.types import Floats, Picture, scanpath
from beholder.core.cite import source
from beholder.errors import Misuse
from beholder.jit import compiled
from beholder.vision.scales import resized

LONGER = 64  # cells: maps of 768 × 1024 px have 48 × 64, a sixteenth, as in the source [V]
STEP_MS = 0.1
SHARE, WIDTH = 6, 0.3  # the focus of attention is the longer side over 6 [V]; σ of inhibition is 0.3 of it [V]


@source("Walther2006,Koch1985", answers="scanpath", family="winner-take-all", supervised="as its map")
def wta_lif(
    picture: Picture,
    *,
    rng: Rng,
    many: int | None = None,
    of: Guide = "itti",
    on: str = "",
    fixations: int = 10,
    jitter: bool = True,
) -> Paths:
    """Winner-take-all by spiking neurons: the places that win in a salience map one after the other, and when.

    Salience units, C = 50 nF, are charged by the map (1 nA at its greatest) and leak through 0.1 μS. Each charges a
    winner-take-all unit, C = 1 nF, 10 nS, that fires at 1 mV. The place of the first to fire is fixated, all of these
    units are reset to −20 mV, and the salience units near it are inhibited by a conductance that fades within 1 s.
    Steps are 0.1 ms. `of` is a built-in model's name or a function from a picture to a map; for a folder of maps for
    the pictures of a dataset, wta_lif(of='dir:maps', on='mit1003:PATH'). A fixation begins when its unit fires and
    lasts until the next one fires; with `jitter` it lies anywhere in the unit's cell, otherwise in its middle. If
    nothing fires for 10 s, as on a map of zeros, the path ends.

    Deviation: written from equations. The map is reduced to 64 cells along its longer side, and 0 … 1. Inhibition is a
    disc, as there is no shape of a proto-object. Shifts come every 50 … 200 ms, faster than eyes: the source's
    constants.
    """
    if fixations < 1:
        raise Misuse(f"got fixations={fixations}; expected 1 or more")
    count = observer_count(many)
    shape = fitting(picture.shape, LONGER)
    chances = resized(guide_map(picture, of, on), shape)
    low, span = float(chances.min()), float(np.ptp(chances))
    current = 1e-9 * (chances - low) / (span or 1.0)
    cell = np.array(picture.shape[::-1]) / shape[::-1]
    spread = WIDTH * round(max(shape) / SHARE)
    paths = []
    for _ in range(count):
        noisy = current + 1e-17 * rng.random(shape) + 1e-14  # the source draws anew at every step; it never matters
        won = fire_in_turn(noisy, fixations + 1, spread)
        inside = rng.random((len(won), 2)) if jitter else 0.5
        x, y = ((won[:, 1::-1] + inside) * cell).T
        times = won[:, 2] * STEP_MS
        lasts = np.diff(times, append=np.nan)
        paths.append(scanpath(x, y, onset_ms=times, duration_ms=lasts).at(slice(fixations)))
    return one_or_many(paths, many)


def fire_in_turn(current: Floats, count: int, spread: float) -> Floats:
    """(≤ count, 3): rows, columns and steps of 0.1 ms of the units that fire in turn, first in order of columns."""
    found = np.empty((count, 3))
    return found[: _race(current, spread, found)]


@compiled
def _race(current: Floats, spread: float, found: Floats) -> int:
    """Fill `found`; how many fired."""
    rows, columns = current.shape
    salience, winner = np.zeros((rows, columns)), np.zeros((rows, columns))
    inhibition = np.zeros((rows, columns))
    step, quiet, won = 0, 0, 0
    while won < len(found) and quiet < 100_000:
        step += 1
        quiet += 1
        fires = 0
        for row in range(rows):
            for column in range(columns):  # without a branch, so that it becomes vectors
                leak = 1e-7 + inhibition[row, column]
                charge = 1e-4 / 5e-8 * (current[row, column] - leak * salience[row, column])
                salience[row, column] = max(salience[row, column] + charge, 0.0)
                inhibition[row, column] *= 0.9999
                charge = 1e-4 / 1e-9 * (5e-8 * salience[row, column] - 1e-8 * winner[row, column])
                winner[row, column] = max(winner[row, column] + charge, -0.02)
                fires += winner[row, column] > 1e-3
        if not fires:
            continue
        first_row, first_column = -1, columns
        for row in range(rows):
            for column in range(first_column):
                if winner[row, column] > 1e-3:
                    first_row, first_column = row, column
                    break
        found[won, 0], found[won, 1], found[won, 2] = first_row, first_column, step
        won, quiet = won + 1, 0
        winner[:] = -0.02
        strength = 0.1 * salience[first_row, first_column]
        for row in range(rows):
            for column in range(columns):
                square = ((row - first_row) ** 2 + (column - first_column) ** 2) / (2 * spread**2)
                inhibition[row, column] += strength * (np.exp(-square) - 1e-4 * np.exp(-square / 16))
    return won
