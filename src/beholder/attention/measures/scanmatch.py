"""ScanMatch: scanpaths as strings whose letters are alike when their places are near."""

from __future__ import annotations

from functools import partial

import numpy as np

from beholder.attention.measures._areas import Alphabet, Ints, alphabet
from beholder.attention.paths.pairs import Over, Walk, over_people, read_scanpaths
from beholder.attention.types import Floats, Lookers, Scanpath
from beholder.core.measure import NotApplicable, Result, measure
from beholder.errors import Misuse
from beholder.stats.sequences import alignment_score


@measure(better="higher", bounds=(0, 1), cite="Cristino2010", reads=read_scanpaths)
def scanmatch(
    found: Walk,
    lookers: Lookers,
    *,
    grid: tuple[int, int] = (12, 8),
    threshold: float = 3.5,
    step_ms: float = 0.0,
    gap: float = 0.0,
    over: Over = "mean",
) -> Result:
    """ScanMatch: the score of the best alignment of two strings of cells, where near cells match partly; 1 if equal.

    score = max F/(T · max(n, m)). F follows Needleman & Wunsch, with substitutions S = T − distance between the cells
    (in cells, `threshold` T: 3.5 in the released programs, twice the spread of saccade amplitudes in the paper) and
    `gap` for each letter without a partner, 0 or less (0 in the paper). With `step_ms` a cell is written once for each
    step_ms of the fixation, rounded half to even (50 ms in the paper); 0: once. `grid` is columns × rows.

    A string without letters (no fixation, or all too short) against one with letters scores 0. Undefined for two
    strings without letters, or for unknown durations with `step_ms`.

    Deviation: i letters before the first partner score i · gap; GazeParser's program has (i + 1) · gap, the same at 0.

    >>> from beholder.attention.types import scanpath
    >>> person = Lookers({"a": scanpath([0, 1], [0, 0])}, (1, 2))
    >>> scanmatch(scanpath([0], [0]), person, grid=(2, 1)).value  # T/(2 T)
    0.5
    """
    if not threshold > 0 or not step_ms >= 0:
        raise Misuse(f"got threshold={threshold}, step_ms={step_ms}; expected more than 0, and steps of 0 ms or more")
    if not -np.inf < gap <= 0:
        raise Misuse(f"got gap={gap}; expected 0 or less, the score of a letter without a partner")
    letters = alphabet(grid, lookers)
    compare = partial(_compared, letters=letters, scores=_scores(letters, threshold), step_ms=step_ms, gap=gap)
    return over_people(found, lookers, compare, over=over)


def _scores(letters: Alphabet, threshold: float) -> Floats:
    """T − the distance of all pairs of cells."""
    rows, columns = np.divmod(np.arange(letters.size), letters.grid[0])
    return np.asarray(threshold - np.hypot(rows[:, None] - rows, columns[:, None] - columns))


def _compared(
    simulated: Scanpath, human: Scanpath, *, letters: Alphabet, scores: Floats, step_ms: float, gap: float
) -> Result:
    a, b = (cells_over_time(path, letters, step_ms=step_ms) for path in (simulated, human))
    if not len(a) and not len(b):
        raise NotApplicable("two strings without letters: no fixation is long enough")
    value = alignment_score(scores[a[:, None], b], gap=gap) / (float(scores.max()) * max(len(a), len(b)))
    return Result(value, {"length": float(len(a)), "length_people": float(len(b))})


def cells_over_time(path: Scanpath, letters: Alphabet, *, step_ms: float = 0.0) -> Ints:
    """The cells of a scanpath, each as often as its fixation holds steps.

    >>> from beholder.attention.types import scanpath
    >>> cells = alphabet((2, 1), Lookers({}, (1, 2)))
    >>> cells_over_time(scanpath([0, 1], [0, 0], duration_ms=[100, 49]), cells, step_ms=50)
    array([0, 0, 1])
    """
    cells = letters.spell(path)
    if not step_ms:
        return cells
    if not np.isfinite(path.duration_ms).all():
        raise NotApplicable("durations are unknown, which step_ms needs; use step_ms=0")
    return np.repeat(cells, np.maximum(np.round(path.duration_ms / step_ms), 0).astype(np.int64))
