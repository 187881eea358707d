"""Other programs: run one to its end, keep its last words, and let none outlive us."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

PR_SET_PDEATHSIG = 1  # linux/prctl.h
TAIL = 2000  # bytes of a program's last words that are kept


def die_with_parent() -> None:
    """Ask Linux to kill this process when the one that started it ends; elsewhere the closed pipe must do."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def kill_marked(mark: str) -> None:
    """Kill every process with `NAME=VALUE` in the environment that it was started with, on Linux.

    A child may leave its session and lose its parent; this it keeps.
    """
    for file in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if mark.encode() in file.read_bytes().split(b"\0") and int(file.parent.name) != os.getpid():
                os.kill(int(file.parent.name), signal.SIGKILL)


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
