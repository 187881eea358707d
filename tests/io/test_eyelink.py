import numpy as np
import pytest
from numpy.testing import assert_array_equal

from beholder.io import eyelink

MONOCULAR = """** CONVERTED FROM a.edf using edf2asc
MSG	100 !MODE RECORD CR 1000 2 0 L
MSG	100 RECCFG CR 1000 2 0 L
MSG	101 GAZE_COORDS 0.00 0.00 1023.00 767.00
START	102 	LEFT	SAMPLES	EVENTS
102	  512.5	  384.0	 1100.0	...
103	   .	   .	    0.0	...
104	  -12.5	  1e2	 1101.0	...
SFIX L   102
EFIX L   102	104	3	  512.3	  384.1	   1100
SBLINK L 105
EBLINK L 105	110	6
ESACC L  111	120	10	  1.0	  2.0	  3.0	  4.0	   5.67	     300
EFIX R   130	140	11	  1.0	  1.0	   9
MSG	150 picture one.jpg shown
END	200 	SAMPLES	EVENTS	RES	  38.54	  31.12
"""
BINOCULAR = """START	1 	LEFT	RIGHT	SAMPLES	EVENTS
SAMPLES	GAZE	LEFT	RIGHT	RATE	 250.00	TRACKING	CR
2	 1.0	 2.0	 3.0	 4.0	 5.0	 6.0	.....
EFIX L   2	6	5	  1.5	  2.5	   3
EFIX R   2	6	5	  4.5	  5.5	   6
"""


def write(tmp_path, text):
    (tmp_path / "a.asc").write_text(text)
    return tmp_path / "a.asc"


def test_one_eye(tmp_path):
    found = eyelink.read(write(tmp_path, MONOCULAR), "L")
    assert (found.eye, found.hertz, found.screen) == ("L", 1000, (1024, 768))
    assert_array_equal(found.samples, [[102, 512.5, 384, 1100], [103, np.nan, np.nan, 0], [104, -12.5, 100, 1101]])
    assert_array_equal(found.fixations, [[102, 3, 512.3, 384.1, 1100]])
    assert found.messages[-1] == (150, "picture one.jpg shown")
    assert found.ends == (200,)


@pytest.mark.parametrize(("eye", "values"), [("L", [1, 2, 3]), ("R", [4, 5, 6]), ("", [4, 5, 6])])
def test_two_eyes(tmp_path, eye, values):
    found = eyelink.read(write(tmp_path, BINOCULAR), eye)
    assert_array_equal(found.samples, [[2, *values]])
    assert_array_equal(found.fixations, [[2, 5, values[0] + 0.5, values[1] + 0.5, values[2]]])
    assert found.hertz == 250
    assert found.screen is None


def test_what_is_wrong_is_said(tmp_path):
    with pytest.raises(ValueError, match="got no START, SAMPLES or EFIX"):
        eyelink.read(write(tmp_path, "a,b\n1,2\n"))
    with pytest.raises(ValueError, match="got the eye 'X'; expected L or R"):
        eyelink.read(write(tmp_path, BINOCULAR), "X")
    with pytest.raises(ValueError, match="cannot be read"):
        eyelink.read(tmp_path / "none.asc")


def test_a_recording_without_samples(tmp_path):
    found = eyelink.read(write(tmp_path, "EFIX R 1 2 2 3.0 4.0 5\n"))
    assert found.samples.shape == (0, 4)
    assert np.isnan(found.hertz)
