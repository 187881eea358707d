"""RAFT from a file of its weights: checked whole, and asked for the flow between two frames."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from beholder.errors import Misuse
from beholder.vision.raft_network import BASIC, SMALL, STRIDE, Network, layout

COARSEST = 128  # px: below it the coarsest of the four correlation maps would be less than 2 places wide


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


def between(network: Network, first: Any, second: Any, iterations: int) -> Any:
    """The flow (H, W, 2) between two frames of levels 0 … 255, (H, W) or (H, W, 3); borders are repeated."""
    torch = import_module("torch")
    height, width = first.shape[:2]
    top, left = (_margin(side) for side in (height, width))
    colour = [np.broadcast_to(np.atleast_3d(frame), (height, width, 3)) for frame in (first, second)]
    padded = np.stack([np.pad(frame, (top, left, (0, 0)), mode="edge") for frame in colour]).astype(np.float32)
    pair = torch.from_numpy(padded).permute(0, 3, 1, 2)[:, None]
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
