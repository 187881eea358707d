"""A rehearsal: simulated participants go through the real server, and what came of it is verified and analysed."""

from __future__ import annotations

import asyncio
import math
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from beholder.engines.progress import Silent, Watch
from beholder.errors import Misuse, listed
from beholder.study.design.drawing import Drawn, faults
from beholder.study.design.file import Study
from beholder.study.operations.exclusions import FINISHED
from beholder.study.operations.observers import Looks, Observer, Population
from beholder.study.operations.place import Place
from beholder.study.operations.visitors import TURNED_AWAY, Diary, Visitor, send_back
from beholder.study.operations.wording import count_of

STARTING = 120.0  # seconds that a server may take until it answers: a busy machine is slow, and no reason to give up
MOST = 100_000  # participants: names of one run do not reach into the next one's
RETURNING = 0.1  # share of participants who close the page in the middle and come back


@dataclass(frozen=True)
class Rehearsal:
    """How many come, how many leave before the end, how many are there at a time, and how they answer."""

    n: int = 200
    dropout: float = 0.2
    at_once: int = 32
    population: Population = field(default_factory=Population)
    seed: int = 0

    def __post_init__(self) -> None:
        for option, value in (("--n", self.n), ("--at-once", self.at_once)):
            if not 1 <= value <= MOST:
                raise Misuse(f"got {option} {value}; expected 1 … {MOST:,}".replace(",", " "))
        if not 0 <= self.dropout <= 1:
            raise Misuse(f"got --dropout {self.dropout:g}; expected a share, 0 … 1")
        if self.seed < 0:
            raise Misuse(f"got --seed {self.seed}; expected 0 or more")


class Recovered(NamedTuple):
    """A number that the simulator put in, and what the analysis made of the answers."""

    name: str
    truth: float
    value: float
    low: float
    high: float

    @property
    def inside(self) -> bool:
        """Whether the interval holds the truth."""
        return self.low <= self.truth <= self.high

    def __str__(self) -> str:
        if not math.isfinite(self.low + self.high):
            return f"{self.name} simulated {self.truth:.3f}; too few answers for an interval"
        where = "inside" if self.inside else "OUTSIDE"
        return (
            f"{self.name} simulated {self.truth:.3f}, found {self.value:.3f} [{self.low:.3f}, {self.high:.3f}]: {where}"
        )


@dataclass
class Found:
    """What came of a rehearsal."""

    rehearsal: Rehearsal
    diary: Diary
    seconds: float
    spread: dict[str, tuple[int, int]] = field(default_factory=dict)  # class → least and most exposed
    recovered: list[Recovered] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)  # promises that were broken
    remarks: list[str] = field(default_factory=list)


@contextmanager
def server(at: Place, db: str, workers: int = 1, public_url: str = "") -> Iterator[str]:
    """A server of the study on this machine, in a process of its own; its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    words = ["serve", str(at.file), "--db", db, "--host", "127.0.0.1", "--port", str(port), "--workers", str(workers)]
    words += ["--public-url", public_url] if public_url else []
    child = subprocess.Popen(
        [sys.executable, "-m", "beholder.cli", "study", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        _wait(child, address)
        yield address
    finally:
        child.terminate()
        try:
            child.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            child.kill()
            child.communicate()


def _wait(child: subprocess.Popen[str], address: str) -> None:
    import httpx

    end = time.monotonic() + STARTING
    with httpx.Client(verify=False, timeout=2) as client:  # on this machine, without TLS
        while time.monotonic() < end:
            if child.poll() is not None:
                said = child.stderr.read() if child.stderr else ""
                raise Misuse(f"the server did not start: {said.strip()[-1000:]}")
            try:
                if client.get(f"{address}/health").status_code == 200:
                    return
            except httpx.TransportError:
                time.sleep(0.05)
    raise Misuse(f"the server at {address} did not answer within {STARTING:g} s; beholder study serve says why")


def refuse_url(url: str) -> None:
    """Refuse an address where no study server answers."""
    import httpx

    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise Misuse(f"got --url {url}; expected an address such as http://127.0.0.1:8000")
    try:
        reply = httpx.get(f"{url.rstrip('/')}/health", timeout=10)
    except httpx.HTTPError as fault:
        raise Misuse(f"got --url {url}, where nothing answers ({fault}); start it: beholder study serve") from fault
    if reply.status_code != httpx.codes.OK:
        raise Misuse(f"got --url {url}, whose /health answers {reply.status_code}; expected a healthy study server")


def refuse_real(study: Study, sessions: Sequence[Mapping[str, Any]], force: bool) -> None:
    """Simulated participants do not go where real ones are."""
    real = sum(not one["simulated"] for one in sessions)
    if real and not force:
        raise Misuse(
            f"got a database with {count_of(real, 'real session')} of {study.name}; expected one without; leave out "
            "--db to make a new one, or add --force (simulated sessions are marked, and never exported with real "
            "ones)"
        )


def simulate(
    at: Place, store: Any, address: str, secret: str, rehearsal: Rehearsal, watch: Watch | None = None
) -> Found:
    """Send simulated participants to a server whose database is `store`, and verify what it promises."""
    watch = watch or Silent()
    diary = Diary()
    watch.begin(at.study.name, rehearsal.n, 0, "participants")
    begun = time.perf_counter()
    asyncio.run(_send(at.study, store, _Door(address, secret), rehearsal, diary, watch))
    found = Found(rehearsal, diary, time.perf_counter() - begun)
    verify(at.study, store.tables(at.study.name), found)
    return found


class _Door(NamedTuple):
    """Where participants go in, and the word that says that they are simulated."""

    address: str
    secret: str


async def _send(study: Study, store: Any, door: _Door, rehearsal: Rehearsal, diary: Diary, watch: Watch) -> None:
    import httpx

    looks = Looks(study, rehearsal.population, rehearsal.seed)
    rng = np.random.default_rng([rehearsal.seed, 3])
    trials = study.trials.count + study.trials.practice
    leaves = rng.permutation(rehearsal.n) < round(rehearsal.dropout * rehearsal.n)
    when = rng.integers(0, trials, rehearsal.n)
    stay = rng.permutation(np.flatnonzero(~leaves))
    returns = np.full(rehearsal.n, -1)
    back = stay[: max(1, round(RETURNING * rehearsal.n))]
    returns[back] = rng.integers(1, max(2, trials), len(back))
    places = asyncio.Semaphore(rehearsal.at_once)
    run = int(np.random.default_rng().integers(1, 9_000)) * 100_000  # other names each time: nobody takes part twice
    trust = httpx.create_ssl_context()  # once: to read all certificates takes longer than a visit
    headers = {"X-Beholder-Simulated": door.secret}

    def name_of(number: int) -> str:
        if study.platform == "invite":
            return str(store.keys.invite(study.name, run + number))
        forms = {"prolific": f"{run + number:024x}", "mturk": f"SIMULATED{run + number}"}  # as the platform makes them
        return forms.get(study.platform, f"simulated-{run + number}")

    async def lookup(token: str) -> Mapping[str, Any]:
        row: Mapping[str, Any] = await asyncio.to_thread(store.lookup, token)
        return row

    async def one(number: int) -> None:
        async with (
            places,
            httpx.AsyncClient(base_url=door.address, follow_redirects=True, timeout=60, verify=trust) as client,
        ):
            send_back(client)
            visitor = Visitor(
                client,
                f"/s/{study.name}",
                Observer(looks, number),
                lookup,
                diary,
                int(when[number]) if leaves[number] else None,
                int(returns[number]),
            )
            try:
                came = await visitor.visit(study.platform, name_of(number), headers)
            except httpx.TransportError as fault:
                came = "lost"
                diary.faults.append(f"participant {number}: {type(fault).__name__} {fault}")
            diary.outcomes[number] = came
        watch.step(came == "lost")

    await asyncio.gather(*(one(number) for number in range(rehearsal.n)))


def verify(study: Study, tables: Mapping[str, list[dict[str, Any]]], found: Found) -> None:
    """What a server promises: one session each, every acknowledged answer kept, the least exposed items assigned."""
    mine = {one["id"] for one in tables["sessions"] if one["simulated"]}
    ends = Counter(found.diary.outcomes.values())
    came = ends.total() - ends["lost"] - ends[TURNED_AWAY]
    taken = sum(one["outcome"] in ("", *FINISHED) for one in tables["sessions"] if one["simulated"])
    if ends[TURNED_AWAY] and not 0 < study.participants <= taken:
        places = f"{taken} of {study.participants or 'any number of'} places are taken"
        found.faults.append(f"{ends[TURNED_AWAY]} participants were turned away, although {places}")
    elif ends[TURNED_AWAY]:
        found.remarks.append(f"{ends[TURNED_AWAY]} were turned away, because the study admits {study.participants}")
    if not came <= len(mine):
        found.faults.append(f"{came} participants were admitted, but there are {len(mine)} sessions")
    kept = {one["key"]: one["values"] for one in tables["answers"]}
    lost = [key for key, (_, values) in found.diary.stored.items() if kept.get(key) != values]
    if lost:
        found.faults.append(f"{len(lost)} of {len(found.diary.stored)} acknowledged answers are not in the database")
    found.faults += found.diary.faults
    found.faults += replay(study, tables)
    counts = exposure(study, tables)
    for kind in study.classes:
        own = [counts[item.id] for item in study.items if item.kind == kind and item.use == "trial"]
        found.spread[kind] = min(own), max(own)
    if found.rehearsal.dropout == 0 and found.rehearsal.n == len(mine):
        uneven = [kind for kind, (least, most) in found.spread.items() if most - least > 1]
        if uneven:
            found.faults.append(f"nobody dropped out, but exposure differs by more than 1 in {listed(uneven)}")


def exposure(study: Study, tables: Mapping[str, list[dict[str, Any]]]) -> Counter[str]:
    """How often each item was answered by simulated participants."""
    mine = {one["id"] for one in tables["sessions"] if one["simulated"] and one["outcome"] != "rejected"}
    done = {(one["session"], one["position"]) for one in tables["answers"]}
    counts: Counter[str] = Counter()
    for one in tables["trials"]:
        if one["session"] in mine and one["use"] == "trial" and (one["session"], one["position"]) in done:
            counts.update(filter(None, (one["item"], one["other"])))
    return counts


def replay(study: Study, tables: Mapping[str, list[dict[str, Any]]]) -> list[str]:
    """Assignments one after the other, each against the exposure of its moment: who was passed over.

    The server itself noted, inside the transaction, what it passed over; here it is told once more from the rows alone.
    """
    mine = {one["id"] for one in tables["sessions"] if one["simulated"]}
    noted = [one["detail"] for one in tables["events"] if one["what"] == "uneven" and one["session"] in mine]
    order = [one["session"] for one in tables["events"] if one["what"] == "assigned" and one["session"] in mine]
    by: dict[str, list[Drawn]] = {id: [] for id in order}
    for one in tables["trials"]:
        if one["session"] in by:
            by[one["session"]].append(Drawn(one["use"], one["item"], one["kind"], one["other"]))
    gone = {one["id"] for one in tables["sessions"] if one["outcome"] in ("withdrawn", "rejected", "expired")}
    begun = [one["at"] for one in tables["events"] if one["what"] == "assigned" and one["session"] in mine]
    if gone & mine or (begun and max(begun) - min(begun) > study.lease_minutes * 60):
        return noted  # items were given back in between: exposure cannot be told from the rows alone
    counts: Counter[str] = Counter()
    found = list(noted)
    for id in order:
        found += faults(study, counts, by[id])
        for trial in by[id]:
            counts.update(name for name in (trial.item, trial.other) if name and trial.use == "trial")
    unassigned = {one["session"] for one in tables["trials"]} & mine - set(order)
    return [*found, *(f"session {id} has trials that were never assigned" for id in unassigned)]


def recover(folder: Path, population: Population) -> list[Recovered]:
    """d′ and κ by the analysis of an export, beside what was put in; of a study with grades, nothing."""
    from beholder.study.analysis.analyse import analyse

    told = analyse(folder).everybody
    pairs = []
    if told.detected is not None:
        pairs.append(("d′", population.dprime, told.detected.dprime))
    if told.agreement and told.spread is not None:  # κ is that of yes and no
        pairs.append(("κ", population.kappa, told.agreement[0].kappa))
    return [Recovered(name, truth, one.value, one.lo, one.hi) for name, truth, one in pairs]


def _waited(seconds: NDArray[np.float64]) -> str:
    if not len(seconds):
        return ""
    median, slow = np.quantile(seconds, (0.5, 0.99)) * 1e3
    return f"; time to acknowledge an answer: median {median:.0f} ms, p99 {slow:.0f} ms"


def text(found: Found) -> str:
    """What came of a rehearsal, for a terminal."""
    came = Counter(found.diary.outcomes.values())
    ends = ", ".join(f"{many} {name}" for name, many in sorted(came.items()))
    seconds = np.array(found.diary.seconds)
    answers = len(found.diary.stored)
    lines = [
        f"{count_of(found.rehearsal.n, 'simulated participant')}, {found.rehearsal.at_once} at a time, "
        f"in {found.seconds:.1f} s: {ends}",
        f"{count_of(answers, 'answer')}, {answers / found.seconds:.0f} a second{_waited(seconds)}",
        *(f"exposure of {kind}: {least} to {most} answers per item" for kind, (least, most) in found.spread.items()),
    ]
    lines += [str(one) for one in found.recovered]
    lines += [f"note: {one}" for one in found.remarks]
    if found.faults:
        lines += [f"BROKEN: {one}" for one in found.faults[:20]]
        lines += [f"… and {len(found.faults) - 20} more"] if len(found.faults) > 20 else []
    else:
        lines.append(
            "verified: one session for each participant; every acknowledged answer is stored; every assignment took "
            "the least exposed items available"
        )
    return "\n".join(lines)
