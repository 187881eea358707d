"""Study servers for tests: a study whose truth has words that occur nowhere else, and people who take part in it."""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import numpy as np
from httpx import Response
from PIL import Image

from beholder.study.design.file import Study
from beholder.study.server.app import create
from beholder.study.server.showing import Served
from beholder.study.server.store import Store

with warnings.catch_warnings():  # Starlette would rather have a fork of httpx
    warnings.simplefilter("ignore")
    from fastapi.testclient import TestClient

KEY = b"k" * 32
SECRET = "an admin secret for tests"
CLASSES = ("zqhuman", "zqsynth")  # no other text holds these
TRUTH = re.compile(r"zq(human|synth|item|system|picture|practice|check|other)|tracks/|\.png", re.IGNORECASE)
STUDY: dict[str, Any] = {
    "name": "gaze",
    "title": "Whose gaze is it?",
    "questions": [{"text": "A person?", "answers": [{"value": "yes", "label": "Yes"}, {"value": "no", "label": "No"}]}],
    "right": {"zqhuman": "yes", "zqsynth": "no"},
    "instructions": "Look, then say.",
    "consent": {"version": "1", "text": "You may stop.", "contact": "us@example.org"},
    "form": [
        {"name": "education", "label": "Education", "choices": [{"value": v, "label": v.upper()} for v in "ab"]},
        {"name": "knowledge", "label": "Knowledge", "low": 1, "high": 5},
    ],
    "groups": [
        {"name": "expert", "field": "knowledge", "at_least": 3},
        {"name": "naive", "field": "knowledge", "at_most": 2},
    ],
    "trials": {"count": 4, "practice": 1, "checks": 1, "repeats": 1},
    "codes": {"complete": "DONE1", "failed_checks": "FAIL2", "screened_out": "OUT3", "return_to": "https://r.example/?cc={code}"},
    "exclude": [{"rule": "checks", "most": 0}],
}  # fmt: skip


def items(groups: int = 6) -> list[dict[str, str]]:
    """Two of each picture, one of each class, and what is for practice and for checks."""
    found = [
        {"id": f"zqitem-{kind}-{at}", "class": kind, "group": f"zqpicture{at}", "system": f"zqsystem{kind[2:]}"}
        for at in range(groups)
        for kind in CLASSES
    ]
    found.append({"id": "zqpractice", "class": "zqhuman", "use": "practice", "group": "zqother"})
    found.append({"id": "zqcheck", "class": "zqcheck", "use": "check", "expected": "no", "group": "zqcheck"})
    for item in found:
        item |= {"show": "track", "media": f"media/{item['group']}.png", "track": f"tracks/{item['id']}.json"}
    return found


def write_folder(folder: Path, shown: Iterable[Mapping[str, str]]) -> None:
    """Pictures and tracks of items; the tracks of one class have longer numbers than those of the other."""
    rng = np.random.default_rng(0)
    for item in shown:
        for name in ("media", "track"):
            (folder / item[name]).parent.mkdir(parents=True, exist_ok=True)
        if not (folder / item["media"]).exists():
            Image.fromarray(rng.integers(0, 256, (12, 16, 3), dtype=np.uint8)).save(folder / item["media"])
        digits = 4 if item["class"] == "zqhuman" else 1
        points = [[round(at / 25, 2), *(round(float(v), digits) for v in rng.random(2))] for at in range(125)]
        (folder / item["track"]).write_text(json.dumps(points))


def served(folder: Path, *, groups: int = 6, **changes: Any) -> Served:
    """A study in a folder; changes go into its file, one level deep."""
    shown = items(groups)
    write_folder(folder, shown)
    content = {
        **STUDY,
        "items": shown,
        **{k: {**STUDY[k], **v} if isinstance(STUDY.get(k), dict) else v for k, v in changes.items()},
    }
    return Served(Study.model_validate(content), folder)


@dataclass
class Clock:
    """Time that stands still until it is moved."""

    now: float = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Server:
    """An application, and what it is made of."""

    client: TestClient
    store: Store
    study: Served
    clock: Clock

    def participant(self, **ids: str) -> Participant:
        return Participant(self, ids)

    def browser(self, **more: Any) -> TestClient:
        """Another browser: cookies of its own."""
        more = {"base_url": str(self.client.base_url), **more}
        made = TestClient(self.client.app, follow_redirects=False, raise_server_exceptions=False, **more)
        made.portal = self.client.portal  # one event loop for all, or each request would begin one
        return made


@contextmanager
def running(
    folder: Path,
    *,
    db: str = "",
    limit: tuple[float, float] = (1e6, 1e6),
    doors: tuple[float, float] = (1e6, 1e6),
    also: tuple[Served, ...] = (),
    **changes: Any,
) -> Iterator[Server]:
    """A server in this process; its database is in memory where that can be, for others show what a disk does."""
    address = changes.pop("address", "")
    study = served(folder, **changes)
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    place = tempfile.mkdtemp(prefix="beholder-study-", dir=memory)
    store = Store(db or f"{place}/answers.sqlite", KEY)
    clock = Clock()
    app = create([study, *also], store, secret=SECRET, clock=clock, limit=limit, doors=doors, address=address)
    base = address or "http://testserver"
    with TestClient(app, follow_redirects=False, raise_server_exceptions=False, base_url=base) as client:
        yield Server(client, store, study, clock)
    store.close()
    shutil.rmtree(place)


@dataclass
class Remote:
    """The same, behind a socket."""

    address: str
    store: Store
    study: Served

    def participant(self, **ids: str) -> Participant:
        return Participant(self, ids, simulated=True)

    def browser(self, **more: Any) -> httpx.Client:
        return httpx.Client(base_url=self.address, timeout=240, **more)


@dataclass
class Participant:
    """Somebody who goes through a study; every response is kept."""

    server: Server | Remote
    ids: dict[str, str] = field(default_factory=dict)
    responses: list[Response] = field(default_factory=list)
    csrf: str = ""
    simulated: bool = False  # on a server with a real clock, only these need not wait for the end of a clip

    def __post_init__(self) -> None:
        self.base = f"/s/{self.server.study.study.name}"
        self.browser: httpx.Client = self.server.browser()
        if self.simulated:
            self.browser.headers["X-Beholder-Simulated"] = SECRET

    def get(self, path: str, **more: Any) -> Response:
        return self._keep(self.browser.get(self.base + path, **more))

    def post(self, path: str, **form: str) -> Response:
        return self._keep(self.browser.post(self.base + path, data={"csrf": self.csrf, **form}))

    def send(self, path: str, body: Mapping[str, Any], **headers: str) -> Response:
        return self._keep(self.browser.post(self.base + path, json=body, headers={"X-Beholder": "1", **headers}))

    def _keep(self, response: Response) -> Response:
        self.responses.append(response)
        found = re.search(r'name="csrf" value="([^"]*)"', response.text)
        self.csrf = found[1] if found else self.csrf
        return response

    def enter(self) -> Response:
        """From the link to the first page."""
        self.get("/", params=self.ids)
        entered = self.post("/enter", **self.ids)
        if entered.status_code == 303:
            self.get("/go")
        return entered

    def until_trials(self, knowledge: int = 4) -> dict[str, Any]:
        """All pages before the trials; the first trial."""
        self.enter()
        self.post("/consent", agree="yes", hash=self.server.study.study.consent.hash)
        self.post("/form", form_education="a", form_knowledge=str(knowledge))
        self.post("/device", width="1280", height="800", ratio="1", fps="60", kind="desktop", reduced="0")
        self.post("/instructions")
        self.get("/go")
        first: dict[str, Any] = self.get("/api/next").json()
        return first

    def answer(self, trial: Mapping[str, Any], value: str = "yes", key: str = "", **more: Any) -> Response:
        """Watch to the end, then answer."""
        if isinstance(self.server, Server):
            self.server.clock.now += sum(shown["seconds"] for shown in trial.get("shows", ()))
        return self.answer_now(trial, value, key, **more)

    def answer_now(self, trial: Mapping[str, Any], value: str = "yes", key: str = "", **more: Any) -> Response:
        body = {"token": trial["token"], "key": key or secrets.token_urlsafe(18), "values": {"human": value}, **more}
        return self.send("/api/answer", body)

    def finish(self, said: Mapping[str, Any], value: str = "") -> Response:
        """Answer all that is left (as it should be, where nothing else is said), and look at the last page."""
        while not said["done"]:
            said = self.answer(said["trial"], value or self.right(said["trial"])).json()["next"]
        self.get("/go")
        return self.get("/done")

    def right(self, trial: Mapping[str, Any]) -> str:
        row = self.server.store.lookup(trial["token"])
        return "no" if row["use"] == "check" else STUDY["right"][row["kind"]]


def write_file(study: Served) -> Path:
    """The study file, in its folder."""
    from beholder.io import toml

    file = study.folder / "study.toml"
    file.write_text(toml.written(study.study.model_dump(mode="json", by_alias=True, exclude_defaults=True)))
    return file


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Process:
    """A server in a process of its own, that can be killed and started again."""

    def __init__(self, file: Path, db: str, *, workers: int = 1) -> None:
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        call = f"serve([Path({str(file)!r})], db={db!r}, port={self.port}, workers={workers}, secret={SECRET!r})"
        self._code = f"from pathlib import Path; from beholder.study.server.serve import serve; {call}"
        self.child: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Begin, and wait until it answers."""
        env = {**os.environ, "BEHOLDER_STUDY_KEY": KEY.decode()}
        self.child = subprocess.Popen([sys.executable, "-c", self._code], env=env, start_new_session=True)
        end = time.monotonic() + 240  # a busy machine is no fault
        while time.monotonic() < end:
            assert self.child.poll() is None, "the server ended"
            try:
                if httpx.get(f"{self.address}/health", timeout=2).status_code == 200:
                    return
            except httpx.TransportError:
                time.sleep(0.05)
        raise AssertionError("the server did not begin")

    def kill(self) -> None:
        """SIGKILL, to it and to its workers, at once."""
        if self.child is not None:
            os.killpg(self.child.pid, signal.SIGKILL)
            self.child.wait()
            self.child = None

    def __enter__(self) -> Process:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()


def server_key() -> bytes:
    """The key that a server in a process of its own has."""
    return hashlib.sha256(KEY).digest()


def at_trials(store: Store, study: Served, many: int, name: str = "person") -> list[str]:
    """Simulated people (they need not wait for the end of a clip) at the trials; the tokens by which they are known."""
    found = []
    for at in range(many):
        now = time.time()
        session = store.enter(study.study.name, study.study.platform, f"{name}-{at}", now, simulated=True)
        session = store.consent(session, study.study.consent.hash, now)
        session = store.fill(session, {"education": "a", "knowledge": str(1 + at % 5)}, now)
        session = store.begin(store.measure(session, {}, now), now)
        found.append(store.keys.sign("session", session.study, session.id, until=now + 3600))
    return found
