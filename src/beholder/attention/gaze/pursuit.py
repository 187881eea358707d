"""Smooth pursuit in scanpaths: short steps between fixations, which MultiMatch's simplification does not merge."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from beholder.attention.types import Floats, Scanpath


def pursuit_path(x: Floats, y: Floats, onset_ms: Floats, *, step_ms: float = 100.0) -> Scanpath:
    """A scanpath from samples of one pursuit: points `step_ms` apart, each lasting that long; signal `pursuit` = 1.

    Points between samples are interpolated; a shorter rest at the end is the last point's duration.

    >>> trace = np.arange(0.0, 251.0, 10.0)
    >>> path = pursuit_path(trace, 0 * trace, trace)
    >>> path.x, path.duration_ms
    (array([  0., 100., 200.]), array([100., 100.,  50.]))
    """
    if not (len(x) == len(y) == len(onset_ms) >= 2) or not (np.diff(onset_ms) > 0).all():
        raise ValueError(f"got {len(x)}, {len(y)} and {len(onset_ms)} values; expected 2 or more, in order of time")
    if not step_ms > 0:
        raise ValueError(f"got step_ms={step_ms}; expected more than 0")
    times = np.arange(onset_ms[0], onset_ms[-1], step_ms)
    durations = np.diff(np.append(times, onset_ms[-1]))
    at = np.interp(times, onset_ms, x), np.interp(times, onset_ms, y)
    return Scanpath(*at, times, durations, {"pursuit": np.ones(len(times))})


def insert_pursuits(fixations: Scanpath, *pursuits: Scanpath) -> Scanpath:
    """Insert pursuits into a scanpath of fixations, in order of onset; the signal `pursuit` tells them apart.

    >>> from beholder.attention.types import scanpath
    >>> rest = scanpath([0, 9], [0, 0], onset_ms=[0, 400], duration_ms=[100, 100])
    >>> ramp = pursuit_path(np.array([1.0, 8.0]), np.zeros(2), np.array([150.0, 350.0]))
    >>> insert_pursuits(rest, ramp).signals["pursuit"]
    array([0., 1., 1., 0.])
    """
    pieces = [replace(fixations, signals={"pursuit": np.zeros(len(fixations))}), *pursuits]
    columns = [np.concatenate([getattr(one, name) for one in pieces]) for name in ("x", "y", "onset_ms", "duration_ms")]
    if not np.isfinite(columns[2]).all():
        raise ValueError(
            "got unknown onsets; expected the onset of every fixation, so that pursuits can be placed between them"
        )
    signal = np.concatenate([one.signals["pursuit"] for one in pieces])
    return Scanpath(columns[0], columns[1], columns[2], columns[3], {"pursuit": signal}).at(
        np.argsort(columns[2], kind="stable")
    )
