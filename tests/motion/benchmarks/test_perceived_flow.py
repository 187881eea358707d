"""The benchmark of perceived flow end to end, on simulated people and on a folder without frames."""

import pickle

import numpy as np
import pytest

import beholder as bh
import toys
from beholder.core.measure import NotApplicable
from beholder.core.sample import Dataset, Sample
from beholder.core.scores import labels
from beholder.engines.parcels import pack
from beholder.evaluation.figures import save_stimuli
from beholder.io import flow as flow_files
from beholder.motion.benchmarks.perceived_flow import LOOKING, normal_average, perceived_flow, read, show, write
from beholder.motion.datasets.second_order import MODELS
from beholder.motion.datasets.simulated_observers import simulated_observers
from beholder.motion.figures.perceived_flow import probed
from beholder.motion.perceived import Field, Local, Probes, Scene, Unseen, local
from beholder.registry.load import load
from motion_movies import drawn_once

MOVIES = 4


def sample(id):
    """A movie of which no frame is here; people deviate from the truth each alike."""
    rng = np.random.default_rng(int(id[-1]))
    truth, shared = rng.normal(0, 3, (2, 5, 2))
    people = truth + shared + rng.normal(0, 0.5, (3, 1, 5, 2))
    return Sample(id, Unseen(count=5), Probes(truth, people, ("a", "b", "c")), {"set": "blind", "movie": id})


BLIND = Dataset("blind", tuple(f"m{n}" for n in range(MOVIES)), sample)


def simulated():
    return simulated_observers(movies=MOVIES)


def lean():
    """The benchmark with few movies and two baselines."""
    bench = perceived_flow(drawn_once(simulated))
    return toys.vary(bench, baselines={name: bench.lineup.baselines[name] for name in ("farneback", "lucas_kanade")})


@pytest.fixture(scope="module")
def rows():
    bench = lean()

    def upset(movie):
        raise RuntimeError("no")

    models = {
        "slow": lambda scene: 0.8 * bench.lineup.baselines["farneback"](scene),
        "constant": lambda scene: np.ones((1, 96, 96, 2)),
        "upset": upset,
        "wrong": lambda scene: np.zeros((3, 3)),
        "holes": lambda scene: np.full((1, 96, 96, 2), np.nan),
        "turned": lambda scene: bench.lineup.baselines["farneback"](scene) * (1, -1),
    }
    return bh.run(bench, models, jobs=0, repeats=2)


def of(rows, model, measure):
    (row,) = rows[(rows["model"] == model) & (labels(rows) == measure)].to_dict("records")
    return row


def test_everyone_takes_part(rows):
    roles = rows.drop_duplicates("model").set_index("model")["role"].to_dict()
    assert {name for name, role in roles.items() if role == "blind"} == {
        "still",
        "random",
        "another_movie",
        "normal_average",
    }
    assert {name for name, role in roles.items() if role == "oracle"} == {"truth", "slowed_truth", "one_trial"}
    assert roles["people"] == "ceiling"
    assert sum(role == "person" for role in roles.values()) == 4
    assert set(perceived_flow().lineup.baselines) == set(LOOKING)
    assert set(rows[rows["state"] == "ok"]["provenance"]) == {"placeholder"}


def test_people_are_the_ceiling_and_blind_models_are_below(rows):
    ceiling = of(rows, "people", "partial_correlation")
    assert ceiling["lo"] < ceiling["value"] < ceiling["hi"]
    assert ceiling["value"] > max(of(rows, n, "partial_correlation")["value"] for n in ("random", "another_movie"))
    assert of(rows, "people", "epe_people")["value"] < of(rows, "still", "epe_people")["value"]


@pytest.mark.parametrize("model", ["truth", "slowed_truth", "still", "constant"])
def test_what_leaves_nothing_is_not_applicable_and_says_why(rows, model):
    row = of(rows, model, "partial_correlation")
    assert row["state"] == "na"
    assert "constant or an affine function of the truth" in row["reason"]
    assert of(rows, model, "epe_people")["state"] == "ok"


def test_rci_stands_beside_what_it_gives_for_nothing(rows):
    for model in ("still", "slowed_truth", "one_trial", "people", "truth"):
        assert of(rows, model, "rci")["state"] == "ok"
    assert of(rows, "truth", "rci")["value"] == 0


def test_the_noise_corrected_score_is_a_row(rows):
    mean, ceiling, corrected = (
        of(rows, "farneback", f"partial_correlation.{part}")["value"] for part in ("mean", "ceiling", "corrected")
    )
    assert corrected == pytest.approx(mean / ceiling)


def test_faults_are_rows(rows):
    assert of(rows, "upset", "partial_correlation")["state"] == "failed"
    wrong = of(rows, "wrong", "epe_people")
    assert wrong["state"] == "failed"
    assert "got an answer of shape (3, 3); expected (1, 96, 96, 2)" in wrong["reason"]
    holes = of(rows, "holes", "epe_people")
    assert holes["state"] == "na"
    assert "no estimate at any probe" in holes["reason"]


def test_the_sign_matters(rows):
    assert of(rows, "turned", "epe_truth")["value"] > 2 * of(rows, "farneback", "epe_truth")["value"]


def test_models_are_ranked_by_both_measures(rows):
    bench = lean()
    assert bench.official == ("partial_correlation", "epe_people")
    verdict = bench.judge(rows)
    assert set(verdict.standing.index) == {"farneback", "lucas_kanade", "slow", "turned"}
    assert set(verdict.left_out) == {"upset", "wrong", "holes", "constant"}
    assert "constant or an affine function" in verdict.left_out["constant"]
    assert "partial_correlation (all)" in verdict.standing.columns
    assert verdict.method == "mean rank"
    assert "never mixed" in bench.about


def test_without_frames_models_are_not_applicable_and_people_are_scored():
    answers = {id: sample(id).reference.everyone * (1, -1) for id in BLIND.ids}
    found = bh.run(
        perceived_flow(BLIND), {"looking": lambda scene: scene.frames, "vectors": bh.Recorded(answers)}, jobs=0
    )
    looking = of(found, "looking", "partial_correlation")
    assert looking["state"] == "na"
    assert looking["reason"] == "the frames of this movie are not here"
    assert of(found, "vectors", "partial_correlation")["value"] > 0.9
    assert of(found, "people", "partial_correlation")["value"] > 0.9
    assert "one_trial" not in set(found["model"])  # each has one trial: the persons are these


def test_one_observer_has_no_ceiling():
    def mean_only(id):
        full = sample(id)
        probes = Probes(full.reference.truth, full.reference.everyone[None, None], ("mean",))
        return Sample(id, full.stimulus, probes, full.tags)

    found = bh.run(perceived_flow(Dataset("means", BLIND.ids, mean_only)), {}, jobs=0)
    ceiling = of(found, "people", "partial_correlation")
    assert ceiling["state"] == "na"
    assert "fewer than two people" in ceiling["reason"]
    assert of(found, "random", "epe_people")["state"] == "ok"


def test_normal_average_follows_a_texture():
    rng = np.random.default_rng(0)
    from scipy.ndimage import gaussian_filter

    texture = gaussian_filter(rng.normal(size=(70, 70)), 3)
    frames = np.stack([texture[:60, 1:61], texture[:60, :60]]).astype(np.float32)  # goes right by 1 px
    scene = Scene(frames, 30.0, 16.0, points=np.zeros((2, 2)))
    right, up = normal_average(scene).velocity[1]
    assert 0.25 < right < 0.75  # normals of all directions: half of the motion on average
    assert abs(up) < 0.2
    with pytest.raises(NotApplicable, match="no edges"):
        normal_average(Scene(np.ones((2, 5, 5), np.float32), 30.0, 16.0, points=np.zeros((1, 2))))


def test_answers_in_files(tmp_path):
    scene = simulated_observers()[0].stimulus
    field = Field(np.random.default_rng(0).normal(0, 3, (96, 96, 2)).astype(np.float32))
    write(field, tmp_path / "field.npz")
    assert read(tmp_path / "field.npz").velocity == pytest.approx(field.velocity, rel=1e-3, abs=1e-3)
    for people in (True, False):
        write(Local(np.ones((12, 2)), people=people), tmp_path / "vectors.npz")
        assert read(tmp_path / "vectors.npz").people == people
    flow_files.write(field.velocity, tmp_path / "pair.flo")
    np.save(tmp_path / "raw.npy", field.velocity[None])
    np.savez(tmp_path / "raw.npz", flow=field.velocity[None])
    for name in ("pair.flo", "raw.npy", "raw.npz"):
        assert local(read(tmp_path / name), scene).velocity == pytest.approx(field.velocity * (1, -1))
    np.savez(tmp_path / "two.npz", a=1, b=2)
    with pytest.raises(ValueError, match="got 2 arrays; expected one"):
        read(tmp_path / "two.npz")


def test_stimuli_in_files(tmp_path):
    scene = simulated_observers()[0].stimulus
    show(scene, tmp_path / "one")
    assert np.array_equal(np.load(tmp_path / "one" / "frames.npy"), scene.frames)
    probes = np.loadtxt(tmp_path / "one" / "probes.csv", delimiter=",", skiprows=1)
    assert probes[:, :2] == pytest.approx(scene.points, rel=1e-4)
    assert sorted(f.name for f in (tmp_path / "one").glob("*.png")) == ["frame000.png", "frame001.png"]
    with pytest.raises(NotApplicable):
        show(Unseen(count=3), tmp_path / "two")


def test_stimuli_that_are_not_here_are_not_written_and_it_is_said(tmp_path):
    said = []
    assert save_stimuli([perceived_flow(BLIND)], tmp_path, said.append) == 0
    assert said == ["motion/perceived_flow: 4 of 4 stimuli cannot be written: the frames of this movie are not here"]


@pytest.mark.data
def test_a_dataset_brings_its_recorded_models(data):
    names = {}
    for dataset in ("second_order:multi_order_motion", "sintel_slow:multi_order_motion", "huperflow:huperflow"):
        name, _, folder = dataset.partition(":")
        bench = load("motion/perceived_flow", dataset=f"{name}:{data / folder}")
        again = pickle.loads(pack(bench))
        assert set(again.lineup.baselines) == set(bench.lineup.baselines)
        names[name] = set(bench.lineup.baselines)
    assert names == {"second_order": set(MODELS), "sintel_slow": set(), "huperflow": set(LOOKING)}


def test_it_travels_as_its_spec():
    bench = load("motion/perceived_flow", dataset="simulated_observers(movies=3)")
    again = pickle.loads(pack(bench))
    assert again.dataset.fingerprint == bench.dataset.fingerprint
    assert len(again.dataset) == 3


def legend(figure):
    return [text.get_text() for text in figure.legends[0].get_texts()]


def test_the_picture_shows_frame_probes_people_and_models():
    one = simulated_observers()[0]
    answers = {"model": Field(np.zeros((96, 96, 2), np.float32)), "people": Local(one.reference.mean, people=True)}
    figure = probed(one, answers)
    assert len(figure.axes) == 1 + 12
    assert legend(figure) == ["truth", "people, mean", "single trials", "model"]
    trials = figure.axes[1].lines[2].get_xydata()
    assert trials == pytest.approx(one.reference.people[:, :, 0].reshape(-1, 2))
    figure.draw_without_rendering()


def test_the_picture_of_many_probes_says_that_it_shows_some():
    truth = np.random.default_rng(0).normal(size=(36, 2))
    blind = Sample("m", Unseen(count=36), Probes(truth, truth[None, None], ("mean",)), {})
    figure = probed(blind, {"holes": Local(np.full((36, 2), np.nan))})
    assert len(figure.axes) == 15
    assert figure.get_suptitle() == "the first 15 of 36 probes"
    figure.draw_without_rendering()
