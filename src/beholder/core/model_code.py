"""The border around whatever is not ours: a model's own code runs in here, and nowhere else."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

from beholder.store.opened import watch_files


@contextlib.contextmanager
def model_code() -> Iterator[None]:
    """Note the files that a model opens, and let only this process leave: a child that the model forked ends here.

    Such a child would go on as a second one of us: score the sample again, and answer for its parent.
    """
    here = os.getpid()
    try:
        with watch_files():
            yield
    finally:
        if os.getpid() != here:
            os._exit(0)
