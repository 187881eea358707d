"""Forecasts in files: what a run keeps of them, sealed, to draw its pictures; and maps as forecasts.

A forecast is a function, so no format holds it: a run keeps it as its own sealed bytes in a .npz, which no other user's
program reads. Whatever `files` reads, a map or a log density, is a forecast that does not read its history.
"""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from beholder.attention.figures.forecasts import STEPS
from beholder.attention.figures.looks import FINE
from beholder.attention.files import maps as files
from beholder.attention.forecasts.forecast import Forecast, path_key
from beholder.attention.forecasts.outlooks import Outlook
from beholder.attention.types import Scanpath
from beholder.io import arrays
from beholder.io.atomic import whole_file
from beholder.io.bounds import LARGEST
from beholder.store.digest import UNPICKLABLE
from beholder.store.seal import MISSING, seal, unseal

SEALED = "forecast"  # the name of the array that holds it
FOREIGN = (b"beholder_user_", b"__main__")  # modules that another process, which draws, does not have
SUFFIXES = (".npz", *(suffix for suffix in files.SUFFIXES if suffix != ".npz"))


def write(answer: Forecast, path: Path) -> None:
    """Keep a forecast, sealed; of one that no other process can open, a record of what it says of the last path.

    Such are functions within functions, and what comes from a user's file. There is a record once it has been asked.
    """
    with suppress(*UNPICKLABLE):
        plain = pickle.dumps(answer, protocol=5)
        if not any(name in plain for name in FOREIGN):
            return _put(seal(answer), path)
    answer.note_paths(partial(record, file=path))
    return None


def record(answer: Forecast, path: Scanpath, *, file: Path) -> None:
    """Keep what a forecast said along a path, with the densities that are drawn; a full disk costs the picture only."""
    outlooks = {at: answer.before(path, at) for at in STEPS if at < len(path)}
    replay = Replay({path_key(path.at(np.arange(at))): _thin(one) for at, one in outlooks.items()})
    with suppress(OSError):
        _put(seal(Forecast(replay, answer.shape, answer.low, dict(answer.parts), scores=dict(answer.scores))), file)


@dataclass(frozen=True, eq=False)
class Replay:
    """A recorded forecast: what it said after some histories; it knows no others."""

    outlooks: Mapping[bytes, Outlook]

    def __call__(self, history: Scanpath) -> Outlook:
        """What was recorded for this history."""
        if path_key(history) not in self.outlooks:
            raise LookupError("this forecast was recorded for another scanpath; run the model itself")
        return self.outlooks[path_key(history)]


def _thin(one: Outlook) -> Outlook:
    """Only what is drawn: every k-th pixel of a large picture."""
    step = max(1, max(one.order.shape) // FINE)
    order = one.order[step // 2 :: step, step // 2 :: step]
    return replace(one, order=order, pixels=np.ones(order.shape)) if step > 1 else one


def _put(data: bytes, path: Path) -> None:
    with whole_file(path) as file:
        np.savez(file, forecast=np.frombuffer(data, np.uint8))


def read(path: Path, *, limit: int = LARGEST) -> Any:
    """A forecast that this user's run kept, or the map or log density in a file; at most `limit` bytes."""
    if path.suffix.lower() == ".npz":
        held = arrays.load(path, limit=limit)
        if isinstance(held, dict) and SEALED in held:
            return _opened(held[SEALED].tobytes(), path)
    return files.read(path, limit=limit)


def _opened(data: bytes, path: Path) -> Forecast:
    found = unseal(data)
    if found is MISSING or not isinstance(found, Forecast):
        raise ValueError(
            f"{path.name}: got a forecast saved by another user or another version of Beholder; run the model again"
        )
    return found
