"""What those who run a study do with what is kept: open it, see how it stands, take it out, delete it."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Row, func, inspect, select
from sqlalchemy.exc import IntegrityError, OperationalError, ProgrammingError

from beholder.errors import Misuse, listed
from beholder.study.design.drawing import draw
from beholder.study.design.file import Study
from beholder.study.server import queries
from beholder.study.server.database import database
from beholder.study.server.queries import Rows
from beholder.study.server.schema import VERSION, answers, events, metadata, sessions, studies, trials
from beholder.study.server.security import Keys, hidden, make_id
from beholder.study.server.standing import standing
from beholder.study.server.visits import Session, Unknown, as_session


class Records:
    """The database of one or several studies. Every call is one transaction."""

    def __init__(self, url: str, key: bytes = b"") -> None:
        self.url = url
        self.keys = Keys(key)
        self.database = database(url)
        self._studies: dict[str, Study] = {}
        self._lengths: dict[str, Mapping[str, float]] = {}
        try:
            self._make_tables()
        except (OperationalError, ProgrammingError) as fault:
            raise Misuse(f"the database {hidden(url)} cannot be used: {fault.orig}") from fault

    def open_study(self, study: Study, now: float | None = None, lengths: Mapping[str, float] | None = None) -> None:
        """Make a study ready to be served; refuse one that does not go with what is already kept.

        With `lengths` (seconds of each item), no answer is taken before its clip can have ended.
        """
        draw(study, {}, chance_of(study, "rehearsal"))  # too few groups are better found now than by a participant
        when = time.time() if now is None else now
        try:
            self.database.write(lambda connection: self._open(connection, study, when))
        except IntegrityError:  # another worker was faster: its row is there now
            self.database.write(lambda connection: self._open(connection, study, when))
        self._studies[study.name] = study
        if lengths is not None:
            self._lengths[study.name] = lengths

    def study(self, name: str) -> Study:
        """A study that was opened, or as it was served last."""
        if name in self._studies:
            return self._studies[name]
        kept = self.database.read(
            lambda connection: connection.execute(select(studies.c.file).where(studies.c.name == name)).scalar()
        )
        if kept is None:
            raise Misuse(f"got the study {name!r}; expected one of {listed(self.names()) or 'none: it is empty'}")
        return Study.model_validate_json(kept)

    def names(self) -> list[str]:
        """The studies of which something is kept."""
        return self.database.read(
            lambda connection: list(connection.execute(select(studies.c.name).order_by(studies.c.name)).scalars())
        )

    def fingerprints(self) -> dict[str, str]:
        """By which key each study was begun."""
        query = select(studies.c.name, studies.c.key)
        return self.database.read(lambda connection: {row.name: row.key for row in connection.execute(query)})

    def exposure(self, study: str, now: float | None = None, simulated: bool | None = None) -> Rows:
        """Every item that is judged: item, kind, answered, leased."""
        when, asked = time.time() if now is None else now, self.study(study)
        return self.database.read(
            lambda connection: queries.seen_least(connection, asked, now=when, simulated=simulated)
        )

    def status(self, study: str, now: float | None = None) -> dict[str, Any]:
        """How a study stands: sessions by outcome and by kind, answers, exposure by class; simulated ones apart."""
        when, asked = time.time() if now is None else now, self.study(study)

        def work(connection: Connection) -> dict[str, Any]:
            real, made = (_standing(connection, asked, when, simulated) for simulated in (False, True))
            apart = ("sessions", "complete", "failed_checks", "running", "answers", "by_outcome", "exposure")
            return real | {"at": when, "simulated": {name: made[name] for name in apart}}

        return self.database.read(work)

    def sessions(self, study: str) -> Rows:
        """All sessions, without who they are."""
        return self.database.read(lambda connection: queries.sessions_of(connection, study))

    def tables(self, study: str, *, people: bool = False) -> dict[str, Rows]:
        """All rows of a study: sessions, trials, answers, events."""
        return self.database.read(lambda connection: queries.tables(connection, study, people=people))

    def reject(self, session: str, now: float | None = None) -> Session:
        """A session that does not count: its items go to others, its answers are kept."""
        when = time.time() if now is None else now
        return self.database.write(lambda connection: self._end(connection, session, "rejected", when))

    def delete(self, session: str) -> None:
        """Delete all that is kept of a session."""
        self.database.write(lambda connection: _delete(connection, [session]))

    def erase(self, study: str) -> int:
        """Delete all that is kept of a study; returns how many sessions that were."""

        def work(connection: Connection) -> int:
            mine = list(connection.execute(select(sessions.c.id).where(sessions.c.study == study)).scalars())
            _delete(connection, mine)
            connection.execute(studies.delete().where(studies.c.name == study))
            return len(mine)

        return self.database.write(work)

    def anonymise(self, study: str) -> int:
        """Forget who somebody is, and delete comments; returns how many sessions that were."""

        def work(connection: Connection) -> int:
            mine = list(connection.execute(select(sessions.c.id).where(sessions.c.study == study)).scalars())
            for session in mine:
                nobody = {"person": make_id() + make_id(), "comment": ""}
                connection.execute(sessions.update().where(sessions.c.id == session).values(**nobody))
            return len(mine)

        return self.database.write(work)

    def find(self, study: str, platform: str, raw_id: str) -> Session | None:
        """The session of a person, for someone who asks what is kept about them, or wants it deleted."""
        person = self.keys.person(study, platform, raw_id)
        query = select(sessions).where(sessions.c.study == study, sessions.c.person == person)
        row = self.database.read(lambda connection: connection.execute(query).first())
        return None if row is None else as_session(row)

    def round_trip(self) -> None:
        """Write, read and delete one row, as an answer would be; raises what goes wrong."""
        mark = make_id()

        def work(connection: Connection) -> Any:  # in one transaction: nothing is left behind by who is stopped
            note_event(connection, mark, "check", "", time.time())
            found = connection.execute(select(events.c.what).where(events.c.session == mark)).scalar()
            connection.execute(events.delete().where(events.c.session == mark))
            return found

        found = self.database.write(work)
        if found != "check":
            raise Misuse(f"what was written to {hidden(self.url)} could not be read back")

    def durability(self) -> str:
        """The settings by which an answer is on the disk before it is acknowledged."""
        return self.database.durability()

    def close(self) -> None:
        """Finish what was begun, and let go of the database."""
        self.database.close()

    # Inside a transaction

    def _make_tables(self) -> None:
        try:
            self.database.write(metadata.create_all)
        except (OperationalError, ProgrammingError, IntegrityError):  # another worker makes them at this moment
            present = self.database.read(lambda connection: set(inspect(connection).get_table_names()))
            if not set(metadata.tables) <= present:
                raise

    def _open(self, connection: Connection, study: Study, now: float) -> None:
        self._lock(connection, study.name)
        row = connection.execute(select(studies).where(studies.c.name == study.name)).first()
        file = {"digest": study.digest, "file": study.model_dump_json(by_alias=True), "schema": VERSION}
        if row is None:
            kept = {"name": study.name, "created": now, "key": self.keys.fingerprint, **file}
            connection.execute(studies.insert().values(**kept))
            return
        mine = select(sessions.c.id).where(sessions.c.study == study.name)
        _refuse_mismatch(row, study, self.keys.fingerprint, used=connection.execute(mine.limit(1)).first() is not None)
        shown = connection.execute(select(trials.c.item).distinct().where(trials.c.session.in_(mine))).scalars()
        lost = sorted(set(shown) - {item.id for item in study.items})
        if lost:
            raise Misuse(
                f"{study.name}: people have seen {listed(lost, most=3)}, which the study file no longer has; put "
                "them back, or give the study a new name"
            )
        changed = studies.update().where(studies.c.name == study.name)
        connection.execute(changed.values(key=self.keys.fingerprint, **file))

    def _lock(self, connection: Connection, study: str) -> None:
        """Nobody else enters or draws until this transaction ends. SQLite: it was begun with BEGIN IMMEDIATE."""
        connection.execute(select(studies.c.name).where(studies.c.name == study).with_for_update())

    def _session(self, connection: Connection, identity: str, *, lock: bool = False) -> Session:
        row = queries.session_row(connection, identity, lock=lock)
        if row is None:
            raise Unknown("this session is not known; please open your link again")
        return as_session(row)

    def _overdue(self, session: Session, now: float) -> bool:
        return not session.outcome and now - session.seen > self.study(session.study).resume_hours * 3600

    def _end(self, connection: Connection, identity: str, outcome: str, now: float) -> Session:
        session = self._session(connection, identity, lock=True)
        if outcome == "expired" and not self._overdue(session, now):
            return session  # it was taken up again in the meantime
        changes = {"outcome": outcome, "stage": "done"}
        connection.execute(sessions.update().where(sessions.c.id == identity).values(**changes))
        note_event(connection, identity, outcome, session.outcome or session.stage, now)
        return self._session(connection, identity)


def _standing(connection: Connection, study: Study, now: float, simulated: bool) -> dict[str, Any]:
    """How real sessions, or simulated ones, stand."""
    rows = queries.outcomes(connection, study, now=now, simulated=simulated)
    items = queries.seen_least(connection, study, now=now, simulated=simulated)
    mine = select(sessions.c.id).where(sessions.c.study == study.name, sessions.c.simulated == int(simulated))
    query = select(func.count(), func.max(answers.c.at)).where(answers.c.session.in_(mine))
    many, last = connection.execute(query).one()
    return standing(study, rows, items) | {"answers": many, "last_answer": last}


def chance_of(study: Study, name: str) -> Any:
    """Chance for one session; ids of sessions are random themselves."""
    import numpy as np

    digest = hashlib.sha256(f"{study.seed}/{study.name}/{name}".encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:16], "big"))


def note_event(connection: Connection, session: str, what: str, detail: str, now: float) -> None:
    """Keep that something happened in a session."""
    connection.execute(events.insert().values(session=session, at=now, what=what[:32], detail=detail[:200]))


def _delete(connection: Connection, mine: list[str]) -> None:
    for session in mine:
        for table in (answers, trials, events):
            connection.execute(table.delete().where(table.c.session == session))
        connection.execute(sessions.delete().where(sessions.c.id == session))


def _refuse_mismatch(row: Row[Any], study: Study, fingerprint: str, *, used: bool) -> None:
    if row.schema != VERSION:
        raise Misuse(
            f"the database is of version {row.schema}; expected {VERSION}; export it with the Beholder that made it"
        )
    if used and row.key != fingerprint:
        raise Misuse(
            f"{study.name} was started with another study key, and without it returning participants would not be "
            "recognised; put the key file back beside the database, or set BEHOLDER_STUDY_KEY; if it was deleted on "
            "purpose, give the study a new name"
        )
