"""EyeLink recordings: the tracker's fixations, or a detector's."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import attention_folders as made
from beholder.attention.datasets.eyelink import eyelink
from beholder.errors import Misuse


def test_eyelink_with_the_trackers_fixations(tmp_path):
    dataset = eyelink(made.eyelink_folder(tmp_path))
    assert dataset.ids == made.NAMES
    for at, sample in enumerate(dataset):
        for who, person in enumerate(made.PEOPLE):
            x, y, duration = made.path(at, who)
            path = sample.reference.paths[person]
            assert_allclose(path.points, np.stack([x, y], axis=1))  # the picture stands in the middle of the screen
            assert_array_equal(path.duration_ms, duration)
            assert_array_equal(path.onset_ms, 30 + np.cumsum(duration) - duration)  # not the one from before
            assert_array_equal(path.signals["pupil"], np.full(len(x), 1200))
    assert "1 of them empty" in dataset.about


def test_eyelink_with_a_detector(tmp_path):
    folder = made.eyelink_folder(tmp_path)
    dataset = eyelink(folder, detector="velocity", px_per_deg=30)
    assert dataset.name == "eyelink_velocity"
    assert_allclose(dataset.load("p2").reference.paths["bob"].points, [[40, 30], [70, 21]], atol=0.6)
    with pytest.raises(Misuse, match="got nan px per degree"):
        eyelink(folder, detector="velocity")


def test_eyelink_that_is_none(tmp_path):
    with pytest.raises(Misuse, match=r"without \.asc files"):
        eyelink(tmp_path)
    folder = made.eyelink_folder(tmp_path)
    for file in (folder / "stimuli").iterdir():
        file.unlink()
    with pytest.raises(Misuse, match="no message that names one of 0 pictures"):
        eyelink(folder)


def test_eyelink_without_a_screen_or_with_a_second_look(tmp_path):
    folder = made.eyelink_folder(tmp_path)
    text = (folder / "ann.asc").read_text()
    (folder / "ann.asc").write_text(text.replace("DISPLAY_COORDS", "DISPLAY"))
    with pytest.raises(Misuse, match=r"ann\.asc: got no GAZE_COORDS or DISPLAY_COORDS"):
        eyelink(folder)
    (folder / "ann.asc").write_text(text.replace("p2.png", "p1.png"))
    with pytest.raises(Misuse, match=r"p1\.png: got the observer 'ann' twice"):
        eyelink(folder)
