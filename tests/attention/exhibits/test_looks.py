"""Gaze as it was recorded, from folders laid out as Coutrot's and MIT's are."""

import numpy as np
import pytest

import attention_films
import attention_folders
from beholder.attention.datasets.coutrot import recordings as of_coutrot
from beholder.attention.datasets.mit1003 import recordings as of_mit1003
from beholder.attention.exhibits._looks import from_dataset
from beholder.attention.exhibits.scanpaths import scanpaths


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    films = attention_films.coutrot_folder(tmp_path_factory.mktemp("coutrot"))
    return films, attention_folders.mit_raw_folder(tmp_path_factory.mktemp("mit1003"))


def test_recordings_are_the_samples_in_the_files(folders):
    films, pictures = folders
    shape, people = of_mit1003(pictures)[attention_folders.NAMES[0]]
    assert shape == (500, 600)
    gaze = people[attention_folders.PEOPLE[0]]
    assert gaze.hertz == 240
    assert np.isnan(gaze.x[20:25]).all()  # -1 in the file: a blink
    assert (gaze.x[0], gaze.y[0]) == (300, 250)
    shape, people = of_coutrot(films)["clip_1"]
    assert shape == attention_films.SHAPE
    assert {one.hertz for one in people.values()} == {25.0}
    assert {len(one) for one in people.values()} == {attention_films.FRAMES}


def test_recorded_gaze_is_in_the_px_of_what_models_see(folders):
    films, _ = folders
    for look in from_dataset(f"coutrot(px_per_deg=10):{films}"):
        assert look.stimulus == "film"
        assert look.recorded
        assert look.load().shape == look.shape
        for who, path in look.paths.items():
            trace = look.traces[who]
            at = np.searchsorted(trace.seconds, (path.onset_ms[0] + path.duration_ms[0] / 2) / 1000)
            assert trace.points[at] == pytest.approx(path.points[0], abs=0.1 * look.shape[1])


def test_pictures_and_films_in_one_study(folders):
    films, pictures = folders
    specs = [f"coutrot(px_per_deg=10):{films}", f"mit1003:{pictures}"]
    shown = scanpaths(dataset=specs, model="gravity", seconds=0.5, film_seconds=0.5, rendering="raw")
    assert shown.about["hertz"] == 25  # of the slowest recording, for all
    assert {piece.stimulus for piece in shown.pieces} == {"film", "picture"}
    assert {piece.track.shape for piece in shown.pieces} == {(13, 3)}
    assert {piece.note for piece in shown.pieces if piece.kind == "human"} == {""}
    assert shown.about["people's gaze"] == "as recorded"
