"""How a scanpath is marked on a picture: a line, numbered circles, and the picture washed out behind them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from beholder.attention.types import Floats, Picture, Scanpath

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FINE = 500  # px: no panel shows more
LIGHT = 0.5  # of a picture's contrast is left: marks must stand out on it
AREA = 0.22  # points² of a circle for each ms: a fixation of 300 ms has a diameter of 8 points
LEAST, LONGEST, UNKNOWN = 60.0, 1200.0, 200.0  # ms: circles of fixations below, above, and of unknown duration
ROOMY = 30.0  # points²: a smaller circle has no room for two digits
NUMBERS = 24  # fixations that are numbered one by one; of longer paths every fifth, and the last


def path_on(axes: Axes, path: Scanpath, *, colour: str, numbered: bool = True) -> None:
    """One scanpath: a line, and a circle for each fixation with its number, the area as the duration."""
    from matplotlib.patheffects import Normal, Stroke

    cased = [Stroke(linewidth=2.4, foreground="white"), Normal()]
    axes.plot(path.x, path.y, "-", color=colour, linewidth=1.2, zorder=3, path_effects=cased)
    axes.scatter(path.x, path.y, s=areas(path), color=colour, edgecolors="white", linewidths=0.6, alpha=0.85, zorder=4)
    for at in labelled(len(path)) if numbered else ():
        _numbered(axes, at + 1, (path.x[at], path.y[at]), colour=colour, small=areas(path)[at] < ROOMY)


def _numbered(axes: Axes, number: int, place: tuple[float, float], *, colour: str, small: bool) -> None:
    """The number of a fixation: in its circle, or beside one that has no room for it."""
    from matplotlib.patheffects import Normal, Stroke

    if not small:
        axes.annotate(
            str(number), place, size=5, color="white", ha="center", va="center_baseline", zorder=5, clip_on=True
        )
        return
    cased = [Stroke(linewidth=1.6, foreground="white"), Normal()]
    axes.annotate(
        str(number), place, xytext=(2.5, 2.5), textcoords="offset points", size=5, color=colour, zorder=5,
        path_effects=cased, clip_on=True,
    )  # fmt: skip


def areas(path: Scanpath) -> Floats:
    """The area of each fixation's circle in points²: as its duration, from 60 to 1200 ms; unknown ones as 200 ms.

    >>> from beholder.attention.types import scanpath
    >>> areas(scanpath([0, 1, 2], [0, 0, 0], duration_ms=[300, 9999, float("nan")]))
    array([ 66., 264.,  44.])
    """
    known = np.where(path.duration_ms > 0, path.duration_ms, UNKNOWN)
    return np.asarray(AREA * np.clip(known, LEAST, LONGEST))


def labelled(count: int) -> list[int]:
    """Which fixations are numbered: all of up to 24; of more every fifth, and the first and the last.

    >>> labelled(3), labelled(27)
    ([0, 1, 2], [0, 4, 9, 14, 19, 24, 26])
    """
    if count <= NUMBERS:
        return list(range(count))
    return sorted({0, *range(4, count, 5), count - 1})


def washed(picture: Picture) -> NDArray[np.float64]:
    """A picture in pale colours, 0 … 1, (H, W, 3), for paths to lie on; thinned to what a panel shows."""
    step = max(1, max(picture.shape) // FINE)
    pixels = picture.pixels[::step, ::step] / 255
    coloured = pixels if pixels.ndim == 3 else np.repeat(pixels[..., None], 3, axis=2)
    return np.asarray(1 - LIGHT * (1 - coloured[..., :3]))


def ground_on(axes: Axes, ground: Floats, shape: tuple[int, int]) -> None:
    """A pale picture with its pixels where they were before it was thinned."""
    axes.imshow(ground, extent=(0, shape[1], shape[0], 0))
    axes.set_axis_on()
    axes.set(xticks=[], yticks=[], xlim=(0, shape[1]), ylim=(shape[0], 0))
    axes.spines[:].set(color="#808080", linewidth=0.5)
