"""motion/multistable: the rivalry model, the law, and who follows it."""

import numpy as np
import pytest

import beholder as bh
from beholder.errors import Misuse
from beholder.motion.benchmarks.multistable import lawful, multistable, random, steady
from beholder.motion.datasets.line_plaids import line_plaids
from beholder.motion.figures.timelines import timelines
from beholder.motion.measures.multistable import alternation_facts
from beholder.motion.models import rivalry as r
from beholder.motion.stimuli.drawing import movie
from beholder.motion.stimuli.line_plaid import LinePlaid
from beholder.motion.stimuli.sampling import Sampling

BED = line_plaids()


@pytest.fixture(scope="module")
def rows():
    return bh.run(multistable(), {"flow": lambda film: np.zeros((len(film.frames) - 1, 2))})


def test_angle_and_speed_are_read_from_the_frames():
    grid = Sampling(hertz=100.0, size=112, seconds=0.1)
    found = [r.components(movie(LinePlaid(angle=angle, speed=3.0), grid)) for angle in (80.0, 110.0, 140.0)]
    assert [one.angle for one in found] == pytest.approx([80, 110, 140], abs=12)
    assert np.all(np.diff([one.angle for one in found]) > 20)
    slow, fast = (r.components(movie(LinePlaid(speed=speed), grid)).speed for speed in (1.5, 3.0))
    assert fast / slow == pytest.approx(2, rel=0.05)
    turned = r.components(movie(LinePlaid(angle=110.0, direction=0.0), grid))
    assert turned == pytest.approx(found[1], rel=0.02)


def test_the_stronger_drive_shortens_the_other_and_hardly_changes_its_own():
    def means(drive):
        seen = r.competition(np.array([1.2, drive]), np.full(20, 0.06), steps=12000, rng=np.random.default_rng(0))
        answers = [r._percepts(one) for one in seen.T]
        return [np.mean([answer.mean(word) for answer in answers]) for word in ("coherent", "transparent")]

    (weak, own_weak), (strong, own_strong) = means(1.14), means(1.26)
    assert strong < 0.65 * weak
    assert own_strong == pytest.approx(own_weak, rel=0.15)


def test_equal_drives_share_the_time_and_noise_makes_them_alternate():
    seen = r.competition(np.array([1.2, 1.2]), np.full(20, 0.06), steps=12000, rng=np.random.default_rng(1))
    assert seen.mean() == pytest.approx(0.5, abs=0.06)
    noises = np.array([0.0, 0.04, 0.1])
    switches = np.diff(r.competition(np.array([1.2, 1.2]), noises, steps=12000, rng=np.random.default_rng(1)), axis=0)
    counts = np.abs(switches).sum(axis=0)
    assert counts[0] == 0
    assert 0 < counts[1] < counts[2]


def test_the_same_generator_gives_the_same_periods():
    film = BED[0].stimulus
    one, two, other = (r.rivalry(film, rng=np.random.default_rng(seed), many=2) for seed in (0, 0, 1))
    assert np.array_equal(one[0].seconds, two[0].seconds)
    assert not np.array_equal(one[0].seconds, one[1].seconds)
    assert not np.array_equal(one[0].seconds, other[0].seconds)
    assert one[0].seconds.sum() == pytest.approx(60)
    with pytest.raises(Misuse, match="got noise=-1; expected 0 or more"):
        r.rivalry(film, rng=np.random.default_rng(0), noise=-1)


def test_who_follows_the_law(rows):
    scores = rows[rows["measure"] == "alternation_facts"].groupby("model")["value"].mean()
    assert scores["lawful"] == 1
    assert scores["rivalry"] > 0.9
    assert scores["steady"] == 0
    assert scores["random"] < 0.7
    held = rows[(rows["model"] == "rivalry") & (rows["measure"] == "alternation_facts")]
    assert set(held["provenance"]) == {"memory"}  # that the angle strengthens transparency is remembered
    assert held["lo"].notna().all()


def test_a_model_of_flow_has_nothing_to_say_and_the_others_are_judged(rows):
    flow = rows[rows["model"] == "flow"]
    assert set(flow["state"]) == {"na"}
    assert flow["reason"].str.contains("answers with velocities").all()
    verdict = multistable().judge(rows)
    assert verdict.best == ("rivalry",)
    assert "flow" not in verdict.standing.index


def test_shares_and_switches_stand_beside(rows):
    values = rows[rows["model"] == "lawful"].set_index("measure")["value"]
    assert values["alternation_facts.switches_a_minute"] == pytest.approx(15, rel=0.2)  # periods of about 4 s
    assert 0.4 < values["alternation_facts.coherent_share"] < 0.6


@pytest.mark.parametrize("swap", ["other", "own"])
def test_breaking_the_law_costs_the_check(swap):
    """Periods of the lawful observer, with one percept's periods swapped between the ends of each series."""
    answers = [lawful(sample) for sample in BED]
    first, last = (BED.ids.index(id) for id in ("line_plaid3", "line_plaid4"))  # the slowest and the fastest
    if swap == "other":
        answers[first], answers[last] = answers[last], answers[first]
    else:
        answers[last] = type(answers[last])(answers[last].words, answers[last].seconds[::-1].copy())
    ours = slice(0, 5)
    found = alternation_facts(answers[ours], [sample.reference for sample in BED][ours])
    assert found.parts["speed_own"] == 0
    assert found.parts["speed_other"] == (0 if swap == "other" else found.parts["speed_other"])
    assert found.parts["angle_other"] == found.parts["angle_own"] == 1


def test_nulls_fill_the_trial():
    film = BED[0].stimulus
    assert steady(film).seconds.tolist() == [60]
    drawn = random(film, rng=np.random.default_rng(0))
    assert drawn.seconds.sum() == pytest.approx(60)
    assert set(drawn.words) == {"coherent", "transparent"}


def test_the_picture_has_a_strip_for_each_model(tmp_path):
    sample = BED[0]
    figure = timelines(sample, {"lawful": lawful(sample), "steady": steady(sample.stimulus)})
    figure.savefig(tmp_path / "a.png")
    axes = figure.axes[1]
    assert len(axes.patches) == len(lawful(sample).words) + 1
    assert [text.get_text() for text in axes.texts][1::2] == ["lawful", "steady"]
