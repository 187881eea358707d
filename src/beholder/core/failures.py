"""What goes wrong in a trial, in words: a fault is a row, and its reason is one line."""

from __future__ import annotations

import math
import re
import sysconfig
import traceback
from pathlib import Path

from beholder.core.measure import NotApplicable, Result
from beholder.errors import Misuse, printable
from beholder.store.paths import ROOT

LIBRARIES = (str(ROOT), *(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")))


class Refused(ValueError):
    """The answer is not of the kind that the benchmark accepts."""


def as_result(fault: BaseException, where: str = "") -> Result:
    """A fault as a result: nothing to measure is `na`, all else has failed."""
    if isinstance(fault, NotApplicable):
        return Result(math.nan, state="na", reason=str(fault) or "not applicable")
    return Result(math.nan, state="failed", reason=where + describe_fault(fault))


def describe_fault(fault: BaseException) -> str:
    """A fault as one line, with the place in the user's own code where it arose."""
    if isinstance(fault, Refused):
        return f"answer refused: {_line(fault)}"
    if isinstance(fault, SystemExit):
        return f"the model called exit({_line(fault.code)})"
    hint = "; the stimulus is read-only: copy it first" if "read-only" in _line(fault) else ""
    theirs = [f for f in traceback.extract_tb(fault.__traceback__) if not f.filename.startswith(LIBRARIES)]
    place = f" ({_file(theirs[-1].filename)}, line {theirs[-1].lineno})" if theirs else ""
    kind = "" if isinstance(fault, Misuse) else f"{type(fault).__name__}: "  # misuse is a sentence by itself
    return f"{kind}{_line(fault)}{hint}{place}"


def _file(name: str) -> str:
    """A file's own name; a notebook's cells are files with numbers that tell nothing and differ in every session.

    >>> _file("/home/ann/my.py"), _file("/tmp/ipykernel_81/2904.py"), _file("<ipython-input-3-ab>")
    ('my.py', 'notebook cell', 'notebook cell')
    """
    path = Path(name)
    cell = path.parent.name.startswith("ipykernel_") or path.name.startswith("<ipython-input")
    return "notebook cell" if cell else path.name


def _line(fault: object) -> str:
    """What a fault says, in one line; a class of the user's own may say nothing but raise.

    >>> class Mute(Exception):
    ...     def __str__(self): raise RuntimeError
    >>> describe_fault(Mute())
    'Mute: (its text cannot be had)'
    """
    try:
        text = str(fault)
    except Exception:  # noqa: BLE001  (anybody's code)
        text = "(its text cannot be had)"
    said = re.sub(r" at 0x[0-9a-f]{6,}", " at 0x…", " ".join(text.split()))  # an address differs in every run
    return printable(said[:300])
