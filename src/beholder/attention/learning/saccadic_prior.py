"""What `saccadic_prior` knows: where eyes land from where they were, whatever the picture; learnt from EyeCrowd.

`python -m beholder.attention.learning.saccadic_prior FOLDER` writes the file anew, FOLDER that of EyeCrowd.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.attention.types import Floats, Lookers, Scanpath
from beholder.vision.blur import blurred

CELLS = (48, 64)  # of the picture
ROUNDS = 10  # of iterative scaling: the likelihood of held-out saccades does not change any more
SMOOTH = 1.0  # cells: σ of the blur of all counts
LEAST = 1e-6  # of the whole, in every cell: nothing is impossible


def learn(people: Iterable[Lookers], *, rounds: int = ROUNDS) -> dict[str, NDArray[Any]]:
    """Log densities of the model p(y | x) ∝ s(y − x) b(y): `jump` s, `bias` b, `first` fixations, and `duration`.

    `jump` is (95, 127), over differences of cells, `bias` and `first` are (48, 64), all mirrored left and right;
    `duration` is the mean and the standard deviation of the logarithm of ms.
    """
    starts, pairs, lasts = counted(people)
    jump, bias = scaled(pairs, rounds)
    logs = np.log(lasts[lasts > 0])
    return {
        "jump": np.log(jump).astype(np.float16),
        "bias": np.log(bias).astype(np.float16),
        "first": np.log(_smooth(starts)).astype(np.float16),
        "duration": np.array([logs.mean(), logs.std()], np.float32),
    }


def counted(people: Iterable[Lookers]) -> tuple[Floats, Floats, Floats]:
    """First fixations by cell, saccades by cell of start and cell of end (3072, 3072), and all durations."""
    starts, pairs = np.zeros(CELLS), np.zeros((CELLS[0] * CELLS[1],) * 2, np.float64)
    lasts: list[Floats] = []
    for lookers in people:
        for path in lookers.paths.values():
            for mirrored in (False, True):
                cells = _cells(path, lookers.shape, mirrored)
                starts.ravel()[cells[:1]] += 1
                np.add.at(pairs, (cells[:-1], cells[1:]), 1)
            lasts.append(path.duration_ms)
    known = np.concatenate([np.zeros(0), *lasts])
    return starts, pairs, known[np.isfinite(known)]


def _cells(path: Scanpath, shape: tuple[int, int], mirrored: bool) -> NDArray[np.intp]:
    column = np.minimum((path.x * CELLS[1] / shape[1]).astype(np.intp), CELLS[1] - 1)
    row = np.minimum((path.y * CELLS[0] / shape[0]).astype(np.intp), CELLS[0] - 1)
    return np.asarray(row * CELLS[1] + (CELLS[1] - 1 - column if mirrored else column), np.intp)


def scaled(pairs: Floats, rounds: int) -> tuple[Floats, Floats]:
    """s and b of the greatest likelihood for smoothed counts: each in turn times seen over expected."""
    shift = differences()
    seen_bias = _smooth(pairs.sum(axis=0).reshape(CELLS)).ravel()
    wide = (2 * CELLS[0] - 1, 2 * CELLS[1] - 1)
    jumps = np.asarray(np.bincount(shift.ravel(), pairs.ravel(), wide[0] * wide[1]), np.float64)
    seen_jump = _smooth(jumps.reshape(wide)).ravel()
    origins = _smooth(pairs.sum(axis=1).reshape(CELLS)).ravel()  # no cell is without, so that no jump is
    jump, bias = seen_jump.copy(), np.ones(len(seen_bias))
    for _ in range(rounds):
        bias *= seen_bias / (origins @ conditional(jump, bias, shift))
        expected = origins[:, None] * conditional(jump, bias, shift)
        jump *= seen_jump / np.bincount(shift.ravel(), expected.ravel(), len(jump))
    return (jump / jump.sum()).reshape(wide), (bias / bias.sum()).reshape(CELLS)


def conditional(jump: Floats, bias: Floats, shift: NDArray[np.intp]) -> Floats:
    """p(y | x), rows of which add up to 1."""
    p = jump[shift] * bias
    return np.asarray(p / p.sum(axis=1, keepdims=True))


def differences() -> NDArray[np.intp]:
    """(3072, 3072): the cell of `jump` that leads from one cell to another."""
    row, column = (each.ravel() for each in np.indices(CELLS))
    down = row[None] - row[:, None] + CELLS[0] - 1
    right = column[None] - column[:, None] + CELLS[1] - 1
    return np.asarray(down * (2 * CELLS[1] - 1) + right, np.intp)


def _smooth(counts: Floats) -> Floats:
    whole = blurred(counts, SMOOTH, border="reflect")
    shares = whole / whole.sum()
    return np.asarray((1 - LEAST * shares.size) * shares + LEAST)


def main(words: Sequence[str] | None = None) -> None:
    """Learn from a folder of EyeCrowd and write the file."""
    from beholder.attention.datasets.eyecrowd import read_everyone
    from beholder.attention.learning.__main__ import LEARNT, write_arrays

    parser = argparse.ArgumentParser(prog="python -m beholder.attention.learning.saccadic_prior", description=__doc__)
    parser.add_argument("folder", type=Path, help="the folder of EyeCrowd")
    parser.add_argument("--out", type=Path, default=LEARNT, help="where to write")
    asked = parser.parse_args(words)
    people = read_everyone(asked.folder, offset=1.0)  # as the shipped file was learnt: half a px of a cell's 16
    write_arrays(asked.out, "saccadic_prior", learn(people))
    sys.stdout.write(f"{len(people)} pictures\n")


if __name__ == "__main__":
    main()
