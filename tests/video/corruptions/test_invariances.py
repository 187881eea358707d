"""The same clip in another guise."""

import numpy as np
import pytest

from beholder.errors import NotFound
from beholder.video.corruptions.invariances import VARIATIONS, vary
from beholder.video.scenes.rendering import render
from beholder.video.scenes.writing import write


@pytest.fixture(scope="module")
def clip():
    return render(write(2, "walk").script, rate=24.0, seconds=1.0, size=(91, 161))


@pytest.mark.parametrize("how", VARIATIONS)
def test_shapes_and_rates(clip, how):
    before = clip.pixels.copy()
    varied = vary(clip, how)
    frames, rate, size = {
        "rate_half": (12, 12, (91, 161)),
        "rate_third": (8, 8, (91, 161)),
        "size_66": (24, 24, (60, 106)),
        "size_50": (24, 24, (46, 80)),
        "first_half": (12, 24, (91, 161)),
        "second_half": (12, 24, (91, 161)),
    }.get(how, (24, 24, (91, 161)))
    assert varied.pixels.shape == (frames, *size, 3)
    assert varied.rate == rate
    assert len(varied.poses[0].points) == frames
    assert np.array_equal(clip.pixels, before)


def test_encoding_costs_more_the_higher_the_factor(clip):
    errors = [np.abs(vary(clip, f"crf_{crf}").pixels.astype(int) - clip.pixels).mean() for crf in (18, 23, 28)]
    assert 0 < errors[0] < errors[1] < errors[2] < 8


def test_twice_mirrored_is_the_clip(clip):
    again = vary(vary(clip, "mirror"), "mirror")
    assert np.array_equal(again.pixels, clip.pixels)
    np.testing.assert_allclose(again.poses[0].points, clip.poses[0].points)


def test_a_wrong_name_is_told(clip):
    with pytest.raises(NotFound, match="mirror"):
        vary(clip, "mirrored")
