"""How sure the dynamic scores are: of few facts, of fits, of directions, and of the few people behind the numbers."""

import numpy as np
import pytest

import beholder as bh
import toys
from beholder.core.scores import labels
from beholder.motion.benchmarks.dynamic import dynamic
from beholder.motion.courses.decays import average_score, decays, interval
from beholder.motion.courses.series import Seen
from beholder.motion.datasets.classical import classical
from beholder.motion.measures.dynamic import bar_dynamics, diamond_dynamics, grating_dynamics
from beholder.motion.measures.facts import barber_facts, diamond_facts
from beholder.motion.references import Record
from beholder.motion.types import Velocity
from beholder.stats.proportion import wilson
from motion_movies import drawn_once
from motion_traces import T, aimed, decay, gratings, human, monkey, pair, summation, watched


def known(tmp_path, n, spread=(6.0, 2.0, 0.02)):
    """A user's references, of so many people."""
    file = tmp_path / f"{n}.toml"
    head = 'stimulus = "diamond"\nquantity = "x"\nsource = "me"\nstatus = "verified"\nspread_kind = "sd"\n'
    values = zip(("alpha", "beta", "tau"), (40, 0, 0.09), spread, strict=True)
    file.write_text("".join(f'["diamond.{k}"]\n{head}value = {v}\nspread = {s}\nn = {n}\n' for k, v, s in values))
    return str(file)


def width(found):
    return found.hi - found.lo


@pytest.mark.parametrize(
    ("measure", "observer", "held", "of"),
    [
        (bar_dynamics, monkey(), 4, 4),
        (diamond_facts, human(), 7, 7),
        (grating_dynamics, gratings(summation), 4, 4),
        (grating_dynamics, gratings(lambda d, c, t: min(d, 10.0)), 1, 4),
        (barber_facts, watched(), 5, 5),
        (bar_dynamics, ([aimed(0.0, speed=16)] * 4, monkey()[1]), 0, 4),
    ],
)
def test_a_share_of_facts_is_as_sure_as_so_many_facts_are(measure, observer, held, of):
    found = measure(*observer)
    assert found.value == held / of
    assert (found.lo, found.hi) == pytest.approx(wilson(held, of))


def test_the_more_people_were_measured_the_surer_a_score_is(tmp_path):
    traces = pair(decay(30, 0, 0.09))
    found = [diamond_dynamics(*traces, reference=known(tmp_path, n)) for n in (2, 8, 1000)]
    assert width(found[0]) > width(found[1]) > width(found[2])
    assert width(found[2]) < 0.05
    assert len({one.value for one in found}) == 1
    for one in found:
        assert one.lo <= one.value <= one.hi


def test_unknown_people_are_taken_as_the_fewest(tmp_path):
    traces = pair(decay(30, 0, 0.09))
    unknown, two = (diamond_dynamics(*traces, reference=known(tmp_path, n)) for n in (0, 2))
    assert (unknown.lo, unknown.hi) == (two.lo, two.hi)


def test_noise_and_directions_that_disagree_widen_the_interval(tmp_path):
    many = known(tmp_path, 100_000)
    clean = diamond_dynamics(*pair(decay(34, 0, 0.09)), reference=many)
    noisy = diamond_dynamics(*pair(decay(34, 0, 0.09) + np.random.default_rng(0).normal(0, 3, len(T))), reference=many)
    assert width(noisy) > width(clean) + 0.05
    one, other = pair(decay(40, 0, 0.09)), pair(decay(25, 0, 0.09), 90.0)
    apart = diamond_dynamics([*one[0], *other[0]], [*one[1], *other[1]], reference=many)
    alone = [diamond_dynamics(*each, reference=many).value for each in (one, other)]
    assert apart.value == pytest.approx(np.mean(alone))
    assert (apart.lo, apart.hi) == pytest.approx(sorted(alone), abs=0.02)


def test_the_interval_is_that_of_other_people_drawn_at_random():
    """A fit that is exact and at the mean has s = exp(−z²/n) for people whose mean is μ + z σ/√n, z ~ N(0, 1)."""
    of = [Record("a", "d", "x", "me", "seed", v, s, n=4) for v, s in ((40.0, 9.0), (0.0, 3.0), (0.09, 0.02))]
    those = [Seen(*one) for one in zip(*pair(decay(40, 0, 0.09)), strict=True)]
    own = decays(those, absolute=True, window=0.45, draws=2000)
    lo, hi = interval(own, of, 2)
    assert hi == pytest.approx(average_score(own, of))
    z = np.random.default_rng(1).standard_normal((200_000, 3))
    assert lo == pytest.approx(np.quantile(np.exp(-(z**2) / 4).mean(axis=1), 0.025), abs=0.04)  # of 2000 draws


def turning(movie):
    """A velocity that turns as pursuit of a figure to the right would."""
    angle = np.radians(40 * np.exp(-movie.seconds / 0.09))
    return Velocity(10 * np.stack([np.cos(angle), np.sin(angle)], axis=1))


def test_every_number_of_the_dynamic_table_has_an_interval_on_the_small_dataset():
    bench = toys.vary(dynamic(drawn_once(classical), models="none"), baselines={"turning": turning})
    rows = bh.run(bench, jobs=0, repeats=2)
    verdict = bench.judge(rows)
    line = verdict.standing.loc["turning"]
    for name in ("", *(f"{kind}_dynamics (all) " for kind in ("bar", "diamond", "grating"))):
        value = line[name.strip() or "score"]
        assert line[f"{name}lo"] <= value <= line[f"{name}hi"]
        assert line[f"{name}hi"] - line[f"{name}lo"] > 0.05, name
    assert not any("leaves out" in note for note in map(str, verdict.notes))
    official = rows[labels(rows).isin(bench.official) & rows["state"].isin(["ok", "low"])]
    assert np.isfinite(official[["lo", "hi"]]).all(axis=None)
