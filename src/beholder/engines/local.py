"""The engine of supervised worker processes on this machine.

A worker is a process of its own that is spoken to through pipes. When it dies or is late, exactly the task that it was
doing is lost, and a new worker takes its place; the pool itself cannot break.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import math
import os
import pickle
import platform
import queue
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from secrets import token_hex
from typing import Any

from beholder.engines.memory import TICK, MemoryWatch
from beholder.engines.protocol import Died, Engine, InFile, Late, Outgrown, Parcel
from beholder.engines.threads import SINGLE
from beholder.engines.worker import HEAD, MARK, MOST
from beholder.errors import Misuse
from beholder.io.machine import gpus
from beholder.io.memory import total
from beholder.io.programs import kill_family
from beholder.io.scratch import Scratch
from beholder.io.sizes import say_size

QUOTA = Path("/sys/fs/cgroup/cpu.max")  # μs of all cores together that a container may use, and in how many
GRACE = 120.0  # seconds that opening a model may take
BADGE = "BEHOLDER_WORKER"  # the variable by which a worker's children are known, wherever they have gone
IDLE = 20.0  # seconds after which a worker without a task is ended; the next task gets a new one
PATIENCE = 60.0  # seconds for which a worker that the system cannot start now is tried again
TAIL = 2000  # characters of a dead worker's last words that are kept

Step = tuple[bytes, float | None]  # what a worker is asked at once, pickled, and the seconds that it may take


class Local:
    """A pool of supervised worker processes on this machine."""

    remote = True
    far = False
    ahead = 0

    def __init__(self, slots: int = 1, *, timeout: float | None = None, memory: int | None = None) -> None:
        self.slots = slots
        self.timeout = timeout
        self._tasks: queue.SimpleQueue[tuple[Future[Any], Sequence[Step], Callable[[bytes], Any]] | None]
        self._tasks = queue.SimpleQueue()
        self._workers: set[_Worker] = set()
        self._shelf: Scratch | None = None
        self._seats = [Seat(memory, self._workers) for _ in range(slots)]
        self._threads = [threading.Thread(target=self._supervise, args=(seat,), daemon=True) for seat in self._seats]
        for thread in self._threads:
            thread.start()

    @functools.cached_property
    def places(self) -> Sequence[Mapping[str, float]]:
        """This machine."""
        return [{"memory": float(total()), "gpu": float(gpus())}]

    def share(self, data: bytes) -> Parcel:
        """A file that is there as long as the engine."""
        self._shelf = self._shelf or Scratch()
        path = Path(self._shelf.name, token_hex(8))
        path.write_bytes(data)
        return InFile(path)

    def submit(
        self,
        task: Callable[..., Any],
        /,
        *args: Any,
        prepare: Callable[..., None] | None = None,
        needs: Mapping[str, float] | None = None,
    ) -> Future[Any]:
        """Queue a task; its future fails with `Died`, `Late` or `Outgrown` when its worker does."""
        return self.send(pack_steps(task, *args, prepare=prepare, timeout=self.timeout), read_reply)

    def send(self, steps: Sequence[Step], read: Callable[[bytes], Any]) -> Future[Any]:
        """Queue a task that is packed already; its future holds what `read` makes of the last reply."""
        future: Future[Any] = Future()
        self._tasks.put((future, steps, read))
        return future

    def renew(self) -> None:
        """Each worker is replaced before its next task."""
        for seat in self._seats:
            seat.retired = True

    def close(self, *, now: bool = False) -> None:
        """End the workers: when their tasks are done, or at once."""
        if now:
            for seat in self._seats:
                seat.closed = True
            for worker in tuple(self._workers):
                worker.stop()
        for _ in self._threads:
            self._tasks.put(None)
        for thread in self._threads:
            thread.join()
        if self._shelf:
            self._shelf.cleanup()

    def _supervise(self, seat: Seat) -> None:
        """One thread, one worker at a time."""
        while (item := self._next(seat)) is not None:
            future, steps, read = item
            if seat.closed or not future.set_running_or_notify_cancel():
                future.cancel()
                continue
            try:
                future.set_result(read(seat.do(steps)))
            except Exception as fault:  # noqa: BLE001  (a future carries whatever was raised)
                future.set_exception(fault)
        seat.clear()

    def _next(self, seat: Seat) -> tuple[Future[Any], Sequence[Step], Callable[[bytes], Any]] | None:
        """What is to be done next. A worker that waits for long is ended: the table of scores may need its memory."""
        try:
            return self._tasks.get(timeout=IDLE)
        except queue.Empty:
            seat.clear()
            return self._tasks.get()

    def peak(self) -> int:
        """The most bytes of memory that a worker has held since this was last asked."""
        return max(seat.peak() for seat in self._seats)


class Seat:
    """A place for one worker at a time: one that dies, is late or holds too much memory is replaced.

    `staff` are all workers of the pool, this seat's among them.
    """

    def __init__(self, memory: int | None = None, staff: set[_Worker] | None = None) -> None:
        self._memory, self._staff = memory, set() if staff is None else staff
        self._worker: _Worker | None = None
        self._most = 0  # bytes that workers of the past have held
        self.closed = self.retired = False

    def do(self, steps: Sequence[Step]) -> bytes:
        """The reply to the last of some tasks, each with its time-out; raises `Died`, `Late` or `Outgrown`.

        Where no worker can be started, that is no task's fault: `Misuse`.
        Memory may be what earlier tasks have left: in a worker that is not new, a task that outgrows it is done again.
        """
        if self._worker and (self.retired or self._worker.memory.outgrown()):
            self.clear()
        self.retired = False
        used = self._worker is not None
        try:
            return [self._seated().ask(task, limit) for task, limit in steps][-1]
        except Outgrown:
            self.clear()
            if not used:
                raise
            return self.do(steps)
        except (Died, Late):
            self.clear()
            raise

    def _seated(self) -> _Worker:
        if self._worker is None:
            self._worker = self._started()
            self._staff.add(self._worker)
            if self.closed:  # while it started, and whoever closed may not have seen it
                raise Died("the run was stopped")
        return self._worker

    def _started(self) -> _Worker:
        """A new worker. A system that has no room for another process may have some a little later."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                return _Worker(self._memory, self._staff)
            except OSError as fault:
                if self.closed:
                    raise Died("the run was stopped") from fault
                if time.monotonic() > end:
                    raise Misuse(
                        f"no worker process can be started on {platform.node()} ({fault.strerror or fault}); what was "
                        "finished is kept, and the same command goes on where it was when one can"
                    ) from fault
                time.sleep(0.5)

    def clear(self) -> None:
        """End the worker, if there is one."""
        if self._worker:
            self._most = max(self._most, self._worker.memory.most())
            self._worker.kill()
            self._staff.discard(self._worker)
            self._worker = None

    def peak(self) -> int:
        """The most bytes that a worker has held here since this was last asked."""
        worker = self._worker
        found, self._most = max(self._most, worker.memory.most(forget=True) if worker else 0), 0
        return found


class _Worker:
    """A process that does tasks, seen from outside.

    `memory` is how many bytes it and what it has started may hold; without, it may hold all that there is, unless it is
    the largest of its `peers` when nothing is left.
    """

    def __init__(self, memory: int | None = None, peers: Collection[_Worker] = ()) -> None:
        self._badge, self._number = token_hex(16), 0
        with contextlib.ExitStack() as theirs, contextlib.ExitStack() as ours:
            fds, (self._tasks, self._replies) = _open_pipes(theirs, ours)
            os.set_blocking(self._replies, False)
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "beholder.engines.worker", *map(str, fds)],
                pass_fds=fds,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env={
                    **os.environ,
                    **SINGLE,
                    "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),  # sees what we see
                    BADGE: self._badge,  # whatever a model starts inherits it
                },
                start_new_session=True,  # so that a kill reaches what a model has started
            )
            ours.pop_all()  # they stay open
        self.memory = MemoryWatch(self._process.pid, memory, lambda: (peer.memory.held for peer in tuple(peers)))
        self._pipe = os.fstat(self._process.stdout.fileno()).st_ino if self._process.stdout else 0
        self._said = b""
        self._listener = threading.Thread(target=self._listen, daemon=True)
        try:
            self._listener.start()
        except RuntimeError as fault:  # threads count as processes do
            self.kill()
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN)) from fault

    def _listen(self) -> None:
        """Take whatever the worker prints, so that it never blocks, and remember the end only."""
        pipe = self._process.stdout
        while pipe is not None and (chunk := os.read(pipe.fileno(), 1 << 16)):
            self._said = (self._said + chunk)[-TAIL:]

    def ask(self, task: bytes, timeout: float | None) -> bytes:
        """The reply to a task."""
        self._number += 1
        end = math.inf if timeout is None else time.monotonic() + timeout
        try:
            _write_all(self._tasks, HEAD.pack(MARK, self._number, len(task)) + task)
            return self._reply(end)
        except TimeoutError:
            raise Late(f"no answer within {timeout:g} s") from None
        except (EOFError, OSError) as fault:
            raise Died(self._last_words()) from fault

    def _reply(self, end: float) -> bytes:
        """The reply to the last task; replies of others are dropped."""
        while True:
            mark, number, size = HEAD.unpack(self._read(HEAD.size, end))
            if mark != MARK:
                raise Died("the model wrote into the pipe that its worker uses to report")
            if size > MOST:
                raise Died(f"the worker process sent back {say_size(size)}; expected at most {say_size(MOST)}")
            reply = self._read(size, end)
            if number == self._number:
                return reply

    def _read(self, size: int, end: float) -> bytes:
        """So many bytes from the worker, by the deadline.

        A model's own children may hold the pipe open, so the process is looked at too.
        """
        found = bytearray()
        while len(found) < size:
            if _readable(self._replies, max(0.0, min(TICK, end - time.monotonic()))):
                chunk = os.read(self._replies, min(size - len(found), 1 << 20))
                if not chunk:
                    raise EOFError
                found += chunk
            elif self._process.poll() is not None and not _readable(self._replies, 0.0):
                raise EOFError
            elif time.monotonic() >= end:
                raise TimeoutError
            elif why := self.memory.outgrown():
                raise Outgrown(why)
        return bytes(found)

    def _last_words(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(5)
        self._listener.join(1)
        code = self._process.poll()
        how = "ended" if code is None else f"exited with code {code}" if code >= 0 else _signal(-code)
        if code == -signal.SIGKILL and self.memory.large:
            how += f" when it held {say_size(self.memory.held)} of memory"
        said = self._said.decode("utf-8", "replace").strip().splitlines()
        fatal = next((line for line in said if line.startswith("Fatal Python error")), said[-1] if said else "")
        return f"the worker process {how}" + (f"; it said: {fatal[:200]}" if fatal else "")

    def stop(self) -> None:
        """End the process and everything that it has started; whoever waits for its answer sees it die."""
        kill_family(self._process.pid, f"{BADGE}={self._badge}", self._pipe)

    def kill(self) -> None:
        """End the process and let go of its pipes: only by the thread that speaks to it."""
        self.stop()
        self._process.wait()
        if self._listener.ident:
            self._listener.join(1)
        os.close(self._tasks)
        os.close(self._replies)
        if self._process.stdout:
            self._process.stdout.close()


def pack_steps(
    task: Callable[..., Any], *args: Any, prepare: Callable[..., None] | None, timeout: float | None
) -> list[Step]:
    """A task as a worker takes it, after its preparation, which has time of its own."""
    steps = [(pickle.dumps((task, args), protocol=5), timeout)]
    if prepare:
        grace = None if timeout is None else max(GRACE, timeout)
        steps.insert(0, (pickle.dumps((prepare, args), protocol=5), grace))
    return steps


def read_reply(reply: bytes) -> Any:
    """What a worker has replied: the result of its task, or what that raised."""
    try:
        fine, value = pickle.loads(reply)
    except Exception as fault:
        raise RuntimeError(f"its result cannot be read here: {type(fault).__name__}: {fault}") from fault
    if not fine:
        raise value if isinstance(value, Misuse) else RuntimeError(value)
    return value


def _open_pipes(theirs: contextlib.ExitStack, ours: contextlib.ExitStack) -> tuple[tuple[int, int], tuple[int, int]]:
    """A pipe to a worker and one from it: its two ends and ours, which the stacks close."""
    ends = []
    for reader, writer in ((theirs, ours), (ours, theirs)):
        end = os.pipe()
        for stack, fd in zip((reader, writer), end, strict=True):
            stack.callback(os.close, fd)
        ends.append(end)
    (theirs_in, tasks), (replies, theirs_out) = ends
    return (theirs_in, theirs_out), (tasks, replies)


def _readable(fd: int, seconds: float) -> bool:
    """Whether there is something to read, or an end, within so many seconds; `select` knows 1,024 files only."""
    waiting = select.poll()
    waiting.register(fd, select.POLLIN)
    return bool(waiting.poll(seconds * 1000))


def _write_all(fd: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(fd, left) :]


def cores() -> int:
    """How many cores this process may use: of a container, only those that it was given."""
    own = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    with contextlib.suppress(OSError, ValueError):
        quota, period = map(float, QUOTA.read_text("ascii").split())  # "max" where there is none: no number
        return max(1, min(own, math.ceil(quota / period)))
    return own


def local(jobs: int = 1, *, timeout: float | None = None, memory: int | None = None) -> Engine:
    """Worker processes on this machine; a crash or a time-out costs only the task that was running."""
    return Local(jobs, timeout=timeout, memory=memory)


def _signal(number: int) -> str:
    try:
        return f"was killed by {signal.Signals(number).name}"
    except ValueError:
        return f"was killed by signal {number}"
