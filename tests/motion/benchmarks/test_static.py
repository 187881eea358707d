"""motion/static and motion/dynamic on small datasets: who scores what, and how far it can be trusted."""

import json
import pickle
from dataclasses import replace

import numpy as np
import pytest

import beholder as bh
import toys
from beholder.core import trial
from beholder.core.measure import card
from beholder.core.model_code import Process
from beholder.core.sample import Dataset, Sample
from beholder.core.scores import labels
from beholder.engines.parcels import pack
from beholder.errors import Misuse
from beholder.motion.benchmarks.dynamic import dynamic, recurrent
from beholder.motion.benchmarks.static import CLASSES, baselines, random, read, show, static, still, write
from beholder.motion.datasets.classical import classical
from beholder.motion.types import Flow, Movie, Percept, Velocity, motion
from beholder.registry.load import confine, load

PAIRS = 20
SCENES = {
    f"{kind}{direction:g}{turn:+d}": (kind, direction, turn)
    for kind in ("diamond", "bar", "grating", "barber")
    for direction in (0.0, 90.0)
    for turn in (1, -1)
}


def sample(id):
    kind, direction, turn = SCENES[id]
    frames = np.full((PAIRS + 1, 8, 8), 20.0, np.float32)
    frames[:, 3:5, 3:5] = 40.0
    average = direction + (0.0 if kind == "grating" else 44.0 * turn)
    conditions = {"turn": turn, "contrast": 1.0, "length": 5.0, "tiles": 1.0, "angle": 44.0, "terminators": 18.0}
    percept = Percept(kind, direction, 10.0, average, average, 7.0, conditions, "seed")
    return Sample(id, Movie(frames, 50.0, 8.0), percept, {"direction": f"{direction:g}"})


DATASET = Dataset("small", tuple(SCENES), sample)


def constant(movie):
    """Rightwards at one px/frame, whatever is shown."""
    return np.tile([1.0, 0.0], (PAIRS, 1))


def lean(bench, **models):
    return toys.vary(bench, baselines=models or {"constant": constant})


@pytest.fixture(scope="module")
def rows():
    return {make.__name__: bh.run(lean(make(DATASET)), {}, jobs=0, repeats=3) for make in (static, dynamic)}


def mean(rows, model, measure, **where):
    chosen = rows[(rows["model"] == model) & (labels(rows) == measure)]
    for column, value in where.items():
        chosen = chosen[chosen[column] == value]
    return chosen["value"].mean()


def test_the_oracle_is_perfect_and_the_blind_models_are_not(rows):
    found = rows["static"]
    assert mean(found, "true_motion", "final_score") == pytest.approx(1)
    assert mean(found, "vector_average", "final_error", criterion="diamond") == pytest.approx(44)
    assert mean(found, "vector_average", "final_score", criterion="grating") == pytest.approx(1)
    assert mean(found, "random", "final_score") < 0.5
    still_rows = found[(found["model"] == "still") & (found["state"] != "na")]
    assert set(still_rows["state"]) == {"low"}
    assert set(still_rows.loc[labels(still_rows) == "final_score", "value"]) == {0.0}
    assert set(found["role"]) == {"baseline", "blind", "oracle"}
    assert not (found["state"] == "failed").any()


def test_a_constant_answer_is_right_as_often_as_it_is_right(rows):
    assert mean(rows["static"], "constant", "final_score", criterion="bar") == pytest.approx(0.5)  # right, not up
    assert mean(rows["static"], "constant", "final_error", criterion="bar") == pytest.approx(45)


def test_classes_are_columns_and_weigh_alike(rows):
    verdict = static(DATASET).judge(rows["static"])
    columns = [name for name in verdict.standing.columns if name.startswith("final_score") and name.endswith(")")]
    assert {name.split("(")[1] for name in columns} == {"bar)", "diamond)", "grating)", "barber)"}
    assert verdict.standing.loc["constant", "score"] == pytest.approx(0.5)


def test_a_placeholder_never_reaches_a_score_unnamed(rows):
    for found in rows.values():
        scored = found[found["state"].isin(["ok", "low"])]
        gaussian = scored["measure"].str.startswith(("final_score", "diamond_dynamics", "bar_peak"))
        assert set(scored.loc[gaussian, "provenance"]) == {"placeholder"}
        assert scored.loc[gaussian, "reason"].str.contains("rests on placeholders: ").all()
        assert "placeholder" not in set(scored.loc[~gaussian, "provenance"])
    fitted = rows["dynamic"][labels(rows["dynamic"]) == "diamond_dynamics"]
    named = fitted.query("state == 'ok'")["reason"]
    assert named.str.contains("diamond.alpha, diamond.beta, diamond.observers, diamond.tau").all()


def test_an_error_in_degrees_has_the_status_of_what_was_seen(rows):
    errors = rows["static"][labels(rows["static"]) == "final_error"].query("state == 'ok'")
    assert set(errors["provenance"]) == {"seed"}


@pytest.mark.parametrize("make", [static, dynamic])
def test_in_the_mode_of_facts_nothing_rests_on_a_placeholder(make):
    found = bh.run(lean(make(DATASET, mode="facts")), {}, jobs=0, repeats=1)
    assert not set(found["provenance"]) & {"placeholder", "memory"}
    assert (found["state"] == "ok").any()


def test_a_users_references_take_the_place_of_placeholders(tmp_path):
    file = tmp_path / "mine.toml"
    record = 'stimulus = "x"\nquantity = "x"\nsource = "me"\nstatus = "verified"\nspread_kind = "sd"\n'
    kinds = ("bar", "diamond", "grating", "barber")
    file.write_text("".join(f'["static.{kind}"]\n{record}value = 0\nspread = 45\n' for kind in kinds))
    bench = lean(static(DATASET, reference=str(file)))
    found = bh.run(bench, {}, jobs=0, repeats=1)
    assert set(found["provenance"]) == {"seed"}  # of the percepts themselves
    assert bench.official == (f"final_score(reference={file})",)
    assert mean(found, "vector_average", bench.official[0], criterion="diamond") == pytest.approx(
        np.exp(-((44 / 45) ** 2))
    )


def test_diamonds_are_fitted_by_direction(rows):
    found = rows["dynamic"]
    assert set(found.loc[labels(found) == "diamond_dynamics", "unit"]) == {"*"}
    fitted = found[labels(found).str.match(r"diamond_dynamics\.alpha_\d")]
    assert set(labels(fitted)) == {"diamond_dynamics.alpha_0", "diamond_dynamics.alpha_90"}
    assert mean(rows["dynamic"], "true_motion", "diamond_dynamics") == pytest.approx((np.exp(-4) + 1) / 3)
    assert mean(rows["dynamic"], "vector_average", "diamond_dynamics") == pytest.approx(np.exp(-4) / 3, abs=1e-6)


def test_a_model_with_human_dynamics_beats_the_true_motion(rows):
    """It starts at the vector average and arrives, as people do; it may know the dataset, made for a test."""
    answers = {}
    for id, (_, direction, turn) in SCENES.items():
        seconds = sample(id).stimulus.seconds
        angle = np.radians(direction + turn * 40 * np.exp(-seconds / 0.09))
        answers[id] = Velocity(10 * np.stack([np.cos(angle), np.sin(angle)], axis=1))
    bench = toys.vary(lean(dynamic(DATASET), human=bh.Recorded(answers)), blind=None, oracles=None)
    found = bh.run(bench, {}, jobs=0)
    assert mean(found, "human", "diamond_dynamics") == pytest.approx(1, abs=0.01)
    assert mean(found, "human", "diamond_facts") > mean(rows["dynamic"], "true_motion", "diamond_facts")
    assert mean(found, "human", "bar_dynamics.evolution") == 1


def test_modes_choose_the_measures_and_who_takes_part():
    assert static(DATASET).official == ("final_score",)
    assert static(DATASET, mode="signed").official == ("final_score(mode=signed)",)
    assert static(DATASET, mode="facts").official == ("final_error",)
    assert dynamic(DATASET).official == ("bar_dynamics", "diamond_dynamics", "grating_dynamics")
    assert dynamic(DATASET, mode="facts").official == (
        "bar_dynamics",
        "diamond_facts",
        "grating_dynamics(remembered=False)",
    )
    with_time = recurrent()
    assert "feedback" in with_time
    assert "lucas_kanade" not in with_time
    assert (
        set(dynamic(DATASET, mode="signed").lineup.baselines)
        == set(dynamic(DATASET, mode="facts").lineup.baselines)
        == set(with_time)
    )
    assert set(dynamic(DATASET).lineup.baselines) == set(baselines())
    for make in (static, dynamic):
        with pytest.raises(Misuse, match="expected one of tlapale2012, signed, facts"):
            make(DATASET, mode="sign")


def test_readouts_stand_beside_as_a_sensitivity_column():
    beside = [card(of) for of in static(DATASET).unjudged.measures]
    assert [its.label for its in beside] == [
        "final_error",
        *(f"final_score(readout={w})" for w in ("all", "moving", "mode")),
    ]
    assert len({its.reads for its in beside}) == 4
    signed = static(DATASET, mode="signed").unjudged.measures
    assert card(signed[1]).label == "final_score(mode=signed,readout=all)"


@pytest.mark.parametrize(("name", "version"), [("motion/static", 4), ("motion/dynamic", 5)])
def test_they_load_and_travel_as_their_spec(name, version):
    bench = load(name, mode="facts")
    assert (bench.name, bench.version, bench.dataset.name) == (name, version, "classical")
    again = pickle.loads(pack(bench))
    assert again.official == bench.official
    assert again.dataset.fingerprint == bench.dataset.fingerprint


def test_answers_in_files(tmp_path):
    flow = Flow(np.random.default_rng(0).normal(0, 10, (3, 4, 5, 2)).astype(np.float32))
    write(flow, tmp_path / "flow.npz")
    assert read(tmp_path / "flow.npz").velocity == pytest.approx(flow.velocity, rel=1e-3, abs=1e-3)
    velocity = Velocity(np.array([[1.0, np.nan], [3.0, 1e6]]))
    write(velocity, tmp_path / "velocity.npz")
    assert read(tmp_path / "velocity.npz").velocity == pytest.approx(velocity.velocity, nan_ok=True)
    raw = np.ones((3, 2))
    np.save(tmp_path / "raw.npy", raw)
    np.savez(tmp_path / "raw.npz", flow=raw)
    movie = Movie(np.zeros((4, 4, 4), np.float32), 100.0, 8.0)
    for suffix in ("npy", "npz"):
        accepted = motion(read(tmp_path / f"raw.{suffix}"), movie)
        assert accepted.velocity[0] == pytest.approx([12.5, -12.5])  # 1 px right and 1 down, 100 times a second
    np.savez(tmp_path / "two.npz", a=raw, b=raw)
    with pytest.raises(ValueError, match="got 2 arrays; expected one"):
        read(tmp_path / "two.npz")


def test_stimuli_in_files(tmp_path):
    import cv2

    movie = sample("bar0+1").stimulus
    show(movie, tmp_path / "one")
    assert np.array_equal(np.load(tmp_path / "one" / "frames.npy"), movie.frames)
    meta = json.loads((tmp_path / "one" / "meta.json").read_text())
    assert (meta["hertz"], meta["px_per_deg"], meta["onset"]) == (50.0, 8.0, 0)
    first = cv2.imread(str(tmp_path / "one" / "frame000.png"), cv2.IMREAD_UNCHANGED)
    assert first.dtype == np.uint16
    assert first / 65535 * meta["cd_m2_of_65535"] == pytest.approx(movie.frames[0], abs=1e-3)


def test_blind_models_do_not_look():
    movie = sample("bar0+1").stimulus
    assert not still(movie).velocity.any()
    one, two = (random(movie, rng=np.random.default_rng(seed)).velocity for seed in (0, 1))
    assert np.ptp(one, axis=0).max() == 0
    assert not np.allclose(one, two)
    assert np.hypot(*one[0]) == pytest.approx(50 / 8)


def test_faulty_models_are_rows_and_the_run_goes_on():
    def upset(movie):
        raise RuntimeError("no")

    models = {"wrong shape": lambda movie: np.zeros((3, 3)), "holes": lambda movie: np.full((PAIRS, 8, 8, 2), np.nan)}
    found = bh.run(lean(static(DATASET[:2]), upset=upset, **models), {})
    official = found[(labels(found) == "final_score") & (found["criterion"] == "diamond")].set_index("model")
    assert set(official.loc["upset", "state"]) == set(official.loc["wrong shape", "state"]) == {"failed"}
    assert official.loc["wrong shape", "reason"].str.contains(r"expected \(20, 8, 8, 2\)").all()
    assert set(official.loc["holes", "state"]) == {"low"}
    assert official.loc["holes", "reason"].str.contains("no direction").all()
    assert set(official.loc["true_motion", "state"]) == {"ok"}


def test_which_built_in_models_take_part_is_a_setting():
    for make in (static, dynamic):
        assert make(DATASET, models="none").lineup.baselines == {}
        assert list(make(DATASET, models="dis, feedback").lineup.baselines) == ["dis", "feedback"]
        with pytest.raises(Misuse, match="did you mean 'feedback'"):
            make(DATASET, models="feedbac")


def blank(id):
    """A stimulus of the default dataset, of which nothing is drawn: blind models do not look."""
    whole = classical()
    frames = np.ones((23, 4, 4), np.float32)
    return Sample(id, Movie(frames, 50.0, 8.0), whole.reference(id), {"direction": "0"})


@pytest.fixture(scope="module")
def blinded():
    return bh.run(lean(static(replace(classical(), load=blank))), {}, jobs=0, repeats=1)


def test_a_constant_answer_gets_a_quarter_of_diamonds_and_no_more(blinded):
    """It had a half of them while they went right and up only."""
    score = {kind: mean(blinded, "rightward", "final_score", criterion=kind) for kind in CLASSES.split(",")}
    assert score == pytest.approx({"bar": 0, "diamond": 0.25, "grating": 0.25, "barber": 0}, abs=1e-6)


def test_the_square_pole_is_reported_and_not_judged(blinded):
    """The normal is what people see there: the vector average had a third of the judged poles for it."""
    assert mean(blinded, "vector_average", "final_score", criterion="barber") == pytest.approx(0, abs=1e-6)
    controls = blinded[(blinded["model"] == "vector_average") & (blinded["criterion"] == "barber controls")]
    own = controls[labels(controls) == "final_score"].set_index("unit")["value"]
    assert dict(own) == pytest.approx({"barber_poles/barber_pole0": 1, "barber_poles/barber_pole3": 1})


def test_what_dynamic_has_read_static_asks_no_model_for(tmp_path, monkeypatch):
    monkeypatch.setattr(Process, "foreign", False)
    monkeypatch.setattr(trial, "SLOW", 0.0)
    asked, ask = [], trial._ask
    monkeypatch.setattr(trial, "_ask", lambda *given: asked.append(given[1].key) or ask(*given))
    numbers, counts = [], []
    one_of_a_kind = list({one.reference.kind: one.id for one in classical()}.values())
    for cache, name in (("first", "static"), ("second", "dynamic"), ("second", "static")):
        monkeypatch.setenv("BEHOLDER_CACHE", str(tmp_path / cache))
        bench = confine(bh.load(f"motion/{name}", models="lucas_kanade"), one_of_a_kind)
        numbers.append(bh.run(bench, jobs=0))
        counts.append(sum(map(bool, asked)))
        asked.clear()
    assert min(counts[:2]) > 0
    assert not counts[2]
    assert numbers[0].equals(numbers[2])
