"""What the measures of video are tried with: evidence, most of it made of series of numbers."""

import math
from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from beholder.video.corruptions.kinds import Change
from beholder.video.evidence import Coherence, Deformation, Event
from beholder.video.readouts.rivals import RivalEvidence
from beholder.video.readouts.trivial import TrivialEvidence
from beholder.video.release.evidence import Released
from beholder.video.rivals.asked import Numbers
from beholder.video.rivals.clouds import Features
from beholder.video.rivals.consistency import FrameFeatures
from beholder.video.skeletons import COCO, FIGURE
from beholder.video.types import Poses
from beholder.video.uneventful import uneventful, with_change, with_pan, with_quality, with_speed
from measure_inputs import Inputs, reordered

EXCUSED = Event("vanish", 0.2, 0.3, (0.1, 0.1, 0.2, 0.2), 1.0, why="it leaves through the border")


def made(draw_one):
    """A strategy of what a function makes of a random generator: quick to draw, where series of numbers are not."""
    return st.integers(0, 2**32 - 1).map(lambda seed: (draw_one(np.random.default_rng(seed)), None))


def evidence(rng):
    """Evidence of a clip of 13 to 24 frames in which anything may have happened."""
    frames, rate = int(rng.integers(13, 25)), float(rng.choice([8.0, 12.0]))
    found = with_quality(uneventful(frames, rate), rng.choice([2.0, 2.0, 2.0, 1.9, 0.5], frames))
    found = with_change(found, rng.choice([0.0, 1.0, 4.0, 9.0], frames))
    found = with_pan(found, rng.uniform(0, rng.uniform(0, 0.1), (frames, 2)))
    found = with_speed(found, rng.uniform(0, 1, frames - 1))
    events = [Event("vanish", at, 1.1, None, strength) for at, strength in rng.uniform(0, 1, (rng.integers(4), 2))]
    shares = rng.uniform(0, 0.2, (3, frames - 1))
    probable = rng.dirichlet(np.ones(5), 2)
    return replace(
        found,
        camera=replace(found.camera, inliers=rng.uniform(0.4, 1, frames - 1)),
        coherence=Coherence(tuple(events), (), rng.uniform(0.3, 1), frames / rate, frames),
        deformation=Deformation(found.camera.times, *shares, rng.uniform(), ()),
        poses=(_body(frames, rng),) if rng.random() < 0.5 else (),
        classes=probable if rng.random() < 0.5 else None,
    )


def _body(frames, rng):
    """A body that drifts, and whose points jump now and then."""
    points = rng.random((1, len(FIGURE.points), 2)) + np.linspace(0, 0.1, frames)[:, None, None]
    points = points + (rng.random((frames, len(FIGURE.points), 1)) < 0.1) * rng.normal(0, 0.3, (frames, 1, 2))
    return Poses(FIGURE, points, np.ones((frames, len(FIGURE.points))))


def _perfect(scene):
    """Nothing happens, nobody vanishes, a network is sure; the subject moves as fast as it is asked to."""
    found = with_speed(uneventful(16, 8.0), np.full(15, 1.0))
    still = np.zeros(15)
    sure = np.array([[0.0, 0, 0, 0, 1]])
    shape = Deformation(found.camera.times, still, still, still, 1.0, ())
    return replace(found, deformation=shape, classes=sure)


def _excused(found, scene):
    """The same with an event that a rule excuses, and a body that nobody sees."""
    frames = len(found.facts.times)
    unseen = Poses(FIGURE, np.full((frames, len(FIGURE.points), 2), np.nan), np.zeros((frames, len(FIGURE.points))))
    seen = replace(found.coherence, events=(*found.coherence.events, EXCUSED))
    return replace(found, coherence=seen, poses=(*found.poses, unseen))


def _nothing():
    """Two frames of which nothing is known."""
    found = uneventful(2, 8.0)
    blind = replace(found.camera, inliers=np.zeros(1))
    shape = Deformation(*[np.empty(0)] * 4, 0.0, ())
    return replace(found, camera=blind, coherence=Coherence((), (), 0.0, 0.0, 2), deformation=shape)


def rivals(rng):
    pairs = int(rng.integers(2, 10))
    return RivalEvidence(
        np.full(pairs, 1 / 8), str(rng.choice(["file", "assumed"])), (480, 640), (240, 320),
        *(rng.uniform(0, most, pairs) for most in (1, 255, 20, 3)), rng.uniform(0, 255, pairs // 2), 8.0,
        rng.uniform(0, rng.uniform(0, 20), pairs), pairs + 1,
    )  # fmt: skip


_unmoved = RivalEvidence(
    np.full(4, 1 / 8), "file", (480, 640), (240, 320), np.ones(4), *[np.zeros(4)] * 3, np.zeros(2), 8.0,
    np.full(4, 99.0), 5,
)  # fmt: skip
_no_pairs = replace(_unmoved, **{name: np.empty(0) for name in ("seconds", "ssim", "difference", "flow", "warping",
                                                               "interpolation", "fastest")}, sampled=1)  # fmt: skip


def trivial(rng):
    pairs = int(rng.integers(2, 10))
    return TrivialEvidence(*rng.uniform(0, 9, (3, pairs)), rng.uniform(1, 9, pairs + 1))


def released(rng):
    """What the released rules read: some objects at some keyframes, paths of points, a quality of each frame."""
    frames, points = 16, 12
    keyframes = tuple(tuple(np.flatnonzero(rng.random(3) < 0.6) + 1) for _ in range(rng.integers(2, 6)))
    known = sorted({id for one in keyframes for id in one})
    words = {(id, way): tuple(rng.choice(["", "edge"], 2)) for id in known for way in ("vanish", "emerge")}
    on = np.array([np.arange(points) < 4, np.arange(points) > 8])
    places = rng.random((1, 17, 2)) + (rng.random((frames, 17, 1)) < 0.02) * rng.normal(0, 0.3, (frames, 17, 2))
    person = Poses(COCO, places, np.ones((frames, 17)))
    return Released(
        np.arange(frames) / 8, (480, 640), tuple(rng.uniform(0, 2, (2, points))), (on, on[::-1]),
        rng.uniform(0, 1, frames), keyframes, len(known), words, (person,) if rng.random() < 0.5 else (),
        rng.dirichlet(np.ones(5), 2) if rng.random() < 0.5 else None,
    )  # fmt: skip


def _same(found, scene):
    return found, scene


_changes = st.lists(
    st.tuples(st.sampled_from("abc"), st.integers(0, 5), st.floats(0, 1) | st.just(math.nan)),
    min_size=1, max_size=14, unique_by=lambda row: row[:2],
).map(
    lambda rows: (
        [said for *_, said in rows],
        [Change(clip, "vanish", severity, "temporal_coherence", "falls", gated=True) for clip, severity, _ in rows],
    )
)  # fmt: skip


def _further_clip(said, changes):
    """A clip of one severity only, of which no correlation and no shift can be had."""
    return [*said, 0.5], [*changes, Change("alone", "vanish", 3, "temporal_coherence", "falls", gated=True)]


def _features(rng):
    return FrameFeatures(rng.normal(size=(int(rng.integers(2, 9)), 4)).astype(np.float32))


def _cloud(rng, clips):
    shift = rng.normal()
    return [Features((shift + rng.normal(size=(2, 3))).astype(np.float32)) for _ in range(clips)]


def _clouds(seed):
    rng = np.random.default_rng(seed)
    clips = int(rng.integers(2, 9))
    return _cloud(rng, clips), _cloud(rng, clips)


_unknown = Features(np.full((2, 3), np.nan, np.float32))
_frechet = Inputs(
    st.integers(0, 2**32 - 1).map(_clouds), list, ([], []), lambda f, r: ([*f, _unknown], [*r, _unknown]), reordered, {}
)
_alike = Inputs(
    made(_features), lambda scene: FrameFeatures(np.ones((3, 4), np.float32)),
    (FrameFeatures(np.ones((1, 4), np.float32)), None), _same, None, {},
)  # fmt: skip
DEEP = {
    "video.deep_rivals.subject_consistency": _alike,
    "video.deep_rivals.background_consistency": _alike,
    "video.deep_rivals.raft_magnitude": Inputs(made(rivals), None, (_no_pairs, None), _same, None, {}),
    "video.deep_rivals.dover_technical": Inputs(
        made(lambda rng: float(rng.normal(0.1, 0.1))), None, (math.nan, None), _same, None, {}
    ),
    "video.deep_rivals.videoscore": Inputs(
        made(lambda rng: Numbers(rng.uniform(1, 4, 5), bool(rng.integers(2)))), None,
        (Numbers(np.full(5, np.nan), True), None), _same, None, {},
    ),
    "video.deep_rivals.videophy": Inputs(
        made(lambda rng: Numbers(rng.uniform(0, 1, 2), bool(rng.integers(2)))),
        lambda scene: Numbers(np.ones(2), True), (Numbers(np.full(2, np.nan), True), None), _same, None, {},
    ),
    "video.deep_rivals.judged_motion": Inputs(
        made(lambda rng: float(rng.integers(1, 6))), lambda scene: 5.0, (math.nan, None), _same, None, {}
    ),
    "video.deep_rivals.frechet_inception_distance": _frechet,
    "video.deep_rivals.frechet_video_distance": _frechet,
}  # fmt: skip
_of_evidence = Inputs(made(evidence), _perfect, (_nothing(), None), lambda f, s: (_excused(f, s), s), None, {})

INPUTS = {
    "video": _of_evidence._replace(
        settings={
            "motion_total": [{"amplitude": False}, {"further": True}],
            "perceptible_amplitude": [{"tau": 0.1}],
        }
    ),
    "video.rivals": Inputs(made(rivals), lambda scene: _unmoved, (_no_pairs, None), _same, None, {}),
    "video.trivial": Inputs(
        made(trivial),
        lambda scene: TrivialEvidence(*[np.zeros(3)] * 3, np.ones(4)),
        (TrivialEvidence(*[np.empty(0)] * 3, np.ones(1)), None),
        _same,
        None,
        {},
    ),
    "video.release": Inputs(
        made(released),
        None,
        (
            Released(np.empty(0), (480, 640), (np.empty(0),) * 2, (np.zeros((0, 0), bool),) * 2, np.empty(0), (), 0),
            None,
        ),
        _same,
        None,
        {},
    ),
    **DEEP,
    "video.tracking": Inputs(_changes, None, ([], []), _further_clip, reordered, {}),
}
