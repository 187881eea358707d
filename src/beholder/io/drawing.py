"""Small pictures for pages: pixels as the bytes of a .webp, and drawings as the text of an SVG."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

QUALITY, EFFORT = 75, 1  # of 100 and of 6: more effort makes files a twentieth smaller and takes three times as long
FEW = 64  # colours of a picture that is kept without loss: the edges of classes stay sharp, and it is smaller so


def webp(picture: NDArray[np.uint8]) -> bytes:
    """A picture, (H, W, 3) or (H, W, 4), as a file; one of few colours without loss."""
    from PIL import Image

    out = BytesIO()
    Image.fromarray(picture).save(out, format="webp", method=EFFORT, **_how(picture))
    return out.getvalue()


def _how(picture: NDArray[np.uint8]) -> dict[str, Any]:
    wide = picture.reshape(-1, picture.shape[-1]).astype(np.uint32)
    codes = wide @ (1 << 8 * np.arange(wide.shape[1], dtype=np.uint32))
    if len(np.unique(codes)) <= FEW:
        return {"lossless": True, "quality": 20}
    return {"quality": QUALITY, "alpha_quality": QUALITY}


def svg(shape: Sequence[float], *parts: str) -> str:
    """A drawing of a height and width, in their units."""
    height, width = shape[:2]
    size = f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(parts)}</svg>\n'


def size_of(drawing: str) -> tuple[int, int]:
    """The height and width of what `svg` has drawn.

    >>> size_of(svg((30, 40)))
    (30, 40)
    """
    width, height = drawing.partition('viewBox="0 0 ')[2].partition('"')[0].split()
    return round(float(height)), round(float(width))


def embedded(picture: NDArray[np.uint8], shape: Sequence[float]) -> str:
    """A picture within a drawing of this height and width, which it fills."""
    data = b64encode(webp(picture)).decode()
    size = f'width="{shape[1]:g}" height="{shape[0]:g}"'
    return f'<image {size} preserveAspectRatio="none" href="data:image/webp;base64,{data}"/>'


def points(places: NDArray[np.float64]) -> str:
    """Places (x, y) as a polyline has them.

    >>> points(np.array([[0.0, 1.25], [10.0, 3.0]]))
    '0,1.2 10,3'
    """
    return " ".join(f"{x:.1f},{y:.1f}".replace(".0", "") for x, y in places)
