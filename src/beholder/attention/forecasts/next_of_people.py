"""What people say of another person's next fixation, given that person's last one: the ceiling of forecasts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.attention.forecasts.outlooks import Cells, tiles
from beholder.attention.maps.fixation_maps import made_once
from beholder.attention.people.controls import MOST
from beholder.attention.people.gold_standard import gold_standard
from beholder.attention.types import Controls, Floats, Lookers, Picture, Scanpath
from beholder.vision.blur import blurred

ANY_ORDER = "people_any_order"  # what the ceiling is called that does not know where the eye is
STEPS = 20  # cells of a side in which jumps are counted, in either direction (ours)
BLUR = 1.0  # cells (ours)
FINE = 256  # cells of the picture's longer side at most
PAIRED, OFTEN = 200_000, 20  # pairs of a start and another's end at most, and of each start
UNLIKE = 100.0  # saccades that jumps of no particular kind weigh: with fewer of people's the order says little (ours)


class Jumps(NamedTuple):
    """Vectors counted in cells of 1/20 of each side: of saccades, and of starts and ends of different ones."""

    made: Floats  # (2 STEPS + 1, 2 STEPS + 1): rows, columns
    chance: Floats
    n: int  # saccades


@dataclass(frozen=True, eq=False)
class NextOfPeople:
    """A forecast from where people look on a picture, and how they jump from where the eye is."""

    gold: Floats  # (rows, columns): the probability of each cell of the picture by their gold standard
    jumps: Floats  # (2 STEPS + 1, 2 STEPS + 1): how much likelier a jump is than chance, by rows and columns of sides
    shape: tuple[int, int]  # of the picture
    by: tuple[str, ...] = ()

    def __call__(self, history: Scanpath) -> Cells:
        """log p(y | x), x the last fixation; the gold standard where there is none."""
        if not len(history):
            return Cells(np.log(self.gold))
        seen = history.points[-1, ::-1] / self.shape
        rows, columns = (_between(count, at) for count, at in zip(self.gold.shape, seen, strict=True))
        p = self.gold * (rows @ self.jumps @ columns.T)
        return Cells(np.log(p / p.sum()))


def predict_next(lookers: Lookers, picture: Picture) -> NextOfPeople:
    """These people's prediction of where another, whose last fixation is known, will look next.

    p(y | x) ∝ g(y) j(y − x), g their gold standard (`gold_standard`: places in any order) and j how much more often
    people's saccades are of that vector, in sides of the picture, than two places are apart at which they looked on one
    picture at any time (`jump_ratios`). Saccades are those of these people here and of everybody on other pictures. It
    knows the last fixation alone, not those before: a model that reads more of the history may pass it. Cells of the
    picture, 256 on the longer side at most, stand for its pixels.
    """
    found, shape = gold_standard(lookers), (lookers.shape[0], lookers.shape[1])
    return NextOfPeople(_in_cells(np.exp(found.log), shape), jump_ratios(*jumps_of(lookers)), shape, found.by)


def _in_cells(p: Floats, shape: tuple[int, int]) -> Floats:
    """The probabilities of pixels added up in cells, of which the longer side has 256 at most.

    The narrowest kernel of a gold standard is half a degree, four such cells of MIT1003's pictures.
    """
    step = -(-max(shape) // FINE)
    rows, columns = (np.unique(tiles(side, -(-side // step)), return_index=True)[1] for side in shape)
    return np.asarray(np.add.reduceat(np.add.reduceat(p, rows, axis=0), columns, axis=1))


def jumps_of(lookers: Lookers) -> list[Jumps]:
    """The jumps of these people on this picture, and those on other pictures, which are counted once.

    The latter are neighbours among the controls; where controls were drawn at random there are none.
    """
    size = np.array(lookers.shape[::-1], np.float64)
    paths = [path for path in lookers.paths.values() if len(path) > 1]
    starts, ends = (
        np.concatenate([np.empty((0, 2)), *(path.points[part][path.joined] for path in paths)]) / size
        for part in (slice(None, -1), slice(1, None))
    )
    found = [count_jumps(starts, ends, np.zeros(len(starts), np.intp))]
    controls = lookers.controls
    if controls is not None and len(controls.points) < MOST:
        found.append(made_once(controls, "jumps", lambda: _jumps_elsewhere(controls, size)))
    return found


def _jumps_elsewhere(controls: Controls, size: Floats) -> Jumps:
    """The jumps from each control to the next of the same person on the same picture."""
    number = np.unique(controls.picture, return_inverse=True)[1]
    same = (number[1:] == number[:-1]) & (controls.observer[1:] == controls.observer[:-1])
    return count_jumps(controls.points[:-1][same] / size, controls.points[1:][same] / size, number[:-1][same])


def count_jumps(starts: Floats, ends: Floats, pictures: NDArray[np.intp]) -> Jumps:
    """Count the saccades between points (n, 2), x and y in sides of the picture, by the picture they were made on.

    Chance pairs a start with the ends of other saccades on its picture, evenly spread over them.

    >>> still = np.array([[0.5, 0.5]] * 3)
    >>> found = count_jumps(still, still + [[0.0, 0.1]] * 3, np.zeros(3, np.intp))  # a tenth down, all alike
    >>> found.n, np.argwhere(found.made).tolist(), np.argwhere(found.chance).tolist()
    (3, [[22, 20]], [[22, 20]])
    """
    n = len(starts)
    order = np.argsort(pictures, kind="stable")
    starts, ends, sorted_ = starts[order], ends[order], pictures[order]
    counts, first = (np.bincount(pictures) if n else np.empty(0, np.intp))[sorted_], np.searchsorted(sorted_, sorted_)
    place, often = np.arange(n) - first, int(np.clip(PAIRED // max(n, 1), 1, OFTEN))
    chance = np.zeros((2 * STEPS + 1, 2 * STEPS + 1))
    for shift in range(1, often + 1):
        other = first + (place + np.maximum(1, counts * shift // (often + 1))) % counts
        chance += _counted(ends[other] - starts)
    return Jumps(_counted(ends - starts), chance / often, n)


def _counted(moved: Floats) -> Floats:
    """How many vectors (x, y in sides) are in each cell (rows, columns)."""
    side = 2 * STEPS + 1
    column, row = np.clip(np.rint(moved * STEPS).astype(np.intp) + STEPS, 0, side - 1).T
    return np.bincount(row * side + column, minlength=side * side).reshape(side, side).astype(np.float64)


def jump_ratios(*jumps: Jumps) -> Floats:
    """How much likelier jumps are than chance, in cells of 1/20 of a side up and down, left and right.

    j = (h + κ h₀/n₀)/(n + κ) / (h₀/n₀), h the counts of n saccades, blurred by a cell. h₀ are those of chance, blurred,
    with κ = 100 of two points anywhere in the picture. So without saccades j is 1, and a few say little.
    """
    made, chance, n = (sum(column) for column in zip(*jumps, strict=True))
    near = 1 - np.abs(np.arange(-STEPS, STEPS + 1)) / (STEPS + 1)  # of two even draws, how often they are so far apart
    anywhere = np.outer(near, near)
    usual = (blurred(np.asarray(chance), BLUR, border="reflect") + UNLIKE * anywhere / anywhere.sum()) / (n + UNLIKE)
    often = blurred(np.asarray(made), BLUR, border="reflect") + UNLIKE * usual
    return np.asarray(often / (n + UNLIKE) / usual)


def _between(count: int, seen: float) -> Floats:
    """(count, 2 STEPS + 1): the weight of each cell of jumps for each cell of a side, from a place in sides."""
    jump = ((np.arange(count) + 0.5) / count - seen) * STEPS + STEPS
    return np.asarray(np.maximum(0.0, 1 - np.abs(jump[:, None] - np.arange(2 * STEPS + 1))))
