"""Which processes are still running, asked patiently: a killed one takes its time on a busy machine."""

import time

PATIENCE = 20.0  # seconds


def still_running(pids):
    """Those that have not ended within 20 s. One that has ended but that nobody has waited for yet does not run."""
    end = time.monotonic() + PATIENCE
    while (left := [pid for pid in pids if _runs(pid)]) and time.monotonic() < end:
        time.sleep(0.02)
    return left


def _runs(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:  # noqa: PTH123
            return file.read().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False
