import pickle
import socket

import numpy as np
import pytest

from beholder.engines.parcels import pack
from beholder.errors import Misuse
from beholder.stereo.datasets.motorcycle import motorcycle
from beholder.stereo.measures.disparity import bad_pixels
from beholder.stereo.models.sgbm import sgbm
from beholder.stereo.regions import region


def unreachable(*args, **kwargs):
    raise OSError("no network")


def test_the_pair_needs_no_network(monkeypatch):
    monkeypatch.setattr(socket.socket, "connect", unreachable)
    monkeypatch.setattr(socket, "getaddrinfo", unreachable)
    sample = pickle.loads(pack(motorcycle()))[0]
    d = sample.reference.disparity
    assert sample.stimulus.left.shape == (500, 741, 3)
    assert not np.isinf(d).any()
    # 92.7 % known, 7.2 … 59.9 px: as found in the file by hand
    assert np.isfinite(d).mean() == pytest.approx(0.927, abs=5e-4)
    assert (np.nanmin(d), np.nanmax(d)) == (pytest.approx(7.2, abs=0.05), pytest.approx(59.9, abs=0.05))
    assert np.nanmax(d) < sample.stimulus.max_disparity


def test_semi_global_matching_scores_what_it_scored_elsewhere():
    sample = motorcycle()[0]
    assert bad_pixels(*region("all").select(sgbm(sample.stimulus), sample.reference)) == pytest.approx(10.9, abs=0.05)


def test_without_the_files_there_is_a_sentence(monkeypatch):
    monkeypatch.setattr("skimage.data.stereo_motorcycle", unreachable)
    with pytest.raises(Misuse, match="got no Motorcycle pair from scikit-image"):
        motorcycle()[0]
