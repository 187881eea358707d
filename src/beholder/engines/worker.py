"""A worker process, seen from inside: takes tasks from one pipe, sends results to another, until the pipe closes."""

from __future__ import annotations

import faulthandler
import pickle
import signal
import sys
from multiprocessing.connection import Connection

from beholder.io.programs import die_with_parent


def serve(tasks: Connection, replies: Connection) -> None:
    """Do one task after another. What a task raises goes back as text: its type may not exist on the other side."""
    while True:
        try:
            task, args = pickle.loads(tasks.recv_bytes())
            reply = (True, task(*args))
        except EOFError:
            return
        except Exception as fault:  # noqa: BLE001  (sent on, and raised there)
            reply = (False, f"{type(fault).__name__}: {fault}")
        try:
            replies.send_bytes(pickle.dumps(reply, protocol=5))
        except BrokenPipeError:
            return


def main() -> None:
    """Entry of `python -m beholder.engines.worker IN OUT`."""
    die_with_parent()
    faulthandler.enable()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is the coordinator's business
    with Connection(int(sys.argv[1]), writable=False) as tasks, Connection(int(sys.argv[2]), readable=False) as replies:
        serve(tasks, replies)


if __name__ == "__main__":
    main()
