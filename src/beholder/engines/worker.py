"""A worker process, seen from inside: takes tasks from one pipe, sends results to another, until the pipe closes."""

from __future__ import annotations

import faulthandler
import os
import pickle
import signal
import sys
from multiprocessing.connection import Connection

from beholder.errors import Misuse
from beholder.io.programs import die_with_parent

NUMBER = 8  # bytes of a task's number, before every message


def serve(tasks: Connection, replies: Connection) -> None:
    """Do one task after another, until the pipe closes. Each message begins with the number of its task."""
    while True:
        try:
            message = tasks.recv_bytes()
        except EOFError:
            return
        number, task = message[:NUMBER], message[NUMBER:]
        reply = _do(task)
        try:
            replies.send_bytes(number + reply)
        except BrokenPipeError:
            return


def _do(packed: bytes) -> bytes:
    """Do a task: (True, its result), or (False, what it raised).

    A fault goes back as text, as its type may not exist on the other side; only misuse, which is ours, as it is.
    """
    here = os.getpid()
    try:
        task, args = pickle.loads(packed)
        return pickle.dumps((True, task(*args)), protocol=5)
    except Misuse as fault:
        return pickle.dumps((False, fault), protocol=5)
    except Exception as fault:  # noqa: BLE001  (sent on, and raised there)
        return pickle.dumps((False, f"{type(fault).__name__}: {fault}"), protocol=5)
    finally:
        if os.getpid() != here:  # a child that the task forked: it must not speak for its parent
            os._exit(0)


def main() -> None:
    """Entry of `python -m beholder.engines.worker IN OUT`."""
    die_with_parent()
    faulthandler.enable()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is the coordinator's business
    with Connection(int(sys.argv[1]), writable=False) as tasks, Connection(int(sys.argv[2]), readable=False) as replies:
        serve(tasks, replies)


if __name__ == "__main__":
    main()
