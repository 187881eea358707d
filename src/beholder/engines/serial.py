"""The engine that runs each task at once, in this process, without a time-out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import Any

from beholder.engines.protocol import Engine, InHand, Parcel
from beholder.engines.threads import single_thread


class Serial:
    """Runs each task at once, in this process, on one thread, as workers do."""

    slots = 1
    remote = False
    far = False
    ahead = 0
    places: Sequence[Mapping[str, float]] = ()  # nobody else wants what this process has

    def share(self, data: bytes) -> Parcel:
        """They are here already."""
        return InHand(data)

    def submit(
        self,
        task: Callable[..., Any],
        /,
        *args: Any,
        prepare: Callable[..., None] | None = None,
        needs: Mapping[str, float] | None = None,
    ) -> Future[Any]:
        """Do it now; the future is already done."""
        future: Future[Any] = Future()
        try:
            if prepare:
                prepare(*args)
            with single_thread():  # by now the model's libraries are loaded
                future.set_result(task(*args))
        except Exception as fault:  # noqa: BLE001  (a future carries whatever was raised)
            future.set_exception(fault)
        return future

    def renew(self) -> None:
        """There is but this process."""

    def close(self, *, now: bool = False) -> None:
        """There is nothing to end."""


def serial(jobs: int = 1, *, timeout: float | None = None) -> Engine:
    """Everything in this process, one task after another; nothing interrupts a model that hangs."""
    return Serial()
