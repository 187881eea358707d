"""From tensors to people, with tensors made by hand; the networks themselves are an extra and not run here."""

import numpy as np
import pytest

from beholder.errors import Misuse
from beholder.video.readouts import blazepose
from beholder.video.readouts.blazepose import anchors, detections, files, networks, overlap, refined, region


def raw(people):
    """What the detector says of some people: (anchor, score, box, points), shares of the input."""
    boxes, scores = np.zeros((2254, 12), np.float32), np.full(2254, -20, np.float32)
    for at, score, (x, y, w, h), points in people:
        centre = anchors()[at]
        values = [np.array((x, y)) - centre, (w, h), *(np.array(points) - centre)]
        boxes[at] = 224 * np.concatenate(values)
        scores[at] = score
    return boxes, scores


def test_anchors_are_the_centres_of_all_cells_two_for_each_layer():
    found = anchors()
    assert found.shape == (2 * (28**2 + 14**2 + 3 * 7**2), 2)
    assert found[:4].tolist() == pytest.approx(np.array([[0.5 / 28] * 2] * 2 + [[1.5 / 28, 0.5 / 28]] * 2))
    assert (found[-6:] == np.float32(6.5 / 7)).all()


def test_a_detection_is_read_relative_to_its_anchor():
    points = [(0.5, 0.6), (0.5, 0.1), (0.5, 0.4), (0.5, 0.2)]
    [one] = detections(*raw([(900, 3.0, (0.5, 0.3, 0.1, 0.2), points)]))
    assert one.box == pytest.approx((0.45, 0.2, 0.55, 0.4), abs=1e-5)
    assert one.points == pytest.approx(np.array(points), abs=1e-5)
    assert one.score == pytest.approx(1 / (1 + np.exp(-3)))


def test_detections_that_overlap_are_one_person_weighted_by_how_sure_they_are():
    low, high = np.full((4, 2), 0.4), np.full((4, 2), 0.5)
    away = np.full((4, 2), 0.9)
    found = detections(
        *raw(
            [
                (10, 0.0, (0.5, 0.5, 0.2, 0.2), low),
                (11, 50.0, (0.5, 0.5, 0.2, 0.2), high),
                (12, 2.0, (0.9, 0.9, 0.1, 0.1), away),
            ]
        )
    )
    assert len(found) == 2
    assert found[0].points == pytest.approx(np.full((4, 2), (0.5 + 0.5 * 0.4) / 1.5), abs=1e-5)
    assert overlap(np.array([0, 0, 2, 2]), np.array([1, 0, 3, 2])) == pytest.approx(1 / 3)


def test_the_square_stands_upright_on_the_person():
    upright = region(np.array([100.0, 80.0]), np.array([100.0, 40.0]))
    assert upright == pytest.approx((100, 80, 100, 0))
    lying = region(np.array([100.0, 80.0]), np.array([140.0, 80.0]))
    assert lying.angle == pytest.approx(np.pi / 2)
    _, back = blazepose._square(lying)
    assert back @ (128, 0, 1) == pytest.approx((150, 80))  # the middle of its top is where the head points


def test_points_move_to_the_heat_around_them_where_it_is_sure():
    points, heat = np.zeros((39, 5), np.float32), np.full((64, 64, 39), -20, np.float32)
    points[:, :2], points[:, 3:] = (80, 40), 5
    heat[11, 22, 0] = 10  # near (80, 40), which is the cell (20, 10)
    points[1, 3] = -5
    places, confidence = refined(points, heat)
    assert places[0] == pytest.approx((88, 44), abs=0.01)
    assert places[1:] == pytest.approx(np.full((38, 2), (80, 40)))
    assert confidence[0] > 0.99
    assert confidence[1] < 0.01  # the lower of being there and being seen


def test_a_missing_part_is_named_with_what_to_install(tmp_path):
    with pytest.raises(Misuse, match=r"there are none in .*mediapipe==0.10.21"):
        files(str(tmp_path))
    for name in blazepose.MODULES.values():
        (tmp_path / name).write_bytes(b"")
    assert [file.name for file in files(str(tmp_path))] == list(blazepose.MODULES.values())


def test_without_the_runtime_a_sentence_says_so(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "ai_edge_litert.interpreter", None)
    networks.cache_clear()
    with pytest.raises(Misuse, match="ai-edge-litert"):
        networks()


def test_people_are_followed_from_frame_to_frame(monkeypatch):
    """Networks that always see one upright person: the clip has one body in all its frames."""
    from beholder.video.types import Clip

    points, heat = np.zeros((39, 5), np.float32), np.full((1, 64, 64, 39), -20, np.float32)
    points[:, 0], points[:, 1] = np.linspace(60, 190, 39), np.linspace(40, 220, 39)
    points[33, :2], points[34, :2], points[:, 3:] = (128, 128), (128, 25.6), 5
    seen = [points[None], np.ones((1, 1)), None, heat, None]
    found = raw([(900, 3.0, (0.5, 0.3, 0.1, 0.2), [(0.5, 0.5), (0.5, 0.2), (0.5, 0.4), (0.5, 0.2)])])
    networks_ = (lambda image: [found[0][None], found[1][None, :, None]], lambda image: seen)
    monkeypatch.setattr(blazepose, "networks", lambda weights="": networks_)
    [body] = blazepose.blazepose(Clip(pixels=np.zeros((12, 64, 64, 3), np.uint8), rate=12.0))
    assert body.points.shape == (12, 17, 2)
    assert not np.isnan(body.points).any()
    assert np.ptp(body.points, axis=0).max() < 1e-6
