"""What the name of a profile may say: the clock, still frames before the onset, and a shutter."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from beholder.errors import Misuse
from beholder.motion.datasets.diamonds import diamonds
from beholder.motion.datasets.gratings import gratings
from beholder.registry.load import dataset as dataset_from


def test_a_preview_stands_still_before_the_onset():
    plain, shown = diamonds()[0].stimulus, diamonds(profile="quick+preview=3")[0].stimulus
    assert shown.onset == 3
    for frame in shown.frames[:3]:
        assert_array_equal(frame, plain.frames[0])
    assert_array_equal(shown.frames[3:], plain.frames)
    assert (shown.seconds[:3] < 0).all()


def test_a_shutter_lowers_the_contrast_of_what_moves():
    sharp, blurred = (gratings(profile=name)[2].stimulus.frames for name in ("", "+shutter=8"))
    ratio = np.ptp(blurred[1:], axis=0).max() / np.ptp(sharp[1:], axis=0).max()
    assert ratio == pytest.approx(np.sinc(9.99 / 50), abs=0.02)  # a box of 1/50 s on a sinusoid of 9.99 Hz


def test_options_are_part_of_the_spec_and_of_the_fingerprint():
    dataset = dataset_from("motion.datasets", "bars(profile='legacy16+preview=2')")
    assert (dataset[0].stimulus.hertz, dataset[0].stimulus.onset) == (16, 2)
    assert diamonds(profile="quick+preview=1").fingerprint != diamonds().fingerprint


@pytest.mark.parametrize("wrong", ["quick+preview", "quick+preview=-1", "quick+blur=2", "quick+shutter=a", "quick+"])
def test_other_options_are_refused(wrong):
    with pytest.raises(Misuse, match=r"in a profile; expected preview=N or shutter=N after a \+"):
        diamonds(profile=wrong)
