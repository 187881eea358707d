"""Pictures of a benchmark of scanpaths as a whole: distributions, skill, ranks and families."""

from io import BytesIO

import numpy as np
import pytest

from beholder.attention.datasets.simulated import simulated
from beholder.attention.figures import moves as movements
from beholder.attention.figures import skill
from beholder.attention.figures.overview_paths import movers, pictures_of
from beholder.attention.gaze.saccades import moves, people_moves
from beholder.attention.measures.dynamics import amplitude_divergence, joint_divergence
from beholder.attention.types import scanpath
from beholder.core.scores import Score, table

OFFICIAL = ("stde", "scanmatch", "amplitude_divergence")
FAMILIES = {"sequential": ("scanmatch",), "spatial": ("stde",), "dynamic": ("amplitude_divergence",)}
# (role, stde, scanmatch, amplitude_divergence): the stare beats people on stde only
WHO = {
    "good": ("model", 0.8, 0.6, 0.2),
    "odd": ("model", 0.7, 0.7, 0.4),
    "bad": ("model", 0.5, 0.2, 0.9),
    "people": ("ceiling", 0.85, 0.8, 0.1),
    "stare": ("blind", 0.9, 0.3, 2.0),
    "uniform": ("blind", 0.4, 0.1, 0.8),
}


@pytest.fixture(scope="module")
def dataset():
    whole = simulated(6)
    return whole.only(whole.ids[:4])


def row(model, role, unit, measure, value):
    better, spread = ("lower", 0.01) if measure == "amplitude_divergence" else ("higher", np.nan)
    ends = (value - spread, value + spread)
    told = (measure, "", "", "all", better, value, *ends, 1, "ok", "", "")
    return Score("b", 1, model, role, "simulated", unit, 0, *told)


@pytest.fixture(scope="module")
def scores(dataset):
    rng = np.random.default_rng(0)
    rows = [row(name, own[0], "*", OFFICIAL[2], own[3]) for name, own in WHO.items()]
    rows += [
        row(name, own[0], unit, measure, own[1 + at] + rng.normal(0, 0.005))
        for name, own in WHO.items()
        for unit in dataset.ids
        for at, measure in enumerate(OFFICIAL[:2])
    ]
    return table(rows)


@pytest.fixture(scope="module")
def readings(dataset):
    """A model that moves as a person does, one without durations, and a blind one that stares."""
    samples = [dataset.load(id) for id in dataset.ids]
    humans = [sample.reference.paths["simulated01"] for sample in samples]
    answers = {
        "good": humans,
        "odd": [scanpath(path.x[::-1], path.y) for path in humans],
        "stare": [scanpath([9, 9, 9], [9, 9, 9], duration_ms=[200, 300, 250]) for _ in humans],
        "people": humans,
    }
    return {
        name: {s.id: (moves([path]), people_moves(s.reference)) for s, path in zip(samples, own, strict=True)}
        for name, own in answers.items()
    }


def saved(figure):
    file = BytesIO()
    figure.savefig(file, format="png", dpi=40)
    return len(file.getvalue())


def titles(figure):
    return [axes.get_title() for axes in figure.get_axes() if axes.get_title()]


def test_every_picture_is_there_and_can_be_saved(scores, readings, dataset):
    found = pictures_of(scores, readings, dataset=dataset, official=OFFICIAL, families=FAMILIES)
    assert list(found) == [
        "scores",
        "skill",
        "ranks_by_measure",
        "mean_ranks",
        "families",
        "saccade_amplitudes",
        "fixation_durations",
        "saccade_directions",
        "turning_angles",
        "amplitude_and_duration",
    ]
    assert all(saved(figure) > 2_000 for figure in found.values())


def test_without_readings_families_people_or_several_models_less_is_drawn(scores, dataset):
    assert list(pictures_of(scores, {}, dataset=dataset, official=OFFICIAL)) == [
        "scores", "skill", "ranks_by_measure", "mean_ranks",
    ]  # fmt: skip
    alone = scores[scores["model"] == "good"]
    assert list(pictures_of(alone, {}, dataset=dataset, official=OFFICIAL, families=FAMILIES)) == ["scores"]


def test_divergences_are_those_of_the_measures(scores, readings):
    those = {one.name: one for one in movers(scores, readings)}
    assert list(those) == ["good", "odd", "stare"]  # people are drawn in every panel
    people = movements.crowd([])
    found = {title.partition("\n")[0]: title for title in titles(movements.distributions(
        list(those.values()), people, "amplitude"))}  # fmt: skip
    for name, one in those.items():
        expected = amplitude_divergence(one.found, one.people).parts
        assert f"KL {expected['kl']:.2f}, reverse {expected['kl_model_people']:.2f}" in found[name]
    assert list(found) == ["good", "odd", "stare"]


def test_those_without_values_are_named_and_not_drawn(scores, readings, dataset):
    those = movers(scores, readings)
    people = movements.crowd([dataset.load(id).reference for id in dataset.ids])
    durations = movements.distributions(those, people, "duration")
    assert "odd" not in " ".join(titles(durations))
    assert "without any: odd" in durations.get_supxlabel()
    roses = movements.roses(those, "direction")
    assert "without any: stare" in roses.get_supxlabel()
    joint = movements.joint(those, people)
    assert titles(joint)[0] == "people"
    expected = joint_divergence(those[0].found, those[0].people).parts["kl"]
    assert f"good\nKL {expected:.2f}" in titles(joint)
    assert "without durations: odd" in joint.get_supxlabel()
    assert "first repeat only" in joint.get_supxlabel()
    assert all("first repeat only" in one.legends[0].get_title().get_text() for one in (durations, roses))
    assert movements.roses([those[2]], "turning") is None


def test_the_band_is_of_observers_and_the_black_line_of_all(scores, readings, dataset):
    people = movements.crowd([dataset.load(id).reference for id in dataset.ids])
    own = people.own("amplitude")
    assert len(own) == 6
    everybody = np.concatenate([of.moves.amplitude_px / of.px_per_deg for of in people.pictures])
    assert sorted(np.concatenate(own)) == pytest.approx(sorted(everybody))
    axes = movements.distributions(movers(scores, readings), people, "amplitude").get_axes()[0]
    edges = axes.patches[-1].get_data().edges
    shares = np.histogram(np.minimum(everybody, edges[-1]), edges)[0] / len(everybody)
    np.testing.assert_allclose(axes.patches[-1].get_data().values, shares)


def test_the_people_that_the_blind_beat_are_said_to_be(scores):
    figure = skill.skills(scores)
    said = {axes.get_title(): [text.get_text() for text in axes.texts] for axes in figure.get_axes()}
    assert said["stde"] == ["people do not beat\nthe blind models"]
    assert said["scanmatch"] == []
    labels = [label.get_text() for label in figure.get_axes()[0].get_yticklabels()]
    assert labels == ["good", "odd", "bad", "stare", "uniform"]  # mean skills 0.73, 0.69, −0.17
    assert skill.skills(scores[scores["role"] == "model"]) is None


def test_skill_is_where_a_model_is_between_the_blind_and_people(scores):
    axes = next(a for a in skill.skills(scores).get_axes() if a.get_title() == "amplitude\ndivergence")
    values = sorted(float(line.get_xdata()[0]) for line in axes.lines if line.get_marker() == "o")
    # (0.8 − v)/(0.8 − 0.1) of the models; the best blind one is at 0, the stare beyond the border
    assert values == pytest.approx(sorted([(0.8 - v) / 0.7 for v in (0.2, 0.4, 0.9)] + [0.0]))
    assert [line.get_xdata()[0] for line in axes.lines if line.get_marker() == "<"] == [-1.5]


def test_ranks_count_people_and_the_blind(scores):
    axes = skill.rank_table(scores).get_axes()[0]
    names = [label.get_text().split()[0] for label in axes.get_yticklabels()]
    assert names == ["people", "good", "odd", "stare", "bad", "uniform"]
    numbers = np.array([float(text.get_text()) for text in axes.texts]).reshape(6, 3)
    heads = [label.get_text().partition("\n")[0] for label in axes.get_xticklabels()]
    places = dict(zip(heads, numbers.T.tolist(), strict=True))
    assert places["stde"] == [2, 3, 4, 1, 5, 6]
    assert places["amplitude"] == [1, 2, 3, 6, 5, 4]


def test_families_have_the_numbers_of_the_judge_and_people_where_they_would_stand(scores):
    figure = skill.families_of(scores, FAMILIES)
    axes = figure.get_axes()[0]
    assert len(figure.get_axes()) == 3
    assert axes.get_xlabel().startswith("sequential")
    marks = dict(
        zip([text.get_text() for text in axes.texts], [line.get_xydata()[0] for line in axes.lines], strict=True)
    )
    assert marks["odd"].tolist() == [1, 2]
    assert marks["good"].tolist() == [2, 1]
    assert marks["bad"].tolist() == [3, 3]
    assert marks["people"].tolist() == [1, 1]
    assert marks["stare"].tolist() == [3, 1]
    assert skill.families_of(scores, {"one": ("stde",)}) is None
