"""What is made of the networks' answers: tried with networks that know the truth, so that numbers are known."""

import cv2
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from beholder.core.measure import NotApplicable
from beholder.video.benchmarks.motion import motion
from beholder.video.measures import release
from beholder.video.measures.amplitude import perceptible_amplitude
from beholder.video.measures.coherence import temporal_coherence
from beholder.video.measures.commonsense import commonsense_adherence
from beholder.video.measures.integrity import object_integrity
from beholder.video.measures.smoothness import motion_smoothness
from beholder.video.networks import grounding_dino, perception, sam2, videomae, vitpose
from beholder.video.networks.grounding_dino import Detected
from beholder.video.networks.perception import DeepClip
from beholder.video.networks.subject import Subject, scheduled
from beholder.video.networks.vitpose import People, keypoints
from beholder.video.networks.weights import Weights
from beholder.video.readouts.analysis import analyse
from beholder.video.readouts.identity import Found
from beholder.video.release.evidence import release_evidence
from beholder.video.types import Clip, Prompt

RATE, FRAMES, SHAPE = 8.0, 25, (180, 320)
RED = (255, 0, 0)
STEP = 4  # px a frame
WEIGHTS = Weights("vitpose", "", "", "", "")
PROMPT = Prompt("a disc", subject="disc")


def texture(height, width, least, most, seed):
    """Blotches of 8 px, soft enough to be followed."""
    coarse = np.random.default_rng(seed).integers(least, most, (height // 8 + 2, width // 8 + 2)).astype(np.uint8)
    return cv2.resize(coarse, None, fx=8, fy=8, interpolation=cv2.INTER_CUBIC)[:height, :width]


def film(there=range(FRAMES), start=60, step=STEP):
    """A red square of 60 px that slides to the right over a texture, in the frames in which it is there."""
    frames = np.repeat(texture(*SHAPE, 60, 200, 3)[None, ..., None].repeat(3, -1), FRAMES, axis=0)
    own = texture(60, 60, 0, 120, 4)
    square = np.stack([np.full_like(own, 255), own, own], axis=-1)
    for frame in there:
        left = start + step * frame
        room = max(0, min(60, SHAPE[1] - left))
        frames[frame, 60:120, left : left + room] = square[:, :room]
    return frames


def red(frame):
    return (frame[..., 0].astype(int) - frame[..., 1]) > 80


@pytest.fixture
def seeing(monkeypatch):
    """Networks that see what is red; how often each was asked."""
    asked = {"boxes": 0, "masks": 0}

    def detect(frame, noun, weights, **more):
        asked["boxes"] += 1
        mask = red(frame)
        if not mask.any() or noun == "person":
            return Detected(np.zeros((0, 4)), np.zeros(0))
        rows, columns = np.nonzero(mask)
        box = [columns.min() / 320, rows.min() / 180, (columns.max() + 1) / 320, (rows.max() + 1) / 180]
        return Detected(np.array([box]), np.ones(1))

    def follow(frames, start, weights, shape):
        asked["masks"] += 1
        small = [red(frame)[:: 180 // shape[0], :: 320 // shape[1]] for frame in frames]
        return np.stack([np.stack([one] * len(start)) if len(start) else np.zeros((0, *shape), bool) for one in small])

    monkeypatch.setattr(grounding_dino, "detect", detect)
    monkeypatch.setattr(sam2, "follow", follow)
    monkeypatch.setattr(videomae, "classes", lambda clip, weights: np.tile([0, 0, 0, 0.5, 0.5], (30, 1)))
    monkeypatch.setattr(vitpose, "keypoints", lambda frame, boxes, weights: [])
    monkeypatch.setattr(perception, "cached", lambda key, ask: ask())
    return asked


def deep(frames, *roles):
    roles = roles or ("grounding_dino", "sam2", "vitpose", "videomae")
    return DeepClip(frames, rate=RATE, networks={role: Weights(role, role, role, "", "") for role in roles})


def test_keyframes_are_about_a_second_apart_and_masks_are_followed_in_between(seeing):
    when = scheduled(np.arange(FRAMES) / RATE)
    assert when.keyframes == (0, 7, 14, 21)
    assert when.looked == tuple(range(FRAMES))
    fast = scheduled(np.arange(120) / 60)
    assert np.diff(fast.looked).tolist() == [4] * (len(fast.looked) - 1)
    assert fast.keyframes == (0, 60, 116)  # 59 frames apart, at the nearest frames that are looked at
    analyse(deep(film()), PROMPT)
    assert seeing == {"boxes": 8, "masks": 4}  # the noun and people, four times each


def test_a_minute_is_the_most(monkeypatch):
    with pytest.raises(NotApplicable, match="backend=deep is for short clips"):
        scheduled(np.arange(2000) / 16)


def test_the_subjects_speed_is_that_under_its_mask(seeing):
    found = analyse(deep(film()), PROMPT)
    wanted = STEP * RATE / np.hypot(*SHAPE)
    assert np.median(found.motion.speed) == pytest.approx(wanted, rel=0.12)
    assert_allclose(found.motion.area, 60 * 60 / (180 * 320), rtol=0.05)
    assert perceptible_amplitude(found, PROMPT).parts["raw"] == pytest.approx(wanted, rel=0.12)
    resting = analyse(deep(film(step=0)), PROMPT)
    assert perceptible_amplitude(resting, PROMPT).value == pytest.approx(0, abs=0.01)
    assert_allclose(resting.motion.area, 60 * 60 / (180 * 320), rtol=0.05)  # it is there, though nothing moves


def test_the_five_measures_have_their_parts(seeing):
    found = analyse(deep(film()), PROMPT)
    five = (commonsense_adherence, motion_smoothness, object_integrity, perceptible_amplitude, temporal_coherence)
    for measure in five:
        assert measure(found, PROMPT).parts
    assert commonsense_adherence(found, PROMPT).value == pytest.approx(0.875)
    assert temporal_coherence(found, PROMPT).value == 1
    [track] = found.tracks
    assert_allclose(track.boxes[0], [60 / 320, 60 / 180, 120 / 320, 120 / 180], atol=0.01)


def test_a_thing_that_vanishes_or_emerges_in_the_middle_is_a_fault(seeing):
    gone = analyse(deep(film(range(10))), PROMPT)
    [event] = gone.coherence.events
    assert (event.kind, event.start, event.end, event.why) == ("vanish", 9 / RATE, 10 / RATE, "")
    assert temporal_coherence(gone, PROMPT).value == pytest.approx(np.exp(-1 / (2 * FRAMES / RATE)))
    come = analyse(deep(film(range(10, FRAMES))), PROMPT)
    assert [(one.kind, one.why) for one in come.coherence.events] == [("emerge", "")]


def test_a_thing_that_leaves_through_the_border_is_excused(seeing):
    found = analyse(deep(film(start=180, step=8)), PROMPT)  # gone at frame 18
    [event] = found.coherence.events
    assert event.why == "edge: leaves through the border"
    assert temporal_coherence(found, PROMPT).value == 1
    assert temporal_coherence(found, PROMPT, exemptions=("size",)).value < 1


def test_where_the_subject_is_never_found_nothing_is_said_of_it(seeing):
    found = analyse(deep(film(())), PROMPT)
    for measure in (perceptible_amplitude, temporal_coherence):
        with pytest.raises(NotApplicable, match="Grounding DINO found no disc in the clip"):
            measure(found, PROMPT)
    assert motion_smoothness(found, PROMPT).value > 0.9


def test_without_masks_the_subject_is_what_moves_and_without_a_classifier_there_is_no_commonsense(seeing):
    found = analyse(deep(film(), "grounding_dino", "vitpose"), PROMPT)
    plain = analyse(Clip(film(), rate=RATE), PROMPT)
    assert_array_equal(found.motion.speed, plain.motion.speed)
    assert found.classes is None
    assert seeing["masks"] == 0


def test_keypoints_that_come_with_a_clip_are_kept(seeing, monkeypatch):
    from dataclasses import replace

    from beholder.video.skeletons import COCO
    from beholder.video.types import Poses

    own = Poses(COCO, np.random.default_rng(0).random((1, 17, 2)).repeat(FRAMES, 0), np.ones((FRAMES, 17)))
    found = analyse(replace(deep(film()), poses=(own,)), PROMPT)
    assert found.poses == (own,)


def test_the_released_rules_read_the_networks_objects(seeing):
    found = release_evidence(deep(film()), PROMPT)
    assert found.keyframes == ((1,),) * 4
    on = found.on_objects[1]
    assert on.sum() == pytest.approx(900 * 60 * 60 / (180 * 320), abs=12)  # of 30 × 30 points
    assert found.paths[0][on[0]].mean() == pytest.approx(STEP * 24 / np.hypot(*SHAPE), rel=0.15)
    assert release.perceptible_amplitude_release(found, PROMPT).parts["subject"] > 0.2
    assert release.temporal_coherence_release(found, PROMPT).value == 1
    assert release.commonsense_adherence_release(found, PROMPT).value == pytest.approx(0.875)
    gone = release_evidence(deep(film(range(10))), PROMPT)
    assert gone.keyframes == ((1,), (1,), (), ())
    mended = release.temporal_coherence_release(gone, PROMPT, lost_detection_keeps_ids=False)
    assert sum(mended.parts[part] for part in ("excused", "unexcused")) == 1
    assert release.temporal_coherence_release(gone, PROMPT).parts["excused"] == 0  # D6: it is carried on
    some = release_evidence(deep(film(), "videomae"), PROMPT)
    assert_array_equal(some.paths, release_evidence(Clip(film(), rate=RATE), PROMPT).paths)
    assert some.classes is not None


def test_masks_are_kept_small_and_come_back_as_they_were():
    masks = np.random.default_rng(0).random((3, 5, 7)) > 0.5
    when = scheduled(np.arange(3) / 8)
    packed = np.packbits(masks.reshape(3, -1), axis=1)
    kept = Subject("disc", when, ((1,),), (5, 7), {1: packed}, np.zeros((0, 4)))
    assert_array_equal(kept.masks(1), masks)


@pytest.mark.deep
def test_keypoints_come_back_to_where_they_are_in_the_frame(monkeypatch):
    """A network whose heat is the brightness of its view finds the bright spot, wherever the box is."""
    torch = pytest.importorskip("torch", reason="torch is not installed: ./do test-deep")

    class Bright:
        class config:
            num_labels = 17
            backbone_config = type("Backbone", (), {"image_size": [64, 48]})

        def __call__(self, pixel_values):
            heat = torch.nn.functional.avg_pool2d(pixel_values[:, :1], 4).expand(-1, 17, -1, -1)
            return type("Said", (), {"heatmaps": heat})

    monkeypatch.setattr(vitpose, "network", lambda *which: Bright())
    off = []
    for x, y in np.random.default_rng(0).integers((120, 80), (180, 150), (40, 2)):
        frame = np.zeros((200, 300, 3), np.uint8)
        frame[y - 2 : y + 3, x - 2 : x + 3] = 255
        for one in keypoints(frame, np.array([[0.3, 0.3, 0.7, 0.9], [0.4, 0.2, 0.6, 0.9]]), WEIGHTS):
            off.append(one.points[0] * (300, 200) - (x, y))
    cell = 4 * 0.7 * 200 * 1.25 / 64  # px of the frame for a place of the heat map
    assert np.abs(off).max() < cell
    assert np.abs(np.mean(off, axis=0)).max() < cell / 8


def test_people_are_looked_for_where_they_were_and_in_new_boxes(monkeypatch):
    asked = []

    def found(frame, boxes, weights):
        asked.append(boxes)
        spread = np.random.default_rng(0).random((17, 2))
        return [Found(box[:2] + spread * (box[2:] - box[:2]), np.ones(17)) for box in boxes]

    monkeypatch.setattr(vitpose, "keypoints", found)
    people = People(WEIGHTS)
    frame = np.zeros((90, 160, 3), np.uint8)
    assert len(people.step(frame, np.array([[0.1, 0.1, 0.5, 0.9]]))) == 1
    assert len(people.step(frame)) == 1
    assert len(asked[1]) == 1
    assert_allclose(asked[1][0], [0.1, 0.1, 0.5, 0.9], atol=0.1)  # around the points that it saw
    assert len(people.step(frame, np.array([[0.1, 0.1, 0.5, 0.9], [0.6, 0.1, 0.9, 0.9]]))) == 2  # one is known


def test_the_classical_backend_is_the_default_and_measures_with_nothing_of_others():
    assert motion().uses == ()
    assert not isinstance(motion().accept(film(), PROMPT), DeepClip)
