"""Between maps and densities: optimal maps are optimal, and a fitted density finds what was put in."""

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from beholder.attention.datasets.simulated import simulated
from beholder.attention.maps import densities
from beholder.attention.maps.densities import Conversion, Fitted, derived_maps, fit_conversion, half_of
from beholder.attention.measures.information import information_gain
from beholder.attention.models.centre import centre
from beholder.attention.readouts import Surface, surface
from beholder.attention.types import Controls, Density, Lookers, Picture, Salience, scanpath
from beholder.core.measure import NotApplicable
from beholder.core.sample import Dataset
from beholder.vision.blur import blurred

SHAPE = (48, 64)
TRUE = Conversion(0.0, (0, 0, 0.5, 0.5, 1.0, 1.0, 0.5, 0.2), 1.5, 0.8, np.nan)


def pairs(count, seed=0, fixations=400):
    """Smooth random maps, and people who look as a known conversion of each says."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        values = blurred(rng.random(SHAPE), 4.0, border="reflect")
        p = np.exp(TRUE.density(values, px_per_deg=6.0).log).ravel()
        rows, columns = np.divmod(rng.choice(p.size, fixations, p=p / p.sum()), SHAPE[1])
        yield values, Lookers({"a": scanpath(columns, rows)}, SHAPE, 6.0)


def test_a_fit_finds_the_conversion_that_was_put_in():
    found = fit_conversion(list(pairs(8)))
    values, _ = next(pairs(1, seed=9))
    true, ours = (one.density(values, px_per_deg=6.0).log for one in (TRUE, found))
    assert found.blur == 0
    assert (np.exp(true) * (true - ours)).sum() < 0.01  # nats
    assert found.across == pytest.approx(1.5, abs=0.3)
    assert found.down == pytest.approx(0.8, abs=0.3)


def test_the_gradient_is_right():
    rows = [densities._reduced(*pair, 0.5) for pair in pairs(2, fixations=20)]
    at = np.linspace(0.1, 1, 10)
    numeric = approx_fprime(at, lambda w: densities._loss(w, rows)[0], 1e-6)
    np.testing.assert_allclose(densities._loss(at, rows)[1], numeric, atol=1e-5)


def test_a_blur_is_found_where_there_was_one():
    rng = np.random.default_rng(3)
    noisy = [(values + rng.normal(0, 0.02, SHAPE), lookers) for values, lookers in pairs(6)]
    assert fit_conversion(noisy).blur > 0
    assert fit_conversion(noisy).bits > densities._fit_at_blur(noisy, 0.0).bits


def test_a_map_that_says_nothing_becomes_a_centre_bias():
    nothing = [(np.zeros(SHAPE), lookers) for _, lookers in pairs(4)]
    found = fit_conversion(nothing).density(np.zeros(SHAPE), px_per_deg=6.0)
    assert np.exp(found.log).sum() == pytest.approx(1)
    assert found.log.argmax() in (23 * 64 + 31, 23 * 64 + 32, 24 * 64 + 31, 24 * 64 + 32)
    assert found.log[24, 32] > found.log[0, 0]


def test_a_picture_is_never_fitted_on_itself():
    dataset = simulated(4)
    asked = []

    def model(picture):
        asked.append(half_of(picture))
        return np.arange(picture.shape[0] * picture.shape[1], dtype=float).reshape(picture.shape)

    picture = dataset[0].stimulus
    found = Fitted(model, dataset)(picture)
    assert isinstance(found, Density)
    assert np.exp(found.log).sum() == pytest.approx(1)
    assert asked[0] == half_of(picture)
    assert set(asked[1:]) == {1 - half_of(picture)}


def test_a_small_dataset_is_fitted_on_whatever_else_it_has():
    dataset = simulated(4)
    same = [id for id in dataset.ids if half_of(dataset.load(id).stimulus) == 0][:2]
    few = Dataset("few", tuple(same), dataset.load)
    asked = []

    def model(picture):
        asked.append(picture.pixels.tobytes())
        return np.arange(picture.shape[0] * picture.shape[1], dtype=float).reshape(picture.shape)

    first, second = (dataset.load(id).stimulus for id in same)
    Fitted(model, few)(first)
    assert asked == [first.pixels.tobytes(), second.pixels.tobytes()]
    with pytest.raises(NotApplicable, match="no other picture"):
        Fitted(model, Dataset("one", tuple(same[:1]), dataset.load))(first)


def test_a_density_stays_as_it_is():
    picture = simulated(2)[0].stimulus
    np.testing.assert_allclose(Fitted(centre, simulated(2))(picture).log, centre(picture).log)


def test_fitted_answers_are_told_apart_in_the_cache():
    one, other = Fitted(centre, simulated(2)), Fitted(centre, simulated(3))
    assert one.func is centre
    assert one.keywords != other.keywords


def test_a_map_of_people_gains_information_when_fitted():
    dataset = simulated(6)
    found = Fitted(blob, dataset)
    gains = [information_gain(surface(found(s.stimulus), s.stimulus), s.reference).value for s in dataset[:4]]
    assert np.mean(gains) > 0


def blob(picture):
    y, x = np.mgrid[: picture.shape[0], : picture.shape[1]]
    return -np.hypot(x - picture.shape[1] / 2, y - picture.shape[0] / 2)


def test_each_measure_gets_its_map():
    values, lookers = next(pairs(1))
    density = TRUE.density(values, px_per_deg=6.0)
    p = np.exp(density.log)
    maps = derived_maps(density, lookers)
    assert set(maps) == {"auc", "nss", "information_gain", "cc", "kl", "sim"}
    np.testing.assert_allclose(maps["nss"], p)
    np.testing.assert_allclose(maps["cc"], blurred(p, 6.0, border="reflect"))
    others = Controls(np.full((5, 2), 20.0), np.repeat("a", 5), np.zeros(5), np.repeat("p", 5))
    beside = derived_maps(density, Lookers({}, SHAPE, 6.0, others))["sauc"]
    np.testing.assert_allclose(beside, Surface(p, density.log).relative_to(others).values)


def test_faults():
    with pytest.raises(NotApplicable, match="no other picture"):
        fit_conversion([(np.zeros(SHAPE), Lookers({"a": scanpath([], [])}, SHAPE))])
    wrong = Fitted(lambda picture: Salience(np.zeros((2, 2))), simulated(2))
    with pytest.raises(ValueError, match="got a map of shape"):
        wrong(Picture(np.zeros(SHAPE, np.uint8)))
