"""Where faces are, by OpenCV's cascade."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.attention.maps.patches import shrink_to
from beholder.attention.maps.scaling import LUMA, colours
from beholder.attention.types import Picture
from beholder.vision.scales import Image

LONGER = 1024  # px: more tells the cascade nothing new
STEP, VOTES, LEAST = 1.1, 4, 24  # ratio of sizes that are tried; boxes that must agree; px of the smallest face (ours)


def face_map(picture: Picture, shape: tuple[int, int]) -> Image:
    """Gaussians on all faces, 1 at each one's middle, their σ half its width and height; the greater where two meet."""
    found = np.zeros(shape, np.float32)
    for left, top, width, height in faces(picture) * np.array([*shape[::-1], *shape[::-1]]):
        down = _bell(shape[0], top + height / 2, height / 2)
        right = _bell(shape[1], left + width / 2, width / 2)
        found = np.maximum(found, np.outer(down, right))
    return np.asarray(found, np.float32)


def _bell(n: int, middle: float, sigma: float) -> NDArray[np.float64]:
    return np.asarray(np.exp(-(((np.arange(n) + 0.5 - middle) / sigma) ** 2) / 2))


def faces(picture: Picture) -> NDArray[np.float64]:
    """(n, 4): left, top, width and height of each face, in sides of the picture."""
    grey = shrink_to(colours(picture), LONGER) @ LUMA
    shown = np.rint(255 * grey).astype(np.uint8)
    boxes = _cascade().detectMultiScale(shown, STEP, VOTES, minSize=(LEAST, LEAST))
    rows, columns = shown.shape
    return np.asarray(np.reshape(boxes, (-1, 4)) / np.array([columns, rows, columns, rows]))


@cache
def _cascade() -> Any:
    import cv2

    file = Path(cv2.__file__).parent / "data" / "haarcascade_frontalface_alt2.xml"
    cascade = cv2.CascadeClassifier(str(file)) if file.exists() else None
    if cascade is None or cascade.empty():
        raise FileNotFoundError(
            f"got no {file.name} from OpenCV {cv2.__version__}; expected it in its wheel; install "
            "opencv-contrib-python-headless 4, or use judd_like(faces=false)"
        )
    return cascade
