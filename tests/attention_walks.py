"""Scanpaths by which measures of scanpaths are tried: walks over a small picture, and the odd ones."""

from dataclasses import replace

import numpy as np

from beholder.attention.gaze.saccades import moves, people_moves
from beholder.attention.types import Controls, Lookers, Picture, Scanpath, scanpath

SHAPE = (40, 70)
# scanpath-and-study.md and attention.md 9: on a screen of 800 × 600 px, durations in ms
A = scanpath([100, 300, 520, 480, 700, 120], [100, 150, 400, 420, 300, 500], duration_ms=[200, 300, 250, 150, 400, 220])
B = scanpath([110, 310, 500, 690, 130], [120, 130, 380, 320, 480], duration_ms=[250, 200, 300, 350, 300])
SCREEN = (600, 800)

ODD = {
    "empty": scanpath([], []),
    "one": scanpath([20], [20], onset_ms=[0], duration_ms=[200]),
    "two": scanpath([20, 40], [20, 10], onset_ms=[0, 250], duration_ms=[200, 150]),
    "collinear": scanpath(
        np.arange(5, 65, 10), np.full(6, 20), onset_ms=np.arange(6) * 250, duration_ms=np.full(6, 100)
    ),
    "duplicated": scanpath([30, 30, 30, 50], [9, 9, 9, 9], onset_ms=np.arange(4) * 250, duration_ms=[90, 90, 90, 0]),
    "outside": scanpath([-5, 500, 30, np.nan], [5, 5, 9, 9], onset_ms=np.arange(4) * 250, duration_ms=np.full(4, 120)),
    "all outside": scanpath([-5, 500], [5, 5], onset_ms=[0, 250], duration_ms=[200, 200]),
    "untimed": scanpath([20, 40, 10], [20, 10, 30]),
}


def person(path: Scanpath, shape=SHAPE, px_per_deg=8.0, **kept):
    """One looker alone."""
    return Lookers({"a": path}, shape, px_per_deg, **kept)


def wandering(rng, least=0, most=8):
    """A walk over the picture of as many fixations as may come; some stay where they are."""
    n = int(rng.integers(least, most))
    points = rng.uniform(0, 1, (n, 2)) * np.array(SHAPE[::-1])
    for at in range(1, n):
        if rng.random() < 0.2:
            points[at] = points[at - 1]
    return scanpath(*points.T, onset_ms=np.arange(n) * 250.0, duration_ms=rng.uniform(50, 400, n))


def controls(rng):
    """Fixations of other pictures."""
    points = rng.uniform(0, 1, (12, 2)) * np.array(SHAPE[::-1])
    return Controls(points, np.array(["a"] * 12), rng.uniform(0, 900, 12), np.array(["p", "q", "r"] * 4))


def walked(seed):
    """A model's walk, which may leave the picture, and a person's; each may be empty."""
    rng = np.random.default_rng(seed)
    path = wandering(rng)
    if seed % 3 == 0:
        path = replace(path, x=path.x + 20)
    return path, person(wandering(rng), controls=controls(rng))


def with_unknowns(path, lookers):
    """A fixation of which nothing is known, and an observer who never looked."""
    further = scanpath([np.nan], [np.nan])
    columns = [np.append(getattr(path, name), getattr(further, name)) for name in ("x", "y", "onset_ms", "duration_ms")]
    paths = {**lookers.paths, "blind": ODD["empty"]}
    return Scanpath(*columns), Lookers(paths, lookers.shape, lookers.px_per_deg, lookers.controls)


def pooled(seed):
    """Movements of a model on some pictures, and the people."""
    rng = np.random.default_rng(seed)
    lookers = [person(wandering(rng)) for _ in range(3)]
    return [moves([wandering(rng)]) for _ in lookers], lookers


def as_people(lookers):
    """The movements that people made."""
    return [people_moves(of).moves for of in lookers]


def with_nobody(found, lookers):
    """A further picture at which nobody looked, neither the model nor people."""
    return [*found, moves([ODD["empty"]])], [*lookers, person(ODD["empty"])]


NOBODY = (ODD["two"], person(ODD["empty"]))
NOBODY_POOLED = ([moves([ODD["two"]])], [person(ODD["empty"])])
LABELS = (np.indices(SHAPE)[1] // 20 - 1).astype(np.int64)  # bands of 20 px; the first is no area


# what winner-take-all walks over
BLANK = Picture(np.zeros((96, 128), np.uint8))
PEAKS = [(20, 30, 1.0), (70, 100, 0.8), (30, 90, 0.6)]  # row, column, height


def rng():
    """The same numbers each time."""
    return np.random.default_rng(4)


def bumps(picture):
    """A map with three peaks."""
    y, x = np.indices(picture.shape)
    return sum(high * np.exp(-((x - column) ** 2 + (y - row) ** 2) / 60) for row, column, high in PEAKS)
