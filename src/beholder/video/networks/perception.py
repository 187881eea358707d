"""The deep backend: what networks see in a clip, as the same evidence that the measures read.

Each product is kept by the clip and by the digests of the weights that it was made with, so that another set of weights
costs, and changes, only what reads them: Grounding DINO and SAM 2 the subject (PAS, TCS; MSS has a threshold that
depends on its speed), Grounding DINO and ViTPose the skeletons (OIS), VideoMAE the classes (CAS), Q-Align the quality
of frames (MSS), CoTracker the paths of points.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import Any

import cv2
import numpy as np

from beholder.core.measure import Readout
from beholder.errors import Misuse
from beholder.store.cache import cached
from beholder.store.digest import digest, package
from beholder.video.accept import accept
from beholder.video.evidence import Coherence, Event, Evidence, Frames
from beholder.video.files.clips import opened
from beholder.video.networks import cotracker, grounding_dino, q_align, sam2, videomae, vitpose
from beholder.video.networks.subject import LONG_SIDE, Schedule, Subject, grid_shape, look, outline, schedule
from beholder.video.networks.weights import Weights
from beholder.video.readouts.analysis import analyse, evidence_of
from beholder.video.readouts.footage import LONG_SIDE as SMALL
from beholder.video.readouts.footage import Footage, stretches
from beholder.video.readouts.identity import followed
from beholder.video.readouts.joining import join
from beholder.video.readouts.segments import COARSE
from beholder.video.release import amplitude, coherence
from beholder.video.release.coherence import Change, Followed
from beholder.video.release.evidence import (
    QUALITY_RANGE,
    RIM,
    Film,
    Follow,
    Mask,
    Objects,
    Released,
    film_of,
    quality,
    release_evidence,
    released,
)
from beholder.video.release.points import Grey, follow
from beholder.video.release.switches import AS_RELEASED, MENDED
from beholder.video.skeletons import COCO
from beholder.video.types import Clip, Floats, Poses, Prompt

ANYTHING = "person. animal. vehicle. object."  # what is looked for where the prompt names no subject
PERSON = "person"
HIDDEN = (
    0.8  # of an object's points: then it is gone; Lucas and Kanade keep a few by accident, where CoTracker has none
)
POINTS = 300  # of an object that are followed: a few suffice to tell whether it is there
NEEDS = {"sam2": "grounding_dino", "vitpose": "grounding_dino"}  # whose boxes it starts from
RULES = {  # the released excuses by the names of our rules, which can be left out one by one
    "edge": "edge: leaves through the border",
    "small": "size: too small",
    "detector error": "detector_error: the tracker sees it",
}


@dataclass(frozen=True, eq=False)
class DeepClip(Clip):
    """A clip that networks are to look at."""

    networks: Mapping[str, Weights] = field(default_factory=dict)


def check(networks: Mapping[str, Weights]) -> None:
    """Refuse a choice of networks of which one lacks what it starts from."""
    for name in networks:
        if name in NEEDS and NEEDS[name] not in networks:
            raise Misuse(f"got networks={'+'.join(networks)}; {name} starts from boxes of {NEEDS[name]}: name it, too")


def accept_deep(raw: Any, prompt: Prompt, *, networks: Mapping[str, Weights], accepts: Readout = accept) -> DeepClip:
    """A clip from what a generator gave, to be looked at by networks."""
    clip = accepts(raw, prompt)
    return DeepClip(**{one.name: getattr(clip, one.name) for one in fields(Clip)}, networks=networks)


@analyse.register
def _deep(answer: DeepClip, stimulus: Any) -> Evidence:
    nets = answer.networks
    when = schedule(answer)
    subject = _subject(answer, stimulus, when)
    poses = answer.poses or _people(answer, when)
    parts = stretches(answer)
    found = join([evidence_of(part, poses, _masks(part, subject) if subject else None) for part in parts])
    if subject:
        found = _with_subject(answer, found, subject)
    if "q_align" in nets:
        found = replace(found, frames=_scored(found.frames, _quality(answer)))
    if "videomae" in nets:
        seen = partial(videomae.classes, answer, nets["videomae"])
        found = replace(found, classes=_kept("classes", answer, ["videomae"], seen))
    return found


def _kept(what: str, answer: DeepClip, roles: Sequence[str], ask: Callable[[], Any], *more: Any) -> Any:
    """A product of some networks, from the cache where they have seen this clip before."""
    weights = [answer.networks[role].digest for role in roles]
    return cached(digest(what, package(), weights, answer.content or answer.pixels, answer.rate, *more), ask)


def _subject(answer: DeepClip, stimulus: Any, when: Schedule) -> Subject | None:
    nets = answer.networks
    if "sam2" not in nets:
        return None
    noun = getattr(stimulus, "subject", "") or ANYTHING
    seen = partial(look, answer, noun, when, nets["grounding_dino"], nets["sam2"])
    found: Subject = _kept("subject", answer, ["grounding_dino", "sam2"], seen, noun)
    return found


def _people(answer: DeepClip, when: Schedule) -> tuple[Poses, ...]:
    """People's skeletons: looked for at each keyframe, and followed by their own keypoints in between."""
    nets = answer.networks
    if "vitpose" not in nets:
        return ()
    boxes = _kept("people", answer, ["grounding_dino"], partial(_boxes, answer, when, nets["grounding_dino"]))
    seen = partial(_skeletons, answer, boxes, nets["vitpose"])
    found: tuple[Poses, ...] = _kept("skeletons", answer, ["grounding_dino", "vitpose"], seen)
    return found


def _boxes(answer: Clip, when: Schedule, weights: Weights) -> dict[int, Floats]:
    """Boxes around people at the keyframes."""
    some = set(when.keyframes)
    with opened(answer, LONG_SIDE) as stream:
        frames = ((at, frame) for at, (_, frame) in enumerate(stream.frames) if at in some)
        return {at: grounding_dino.detect(frame, PERSON, weights).boxes for at, frame in frames}


def _skeletons(answer: Clip, boxes: Mapping[int, Floats], weights: Weights) -> tuple[Poses, ...]:
    people = vitpose.People(weights)
    with opened(answer, LONG_SIDE) as stream:
        found = [people.step(frame, boxes.get(at)) for at, (_, frame) in enumerate(stream.frames)]
    return followed(found, COCO)


def _quality(answer: DeepClip) -> Floats:
    found: Floats = _kept("quality", answer, ["q_align"], partial(q_align.scores, answer, answer.networks["q_align"]))
    return found


def _scored(frames: Frames, scores: Floats) -> Frames:
    """The quality of frames by a network, on the scale of sharpness; the classical second opinion is not heard."""
    return replace(frames, sharpness=scores[: len(frames.sharpness)] * QUALITY_RANGE, extra={})


def _masks(part: Footage, subject: Subject) -> list[Mask]:
    """Where the subject is at the first frame of each pair of a stretch, on the coarse grid of flow."""
    height, width = part.pixels.shape[1:3]
    return subject.at(part.times[:-1], (-(-height // COARSE), -(-width // COARSE)))


def _with_subject(answer: DeepClip, found: Evidence, subject: Subject) -> Evidence:
    """The same evidence with the subject's objects instead of what moves, and their comings and goings."""
    tracks = subject.tracks()
    none = "" if tracks else f"Grounding DINO found no {subject.noun.rstrip('.')} in the clip"
    return replace(found, tracks=tracks, coherence=_coherence(answer, found, subject), no_subject=none)


def _coherence(answer: DeepClip, found: Evidence, subject: Subject) -> Coherence:
    """Every object that vanishes or emerges between keyframes, with the excuse that the released rules give it."""
    cuts = found.coherence.shot_cuts
    every = coherence.changes(coherence.carried(subject.ids, MENDED))
    film = _film(answer, subject) if every else Film([], subject.times)
    events = tuple(_event(one, subject, film, cuts, _tracker(answer)) for one in every)
    return Coherence(events, cuts, 1.0, found.facts.seconds, len(subject.times))


def _film(answer: Clip, subject: Subject) -> Film:
    """The frames that were looked at, in grey."""
    some = set(subject.schedule.looked)
    with opened(answer, SMALL) as stream:
        frames: list[Grey] = [
            cv2.cvtColor(frame, cv2.COLOR_RGB2GRAY) for at, (_, frame) in enumerate(stream.frames) if at in some
        ]
    return Film(frames, subject.times)


def _event(one: Change, subject: Subject, film: Film, cuts: Sequence[float], track: Follow) -> Event:
    """When and where an object vanished or emerged, and why that may be."""
    marks, masks, times = subject.schedule.marks, subject.masks(one.id), subject.times
    before, after = marks[one.keyframe - 1], marks[one.keyframe]
    held = np.flatnonzero(masks.any(axis=(1, 2))).tolist()
    if one.way == "vanish":
        last = max((at for at in held if before <= at < after), default=before)
        start, end, box = times[last], times[last + 1], outline(masks[last])
    else:
        start, end, box = times[after - 1], times[after], outline(masks[after])
    cut = any(times[before] < moment <= times[after] for moment in cuts)
    why = "unrest: shot cut" if cut else _excuse(one, subject, film, track)
    return Event(one.way, float(start), float(end), box, 1.0, why)


def _excuse(one: Change, subject: Subject, film: Film, track: Follow) -> str:
    """What a tracker of points on the object, asked where it was first found, says for it."""
    first = next(at for at, ids in enumerate(subject.ids) if one.id in ids)
    start = subject.schedule.marks[first]
    points = _points(subject.masks(one.id)[start], film, coherence.GRID)
    points = points[:: len(points) // POINTS + 1]
    rules = coherence.RULES[one.way]._replace(hidden=HIDDEN)
    said = coherence.excuse(Followed(*track(film.frames, points, start), start), one.way, film.shape, rules)
    return RULES.get(said, "")


def _points(mask: Mask, film: Film, size: int) -> Floats:
    """The points of a grid that are on a mask, px of the film; not at its rim, where they would stay when it goes."""
    points = amplitude.grid(film.shape, size)
    inner = cv2.erode(mask.astype(np.uint8), np.ones((RIM, RIM), np.uint8)) > 0
    found: Floats = points[_on(inner if inner.any() else mask, points / film.shape[::-1])]
    return found


def _on(mask: Mask, places: Floats) -> Mask:
    """Which places, as shares of the frame, are on a mask."""
    height, width = mask.shape
    column, row = np.clip(places * (width, height), 0, (width - 1, height - 1)).astype(np.intp).T
    return np.asarray(mask[row, column])


def _tracker(answer: DeepClip) -> Follow:
    """Who follows points: CoTracker where it was asked for, else Lucas and Kanade."""
    weights = answer.networks.get("cotracker")
    return partial(cotracker.follow, weights=weights) if weights else follow


@release_evidence.register
def _released(answer: DeepClip, stimulus: Any) -> Released:
    found = analyse(answer, stimulus)
    when = schedule(answer)
    subject = _subject(answer, stimulus, when)
    if subject is None:
        plain = Clip(**{one.name: getattr(answer, one.name) for one in fields(Clip)})
        classical = release_evidence(plain, stimulus)
        return replace(classical, poses=found.poses, classes=found.classes, quality=_released_quality(answer, found))
    film = film_of(answer, found)
    objects = Objects(
        subject.ids,
        _on_objects(answer, subject, film),
        lambda id, keyframe: _points(subject.masks(id)[when.marks[keyframe]], film, coherence.GRID),
    )
    return released(found, film, objects, _released_quality(answer, found), _tracker(answer))


def _released_quality(answer: DeepClip, found: Evidence) -> Floats:
    """Q_t of windows of three frames, 0 … 1."""
    sharp = found.frames.sharpness
    return sharp / QUALITY_RANGE if "q_align" in answer.networks else quality(sharp)


def _on_objects(answer: DeepClip, subject: Subject, film: Film) -> tuple[Mask, Mask]:
    """Which points of the grid are on each object of the first frame: by misplaced boxes (D3), by the right ones."""
    places = amplitude.grid(film.shape) / film.shape[::-1]
    right = [subject.masks(id)[0] for id in subject.ids[0]]
    ask = partial(_misplaced, answer, subject, answer.networks["sam2"])
    wrong = _kept("misplaced", answer, ["grounding_dino", "sam2"], ask, subject.noun)
    return _covered(wrong, places), _covered(right, places)


def _covered(masks: Sequence[Mask], places: Floats) -> Mask:
    return np.array([_on(mask, places) for mask in masks], bool).reshape(-1, len(places))


def _misplaced(answer: Clip, subject: Subject, weights: Weights) -> Mask:
    """The masks that SAM finds in boxes that are drawn apart as the released scripts draw them."""
    with opened(answer, LONG_SIDE) as stream:
        _, frame = next(iter(stream.frames))
        shape = stream.shape
    boxes = subject.boxes * np.tile(amplitude.misplacement(shape, AS_RELEASED), 2)
    return np.asarray(sam2.follow([frame], boxes, weights, grid_shape(frame))[0])
