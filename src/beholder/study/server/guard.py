"""What stands before every route: the size of bodies, where posts come from, and the headers of all responses."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any
from urllib.parse import urlsplit

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]

JSON_MOST, FORM_MOST = 16 * 1024, 64 * 1024  # bytes of a body
PATIENCE = 20.0  # seconds in which a body must have come
READS = frozenset(("GET", "HEAD", "OPTIONS"))
MTURK = ("https://worker.mturk.com", "https://workersandbox.mturk.com", "https://www.mturk.com")
MTURK_SUBMIT = "/mturk/externalSubmit"


def content_policy(*, framed: bool = False) -> str:
    """What a page may load, and who may frame it: nothing and nobody but ourselves (and MTurk)."""
    also = " " + " ".join(MTURK) if framed else ""
    return (
        "default-src 'self'; object-src 'none'; base-uri 'none'; "
        f"form-action 'self'{also}; frame-ancestors 'self'{also}"
    )


HEADERS = {
    "content-security-policy": content_policy(),
    "referrer-policy": "same-origin",  # with no-referrer, browsers would hide that a form is our own
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}


class Guard:
    """An ASGI application around another one.

    With a public address, nothing that a request says of its host or scheme is believed: redirects lead there, and
    forms come from there. Without one, the header Host says where we are.
    """

    def __init__(self, app: App, *, address: str = "", patience: float = PATIENCE) -> None:
        self._app = app
        self._patience = patience
        parts = urlsplit(address)
        self._scheme = parts.scheme
        self._host = _without_default_port(parts.scheme, parts.netloc.lower())
        self._https = parts.scheme == "https"

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Pass on what may pass."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        dressed = _with_headers(send, https=self._https)
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        passed = self._believed(scope, headers)
        if scope["method"] in READS:
            if scope["method"] == "HEAD" and "/api/" not in scope["path"]:  # to ask for a trial is to be shown it
                passed["method"], dressed = "GET", _without_body(dressed)
            await self._app(passed, receive, dressed)
            return
        if self._foreign(headers):
            where = f", at {self._scheme}://{self._host}" if self._host else ""
            await _refuse(dressed, 403, f"this post came from another site; open the study's own page{where}")
            return
        try:
            async with asyncio.timeout(self._patience):
                body = await _body(headers, receive, JSON_MOST if "/api/" in scope["path"] else FORM_MOST)
        except TimeoutError:
            await _refuse(dressed, 408, "the request took too long; please send it again", close=True)
            return
        if body is None:
            await _refuse(dressed, 413, "the body is too large; send less")
            return
        await self._app(passed, _replay(body, receive), dressed)

    def _believed(self, scope: MutableMapping[str, Any], headers: Mapping[str, str]) -> MutableMapping[str, Any]:
        """The request as the application sees it."""
        kept = list(scope["headers"])
        if not headers.get("range", "bytes=").lower().startswith("bytes="):  # units that we do not know are ignored
            kept = [(name, value) for name, value in kept if name.lower() != b"range"]
        passed = {**scope, "headers": kept}
        if self._host:
            others = [(name, value) for name, value in kept if name.lower() != b"host"]
            passed |= {"headers": [(b"host", self._host.encode("latin-1", "replace")), *others]}
            passed |= {"scheme": self._scheme}
        return passed

    def _foreign(self, headers: Mapping[str, str]) -> bool:
        """Whether a browser says that another site made the request. Programs that are no browsers say nothing."""
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return True
        origin = headers.get("origin")
        if origin is None:
            return False
        if self._host:
            return origin.lower() != f"{self._scheme}://{self._host}"
        return urlsplit(origin).netloc.lower() not in {headers.get("host", "").lower()} - {""}


def _without_default_port(scheme: str, host: str) -> str:
    """As browsers write it."""
    return host.removesuffix({"http": ":80", "https": ":443"}.get(scheme, ""))


async def _body(headers: Mapping[str, str], receive: Receive, most: int) -> bytes | None:
    """The whole body, or nothing if it is longer than it may be, whatever its header says."""
    said = headers.get("content-length", "0")
    if not said.isdecimal() or int(said) > most:
        return None
    body, more = b"", True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return body
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > most:
            return None
    return body


def _replay(body: bytes, receive: Receive) -> Receive:
    left: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return left.pop() if left else await receive()

    return again


def _with_headers(send: Send, *, https: bool) -> Send:
    async def dressed(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = list(message.get("headers", []))
            there = {name.lower() for name, _ in headers}
            wanted = dict(HEADERS)
            if b"content-security-policy" not in there:
                wanted["x-frame-options"] = "SAMEORIGIN"
            if https:
                wanted["strict-transport-security"] = "max-age=31536000"
            headers += [(n.encode(), v.encode()) for n, v in wanted.items() if n.encode() not in there]
            message = {**message, "headers": headers}
        await send(message)

    return dressed


def _without_body(send: Send) -> Send:
    async def bare(message: Message) -> None:
        await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

    return bare


async def _refuse(send: Send, status: int, sentence: str, *, close: bool = False) -> None:
    body = ('{"error": "' + sentence + '"}').encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if close:
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
