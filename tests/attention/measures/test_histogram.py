"""The divergence from other pictures at the same places: by hand, by a plain loop, and in a run."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.stats import entropy

import beholder as bh
import toys
from beholder.attention.criteria import first
from beholder.attention.maps.coarse import (
    CoarseMap,
    Sampled,
    Spots,
    coarse_map,
    reduce_to_samples,
    sample_map,
    thin_grid,
)
from beholder.attention.maps.fixation_maps import pixels
from beholder.attention.measures.histogram import other_pictures_kl
from beholder.attention.readouts import Surface
from beholder.attention.types import Lookers, Picture, Salience, scanpath
from beholder.core.measure import NotApplicable, card
from beholder.errors import Misuse

RNG = np.random.default_rng(3)
SHAPES = ((40, 60), (60, 40), (40, 60), (30, 30))
MAPS = [RNG.random(shape) * (1 + at) for at, shape in enumerate(SHAPES)]


def group(shape, n, rng):
    x, y = rng.random((2, n)) * np.array(shape[::-1])[:, None]
    return Lookers({"a": scanpath(x, y)}, shape)


GROUPS = [group(shape, 40 + at, np.random.default_rng(at)) for at, shape in enumerate(SHAPES)]


def kept(maps, groups):
    pairs = [
        sample_map(CoarseMap(Surface(values), thin_grid(values)), lookers)
        for values, lookers in zip(maps, groups, strict=True)
    ]
    return [one for one, _ in pairs], [at for _, at in pairs]


def stretched(values):
    return (values - values.min()) / np.ptp(values)


def by_loop(maps, groups, others, bins=10):
    """One drawing, by NumPy's histograms of values at full size and SciPy's divergence."""
    maps = [stretched(one) for one in maps]
    here = np.concatenate([one[pixels(at.points, at.shape)] for one, at in zip(maps, groups, strict=True)])
    there = []
    for other, at in zip(others, groups, strict=True):
        rows, columns = (at.points[:, ::-1] / at.shape * maps[other].shape).astype(int).T
        there.append(maps[other][rows, columns])
    p, q = (np.histogram(values, bins, (0, 1))[0] + 0.5 for values in (here, np.concatenate(there)))
    return entropy(p, q)


@pytest.mark.parametrize("bins", [10, 4])
def test_two_pictures_have_but_one_other_each(bins):
    found = other_pictures_kl(*kept(MAPS[:2], GROUPS[:2]), bins=bins, repeats=3)
    assert found.value == pytest.approx(by_loop(MAPS[:2], GROUPS[:2], (1, 0), bins), rel=1e-9)
    assert found.parts == {"n": 81.0, "pictures": 2.0, "sd": pytest.approx(0, abs=1e-12)}
    assert found.reason == "seed 0, 3 repeats"


def test_the_mean_over_drawings_is_that_over_all_of_them():
    found = other_pictures_kl(*kept(MAPS, GROUPS), bins=2, repeats=2000)
    every = [
        by_loop(MAPS, GROUPS, others, bins=2)
        for others in np.ndindex(4, 4, 4, 4)
        if all(other != own for own, other in enumerate(others))
    ]
    assert len(every) == 81
    assert found.value == pytest.approx(np.mean(every), abs=4 * np.std(every) / np.sqrt(2000))
    assert found.parts["sd"] == pytest.approx(np.std(every), rel=0.1)


def test_a_map_that_knows_the_picture_is_told_from_one_that_knows_looking_alone():
    rng = np.random.default_rng(1)
    spots = [rng.uniform(8, 32, (30, 2)) for _ in range(6)]
    groups = [Lookers({"a": scanpath(*at.T)}, (40, 40)) for at in spots]
    y, x = np.mgrid[:40, :40]
    centred = [np.exp(-((x - 20.0) ** 2 + (y - 20.0) ** 2) / 200)] * 6
    knowing = [np.exp(-np.min([(x - a) ** 2 + (y - b) ** 2 for a, b in at], axis=0) / 8.0) for at in spots]
    blind, good = (other_pictures_kl(*kept(maps, groups)).value for maps in (centred, knowing))
    assert blind == pytest.approx(0, abs=1e-9)  # at the same places the same map has the same values
    assert good > 0.3


def test_scales_do_not_matter_nor_do_sizes_of_pictures():
    scaled = [values * 10**at - at for at, values in enumerate(MAPS)]
    plain, other = (other_pictures_kl(*kept(maps, GROUPS)).value for maps in (MAPS, scaled))
    assert plain == pytest.approx(other, rel=1e-6)
    uniform = [np.full(shape, 1 / np.prod(shape)) for shape in SHAPES]
    assert other_pictures_kl(*kept(uniform, GROUPS)).value == 0


def test_draws_are_of_pictures_and_lie_about_the_value():
    found, spots = kept(MAPS, GROUPS)
    at_once = card(other_pictures_kl).resampling.at_once
    often = np.array([[1, 1, 1, 1], [0, 2, 1, 1], [0, 0, 0, 0]])
    drawn = at_once(found, spots, often, bins=4, repeats=1)
    assert np.isnan(drawn[2])
    value = other_pictures_kl(found, spots, bins=4, repeats=1).value
    assert drawn[:2].mean() == pytest.approx(value)  # the bias of drawing is taken away
    assert drawn[1] != pytest.approx(drawn[0])
    many = np.random.default_rng(0).multinomial(4, np.full(4, 0.25), 1000)
    assert np.mean(at_once(found, spots, many)) == pytest.approx(other_pictures_kl(found, spots).value, rel=0.05)
    assert np.isnan(at_once(found[:1], spots[:1], np.ones((2, 1)))).all()


def test_faults():
    found, spots = kept(MAPS, GROUPS)
    with pytest.raises(NotApplicable, match="no other picture to compare with"):
        other_pictures_kl(found[:1], spots[:1])
    with pytest.raises(ValueError, match="got 4 maps of 3 pictures; expected one per picture"):
        other_pictures_kl(found, spots[:3])
    with pytest.raises(Misuse, match="got bins=0, repeats=100"):
        other_pictures_kl(found, spots, bins=0)
    with pytest.raises(Misuse, match="got alpha=0; expected more than 0"):
        other_pictures_kl(found, spots, alpha=0)
    flat = [Sampled(np.ones(2), np.ones((2, 2), np.float32), (1.0, 1.0))] * 2
    assert other_pictures_kl(flat, [Spots(np.full((2, 2), 0.5, np.float32))] * 2).value == 0


def test_what_is_kept_is_small_and_even():
    values = np.random.default_rng(0).random((768, 1024))
    thin = thin_grid(values)
    assert thin.size <= 12_000
    assert thin.nbytes < 49_000
    assert np.isin(thin, values.astype(np.float32)).all()
    assert thin.mean() == pytest.approx(0.5, abs=0.02)
    assert_array_equal(thin_grid(values[:90, :100]), values[:90, :100].astype(np.float32))  # all of it


def test_other_measures_are_confined_as_before():
    picture, lookers = Picture(np.zeros((40, 60), np.uint8)), GROUPS[0]
    found = reduce_to_samples(first(3)).select("anything", lookers)
    assert found[0] == "anything"
    assert len(found[1].points) == 3
    observed, spots = reduce_to_samples(first(3)).select(coarse_map(Salience(MAPS[0]), picture), lookers)
    assert len(observed.fixated) == len(spots.points) == 3


def test_the_benchmark_keeps_no_more_than_it_may():
    bench = bh.load("attention/saliency", parts=False)
    lean = toys.vary(
        bench.on(bench.dataset.only(bench.dataset.ids[:3])), baselines={}, people=None, measures=(other_pictures_kl,)
    )
    lean = toys.vary(lean, shown=())
    rows = bh.run(lean, jobs=0)
    assert set(rows["state"]) == {"ok"}, rows["reason"].unique()
