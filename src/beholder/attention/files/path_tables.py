"""Scanpaths of several models in one long table: what `--model table:FILE` reads."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from beholder.attention.columns import SCANPATHS
from beholder.attention.gaze.placing import Placing
from beholder.attention.recordings.long_table import Wanted, read_models
from beholder.attention.types import Scanpath
from beholder.core.sample import Dataset


def read(
    file: Path,
    dataset: Dataset[Any, Any],
    *,
    columns: str = "",
    time: str = "",
    units: str = "",
    origin: str = "",
    offset: float = 0.0,
) -> Mapping[str, Mapping[str, list[Scanpath]]]:
    """Scanpaths by model and by sample of a dataset, one for each repeat.

    Columns are model, stimulus, x and y, and where they are known repeat, index, duration and onset; settings are those
    of the dataset `scanpaths`.
    """
    shapes = {id: dataset.reference(id).shape for id in dataset.all_ids}
    placing = Placing(units=units, origin=origin, offset=offset)
    return read_models(file, Wanted(columns, time, placing=placing, words=SCANPATHS), shapes)
