"""A worker process, seen from inside: takes tasks from one pipe, sends results to another, until the pipe closes."""

from __future__ import annotations

import faulthandler
import os
import pickle
import signal
import struct
import sys
from typing import IO

from beholder.errors import Misuse
from beholder.io.pickles import TooLarge, pickled
from beholder.io.programs import adopt_orphans, die_first, die_with_parent

HEAD = struct.Struct("!8sQQ")  # of every message: a mark, the number of its task, and how many bytes follow
MARK = b"beholder"
MOST = 1 << 28  # bytes of a reply: outcomes are small, and whoever reads it must hold it


def serve(tasks: IO[bytes], replies: IO[bytes]) -> None:
    """Do one task after another, until the pipe closes. Each message says of which task it is."""
    while len(head := tasks.read(HEAD.size)) == HEAD.size:
        _, number, size = HEAD.unpack(head)
        reply = _do(tasks.read(size))
        try:
            replies.write(HEAD.pack(MARK, number, len(reply)) + reply)
            replies.flush()
        except BrokenPipeError:
            return


def _do(packed: bytes) -> bytes:
    """Do a task: (True, its result), or (False, what it raised).

    A fault goes back as text, as its type may not exist on the other side; only misuse, which is ours, as it is.
    """
    here = os.getpid()
    try:
        task, args = pickle.loads(packed)
        return pickled((True, task(*args)), MOST)
    except TooLarge as fault:
        return pickle.dumps((False, f"what came out cannot be sent back: {fault}"), protocol=5)
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
    adopt_orphans()
    die_first()
    faulthandler.enable()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is the coordinator's business
    with os.fdopen(int(sys.argv[1]), "rb") as tasks, os.fdopen(int(sys.argv[2]), "wb") as replies:
        serve(tasks, replies)


if __name__ == "__main__":
    main()
