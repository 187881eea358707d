"""Features of frames (FID) and of clips (FVD) by a network that the user has, and those of real clips."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from beholder.core.measure import Readout
from beholder.errors import Misuse
from beholder.stats.frechet import Cloud, cloud, cloud_of
from beholder.video.files.suffixes import clips_in
from beholder.video.networks.loading import network
from beholder.video.networks.pixels import MEAN, STD, normalised
from beholder.video.networks.videomae import tensor, views
from beholder.video.networks.weights import Weights
from beholder.video.rivals.asking import asks
from beholder.video.rivals.consistency import centre, vision_transformer
from beholder.video.rivals.dover import torchscript
from beholder.video.rivals.frames import every, spaced
from beholder.video.rivals.roles import FID, FVD
from beholder.video.types import Bytes, Clip, Prompt

FRAMES = 8  # of a clip, for FID; fewer where features are long
BYTES = 60_000  # that are pooled of one clip
IMAGE, VIDEO, LENGTH = 299, 224, 16  # px of frames for FID and FVD, and frames of a clip for FVD
GIVEN = {"return_features": True, "rescale": True, "resize": True}  # what the known TorchScript files ask for


@dataclass(frozen=True, eq=False)
class Features:
    """Some features of one clip."""

    values: NDArray[np.float32]  # (k, d)


@asks(FID)
def fid_features(clip: Clip, text: str, weights: Weights) -> Features:
    """Features of at most eight frames, evenly spaced."""
    torch = import_module("torch")
    frames = spaced(clip, FRAMES)
    with torch.inference_mode():
        if scripted(weights):
            shown = np.stack([cv2.resize(frame, (IMAGE, IMAGE), interpolation=cv2.INTER_AREA) for frame in frames])
            found = _asked(torchscript(weights), _levels(torch, shown).permute(0, 3, 1, 2))
        else:
            made = vision_transformer(weights)
            side = int(made.config.image_size)
            pixels = np.stack([normalised(centre(frame, side), MEAN, STD) for frame in frames])
            found = made(pixel_values=torch.from_numpy(pixels)).last_hidden_state[:, 0]
    return _small(found)


@asks(FVD)
def fvd_features(clip: Clip, text: str, weights: Weights) -> Features:
    """One feature of the first 16 frames; a shorter clip stays on its last one."""
    torch = import_module("torch")
    with torch.inference_mode():
        if scripted(weights):
            frames = [centre(frame, VIDEO) for frame in every(clip)[:LENGTH]]
            frames += frames[-1:] * (LENGTH - len(frames))
            found = _asked(torchscript(weights), _levels(torch, np.stack(frames)).permute(3, 0, 1, 2)[None])
        else:
            made = network(weights, "VideoMAEModel")
            looks = views(clip, int(made.config.num_frames), int(made.config.image_size))
            middle = looks.pixels[looks.which[1]][None]  # of the first window the crop in the middle
            found = made(pixel_values=torch.from_numpy(tensor(middle))).last_hidden_state.mean(1)
    return _small(found)


def scripted(weights: Weights) -> bool:
    """Whether weights are a TorchScript file, and no network of transformers."""
    return any(Path(weights.place).glob("*.pt"))


def _levels(torch: Any, pixels: Bytes) -> Any:
    return torch.from_numpy(pixels.astype(np.float32))  # 0 … 255: the known files scale by themselves


def _asked(made: Any, shown: Any) -> Any:
    """What a TorchScript network makes of a tensor, with those of the usual arguments that it has."""
    known = {argument.name for argument in made.forward.schema.arguments}
    return made(shown, **{name: value for name, value in GIVEN.items() if name in known})


def _small(found: Any) -> Features:
    """Features as an array, as many as may be pooled."""
    values = found.flatten(1).float().numpy()
    return Features(values[: max(1, BYTES // (4 * values.shape[1]))])


@lru_cache(maxsize=4)
def real_cloud(real: str, kind: str) -> Cloud:
    """The cloud of real clips: from a file (.npz with mu and sigma, or features), or from a folder of clips."""
    place = Path(real).expanduser()
    if place.is_dir():
        return _cloud_of_clips(place, fid_features if kind == "fid" else fvd_features)
    if place.suffix != ".npz" or not place.is_file():
        raise Misuse(f"got real={real!r}; expected a folder of clips, or an .npz file with mu and sigma, or features")
    with np.load(place, allow_pickle=False) as held:
        if {"mu", "sigma"} <= set(held):
            return cloud_of(held["mu"], held["sigma"])
        if "features" in held:
            return cloud(np.asarray(held["features"], float))
        raise Misuse(f"{place}: got {', '.join(held) or 'nothing'}; expected mu and sigma, or features")


def _cloud_of_clips(folder: Path, reads: Readout) -> Cloud:
    from beholder.video.accept import accept

    found: list[Any] = [reads(accept(path, Prompt()), Prompt()).values for _, path in clips_in(folder)]
    if len(found) < 2:
        raise Misuse(f"got real={folder} with {len(found)} clips; expected two or more")
    return cloud(np.concatenate(found).astype(float))


def halved(of: Callable[[NDArray[np.float64]], float], clips: Sequence[NDArray[np.float64]], times: int) -> list[float]:
    """A number of random halves of some clips."""
    rng = np.random.default_rng(0)
    half = len(clips) // 2
    return [of(np.concatenate([clips[n] for n in rng.permutation(len(clips))[:half]])) for _ in range(times)]
