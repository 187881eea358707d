"""How much memory processes hold and how much is left, as Linux tells in /proc; elsewhere only how much there is."""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
from collections.abc import Iterable
from pathlib import Path

PROC, CGROUPS = Path("/proc"), Path("/sys/fs/cgroup")
PAGE = os.sysconf("SC_PAGE_SIZE")


def held(pids: Iterable[int]) -> int:
    """Bytes of memory that some processes hold together; what they share counts for each."""
    return sum(_resident(pid) for pid in pids)


def _resident(pid: int) -> int:
    with contextlib.suppress(OSError, ValueError, IndexError):
        return int((PROC / str(pid) / "statm").read_text("ascii").split()[1]) * PAGE
    return 0


def held_apart(pids: Iterable[int]) -> int:
    """The same with what they share divided between them: slower, and needed where processes were forked."""
    return sum(_field(f"{pid}/smaps_rollup", "Pss") or _resident(pid) for pid in pids)


def peak(pid: int | str = "self") -> int:
    """The most that a process has held since it began, or since `forget_peak`; 0 where that is not known."""
    return _field(f"{pid}/status", "VmHWM")


def forget_peak(pid: int) -> None:
    """Begin to measure the peak of a process anew, where Linux allows that."""
    with contextlib.suppress(OSError):
        (PROC / str(pid) / "clear_refs").write_text("5", "ascii")  # proc(5): resets the peak resident set size


def total() -> int:
    """Bytes of memory of this machine, or of the container that this process is in."""
    whole, allowed = _field("meminfo", "MemTotal") or PAGE * os.sysconf("SC_PHYS_PAGES"), _of_group("memory.max")
    return min(whole, allowed) if allowed else whole


def left() -> int:
    """Bytes that can still be had without swapping, on this machine and in this container."""
    free, allowed = _field("meminfo", "MemAvailable"), _of_group("memory.max")
    if not allowed:
        return free
    taken = _of_group("memory.current") - _of_group("memory.stat", "inactive_file ")  # the kernel drops the latter
    return max(0, min(free, allowed - taken))


def _field(file: str, name: str) -> int:
    """A size that stands in a file of /proc, in kB there."""
    with contextlib.suppress(OSError):
        found = re.search(rf"^{name}:\s+(\d+) kB", (PROC / file).read_text("ascii", "replace"), re.MULTILINE)
        return int(found[1]) * 1024 if found else 0
    return 0


def _of_group(file: str, name: str = "") -> int:
    """A number of the control group (version 2) of this process; 0 where there is none, or no limit."""
    with contextlib.suppress(OSError, IndexError):
        own = re.findall(r"^0::/(.*)$", (PROC / "self/cgroup").read_text("ascii", "replace"), re.MULTILINE)[0]
        place = CGROUPS / own if (CGROUPS / own / file).is_file() else CGROUPS  # a container sees its own as the root
        found = re.search(rf"^{name}(\d+)$", (place / file).read_text("ascii"), re.MULTILINE)
        return int(found[1]) if found else 0
    return 0


def give_back() -> None:
    """Give the system what this process has freed and its C library still keeps, where that is glibc."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
