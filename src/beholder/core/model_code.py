"""The border around whatever is not ours: a model's own code runs in here, and nowhere else."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import sys
import warnings
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, cast

import numpy as np

from beholder.store.opened import watch_files


class Process:
    """What this process has been through."""

    foreign: ClassVar[bool] = False  # code that is not ours was imported: it may have changed anything, even NumPy


def name_ours(function: Any) -> str:
    """The full name of a function of ours; nothing of another, even one that bears its name, or one made in a call."""
    where, name = getattr(function, "__module__", None) or "", getattr(function, "__qualname__", "")
    ours = where.startswith("beholder.") and getattr(sys.modules.get(where), name, None) is function
    return f"{where}.{name}" if ours else ""


@contextlib.contextmanager
def model_code() -> Iterator[None]:
    """Note the files that a model opens, and let only this process leave: a child that the model forked ends here.

    Such a child would go on as a second one of us: score the sample again, and answer for its parent. How NumPy treats
    errors and which warnings are errors is afterwards what it was: the next model must not fail for it.
    """
    here, filters = os.getpid(), list(warnings.filters)
    try:
        with watch_files(), np.errstate():
            yield
    finally:
        if os.getpid() != here:
            os._exit(0)
        if warnings.filters != filters:
            warnings.resetwarnings()
            cast("list[Any]", warnings.filters).extend(filters)


def freeze(thing: Any) -> int:
    """Make every array inside read-only: a model must not change what the next one sees. How many bytes they have.

    What is derived from a thing may be kept in it and lead back to it, so each is looked into once.
    """
    ahead, met, size = [thing], set(), 0
    while ahead:
        one = ahead.pop()
        if isinstance(one, np.ndarray):
            one.setflags(write=False)
            size += one.nbytes
        elif id(one) not in met:
            met.add(id(one))
            ahead += _inside(one)
    return size


def _inside(thing: Any) -> list[Any]:
    """What a thing holds."""
    if dataclasses.is_dataclass(thing):
        return [getattr(thing, f.name) for f in dataclasses.fields(thing)]
    if isinstance(thing, Mapping):
        return list(thing.values())
    return list(thing) if isinstance(thing, (list, tuple)) else []
