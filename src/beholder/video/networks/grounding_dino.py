"""Grounding DINO (Liu et al. 2024): boxes around what a noun names."""

from __future__ import annotations

import json
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from beholder.video.networks.loading import network, tokenizer
from beholder.video.networks.pixels import normalised, short_side
from beholder.video.networks.weights import Weights
from beholder.video.types import Bytes, Floats

SURE = 0.25  # of the surest word: what the released scripts ask for
SIDES = (800, 1333)  # px of the shorter side, and the most that the longer may have
MOST = 8  # boxes of a frame, the surest first: each one costs a mask


class Detected(NamedTuple):
    """What was found in a frame, the surest first."""

    boxes: Floats  # (n, 4): left, top, right, bottom as shares of the frame
    scores: Floats  # (n,)


def detect(frame: Bytes, noun: str, weights: Weights, *, sure: float = SURE) -> Detected:
    """The boxes of a frame around what a noun names."""
    torch = import_module("torch")
    made = network(weights, "GroundingDinoForObjectDetection")
    words = dict(tokenizer(weights)(caption(noun), return_tensors="pt"))
    pixels = torch.from_numpy(normalised(short_side(frame, *_sides(weights)))[None])
    seen = torch.ones(pixels.shape[:1] + pixels.shape[2:], dtype=torch.long)
    with torch.inference_mode():
        said = made(pixel_values=pixels, pixel_mask=seen, **words)
    return kept(said.logits[0].sigmoid().amax(-1).double().numpy(), said.pred_boxes[0].double().numpy(), sure)


def kept(scores: Floats, boxes: Floats, sure: float = SURE) -> Detected:
    """The surest boxes, from centre and size to corners within the frame.

    >>> kept(np.array([0.2, 0.9]), np.array([[0.5, 0.5, 1, 1], [0.5, 0.5, 0.2, 2.0]])).boxes.tolist()
    [[0.4, 0.0, 0.6, 1.0]]
    """
    best = [at for at in np.argsort(-scores, kind="stable") if scores[at] > sure][:MOST]
    centre, half = boxes[best, :2], boxes[best, 2:] / 2
    corners = np.clip(np.concatenate([centre - half, centre + half], axis=1), 0, 1)
    whole = ((corners[:, 2:] - corners[:, :2]) > 0).all(axis=1)
    return Detected(corners[whole], scores[best][whole])


def caption(noun: str) -> str:
    """A noun as the network wants it.

    >>> caption(" Dog "), caption("person. animal.")
    ('dog.', 'person. animal.')
    """
    return noun.strip().lower().rstrip(".") + "."


def _sides(weights: Weights) -> tuple[int, int]:
    """How large frames are shown: as the weights' own file says, else as the paper does."""
    file = weights.folder / "preprocessor_config.json"
    size: Any = json.loads(file.read_text("utf-8")).get("size", {}) if file.is_file() else {}
    return int(size.get("shortest_edge", SIDES[0])), int(size.get("longest_edge", SIDES[1]))
