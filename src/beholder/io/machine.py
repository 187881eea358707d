"""What this machine has that models may need, beside memory."""

from __future__ import annotations

import sys
from pathlib import Path


def gpus() -> int:
    """GPUs, as far as the system shows them: NVIDIA's under Linux, the one of a Mac."""
    return 1 if sys.platform == "darwin" else len(list(Path("/dev").glob("nvidia[0-9]*")))
