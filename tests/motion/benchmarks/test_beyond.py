"""motion/beyond: facts on contrast, plaids, dots and detection; who passes them and how far they can be trusted."""

import numpy as np
import pytest

import beholder as bh
import motion_beyond as scenes
import toys
from beholder.core.scores import labels
from beholder.errors import Misuse
from beholder.motion.benchmarks.beyond import beyond
from beholder.motion.benchmarks.static import blind as every_blind
from beholder.motion.datasets.beyond import beyond as beyond_dataset
from beholder.motion.datasets.contrasts import contrasts
from beholder.motion.datasets.dots import dots
from beholder.motion.datasets.noisy_gratings import noisy_gratings
from beholder.motion.datasets.plaids import plaids
from beholder.motion.figures.beyond import of_conditions
from beholder.motion.models.lucas_kanade import lucas_kanade
from beholder.motion.models.slow_prior import slow_prior
from beholder.motion.readouts import trace
from beholder.motion.types import motion
from beholder.registry.load import load
from motion_movies import drawn_once


def blind(dataset):
    """The blind models without the random one, whose ten repeats take long."""
    return {name: model for name, model in every_blind(dataset).items() if name != "random"}


def lean(bench, **models):
    return toys.vary(bench, baselines=models, blind=blind)


@pytest.fixture(scope="module")
def bench():
    return lean(beyond(drawn_once(beyond_dataset)), slow_prior=slow_prior, lucas_kanade=lucas_kanade)


@pytest.fixture(scope="module")
def rows(bench):
    return bh.run(bench, {}, jobs=0)


def value(rows, model, measure):
    return rows[(rows["model"] == model) & (labels(rows) == measure)]["value"].mean()


def test_an_observer_who_follows_every_fact_has_every_point(rows):
    for measure in ("contrast_facts", "plaid_facts", "coherence_score", "detection_facts"):
        assert value(rows, "lawful", measure) == pytest.approx(1)
        assert value(rows, "still", measure) < 0.01


def test_the_slow_prior_is_misled_and_slowed_by_low_contrast_and_a_linear_method_is_not(rows):
    for check in ("bias", "bars", "slower"):
        assert value(rows, "slow_prior", f"contrast_facts.{check}") == 1
        assert value(rows, "lucas_kanade", f"contrast_facts.{check}") == 0
    assert value(rows, "slow_prior", "plaid_facts.faint") == 1
    assert value(rows, "lucas_kanade", "plaid_facts.faint") == 0


def test_pairwise_models_have_no_time_course(rows):
    for model in ("slow_prior", "lucas_kanade"):
        assert value(rows, model, "contrast_facts.lasts") == 0


def test_the_true_motion_is_not_what_people_see(rows):
    assert value(rows, "true_motion", "contrast_facts") == 0
    assert value(rows, "true_motion", "plaid_facts.early") == value(rows, "true_motion", "plaid_facts.slower") == 0
    assert value(rows, "true_motion", "plaid_facts.late") == 1
    assert value(rows, "vector_average", "plaid_facts.early") == 1
    assert value(rows, "vector_average", "plaid_facts.late") == 0


def test_every_column_has_the_status_of_its_own_facts(rows):
    ok = rows[rows["state"] == "ok"]
    plain = ok[ok["part"] == ""]
    status = {name: set(own["provenance"]) for name, own in plain.groupby(labels(plain))}
    assert status == {
        "contrast_facts": {"memory"},
        "plaid_facts": {"memory"},
        "coherence_score": {"placeholder"},
        "detection_facts": {"memory"},
    }
    told = ok[labels(ok) == "coherence_score"]["reason"]
    assert told.str.contains("rests on placeholders: dots.threshold").all()


def test_without_what_is_remembered_nothing_rests_on_it():
    bench = beyond(drawn_once(beyond_dataset), remembered=False)
    assert bench.official == ("contrast_facts(remembered=False)", "plaid_facts(remembered=False)")
    found = bh.run(lean(bench, slow_prior=slow_prior), {}, jobs=0)
    ok = found[found["state"] == "ok"]
    assert set(ok["provenance"]) == {"verified", "derived"}


def test_a_users_threshold_takes_the_place_of_the_placeholder(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(
        '["dots.threshold"]\nstimulus="dots"\nquantity="x"\nsource="me"\nstatus="verified"\n'
        'value=-0.3\nspread=0.2\nspread_kind="sd"\n'
    )
    bench = beyond(reference=str(file))
    score = next(of for of in bench.measures if "coherence" in of.card.name)
    strict = score(scenes.observed(scenes.dots()), [percept for percept, _ in scenes.dots()])
    assert strict.value == pytest.approx(np.exp(-((0.7 / 0.2) ** 2)))
    assert strict.status == "verified"
    assert strict.reason == ""


def test_the_baselines_are_one_of_each_kind_or_all():
    assert "feedback" in beyond().lineup.baselines
    assert set(beyond().lineup.baselines) < set(beyond(models="all").lineup.baselines)
    with pytest.raises(Misuse, match="no model is called 'some'"):
        beyond(models="some")
    assert load("motion/beyond", models="all").name == "motion/beyond"


def test_the_picture_has_six_panels_with_a_line_for_each_model(bench, rows, tmp_path):
    readings = {
        name: {
            sample.id: (trace(motion(model(sample.stimulus), sample.stimulus), sample.stimulus), sample.reference)
            for sample in bench.dataset
        }
        for name, model in bench.lineup.baselines.items()
    }
    figure = of_conditions(rows, readings)["conditions"]
    figure.savefig(tmp_path / "a.png")
    assert len(figure.axes) == 6
    for axes in figure.axes:
        named = [line for line in axes.lines if not line.get_label().startswith("_")]
        assert [line.get_label() for line in named] == ["slow_prior", "lucas_kanade"]


def test_the_dataset_is_small_and_says_what_it_shows():
    dataset = drawn_once(beyond_dataset)
    assert len(dataset) == 64
    assert {sample.tags["dataset"] for sample in dataset} == {"contrasts", "plaids", "dots", "noisy_gratings"}
    assert max(sample.stimulus.frames.size for sample in dataset) < 300_000
    assert {sample.tags["aliased"] for sample in dataset} == {"no"}


@pytest.mark.parametrize("make", [contrasts, plaids, dots, noisy_gratings])
def test_every_scene_of_the_full_sets_can_be_drawn(make):
    """The guard is asked, without drawing."""
    from beholder.motion.stimuli.suite import tags

    for profile in ("", "native", "quick"):
        draw = make(full=True, profile=profile).load
        assert {tags(shown, shown.within(draw.sampling))["aliased"] for shown in draw.scenes.values()} == {"no"}
    assert len(make(full=True)) > len(make())
    assert make().fingerprint != make(full=True).fingerprint


def test_backgrounds_are_held_and_contrasts_are_what_they_are_called():
    for sample in drawn_once(contrasts):
        frames, contrast = sample.stimulus.frames, float(sample.tags["contrast"])
        ground = frames[0, 0, 0]
        if sample.tags["class"] == "grating":
            assert ground == 50
            assert (frames.max() - frames.min()) / (frames.max() + frames.min()) == pytest.approx(contrast, rel=0.02)
        else:
            assert ground == 20
            assert frames.max() / ground - 1 == pytest.approx(contrast, rel=0.02)


def test_plaids_are_short_and_long_and_the_type_two_has_its_golden_average():
    shown = {(s.tags["variant"], s.tags["duration"]): s for s in drawn_once(plaids) if s.tags["balance"] == "0.5"}
    assert {len(s.stimulus.frames) - 1 for s in drawn_once(plaids)} == {3, 12}
    assert shown["type II", "short"].reference.bias == pytest.approx(55.60, abs=0.01)
    assert shown["type I", "long"].reference.bias == pytest.approx(0, abs=1e-9)


def test_dots_go_both_ways_at_every_coherence():
    films = [(s.tags["coherence"], s.tags["direction"]) for s in drawn_once(dots)]
    assert {films.count(one) for one in films} == {2}
    assert len({s.stimulus.frames.tobytes() for s in drawn_once(dots)}) == 20
