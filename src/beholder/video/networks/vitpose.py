"""ViTPose (Xu et al. 2022): the 17 keypoints of COCO in boxes around people, and people followed through a clip."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module

import cv2
import numpy as np
from numpy.typing import NDArray

from beholder.errors import Misuse
from beholder.video.networks.loading import network
from beholder.video.networks.pixels import normalised
from beholder.video.networks.weights import Weights
from beholder.video.readouts.identity import Found, same
from beholder.video.skeletons import COCO
from beholder.video.types import Bytes, Floats

MARGIN = 1.25  # of the rectangle around a person
BATCH = 8  # people at once
MOST = 4  # people of a frame
SEEN = 0.3  # keypoints of more confidence say where a person is in the next frame
LEAST = 4  # such keypoints: with fewer, a person is lost until the next look around


def keypoints(frame: Bytes, boxes: Floats, weights: Weights) -> list[Found]:
    """The keypoints in each box (left, top, right, bottom as shares of the frame)."""
    torch = import_module("torch")
    made = network(weights, "VitPoseForPoseEstimation")
    if made.config.num_labels != len(COCO.points):
        raise Misuse(f"{weights.place} finds {made.config.num_labels} keypoints; expected the 17 of COCO")
    height, width = (int(side) for side in made.config.backbone_config.image_size)
    size = np.array([frame.shape[1], frame.shape[0]], float)
    found: list[Found] = []
    for at in range(0, len(boxes), BATCH):
        ways = [_way(box.reshape(2, 2) * size, (height, width)) for box in boxes[at : at + BATCH]]
        views = [cv2.warpAffine(frame, way, (width, height), flags=cv2.INTER_LINEAR) for way in ways]
        more = {"dataset_index": torch.zeros(len(views), dtype=torch.long)} if _experts(made) else {}
        with torch.inference_mode():
            heat = made(pixel_values=torch.from_numpy(normalised(np.stack(views))), **more).heatmaps.numpy()
        for way, own in zip(ways, heat, strict=True):
            places, confidence = peaks(own)
            scale = ((width - 1) / (own.shape[2] - 1), (height - 1) / (own.shape[1] - 1))
            back = cv2.invertAffineTransform(way)
            found.append(Found((places * scale @ back[:, :2].T + back[:, 2]) / size, confidence))
    return found


def _experts(made: object) -> bool:
    """Whether the network was trained on several sets of people and must be told which; the first is COCO."""
    backbone = getattr(getattr(made, "config", None), "backbone_config", None)
    return int(getattr(backbone, "num_experts", 1)) > 1


def _way(box: Floats, shape: tuple[int, int]) -> NDArray[np.float64]:
    """From px of the frame to px of the view: the box with a margin, in the view's proportions."""
    centre, (wide, high) = box.mean(axis=0), (box[1] - box[0]) * MARGIN
    height, width = shape
    scale = min(width / max(wide, 1.0), height / max(high, 1.0))
    return np.array([[scale, 0, width / 2 - scale * centre[0]], [0, scale, height / 2 - scale * centre[1]]])


def peaks(heat: NDArray[np.float32]) -> tuple[Floats, Floats]:
    """(17, h, w) heat → the places of the peaks, px of the heat map, and how sure each is, 0 … 1.

    A peak is moved by a quarter of a px towards its warmer neighbour.

    >>> map = np.zeros((1, 3, 4), np.float32); map[0, 1, 2], map[0, 1, 1] = 0.8, 0.4
    >>> [one.round(2).tolist() for one in peaks(map)]
    [[[1.75, 1.0]], [0.8]]
    """
    count, _, width = heat.shape
    rows, columns = np.divmod(heat.reshape(count, -1).argmax(axis=1), width)
    places = np.stack([columns, rows], axis=1).astype(float)
    padded = np.pad(heat, ((0, 0), (1, 1), (1, 1)), mode="edge")
    every = np.arange(count)
    right = padded[every, rows + 1, columns + 2] - padded[every, rows + 1, columns]
    below = padded[every, rows + 2, columns + 1] - padded[every, rows, columns + 1]
    return places + 0.25 * np.sign(np.stack([right, below], axis=1)), np.clip(heat.max(axis=(1, 2)), 0.0, 1.0).astype(
        float
    )


@dataclass
class People:
    """People found frame by frame: looked for in given boxes, else where they were in the frame before."""

    weights: Weights
    last: list[Found] = field(default_factory=list)

    def step(self, frame: Bytes, boxes: Floats | None = None) -> list[Found]:
        """The people of the next frame; `boxes` where somebody has looked around."""
        near = [_around(one) for one in self.last]
        asked = [*near, *([] if boxes is None else boxes)]
        self.last = _each_once(keypoints(frame, np.array(asked, float).reshape(-1, 4), self.weights))
        return self.last


def _each_once(found: Sequence[Found]) -> list[Found]:
    """Each person once, those of whom enough is seen."""
    kept: list[Found] = []
    for one in found:
        enough = (one.confidence > SEEN).sum() >= LEAST
        if enough and len(kept) < MOST and not any(same(one, other) for other in kept):
            kept.append(one)
    return kept


def _around(one: Found) -> Floats:
    """The box of the keypoints that are seen."""
    points = one.points[one.confidence > SEEN]
    return np.asarray(np.clip(np.concatenate([points.min(axis=0), points.max(axis=0)]), 0, 1))
