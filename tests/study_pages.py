"""Studies in a real browser: short clips, a server in a thread, and people who look, choose and confirm."""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import av
import numpy as np
from PIL import Image

from beholder.study.design.file import Study
from beholder.study.server.app import create
from beholder.study.server.showing import Served
from beholder.study.server.store import Given, Store
from study_servers import KEY, SECRET, free_port

SECONDS, HERTZ = 0.3, 20
POINTS = round(SECONDS * HERTZ)
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
YES_NO = {"text": "A person?", "answers": [{"value": v, "label": v.title(), "key": v[0]} for v in ("yes", "no")]}
WHICH = {"text": "Which?", "answers": [{"value": v, "label": w} for v, w in (("first", "A"), ("second", "B"))]}
COMMON: dict[str, Any] = {
    "title": "Whose gaze is it?",
    "instructions": "Look at the dot.\n\nThen say whose it was.",
    "consent": {"version": "1", "text": "You may stop at any time.", "contact": "us@example.org"},
    "codes": {"complete": "DONE-17", "return_to": "https://recruiter.example/?cc={code}"},
    "debrief": "Half of them were people's.",
}


def rated(dimension: str) -> dict[str, Any]:
    """A question with a scale."""
    return {"dimension": dimension, "text": dimension, "answers": [{"value": v, "label": v} for v in "12345"]}


def write_media(folder: Path) -> None:
    """A picture, a film and a track, all short."""
    wave = np.add.outer(np.arange(48), np.arange(64)).astype(np.uint8)
    Image.fromarray(np.dstack([wave, wave, 255 - wave])).save(folder / "picture.png")
    with av.open(str(folder / "film.mp4"), "w") as film:
        stream = film.add_stream("h264", rate=HERTZ)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        for at in range(POINTS):
            pixels = np.full((48, 64, 3), 40 * at, np.uint8)
            film.mux(stream.encode(av.VideoFrame.from_ndarray(pixels, format="rgb24")))
        film.mux(stream.encode())
    track = [[at / HERTZ, 0.2 + 0.1 * at, 0.5] for at in range(POINTS)]
    (folder / "track.json").write_text(json.dumps(track))


def item(name: str, kind: str, use: str = "trial", **more: str) -> dict[str, str]:
    return {"id": name, "class": kind, "group": name, "use": use, "show": "track", "track": "track.json", **more}


def gaze(folder: Path) -> Served:
    """Yes or no: a dot over a picture, or over a film; a form, practice and a comment."""
    behind = [{"media": "picture.png"}, {"media": "film.mp4"}]
    shown = [item(f"{kind}{at}", kind, **behind[at % 2]) for kind in ("human", "synthetic") for at in range(2)]
    shown.append(item("practice", "human", "practice", **behind[0]))
    study = {
        "name": "gaze",
        "questions": [YES_NO],
        "right": {"human": "yes", "synthetic": "no"},
        "form": [{"name": "knowledge", "label": "Knowledge"}, {"name": "age", "label": "Age", "low": 18, "high": 99}],
        "trials": {"count": 4, "practice": 1, "checks": 0, "repeats": 0},
        "comment": True,
        "items": shown,
    }
    return Served(Study.model_validate(COMMON | study), folder)


def pairs(folder: Path) -> Served:
    """Two clips, one after the other: which of them?"""
    shown = [
        item(f"{kind}{at}", kind, group=f"g{at}", show="clip", media="film.mp4", track="")
        for kind in ("human", "synthetic")
        for at in range(2)
    ]
    study = {
        "name": "pairs",
        "trial": "two_alternative",
        "questions": [WHICH],
        "right": {"human": "first"},
        "trials": {"count": 2, "practice": 0, "checks": 0, "repeats": 0},
        "items": shown,
    }
    return Served(Study.model_validate(COMMON | study), folder)


def ratings(folder: Path) -> Served:
    """Clips on two scales; the answer may come before the end, and nothing is played twice."""
    shown = [item(f"clip{at}", "model", show="clip", media="film.mp4", track="") for at in range(2)]
    trials = {"count": 2, "practice": 0, "checks": 0, "repeats": 0, "answer_after_end": False, "replay": False}
    questions = [rated("smooth"), rated("whole")]
    study = COMMON | {"name": "ratings", "trial": "rating", "questions": questions, "trials": trials, "items": shown}
    return Served(Study.model_validate(study), folder)


def turk(folder: Path) -> Served:
    """The same scales in MTurk's frame, where no cookie travels."""
    study = ratings(folder).study
    trials = study.trials.model_copy(update={"count": 1})
    return Served(study.model_copy(update={"name": "turk", "platform": "mturk", "trials": trials}), folder)


@dataclass
class Site:
    """A server that a browser can reach."""

    address: str
    store: Store
    posts: list[str] = field(default_factory=list)  # bodies of the answers that reached it

    def answers(self, study: str = "gaze") -> list[dict[str, Any]]:
        """All answers that are stored, of the session that began last, in the order of the trials."""
        tables = self.store.tables(study)
        last = max(tables["sessions"], key=lambda row: row["started"])["id"]
        mine = [row for row in tables["answers"] if row["session"] == last]
        return sorted(mine, key=lambda row: row["position"])

    def session(self, study: str = "gaze") -> dict[str, Any]:
        """The session that began last."""
        return max(self.store.tables(study)["sessions"], key=lambda row: row["started"])


@contextmanager
def site(folder: Path) -> Iterator[Site]:
    """All studies on one server, in a thread."""
    import uvicorn

    write_media(folder)
    store = Store(str(folder / "answers.sqlite"), KEY)
    studies = [make(folder) for make in (gaze, pairs, ratings, turk)]
    app = create(studies, store, secret=SECRET, limit=(1e6, 1e6), doors=(1e6, 1e6))
    port = free_port()
    here = Site(f"http://127.0.0.1:{port}", store)

    async def counted(scope: Any, receive: Any, send: Any) -> None:
        async def heard() -> Any:
            message = await receive()
            if scope["path"].endswith("/api/answer") and message.get("body"):
                here.posts.append(message["body"].decode())
            return message

        await app(scope, heard if scope["type"] == "http" else receive, send)

    config = uvicorn.Config(counted, port=port, log_level="warning", ws="none", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the server did not begin"
        time.sleep(0.01)
    try:
        yield here
    finally:
        server.should_exit = True
        thread.join()


@dataclass
class Person:
    """Somebody at a browser. The keyboard does it all, but on a phone, where a thumb does."""

    page: Any
    site: Site
    study: str = "gaze"
    thumb: bool = False

    @property
    def base(self) -> str:
        return f"{self.site.address}/s/{self.study}"

    def press(self, name: str) -> None:
        """A button, with the thumb or with the keyboard."""
        button = self.page.get_by_role("button", name=name)
        if self.thumb:
            button.tap()
        else:
            button.focus()
            self.page.keyboard.press("Enter")

    def seat(self) -> None:
        """Straight to the trials, without the pages and the practice before them."""
        store, now = self.site.store, time.time()
        session = store.enter(self.study, "open", f"visitor {time.monotonic_ns()}", now)
        session = store.consent(session, "hash", now)
        if session.stage == "form":
            session = store.fill(session, {"knowledge": "4", "age": "30"}, now)
        session = store.begin(store.measure(session, {}, now), now)
        first = store.next_trial(session, now - 5)  # it can have been seen by now
        if first and first.drawn.use == "practice":
            given = Given(token=first.token, key=secrets.token_hex(16), values={"human": "yes"})
            store.answer(session, given, now)
        token = store.keys.sign("session", self.study, session.id, until=now + 3600)
        cookie = {"name": "beholder_session", "value": token, "domain": "127.0.0.1", "path": f"/s/{self.study}/"}
        self.page.context.add_cookies([cookie])
        self.page.goto(f"{self.base}/go")
        self.ready()

    def show_screen(self) -> None:
        """Let the page measure the screen, and go on."""
        self.page.locator("#rate:not(:text-is('…'))").wait_for()
        self.press("Continue")

    def ready(self, count: str = "") -> None:
        """A trial is there and can be played."""
        if count:
            self.page.get_by_text(count, exact=True).wait_for()
        self.page.locator(".play:enabled").wait_for()

    def watch(self) -> None:
        """Play, and wait for the end."""
        if self.thumb:
            self.page.locator(".play").tap()
        else:
            self.page.keyboard.press("Space")
        self.page.locator(".shows.over").wait_for()

    def choose(self, *keys: str) -> None:
        for at, key in enumerate(keys):
            if self.thumb:
                self.page.locator("fieldset").nth(at).locator(f"label:has(input[data-key='{key}'])").tap()
            else:
                self.page.keyboard.press(key)

    def confirm(self) -> None:
        if self.thumb:
            self.page.get_by_role("button", name="Confirm").tap()
        else:
            self.page.keyboard.press("Enter")

    def answer(self, *keys: str) -> None:
        """One whole trial."""
        self.ready()
        self.watch()
        self.choose(*keys)
        self.confirm()

    def told(self, text: str) -> None:
        """A sentence stands on the page."""
        self.page.locator("#notice", has_text=text).wait_for()

    @property
    def notice(self) -> str:
        return str(self.page.locator("#notice").inner_text())

    def wait(self, true: Callable[[], bool]) -> None:
        """Until something is so on the server."""
        end = time.monotonic() + 30
        while not true():
            assert time.monotonic() < end, "it did not come to pass"
            self.page.wait_for_timeout(20)
