"""What people say of the next fixation of another: where they look, and how eyes jump from where they are."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.ndimage import gaussian_filter

from attention_walks import SHAPE
from beholder.attention.datasets.simulated import simulated
from beholder.attention.forecasts.next_of_people import STEPS, Jumps, count_jumps, jump_ratios, jumps_of, predict_next
from beholder.attention.forecasts.outlooks import accept_outlook
from beholder.attention.people.gold_standard import gold_standard
from beholder.attention.types import Controls, Lookers, Picture, keep_inside, scanpath

PICTURE = Picture(np.zeros((*SHAPE, 3), np.uint8), 8.0)


def strolling(rng, step, n=9):
    """A path of steps of about `step` px in any direction, reflected at the border."""
    points = rng.random(2) * SHAPE[::-1] + np.cumsum(rng.normal(0, step, (n, 2)), axis=0)
    turned = np.abs(points) % (2 * np.array(SHAPE[::-1], float))
    inside = np.minimum(turned, 2 * np.array(SHAPE[::-1]) - turned)
    return scanpath(*np.clip(inside, 0, np.array(SHAPE[::-1]) - 1e-6).T)


def group(rng, step, people=6, pictures=0):
    paths = {f"p{at}": strolling(rng, step) for at in range(people)}
    if not pictures:
        return Lookers(paths, SHAPE, 8.0)
    others = [(f"q{q}", f"p{at}", strolling(rng, step)) for q in range(pictures) for at in range(people)]
    points = np.concatenate([path.points for *_, path in others])
    owner, picture = ([one[k] for one in others for _ in range(len(one[2]))] for k in (1, 0))
    controls = Controls(points, np.array(owner), np.full(len(points), np.nan), np.array(picture))
    return Lookers(paths, SHAPE, 8.0, controls)


def test_it_is_a_density_and_without_history_the_gold_standard():
    lookers = group(np.random.default_rng(0), 8, pictures=3)
    found = predict_next(lookers, PICTURE)
    assert found.by == tuple(lookers.paths)
    assert_allclose(found(scanpath([], [])).log, gold_standard(lookers).log)
    for at in ((0, 0), (69.9, 39.9), (30, 20)):
        assert np.exp(found(scanpath([3, at[0]], [3, at[1]])).log).sum() == pytest.approx(1)


def test_large_pictures_are_cut_into_cells_that_say_nearly_the_same():
    lookers = group(np.random.default_rng(4), 8)
    large = Lookers(
        {who: replace(path, x=path.x * 10, y=path.y * 10) for who, path in lookers.paths.items()}, (400, 700), 80.0
    )
    gold = gold_standard(large).log
    found = accept_outlook(predict_next(large, PICTURE)(scanpath([], [])), (400, 700))
    assert found.order.shape == (134, 234)
    assert np.exp(gold).ravel() @ np.abs(np.log(found.map) - gold).ravel() < 0.03


def test_eyes_that_take_short_steps_are_looked_for_near_where_they_are():
    lookers = group(np.random.default_rng(1), 5, pictures=20)
    found = predict_next(lookers, PICTURE)
    left, right = (np.exp(found(scanpath([x], [20])).log) for x in (10, 60))
    gold = np.exp(gold_standard(lookers).log)
    assert left[:, :25].sum() > gold[:, :25].sum() + 0.2
    assert right[:, 45:].sum() > gold[:, 45:].sum() + 0.2


def test_eyes_that_go_anywhere_are_foretold_as_without_the_history():
    rng = np.random.default_rng(2)
    starts, ends = rng.random((100_000, 2)), rng.random((100_000, 2))
    ratios = jump_ratios(count_jumps(starts, ends, np.zeros(100_000, np.intp)))
    inner = slice(STEPS // 2, -STEPS // 2)
    assert_allclose(ratios[inner, inner], 1, atol=0.15)
    assert_allclose(jump_ratios(count_jumps(np.empty((0, 2)), np.empty((0, 2)), np.empty(0, np.intp))), 1)


def test_jumps_from_side_to_side_weigh_as_much_as_others():
    """κ = 100 of chance, n = 50 saccades: the ratios times chance are a density, wherever the saccades are counted."""
    made, chance = np.zeros((2 * STEPS + 1, 2 * STEPS + 1)), np.zeros((2 * STEPS + 1, 2 * STEPS + 1))
    made[0, -1], chance[STEPS, STEPS] = 50, 50
    near = np.bartlett(2 * STEPS + 3)[1:-1]
    usual = (gaussian_filter(chance, 1.0, mode="reflect") + 100 * np.outer(near, near) / near.sum() ** 2) / 150
    found = jump_ratios(Jumps(made, chance, 50)) * usual
    assert found.sum() == pytest.approx(1)
    assert_allclose(found, (gaussian_filter(made, 1.0, mode="reflect") + 100 * usual) / 150, atol=1e-12)


def test_saccades_are_those_that_were_made():
    path, _ = keep_inside(scanpath([0, 7, 999, 35, 42], [0, 4, 0, 0, 4]), SHAPE)
    (here,) = jumps_of(Lookers({"a": path, "b": scanpath([1], [1])}, SHAPE, 8.0))
    tenth = STEPS + STEPS // 10
    assert (here.n, here.made[tenth, tenth]) == (2, 2)  # none over the fixation that was left out
    controls = Controls(
        np.array([[0, 0], [7, 4], [14, 8], [21, 0], [28, 4.0]]),
        np.array(["a", "a", "b", "b", "b"]),
        np.full(5, np.nan),
        np.array(["p", "p", "p", "q", "q"]),
    )
    here, there = jumps_of(Lookers({"a": scanpath([1], [1])}, SHAPE, 8.0, controls))
    assert (here.n, there.n, there.made[tenth, tenth]) == (0, 2, 2)  # of a on p, and of b on q


def test_chance_is_of_other_saccades_on_the_same_picture():
    starts = np.array([[0.1, 0.1], [0.2, 0.1], [0.9, 0.9], [0.8, 0.9]])
    found = count_jumps(starts, starts[[1, 0, 3, 2]], np.array([0, 0, 1, 1]))
    assert np.argwhere(found.chance).tolist() == [[STEPS, STEPS]]  # ends of the other: nowhere else than the start
    assert found.chance.sum() == 4


def test_with_few_saccades_order_says_little():
    lookers = group(np.random.default_rng(3), 5, people=2)
    few = replace(lookers, paths={who: path.at(slice(2)) for who, path in lookers.paths.items()})
    found, gold = predict_next(few, PICTURE)(scanpath([10], [20])).log, gold_standard(few).log
    assert np.abs(found - gold).max() < np.log(2.5)


def test_people_who_know_where_the_eye_is_foretell_it_better_than_those_who_do_not():
    dataset, gained = simulated(6), []
    for id in dataset.ids[:4]:
        lookers = dataset.reference(id)
        who, path = next(iter(lookers.paths.items()))
        others = lookers.without(who)
        found, gold = predict_next(others, Picture(np.zeros(lookers.shape, np.uint8))), gold_standard(others).log
        for at in range(1, len(path)):
            where = int(path.y[at]), int(path.x[at])
            said = accept_outlook(found(path.at(np.arange(at))), lookers.shape)
            gained.append(said.score(path.points[at])[0] - gold[where])
    assert np.mean(gained) > 0.1  # nats; people_any_order is what it was
