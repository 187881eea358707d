"""What a model of attention sees and answers, and what people did: pictures, maps, densities, scanpaths."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from beholder.errors import Misuse

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Outside = Literal["drop", "clip", "raise"]
BLOCK = 1 << 15  # values that stay in a core's own cache
ROUNDING = 1e-13  # nats: what the log of a total of 1 may be off by when it is added up
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
    lost: Flags | None = None  # per fixation: whether one between it and the one before was left out; None: nowhere

    def __len__(self) -> int:
        return len(self.x)

    @property
    def points(self) -> Floats:
        """(n, 2): x and y of each fixation."""
        found = np.empty((len(self.x), 2))
        found[:, 0], found[:, 1] = self.x, self.y
        return found

    @property
    def joined(self) -> Flags:
        """(n − 1,): whether a saccade leads from each fixation to the next: not where one between was left out."""
        return np.ones(max(0, len(self) - 1), np.bool_) if self.lost is None else ~self.lost[1:]

    def at(self, which: Any) -> Scanpath:
        """Some of the fixations: a mask, a slice or indices."""
        signals = {name: values[which] for name, values in self.signals.items()}
        columns = self.x[which], self.y[which], self.onset_ms[which], self.duration_ms[which]
        return Scanpath(*columns, signals, self.by, None if self.lost is None else _between(self.lost, which))


def _between(gone: Flags, which: Any) -> Flags:
    """Of some fixations: whether between each and the one before there is a mark (that of the later one included)."""
    counts = np.cumsum(gone)[which]
    return np.asarray(np.diff(counts, prepend=counts[:1]) != 0)


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
        raise ValueError(f"got {n} values of x and {uneven}; expected the same number of each: one per fixation")
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

    Every fixation lies inside the picture, and no duration is below 0 or infinite: anything else is refused here, where
    every dataset passes (`keep_inside` brings paths into a picture; times that are not known are NaN).

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

    def __post_init__(self) -> None:
        check_positive(px_per_deg=self.px_per_deg)
        if self.whole is None and not _all_right(list(self.paths.values()), self.shape):
            for who, path in self.paths.items():  # part of a group that was checked is not checked again
                _check_person(path, self.shape, who)

    @property
    def everyone(self) -> Lookers:
        """The whole group."""
        return self.whole or self

    @property
    def points(self) -> Floats:
        """(n, 2): all fixations, observer after observer."""
        paths = self.paths.values()
        found = np.empty((sum(len(path.x) for path in paths), 2))
        if paths:
            np.concatenate([path.x for path in paths], out=found[:, 0])
            np.concatenate([path.y for path in paths], out=found[:, 1])
        return found

    def without(self, who: str) -> Lookers:
        """Everybody but one."""
        others = {name: path for name, path in self.paths.items() if name != who}
        return replace(self, paths=others, whole=self.everyone)

    def only(self, who: str) -> Lookers:
        """One observer alone."""
        return replace(self, paths={who: self.paths[who]}, whole=self.everyone)


def check_positive(**numbers: float) -> None:
    """Refuse settings that are 0, negative or infinite; NaN is one that is not known."""
    for name, value in numbers.items():
        if not np.isnan(value) and not 0 < value < np.inf:
            raise Misuse(f"got {name}={value:g}; expected a number above 0, or nothing where it is not known")


def _all_right(paths: list[Scanpath], shape: tuple[int, int]) -> bool:
    """Whether nothing is to be refused, in one pass over everybody."""
    columns = [[getattr(path, name) for path in paths] for name in ("x", "y", "onset_ms", "duration_ms")]
    if any(len(set(map(len, row))) > 1 for row in zip(*columns, strict=True)):
        return False
    x, y, onset_ms, duration_ms = (np.concatenate([np.empty(0), *column]) for column in columns)
    everybody = Scanpath(x, y, onset_ms, duration_ms)
    return bool(_inside(everybody, shape).all() and not _wrong_times(everybody).any())


def _wrong_times(path: Scanpath) -> Flags:
    return np.asarray((path.duration_ms < 0) | np.isinf(path.duration_ms) | np.isinf(path.onset_ms))


def _check_person(path: Scanpath, shape: tuple[int, int], who: str) -> None:
    """Refuse what is no record of a person: places outside the picture or unknown, times that cannot be."""
    columns = {"y": path.y, "onset_ms": path.onset_ms, "duration_ms": path.duration_ms}
    uneven = {name: len(values) for name, values in columns.items() if len(values) != len(path)}
    if uneven:
        raise ValueError(f"observer {who}: got {len(path)} values of x and {uneven}; expected the same number of each")
    held = _inside(path, shape)
    if not held.all():
        first = int(np.flatnonzero(~held)[0])
        raise ValueError(
            f"observer {who}: got fixation {first} at ({path.x[first]:g}, {path.y[first]:g}); expected every one "
            f"inside {shape[1]} x {shape[0]}; `types.keep_inside` drops or clips the others"
        )
    wrong = _wrong_times(path)
    if wrong.any():
        first = int(np.flatnonzero(wrong)[0])
        raise ValueError(
            f"observer {who}: got fixation {first} of {path.duration_ms[first]:g} ms, begun at "
            f"{path.onset_ms[first]:g} ms; expected finite times and 0 ms or more, NaN where unknown"
        )


def _inside(path: Scanpath, shape: tuple[int, int]) -> Flags:
    """Which fixations lie in a pixel; NaN does not."""
    return np.asarray((path.x >= 0) & (path.x < shape[1]) & (path.y >= 0) & (path.y < shape[0]))


def keep_inside(path: Scanpath, shape: tuple[int, int], outside: Outside = "drop") -> tuple[Scanpath, int]:
    """Keep the fixations inside a picture; also return how many lay outside (NaN does). Nothing ever wraps.

    "drop" leaves those outside out, "clip" moves them to the border (NaN is dropped), "raise" refuses. Where one was
    left out no saccade joins its neighbours: see `Scanpath.joined`.

    >>> path, off = keep_inside(scanpath([-1, 5, 10], [0, 0, 0]), (8, 10))
    >>> path.x, off
    (array([5.]), 2)
    >>> keep_inside(scanpath([1, 2, -9, 4], [0, 0, 0, 0]), (8, 10))[0].joined
    array([ True, False])
    """
    height, width = shape
    held = _inside(path, shape)
    off = int((~held).sum())
    if outside == "raise" and off:
        first = int(np.flatnonzero(~held)[0])
        raise ValueError(
            f"got fixation {first} at ({path.x[first]:g}, {path.y[first]:g}); expected points inside {width} x {height}"
        )
    if outside == "clip":
        below = np.nextafter([width, height], 0)
        kept = _without_others(path, np.isfinite(path.x) & np.isfinite(path.y))
        return replace(kept, x=np.clip(kept.x, 0, below[0]), y=np.clip(kept.y, 0, below[1])), off
    if outside not in ("drop", "raise"):
        raise ValueError(f"got outside={outside!r}; expected 'drop', 'clip' or 'raise'")
    return _without_others(path, held), off


def _without_others(path: Scanpath, held: Flags) -> Scanpath:
    """The fixations that are held; it is marked where one before was left out."""
    if held.all():
        return path.at(held)
    gone = np.zeros(len(path), np.bool_) if path.lost is None else path.lost
    return replace(path.at(held), lost=_between(gone | ~held, held))


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
    bad = values.size - int(np.count_nonzero(np.isfinite(values)))
    if bad:
        raise ValueError(f"got {bad} values of {values.size} that are not finite; expected a number in every pixel")
    return Salience(np.asarray(values, np.float64), answer.by)


def _density(answer: Density, picture: Picture) -> Density:
    log = np.asarray(answer.log, np.float64)
    if log.shape != picture.shape:
        raise ValueError(f"got a density of shape {log.shape}; expected {picture.shape}, that of the picture")
    top = log.max()  # NaN where there is one
    if np.isnan(top) or top == np.inf:
        raise ValueError("got a log density with NaN or +inf; expected natural logarithms, -inf where nobody looks")
    total = float(top + np.log(_sum_of_exp(log, top))) if np.isfinite(top) else -np.inf
    if not abs(total) < OFF:
        raise ValueError(
            f"got a log density whose logsumexp is {total:.4g}; expected 0 ± {OFF:g}: the probabilities of all "
            "pixels must add up to 1; subtract the logsumexp"
        )
    return Density(log - (0.0 if abs(total) < ROUNDING else total), answer.by)  # a copy: it is the model's array


def _sum_of_exp(log: Floats, top: float) -> float:
    """Σ exp(log − top), some values at a time, so that they are fetched once."""
    flat, kept = log.ravel(), np.empty(min(BLOCK, log.size))
    total = 0.0
    for at in range(0, flat.size, BLOCK):
        own = flat[at : at + BLOCK]
        each = np.subtract(own, top, out=kept[: own.size])
        total += float(np.add.reduce(np.exp(each, out=each)))
    return total
