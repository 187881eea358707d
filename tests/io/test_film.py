"""Films come back as frames: all, some, smaller; and what is none is told."""

import numpy as np
import pytest

import attention_films as made
from beholder.io import film, video


@pytest.fixture
def file(tmp_path):
    where = tmp_path / "film.mp4"
    video.write(made.frames(), where, hertz=made.HERTZ)
    return where


def test_what_is_known_before_it_is_read(file):
    assert film.facts(file) == (made.FRAMES, made.HERTZ, made.SHAPE)


def test_frames_come_back(file):
    found = film.read(file)
    assert found.shape == (made.FRAMES, *made.SHAPE, 3)
    assert found.dtype == np.uint8
    patch = found[:, 18:30].astype(float).mean(axis=(1, 3))  # the bright patch moves a px in two frames
    middle = [np.average(np.arange(64), weights=row > 150) for row in patch]
    assert np.allclose(middle, 11.5 + np.arange(made.FRAMES) // 2, atol=1.5)


def test_a_stretch_is_a_stretch_of_the_whole(file):
    whole = film.read(file)
    assert np.array_equal(film.read(file, first=7, count=5), whole[7:12])
    assert np.array_equal(film.read(file, first=47), whole[47:])


def test_smaller_frames_are_means(file):
    small, whole = film.read(file, count=1, shape=(24, 32))[0], film.read(file, count=1)[0]
    means = whole.reshape(24, 2, 32, 2, 3).mean(axis=(1, 3))
    assert small.shape == (24, 32, 3)
    luma = np.array([0.299, 0.587, 0.114])  # the file holds colours at half the size anyway
    assert np.abs((small - means) @ luma).mean() < 2


def test_what_is_no_film_is_told(tmp_path, file):
    strange = tmp_path / "strange.mp4"
    strange.write_bytes(b"no film")
    with pytest.raises(ValueError, match=r"strange\.mp4: got no film that can be read"):
        film.facts(strange)
    with pytest.raises(ValueError, match="got no film"):
        film.read(tmp_path / "absent.mp4")
    with pytest.raises(ValueError, match="got 3 frames from 47 on; expected 9; is it complete"):
        film.read(file, first=47, count=9)
    with pytest.raises(ValueError, match="got first=-1"):
        film.read(file, first=-1)
