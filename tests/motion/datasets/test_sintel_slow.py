"""Slow Sintel: a small folder of its layout, and numbers of the real one computed by other code."""

import numpy as np
import pytest
from scipy.io import savemat

from beholder.motion.datasets.sintel_slow import sintel_slow
from beholder.motion.measures.perceived import correlation_people, epe_people
from motion_people import references, truths


def test_sintel_slow_has_its_axes_in_order(tmp_path):
    values = np.random.default_rng(0).normal(size=(2, 36, 5))
    savemat(tmp_path / "HumanResp.mat", {"HumanResp": values})
    savemat(tmp_path / "SintelGT.mat", {"SintelGT": 2 * values})
    sample = sintel_slow(tmp_path).load("cave_4")
    assert sample.reference.everyone[7].tolist() == values[:, 7, 2].tolist()
    assert sample.reference.truth[7].tolist() == (2 * values[:, 7, 2]).tolist()
    savemat(tmp_path / "SintelGT.mat", {"SintelGT": values[:, :30]})
    with pytest.raises(ValueError, match="got SintelGT of 2 × 30 × 5; expected 2 × 36 × 5"):
        sintel_slow(tmp_path)


@pytest.mark.data
def test_sintel_slow(data):
    probes = references(sintel_slow(data / "multi_order_motion"))
    seen = correlation_people(truths(probes), probes)
    assert sum(len(p.truth) for p in probes) == 180
    assert seen.value == pytest.approx(0.924, abs=6e-4)
    assert (seen.parts["u"], seen.parts["v"]) == pytest.approx((0.922, 0.935), abs=6e-4)
    assert epe_people(truths(probes), probes).value == pytest.approx(0.928, abs=6e-4)
    assert np.mean([np.hypot(*p.truth.T) for p in probes]) == pytest.approx(2.393, abs=6e-4)
    assert sintel_slow(data / "multi_order_motion/evaluate_human/matlab code/Data-sintelslow").ids
