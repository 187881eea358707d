"""Movies in files come back as they were, and tell nothing that a model must not know."""

import json
from hashlib import sha256

import cv2
import numpy as np
import pytest
from PIL import Image

from beholder.core.sample import Sample
from beholder.io import flow
from beholder.motion.datasets.barber_poles import barber_poles
from beholder.motion.datasets.depths import depths
from beholder.motion.datasets.diamonds import diamonds
from beholder.motion.files.movies import reveal, reveal_pair, show, show_pair, steady_flow
from beholder.motion.stimuli.dots import Dots, lots
from beholder.motion.stimuli.drawing import movie
from beholder.motion.stimuli.sampling import Sampling
from beholder.motion.types import Movie

SAMPLE = diamonds()[1]  # to the right, its edges' average 44° clockwise


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("one")
    show(SAMPLE.stimulus, place)
    return place


@pytest.fixture(scope="module")
def truth(tmp_path_factory):
    place = tmp_path_factory.mktemp("truth")
    reveal(SAMPLE, place)
    return place


def meta(folder):
    return json.loads((folder / "meta.json").read_text("utf-8"))


def test_the_array_is_the_movie(folder):
    frames = np.load(folder / "frames.npy")
    assert frames.dtype == np.float32
    assert np.array_equal(frames, SAMPLE.stimulus.frames)
    assert meta(folder)["sha256"] == sha256(frames.tobytes()).hexdigest()


def test_the_pictures_are_linear_in_sixteen_bits(folder):
    assert len(list(folder.glob("frame*.png"))) == len(SAMPLE.stimulus.frames)
    for at in (0, 11, 22):
        levels = cv2.imread(str(folder / f"frame{at:03d}.png"), cv2.IMREAD_UNCHANGED)
        assert levels.dtype == np.uint16
        step = meta(folder)["cd_m2_of_65535"] / 65535
        assert np.abs(levels * step - SAMPLE.stimulus.frames[at]).max() <= 0.51 * step


def test_the_sidecar_has_the_clock_and_the_scale(folder):
    its = meta(folder)
    assert (its["hertz"], its["px_per_deg"], its["onset"]) == (50.0, 8.0, 0)
    assert (its["frames"], its["height"], its["width"]) == SAMPLE.stimulus.frames.shape
    assert its["cd_m2_of_65535"] == SAMPLE.stimulus.frames.max()
    assert its["generator"].startswith("beholder 0.")
    assert "not a stimulus" in its["preview"]


def test_previews_are_there_to_be_looked_at(folder):
    with Image.open(folder / "preview.gif") as film:
        assert (film.n_frames, film.size) == (23, (160, 160))
        brightest, background = np.asarray(film.convert("L")).max(), np.asarray(film.convert("L"))[0, 0]
    assert brightest >= 250
    assert background == pytest.approx(188, abs=2)  # half of the light is level 188 of sRGB
    film = cv2.VideoCapture(str(folder / "preview.mp4"))
    assert int(film.get(cv2.CAP_PROP_FRAME_COUNT)) == 23
    film.release()


def test_what_a_program_sees_does_not_depend_on_the_answer(tmp_path, folder):
    """The same frames under another reference give the same files, byte by byte; and no field speaks of motion."""
    show(Movie(SAMPLE.stimulus.frames.copy(), 50.0, 8.0), tmp_path)
    for path in folder.iterdir():
        assert (tmp_path / path.name).read_bytes() == path.read_bytes() or path.suffix == ".mp4", path.name
    assert {path.name for path in tmp_path.iterdir()} == {path.name for path in folder.iterdir()}
    secrets = ("44", "direction", "turn", "diamond", "ccw", "speed", SAMPLE.id)
    told = (folder / "meta.json").read_text("utf-8").replace(meta(folder)["sha256"], "")
    assert [word for word in secrets if word in told] == []


def test_the_truth_in_pixels_a_frame(truth):
    true, normal = flow.read(truth / "truth.flo"), flow.read(truth / "normal.flo")
    assert true.shape == normal.shape == (160, 160, 2)
    assert true[3, 5] == pytest.approx([0, -10 * 8 / 50])  # up
    u, v = normal[7, 9]
    assert np.degrees(np.arctan2(-v, u)) == pytest.approx(90 - 44.007, abs=1e-3)  # clockwise of up, and v is down
    assert np.hypot(u, v) == pytest.approx(0.69516 * 1.6, abs=1e-4)


def test_the_truth_says_where_it_is_from(truth):
    told = json.loads((truth / "truth.json").read_text("utf-8"))
    assert told["percept"]["object_direction"] == 90
    assert told["percept"]["normal_direction"] is None
    assert told["tags"]["variant"] == "type II"
    assert told["references"]["diamond.bias"]["status"] == "seed"
    assert told["references"]["static.diamond"]["value"] == 0
    assert told["references"]["diamond.alpha"]["status"] == "placeholder"
    assert "speed.contrast" in told["references"]
    assert "bar.peak" not in told["references"]


def test_a_users_records_are_told_before_ours(tmp_path):
    file = tmp_path / "mine.toml"
    own = {"stimulus": "diamond", "quantity": "x", "source": "me", "status": "verified", "spread_kind": "sd"}
    lines = [f'{key} = "{value}"' for key, value in own.items()]
    file.write_text("\n".join(['["diamond.alpha"]', *lines, "value = 38", "spread = 9"]))
    reveal(SAMPLE, tmp_path, reference=str(file))
    told = json.loads((tmp_path / "truth.json").read_text("utf-8"))
    assert told["references"]["diamond.alpha"] == {**own, "value": 38.0, "spread": 9.0}


def test_a_motion_that_is_not_there_is_unknown(tmp_path):
    dots = Dots(lots(5, np.random.default_rng(0)), coherence=0.0)
    shown = movie(dots, Sampling(size=112, seconds=0.02))
    reveal(Sample("none", shown, dots.percept), tmp_path)
    assert np.isnan(flow.read(tmp_path / "normal.flo")).all()
    assert np.isfinite(flow.read(tmp_path / "truth.flo")).all()


def test_an_illusion_is_true_for_people_and_the_drift_is_its_normal(tmp_path):
    reveal(barber_poles()[1], tmp_path)
    true, normal = (flow.read(tmp_path / name)[0, 0] for name in ("truth.flo", "normal.flo"))
    assert true == pytest.approx([0, 8 * np.sqrt(2) * 8 / 50], rel=1e-6, abs=1e-6)  # down, as v is
    assert normal == pytest.approx([np.sqrt(0.5) * 8 * 8 / 50, np.sqrt(0.5) * 8 * 8 / 50], rel=1e-6)


def test_a_preview_of_still_frames_and_black_movies(tmp_path):
    black = Movie(np.zeros((3, 5, 7), np.float32), 100.0, 8.0, onset=1)
    show(black, tmp_path)
    assert meta(tmp_path)["seconds_of_first_frame"] == -0.01
    assert not np.load(tmp_path / "frames.npy").any()


def test_pairs_of_movies_have_a_folder_for_each_eye(tmp_path):
    sample = depths()[2]
    show_pair(sample.stimulus, tmp_path)
    reveal_pair(sample, tmp_path)
    for eye in ("left", "right"):
        assert np.array_equal(np.load(tmp_path / eye / "frames.npy"), getattr(sample.stimulus, eye).frames)
        assert meta(tmp_path / eye)["hertz"] == 50
    assert flow.read(tmp_path / "truth.flo").shape == (112, 112, 2)
    told = json.loads((tmp_path / "truth.json").read_text("utf-8"))
    assert told["references"]["depth.behind"]["status"] == "memory"


def test_every_pixel_has_the_same_vector():
    shown = Movie(np.zeros((2, 4, 3), np.float32), 100.0, 8.0)
    found = steady_flow(180.0, 25.0, shown)
    assert found.reshape(-1, 2) == pytest.approx(np.tile([-2.0, 0.0], (12, 1)))
