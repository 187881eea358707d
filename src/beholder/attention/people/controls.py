"""Shuffled controls: where people looked on other pictures, scaled to the size of this one.

A dataset makes them from all its pictures before it is sliced, so a slice has the controls of the whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from beholder.attention.types import Controls, Floats, Scanpath

MOST = 200_000  # controls of one picture: MIT1003 has half of it; beyond, more of them change no third digit

Shape = tuple[int, int]
Paths = Mapping[str, Scanpath]


@dataclass(frozen=True, eq=False)
class FixationPool:
    """Every fixation of a dataset, with the size of the picture that it was made on."""

    points: Floats  # (n, 2), px of the picture that was looked at
    onset_ms: Floats
    picture: NDArray[np.intp]  # (n,), index into `pictures`
    observer: NDArray[np.intp]  # (n,), index into `observers`
    pictures: tuple[str, ...]
    observers: NDArray[np.str_]
    sides: Floats  # (pictures, 2): width and height

    def controls_for(self, id: str, shape: Shape, *, most: int = MOST) -> Controls:
        """The fixations of all pictures but one, scaled to a picture of `shape`, floored, and clipped into it.

        Where there are more than `most`, that many are drawn without replacement, seeded by the id alone.
        """
        own = self.pictures.index(id) if id in self.pictures else -1
        taken = np.flatnonzero(self.picture != own)
        count = len(set(self.pictures) - {id})
        rule = f"fixations on {count} other pictures, scaled by the ratio of the sizes, floored, clipped"
        if len(taken) > most:
            rule += f"; {most} of {len(taken)}, drawn by the picture's id"
            taken = np.sort(np.random.default_rng(crc32(id.encode())).choice(taken, most, replace=False))
        size = np.array(shape[::-1], np.float64)
        scaled = self.points[taken] * (size / self.sides[self.picture[taken]])
        return Controls(
            np.clip(np.floor(scaled), 0, size - 1),
            self.observers[self.observer[taken]],
            self.onset_ms[taken],
            np.array(self.pictures, np.str_)[self.picture[taken]],
            rule,
        )


def pool_fixations(looked: Mapping[str, Paths], shapes: Mapping[str, Shape]) -> FixationPool:
    """Pool the fixations of some pictures; pictures of unknown size cannot be scaled and stay out.

    >>> from beholder.attention.types import scanpath
    >>> paths = {"a": {"me": scanpath([1], [1])}, "b": {"me": scanpath([9.5], [3])}}
    >>> both = pool_fixations(paths, {"a": (4, 8), "b": (8, 16)})
    >>> both.controls_for("a", (4, 8)).points
    array([[4., 1.]])
    """
    names = tuple(name for name in looked if name in shapes)
    observers = sorted({who for name in names for who in looked[name]})
    code = {who: at for at, who in enumerate(observers)}
    parts = [(at, code[who], path) for at, name in enumerate(names) for who, path in looked[name].items()]
    lengths = [len(path) for _, _, path in parts]
    return FixationPool(
        np.concatenate([np.empty((0, 2)), *(path.points for _, _, path in parts)]),
        np.concatenate([np.empty(0), *(path.onset_ms for _, _, path in parts)]),
        np.repeat(np.array([at for at, _, _ in parts], np.intp), lengths),
        np.repeat(np.array([who for _, who, _ in parts], np.intp), lengths),
        names,
        np.array(observers, np.str_),
        np.array([shapes[name][::-1] for name in names], np.float64).reshape(-1, 2),
    )
