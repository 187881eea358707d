"""Simulated participants at the door: each goes through the pages and the JSON of a real server, as a browser does."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from beholder.study.operations.observers import Observer

if TYPE_CHECKING:
    import httpx

DEVICE = {"width": "1280", "height": "800", "ratio": "1", "fps": "60", "kind": "desktop"}
PLATFORM_IDS = {
    "prolific": ("PROLIFIC_PID", {"STUDY_ID": "simulated", "SESSION_ID": "simulated"}),
    "mturk": ("workerId", {"assignmentId": "simulated", "hitId": "simulated"}),
}
PAGES = 40  # more than this before the trials begin is going round in circles
FORBIDDEN, TURNED_AWAY = 403, "turned away"
TRIES = 8  # of a request that the server was too busy for


def send_back(client: httpx.AsyncClient) -> None:
    """Let a visitor send all cookies back over plain HTTP, too.

    A server whose public address is https:// marks its cookies Secure; a rehearsal comes to it behind its proxy.
    """

    async def unmark(_: httpx.Response) -> None:
        for cookie in client.cookies.jar:
            cookie.secure = False

    client.event_hooks["response"].append(unmark)


class Lost(RuntimeError):
    """The server did something that a participant cannot go on from."""


class TurnedAway(Lost):
    """The study lets nobody in any more."""


@dataclass
class _Form:
    action: str = ""
    hidden: dict[str, str] = field(default_factory=dict)
    choices: dict[str, list[str]] = field(default_factory=dict)  # radio and select
    numbers: dict[str, tuple[int, int]] = field(default_factory=dict)
    boxes: dict[str, str] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)
    buttons: list[tuple[str, str]] = field(default_factory=list)


class _Forms(HTMLParser):
    """The forms of a page, with their fields."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[_Form] = []
        self._select = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect what can be filled in."""
        said = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.found.append(_Form(said.get("action", "")))
        elif self.found and tag in ("input", "select", "option", "button", "textarea"):
            self._field(tag, said, self.found[-1])

    def _field(self, tag: str, said: Mapping[str, str], form: _Form) -> None:
        name, value, kind = said.get("name", ""), said.get("value", ""), said.get("type", "text")
        if tag == "option":
            if value and self._select:
                form.choices.setdefault(self._select, []).append(value)
        elif tag == "select":
            self._select = name
        elif tag == "button" or kind == "submit":
            form.buttons += [(name, value)] if name else []
        elif not name:
            return
        elif kind == "hidden":
            form.hidden[name] = value
        elif kind == "radio":
            form.choices.setdefault(name, []).append(value)
        elif kind == "checkbox":
            form.boxes[name] = value or "on"
        elif kind in ("number", "range"):
            form.numbers[name] = int(said.get("min") or 1), int(said.get("max") or 5)
        else:
            form.texts.append(name)


@dataclass
class Diary:
    """What all visitors together went through."""

    seconds: list[float] = field(default_factory=list)  # of each answer, from sent to acknowledged
    stored: dict[str, tuple[str, dict[str, str]]] = field(default_factory=dict)  # key → token, what was said
    outcomes: dict[int, str] = field(default_factory=dict)  # number → done, left, lost, closed, turned away
    faults: list[str] = field(default_factory=list)
    codes: list[str] = field(default_factory=list)


@dataclass
class Visitor:
    """One simulated participant's way through the study."""

    client: httpx.AsyncClient
    base: str  # /s/NAME
    observer: Observer
    lookup: Callable[[str], Awaitable[Mapping[str, Any]]]
    diary: Diary
    leaves_after: int | None = None  # answers; None: stays to the end
    returns_after: int | None = None  # answers after which the page is opened anew
    bearer: str = ""
    inside: bool = False  # whether the door was passed

    async def visit(self, platform: str, name: str, headers: Mapping[str, str]) -> str:
        """From the landing page to the end; what came of it."""
        try:
            await self._enter(platform, name, headers)
            if await self._pages() != "trials":
                return "closed"
            if not await self._trials(platform, name, headers):
                return "left"
            return "done" if await self._pages() == "done" else "closed"
        except TurnedAway:
            return TURNED_AWAY
        except Lost as fault:
            self.diary.faults.append(f"participant {self.observer.number}: {fault}")
            return "lost"

    async def _enter(self, platform: str, name: str, headers: Mapping[str, str]) -> None:
        id, more = PLATFORM_IDS.get(platform, ("invite" if platform == "invite" else "", {}))
        query = {id: name, **more} if id else {}
        page = await self._get(f"{self.base}/", params=query)
        form = next((one for one in _Forms(page.text).found if one.action.rstrip("/").endswith("/enter")), None)
        if form is None:
            raise Lost(f"the landing page has no entry: {_shortly(page.text)}")
        here = await self._post(urljoin(str(page.url), form.action), data=form.hidden, headers=headers)
        self.inside = True
        self.bearer = here.url.params.get("t", "")  # MTurk's frame sends no cookies: the token travels along

    async def _pages(self) -> str:
        """Through the pages until the trials begin or all is done; the name of the page that was reached."""
        for _ in range(PAGES):
            page = await self._get(f"{self.base}/go", params={"t": self.bearer} if self.bearer else None)
            stage = str(page.url.path).rstrip("/").rpartition("/")[2]
            if stage == "done":
                self.diary.codes.append(str(page.status_code))
                return "done"
            forms = [one for one in _Forms(page.text).found if one.action and not one.action.endswith("/withdraw")]
            if not forms:
                return "trials"
            form = forms[0]
            await self._post(urljoin(str(page.url), form.action), data=self._filled(form))
        raise Lost("the pages before the trials do not end")

    def _filled(self, form: _Form) -> dict[str, str]:
        """A form, filled in as this participant would."""
        draw = self.observer.rng
        agree = [(name, value) for name, value in form.buttons if name == "agree" and value == "yes"]
        return {
            **{name: str(draw.choice(values)) for name, values in form.choices.items()},
            **{name: str(draw.integers(low, high + 1)) for name, (low, high) in form.numbers.items()},
            **dict.fromkeys(form.texts, ""),
            **form.boxes,
            **form.hidden,
            **(DEVICE if form.action.endswith("/device") else {}),
            **dict(agree),
            **({"agree": "yes"} if form.action.endswith("/consent") else {}),
        }

    async def _trials(self, platform: str, name: str, headers: Mapping[str, str]) -> bool:
        """Answer everything; whether the participant stayed to the end."""
        said = (await self._get(f"{self.base}/api/next")).json()
        given = 0
        while not said["done"]:
            if self.leaves_after is not None and given >= self.leaves_after:
                return False
            if given == self.returns_after:  # closed the page, and came back by the link
                if platform in PLATFORM_IDS:
                    self.client.cookies.clear()
                    await self._enter(platform, name, headers)
                again = (await self._get(f"{self.base}/api/next")).json()
                if again["trial"]["token"] != said["trial"]["token"]:
                    raise Lost("returning led to another trial")
            said = await self._answer(said["trial"])
            given += 1
        return True

    async def _answer(self, trial: Mapping[str, Any]) -> dict[str, Any]:
        token, key = trial["token"], secrets.token_urlsafe(18)
        values = self.observer.answer(await self.lookup(token))
        draw = self.observer.rng
        frames = int(sum(25 * (shown.get("seconds") or 0) for shown in trial["shows"]))
        body = {
            "token": token, "key": key, "values": values, "seconds": round(float(draw.lognormal(0, 0.5)), 3),
            "replays": int(draw.random() < 0.1), "frames": frames, "dropped": int(draw.integers(0, 3)), "hidden": 0,
        }  # fmt: skip
        begun = time.perf_counter()
        reply = await self._post(f"{self.base}/api/answer", json=body, headers={"X-Beholder": "1"})
        self.diary.seconds.append(time.perf_counter() - begun)
        self.diary.stored[key] = token, values
        following: dict[str, Any] = reply.json()["next"]
        return following

    async def _get(self, address: str, **more: Any) -> httpx.Response:
        return await self._ask("GET", address, **more)

    async def _post(self, address: str, **more: Any) -> httpx.Response:
        return await self._ask("POST", address, **more)

    async def _ask(self, how: str, address: str, **more: Any) -> httpx.Response:
        """A request; where the server says that it is too busy, once more after a while, as a browser's script does."""
        if self.bearer and "/api/" in address:
            more["headers"] = {**(more.get("headers") or {}), "Authorization": f"Bearer {self.bearer}"}
        reply = await self.client.request(how, address, **more)
        for tried in range(TRIES):
            if reply.status_code not in (429, 503):
                break
            await asyncio.sleep(min(float(reply.headers.get("Retry-After", 1)), 2**tried))
            reply = await self.client.request(how, address, **more)
        if reply.status_code == FORBIDDEN and not self.inside:
            raise TurnedAway(_shortly(reply.text))
        if reply.status_code >= 400:
            raise Lost(f"{how} {address} gave {reply.status_code}: {_shortly(reply.text)}")
        return reply


def _shortly(text: str) -> str:
    return " ".join(text.split())[:200]
