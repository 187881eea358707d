"""Perceptible amplitude: how much the subject moves, whatever the camera does."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.core.measure import NotApplicable, Result, measure
from beholder.video.evidence import Event, Evidence
from beholder.video.measures._doubt import stated
from beholder.video.measures._shake import repeated_pairs
from beholder.video.readouts.analysis import analyse
from beholder.video.thresholds import OURS, Thresholds, amplitude_threshold
from beholder.video.types import Floats

KNOWN = 0.5  # share of inliers: below, the motion of the camera is not known, nor that of anything else


@measure(
    better="higher", bounds=(0, 1), cite="Ling2025", reads=analyse,
    parts=dict.fromkeys(("raw", "pan", "zoom", "roll", "inliers", "area", "assessed", "tau"), "neither"),
)  # fmt: skip
def perceptible_amplitude(found: Evidence, scene: Any, *, tau: float | None = None, table: Thresholds = OURS) -> Result:
    """PAS: how much the subject moves once the camera's motion is removed, capped at motion that is plainly visible.

    PAS = (1/T) Σ_t min(D̄_t/τ_s, 1): D̄_t is the mean speed, in frame diagonals per second, of what moves against the
    background; τ_s is the speed that earns full credit: 0.30, scaled by the subject's size in the prompt (`tau` fixes
    it, `table` replaces the table). Parts: `raw`, the mean of D̄_t; `pan` (diagonals/s), `zoom` (log/s) and `roll`
    (°/s), the camera's mean rates, in any direction; `inliers`, the share of flow that the camera explains; `area`, the
    share of the frame that moves; `assessed`, the share of time with a known camera; `tau`. Nothing moves: 0. Camera
    unknown (less than half of the flow explained): not applicable.

    Deviation: everything that moves is taken as the subject; the paper finds the subject by its noun. The flow around
    it slows its edges: a disc of 25 px radius measures about three quarters of its speed, a smaller one less.
    Deviation: per second, not per frame. Deviation: with `backend=deep`, Grounding DINO and SAM 2 find the subject by
    its noun (without one: person, animal, vehicle, object); its speed is that of the residual flow under its mask, for
    CoTracker's points. Where they find nothing: not applicable.

    >>> from beholder.video.uneventful import uneventful, with_speed
    >>> clip = with_speed(uneventful(frames=3), [0.15, 0.6])
    >>> perceptible_amplitude(clip, None, tau=0.3).value  # the mean of ½ and 1
    0.75
    """
    if found.no_subject:
        raise NotApplicable(found.no_subject)
    known = assessed(found)
    inliers = float(found.camera.inliers.mean()) if len(known) else 0.0
    if inliers < KNOWN or not known.any():
        raise NotApplicable(f"the motion of the camera is not known: it explains {inliers:.0%} of the flow")
    enough = amplitude_threshold(scene, table) if tau is None else tau
    weights, speed = found.camera.steps[known], paced(found)[known]
    value = float(np.average(np.minimum(speed / enough, 1.0), weights=weights))
    parts = {"raw": float(np.average(speed, weights=weights)), **camera_rates(found), "inliers": inliers}
    parts |= {"area": float(np.average(found.motion.area[known], weights=weights))}
    parts |= {"assessed": float(weights.sum() / found.camera.steps.sum()), "tau": enough}
    doubt = "" if parts["assessed"] >= 0.8 else f"the camera is known for {parts['assessed']:.0%} of the time"
    return stated(value, parts, found, doubt)


def assessed(found: Evidence) -> NDArray[np.bool_]:
    """Of each analysed pair: whether the motion of the camera is known."""
    return np.asarray(found.camera.inliers >= KNOWN)


def paced(found: Evidence) -> Floats:
    """D̄_t with the motion over repeated frames shared out: a picture that stays and then jumps is as fast as before."""
    steps, fresh = found.camera.steps, ~repeated_pairs(found)
    group: NDArray[np.intp] = np.cumsum(fresh) - fresh  # a repeat belongs to the change that ends it
    ways, seconds = np.bincount(group, steps * found.motion.speed), np.bincount(group, steps)
    return np.asarray((ways / seconds)[group])


def camera_rates(found: Evidence) -> dict[str, float]:
    """Mean pan, zoom and roll per second, without their directions, while the camera is known."""
    known = assessed(found)
    if not known.any():
        return dict.fromkeys(("pan", "zoom", "roll"), math.nan)
    cam, weights = found.camera, found.camera.steps[known]
    series = {"pan": np.linalg.norm(cam.pan, axis=1), "zoom": np.abs(cam.zoom), "roll": np.abs(cam.roll)}
    return {name: float(np.average(values[known], weights=weights)) for name, values in series.items()}


def events_of(found: Evidence, scene: Any = None) -> tuple[Event, ...]:
    """Moments that were left out because the motion of the camera is not known."""
    cam = found.camera
    return tuple(
        Event("camera_unknown", float(cam.times[at] - cam.steps[at]), float(cam.times[at]), None, 0.0, "not assessed")
        for at in np.flatnonzero(~assessed(found))
    )
