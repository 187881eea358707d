"""The kernel density of a model that only samples: beside the density it samples from, and flagged."""

from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attention_gallery import gallery
from beholder.attention.forecasts.forecast import Forecast, accept_forecast
from beholder.attention.forecasts.landings import (
    Kernel,
    KernelFits,
    Landings,
    _density_at,
    draw_landings,
    fit_kernel,
    kernel_density,
)
from beholder.attention.maps.densities import half_of
from beholder.attention.measures.conditional import conditional_information_gain
from beholder.attention.models.from_sampler import LastMap, from_sampler
from beholder.attention.types import Lookers, Picture, scanpath
from beholder.core.measure import NotApplicable
from beholder.core.sample import Sample
from beholder.errors import Misuse

PICTURE = Picture(np.random.default_rng(0).integers(0, 255, (96, 128), np.uint8), 4.0)
SPREAD = 14.0  # px
NOWHERE = scanpath([], [])


def _inside(points):
    return ((points >= 0) & (points < [128, 96])).all(axis=1)


def hop(picture, *, rng, many=1, after=None):
    """An eye that jumps by a Gaussian about where it is, or about the middle; it draws scanpaths, and only that."""
    here = np.array([64.0, 48.0]) if after is None else after.points[-1]
    there = np.empty((0, 2))
    while len(there) < many:
        drawn = rng.normal(here, SPREAD, (2 * many, 2))
        there = np.concatenate([there, drawn[_inside(drawn)]])
    start = [] if after is None else [here]
    return [scanpath(*np.array([*start, point]).T) for point in there[:many]]


def truth(history):
    """The density that `hop` draws from."""
    x, y = history.points[-1]
    p = np.exp(-((np.arange(128) + 0.5 - x) ** 2 + (np.arange(96)[:, None] + 0.5 - y) ** 2) / (2 * SPREAD**2))
    return np.log(p / p.sum())


def walkers(count=20):
    """People who look as `hop` does."""
    rng, paths = np.random.default_rng(3), {}
    for who in range(count):
        path = scanpath(64.0, 48.0)
        for _ in range(5):
            (step,) = hop(PICTURE, rng=rng, after=path)
            path = scanpath(np.append(path.x, step.x[-1]), np.append(path.y, step.y[-1]))
        paths[str(who)] = path
    return Lookers(paths, PICTURE.shape, 4.0)


def test_it_comes_near_the_density_that_is_sampled():
    lookers = walkers()
    exact = conditional_information_gain(Forecast(truth, PICTURE.shape), lookers).value
    adapted = conditional_information_gain(
        accept_forecast(from_sampler(PICTURE, of=hop, bandwidth=1.0), PICTURE), lookers
    )
    assert exact > 1.5
    assert 0 < exact - adapted.value < 0.25  # it never gains what the model knows
    assert adapted.state == "low"


def test_it_says_what_it_is_wherever_it_goes():
    found = accept_forecast(from_sampler(PICTURE, of=hop, samples=300, bandwidth=1.5), PICTURE)
    assert (
        "not the model's likelihood: a kernel density of 300 simulated landings, bandwidth 1.5 deg, given" in found.low
    )
    assert found.parts == {"samples": 300.0, "bandwidth_deg": 1.5, "anywhere": 0.1}


def test_the_same_history_has_the_same_density():
    here = scanpath([30.0, 60.0], [30.0, 60.0])
    one, again, other = (from_sampler(PICTURE, of=hop, seed=seed)(here).log for seed in (0, 0, 1))
    assert_allclose(one, again)
    assert np.abs(one - other).max() > 0.01
    assert np.exp(one).sum() == pytest.approx(1)


def test_a_landing_is_the_first_fixation_that_is_not_where_the_eye_was():
    def told(*points):
        return lambda picture, *, after: scanpath(*np.array(points, float).reshape(-1, 2).T)

    here = scanpath([50.0], [40.0])
    ask = lambda sampler, history: draw_landings(sampler, PICTURE, history, samples=200).tolist()  # noqa: E731
    assert ask(told((51, 40), (53, 41), (90, 40), (5, 5)), here) == [[90, 40]]  # 1 deg is 4 px
    assert ask(told((51, 40), (52, 41)), here) == [[52, 41]]  # it never left
    assert ask(told(), here) == [[50, 40]]
    assert ask(told((500, 40), (9, 9)), here) == [[9, 9]]  # outside the picture is nowhere
    assert ask(told((51, 40), (90, 40)), NOWHERE) == [[51, 40]]
    with pytest.raises(NotApplicable, match="no simulated scanpath has a fixation"):
        ask(told(), NOWHERE)


def test_paths_may_be_arrays():
    def rows(picture, *, rng, many=1, after=None):
        return [path.points for path in hop(picture, rng=rng, many=many, after=after)]

    here = scanpath([50.0], [40.0])
    assert_allclose(draw_landings(rows, PICTURE, here, samples=20), draw_landings(hop, PICTURE, here, samples=20))
    with pytest.raises(ValueError, match="shape \\(96, 128\\); expected n × 2"):
        draw_landings(lambda picture, *, after: np.zeros((96, 128)), PICTURE, here, samples=20)
    with pytest.raises(TypeError, match="got an answer of dict; expected a Scanpath"):
        draw_landings(lambda picture, *, after: {}, PICTURE, here, samples=20)


def test_the_kernel_is_fitted_to_people():
    lookers = walkers(12)
    pairs = [
        (PICTURE, draw_landings(hop, PICTURE, path.at(slice(at)), samples=300), path.points[at])
        for path in lookers.paths.values()
        for at in range(1, 6)
    ]
    here, there = pairs[0][1:]
    assert _density_at(there, PICTURE, here, 2.0) == pytest.approx(
        kernel_density(here, PICTURE, 2.0)[*there[::-1].astype(int)]
    )
    good = fit_kernel(pairs)
    assert good.fitted
    assert 0.5 < good.bandwidth < 4  # wider than nothing, narrower than the spread of 3.5 deg
    assert good.anywhere < 0.15
    lost = fit_kernel([(PICTURE, np.full((300, 2), 3.0), true) for _, _, true in pairs])
    assert lost.anywhere > 0.5  # a model that is wrong had better be ignored
    with pytest.raises(NotApplicable, match="no other picture"):
        fit_kernel([])


def test_it_is_fitted_on_other_pictures_of_a_dataset(tmp_path):
    from beholder.attention.datasets.table import table

    dataset = table(gallery(tmp_path), px_per_deg=6.0)
    on = f"table(px_per_deg=6):{tmp_path}"
    found = from_sampler(dataset[0].stimulus, of="levy", on=on)
    assert found.kernel.fitted
    assert "fitted on other pictures" in found.low
    assert from_sampler(dataset[0].stimulus, of="levy", on=on).kernel == found.kernel


@pytest.mark.parametrize("halves", [(0, 0), (0, 1)])
def test_it_is_never_fitted_on_the_picture_itself(halves):
    rng, asked = np.random.default_rng(1), []

    def noting(picture, *, rng, many=1, after=None):
        asked.append(picture)
        return hop(picture, rng=rng, many=many, after=after)

    one, other = (Sample(str(at), _of_half(side, rng), walkers(2)) for at, side in enumerate(halves))
    fits = KernelFits(noting, SimpleNamespace(whole=[one, other]), 200)
    for own, beside in ((one, other), (other, one)):
        asked.clear()
        assert fits.kernel(own.stimulus).fitted
        assert {id(picture) for picture in asked} == {id(beside.stimulus)}


def _of_half(side, rng):
    while True:
        found = Picture(rng.integers(0, 255, (96, 128), np.uint8), 4.0)
        if half_of(found) == side:
            return found


def test_a_model_without_chance_has_one_landing():
    found = from_sampler(PICTURE, of="wta_argmax")
    assert found.parts["samples"] == 1
    assert "of 1 simulated landing," in found.low
    log = found(scanpath([64.0], [48.0])).log
    assert np.exp(log).sum() == pytest.approx(1)


def test_a_guide_is_asked_once_a_picture():
    asked = []
    seen = LastMap(lambda picture: asked.append(picture) or np.eye(3))
    other = Picture(np.zeros((3, 3), np.uint8))
    assert [seen(each) is not None for each in (PICTURE, PICTURE, other)] == [True] * 3
    assert len(asked) == 2
    assert isinstance(from_sampler(PICTURE, of="levy(of=uniform)").sampler.keywords["of"], LastMap)


def test_one_by_one_where_a_model_draws_one():
    def single(picture, *, rng, after=None):
        return hop(picture, rng=rng, after=after)[0]

    found = Landings(single, PICTURE, 200, Kernel())(scanpath([20.0], [20.0]))
    row, column = np.unravel_index(found.log.argmax(), found.log.shape)
    assert np.hypot(row - 20, column - 20) < SPREAD


def test_what_is_wrong_is_said():
    with pytest.raises(Misuse, match="expected 200 or more landings"):
        from_sampler(PICTURE, of=hop, samples=20)
    with pytest.raises(Misuse, match="expected above 0 degrees"):
        from_sampler(PICTURE, of=hop, bandwidth=0)
    with pytest.raises(Misuse, match="not both"):
        from_sampler(PICTURE, of=hop, bandwidth=1, on="simulated")
    with pytest.raises(Misuse, match=r"got of='wta_lif', which has no parameter `after`; expected .* can continue"):
        from_sampler(PICTURE, of="wta_lif")
