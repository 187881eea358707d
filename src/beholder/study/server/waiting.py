"""HTTP connections that do not wait for ever: who does not send a whole request is let go."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

HEAD = 20.0  # seconds in which the head of a request must have come; bodies are timed by `guard`


class Timed(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """uvicorn's protocol with a limit on how long a request may take to come.

    uvicorn limits how long a connection is idle between requests, but not how slowly a request is sent: a few hundred
    half-sent ones would hold a server's files until it could take no more.
    """

    head_seconds = HEAD
    _limit: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Somebody is there: from now on they have so long to say what they want."""
        super().connection_made(transport)
        self._begin()

    def data_received(self, data: bytes) -> None:
        """Whatever came; the limit ends when a request is being answered, and begins anew with the next."""
        if self._limit is None and not self._answering:
            self._begin()
        super().data_received(data)
        if self._answering:
            self._end()

    def connection_lost(self, exc: Exception | None) -> None:
        """They are gone."""
        self._end()
        super().connection_lost(exc)

    @property
    def _answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _begin(self) -> None:
        self._limit = asyncio.get_running_loop().call_later(self.head_seconds, self.transport.close)

    def _end(self) -> None:
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None
