"""The engine of a Dask cluster: one that is running, or one that is started on this machine for the run.

A Dask worker hosts our own supervised worker processes (`local`), and passes tasks and replies on as bytes: a death, a
time-out and what a model prints are the same there as here, and no model can harm the Dask worker itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, Executor, Future
from dataclasses import replace
from pathlib import Path
from secrets import token_hex
from typing import Any

from beholder.core.resources import suffices
from beholder.engines.hosting import Guest, OnShelf, dismiss, enter, host
from beholder.engines.local import Step, pack_steps, read_reply
from beholder.engines.progress import Silent
from beholder.engines.protocol import Died, Engine, Late, Outgrown, Parcel
from beholder.errors import Misuse
from beholder.extras import extra
from beholder.io.names import special
from beholder.io.programs import die_with_parent
from beholder.io.reading import parse_json
from beholder.io.scratch import Scratch
from beholder.store.digest import package

PATIENCE = 60.0  # seconds that a scheduler may take to appear: a slow disk takes many
QUEUED = 900.0  # and its first worker, which may wait for a node, or for an image
ANSWER = 10.0  # seconds within which a scheduler that runs must answer
FRESH = 2.0  # seconds for which what is known of the workers holds
LOOPBACK = ("--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0")  # --no-dashboard would listen to everybody
TLS = "tls://"  # before the address of a cluster that speaks to those only who have its certificates


class Dask:
    """A Dask cluster."""

    remote = True

    def __init__(
        self, client: Any, *, timeout: float | None = None, memory: int | None = None, far: bool = True
    ) -> None:
        self.client, self.timeout, self.far = client, timeout, far
        self.address: str = client.scheduler.address
        self._guest = Guest(token_hex(8), package(), memory)
        self._home = pack_steps(enter, str(Path.cwd()), prepare=None, timeout=None)
        self._closed = False
        self._known: dict[str, Any] = dict(client.scheduler_info(n_workers=-1)["workers"])
        self._asked = time.monotonic()
        self._asking: Future[Any] | None = None

    @property
    def slots(self) -> int:
        """As many tasks as all workers together have threads; they may come and go."""
        return max(1, sum(int(worker["nthreads"]) for worker in self._workers.values()))

    @property
    def ahead(self) -> int:
        """One for each worker: the way here and back takes it longer than a local one."""
        return self.slots

    @property
    def places(self) -> Sequence[Mapping[str, float]]:
        """The resources that workers were started with; memory is what Dask lets them have, unless they say."""
        return [_resources(worker) for worker in self._workers.values()]

    @property
    def _workers(self) -> dict[str, Any]:
        """All workers as the scheduler knows them; it is asked now and then, and nobody waits for what it says."""
        if self._asking and self._asking.done():
            with contextlib.suppress(Exception):  # a scheduler that is gone shows in the tasks
                self._known = dict(self._asking.result()["workers"])
            self._asking = None
        if self._asking is None and time.monotonic() - self._asked >= FRESH:
            question = self.client.scheduler.identity(n_workers=-1)
            self._asked = time.monotonic()
            self._asking = asyncio.run_coroutine_threadsafe(question, self.client.loop.asyncio_loop)
        return self._known

    def share(self, data: bytes) -> Parcel:
        """A result of Dask's own, which it makes again where the worker that held it has died."""
        token = token_hex(8)
        return OnShelf(token, self.client.submit(bytes, data, key=f"beholder-parcel-{token}"))

    def submit(
        self,
        task: Callable[..., Any],
        /,
        *args: Any,
        prepare: Callable[..., None] | None = None,
        needs: Mapping[str, float] | None = None,
    ) -> Future[Any]:
        """Queue a task on the cluster."""
        steps = pack_steps(task, *args, prepare=prepare, timeout=self.timeout)
        return self._send(self._executor(needs or {}), steps, args)

    def everywhere(self, task: Callable[..., Any], /, *args: Any) -> list[Future[Any]]:
        """Do a task once on every machine."""
        by_machine = {worker["host"]: address for address, worker in self._workers.items()}
        steps = pack_steps(task, *args, prepare=None, timeout=self.timeout)
        there = [{"workers": [one], "allow_other_workers": True} for one in by_machine.values()]  # it may go meanwhile
        return [self._send(self.client.get_executor(pure=False, **one), steps, args) for one in there]

    def _send(self, executor: Executor, steps: Sequence[Step], args: Sequence[Any]) -> Future[Any]:
        ours: Future[Any] = Future()
        if self.client.status != "running":
            ours.set_exception(Misuse(self._loss()))
            return ours
        parcels = [arg for arg in args if isinstance(arg, OnShelf)]
        tokens, travelling = [one.token for one in parcels], [one.travelling for one in parcels]
        theirs = executor.submit(host, self._guest, [*self._home, *steps], tokens, *travelling)
        theirs.add_done_callback(lambda done: self._copy(done, ours))
        return ours

    def _executor(self, needs: Mapping[str, float]) -> Executor:
        """Dask's executor for tasks with such needs: it places them on workers that were started with that."""
        workers = self._workers
        told = {name for worker in workers.values() for name in worker["resources"]}
        where: dict[str, Any] = {}
        if {*needs} & told:
            where["resources"] = {name: much for name, much in needs.items() if name in told}
        if {*needs} - told:  # memory, which Dask limits and does not count; a worker that goes must not be waited for
            able = [own for own, worker in workers.items() if suffices(_resources(worker), needs)]
            where |= {"workers": able, "allow_other_workers": True} if able else {}
        made: Executor = self.client.get_executor(pure=False, **where)
        return made

    def _copy(self, theirs: Future[Any], ours: Future[Any]) -> None:
        """What befell a task, in our words."""
        try:
            ours.set_result(read_reply(theirs.result()))
        except CancelledError:
            ours.set_exception(Misuse(self._loss()))
        except (Died, Late, Outgrown, Misuse) as fault:
            ours.set_exception(fault)
        except ImportError as fault:
            ours.set_exception(Misuse(f"a Dask worker at {self.address} cannot import Beholder: {fault}"))
        except Exception as fault:  # noqa: BLE001  (a future carries whatever was raised)
            killed = getattr(fault, "allowed_failures", None)  # Dask's KilledWorker
            ours.set_exception(fault if killed is None else Died("the Dask worker died", killed + 1))

    def _loss(self) -> str:
        if self._closed:
            return "the run was stopped"
        return (
            f"the Dask scheduler at {self.address} is gone; what was finished is kept: "
            "start a scheduler and workers, and the same command goes on where it was"
        )

    def renew(self) -> None:
        """What this run has started in the workers ends; to them, what comes is another run's."""
        self._dismiss()
        self._guest = replace(self._guest, token=token_hex(8))

    def _dismiss(self) -> None:
        with contextlib.suppress(Exception):  # the scheduler may be gone
            if self.client.status == "running":
                self.client.run(dismiss, self._guest.token, on_error="ignore")

    def close(self, *, now: bool = False) -> None:
        """End what this run has started in the workers; the cluster goes on."""
        self._closed = True
        self._dismiss()
        with contextlib.suppress(Exception):
            self.client.close(timeout=2)


def _resources(worker: Mapping[str, Any]) -> dict[str, float]:
    """What one worker has."""
    return {"memory": float(worker["memory_limit"] or float("inf")), **worker["resources"]}


# The cluster of one machine, for one run


def _start(jobs: int, place: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A scheduler, and workers that are started again when they die."""
    note = place / "scheduler.json"
    yield _launch("scheduler", "--port", "0", "--scheduler-file", str(note))
    address = _wait_for(note)
    yield _launch(
        *("worker", address, "--nworkers", str(jobs), "--nthreads", "1", "--memory-limit", "0"),
        *("--local-directory", str(place), "--death-timeout", str(PATIENCE)),
    )


def _launch(what: str, *words: str) -> subprocess.Popen[bytes]:
    """A part of a cluster, on the loopback only, with what it tells by HTTP; it ends with this process.

    Other accounts of this machine can reach the loopback, and Dask asks nobody who they are: docs/how-to/cluster.md.
    """
    env = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0",  # what is tried again, and how often, is ours to say
    }
    return subprocess.Popen(
        [sys.executable, "-P", "-m", f"distributed.cli.dask_{what}", *LOOPBACK, *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=env,
        start_new_session=True,  # an interrupt is the coordinator's business
        preexec_fn=die_with_parent,  # noqa: PLW1509  (it does nothing but one system call)
    )


def _wait_for(note: Path, say: Callable[[str], object] = str) -> str:
    """The address that a scheduler has written down."""
    end = time.monotonic() + PATIENCE
    if not note.exists():
        say(f"waiting up to {PATIENCE:g} s for {note}, which a Dask scheduler is to write")
    while time.monotonic() < end:
        if kind := special(note):
            raise Misuse(f"{note}: got {kind}; expected the file of a Dask scheduler")
        try:
            found = parse_json(note.read_text("utf-8"))
        except (OSError, ValueError):  # not there yet, or not whole yet
            time.sleep(0.05)
            continue
        if not isinstance(found, dict) or not isinstance(found.get("address"), str):
            raise Misuse(f"{note}: got no address; expected the file that a scheduler writes with --scheduler-file")
        return str(found["address"])
    raise Misuse(
        f"waited {PATIENCE:g} s for {note}, which no Dask scheduler has written; start one with --scheduler-file {note}"
    )


class Embedded(Dask):
    """A cluster that is started on this machine, and ends with the run."""

    def __init__(self, jobs: int, timeout: float | None, memory: int | None) -> None:
        self._place = Scratch()
        self._parts = []
        try:
            for part in _start(jobs, Path(self._place.name)):
                self._parts.append(part)
            super().__init__(
                _connect(_wait_for(Path(self._place.name, "scheduler.json")), jobs),
                timeout=timeout,
                memory=memory,
                far=False,
            )
        except BaseException:
            self._end()
            raise

    def close(self, *, now: bool = False) -> None:
        """End the cluster."""
        super().close(now=now)
        self._end()

    def _end(self) -> None:
        for part in reversed(self._parts):  # Dask takes seconds to say goodbye; workers go when their nanny is gone
            part.kill()
            part.wait()
        self._place.cleanup()


async def _greet(address: str) -> None:
    """Ask a scheduler who it is."""
    distributed = extra("distributed")
    how = distributed.Security().get_connection_args("client")
    async with distributed.rpc(address, timeout=ANSWER, connection_args=how) as scheduler:
        found = await scheduler.identity()
    if found.get("type") != "Scheduler":
        raise OSError(f"{found.get('type')} answered")


def _check_answer(address: str) -> None:
    """Refuse an address where no scheduler answers: Dask's own client asks for minutes, and dies noisily."""
    asked: Future[None] = Future()

    def ask() -> None:
        try:
            asked.set_result(asyncio.run(asyncio.wait_for(_greet(address), ANSWER)))
        except BaseException as fault:  # noqa: BLE001  (a future carries whatever was raised)
            asked.set_exception(fault)

    threading.Thread(target=ask, daemon=True).start()  # a notebook's thread has a loop of its own
    try:
        asked.result(ANSWER + 5)  # if it hangs all the same
    except Exception as fault:  # noqa: BLE001  (what stands there may answer with anything)
        raise _nobody(address, fault) from None


def _nobody(address: str, fault: Exception) -> Misuse:
    """The sentence for an address where no scheduler answers."""
    why = " ".join(str(fault).split())[:200] or f"nothing within {ANSWER:g} s"
    secret = " with certificates of the same authority" if address.startswith(TLS) else ""
    return Misuse(f"no Dask scheduler answers at {address} ({why}); start one with `dask scheduler`{secret}")


def _check_place(address: str) -> None:
    """Refuse an address without a port, or of a machine whose name is not known here."""
    way, _, place = address.partition("://")
    host, _, port = place.rpartition(":")
    if way not in ("tcp", "tls"):
        return
    if not port.isdecimal():
        raise Misuse(f"got --engine dask:{address}, which has no port; expected one, such as dask:tcp://head:8786")
    try:
        socket.getaddrinfo(host.strip("[]"), int(port))
    except (OSError, OverflowError, UnicodeError) as fault:
        if isinstance(fault, socket.gaierror) and fault.errno == socket.EAI_AGAIN:
            return  # it may be known soon: whoever connects tries again
        raise Misuse(f"got --engine dask:{address}; no machine called {host!r} is known here: check the name") from None


def _check_certificates(address: str) -> None:
    """Refuse an address with TLS before anybody is asked, where Dask has not been told of certificates."""
    if not address.startswith(TLS):
        return
    try:
        if extra("distributed").Security().get_connection_args("client").get("ssl_context"):
            return
        why = "not all of them are set"
    except (OSError, ValueError, TypeError) as fault:  # a file that is not there, or is no certificate
        why = str(fault)
    names = ", ".join(f"DASK_DISTRIBUTED__COMM__TLS__{name}" for name in ("CA_FILE", "CLIENT__CERT", "CLIENT__KEY"))
    raise Misuse(
        f"got {address}, for which Dask needs certificates ({why}); set distributed.comm.tls in its configuration, "
        f"or {names}: docs/how-to/cluster.md"
    )


def _connect(address: str, workers: int = 1, say: Callable[[str], object] = str) -> Any:
    """A client of a cluster, when it has workers."""
    distributed = extra("distributed")
    for handler in logging.getLogger("distributed").handlers:  # what matters of it is said in our words
        handler.setLevel(logging.CRITICAL + 1)
    extra("dask").config.set({"distributed.admin.large-graph-warning-threshold": "1GB"})  # parcels go that way
    _check_place(address)
    _check_certificates(address)
    _check_answer(address)
    try:
        client = distributed.Client(address, timeout=ANSWER, set_as_default=False, name="beholder")
    except (OSError, ValueError, TimeoutError) as fault:
        raise _nobody(address, fault) from None
    if len(client.scheduler_info(n_workers=-1)["workers"]) < workers:
        say(f"waiting up to {QUEUED / 60:g} minutes for workers of the Dask scheduler at {address}")
    try:
        client.wait_for_workers(workers, timeout=QUEUED)
    except TimeoutError:
        client.close()
        raise Misuse(
            f"waited {QUEUED / 60:g} minutes for workers of the Dask scheduler at {address}, which has too few; "
            f"start some with `dask worker {address}`"
        ) from None
    return client


def dask(jobs: int = 1, *, timeout: float | None = None, memory: int | None = None, address: str = "") -> Engine:
    """A Dask cluster: `dask:tcp://HOST:PORT` is one that runs, `dask` is started here for the run with --jobs workers.

    `dask:FILE.json` is one whose scheduler has written (or will write) its address there (`--scheduler-file`).

    A crash or a time-out costs only the task that was running; without the scheduler the run ends, and can be resumed.
    """
    extra("distributed")
    if not address:
        return Embedded(jobs, timeout, memory)
    if not address.endswith(".json") and "://" not in address:
        raise Misuse(f"got --engine dask:{address}; expected dask:tcp://HOST:PORT, or dask:FILE.json of a scheduler")
    say = Silent().say  # no bar is drawn yet
    client = _connect(_wait_for(Path(address), say) if address.endswith(".json") else address, say=say)
    return Dask(client, timeout=timeout, memory=memory)
