"""RAFT, recurrent all-pairs field transforms, from a checkpoint that you have."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from beholder.core.cite import source
from beholder.errors import Misuse
from beholder.motion.frame_pairs import Fields, srgb_levels
from beholder.motion.models._raft_network import BASIC, SMALL, STRIDE, Network, layout
from beholder.motion.types import Movie

COARSEST = 128  # px: below it the coarsest of the four correlation maps would be less than 2 places wide


@source("Teed2020", family="network", dynamics="none", needs="checkpoint")
def raft(movie: Movie, *, checkpoint: str = "", iterations: int = 20) -> Fields:
    """The network of Teed and Deng, basic or small, with the weights of `checkpoint`: raft(checkpoint=raft-things.pth).

    Beholder brings neither torch nor weights. Frames go in as 8-bit sRGB, grey, 255 at the greatest luminance of the
    movie, which is what the networks were trained on; borders are repeated up to multiples of 8 px. The published
    files raft-things, raft-sintel, raft-small … fit as they are. Each pair begins from rest; the `iterations` are of
    the network, not of time.
    """
    if iterations < 1:
        raise Misuse(f"got iterations={iterations}; expected 1 or more")
    network = loaded(checkpoint)
    frames = srgb_levels(movie)
    found = [_between(network, frames[at], frames[at + 1], iterations) for at in range(len(frames) - 1)]
    return np.stack(found) if found else np.zeros((0, *frames.shape[1:], 2), np.float32)


def loaded(checkpoint: str) -> Network:
    """The network of a checkpoint file; a sentence for each way in which that can fail."""
    if not checkpoint:
        raise Misuse("raft got no checkpoint; give the file of its weights, such as raft(checkpoint=raft-things.pth)")
    file = Path(checkpoint).expanduser()
    if not file.is_file():
        raise Misuse(f"got checkpoint={checkpoint}, which is not a file; expected weights such as raft-things.pth")
    try:
        import_module("torch")
    except ImportError:
        raise Misuse("raft needs torch, which is not installed; install it with `pip install torch`") from None
    return _opened(file.resolve(), file.stat().st_mtime_ns)


@cache
def _opened(file: Path, stamp: int) -> Network:
    """The network of a file as it was at a time: read once per process."""
    torch = import_module("torch")
    try:
        given = torch.load(file, map_location="cpu", weights_only=True)
    except Exception as fault:  # noqa: BLE001  (torch raises whatever its unpickler does)
        raise Misuse(f"{file.name} cannot be read as weights of torch: {str(fault).splitlines()[0]}") from None
    return network(given, file.name)


def network(given: Any, name: str) -> Network:
    """The network of a state dict; refused where a weight is missing, not expected, or of another shape."""
    if not isinstance(given, dict):
        raise Misuse(f"{name} holds a {type(given).__name__}; expected a dictionary of weights by name")
    inner = given.get("state_dict", given)
    weights = {str(key).removeprefix("module."): value for key, value in inner.items()}
    first = weights.get("fnet.conv1.weight")
    plan = SMALL if first is not None and first.shape[0] == SMALL.widths[0] else BASIC
    expected = layout(plan)
    kind = "small" if plan.small else "basic"
    missing = [key for key in expected if key not in weights]
    if missing:
        raise Misuse(
            f"{name} lacks {len(missing)} weights of the {kind} RAFT, the first {missing[0]}; is it another network?"
        )
    odd = [key for key in weights if key not in expected and not key.endswith("num_batches_tracked")]
    if odd:
        raise Misuse(f"{name} has {len(odd)} weights that the {kind} RAFT does not have, the first {odd[0]}")
    for key, shape in expected.items():
        if tuple(weights[key].shape) != shape:
            raise Misuse(f"{name}: {key} has the shape {tuple(weights[key].shape)}; expected {shape}")
    return Network(plan, {key: weights[key].float() for key in expected})


def _between(network: Network, first: Any, second: Any, iterations: int) -> Any:
    torch = import_module("torch")
    height, width = first.shape
    top, left = (_margin(side) for side in (height, width))
    grey = np.stack([np.pad(frame, (top, left), mode="edge") for frame in (first, second)]).astype(np.float32)
    pair = torch.from_numpy(grey)[:, None, None].expand(-1, -1, 3, -1, -1)
    with torch.no_grad():
        flow = network.flow(pair[0], pair[1], iterations)[0]
    whole = flow.permute(1, 2, 0).numpy()
    return whole[top[0] : top[0] + height, left[0] : left[0] + width]


def _margin(side: int) -> tuple[int, int]:
    """Pixels before and after that make a side a multiple of 8, and large enough.

    >>> _margin(160), _margin(163), _margin(100)
    ((0, 0), (2, 3), (14, 14))
    """
    lacking = max(-side % STRIDE, COARSEST - side)
    return lacking // 2, lacking - lacking // 2
