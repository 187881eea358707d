import math
from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from beholder.errors import Misuse
from beholder.motion.benchmarks.static import baselines
from beholder.motion.frame_pairs import srgb_levels
from beholder.motion.models.raft import raft
from beholder.motion.types import Flow, Movie, motion
from beholder.vision import raft_network as net
from beholder.vision.raft import loaded, network

PLANS = {"basic": net.BASIC, "small": net.SMALL}


class Tensor:
    """Something with a shape, where torch is not."""

    def __init__(self, shape):
        self.shape = shape

    def float(self):
        return self


def shapes(plan):
    return {f"module.{key}": Tensor(shape) for key, shape in net.layout(plan).items()}


@cache
def movie():
    rng = np.random.default_rng(1)
    return Movie(rng.uniform(0, 92, (3, 132, 140)).astype(np.float32), 50, 8)


@pytest.mark.parametrize(("plan", "published"), [("basic", 5_257_536), ("small", 990_162)])
def test_the_network_has_as_many_parameters_as_is_published(plan, published):
    twice = ("running_mean", "running_var", "norm3.weight", "norm3.bias")  # no parameters, or named once more
    sizes = [math.prod(shape) for key, shape in net.layout(PLANS[plan]).items() if not key.endswith(twice)]
    assert sum(sizes) == published


def test_it_is_no_baseline_but_can_be_asked_for():
    assert "raft" not in baselines()
    assert "horn_schunck" in baselines()


def test_without_a_checkpoint_it_says_what_it_needs():
    with pytest.raises(Misuse, match=r"no checkpoint; give the file .* raft\(checkpoint="):
        raft(movie())
    with pytest.raises(Misuse, match="is not a file; expected weights"):
        raft(movie(), checkpoint="nowhere.pth")
    with pytest.raises(Misuse, match="iterations=0; expected 1 or more"):
        raft(movie(), iterations=0)


def test_without_torch_it_says_how_to_install_it(tmp_path, monkeypatch):
    file = tmp_path / "raft.pth"
    file.write_bytes(b"weights")

    def absent(name):
        raise ModuleNotFoundError(name)

    monkeypatch.setattr("beholder.vision.raft.import_module", absent)
    with pytest.raises(Misuse, match="needs torch, which is not installed; install it with `pip install torch`"):
        loaded(str(file))


@pytest.mark.parametrize("plan", PLANS)
def test_the_plan_is_told_by_the_weights(plan):
    assert network(shapes(PLANS[plan]), "raft.pth").plan is PLANS[plan]
    assert network({"state_dict": shapes(PLANS[plan])}, "raft.pth").plan is PLANS[plan]
    counted = shapes(PLANS[plan]) | {"cnet.norm1.num_batches_tracked": Tensor(())}
    assert network(counted, "raft.pth").plan is PLANS[plan]


def test_weights_that_do_not_fit_are_refused_by_name():
    whole = shapes(net.BASIC)
    with pytest.raises(Misuse, match=r"lacks 1 weights of the basic RAFT, the first fnet\.conv2\.bias"):
        network({key: value for key, value in whole.items() if key != "module.fnet.conv2.bias"}, "raft.pth")
    with pytest.raises(Misuse, match="has 1 weights that the basic RAFT does not have, the first head"):
        network(whole | {"module.head": Tensor((1,))}, "raft.pth")
    with pytest.raises(Misuse, match=r"mask\.2\.bias has the shape \(3,\); expected \(576,\)"):
        network(whole | {"module.update_block.mask.2.bias": Tensor((3,))}, "raft.pth")
    with pytest.raises(Misuse, match="holds a list; expected a dictionary"):
        network([1], "raft.pth")


def test_frames_are_srgb_on_one_scale():
    frames = np.array([[[0.0, 0.2 * 92]], [[92.0, 0.001 * 92]]], np.float32)
    assert_array_equal(srgb_levels(Movie(frames, 50, 8)), [[[0, 124]], [[255, 3]]])


def weights_file(folder, plan, seed=0):
    """A checkpoint of random weights, saved as the authors save theirs."""
    torch = pytest.importorskip("torch", reason="torch is not installed")
    rng = torch.Generator().manual_seed(seed)
    state = {}
    for key, shape in net.layout(PLANS[plan]).items():
        fan = math.prod(shape[1:]) if len(shape) > 1 else 100
        values = torch.randn(shape, generator=rng) / fan**0.5
        state[f"module.{key}"] = values.abs() + 0.5 if key.endswith("running_var") else values
    torch.save(state, folder / f"raft-{plan}.pth")
    return str(folder / f"raft-{plan}.pth")


@pytest.mark.deep
@pytest.mark.parametrize("plan", PLANS)
def test_a_checkpoint_gives_a_flow_again_and_again(plan, tmp_path):
    file = weights_file(tmp_path, plan)
    flow = raft(movie(), checkpoint=file, iterations=2)
    assert flow.shape == (2, 132, 140, 2)
    assert flow.dtype == np.float32
    assert np.isfinite(flow).all()
    assert flow.std() > 0
    assert isinstance(motion(flow, movie()), Flow)
    assert_array_equal(flow, raft(movie(), checkpoint=file, iterations=2))
    assert np.abs(flow - raft(movie(), checkpoint=file, iterations=3)).max() > 1e-4


@pytest.mark.deep
def test_a_file_that_is_no_checkpoint_is_refused(tmp_path):
    pytest.importorskip("torch", reason="torch is not installed")
    (tmp_path / "raft.pth").write_bytes(b"not weights")
    with pytest.raises(Misuse, match=r"raft\.pth cannot be read as weights of torch"):
        loaded(str(tmp_path / "raft.pth"))


@pytest.mark.deep
def test_the_lookup_reads_the_correlation_where_the_flow_leads():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    height, width, radius = 16, 18, 3
    one, other = torch.zeros(1, 4, height, width), torch.zeros(1, 4, height, width)
    one[0, :, 5, 6], other[0, :, 7, 9] = 1.0, 1.0  # what was at (6, 5) is now at (9, 7)
    pyramid = net.correlations(one, other)
    assert [tuple(level.shape[2:]) for level in pyramid] == [(16, 18), (8, 9), (4, 4), (2, 2)]
    found = net.looked_up(pyramid, torch.zeros(1, 2, height, width), radius)
    side = 2 * radius + 1
    finest = found[0, : side**2, 5, 6].view(side, side)  # [offset along x, offset along y]
    assert_allclose(float(finest[3 + 3, 3 + 2]), 4 / 4**0.5, rtol=1e-5)
    assert float(finest.abs().sum()) == pytest.approx(2.0, rel=1e-4)
    there = torch.zeros(1, 2, height, width)
    there[0, 0], there[0, 1] = 3.0, 2.0
    assert float(net.looked_up(pyramid, there, radius)[0, side**2 // 2, 5, 6]) == pytest.approx(2.0, rel=1e-4)
