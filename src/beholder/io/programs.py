"""Other programs: run one to its end, keep its last words, and let none outlive us."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36  # linux/prctl.h
DISPENSABLE = 500  # of 1000: as if it held half of the machine's memory besides (proc(5), oom_score_adj)
ROUNDS = 20  # looks for who was forked meanwhile; a model that forks without end must not keep us
TAIL = 2000  # bytes of a program's last words that are kept


def die_with_parent() -> None:
    """Ask Linux to kill this process when the one that started it ends; elsewhere the closed pipe must do."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def adopt_orphans() -> None:
    """Ask Linux to make this process the parent of those below it that lose theirs, so that they can be found."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)


def die_first() -> None:
    """Ask Linux to end this process, and what it starts, before others when there is no memory left."""
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(str(DISPENSABLE), "ascii")


def kill_family(parent: int, mark: str, pipe: int = 0) -> None:
    """Kill the leader of a session, its group, what has sprung from it, and who has a mark or prints to a pipe.

    A child may leave its session, lose its parent, clear its environment (where the mark `NAME=VALUE` stands), or print
    elsewhere than to the pipe that we read (known by its inode), but hardly all of them. All are stopped before any is
    killed: what is stopped forks no more, so that soon nobody new is found.
    """
    found = set[int]()
    _send(os.killpg, {parent}, signal.SIGSTOP)
    for _ in range(ROUNDS):
        new = (descendants(parent) | _marked(mark) | _printing(pipe)) - found - {os.getpid()}
        if not new:
            break
        _send(os.kill, new, signal.SIGSTOP)
        found |= new
    _send(os.killpg, {parent}, signal.SIGKILL)
    _send(os.kill, found, signal.SIGKILL)


def _send(how: Callable[[int, int], None], to: Iterable[int], what: signal.Signals) -> None:
    for one in to:
        with contextlib.suppress(OSError):  # it is gone, or not ours to kill
            how(one, what)


def descendants(parent: int) -> set[int]:
    """The children of a process, and theirs."""
    parents: dict[int, int] = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            parents[int(file.parent.name)] = int(file.read_text("utf-8", "replace").rpartition(")")[2].split()[1])
    found, new = set[int](), {parent}
    while new:
        new = {child for child, its in parents.items() if its in new} - found
        found |= new
    return found


def _marked(mark: str) -> set[int]:
    found = set()
    for file in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if mark.encode() in file.read_bytes().split(b"\0"):
                found.add(int(file.parent.name))
    return found


def _printing(pipe: int) -> set[int]:
    """Who has a pipe, by its inode, as standard output or error."""
    found = set()
    for file in Path("/proc").glob("[0-9]*/fd/[12]"):
        with contextlib.suppress(OSError):
            if str(file.readlink()) == f"pipe:[{pipe}]":
                found.add(int(file.parts[2]))
    return found


def run_program(words: Sequence[str]) -> None:
    """Run a program to its end. Raises with its last words where it cannot be started or fails."""
    said = b""
    nothing = subprocess.DEVNULL  # to be read: a program that asks must not wait for an answer
    try:
        with subprocess.Popen(
            words,
            stdin=nothing,
            stdout=nothing,
            stderr=subprocess.PIPE,
            preexec_fn=die_with_parent,  # noqa: PLW1509  (a worker has one thread; a killed run leaves no program)
        ) as running:
            while running.stderr and (chunk := running.stderr.read(1 << 16)):
                said = (said + chunk)[-TAIL:]
    except OSError as fault:
        raise RuntimeError(f"{words[0]} cannot be started: {fault.strerror}") from fault
    if running.returncode:
        last = said.decode("utf-8", "replace").strip().splitlines()[-1:]
        raise RuntimeError(": ".join((f"{words[0]} exited with code {running.returncode}", *last)))
