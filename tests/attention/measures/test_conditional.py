"""Measures of the next fixation, against direct loops, SciPy, closed forms and the measures of still maps."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import entropy

from attention_forecasts import PICTURE, Drifting, foretold
from attention_walks import ODD, SHAPE, controls, wandering
from beholder.attention.forecasts.forecast import Forecast, Still, accept_forecast, fixation_number
from beholder.attention.measures.auc import auc
from beholder.attention.measures.conditional import (
    conditional_auc,
    conditional_information_gain,
    conditional_log_likelihood,
    conditional_nss,
)
from beholder.attention.measures.information import information_gain, log_likelihood
from beholder.attention.measures.nss import nss
from beholder.attention.models.conditional import Likelihood, LikelihoodForecast, conditional
from beholder.attention.models.saccadic_prior import saccadic_prior
from beholder.attention.models.scenewalk import RATES, scenewalk
from beholder.attention.readouts import surface
from beholder.attention.types import Density, Lookers, Picture, Salience, keep_inside, scanpath
from beholder.core.measure import NotApplicable
from beholder.errors import Misuse

PAIRS = (
    (conditional_information_gain, information_gain, {}),
    (conditional_information_gain, information_gain, {"baseline": "controls"}),
    (conditional_log_likelihood, log_likelihood, {}),
    (conditional_auc, auc, {}),
    (conditional_nss, nss, {}),
)
EVERY = (conditional_information_gain, conditional_log_likelihood, conditional_auc, conditional_nss)


def people(seed=0, least=2):
    rng = np.random.default_rng(seed)
    return Lookers({who: wandering(rng, least) for who in "abc"}, SHAPE, 8.0, controls(rng))


@pytest.mark.parametrize(("next_one", "still", "settings"), PAIRS)
def test_a_density_without_history_has_the_score_of_a_density(next_one, still, settings):
    lookers = people()
    answer = Density(np.log(np.random.default_rng(3).dirichlet(np.ones(2800)).reshape(SHAPE)))
    found = next_one(accept_forecast(answer, PICTURE), lookers, first="keep", **settings)
    assert found.value == pytest.approx(still(surface(answer, PICTURE), lookers, **settings).value, rel=1e-9)
    assert found.parts["n"] == len(lookers.points)


@pytest.mark.parametrize("seed", range(6))
def test_each_is_the_mean_of_a_direct_loop(seed):
    found, lookers = foretold(seed)
    bits, ranks, zs = [], [], []
    for path in lookers.paths.values():
        for at in range(1, len(path)):
            p = found.before(path, at).map
            row, column = int(path.y[at]), int(path.x[at])
            bits.append(np.log2(p[row, column]) + np.log2(p.size))
            ranks.append(((p < p[row, column] * (1 - 1e-12)).mean() + (p <= p[row, column] * (1 + 1e-12)).mean()) / 2)
            zs.append((p[row, column] - p.mean()) / p.std())
    assert conditional_information_gain(found, lookers).value == pytest.approx(np.mean(bits))
    assert conditional_log_likelihood(found, lookers).value == pytest.approx(np.mean(bits) - np.log2(2800))
    assert conditional_auc(found, lookers).value == pytest.approx(np.mean(ranks))
    assert conditional_nss(found, lookers).value == pytest.approx(np.mean(zs))


@pytest.mark.slow
def test_eyes_that_do_as_foretold_gain_the_divergence_from_a_uniform_density():
    """E[cIG] = KL(p ‖ uniform), by SciPy, where fixations are drawn from the very densities."""
    p = np.array([[0.6, 0.2, 0.15, 0.05]])
    rng, x = np.random.default_rng(5), [0]
    for _ in range(20_000):
        x.append(int(rng.choice(4, p=np.roll(p[0], x[-1]))))
    chain = Forecast(lambda history: np.log(np.roll(p, int(history.x[-1]))), (1, 4))
    found = conditional_information_gain(chain, Lookers({"a": scanpath(x, np.zeros(len(x)))}, (1, 4)))
    assert found.value == pytest.approx(entropy(p[0], np.full(4, 0.25), base=2), abs=0.02)


def test_no_other_forecast_gains_more_than_the_true_one():
    walk = np.cumsum(np.random.default_rng(2).normal(0, 6, (400, 2)), axis=0) % [SHAPE[1], SHAPE[0]]
    lookers = Lookers({"a": scanpath(*walk.T)}, SHAPE)
    gains = {
        spread: conditional_information_gain(Forecast(Drifting(spread=spread, floor=0.1), SHAPE), lookers).value
        for spread in (2.0, 6.0, 20.0)
    }
    assert max(gains, key=gains.get) == 6.0


def test_a_stare_at_the_centre_gains_nothing():
    """The exploit of STDE (spec 3.6): a density that stays in the middle is punished for each look elsewhere."""
    lookers = people(4)
    stare = accept_forecast(Density(Drifting(spread=2.0)(scanpath([], []))), PICTURE)
    assert conditional_information_gain(stare, lookers).value < 0


def test_scenewalk_has_the_likelihood_of_a_direct_loop():
    """Equations of spec 2.4 on the 128 × 128 grid, written out: log₂ p of the cell of each next fixation."""
    picture = Picture(np.zeros((256, 384), np.uint8), 16.0)  # 24 x 16 deg
    rng = np.random.default_rng(9)
    path = scanpath(rng.uniform(0, 384, 6), rng.uniform(0, 256, 6), duration_ms=rng.uniform(100, 400, 6))
    guide = rng.random((256, 384))
    rates = RATES["fitted"]
    found = accept_forecast(scenewalk.forecast(picture, of=lambda _: guide, rates="fitted"), picture)
    one = guide - guide.min()
    s = one.reshape(128, 2, 128, 3).mean(axis=(1, 3))
    s /= s.sum()
    centres = (np.arange(128) + 0.5) / 128
    attended = inhibited = np.full((128, 128), 1 / 128**2)
    bits = []
    for at in range(5):
        x, y = (centres - path.x[at] / 384) * 24, (centres - path.y[at] / 256) * 16
        square = x[None, :] ** 2 + y[:, None] ** 2
        f = s * np.exp(-square / (2 * rates.sigma_attention**2))
        n = np.exp(-square / (2 * rates.sigma_inhibition**2))
        f, n = f / f.sum(), n / n.sum()
        seconds = path.duration_ms[at] / 1000
        attended = f + np.exp(-rates.attention * seconds) * (attended - f)
        inhibited = n + np.exp(-rates.inhibition * seconds) * (inhibited - n)
        u = attended / attended.sum() - rates.inhibits * inhibited**rates.gamma / (inhibited**rates.gamma).sum()
        u = np.maximum(u, 0)
        p = (1 - rates.noise) * u / u.sum() + rates.noise / 128**2
        bits.append(np.log2(p[int(path.y[at + 1] / 2), int(path.x[at + 1] / 3)] * 128**2))
    lookers = Lookers({"a": path}, (256, 384))
    assert_allclose(np.array(found.along(path)[1:, 0]) / np.log(2) + np.log2(256 * 384), bits, rtol=1e-5)
    assert conditional_information_gain(found, lookers).value == pytest.approx(np.mean(bits), rel=1e-5)


@pytest.mark.parametrize("model", [saccadic_prior, scenewalk])
def test_cells_and_pixels_tell_nearly_the_same(model):
    """Cells are as the grid has them; `conditional_log_density` interpolates between their middles."""
    picture = Picture(np.random.default_rng(0).integers(0, 255, (192, 256), np.uint8), 16.0)
    rng = np.random.default_rng(1)
    path = scanpath(rng.uniform(40, 216, 8), rng.uniform(40, 152, 8), duration_ms=np.full(8, 250.0))
    lookers = Lookers({"a": path}, picture.shape)
    coarse = conditional_information_gain(accept_forecast(model.forecast(picture), picture), lookers).value
    fine = conditional_information_gain(
        accept_forecast(LikelihoodForecast(model.conditional_log_density, picture), picture), lookers
    ).value
    assert coarse == pytest.approx(fine, abs=0.15)


def test_a_history_that_is_asked_out_of_turn_has_the_same_density():
    picture = Picture(np.random.default_rng(0).integers(0, 255, (160, 160), np.uint8), 16.0)
    path = scanpath([20.0, 90.0, 140.0], [30.0, 80.0, 20.0])
    walk = scenewalk.forecast(picture)
    in_turn = [walk(path.at(slice(n))).log for n in (1, 2, 3)]
    walk(path.at(slice(1, 3)))
    for n in (3, 1, 2):
        assert_allclose(walk(path.at(slice(n))).log, in_turn[n - 1], rtol=1e-12)


def test_maps_have_ranks_and_no_bits():
    found, lookers = accept_forecast(Salience(np.arange(2800.0).reshape(SHAPE)), PICTURE), people()
    assert 0 < conditional_auc(found, lookers).value < 1
    for measure in (conditional_information_gain, conditional_log_likelihood):
        with pytest.raises(NotApplicable, match="a map is not a density"):
            measure(found, lookers)


def test_what_is_low_stays_low_with_its_parts():
    found = Forecast(Drifting(), SHAPE, low="an adapter", parts={"samples": 200.0})
    for measure in EVERY:
        told = measure(found, people())
        assert (told.state, told.reason, told.parts["samples"]) == ("low", "an adapter", 200.0)


@pytest.mark.parametrize("measure", EVERY)
def test_odd_paths_have_a_value_or_a_reason(measure):
    found = Forecast(Drifting(), SHAPE)
    for name in ("two", "collinear", "duplicated", "untimed"):
        assert np.isfinite(measure(found, Lookers({"a": ODD[name]}, SHAPE)).value)
    for name in ("empty", "one"):
        with pytest.raises(NotApplicable, match="scoring begins at the second"):
            measure(found, Lookers({"a": ODD[name]}, SHAPE))
    confined, _ = fixation_number(9).select(found, people())
    with pytest.raises(NotApplicable, match="nobody made a fixation that is scored"):
        measure(confined, people())
    with pytest.raises(ValueError, match="expected every one inside 70 x 40"):
        measure(found, Lookers({"a": ODD["outside"]}, SHAPE))
    with pytest.raises(ValueError, match="the shape of the picture"):
        measure(found, Lookers({"a": ODD["two"]}, (90, 90)))


def test_a_fixation_after_one_that_was_left_out_is_not_scored():
    path, _ = keep_inside(scanpath([10, 20, 999, 40, 50], [5] * 5), SHAPE)
    found = conditional_information_gain(Forecast(Drifting(), SHAPE), Lookers({"a": path}, SHAPE))
    steps = [Lookers({"a": scanpath(x, [5, 5])}, SHAPE) for x in ([10, 20], [40, 50])]
    alone = [conditional_information_gain(Forecast(Drifting(), SHAPE), one).value for one in steps]
    assert found.parts["n"] == 2
    assert found.value == pytest.approx(np.mean(alone))


def test_settings_are_checked():
    found, lookers = Forecast(Still(Density(np.full(SHAPE, -np.log(2800)))), SHAPE), people()
    assert conditional_information_gain(found, lookers).value == pytest.approx(0, abs=1e-12)
    with pytest.raises(Misuse, match="got baseline='centre'"):
        conditional_information_gain(found, lookers, baseline="centre")
    with pytest.raises(NotApplicable, match="no fixations on other pictures"):
        conditional_information_gain(found, Lookers(lookers.paths, SHAPE), baseline="controls")


def test_models_with_a_likelihood_by_name():
    assert conditional(PICTURE, of="scenewalk(of=uniform)")(scanpath(3, 3)).log.shape == SHAPE  # finer than the picture
    assert Likelihood("scenewalk(rates=fitted)").cite == "Engbert2015,Schwetlick2020"

    def mine(picture, *, rng):
        raise AssertionError("it is not drawn from")

    mine.conditional_log_density = lambda picture, path: Drifting()(path)
    assert_allclose(conditional(PICTURE, of=mine)(scanpath(3, 3)), Drifting()(scanpath(3, 3)))
    with pytest.raises(Misuse, match=r"gravity.*has no conditional_log_density.*from_sampler"):
        conditional(PICTURE, of="gravity")
    with pytest.raises(Misuse, match="no setting 'speed'"):
        conditional(PICTURE, of="scenewalk(speed=3)")
    with pytest.raises(Misuse, match="expected 'start' or 'fitted'"):
        conditional(PICTURE, of="scenewalk(rates=best)")
