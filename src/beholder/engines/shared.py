"""Outcomes of our own models on our own datasets are shared between runs, with the answers that are to be drawn.

They lie sealed in the cache under all that they depend on: the source of Beholder, benchmark, dataset, sample, entrant,
seed and repeats. What is missing or damaged there is computed. Nothing of a user's model is ever shared.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from beholder.core.job import Job
from beholder.core.trial import Outcome
from beholder.io.atomic import write_whole
from beholder.store.cache import Cache
from beholder.store.digest import digest
from beholder.store.ledger import Ledger
from beholder.store.paths import answer_path
from beholder.store.seal import MISSING, unseal

Todo = dict[str, list[str]]  # for each entrant the samples that are left


def recall(job: Job, todo: Mapping[str, Sequence[str]], ledger: Ledger) -> Todo:
    """Enter what earlier runs have found into the ledger; what is left to do. A fresh run recalls nothing."""
    if not job.memory or job.since:
        return {name: list(ids) for name, ids in todo.items()}
    return {name: [id for id in ids if not _recall(job, name, id, ledger)] for name, ids in todo.items()}


def share(job: Job, name: str, id: str, sealed: bytes) -> None:
    """Keep an outcome that has not failed, as it was sealed for the ledger, and the answer if it is to be drawn."""
    key = job.memory_key(name, id)
    if key:
        Cache().put_sealed(key, sealed)
        file = job.answer_file(name, id)
        if file and file.is_file():
            Cache().put(_answer_key(job, name, key), file.read_bytes())


def _recall(job: Job, name: str, id: str, ledger: Ledger) -> bool:
    """Whether an outcome was found, and its answer too where that is to be drawn."""
    key = job.memory_key(name, id)
    sealed = Cache().sealed(key) if key else None
    return sealed is not None and enter(
        job, ledger, name, id, sealed, lambda _: Cache().get(_answer_key(job, name, key))
    )


def enter(job: Job, ledger: Ledger, name: str, id: str, sealed: bytes, answer: Callable[[str], object]) -> bool:
    """Enter an outcome that was sealed before; not if it is damaged, or its answer is to be drawn and is not known."""
    if not isinstance(unseal(sealed), Outcome):
        return False
    file = job.answer_file(name, id)
    if file and not _write_answer(file, answer(id)):
        return False
    ledger.enter(job.benchmark.key, name, id, sealed)
    return True


def read_answer(job: Job, name: str, place: Path, id: str) -> object:
    """An answer as another run has kept it there, or as the cache has it."""
    file = answer_path(place, name, id, job.benchmark.files.suffixes[0]) if job.benchmark.files else None
    if file and file.is_file():
        return file.read_bytes()
    key = job.memory_key(name, id)
    return Cache().get(_answer_key(job, name, key)) if key else MISSING


def write_answer(job: Job, name: str, id: str, data: bytes) -> None:
    """Keep an answer that a worker has sent, where it is to be drawn."""
    file = job.answer_file(name, id)
    if file:
        _write_answer(file, data)


def _write_answer(file: Path, data: object) -> bool:
    """Write an answer as it was kept; whether it was there, and could be."""
    with contextlib.suppress(OSError):
        if isinstance(data, bytes):
            file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(file, data)
            return True
    return False


def _answer_key(job: Job, name: str, key: str) -> str:
    return digest("answer", key, "sketch") if job.sketches(name) else digest("answer", key)
