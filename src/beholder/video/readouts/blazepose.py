"""People's keypoints by BlazePose (Bazarevsky et al. 2020), where its weights are installed: the extra "pose".

The two networks come inside the wheels of mediapipe up to 0.10.21 (Apache-2.0) and run in ai-edge-litert, so that
mediapipe's own runtime, which needs an old numpy, is not used. One finds people in a small frame, the other finds 33
points in a square that is turned so that the person stands upright. What leads from tensors to points is ours; the
constants are those of mediapipe's graphs.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from beholder.errors import Misuse
from beholder.video.files.clips import opened
from beholder.video.readouts.identity import Found, followed, same
from beholder.video.skeletons import COCO as SKELETON
from beholder.video.types import Bytes, Clip, Poses

Tensor = NDArray[np.float32]
Network = Callable[[Tensor], list[Tensor]]

MODULES = {"pose_detection": "pose_detection.tflite", "pose_landmark": "pose_landmark_full.tflite"}
LONG_SIDE = 640  # px: people are looked for in frames of this size
SMALL, SQUARE = 224, 256  # px: sides of what the two networks see
STRIDES = (8, 16, 32, 32, 32)  # px of the layers of the detector, each with two anchors at each place
SURE = 0.5  # a person, or a point of the heat map, that is less sure is not there
OVERLAP = 0.3  # intersection over union: boxes that share more are of one person
MARGIN = 1.25  # of the square around the person
KERNEL = 3  # places of the heat map on either side that refine a point
LOOK_AGAIN = 5  # frames: people who come in are looked for so often
MOST = 4  # people at a time
# The points of COCO-17 among BlazePose's 33.
COCO = (0, 2, 5, 7, 8, 11, 12, 13, 14, 15, 16, 23, 24, 25, 26, 27, 28)
CENTRE, RIM = 33, 34  # further points: the middle of the hips, and one on the circle around the whole person


class Region(NamedTuple):
    """A square of the frame, turned so that its top is where the person's head is."""

    x: float
    y: float
    side: float
    angle: float  # radians, clockwise as seen


class Detection(NamedTuple):
    """A person found by the detector, in shares of its square input."""

    box: NDArray[np.float32]  # left, top, right, bottom of the face
    points: NDArray[np.float32]  # (4, 2): middle of the hips, rim of the body, middle of the shoulders, rim above
    score: float


def blazepose(clip: Clip, *, weights: str = "") -> tuple[Poses, ...]:
    """The people of a clip as COCO-17 skeletons, each followed through its frames.

    `weights` is a folder that holds the two .tflite files, if not that of an installed mediapipe. A person is followed
    from the square of the frame before; every fifth frame new ones are looked for.
    """
    detector, landmark = networks(weights)
    frames: list[list[Found]] = []
    last: list[Region] = []
    with opened(clip, LONG_SIDE) as stream:
        for at, (_, frame) in enumerate(stream.frames):
            near = last if last and at % LOOK_AGAIN else [*last, *_people(detector, frame)]
            people = list(_bodies(landmark, frame, near))
            last = [region for region, _ in people]
            frames.append([body for _, body in people])
    return followed(frames, SKELETON)


@lru_cache(maxsize=1)
def networks(weights: str = "") -> tuple[Network, Network]:
    """Detector and landmark network, ready to run."""
    try:
        from ai_edge_litert.interpreter import Interpreter  # type: ignore[import-not-found,import-untyped,unused-ignore]
    except ImportError as fault:
        raise Misuse("keypoints=blazepose needs ai-edge-litert: pip install 'beholder[pose]'") from fault
    first, second = (_network(Interpreter, file) for file in files(weights))
    return first, second


def files(weights: str = "") -> tuple[Path, Path]:
    """The two files of weights: in a given folder, or in that of an installed mediapipe, which is not imported."""
    spec = None if weights else importlib.util.find_spec("mediapipe")
    roots = [Path(weights)] if weights else [Path(place) for place in (spec and spec.submodule_search_locations) or ()]
    for root in roots:
        found = [next(iter(sorted(root.rglob(name))), None) for name in MODULES.values()]
        if found[0] and found[1]:
            return found[0], found[1]
    where = f"there are none in {weights}" if weights else "no mediapipe that has them is installed"
    raise Misuse(
        f"keypoints=blazepose needs the weights {' and '.join(MODULES.values())}, and {where}: "
        "pip install --no-deps mediapipe==0.10.21, or give the folder of the two files"
    )


def _network(interpreter: Any, file: Path) -> Network:
    made = interpreter(model_path=str(file), num_threads=1)
    made.allocate_tensors()
    into = made.get_input_details()[0]["index"]
    out = [one["index"] for one in made.get_output_details()]

    def run(image: Tensor) -> list[Tensor]:
        made.set_tensor(into, image[None])
        made.invoke()
        return [np.array(made.get_tensor(index)) for index in out]

    return run


def _people(detector: Network, frame: Bytes) -> Iterator[Region]:
    """Squares around the people of a frame, the surest first."""
    height, width = frame.shape[:2]
    scale = SMALL / max(height, width)
    shift = (SMALL - scale * width) / 2, (SMALL - scale * height) / 2
    matrix = np.array([[scale, 0, shift[0]], [0, scale, shift[1]]], np.float32)
    small = cv2.warpAffine(frame, matrix, (SMALL, SMALL), flags=cv2.INTER_AREA)
    boxes, scores = detector(small.astype(np.float32) / 127.5 - 1)
    for found in detections(boxes[0], scores[0, :, 0])[:MOST]:
        centre, rim = (found.points[:2] * SMALL - shift) / scale
        yield region(centre, rim)


@lru_cache(maxsize=1)
def anchors() -> NDArray[np.float32]:
    """(2254, 2): the centres at which the detector looks, as shares of its input."""
    found = []
    for stride in STRIDES:
        across = (np.arange(SMALL // stride) + 0.5) / (SMALL // stride)
        grid = np.stack(np.meshgrid(across, across), axis=-1).reshape(-1, 2)
        found.append(np.repeat(grid, 2, axis=0))
    # Layers of equal stride stand side by side at each place.
    last = np.repeat(found[2], len(STRIDES) - 2, axis=0)
    return np.concatenate([found[0], found[1], last]).astype(np.float32)


def detections(boxes: Tensor, scores: Tensor) -> list[Detection]:
    """From the detector's raw tensors, (2254, 12) and (2254,), to people; those that overlap are one."""
    sure = 1 / (1 + np.exp(-np.clip(scores, -80, 80)))
    keep = np.flatnonzero(sure >= SURE)
    values = boxes[keep].reshape(len(keep), 6, 2) / SMALL  # centre and size of the box, then four points
    values[:, [0, 2, 3, 4, 5]] += anchors()[keep, None]
    corners = np.concatenate([values[:, 0] - values[:, 1] / 2, values[:, 0] + values[:, 1] / 2], axis=1)
    left, found = list(np.argsort(-sure[keep], kind="stable")), []
    while left:
        own = [k for k in left if overlap(corners[left[0]], corners[k]) > OVERLAP] or left[:1]
        weight = sure[keep[own]] / sure[keep[own]].sum()
        box, points = weight @ corners[own], np.tensordot(weight, values[own, 2:], 1)
        found.append(Detection(box, points, float(sure[keep[left[0]]])))
        left = [k for k in left if k not in own]
    return found


def overlap(one: NDArray[Any], other: NDArray[Any]) -> float:
    """Intersection over union of two boxes (left, top, right, bottom)."""
    sides = np.clip(np.minimum(one[2:], other[2:]) - np.maximum(one[:2], other[:2]), 0, None)
    area = [float(np.prod(np.clip(box[2:] - box[:2], 0, None))) for box in (one, other)]
    shared = float(np.prod(sides))
    return shared / (sum(area) - shared) if shared else 0.0


def region(centre: NDArray[Any], rim: NDArray[Any]) -> Region:
    """The square around the circle through `rim` about `centre`, its top towards `rim`."""
    right, down = rim - centre
    angle = np.arctan2(right, -down)
    return Region(float(centre[0]), float(centre[1]), 2 * MARGIN * float(np.hypot(right, down)), float(angle))


def _bodies(landmark: Network, frame: Bytes, regions: Sequence[Region]) -> Iterator[tuple[Region, Found]]:
    """The people in some squares, each once, with the square in which each will be looked for next."""
    seen: list[Found] = []
    for one in regions:
        if one.side < 8:
            continue
        there, back = _square(one)
        view = cv2.warpAffine(frame, there, (SQUARE, SQUARE), flags=cv2.INTER_LINEAR)
        points, sure, _, heat, *_ = landmark(view.astype(np.float32) / 255)
        if sure.item() < SURE:
            continue
        places, confidence = refined(points.reshape(39, 5), heat[0])
        places = places @ back[:, :2].T + back[:, 2]
        body = Found(places[list(COCO)] / (frame.shape[1], frame.shape[0]), confidence[list(COCO)])
        if body.confidence.mean() > SURE and len(seen) < MOST and not any(same(body, other) for other in seen):
            seen.append(body)
            yield region(places[CENTRE], places[RIM]), body


def _square(one: Region) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """From the frame to the square's pixels, and back."""
    cos, sin = np.cos(one.angle), np.sin(one.angle)
    turn = one.side / SQUARE * np.array([[cos, -sin], [sin, cos]])
    back = np.column_stack([turn, (one.x, one.y) - turn @ (SQUARE / 2, SQUARE / 2)])
    return cv2.invertAffineTransform(back), back


def refined(raw: Tensor, heat: Tensor) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(39, 5) points in px of the square, and (64, 64, 39) heat → places, px, and how sure each is to be seen.

    A point moves to the centre of the heat around it where any of that is sure.
    """
    confidence = 1 / (1 + np.exp(-raw[:, 3:5].astype(float)))
    places = raw[:, :2].astype(float)
    cell = SQUARE / heat.shape[0]
    for k, (x, y) in enumerate(np.floor(places / cell).astype(int)):
        if not (0 <= x < heat.shape[1] and 0 <= y < heat.shape[0]):
            continue
        top, left = max(y - KERNEL, 0), max(x - KERNEL, 0)
        near = 1 / (1 + np.exp(-heat[top : y + KERNEL + 1, left : x + KERNEL + 1, k].astype(float)))
        if near.max() >= SURE:
            rows, columns = np.mgrid[top : top + near.shape[0], left : left + near.shape[1]]
            places[k] = cell * (near * columns).sum() / near.sum(), cell * (near * rows).sum() / near.sum()
    return places, confidence.min(axis=1)
