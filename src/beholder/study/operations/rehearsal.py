"""A whole rehearsal: a database, a server, simulated participants, the export and its analysis."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from beholder.engines.progress import Silent, Watch
from beholder.errors import Misuse
from beholder.io.scratch import Scratch
from beholder.study.operations.export import export
from beholder.study.operations.opening import opened
from beholder.study.operations.private import make_folder
from beholder.study.operations.simulate import Found, Rehearsal, recover, refuse_real, refuse_url, server, simulate

ANSWERS = "simulated.sqlite"


def rehearse(
    word: str,
    plan: Rehearsal,
    *,
    db: str = "",
    url: str = "",
    force: bool = False,
    workers: int = 1,
    out: Path | None = None,
    watch: Watch | None = None,
) -> Found:
    """Send simulated participants to a server (one of ours, unless `url` names one) and verify what came of it."""
    watch = watch or Silent()
    if url and not db:
        raise Misuse("got --url without --db; expected the database of that server as well, which holds what was shown")
    with ExitStack() as stack:
        place = out or Path(stack.enter_context(Scratch()))
        make_folder(place)
        if url:
            refuse_url(url)  # before a database is opened, and named as the cause
        it = stack.enter_context(opened(word, db or str(place / ANSWERS), make=not url, people=True))
        name = it.at.study.name
        if name in it.store.names():
            refuse_real(it.at.study, it.store.tables(name)["sessions"], force)
        it.store.open_study(it.at.study)
        address = url or stack.enter_context(server(it.at, it.url, workers))
        found = simulate(it.at, it.store, address, it.secrets.admin, plan, watch)
        export(it.store, name, place / "export", simulated=True, media=it.at.folder)
        if found.diary.stored:  # else there is nothing to analyse, and the faults say why
            found.recovered = recover(place / "export", plan.population)
    return found
