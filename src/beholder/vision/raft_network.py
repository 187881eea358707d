"""The RAFT network from its weights alone: what the weights are called, and what is done with them.

Written with functions instead of modules, so that nothing of torch is loaded before a checkpoint is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from itertools import product
from typing import Any

Tensor = Any  # torch.Tensor; torch is not among what Beholder needs
Shape = tuple[int, ...]

LEVELS = 4  # of the correlation pyramid
STRIDE = 8  # px of the frame a place of the network


@dataclass(frozen=True)
class Plan:
    """The sizes by which the published networks differ."""

    hidden: int
    context: int
    features: int
    radius: int  # of the correlation that is looked up
    widths: tuple[int, ...]  # of the encoders' stages
    small: bool
    norm: str  # of the context encoder; the other has instance norm

    @property
    def planes(self) -> int:
        """Correlations looked up at each place."""
        return int(LEVELS * (2 * self.radius + 1) ** 2)


BASIC = Plan(128, 128, 256, 4, (64, 64, 96, 128), small=False, norm="batch")
SMALL = Plan(96, 64, 128, 3, (32, 32, 64, 96), small=True, norm="none")


def layout(plan: Plan) -> dict[str, Shape]:
    """The name and shape of every weight, as the published checkpoints have them.

    >>> layout(BASIC)["fnet.conv1.weight"], layout(SMALL)["update_block.gru.convz.weight"]
    ((64, 3, 7, 7), (96, 242, 3, 3))
    """
    kernels = [*_encoder("fnet", plan, plan.features), *_encoder("cnet", plan, plan.hidden + plan.context)]
    found = dict([*kernels, *_update(plan)])
    shapes: dict[str, Shape] = {}
    for name, shape in found.items():
        shapes |= {f"{name}.weight": shape, f"{name}.bias": shape[:1]}
    for name, width in _batch_norms(plan):
        shapes |= {f"{name}.{part}": (width,) for part in ("weight", "bias", "running_mean", "running_var")}
    return shapes


def _blocks(plan: Plan) -> Iterator[tuple[str, int, int, int]]:
    """Name, width before, width and stride of each residual block of an encoder."""
    before = plan.widths[0]
    for stage, width in enumerate(plan.widths[1:], 1):
        yield f"layer{stage}.0", before, width, 1 if stage == 1 else 2
        yield f"layer{stage}.1", width, width, 1
        before = width


def _encoder(name: str, plan: Plan, out: int) -> Iterator[tuple[str, Shape]]:
    yield f"{name}.conv1", (plan.widths[0], 3, 7, 7)
    for block, before, width, stride in _blocks(plan):
        inner = width // 4
        if plan.small:
            yield f"{name}.{block}.conv1", (inner, before, 1, 1)
            yield f"{name}.{block}.conv2", (inner, inner, 3, 3)
            yield f"{name}.{block}.conv3", (width, inner, 1, 1)
        else:
            yield f"{name}.{block}.conv1", (width, before, 3, 3)
            yield f"{name}.{block}.conv2", (width, width, 3, 3)
        if stride > 1:
            yield f"{name}.{block}.downsample.0", (width, before, 1, 1)
    yield f"{name}.conv2", (out, plan.widths[-1], 1, 1)


def _batch_norms(plan: Plan) -> Iterator[tuple[str, int]]:
    """The batch norms of the basic context encoder; that of a downsampling has two names."""
    if plan.norm != "batch":
        return
    yield "cnet.norm1", plan.widths[0]
    for block, _, width, stride in _blocks(plan):
        own = ("norm1", "norm2", "norm3", "downsample.1") if stride > 1 else ("norm1", "norm2")
        yield from ((f"cnet.{block}.{norm}", width) for norm in own)


def _update(plan: Plan) -> Iterator[tuple[str, Shape]]:
    """The motion encoder, the recurrent unit and the heads."""
    head = "update_block"
    if plan.small:
        shapes = {"convc1": (96, plan.planes, 1, 1), "convf1": (64, 2, 7, 7), "convf2": (32, 64, 3, 3)}
        motion, gates, width = (80, 128, 3, 3), {f"conv{gate}": (3, 3) for gate in "zrq"}, 128
    else:
        shapes = {"convc1": (256, plan.planes, 1, 1), "convc2": (192, 256, 3, 3)}
        shapes |= {"convf1": (128, 2, 7, 7), "convf2": (64, 128, 3, 3)}
        ways = {"1": (1, 5), "2": (5, 1)}
        motion, gates, width = (
            (126, 256, 3, 3),
            {f"conv{gate}{way}": ways[way] for way, gate in product("12", "zrq")},
            256,
        )
        yield f"{head}.mask.0", (256, plan.hidden, 3, 3)
        yield f"{head}.mask.2", (STRIDE**2 * 9, 256, 1, 1)
    yield from ((f"{head}.encoder.{name}", shape) for name, shape in (shapes | {"conv": motion}).items())
    seen = plan.hidden + plan.context + motion[0] + 2
    yield from ((f"{head}.gru.{name}", (plan.hidden, seen, *size)) for name, size in gates.items())
    yield f"{head}.flow_head.conv1", (width, plan.hidden, 3, 3)
    yield f"{head}.flow_head.conv2", (2, width, 3, 3)


@dataclass(frozen=True, eq=False)
class Network:
    """Weights that are complete, and the plan that they follow."""

    plan: Plan
    weights: Mapping[str, Tensor]

    def flow(self, first: Tensor, second: Tensor, iterations: int) -> Tensor:
        """The flow (N, 2, H, W) between frames (N, 3, H, W) of levels 0 … 255, whose sides are multiples of 8."""
        torch = import_module("torch")
        first, second = (2 * frame / 255 - 1 for frame in (first, second))
        one, other = (self.encoded("fnet", frame, "instance") for frame in (first, second))
        pyramid = correlations(one, other)
        hidden, context = self.encoded("cnet", first, self.plan.norm).split(
            [self.plan.hidden, self.plan.context], dim=1
        )
        hidden, context = torch.tanh(hidden), torch.relu(context)
        flow = torch.zeros(len(one), 2, *one.shape[2:])
        for _ in range(iterations):
            seen = torch.cat([context, self.motion(looked_up(pyramid, flow, self.plan.radius), flow)], dim=1)
            hidden = self.recurred(hidden, seen)
            flow = flow + self.headed(hidden, "flow_head.conv1", "flow_head.conv2")
        return self.upsampled(flow, hidden)

    def conv(self, x: Tensor, name: str, stride: int = 1) -> Tensor:
        """A convolution by its name, with zeros around."""
        weight = self.weights[f"{name}.weight"]
        padding = (weight.shape[2] // 2, weight.shape[3] // 2)
        functional = import_module("torch.nn.functional")
        return functional.conv2d(x, weight, self.weights[f"{name}.bias"], stride=stride, padding=padding)

    def normed(self, x: Tensor, name: str, norm: str) -> Tensor:
        """A map under its norm: instance norm, batch norm as trained, or none."""
        functional = import_module("torch.nn.functional")
        if norm == "instance":
            return functional.instance_norm(x)
        if norm == "none":
            return x
        mean, variance, weight, bias = (
            self.weights[f"{name}.{part}"] for part in ("running_mean", "running_var", "weight", "bias")
        )
        return functional.batch_norm(x, mean, variance, weight, bias)

    def encoded(self, name: str, frame: Tensor, norm: str) -> Tensor:
        """The features of a frame, at an eighth of its size."""
        x = self.normed(self.conv(frame, f"{name}.conv1", 2), f"{name}.norm1", norm).relu()
        for block, _, _, stride in _blocks(self.plan):
            x = self.residual(x, f"{name}.{block}", stride, norm)
        return self.conv(x, f"{name}.conv2")

    def residual(self, x: Tensor, name: str, stride: int, norm: str) -> Tensor:
        """A residual block of two convolutions, or of three around a bottleneck."""
        strides = (1, stride, 1) if self.plan.small else (stride, 1)
        y = x
        for at, step in enumerate(strides, 1):
            y = self.normed(self.conv(y, f"{name}.conv{at}", step), f"{name}.norm{at}", norm).relu()
        if stride > 1:
            x = self.normed(self.conv(x, f"{name}.downsample.0", stride), f"{name}.downsample.1", norm)
        return (x + y).relu()

    def motion(self, correlation: Tensor, flow: Tensor) -> Tensor:
        """What is seen of the motion: correlations and the flow so far, encoded, and the flow itself."""
        torch = import_module("torch")
        name = "update_block.encoder"
        seen = self.conv(correlation, f"{name}.convc1").relu()
        if not self.plan.small:
            seen = self.conv(seen, f"{name}.convc2").relu()
        moved = self.conv(self.conv(flow, f"{name}.convf1").relu(), f"{name}.convf2").relu()
        return torch.cat([self.conv(torch.cat([seen, moved], dim=1), f"{name}.conv").relu(), flow], dim=1)

    def recurred(self, hidden: Tensor, seen: Tensor) -> Tensor:
        """The state after a gated recurrent unit: in one go, or along rows and then columns."""
        torch = import_module("torch")
        for way in ("",) if self.plan.small else ("1", "2"):
            name = f"update_block.gru.conv{{}}{way}".format
            both = torch.cat([hidden, seen], dim=1)
            update, reset = self.conv(both, name("z")).sigmoid(), self.conv(both, name("r")).sigmoid()
            proposed = self.conv(torch.cat([reset * hidden, seen], dim=1), name("q")).tanh()
            hidden = (1 - update) * hidden + update * proposed
        return hidden

    def headed(self, hidden: Tensor, first: str, second: str) -> Tensor:
        """Two convolutions with a rectifier between them."""
        return self.conv(self.conv(hidden, f"update_block.{first}").relu(), f"update_block.{second}")

    def upsampled(self, flow: Tensor, hidden: Tensor) -> Tensor:
        """The flow of each pixel: linear between places, or a learnt convex mean of the nine places around."""
        functional = import_module("torch.nn.functional")
        count, _, height, width = flow.shape
        size = (STRIDE * height, STRIDE * width)
        if self.plan.small:
            return STRIDE * functional.interpolate(flow, size=size, mode="bilinear", align_corners=True)
        mask = 0.25 * self.headed(hidden, "mask.0", "mask.2")
        weights = mask.view(count, 1, 9, STRIDE, STRIDE, height, width).softmax(dim=2)
        around = functional.unfold(STRIDE * flow, [3, 3], padding=1).view(count, 2, 9, 1, 1, height, width)
        return (weights * around).sum(dim=2).permute(0, 1, 4, 2, 5, 3).reshape(count, 2, *size)


def correlations(one: Tensor, other: Tensor) -> list[Tensor]:
    """The correlation of every place with every other, (N h w, 1, h, w), and its halves."""
    functional = import_module("torch.nn.functional")
    count, depth, height, width = one.shape
    whole = one.flatten(2).transpose(1, 2) @ other.flatten(2) / depth**0.5
    pyramid = [whole.reshape(count * height * width, 1, height, width)]
    for _ in range(LEVELS - 1):
        pyramid.append(functional.avg_pool2d(pyramid[-1], 2))
    return pyramid


def looked_up(pyramid: list[Tensor], flow: Tensor, radius: int) -> Tensor:
    """Correlations around where the flow leads, (N, planes, h, w); of offsets, the one along x changes slowest."""
    torch = import_module("torch")
    functional = import_module("torch.nn.functional")
    count, _, height, width = flow.shape
    down, right = torch.meshgrid(torch.arange(height), torch.arange(width), indexing="ij")
    centre = (flow + torch.stack([right, down]).float()).permute(0, 2, 3, 1).reshape(-1, 1, 1, 2)
    step = torch.arange(-radius, radius + 1).float()
    offsets = torch.stack(torch.meshgrid(step, step, indexing="ij"), dim=-1)
    found = []
    for level, correlation in enumerate(pyramid):
        size = torch.tensor([correlation.shape[3] - 1, correlation.shape[2] - 1]).clamp(min=1)
        places = 2 * (centre / 2**level + offsets) / size - 1
        found.append(functional.grid_sample(correlation, places, align_corners=True).view(count, height, width, -1))
    return torch.cat(found, dim=-1).permute(0, 3, 1, 2)
