"""What this machine has that models may need."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

LIMIT = Path("/sys/fs/cgroup/memory.max")  # bytes that a container may use


def memory() -> float:
    """Bytes of memory: of a container, only those that it was given."""
    own = float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    with contextlib.suppress(OSError, ValueError):
        return min(own, float(LIMIT.read_text("ascii")))  # "max" where there is no limit: no number
    return own


def gpus() -> int:
    """GPUs, as far as the system shows them: NVIDIA's under Linux, the one of a Mac."""
    return 1 if sys.platform == "darwin" else len(list(Path("/dev").glob("nvidia[0-9]*")))
