"""Prediction error: the truth wins where visibility is tested, and loses where it is not."""

import pytest

from beholder.claims import szeliski_1999
from beholder.claims.local_data import ABSENT, data_folder


def test_without_data_the_section_says_so(monkeypatch, tmp_path):
    monkeypatch.setenv("BEHOLDER_DATA", str(tmp_path))
    assert szeliski_1999.claims().endswith(ABSENT)


@pytest.mark.data
def test_prediction_on_cones_is_claimed_as_it_comes_out(data, monkeypatch):
    monkeypatch.setenv("BEHOLDER_DATA", str(data))
    if data_folder(szeliski_1999.SCENES) is None:
        pytest.skip("no Middlebury scenes: set BEHOLDER_DATA to a folder that holds stereo/mb_v2")
    monkeypatch.setattr(szeliski_1999, "VIEWS", {"cones": (0.5,)})
    few = {name: model for name, model in szeliski_1999.matchers().items() if name in ("block", "sgbm(mode=5)", "wls")}
    monkeypatch.setattr(szeliski_1999, "matchers", lambda: few)
    page = szeliski_1999.claims()
    assert "With the visibility test the claim holds (truth 9.67, best matcher wls 10.6" in page
    assert (
        "Without it the claim fails: 2 of 3 matchers score better (truth 14.63, best matcher sgbm(mode=5) 13.72)"
        in page
    )
    assert "| cones, 0.5 | 14.63 / sgbm(mode=5) 13.72 | 9.67 / wls 10.6" in page
