"""What stands before every route: the size of bodies, where posts come from, and the headers of all responses."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]

JSON_MOST, FORM_MOST = 16 * 1024, 64 * 1024  # bytes of a body
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
    """An ASGI application around another one."""

    def __init__(self, app: App, *, address: str = "") -> None:
        self._app = app
        self._host = urlsplit(address).netloc.lower()
        self._https = address.lower().startswith("https://")

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:  # noqa: D102
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        dressed = _with_headers(send, https=self._https)
        if scope["method"] in READS:
            await self._app(scope, receive, dressed)
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        if self._foreign(headers):
            await _refuse(dressed, 403, "this post came from another site; open the study's own page")
            return
        body = await _body(headers, receive, JSON_MOST if "/api/" in scope["path"] else FORM_MOST)
        if body is None:
            await _refuse(dressed, 413, "the body is too large; send less")
            return
        await self._app(scope, _replay(body, receive), dressed)

    def _foreign(self, headers: MutableMapping[str, str]) -> bool:
        """Whether a browser says that another site made the request. Programs that are no browsers say nothing."""
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return True
        origin = headers.get("origin")
        return origin is not None and urlsplit(origin).netloc.lower() not in {
            self._host,
            headers.get("host", "").lower(),
        } - {""}


async def _body(headers: MutableMapping[str, str], receive: Receive, most: int) -> bytes | None:
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


async def _refuse(send: Send, status: int, sentence: str) -> None:
    body = ('{"error": "' + sentence + '"}').encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
