"""DeepGaze and networks like it, from a checkpoint that you have."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.attention.maps.scaling import colours
from beholder.attention.models.centre import centre
from beholder.attention.types import Density, Floats, Picture
from beholder.core.cite import source
from beholder.errors import Misuse
from beholder.vision.scales import resized

PX_PER_DEG = 35.0  # at which the published networks were trained

Network = Callable[[NDArray[np.float32], NDArray[np.float32]], NDArray[Any]]


@source("Kummerer2017", family="network", needs="checkpoint")
def deepgaze(picture: Picture, *, checkpoint: str = "", px_per_deg: float = PX_PER_DEG) -> Density:
    """The log density of a network that you provide: deepgaze(checkpoint=deepgaze2e.pt).

    Beholder includes neither torch nor weights. The file is TorchScript (torch.jit.save) of a network that takes
    colours (1, 3, H, W), 0 … 255, and the log density of a centre bias (1, H, W), and returns a log density (1, H, W),
    as the published DeepGaze II and IIE do. The picture is scaled to `px_per_deg` where its own is known. The centre
    bias is `centre`. Maps made elsewhere can be given as a folder: --model deepgaze=dir:maps.
    """
    if not px_per_deg > 0:
        raise Misuse(f"got px_per_deg={px_per_deg}; expected more than 0")
    return log_density(loaded(checkpoint), picture, px_per_deg=px_per_deg)


def log_density(network: Network, picture: Picture, *, px_per_deg: float = PX_PER_DEG) -> Density:
    """What a network says of a picture at the scale that it was trained at, brought back to the picture's."""
    factor = px_per_deg / picture.px_per_deg if np.isfinite(picture.px_per_deg) else 1.0
    shape = (max(1, round(picture.shape[0] * factor)), max(1, round(picture.shape[1] * factor)))
    shown = resized(colours(picture), shape) * np.float32(255)
    prior = centre(Picture(np.zeros(shape, np.uint8))).log.astype(np.float32)
    answer = np.asarray(network(np.moveaxis(shown, -1, 0)[None].astype(np.float32), prior[None]), np.float64)
    if answer.size != shape[0] * shape[1]:
        raise ValueError(f"got {answer.shape} from the network; expected a log density of {shape}")
    return _normalised(np.asarray(resized(answer.reshape(shape), picture.shape), np.float64))


def _normalised(log: Floats) -> Density:
    top = log.max()
    return Density(log - top - np.log(np.exp(log - top).sum()))


def loaded(checkpoint: str) -> Network:
    """The network of a file; a sentence for each way in which that can fail."""
    if not checkpoint:
        raise Misuse("deepgaze got no checkpoint; give a TorchScript file, such as deepgaze(checkpoint=deepgaze2e.pt)")
    file = Path(checkpoint).expanduser()
    if not file.is_file():
        raise Misuse(f"got checkpoint={checkpoint}, which is not a file; expected one made by torch.jit.save")
    try:
        import_module("torch")
    except ImportError:
        raise Misuse("deepgaze needs torch, which is not installed; install it with `pip install torch`") from None
    return _opened(file.resolve(), file.stat().st_mtime_ns)


@cache
def _opened(file: Path, stamp: int) -> Network:
    """The network of a file as it was at a time: read once per process."""
    torch = import_module("torch")
    try:
        module = torch.jit.load(str(file), map_location="cpu").eval()
    except Exception as fault:  # noqa: BLE001  (torch raises whatever its reader does)
        raise Misuse(f"{file.name} cannot be read as TorchScript: {str(fault).splitlines()[0]}") from None

    def network(image: NDArray[np.float32], prior: NDArray[np.float32]) -> NDArray[Any]:
        with torch.no_grad():
            found: NDArray[Any] = module(torch.from_numpy(image), torch.from_numpy(prior)).numpy()
        return found

    return network
