"""Keypoints beside a clip: our own form, COCO's and AlphaPose's."""

import json

import numpy as np
import pytest

import video_media as media
from beholder.video.files.answers import read as read_clip
from beholder.video.files.keypoints import read
from beholder.video.skeletons import COCO

SHAPE = (100, 200)  # height and width of the clip
SNAKE = {"name": "snake", "points": ["head", "tail"], "bones": [["head", "tail"]]}


def write(path, content):
    path.write_text(json.dumps(content))
    return path


def detection(frame, x, **more):
    """A body of 17 points, all at (x, 50) px; the last is not seen."""
    return {"image_id": frame, "keypoints": [x, 50, 0.5] * 16 + [0, 0, 0], "category_id": 1, **more}


def test_our_own_form(tmp_path):
    people = [[[[20, 50, 0.9], [40, 50, 0.8]], [[30, 50, 0.9], [None, None, None]]]]
    (body,) = read(write(tmp_path / "a.keypoints.json", {"skeleton": SNAKE, "people": people}), SHAPE)
    assert (body.skeleton.name, body.skeleton.points, body.skeleton.bones) == (
        "snake",
        ("head", "tail"),
        (("head", "tail"),),
    )
    np.testing.assert_allclose(body.points, [[[0.1, 0.5], [0.2, 0.5]], [[0.15, 0.5], [np.nan, np.nan]]])
    np.testing.assert_allclose(body.confidence, [[0.9, 0.8], [0.9, 0.0]])


def test_an_archive_and_a_skeleton_by_name(tmp_path):
    people = np.random.default_rng(0).random((2, 5, 17, 2))
    np.savez(tmp_path / "a.keypoints.npz", skeleton="coco17", people=people)
    first, second = read(tmp_path / "a.keypoints.npz", SHAPE)
    assert first.skeleton is COCO
    np.testing.assert_allclose(second.points, people[1])  # 0 … 1: shares
    assert (second.confidence == 1).all()
    links = {"points": ["head", "tail"], "bones": [["head", "tail"]]}
    np.savez(tmp_path / "b.keypoints.npz", people=people[:, :, :2], unit="px", name="snake", **links)
    (body, _) = read(tmp_path / "b.keypoints.npz", SHAPE)
    assert body.skeleton == (*("snake", ("head", "tail"), (("head", "tail"),)), (), ())
    np.testing.assert_allclose(body.points, people[0, :, :2] / [200, 100])


@pytest.mark.parametrize("name", ["{}.jpg", "frame_{:04d}.png", "clip2_{}.jpg"])
def test_detections_with_tracks(tmp_path, name):
    """AlphaPose's results: a list, bodies by idx, pictures by their numbers from 0."""
    said = [detection(name.format(t), 20 + t, idx=7, score=2.5) for t in (0, 1, 3)]
    said += [detection(name.format(t), 90, idx=8) for t in (0, 3)]
    seven, eight = read(write(tmp_path / "a.keypoints.json", said), SHAPE)
    assert seven.points.shape == (4, 17, 2)
    np.testing.assert_allclose(seven.points[:, 0, 0], [0.1, 0.105, np.nan, 0.115])
    np.testing.assert_allclose(eight.points[:, 0, 0], [0.45, np.nan, np.nan, 0.45])
    assert np.isnan(seven.points[:, 16]).all()
    assert (seven.confidence[:, 16] == 0).all()
    assert seven.confidence[0, 0] == 0.5


def test_detections_without_tracks_follow_the_nearest_body(tmp_path):
    said = [detection(1, 20), detection(1, 90), detection(2, 88), detection(2, 22)]  # numbers from 1
    left, right = read(write(tmp_path / "a.keypoints.json", said), SHAPE)
    np.testing.assert_allclose(left.points[:, 0, 0], [0.1, 0.11])
    np.testing.assert_allclose(right.points[:, 0, 0], [0.45, 0.44])


def test_records_of_coco(tmp_path):
    held = {
        "images": [{"id": 5, "file_name": "f10.jpg"}, {"id": 9, "file_name": "f9.jpg"}],
        "annotations": [
            {"image_id": 5, "keypoints": [20, 50, 2, 0, 0, 0], "track_id": 1},
            {"image_id": 9, "keypoints": [40, 50, 2, 60, 50, 1], "track_id": 1},
        ],
        "categories": [{"id": 1, "name": "snake", "keypoints": ["head", "tail"], "skeleton": [[1, 2]]}],
    }
    (body,) = read(write(tmp_path / "a.keypoints.json", held), SHAPE)
    assert body.skeleton.bones == (("head", "tail"),)
    np.testing.assert_allclose(body.points, [[[0.2, 0.5], [0.3, 0.5]], [[0.1, 0.5], [np.nan, np.nan]]])
    np.testing.assert_allclose(body.confidence, [[1, 0.5], [1, 0]])  # COCO's flags: 2 is seen, 1 is hidden


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ({"skeleton": SNAKE}, "no 'people'"),
        ({"skeleton": "octopus", "people": []}, "got the skeleton 'octopus'; expected .*coco17"),
        (
            {"skeleton": SNAKE, "people": [[[[1, 2]]]]},
            r"got people of \(1, 1, 1, 2\); expected \(people, T, 2, 2 or 3\)",
        ),
        ({"skeleton": {**SNAKE, "bones": [["head", "leg"]]}, "people": []}, "with 'leg'; expected some of its points"),
        ({"skeleton": SNAKE, "people": [[[[1, 2], [1, 2]]]], "unit": "mm"}, "got the unit 'mm'; expected px or share"),
        ([{"image_id": 0, "keypoints": [1, 2, 1]}], "got 1 points; expected 17; name them in categories"),
        ([detection("nine.jpg", 3)], "expected a number in its name"),
        ([detection(10**9, 3)], "got frame 999999999; expected 0 … 7199"),
    ],
)
def test_what_is_wrong_is_said(tmp_path, content, sentence):
    with pytest.raises(ValueError, match=sentence) as told:
        read(write(tmp_path / "a.keypoints.json", content), SHAPE)
    assert str(told.value).startswith(f"{tmp_path}/a.keypoints.json: got no keypoints that can be read")


@pytest.mark.parametrize("name", ["a.keypoints.json", "a.keypoints.npz"])
def test_a_damaged_file(tmp_path, name):
    (tmp_path / name).write_bytes(b"PK\x03\x04{")
    with pytest.raises(ValueError, match="got no keypoints that can be read"):
        read(tmp_path / name, SHAPE)


def test_they_come_with_their_clip(tmp_path):
    media.film(tmp_path / "a.mp4")
    assert read_clip(tmp_path / "a.mp4").poses == ()
    write(tmp_path / "a.keypoints.json", {"skeleton": SNAKE, "people": [[[[32, 24], [16, 12]]] * 12]})
    (body,) = read_clip(tmp_path / "a.mp4").poses
    np.testing.assert_allclose(body.points[0], [[0.5, 0.5], [0.25, 0.25]])  # of 64 x 48 px
