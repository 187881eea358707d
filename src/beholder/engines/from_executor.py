"""Any executor of `concurrent.futures` as an engine: run(engine=ProcessPoolExecutor(4))."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from typing import Any

from beholder.engines.protocol import Died, InHand, Parcel, prepare_and_do


class FromExecutor:
    """An executor of somebody else's. It knows no time-out, and a pool that breaks takes all of its tasks with it."""

    remote = True
    far = False
    ahead = 0
    places: Sequence[Mapping[str, float]] = ()  # nothing is known of its workers

    def __init__(self, executor: Executor, slots: int | None = None) -> None:
        self.executor = executor
        self.slots = slots or int(getattr(executor, "_max_workers", 1))

    def share(self, data: bytes) -> Parcel:
        """They travel with every task."""
        return InHand(data)

    def submit(
        self,
        task: Callable[..., Any],
        /,
        *args: Any,
        prepare: Callable[..., None] | None = None,
        needs: Mapping[str, float] | None = None,
    ) -> Future[Any]:
        """Hand it over; a worker's death is told in our words."""
        found: Future[Any] = Future()
        try:
            theirs = (
                self.executor.submit(prepare_and_do, prepare, task, *args)
                if prepare
                else (self.executor.submit(task, *args))
            )
        except RuntimeError as fault:  # broken, or shut down
            found.set_exception(RuntimeError(f"the executor is broken: {fault}"))
            return found
        theirs.add_done_callback(lambda done: _copy(done, found))
        return found

    def renew(self) -> None:
        """Its processes are not ours to end."""

    def close(self, *, now: bool = False) -> None:
        """Nothing is ended: whoever made the executor does that."""


def _copy(theirs: Future[Any], ours: Future[Any]) -> None:
    if theirs.cancelled():  # `wait` never hears of a future that is only cancelled
        ours.set_exception(RuntimeError("the executor was shut down before it came to this"))
        return
    fault = theirs.exception()
    if fault is None:
        ours.set_result(theirs.result())
    else:
        ours.set_exception(Died(f"the executor is broken: {fault}") if isinstance(fault, BrokenExecutor) else fault)
