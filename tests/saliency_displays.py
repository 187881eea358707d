"""Search displays: a grid of like items, and one that is odd in colour, orientation, brightness or size."""

import numpy as np

from beholder.attention.types import Picture

SHAPE, CELL = (384, 512), 64  # px; 6 × 8 items
ROW, COLUMN = 2, 5  # the odd one

GREEN, RED, GREY = (60, 160, 60), (200, 50, 50), (110, 110, 110)


def display(odd, common, *, at=(ROW, COLUMN)):
    """A picture with an item near the middle of each cell: a function of coordinates to a mask, and a colour."""
    pixels, rng = np.full((*SHAPE, 3), GREY, np.uint8), np.random.default_rng(1)
    for row, column in np.ndindex(SHAPE[0] // CELL, SHAPE[1] // CELL):
        down, right = np.mgrid[:CELL, :CELL] - (CELL - 1) / 2 + rng.uniform(-8, 8, (2, 1, 1))
        form, colour = odd if (row, column) == at else common
        cell = pixels[row * CELL : (row + 1) * CELL, column * CELL : (column + 1) * CELL]
        cell[form(right, down)] = colour
    return Picture(pixels, px_per_deg=32.0)


def bar(angle, *, length=36, width=8):
    turn = np.radians(angle)

    def form(right, down):
        along = right * np.cos(turn) - down * np.sin(turn)
        across = right * np.sin(turn) + down * np.cos(turn)
        return (np.abs(along) <= length / 2) & (np.abs(across) <= width / 2)

    return form


def disc(radius):
    return lambda right, down: np.hypot(right, down) <= radius


WHITE = (230, 230, 230)
DISPLAYS = {
    "colour": display((disc(12), RED), (disc(12), GREEN)),
    "orientation": display((bar(90), WHITE), (bar(0), WHITE)),
    "diagonal": display((bar(45), WHITE), (bar(135), WHITE)),
    "brightness": display((disc(12), WHITE), (disc(12), (140, 140, 140))),
    "saturation": display((disc(12), RED), (disc(12), (95, 95, 95))),
    "size": display((disc(20), WHITE), (disc(8), WHITE)),
}


def share_of_odd(salience, *, at=(ROW, COLUMN)):
    """Which share of items is less salient at its most salient place than the odd one: 1 where it pops out."""
    rows, columns = SHAPE[0] // CELL, SHAPE[1] // CELL
    peaks = salience.reshape(rows, CELL, columns, CELL).max(axis=(1, 3))
    others = np.delete(peaks.ravel(), at[0] * columns + at[1])
    return float((others < peaks[at]).mean())
