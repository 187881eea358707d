"""SAM 2 (Ravi et al. 2024): masks of objects through successive frames, from boxes or masks in the first one."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from beholder.video.networks.loading import network
from beholder.video.networks.pixels import normalised, resized
from beholder.video.networks.weights import Weights
from beholder.video.types import Bytes, Floats

Mask = NDArray[np.bool_]
CORNERS = (2, 3)  # what the network calls the two corners of a box among its points


def follow(frames: Sequence[Bytes], start: Floats | Mask, weights: Weights, shape: tuple[int, int]) -> Mask:
    """(n, objects, h, w): the masks of objects in successive frames, at `shape`.

    `start` says where they are in the first frame: boxes (objects, 4) as shares of the frame, or masks (objects, h, w).
    Frames go in at the size that the network was made for (1024 px), whatever their own proportions.
    """
    if not len(start):
        return np.zeros((len(frames), 0, *shape), bool)
    torch = import_module("torch")
    made = network(weights, "Sam2VideoModel")
    side = int(made.config.image_size)
    session = _session(torch, frames, side)
    for at, one in enumerate(start):
        index = session.obj_id_to_idx(at)
        if one.ndim == 1:
            corners = torch.tensor(one.reshape(1, 1, 2, 2) * side, dtype=torch.float32)
            labels = torch.tensor([[CORNERS]], dtype=torch.int32)
            session.add_point_inputs(index, 0, {"point_coords": corners, "point_labels": labels})
        else:
            whole = cv2.resize(one.astype(np.float32), (side, side), interpolation=cv2.INTER_LINEAR) > 0.5
            session.add_mask_inputs(index, 0, torch.from_numpy(whole)[None, None])
    session.obj_with_new_inputs = list(range(len(start)))
    with torch.inference_mode():
        said = made.propagate_in_video_iterator(session, start_frame_idx=0)
        return np.stack([_masks(one.pred_masks.float().numpy()[:, 0], shape) for one in said])


def _session(torch: Any, frames: Sequence[Bytes], side: int) -> Any:
    pixels = np.stack([normalised(resized(frame, (side, side))) for frame in frames])
    made = import_module("transformers").Sam2VideoInferenceSession
    return made(torch.from_numpy(pixels), *frames[0].shape[:2], dtype=torch.float32)


def _masks(logits: NDArray[np.float32], shape: tuple[int, int]) -> Mask:
    """Masks at another size: where the logits, drawn larger or smaller, are above 0."""
    return np.stack([cv2.resize(one, shape[::-1], interpolation=cv2.INTER_LINEAR) > 0 for one in logits])
