"""Pictures of scanpaths: what is in them, whatever people and models did."""

from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest

from beholder.attention.datasets.mit1003 import mit1003
from beholder.attention.datasets.simulated import simulated
from beholder.attention.figures import pairs
from beholder.attention.figures.labels import labels
from beholder.attention.figures.paths import ordered, path_on, persons, target, walks, washed
from beholder.attention.gaze.vectors import alignment, saccade_vectors
from beholder.attention.maps.features import Clip, Unseen
from beholder.attention.measures.multimatch import Weights, multimatch
from beholder.attention.models.saccadic_prior import saccadic_prior
from beholder.attention.paths.search import Box, Searchers
from beholder.attention.types import Lookers, Picture, scanpath
from beholder.core.sample import Sample


def saved(figure):
    file = BytesIO()
    figure.savefig(file, format="png", dpi=40)
    return len(file.getvalue())


@pytest.fixture(scope="module")
def sample():
    return simulated(5).load("odd_colour")


def wandering(seed, shape, count=8):
    rng = np.random.default_rng(seed)
    x, y = rng.uniform(0, 1, (2, count)) * np.array(shape[::-1])[:, None]
    return scanpath(x, y, duration_ms=rng.uniform(80, 500, count))


def titles(figure):
    return [axes.get_title() for axes in figure.get_axes() if axes.get_title()]


def texts(axes):
    return [text.get_text() for text in axes.texts]


def test_people_models_and_a_match_are_drawn(sample):
    answers = {f"m{n}": wandering(n, sample.stimulus.shape) for n in range(3)}
    figure = walks(sample, {**answers, "people": sample.reference.paths["simulated01"]})
    shown = titles(figure)
    assert "all 5 observers" in shown
    assert sum(title.startswith("observer simulated") for title in shown) == 4
    assert sum(title.startswith(("m0", "m1", "m2")) for title in shown) == 3
    assert not any(title.startswith("people") for title in shown)
    assert "similarity (MultiMatch)" in shown
    assert saved(figure) > 10_000


@pytest.mark.parametrize("count", [0, 1, 14])
@pytest.mark.parametrize("shape", [(40, 160), (160, 40), (90, 120)])
def test_any_number_of_models_on_a_picture_of_any_shape(count, shape):
    lookers = Lookers({"a": wandering(1, shape), "b": wandering(2, shape)}, shape)
    here = Sample("x", Picture(np.full(shape, 128, np.uint8)), lookers, {})
    figure = walks(here, {f"model{n}": wandering(n, shape) for n in range(count)})
    assert sum(title.startswith("model") for title in titles(figure)) == count
    drawn = figure.get_size_inches()
    assert drawn[0] == 11
    assert drawn[1] < 18
    assert saved(figure) > 2_000


def test_paths_without_fixations_durations_or_people_are_drawn_too(sample):
    shape = sample.stimulus.shape
    answers = {
        "empty": scanpath([], []),
        "one": scanpath(3, 4),
        "outside": scanpath([-5, 3, np.nan], [2, 3, 4]),
        "several": [wandering(1, shape), wandering(2, shape)],
        "$x_1$ is a name that is rather long (a=1)": wandering(3, shape),
    }
    figure = walks(sample, answers)
    found = {axes.get_title(): texts(axes) for axes in figure.get_axes()}
    assert "no fixation" in found["empty"]
    assert "outside, 2 outside" in found
    assert saved(figure) > 10_000
    alone = replace(sample, reference=Lookers({}, shape))
    assert "nobody looked" in titles(walks(alone, answers))


def test_paths_on_a_clip_lie_on_its_middle_frame(sample):
    shape = sample.stimulus.shape
    frames = np.stack([np.full(shape, level, np.uint8) for level in (0, 100, 250)])
    for shown, level in ((Clip(frames, 25.0), 100), (Unseen(shape, 25.0, 3), None)):
        figure = walks(replace(sample, stimulus=shown), {"mine": wandering(0, shape)})
        drawn = figure.get_axes()[0].images[0].get_array()
        assert drawn.min() == drawn.max()
        if level is not None:
            assert drawn.max() == pytest.approx(washed(Picture(frames[1])).max())


def test_models_are_ordered_by_how_much_they_are_like_people(sample):
    human = sample.reference.paths["simulated01"]
    answers = {"far": scanpath([0, 1, 0], [0, 0, 1]), "still": scanpath(3, 4), "human": human}
    found = ordered(answers, sample)
    assert [one.name for one in found] == ["human", "far", "still"]
    assert np.isnan(found[-1].score)
    expected = multimatch(human, sample.reference, weights=Weights(duration=0.0)).value
    assert found[0].score == expected
    scores = [one.score for one in persons(sample.reference)]
    assert scores == sorted(scores, reverse=True)


def test_fixations_are_numbered_in_order_and_sized_by_duration():
    from matplotlib.figure import Figure

    axes = Figure().subplots()
    path_on(axes, scanpath([10, 20, 30], [5, 5, 5], duration_ms=[200, 400, 100]), colour="black")
    assert texts(axes) == ["1", "2", "3"]
    sizes = axes.collections[0].get_sizes()
    np.testing.assert_allclose(sizes / sizes[0], [1, 2, 0.5])
    np.testing.assert_allclose(axes.collections[0].get_offsets(), [[10, 5], [20, 5], [30, 5]])


def test_what_was_searched_for_is_framed(sample):
    given = sample.reference
    box = Box(10, 20, 50, 80)
    searched = replace(sample, reference=Searchers(given.paths, given.shape, given.px_per_deg, target=box))
    assert target(sample) is None
    assert target(searched) == box
    frames = [patch for axes in walks(searched, {}).get_axes() for patch in axes.patches if not patch.get_fill()]
    assert len(frames) == 5  # all observers, and four of them
    assert frames[0].get_bbox().bounds == (10, 20, 40, 60)


def test_the_match_is_the_nearest_person_and_its_pairs_are_those_of_the_alignment(sample):
    lookers = sample.reference
    shifted = replace(lookers.paths["simulated03"], x=lookers.paths["simulated03"].x * 0.999)
    models = ordered({"copy": shifted}, sample)
    match = pairs.nearest(models, lookers)
    assert (match.model, match.person) == ("copy", "simulated03")
    figure = pairs.aligned_pairs(sample.stimulus, match)
    i, j = alignment(saccade_vectors(match.simulated), saccade_vectors(match.human))
    shown = [text for text in texts(figure.get_axes()[1]) if "–" in text]
    assert shown == [f"{a + 1}–{b + 1}" for a, b in zip(i[:24], j[:24], strict=True)]
    bars = [bar.get_width() for bar in figure.get_axes()[2].patches]
    np.testing.assert_allclose(bars, 1, atol=0.01)
    assert saved(figure) > 5_000
    assert pairs.nearest(ordered({"still": scanpath(1, 1)}, sample), lookers) is None


def test_a_pale_picture_keeps_its_colours_and_is_thinned():
    grey = washed(Picture(np.zeros((1100, 700), np.uint8)))
    assert grey.shape == (550, 350, 3)
    assert grey.max() == 0.5
    np.testing.assert_allclose(washed(Picture(np.full((4, 4, 3), 255, np.uint8))), 1)


@pytest.mark.data
def test_a_real_picture_with_a_model_of_scanpaths(data):
    here = mit1003(data / "mit1003_subset")[0]
    figure = walks(here, {"saccadic_prior": saccadic_prior(here.stimulus, rng=np.random.default_rng(0))})
    shown = titles(figure)
    assert f"all {len(here.reference.paths)} observers" in shown
    assert any(title.startswith("saccadic_prior  0.") for title in shown)
    assert saved(figure) > 20_000


def test_what_is_no_scanpath_is_refused_with_a_sentence(sample):
    with pytest.raises(TypeError, match="expected a Scanpath"):
        walks(sample, {"map": {"x": 1}})
    with pytest.raises(ValueError, match="expected n × 2"):
        walks(sample, {"map": np.zeros((4, 5))})


def test_names_do_not_lie_on_one_another():
    rng = np.random.default_rng(0)
    points = rng.uniform(20, 180, (12, 2))
    found = labels([f"name {n}" for n in range(12)], points, size=6, page=(200, 200))
    away = {"left": 0.0, "right": -20.0, "center": -10.0}
    boxes = [(x + at.x + away[at.ha], y + at.y) for (x, y), at in zip(points, found, strict=True)]
    clashes = sum(abs(a[0] - b[0]) < 15 and abs(a[1] - b[1]) < 4 for n, a in enumerate(boxes) for b in boxes[:n])
    assert clashes == 0
