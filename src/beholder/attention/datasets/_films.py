"""Recorded gaze on films as a dataset: stretches of films, shown small enough to be held, with paths in their px."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from beholder.attention.datasets import _folder
from beholder.attention.datasets._gaze import DONE, Card
from beholder.attention.maps.features import ASSUMED, Clip, Unseen
from beholder.attention.maps.scaling import fitting
from beholder.attention.people.controls import FixationPool, Shape, pool_fixations
from beholder.attention.types import Floats, Lookers, Outside, Scanpath, keep_inside, scanpath
from beholder.core.sample import Dataset, Sample, remark
from beholder.errors import Misuse
from beholder.io import film

SIDE = 320  # px of the longer side as shown: 17 s of 25 Hz are then 100 MB

Shown = Clip | Unseen


def geometry_note(px_per_deg: float) -> str:
    """What a card says of px per degree of the films.

    They must be assumed where nobody published them: what takes 35 px for a degree would take 35 of the small px of the
    films as they are shown here, of which a film has nine degrees.
    """
    if px_per_deg == ASSUMED:
        return f"ASSUMED to be {ASSUMED:g} of the film, as on MIT1003, because none are published (set px_per_deg=)"
    return f"as given, {px_per_deg:g} of the film" if np.isfinite(px_per_deg) else "not known"


@dataclass(frozen=True, eq=False)
class Reel:
    """A stretch of a film, and everybody's path in px of the film and ms since the stretch began."""

    paths: Mapping[str, Scanpath]
    shape: Shape  # of the film
    hertz: float
    count: int  # frames
    first: int = 0  # frame of the film
    file: Path | None = None
    groups: Mapping[str, str] = field(default_factory=dict)
    tags: Mapping[str, str] = field(default_factory=dict)
    dropped: int = 0


@dataclass(frozen=True, eq=False)
class Cinema:
    """The loader of a dataset: frames are read when a stretch is asked for."""

    reels: Mapping[str, Reel]  # as they are shown, all fixations inside
    pool: FixationPool
    px_per_deg: Mapping[str, float]

    def __call__(self, id: str) -> Sample[Shown, Lookers]:
        reel, scale, lookers = self.reels[id], self.px_per_deg[id], self.reference(id)
        if reel.file is None:
            return Sample(id, Unseen(reel.shape, reel.hertz, reel.count, scale), lookers, dict(reel.tags))
        frames = film.read(reel.file, first=reel.first, count=reel.count, shape=reel.shape)
        return Sample(id, Clip(frames, reel.hertz, scale), lookers, dict(reel.tags))

    def reference(self, id: str) -> Lookers:
        """Who looked, without the frames."""
        reel, controls = self.reels[id], self.pool.controls_for(id, self.reels[id].shape)
        return Lookers(reel.paths, reel.shape, self.px_per_deg[id], controls, reel.groups, dropped=reel.dropped)


def film_dataset(
    reels: Mapping[str, Reel],
    card: Card,
    *,
    root: Path,
    annotations: Sequence[Path],
    outside: Outside,
    side: int = SIDE,
) -> Dataset[Shown, Lookers]:
    """The dataset of some stretches of film, brought to a longer side of `side` px (0: as they are), with their paths.

    `card.px_per_deg` is that of the films. Films whose file is not here can be scored, but not looked at: they show
    nothing but their size. What lies outside a film is dropped, clipped or refused, and counted.
    """
    if outside not in DONE:
        raise Misuse(f"got outside={outside!r}; expected {', '.join(DONE)}")
    if side and side < 32:
        raise Misuse(f"got side={side}; expected 32 px or more, or 0 to keep the films' own size")
    shown = {
        id: _at_shown_size(_with_paths_inside(reel, card.name, id=id, outside=outside), side)
        for id, reel in reels.items()
    }
    scales = {id: card.px_per_deg * shown[id].shape[1] / reel.shape[1] for id, reel in reels.items()}
    gathered = pool_fixations(
        {id: reel.paths for id, reel in shown.items()}, {id: reel.shape for id, reel in shown.items()}
    )
    files = sorted({reel.file for reel in reels.values() if reel.file})
    state = _folder.content_digest(root, [*annotations, *files], annotations=annotations)
    dataset: Dataset[Shown, Lookers] = Dataset(
        card.name,
        tuple(shown),
        Cinema(shown, gathered, scales),
        cite=card.cite,
        licence=card.licence,
        content=f"{state},px_per_deg={card.px_per_deg:g},outside={outside},side={side},{card.settings}",
        status=card.status,
        people="recorded",
        about=f"{card.about} {_summary(shown, outside, side)}",
        remarks=remark(
            [id for id, reel in shown.items() if reel.file is None],
            "film",
            ("not here and cannot be shown"),
        ),
    )
    return dataset


def _with_paths_inside(reel: Reel, name: str, *, id: str, outside: Outside) -> Reel:
    try:
        cut = {who: keep_inside(path, reel.shape, outside) for who, path in reel.paths.items()}
    except ValueError as fault:
        raise Misuse(f"{name}, {id}: {fault}; say outside=drop or outside=clip") from None
    return replace(reel, paths={who: path for who, (path, _) in cut.items()}, dropped=sum(n for _, n in cut.values()))


def _at_shown_size(reel: Reel, side: int) -> Reel:
    """A reel and its paths at the size in which it is shown; nothing is enlarged."""
    if not side or side >= max(reel.shape):
        return reel
    shape = fitting(reel.shape, side)
    down, across = (new / old for new, old in zip(shape, reel.shape, strict=True))
    paths = {who: replace(path, x=path.x * across, y=path.y * down) for who, path in reel.paths.items()}
    return replace(reel, paths=paths, shape=shape)


def _summary(shown: Mapping[str, Reel], outside: Outside, side: int) -> str:
    trials = [path for reel in shown.values() for path in reel.paths.values()]
    absent = sum(reel.file is None for reel in shown.values())
    size = f"with the longer side at most {side} px" if side else "at their own size"
    return (
        f"Here: {len(shown)} stretches of film, shown {size}, {sum(map(len, trials))} fixations in {len(trials)} "
        f"trials; {sum(reel.dropped for reel in shown.values())} fixations outside the frame were {DONE[outside]}; "
        f"the frames of {absent} are not here."
    )


def stretches(count: int, hertz: float, *, seconds: float) -> list[tuple[int, int]]:
    """First frame and number of frames of equal stretches of about so many seconds; 0 is the whole film.

    >>> stretches(100, 25.0, seconds=1.5), stretches(100, 25.0, seconds=0)
    ([(0, 33), (33, 34), (67, 33)], [(0, 100)])
    """
    if not 0 <= seconds < np.inf:
        raise Misuse(f"got seconds={seconds}; expected 0 or more")
    parts = max(1, round(count / (seconds * hertz))) if seconds else 1
    edges = np.rint(np.linspace(0, count, min(parts, count) + 1)).astype(int).tolist()
    return [(first, after - first) for first, after in pairwise(edges)]


def fixations_from_frames(points: Floats, hertz: float) -> Scanpath:
    """Fixations from one place per frame (T, 2) that stays the same as long as a fixation lasts; NaN is none.

    >>> path = fixations_from_frames(np.array([[5.0, 1], [5, 1], [9, 1], [np.nan, 1], [9, 1]]), 10.0)
    >>> path.x, path.onset_ms, path.duration_ms
    (array([5., 9., 9.]), array([  0., 200., 400.]), array([200., 100., 100.]))
    """
    starts = np.flatnonzero(np.concatenate([[True], (points[1:] != points[:-1]).any(axis=1)])[: len(points)])
    lasts = np.diff(np.append(starts, len(points)))
    seen = np.isfinite(points[starts]).all(axis=1)
    x, y = points[starts[seen]].T
    return scanpath(x, y, onset_ms=1000 * starts[seen] / hertz, duration_ms=1000 * lasts[seen] / hertz)
