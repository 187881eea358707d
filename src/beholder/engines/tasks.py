"""What is done in a worker: see the dataset, open models, describe them, and put them to samples."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from beholder.core.failures import describe_fault
from beholder.core.job import Job
from beholder.core.model_code import Process
from beholder.core.trial import Outcome, trial
from beholder.engines.parcels import receive, unpack_job
from beholder.engines.protocol import Parcel, Unseen
from beholder.registry.describe import Description, describe
from beholder.store.opened import list_opened, name_opened


def look(where: Parcel) -> None:
    """See whether the job's dataset can be read."""
    unpack_job(where)


def open_entrant(where: Parcel | Job, name: str, *_: Any) -> None:
    """Open an entrant. What goes wrong will show in the task itself."""
    with contextlib.suppress(Exception, SystemExit):
        _job(where).respondent(name)


def open_entrants(where: Parcel | Job, work: Sequence[tuple[str, Sequence[str]]], *_: Any) -> None:
    """Before every task: open those who take part in it."""
    for name, _ids in work:
        open_entrant(where, name)


def describe_entrant(where: Parcel | Job, name: str) -> tuple[str, Description]:
    """Open an entrant; a sentence where that cannot be done, and what its model says of itself."""
    try:
        return "", describe(_job(where).respondent(name).model)
    except Unseen:  # no model's fault
        raise
    except (Exception, SystemExit) as fault:  # noqa: BLE001  (importing runs anybody's code)
        return describe_fault(fault), describe(None)


class Done(NamedTuple):
    """What came of some trials, and the files behind it that this process has not told of before."""

    outcomes: dict[tuple[str, str], Outcome]
    seconds: dict[tuple[str, str], float]
    answers: dict[tuple[str, str], bytes]  # that are to be kept, and could not be kept by the worker
    opened: set[str] = set()  # noqa: RUF012  (a default, never changed)
    written: set[str] = set()  # noqa: RUF012
    clean: bool = True  # no model that is not ours was ever opened in this process


def do_trials(where: Parcel | Job, work: Sequence[tuple[str, Sequence[str]]], *shipped: Parcel) -> Done:
    """Put some entrants to some samples, sample by sample: each is loaded once."""
    job, home = _job(where), Path.cwd()
    receive(shipped)
    done, asked = Done({}, {}, {}, clean=not Process.foreign), dict.fromkeys(id for _, ids in work for id in ids)
    job.keep_only(asked)
    for id in asked:
        for name in (name for name, ids in work if id in ids):
            started = time.perf_counter()
            done.outcomes[name, id] = trial(job, name, id)
            os.chdir(home)  # a model may have gone elsewhere, and paths of others are relative
            done.seconds[name, id] = time.perf_counter() - started
            if job.keep.post and (answer := job.take_answer(name, id)) is not None:
                done.answers[name, id] = answer
    if job.memory and all(job.entrants[name].built_in for name, _ in work):  # depends on nothing but our own source
        return done
    opened, written = list_news(job)
    return done._replace(opened=opened, written=written)


def list_news(job: Job) -> tuple[set[str], set[str]]:
    """The files behind outcomes that this process has not told of before: those it has read, and those it has written.

    Only they are named: with each picture of a large dataset there is one more.
    """
    opened, written = job.news(*list_opened())
    return name_opened(opened), written


def _job(where: Parcel | Job) -> Job:
    """The job itself in this process; a worker unpacks it."""
    return where if isinstance(where, Job) else unpack_job(where)
