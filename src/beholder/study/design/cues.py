"""Trivial cues: how well the classes of a study can be told apart without looking at what is meant to be judged.

Where a person's dot rests most of the time and a model's never does, people who answer right have not judged where it
looks. So each cue of the shown things alone, such as the share of time at rest, is given the area under its ROC curve
between the classes that are scored: 0.5 tells nothing, 1 tells all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.io.reading import parse_json
from beholder.study.design.file import Shown, Study

Floats = NDArray[np.float64]

REST = 0.5  # picture widths a second: slower than this, the dot rests; some 15 deg/s on a picture of 30 deg
STRONG = 0.75  # a cue above this tells the classes apart well enough to be what people go by
DRAWS = 1000
FILMS = (".mp4", ".webm")


class Cue(NamedTuple):
    """A cue, and how well it alone tells the signal from the other scored classes."""

    name: str
    auc: float  # 0.5 … 1: in the direction in which it tells more
    lo: float  # 95 % interval over groups, such as pictures; in the same direction, so that it may lie below 0.5
    hi: float
    n: int  # items
    says: str  # a sentence

    @property
    def strong(self) -> bool:
        """Whether it could be all that people go by."""
        return self.auc >= STRONG and self.lo > 0.5


def cues(study: Study, folder: Path) -> list[Cue]:
    """The cues of a study whose media and tracks lie in `folder`, the strongest first.

    There are none where no classes are scored, such as where several generators are rated. Files that cannot be read
    are passed over: `check` names them.
    """
    signal, noises = study.signal, study.noises
    shown = [item for item in study.items if item.use == "trial" and item.kind in (signal, *noises)]
    values: dict[str, list[tuple[Shown, float]]] = {}
    for item in shown:
        for name, value in _facts(item, folder).items():
            values.setdefault(name, []).append((item, value))
    found = (_cue(name, own, signal, noises) for name, own in values.items())
    return sorted((cue for cue in found if cue), key=lambda cue: -cue.auc)


def _cue(name: str, own: Sequence[tuple[Shown, float]], signal: str, noises: Sequence[str]) -> Cue | None:
    """One cue; nothing where it is known of only one of the classes."""
    places: dict[str, int] = {}
    group = np.array([places.setdefault(item.group or item.id, len(places)) for item, _ in own])
    is_signal = np.array([item.kind == signal for item, _ in own])
    if is_signal.all() or not is_signal.any():
        return None
    value = np.array([value for _, value in own])
    area, lo, hi = grouped_auc(value, is_signal, group)
    others = " and ".join(noises)
    more, fewer = (signal, others) if area >= 0.5 else (others, signal)
    if area < 0.5:
        area, lo, hi = 1 - area, 1 - hi, 1 - lo
    middles = [float(np.median(value[of])) for of in (is_signal, ~is_signal)]
    says = (
        f"{name}: AUC {area:.2f} [{lo:.2f}, {hi:.2f}]; higher for {more} than for {fewer} "
        f"(median {middles[0]:.3g} for {signal}, {middles[1]:.3g} for {others})"
    )
    return Cue(name, area, lo, hi, len(own), says)


def grouped_auc(value: Floats, signal: NDArray[np.bool_], group: NDArray[np.int64]) -> tuple[float, float, float]:
    """The chance that a signal's value is above another's, ties counting one half, and its interval.

    The interval is of a bootstrap over groups: the tracks on one picture are drawn together. Where all are told apart,
    of which a bootstrap knows no spread, it is Wilson's of as many trials as the smaller class has items.

    >>> grouped_auc(np.array([2.0, 1.0, 4.0, 3.0]), np.array([True, False, True, False]), np.array([0, 0, 1, 1]))[0]
    0.75
    """
    from beholder.stats.bootstrap import counts, interval
    from beholder.stats.proportion import wilson

    above = np.sign(value[signal][:, None] - value[~signal][None, :]) / 2 + 0.5
    area = float(above.mean())
    if area in (0.0, 1.0):
        fewest = min(above.shape)
        return (area, *wilson(area * fewest, fewest))
    drawn = []
    for block in counts(int(group.max()) + 1, draws=DRAWS, rng=np.random.default_rng(0)):
        weight = block[:, group]
        ours, others = weight[:, signal], weight[:, ~signal]
        pairs = ours.sum(axis=1) * others.sum(axis=1)
        held = pairs > 0  # a draw without one of the classes says nothing
        drawn.append(((ours @ above) * others).sum(axis=1)[held] / pairs[held])
    lo, hi = interval(np.concatenate(drawn)[:, None])
    return area, float(lo[0]), float(hi[0])


def _facts(item: Shown, folder: Path) -> Mapping[str, float]:
    """What is known of an item without judging it."""
    try:
        if item.show == "track":
            return dict(of_track(_read(folder / item.track), _aspect(folder / item.media)))
        return dict(_of_file(folder / item.media))
    except Exception:  # noqa: BLE001 each reader has errors of its own, and `check` names them
        return {}


def of_track(track: Floats, aspect: float = 1.0) -> Iterator[tuple[str, float]]:
    """Cues of a track (seconds, x, y as shares of the picture, which is `aspect` times as high as wide).

    >>> still = np.array([[0.0, 0.5, 0.5], [0.5, 0.5, 0.5], [1.0, 0.5, 0.5]])
    >>> dict(of_track(still))["share of time at rest"]
    1.0
    """
    points = track[:, 1:] * (1.0, aspect)
    took = np.diff(track[:, 0])
    steps = np.hypot(*np.diff(points, axis=0).T)
    speed = steps / took
    rests = speed < REST
    yield "share of time at rest", float(took[rests].sum() / took.sum())
    yield "stops", float((np.diff(rests.astype(np.int8), prepend=0) == 1).sum())
    yield "median speed", float(np.median(speed))
    yield "peak speed", float(speed.max())
    yield "path length", float(steps.sum())
    yield "distance of the start from the centre", float(np.hypot(*(points[0] - (0.5, aspect / 2))))
    # from one sample to the next while it rests: noise of a recording, or of none
    bends = np.hypot(*np.diff(points, n=2, axis=0).T)[rests[1:] & rests[:-1]]
    if len(bends):
        yield "jitter at rest", float(np.median(bends))


def _read(path: Path) -> Floats:
    said = parse_json(path.read_text("utf-8"))
    return np.asarray(said["track"] if isinstance(said, dict) else said, np.float64)


def _aspect(path: Path) -> float:
    """How high a picture or film is for its width; 1 where there is none."""
    if not path.is_file():
        return 1.0
    width, height = _sizes(path)[:2]
    return height / width


def _of_file(path: Path) -> Iterator[tuple[str, float]]:
    width, height, luminance, seconds = _sizes(path, whole=True)
    yield "file size", float(path.stat().st_size)
    yield "pixels", width * height
    yield "mean luminance" if path.suffix.lower() not in FILMS else "luminance of the first frame", luminance
    if seconds:
        yield "duration", seconds


def _sizes(path: Path, *, whole: bool = False) -> tuple[float, float, float, float]:
    """Width, height, luminance (if `whole`) and seconds (of a film)."""
    look: Callable[[Path, bool], tuple[float, float, float, float]]
    look = _film if path.suffix.lower() in FILMS else _picture
    return look(path, whole)


def _picture(path: Path, whole: bool) -> tuple[float, float, float, float]:
    from beholder.io import image

    with image.opened(path) as picture:
        luminance = float(np.asarray(picture.convert("L")).mean()) if whole else 0.0
        return float(picture.width), float(picture.height), luminance, 0.0


def _film(path: Path, whole: bool) -> tuple[float, float, float, float]:
    from beholder.io.film import open_film

    with open_film(path) as film:
        stream = film.streams.video[0]
        luminance = float(next(film.decode(video=0)).to_ndarray(format="gray").mean()) if whole else 0.0
        return float(stream.width), float(stream.height), luminance, float(film.duration or 0) / 1e6
