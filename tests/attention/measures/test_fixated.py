"""Measures at fixations against independent ways to the same number."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter
from scipy.stats import entropy, mannwhitneyu, percentileofscore, zscore

from beholder.attention.maps.fixation_maps import fixation_map, pixels
from beholder.attention.measures.auc import auc, auc_borji, auc_judd, eer, roc_curve, sauc, sauc_mit
from beholder.attention.measures.histogram import fixation_kl
from beholder.attention.measures.hit_rate import hit_area, hit_rate, hit_rate_curve
from beholder.attention.measures.information import gain_map, information_gain, log_likelihood
from beholder.attention.measures.maps import cc, spearman
from beholder.attention.measures.nss import nss, percentile, z_scores
from beholder.attention.measures.regions import top_auc
from beholder.attention.readouts import Surface, control_density, control_gaussian
from beholder.attention.types import Controls, Lookers, scanpath
from beholder.core.measure import NotApplicable
from beholder.errors import Misuse
from beholder.stats.roc import area

RNG = np.random.default_rng(7)
SHAPE = (60, 80)


def looked(n):
    x, y = RNG.uniform(0, 80, n), RNG.uniform(0, 60, n)
    return scanpath(x, y, onset_ms=np.arange(n) * 300.0)


OTHERS = Controls(
    RNG.uniform(0, 60, (90, 2)),
    np.array(["a", "b", "c"] * 30),
    RNG.uniform(0, 3000, 90),
    np.repeat(np.array([f"p{k}" for k in range(15)]), 6),
)
GROUP = Lookers({"a": looked(8), "b": looked(12), "c": looked(0)}, SHAPE, 4.0, OTHERS, dropped=3)
ROWS, COLUMNS = pixels(GROUP.points, SHAPE)
MAPS = {
    "fine": RNG.random(SHAPE),
    "coarse": RNG.integers(0, 5, SHAPE).astype(float),
    "sparse": RNG.random(SHAPE) * (RNG.random(SHAPE) > 0.8),
}
each = pytest.mark.parametrize("values", MAPS.values(), ids=MAPS)


def u(positives, negatives):
    return mannwhitneyu(positives, negatives).statistic / len(positives) / len(negatives)


@each
def test_areas_are_those_of_mann_and_whitney(values):
    found, at = Surface(values), values[ROWS, COLUMNS]
    free = fixation_map(GROUP) == 0
    there = values[pixels(OTHERS.points, SHAPE)]
    assert auc(found, GROUP).value == pytest.approx(u(at, values.ravel()), abs=1e-13)
    assert auc(found, GROUP, controls="unfixated").value == pytest.approx(u(at, values[free]), abs=1e-13)
    assert sauc(found, GROUP).value == pytest.approx(u(at, there), abs=1e-13)
    assert auc(found, GROUP, controls="shuffled").value == sauc(found, GROUP).value
    for controls in ("uniform", "unfixated", "shuffled"):
        assert area(roc_curve(found, GROUP, controls=controls)) == pytest.approx(
            auc(found, GROUP, controls=controls).value, abs=1e-12
        )


@each
def test_nss_is_the_mean_z_score(values):
    z = zscore(values, axis=None)
    assert nss(Surface(values), GROUP).value == pytest.approx(z[ROWS, COLUMNS].mean(), abs=1e-12)
    assert nss(Surface(values), GROUP, ddof=1).value == pytest.approx(
        zscore(values, axis=None, ddof=1)[ROWS, COLUMNS].mean()
    )
    assert len(z_scores(Surface(values), GROUP, (ROWS, COLUMNS))) == 20


@each
def test_nss_in_a_neighbourhood(values):
    # a Gaussian that the border cuts: blur with zeros outside, divided by what is left of the kernel
    z, h = zscore(values, axis=None), 0.5 * 4.0
    blurred = gaussian_filter(z, h, mode="constant") / gaussian_filter(np.ones(SHAPE), h, mode="constant")
    assert nss(Surface(values), GROUP, kernel=0.5).value == pytest.approx(blurred[ROWS, COLUMNS].mean(), abs=1e-12)
    with pytest.raises(NotApplicable, match="px per degree are unknown"):
        nss(Surface(values), replace(GROUP, px_per_deg=np.nan), kernel=0.5)
    with pytest.raises(Misuse, match="kernel=-1"):
        nss(Surface(values), GROUP, kernel=-1)


@each
def test_percentiles_are_scipys(values):
    for ties, kind in (("strict", "strict"), ("midrank", "mean")):
        expected = np.mean([percentileofscore(values.ravel(), v, kind) for v in values[ROWS, COLUMNS]])
        assert percentile(Surface(values), GROUP, ties=ties).value == pytest.approx(expected)
    assert percentile(Surface(values), GROUP).value / 100 == pytest.approx(auc(Surface(values), GROUP).value, abs=1e-15)


@each
def test_the_hit_rate_curve(values):
    found = Surface(values)
    _, hits = hit_rate_curve(found, GROUP)
    assert (hits[0], hits[-1]) == (0, 1)
    assert (np.diff(hits) >= -1e-15).all()
    assert hit_rate(found, GROUP, kept=0.2).value == pytest.approx(hits[20])
    assert hit_area(found, GROUP).value == auc(found, GROUP).value
    fine = np.linspace(0, 1, 20001)
    integral = np.trapezoid(hit_rate_curve(found, GROUP, kept=fine)[1], fine)
    assert integral == pytest.approx(hit_area(found, GROUP).value, abs=1e-4)


def test_without_ties_a_hit_is_a_value_above_the_quantile():
    values = MAPS["fine"]
    above = values[ROWS, COLUMNS] >= np.sort(values, axis=None)[-960]  # 20 % of 4800
    assert hit_rate(Surface(values), GROUP).value == pytest.approx(above.mean())


@each
def test_errors_are_equal(values):
    curve = roc_curve(Surface(values), GROUP)
    rate = eer(Surface(values), GROUP).value
    fpr = np.linspace(0, 1, 100001)
    gap = np.abs(fpr - (1 - np.interp(fpr, curve.fpr, curve.tpr)))
    assert gap[np.abs(fpr - rate) < 1e-4].min() < 0.1


def test_matched_controls_by_hand():
    values = np.arange(10.0)[None]
    others = Controls(
        np.array([[0.0, 0], [9, 0], [2, 0], [8, 0]]),
        np.array(["a", "a", "b", "b"]),
        np.array([0.0, 1000, 0, 1000]),
        np.array(["p"] * 4),
    )
    here = Lookers({"a": scanpath([5, 5], [0, 0], onset_ms=[100, 900])}, (1, 10), controls=others)
    by = lambda **how: sauc(Surface(values), here, **how)  # noqa: E731
    assert by(match="observer").value == 0.5  # 0 and 9
    assert by(match="time").value == 0.5  # the first sees 0 and 2, the second 9 and 8
    assert by(match="both", window_ms=150).value == 0.5  # 0, then 9
    assert by(match="both", window_ms=100).parts["unmatched"] == 0
    with pytest.raises(NotApplicable, match="match=both"):
        by(match="both", window_ms=50)
    late = replace(here, paths={"a": scanpath([5, 5], [0, 0], onset_ms=[100, 5000])})
    found = sauc(Surface(values), late, match="time")
    assert (found.value, found.parts["unmatched"]) == (1.0, 1.0)
    with pytest.raises(Misuse, match="match='who'"):
        by(match="who")


@each
def test_random_areas_repeat_and_come_near_the_exact_ones(values):
    found = Surface(values)
    exact = auc(found, GROUP, duplicates="merge").value
    borji = auc_borji(found, GROUP, splits=40, step=0.01)
    assert borji.value == auc_borji(found, GROUP, splits=40, step=0.01).value
    assert borji.value != auc_borji(found, GROUP, splits=40, step=0.01, seed=1).value
    assert borji.value == pytest.approx(exact, abs=0.03)
    assert "seed 0, 40 splits" in borji.reason
    assert auc_borji(found, GROUP, splits=1, step=0.01, draws=100_000).value == pytest.approx(exact, abs=0.01)
    shuffled = sauc_mit(found, GROUP, pictures=0, splits=40, step=0.01)
    assert shuffled.value == pytest.approx(sauc(found, GROUP, duplicates="merge").value, abs=0.03)
    assert shuffled.value == sauc_mit(found, GROUP, pictures=0, splits=40, step=0.01).value


def test_who_looked_first_does_not_change_the_random_numbers():
    turned = replace(GROUP, paths=dict(reversed(GROUP.paths.items())))
    found = Surface(MAPS["fine"])
    assert auc_borji(found, GROUP, splits=5).value == auc_borji(found, turned, splits=5).value


def test_ten_pictures_are_chosen():
    few = sauc_mit(Surface(MAPS["fine"]), GROUP, pictures=1, splits=5)
    assert few.value != sauc_mit(Surface(MAPS["fine"]), GROUP, pictures=0, splits=5).value


@each
def test_judds_area_counts_ties_half_and_tells_what_jitter_gives(values):
    exact = auc(Surface(values), GROUP, controls="unfixated", duplicates="merge").value
    judd = auc_judd(Surface(values), GROUP)
    assert judd.value == pytest.approx(exact, abs=1e-12)
    assert exact < judd.parts["jittered"] < exact + 0.03  # straight lines between thresholds cut the steps


def test_judds_area_of_maps_with_many_ties():
    """8-bit maps with 80 % zeros had 0.727 where jitter gives 0.818, a random binary map 0.077."""
    rng = np.random.default_rng(1)
    rows, columns = rng.integers(0, 120, 100), rng.integers(0, 160, 100)
    here = Lookers({"a": scanpath(columns, rows)}, (120, 160))
    values = rng.random((120, 160))
    values[rows, columns] += 0.5 * rng.random(100)
    tied = np.floor(255 * np.maximum(values - np.quantile(values, 0.8), 0))
    fixated = np.unique(np.ravel_multi_index((rows, columns), (120, 160)))
    assert (tied == 0).mean() > 0.79
    jittered = [judd_with_jitter(tied, fixated, rng) for _ in range(200)]
    found = auc_judd(Surface(tied), here)
    assert found.parts["jittered"] == pytest.approx(np.mean(jittered), abs=0.002)
    assert found.value == pytest.approx(np.mean(jittered), abs=0.008)
    binary = Surface((rng.random((120, 160)) < 0.5).astype(float))
    assert auc_judd(binary, here).value == pytest.approx(0.5, abs=0.12)
    assert auc_judd(Surface(np.ones((120, 160))), here).value == 0.5


def judd_with_jitter(values, fixated, rng):
    """AUC_Judd of the MIT benchmark, written out."""
    flat = (values + rng.random(values.shape) / 1e7).ravel()
    t = np.sort(flat[fixated])[::-1]
    n, i = len(t), np.arange(1, len(t) + 1)
    fpr = np.concatenate([[0], (((flat >= t[:, None]).sum(axis=1)) - i) / (flat.size - n), [1]])
    return np.trapezoid(np.concatenate([[0], i / n, [1]]), fpr)


@each
def test_divergences_of_histograms_are_scipys(values):
    span = values.min(), values.max()
    here = np.histogram(values[ROWS, COLUMNS], 10, span)[0]
    everywhere = np.histogram(values, 10, span)[0]
    assert fixation_kl(Surface(values), GROUP).value == pytest.approx(entropy(here, everywhere))
    shuffled = fixation_kl(Surface(values), GROUP, controls="shuffled", repeats=20)
    assert shuffled.value == fixation_kl(Surface(values), GROUP, controls="shuffled", repeats=20).value
    assert shuffled.parts["sd"] > 0
    there = np.histogram(values[pixels(OTHERS.points, SHAPE)], 10, span)[0]
    if there.all():
        assert shuffled.value == pytest.approx(entropy(here, there), abs=0.15)
    assert "20 repeats" in shuffled.reason


def test_information():
    p = RNG.dirichlet(np.ones(4800)).reshape(SHAPE)
    found = Surface(p, np.log(p))
    bits = np.log2(p[ROWS, COLUMNS])
    assert log_likelihood(found, GROUP).value == pytest.approx(bits.mean())
    assert information_gain(found, GROUP).value == pytest.approx(bits.mean() + np.log2(4800))
    base = control_density(OTHERS, SHAPE, 4.0)
    assert base.sum() == pytest.approx(1)
    gain = information_gain(found, GROUP, baseline="controls").value
    assert gain == pytest.approx((bits - np.log2(base[ROWS, COLUMNS])).mean())
    knows = Surface(base, np.log(base))
    assert information_gain(knows, GROUP, baseline="controls").value == pytest.approx(0, abs=1e-12)
    with pytest.raises(NotApplicable, match="a map is not a density"):
        information_gain(Surface(p), GROUP)


def test_an_impossible_fixation_is_infinitely_surprising():
    p = np.ones(SHAPE)
    p[ROWS[0], COLUMNS[0]] = 0
    with np.errstate(divide="ignore"):
        found = Surface(p / p.sum(), np.log(p / p.sum()))
    assert information_gain(found, GROUP).value == -np.inf
    assert 0 < auc(found, GROUP).value < 0.5


def test_gains_in_pixels_add_up_to_the_gain():
    gold, model, base = (RNG.dirichlet(np.ones(48)).reshape(6, 8) for _ in range(3))
    total = gain_map(gold, np.log(model), np.log(base)).sum()
    assert total == pytest.approx(entropy(gold.ravel(), base.ravel(), 2) - entropy(gold.ravel(), model.ravel(), 2))
    with pytest.raises(ValueError, match="densities of the same picture"):
        gain_map(gold, np.log(model[:2]), np.log(base))


def test_a_density_is_ranked_by_its_logarithm_and_shuffled_without_that_of_the_controls():
    p = np.exp(-800 * MAPS["fine"])  # underflows in places
    with np.errstate(divide="ignore", under="ignore"):
        found = Surface(p, -800 * MAPS["fine"])
    assert auc(found, GROUP).value == pytest.approx(auc(Surface(-MAPS["fine"]), GROUP).value, abs=1e-15)
    bell = control_gaussian(OTHERS, SHAPE)
    assert np.exp(bell).sum() == pytest.approx(1)
    assert sauc(Surface(np.exp(bell), bell), GROUP, prior="removed").value == 0.5
    both = Surface(p, -800 * MAPS["fine"] + bell)
    alone = sauc(Surface(-MAPS["fine"]), GROUP).value
    assert sauc(both, GROUP, prior="removed").value == pytest.approx(alone, abs=1e-9)
    with pytest.raises(NotApplicable, match="a map is not a density"):
        sauc(Surface(p), GROUP, prior="removed")


def test_the_shuffled_area_reads_densities_as_maps():
    """A Gaussian of the controls was divided out of densities only: a uniform one had 0.529, a constant map 0.5."""
    flat = np.full(SHAPE, 1 / np.prod(SHAPE))
    assert sauc(Surface(flat, np.log(flat)), GROUP).value == 0.5
    p = np.exp(MAPS["fine"]) / np.exp(MAPS["fine"]).sum()
    assert sauc(Surface(p, np.log(p)), GROUP).value == pytest.approx(sauc(Surface(p), GROUP).value, abs=1e-12)
    assert auc(Surface(p, np.log(p)), GROUP, controls="shuffled").value == sauc(Surface(p), GROUP).value


@pytest.mark.parametrize("levels", [0, 256])
def test_fixations_of_a_group_are_counted_once_and_those_of_others_sorted(levels):
    rng = np.random.default_rng(2)
    values = rng.random((300, 400)) if not levels else rng.integers(0, levels, (300, 400)) / 255
    x, y = rng.random((2, 90)) * np.array([[400], [300]])
    group = Lookers({"a": scanpath(x[:50], y[:50]), "b": scanpath(x[50:], y[50:])}, (300, 400))
    at = values[y.astype(int), x.astype(int)]
    expected = np.mean([(values < one).sum() + (values == one).sum() / 2 for one in at]) / values.size
    found = Surface(values)
    assert auc(found, group).value == pytest.approx(expected, abs=1e-12)
    assert ("ordered",) not in found._made
    free = np.delete(values.ravel(), np.unique(y.astype(int) * 400 + x.astype(int)))
    apart = np.mean([(free < one).sum() + (free == one).sum() / 2 for one in at]) / free.size
    assert auc(Surface(values), group, controls="unfixated").value == pytest.approx(apart, abs=1e-12)
    each = [auc(found, group.only(who)).value for who in "ab"]
    assert (50 * each[0] + 40 * each[1]) / 90 == pytest.approx(expected, abs=1e-12)
    stranger = Lookers({"c": scanpath(y[:40], y[:40])}, (300, 400))
    at = values[y[:40].astype(int), y[:40].astype(int)]
    alone = np.mean([(values < one).sum() + (values == one).sum() / 2 for one in at]) / values.size
    assert auc(found, stranger).value == pytest.approx(alone, abs=1e-12)


def test_a_uniform_density_is_at_chance_against_controls_of_its_own_kind():
    rng = np.random.default_rng(5)
    flat, found = Surface(np.full(SHAPE, 1 / 4800), np.full(SHAPE, -np.log(4800))), []
    for _ in range(40):
        here, others = (np.floor(np.clip(rng.normal(0.5, 0.15, (n, 2)), 0, 0.99) * SHAPE[::-1]) for n in (60, 120))
        controls = Controls(others, np.repeat("a", 120), np.zeros(120), np.repeat("p", 120))
        found.append(sauc(flat, Lookers({"a": scanpath(*here.T)}, SHAPE, 4.0, controls)).value)
    assert np.mean(found) == pytest.approx(0.5, abs=0.02)  # a kernel density of the controls gives 0.546


def test_scores_of_few_fixations_keep_their_value_and_are_of_low_confidence():
    found, few = Surface(MAPS["fine"]), Lookers({"a": looked(4), "b": looked(2)}, SHAPE, 4.0, OTHERS)
    said = "only 6 fixations: a score of fewer than 15 is mostly chance"
    for measure in (auc, sauc, auc_judd, auc_borji, eer, hit_area, nss, cc, spearman, top_auc):
        assert (measure(found, few).state, measure(found, few).reason.partition(";")[0]) == ("low", said)
        assert measure(found, GROUP).state == "ok"
        assert measure(found, GROUP.only("a")).state == "ok"  # one of several, who are averaged
    values = MAPS["fine"][pixels(few.points, SHAPE)]
    expected = mannwhitneyu(values, MAPS["fine"].ravel()).statistic / 6 / MAPS["fine"].size
    assert auc(found, few).value == pytest.approx(expected)


@each
def test_who_is_held_out_scores_as_a_group_of_one(values):
    p = (values + 0.1) / (values + 0.1).sum()
    found = Surface(p, np.log(p))
    ways = (auc, sauc, nss, percentile, hit_area, log_likelihood, information_gain)
    also = [(sauc, {"prior": "removed"}), (information_gain, {"baseline": "controls"}), (nss, {"duplicates": "merge"})]
    for measure, settings in [*((way, {}) for way in ways), *also]:
        for who in "ab":
            alone = Lookers({who: GROUP.paths[who]}, SHAPE, 4.0, OTHERS)
            expected = measure(Surface(p, np.log(p)), alone, **settings).value
            assert measure(found, GROUP.only(who), **settings).value == pytest.approx(expected, abs=1e-14)
