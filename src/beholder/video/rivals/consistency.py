"""Features of frames by DINO and CLIP, prepared as VBench prepares frames for them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from beholder.video.networks.loading import network
from beholder.video.networks.pixels import MEAN, STD, Tensor, normalised
from beholder.video.networks.weights import Weights
from beholder.video.rivals.asking import asks
from beholder.video.rivals.frames import at_least, every
from beholder.video.rivals.roles import CLIP, DINO
from beholder.video.types import Bytes, Clip

SIDE = 224  # px of the shorter side
BATCH = 8  # frames at once
CLIP_MEAN = np.array([0.48145466, 0.4578275, 0.40821073], np.float32)
CLIP_STD = np.array([0.26862954, 0.26130258, 0.27577711], np.float32)


@dataclass(frozen=True, eq=False)
class FrameFeatures:
    """A feature of each frame."""

    values: NDArray[np.float32]  # (T, d)


@asks(DINO)
def dino_features(clip: Clip, text: str, weights: Weights) -> FrameFeatures:
    """The class token of each frame: shorter side 224 px, no crop, ImageNet's mean and deviation."""
    frames = at_least(every(clip), 2)
    made = vision_transformer(weights)
    side = _multiple(SIDE, int(made.config.patch_size))
    pixels = [normalised(_whole(frame, side, int(made.config.patch_size)), MEAN, STD) for frame in frames]
    more = {"interpolate_pos_encoding": True} if made.config.model_type == "vit" else {}  # others do so by themselves
    return FrameFeatures(_batched(pixels, lambda some: made(pixel_values=some, **more).last_hidden_state[:, 0]))


@asks(CLIP)
def clip_features(clip: Clip, text: str, weights: Weights) -> FrameFeatures:
    """The projected feature of each frame: bicubic to the network's size, centre crop, CLIP's mean and deviation."""
    frames = at_least(every(clip), 2)
    made = network(weights, "CLIPModel")
    side = int(made.config.vision_config.image_size)
    pixels = [normalised(centre(frame, side), CLIP_MEAN, CLIP_STD) for frame in frames]

    def projected(some: Any) -> Any:
        found = made.get_image_features(pixel_values=some)
        return getattr(found, "pooler_output", found)  # a tensor before transformers 5, then an output that holds it

    return FrameFeatures(_batched(pixels, projected))


def vision_transformer(weights: Weights) -> Any:
    """A ViT; DINO's first version has no pooler on top, other checkpoints of ViT have one."""
    kind = {
        "dinov2": "Dinov2Model",
        "dinov2_with_registers": "Dinov2WithRegistersModel",
        "dinov3_vit": "DINOv3ViTModel",
    }
    own = kind.get(_kind(weights))
    return network(weights, own) if own else network(weights, "ViTModel", add_pooling_layer=_has_pooler(weights))


def _kind(weights: Weights) -> str:
    config = import_module("transformers").AutoConfig.from_pretrained(
        weights.place, revision=weights.revision or "main"
    )
    return str(config.model_type)


def _has_pooler(weights: Weights) -> bool:
    """Whether a checkpoint holds a pooler, by the names in its files."""
    safetensors = import_module("safetensors")
    for file in sorted(Path(weights.place).glob("*.safetensors")):
        with safetensors.safe_open(file, "pt") as held:
            if any(name.endswith("pooler.dense.weight") for name in held.keys()):  # noqa: SIM118  (it is no dictionary)
                return True
    return False


def _batched(pixels: list[Tensor], of: Callable[[Any], Any]) -> NDArray[np.float32]:
    """What a network makes of frames, some at a time."""
    torch = import_module("torch")
    found = []
    with torch.inference_mode():
        for at in range(0, len(pixels), BATCH):
            found.append(of(torch.from_numpy(np.stack(pixels[at : at + BATCH]))).float().numpy())
    return np.concatenate(found)


def _multiple(side: int, of: int) -> int:
    """The nearest multiple that is not less.

    >>> _multiple(224, 16), _multiple(224, 14), _multiple(30, 16)
    (224, 224, 32)
    """
    return -(-side // of) * of


def _whole(frame: Bytes, side: int, patch: int) -> Bytes:
    """The whole frame, its shorter side so many px and the longer one a multiple of the patches."""
    height, width = frame.shape[:2]
    scale = side / min(height, width)
    shape = tuple(max(side, patch * round(length * scale / patch)) for length in (height, width))
    found: Bytes = cv2.resize(frame, (shape[1], shape[0]), interpolation=_way(frame, side))
    return found


def centre(frame: Bytes, side: int) -> Bytes:
    """The square in the middle of a frame whose shorter side was made so many px, by cubic splines."""
    height, width = frame.shape[:2]
    scale = side / min(height, width)
    shape = max(side, round(height * scale)), max(side, round(width * scale))
    large: Bytes = cv2.resize(
        frame, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC if scale > 1 else cv2.INTER_AREA
    )
    top, left = (shape[0] - side) // 2, (shape[1] - side) // 2
    return large[top : top + side, left : left + side]


def _way(frame: Bytes, side: int) -> int:
    return cv2.INTER_AREA if min(frame.shape[:2]) > side else cv2.INTER_LINEAR
