"""What a model of attention sees and answers, and what people did: pictures, maps, densities, scanpaths."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Outside = Literal["drop", "clip", "raise"]
OFF = 1e-3  # nats: how far the log of a density's total may be from 0 (the Tübingen benchmark's rule)


@dataclass(frozen=True, eq=False)
class Picture:
    """What was looked at: grey levels or colours, 0 … 255, sRGB; NaN px_per_deg where the geometry is not known."""

    pixels: NDArray[np.uint8]  # (H, W, 3), or (H, W) for grey
    px_per_deg: float = np.nan

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.pixels.shape[0], self.pixels.shape[1]


@dataclass(frozen=True, eq=False)
class Salience:
    """A map on any scale: the higher, the more it draws the eye. `by` names the people it was made from."""

    values: Floats  # (H, W)
    by: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Density:
    """The probability of a fixation in each pixel, as natural logarithms that add up to 1."""

    log: Floats  # (H, W)
    by: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Scanpath:
    """Fixations in order: where, when and for how long; NaN where times are not known.

    Points are (x, y) in px of the picture, origin upper left; pixel i covers [i, i + 1).
    """

    x: Floats
    y: Floats
    onset_ms: Floats
    duration_ms: Floats
    signals: Mapping[str, Floats] = field(default_factory=dict)  # pupil or anything else, one value per fixation
    by: str = ""  # the person who made it, if one did: it is never compared with that person

    def __len__(self) -> int:
        return len(self.x)

    @property
    def points(self) -> Floats:
        """(n, 2): x and y of each fixation."""
        return np.stack([self.x, self.y], axis=1)

    def at(self, which: Any) -> Scanpath:
        """Some of the fixations: a mask, a slice or indices."""
        signals = {name: values[which] for name, values in self.signals.items()}
        return Scanpath(self.x[which], self.y[which], self.onset_ms[which], self.duration_ms[which], signals, self.by)


def scanpath(
    x: ArrayLike,
    y: ArrayLike,
    *,
    onset_ms: ArrayLike | None = None,
    duration_ms: ArrayLike | None = None,
    **signals: Any,
) -> Scanpath:
    """Make a scanpath from columns of any kind: scalars become one-dimensional, missing times are NaN.

    >>> len(scanpath(3, 4)), len(scanpath([], [])), scanpath([1, 2], [3, 4]).duration_ms
    (1, 0, array([nan, nan]))
    """
    columns = {"x": x, "y": y, "onset_ms": onset_ms, "duration_ms": duration_ms} | signals
    flat = {name: np.asarray(values, float).ravel() for name, values in columns.items() if values is not None}
    n = len(flat["x"])
    uneven = {name: len(values) for name, values in flat.items() if len(values) != n}
    if uneven:
        raise ValueError(f"got {n} values of x and {uneven}; expected as many of each: one per fixation")
    unknown = np.full(n, np.nan)
    times = flat.get("onset_ms", unknown), flat.get("duration_ms", unknown)
    return Scanpath(flat["x"], flat["y"], *times, {name: flat[name] for name in signals})


@dataclass(frozen=True, eq=False)
class Controls:
    """Fixations made on other pictures, scaled to the size of this one: shuffled measures compare with them."""

    points: Floats  # (n, 2), inside the picture
    observer: NDArray[np.str_]  # (n,), who made each
    onset_ms: Floats  # (n,), NaN where it is not known
    picture: NDArray[np.str_]  # (n,), on which picture
    rule: str = "scaled by the ratio of the pictures' sizes"


@dataclass(frozen=True, eq=False)
class Lookers:
    """Everybody who looked at one picture: the reference of a dataset's sample.

    Where somebody was left out, `everyone` is still the whole group: measures that by the field's convention compare
    with the map of all observers read that.
    """

    paths: Mapping[str, Scanpath]  # by observer, all fixations inside the picture
    shape: tuple[int, int]  # rows, columns
    px_per_deg: float = np.nan
    controls: Controls | None = None
    groups: Mapping[str, str] = field(default_factory=dict)  # observer → group (age, expertise, task …)
    dropped: int = 0  # fixations that lay outside the picture
    status: str = ""
    whole: Lookers | None = None

    @property
    def everyone(self) -> Lookers:
        """The whole group."""
        return self.whole or self

    @property
    def points(self) -> Floats:
        """(n, 2): all fixations, observer after observer."""
        x, y = ([getattr(path, axis) for path in self.paths.values()] for axis in "xy")
        return np.stack([np.concatenate([np.empty(0), *one]) for one in (x, y)], axis=1)

    def without(self, who: str) -> Lookers:
        """Everybody but one."""
        others = {name: path for name, path in self.paths.items() if name != who}
        return replace(self, paths=others, whole=self.everyone)

    def only(self, who: str) -> Lookers:
        """One observer alone."""
        return replace(self, paths={who: self.paths[who]}, whole=self.everyone)


def keep_inside(path: Scanpath, shape: tuple[int, int], outside: Outside = "drop") -> tuple[Scanpath, int]:
    """Keep the fixations inside a picture; also return how many lay outside (NaN does). Nothing ever wraps.

    "drop" leaves those outside out, "clip" moves them to the border (NaN is dropped), "raise" refuses.

    >>> path, off = keep_inside(scanpath([-1, 5, 10], [0, 0, 0]), (8, 10))
    >>> path.x, off
    (array([5.]), 2)
    """
    height, width = shape
    held = (path.x >= 0) & (path.x < width) & (path.y >= 0) & (path.y < height)
    off = int((~held).sum())
    if outside == "raise" and off:
        first = int(np.flatnonzero(~held)[0])
        raise ValueError(
            f"got fixation {first} at ({path.x[first]:g}, {path.y[first]:g}); expected points inside {width} x {height}"
        )
    if outside == "clip":
        known = np.isfinite(path.x) & np.isfinite(path.y)
        below = np.nextafter([width, height], 0)
        kept = path.at(known)
        return replace(kept, x=np.clip(kept.x, 0, below[0]), y=np.clip(kept.y, 0, below[1])), off
    if outside not in ("drop", "raise"):
        raise ValueError(f"got outside={outside!r}; expected 'drop', 'clip' or 'raise'")
    return path.at(held), off


def accept_map(raw: Any, picture: Picture) -> Salience | Density:
    """Accept a model's answer: an array of the picture's size is a map; a `Density` must add up to 1.

    A constant map is accepted (it says nothing, and scores as chance). A map with a value that is not finite is
    refused; a log density may hold −inf.
    """
    if isinstance(raw, Density):
        return _density(raw, picture)
    answer = raw if isinstance(raw, Salience) else Salience(np.asarray(raw))
    values = answer.values
    if values.dtype.kind not in "fiub":
        raise ValueError(f"got a map of {values.dtype}; expected real numbers")
    if values.shape != picture.shape:
        raise ValueError(f"got a map of shape {values.shape}; expected {picture.shape}, that of the picture; resize it")
    bad = int((~np.isfinite(values)).sum())
    if bad:
        raise ValueError(f"got {bad} values of {values.size} that are not finite; expected a number in every pixel")
    return Salience(np.asarray(values, np.float64), answer.by)


def _density(answer: Density, picture: Picture) -> Density:
    log = np.asarray(answer.log, np.float64)
    if log.shape != picture.shape:
        raise ValueError(f"got a density of shape {log.shape}; expected {picture.shape}, that of the picture")
    if np.isnan(log).any() or (log == np.inf).any():
        raise ValueError("got a log density with NaN or +inf; expected natural logarithms, -inf where nobody looks")
    top = log.max()
    total = top + np.log(np.exp(log - top).sum()) if np.isfinite(top) else -np.inf
    if not abs(total) < OFF:
        raise ValueError(
            f"got a log density whose logsumexp is {total:.4g}; expected 0 ± {OFF:g}: probabilities of all pixels "
            "add up to 1; subtract the logsumexp"
        )
    return Density(log - total, answer.by)
