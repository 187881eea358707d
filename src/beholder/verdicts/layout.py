"""Which component belongs to which unit and to which measure × criterion."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.core.measure import label
from beholder.core.scores import CELL
from beholder.stats import bootstrap
from beholder.verdicts.components import Components

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Layout(NamedTuple):
    """Where each component belongs, and how units are drawn."""

    units: Ints  # of each component, the number of its (dataset, unit)
    cells: Ints  # of each component, the number of its measure × criterion
    names: tuple[str, ...]  # of each cell: measure (criterion)
    strata: Ints  # of each unit, the set that it is drawn from

    @property
    def drawable(self) -> bool:
        """Whether there is something to draw: a stratum of two units or more."""
        return bool((np.bincount(self.strata) > 1).any())

    @property
    def once(self) -> NDArray[np.bool_]:
        """Which cells were measured once."""
        return np.asarray(np.bincount(self.cells) == 1)

    @property
    def resampled(self) -> NDArray[np.bool_]:
        """Which units differ from draw to draw: those that have others in their stratum."""
        return np.asarray(np.bincount(self.strata)[self.strata] > 1)

    def without(self, units: NDArray[np.bool_]) -> list[str]:
        """The names of the cells that none of these units has."""
        seen = set(self.cells[units[self.units]])
        return [name for cell, name in enumerate(self.names) if cell not in seen]


def layout(found: Components, *, by_dataset: bool = False) -> Layout:
    """Units and cells of the components; `by_dataset`, each dataset has cells of its own."""
    frame = found.values.columns.to_frame(index=False)
    keys = [*CELL, "dataset"] if by_dataset else CELL
    units, cells = (
        np.asarray(frame.groupby(own, sort=False).ngroup(), dtype=np.int64) for own in (["dataset", "unit"], keys)
    )
    several = frame["dataset"].nunique() > 1
    each = frame[keys].drop_duplicates().itertuples(index=False, name=None)
    names = tuple(
        " on ".join([cell_name(*cell), *map(str, dataset if several else ())])
        for *cell, dataset in ((*key[: len(CELL)], key[len(CELL) :]) for key in each)
    )
    return Layout(units, cells, names, bootstrap.strata(units, cells))


def cell_name(measure: str, settings: str, criterion: str) -> str:
    """What a measure × criterion is called in sentences.

    >>> cell_name("auc", "preset=tuebingen", "all")
    'auc(preset=tuebingen) (all)'
    """
    return f"{label(measure, settings)} ({criterion})"


def measure_labels(found: Components) -> list[str]:
    """What the measure of each component is called: name(settings)."""
    levels = (found.values.columns.get_level_values(name) for name in ("measure", "settings"))
    return [label(str(measure), str(settings)) for measure, settings in zip(*levels, strict=True)]


def by_unit(values: Floats, lay: Layout) -> Floats:
    """Models × components as units × cells × models; NaN where a unit lacks a cell."""
    units = np.full((len(lay.strata), len(lay.names), len(values)), np.nan)
    units[lay.units, lay.cells] = values.T
    return units
