import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from beholder.stereo.datasets.planes import planes
from beholder.stereo.readouts import Prediction, fetched_view, inside_region, prediction, rendered_view, view_of
from beholder.stereo.regions import visible
from beholder.stereo.scenes.views import differences, fetched, levels, rendered, seen_from
from beholder.stereo.types import Pair, Truth

NAN = np.nan


def row(*values):
    return np.array([values], np.float32)


def fetched_by_hand(view, disparity, factor):
    """The definition, pixel by pixel."""
    found = np.full((*disparity.shape, view.shape[2]), NAN)
    for y, x in np.ndindex(disparity.shape):
        at = x - factor * disparity[y, x]
        if 0 <= at <= disparity.shape[1] - 1:
            low = min(int(np.floor(at)), disparity.shape[1] - 2)
            found[y, x] = view[y, low] + (at - low) * (view[y, low + 1] - view[y, low])
    return found


def rendered_by_hand(image, disparity, factor, gap=2.0):
    """The definition, pair of pixels by pair, with a depth buffer; points where nothing else comes."""
    width = disparity.shape[1]
    view, depth = np.full(image.shape, NAN), np.full(disparity.shape, -np.inf)
    lone, nearest = np.full(image.shape, NAN), np.full(disparity.shape, -np.inf)
    for y, x in np.ndindex(disparity.shape):
        d, at = float(disparity[y, x]), x - factor * float(disparity[y, x])
        column = np.floor(at + 0.5)
        if 0 <= column < width and d > nearest[y, int(column)]:
            nearest[y, int(column)], lone[y, int(column)] = d, image[y, x]
        if x + 1 == width or not abs(disparity[y, x + 1] - d) <= gap:
            continue
        e, end = float(disparity[y, x + 1]), x + 1 - factor * float(disparity[y, x + 1])
        for column in range(max(0, int(np.ceil(min(at, end)))), min(width - 1, int(np.floor(max(at, end)))) + 1):
            part = (column - at) / (end - at) if end != at else 0.0
            if d + part * (e - d) > depth[y, column]:
                depth[y, column] = d + part * (e - d)
                view[y, column] = image[y, x] + part * (image[y, x + 1] - image[y, x])
    return np.where((nearest - 1 > depth)[..., None], lone, view)


@pytest.fixture
def scene(rng):
    """A picture, and a map with slopes, jumps and holes."""
    disparity = np.cumsum(rng.choice([-0.3, 0.1, 0.2, 4.0, -4.0], (6, 20), p=[0.3, 0.3, 0.3, 0.05, 0.05]), axis=1) + 5
    disparity[rng.random((6, 20)) < 0.1] = NAN
    return rng.uniform(0, 1, (6, 20, 3)), disparity.astype(np.float32)


@pytest.fixture
def rng():
    return np.random.default_rng(7)


@pytest.mark.parametrize("factor", [1.0, 0.5, -0.5, 1.5])
def test_fetching_is_what_the_definition_says(scene, factor):
    image, disparity = scene
    found = fetched(image, disparity, factor)
    expected = fetched_by_hand(image * 255, disparity.astype(float), factor)
    assert 0.2 < np.isnan(found).mean() < 0.9
    assert_allclose(found, expected, atol=1e-9)


@pytest.mark.parametrize("factor", [1.0, 0.5, -0.5, 1.5])
def test_rendering_is_what_the_definition_says(scene, factor):
    image, disparity = scene
    found = rendered(image, disparity, factor)
    expected = rendered_by_hand(image * 255, disparity, factor)
    assert 0.05 < np.isnan(found).mean() < 0.9
    assert_allclose(found, expected, atol=1e-6)


def test_no_disparity_gives_the_picture_back(scene):
    image, _ = scene
    still = np.zeros(image.shape[:2], np.float32)
    for factor in (0.5, -1.0):
        assert_allclose(fetched(image, still, factor), image * 255)
        assert_allclose(rendered(image, still, factor), image * 255)


def test_what_is_nearer_hides_what_is_behind_and_leaves_a_gap():
    image = np.array([[10, 20, 30, 40, 50, 60]], np.uint8)
    # The pixels 3 and 4 stand 2 px further left in the view, on 1 and 2, and nothing fills 3 and 4.
    found = rendered(image, row(0, 0, 0, 4, 4, 0), 0.5)
    assert_array_equal(found[..., 0], [[10, 40, 50, NAN, NAN, 60]])


def test_neighbours_within_the_gap_are_joined():
    image = np.array([[0, 100]], np.uint8)
    joined = rendered(np.pad(image, ((0, 0), (0, 3))), row(0, -2, NAN, NAN, NAN), 1.0)
    assert_allclose(joined[0, :4, 0], [0, 100 / 3, 200 / 3, 100])
    torn = rendered(np.pad(image, ((0, 0), (0, 3))), row(0, -2.1, NAN, NAN, NAN), 1.0)
    assert_array_equal(np.isnan(torn[0, :4, 0]), [False, True, True, False])


def test_pixels_are_seen_by_the_rule_of_the_regions(rng):
    disparity = (rng.integers(0, 2, (5, 30)) * 6.0).astype(np.float32)
    assert_array_equal(seen_from(disparity, 1.0), visible(disparity))
    assert_array_equal(seen_from(disparity, -1.0), visible(disparity[:, ::-1])[:, ::-1])
    assert seen_from(disparity, 0.0).all()
    assert seen_from(disparity, 0.25).sum() > seen_from(disparity, 1.0).sum()


def test_levels_of_bytes_and_floats():
    assert_array_equal(levels(np.array([[0, 255]], np.uint8))[..., 0], [[0, 255]])
    assert_array_equal(levels(np.array([[0, 1.0]]))[..., 0], [[0, 255]])
    assert levels(np.zeros((2, 3, 3))).shape == (2, 3, 3)


def test_blended_differences_are_distances_between_intervals():
    # 3 × 3 neighbourhoods are [0, 100] in both; at the left pixel [0, 20] and [40, 60] (20 % of the way to 0 and 100)
    one, other = np.array([[[0.0], [100.0]]]), np.array([[[50.0], [0.0]]])
    assert_allclose(differences(one, other)[..., 0], [[50, 100]])
    assert_allclose(differences(one, other, blend=0.2)[..., 0], [[40 - 20, 80 - 10]])
    assert np.isnan(differences(np.full((1, 2, 1), NAN), other, blend=0.2)).all()
    half = differences(np.array([[[NAN], [100.0]]]), other, blend=0.2)[..., 0]
    assert np.isnan(half[0, 0])
    assert half[0, 1] == 90  # the gap is no neighbour


def test_visibility_is_by_the_truth_by_the_own_map_or_none():
    left, view = np.zeros((1, 6), np.uint8), np.zeros((1, 6), np.uint8)
    truth = Truth(row(0, 0, 0, 3, 3, 0), views={1.0: view})
    mine = Prediction(left, row(0, 0, 0, 0, 0, 0))
    asked = {word: fetched_view(mine, truth, 1.0, visible=word).asked.sum() for word in ("truth", "own", "none")}
    assert asked == {"truth": 4, "own": 6, "none": 6}
    seen = {word: rendered_view(mine, truth, 1.0, visible=word).asked.sum() for word in ("truth", "own", "none")}
    assert seen == {"truth": 4, "own": 6, "none": 6}
    with pytest.raises(ValueError, match="expected one of truth, own, none"):
        fetched_view(mine, truth, 1.0, visible="some")
    with pytest.raises(ValueError, match="expected one of inverse, forward"):
        view_of("backward")


def test_a_region_confines_what_is_fetched_and_not_what_is_rendered():
    from beholder.core.measure import NotApplicable

    mask = np.array([[True, False, True]])
    truth = Truth(row(0, 0, NAN), {"part": mask}, views={1.0: np.zeros((1, 3), np.uint8)})
    of, _ = inside_region(Prediction(np.zeros((1, 3), np.uint8), row(0, 0, 0)), truth, name="part")
    assert_array_equal(fetched_view(of, truth, 1.0, visible="none").asked, [[True, False, False]])
    with pytest.raises(NotApplicable, match="compared in the other view"):
        rendered_view(of, truth, 1.0)
    with pytest.raises(NotApplicable, match="no region 'whole'; it has part"):
        inside_region(of, truth, name="whole")


def test_the_readout_takes_maps_and_what_is_registered():
    pair = Pair(np.zeros((1, 2)), np.ones((1, 2)), 16)
    found = prediction(row(1, 2), pair)
    assert found.left is pair.left
    assert_array_equal(found.disparity, [[1, 2]])
    with pytest.raises(TypeError, match="got an answer of str; expected a disparity map"):
        prediction("far", pair)


@pytest.mark.parametrize("factor", [-0.5, 0.5, 1.5])
def test_the_true_disparity_predicts_the_views_of_a_generated_scene(factor):
    sample = planes(1)[0]
    truth = sample.reference
    mine = Prediction(sample.stimulus.left, truth.disparity)
    for predict in (fetched_view, rendered_view):
        pair = predict(mine, truth, factor)
        wrong = predict(Prediction(mine.left, truth.disparity + 2), truth, factor)
        error, other = (np.abs(p.predicted - p.actual)[p.held].mean() for p in (pair, wrong))
        assert error < 7
        assert other > 2 * error


def test_what_is_made_once_is_not_taken_for_another_view_or_truth():
    left, still = np.full((1, 4), 9, np.uint8), row(0, 0, 0, 0)
    mine = Prediction(left, still)
    one, other = (Truth(still, views={1.0: np.full((1, 4), level, np.uint8)}) for level in (10, 20))
    assert [fetched_view(mine, t, 1.0).predicted[0, 0, 0] for t in (one, other, one)] == [10, 20, 10]
    hidden = Truth(row(0, 3, 3, 3), views=one.views)
    assert [fetched_view(mine, t, 1.0).asked.sum() for t in (one, hidden, one)] == [4, 1, 4]
    assert fetched_view(mine, one, 1.0).predicted is fetched_view(mine, one, 1.0, visible="none").predicted
