"""What a study keeps: sessions, the trials that were drawn, the answers. All SQL stands here and in `queries`."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Row, func, inspect, select
from sqlalchemy.exc import IntegrityError, OperationalError, ProgrammingError

from beholder.errors import Misuse, listed
from beholder.study.design.drawing import Drawn, draw, faults, right_answer
from beholder.study.design.file import Study
from beholder.study.server import queries
from beholder.study.server.database import database
from beholder.study.server.queries import COUNTED, Rows
from beholder.study.server.schema import VERSION, answers, events, metadata, sessions, studies, trials
from beholder.study.server.security import Keys, make_id, make_token
from beholder.study.server.standing import standing

STAGES = ("consent", "form", "device", "instructions", "trials", "comment", "done")
ENDED = ("refused", "screened_out", "withdrawn", "expired", "rejected")  # outcomes after which nothing more is taken


class Refused(Exception):
    """What cannot be done, in a sentence, and the HTTP status that says so."""

    status = 400


class Unknown(Refused):
    """There is no such thing, or it is not yours."""

    status = 404


class Conflict(Refused):
    """Something else was stored before, or it is not its turn."""

    status = 409


class Gone(Refused):
    """The session is over."""

    status = 410


class Invalid(Refused):
    """An answer that was not among those that can be given."""

    status = 422


class Closed(Refused):
    """Nobody else is let in."""

    status = 403


@dataclass(frozen=True)
class Session:
    """One participant's visit."""

    id: str
    study: str
    platform: str
    stage: str
    outcome: str
    kind: str
    started: float
    seen: float
    simulated: bool = False
    form: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Current:
    """A trial as it is to be shown. What a browser learns of it is made in `trials`."""

    session: str
    position: int
    of: int
    token: str
    drawn: Drawn


@dataclass(frozen=True)
class Given:
    """An answer, as a browser sends it."""

    token: str
    key: str
    values: Mapping[str, str]
    seconds: float | None = None
    replays: int = 0
    frames: int | None = None
    dropped: int | None = None
    hidden: int = 0


@dataclass(frozen=True)
class Stored:
    """That an answer is on the disk, and what comes next."""

    feedback: str  # practice: right, wrong, or nothing where no answer is right
    next: Current | None


class Store:
    """The database of one or several studies. Every call is one transaction."""

    def __init__(self, url: str, key: bytes = b"") -> None:
        self.url = url
        self.keys = Keys(key)
        self.database = database(url)
        self._studies: dict[str, Study] = {}
        try:
            self._make_tables()
        except (OperationalError, ProgrammingError) as fault:
            raise Misuse(f"the database {_without_password(url)} cannot be used: {fault.orig}") from fault

    # Studies

    def open_study(self, study: Study, now: float | None = None) -> None:
        """Make a study ready to be served; refuse one that does not go with what is already kept."""
        draw(study, {}, _rng(study, "rehearsal"))  # too few groups are better found now than by a participant
        when = time.time() if now is None else now
        try:
            self.database.write(lambda connection: self._open(connection, study, when))
        except IntegrityError:  # another worker was faster: its row is there now
            self.database.write(lambda connection: self._open(connection, study, when))
        self._studies[study.name] = study

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

    # Participants

    def enter(self, study: str, platform: str, raw_id: str, now: float, simulated: bool = False) -> Session:
        """The session of a person: the one that was begun, or a new one. Nobody gets a second one."""
        person = self.keys.person(study, platform, raw_id)

        def work(connection: Connection) -> Session:
            self._lock(connection, study)
            query = select(sessions).where(sessions.c.study == study, sessions.c.person == person)
            row = connection.execute(query).first()
            if row is not None:
                return self._resume(connection, row, now)
            self._let_in(connection, study, now, simulated)
            session = make_id()
            connection.execute(
                sessions.insert().values(
                    id=session, study=study, person=person, platform=platform, stage=STAGES[0], outcome="", started=now,
                    seen=now, simulated=int(simulated), form={}, device={},
                )
            )  # fmt: skip
            return self._session(connection, session)

        return self.database.write(work)

    def session(self, identity: str, now: float | None = None) -> Session:
        """A session by its id; one that was left for too long is over from now on."""
        found = self.database.read(lambda connection: self._session(connection, identity))
        when = time.time() if now is None else now
        if self._overdue(found, when):
            return self.database.write(lambda connection: self._end(connection, identity, "expired", when))
        return found

    def consent(self, session: Session, hash_: str, now: float) -> Session:
        """Keep what was agreed to."""
        onward = "form" if self.study(session.study).form else "device"
        return self._step(session, "consent", now, stage=onward, consent=hash_, consented=now)

    def refuse(self, session: Session, now: float) -> Session:
        """The participant does not agree: nothing is asked."""
        return self._step(session, "consent", now, stage="done", outcome="refused", finished=now)

    def fill(self, session: Session, form: Mapping[str, Any], now: float) -> Session:
        """Keep the form; where enough people of this kind take part, the participant goes no further."""
        study = self.study(session.study)
        kind = study.group_of(form)
        quota = next((group.quota for group in study.groups if group.name == kind), 0)

        def work(connection: Connection) -> Session:
            self._lock(connection, study.name)
            taken = queries.places_taken(connection, study, now=now, simulated=session.simulated, kind=kind)
            onward: dict[str, Any] = {"stage": "device"}
            if quota and taken >= quota:
                onward = {"stage": "done", "outcome": "screened_out", "finished": now}
            return self._change(connection, session.id, "form", now, form=dict(form), kind=kind, **onward)

        return self.database.write(work)

    def measure(self, session: Session, device: Mapping[str, Any], now: float) -> Session:
        """Keep what the device is like, coarsely."""
        return self._step(session, "device", now, stage="instructions", device=dict(device))

    def begin(self, session: Session, now: float) -> Session:
        """Draw the trials: the items that were seen least, taken in the same transaction in which they are counted."""
        study = self.study(session.study)

        def work(connection: Connection) -> Session:
            self._lock(connection, study.name)
            begun = self._change(connection, session.id, "instructions", now, stage="trials")
            there = connection.execute(select(func.count()).where(trials.c.session == session.id)).scalar_one()
            if begun.stage == "trials" and not there:
                self._assign(connection, study, begun, now)
            return begun

        return self.database.write(work)

    def next_trial(self, session: Session, now: float) -> Current | None:
        """The trial that is to be shown, or nothing if there is none (any more)."""
        if session.outcome or session.stage != "trials":
            return None
        study = self.study(session.study)
        return self.database.write(lambda connection: self._show(connection, session.id, study, now))

    def current(self, session: Session) -> Current | None:
        """The same, without noting that it is shown."""
        return self.database.read(lambda connection: self._next(connection, session.id))

    def trial(self, session: Session, position: int) -> Current | None:
        """A trial by its place."""
        this = {"session_id": session.id, "place": position}
        row = self.database.read(lambda connection: connection.execute(queries.TRIAL_AT, this).first())
        return None if row is None else _as_current(row)

    def lookup(self, token: str) -> dict[str, Any]:
        """The trial behind a token, as its table has it; never for a browser."""
        query = select(trials).where(trials.c.token == token)
        row = self.database.read(lambda connection: connection.execute(query).first())
        if row is None:
            raise Unknown("there is no such trial")
        return dict(row._mapping)

    def answer(self, session: Session, given: Given, now: float) -> Stored:
        """Keep an answer. When this returns, it is on the disk; the same answer again changes nothing."""
        return self.answering(session.id, given, now).result()

    def answering(self, session: str, given: Given, now: float) -> Future[Stored]:
        """The same, for who does not want to wait at once."""
        return self.database.submit(lambda connection: self._answer(connection, session, given, now))

    def comment(self, session: Session, text: str, now: float) -> Session:
        """Keep a free comment; then all is said."""
        return self._step(session, "comment", now, stage="done", comment=text)

    def note(self, session: Session, what: str, detail: str, now: float) -> None:
        """Keep an event, such as that the page went out of view."""
        self.database.write(lambda connection: _event(connection, session.id, what, detail, now))

    def score(self, session: Session) -> tuple[int, int]:
        """How many answers were right, of those for which there is a right one."""
        study = self.study(session.study)
        rows = self.database.read(lambda connection: queries.trials_of(connection, session.id))
        marks = [_mark(study, row) for row in rows if row.use == "trial" and row.given is not None]
        return sum(mark == "right" for mark in marks), sum(mark != "" for mark in marks)

    def withdraw(self, session: Session, now: float) -> Session:
        """End a session at the participant's wish: the answers are deleted, and the items go to others."""

        def work(connection: Connection) -> Session:
            here = self._session(connection, session.id, lock=True)
            if here.outcome:
                return here
            ended = self._end(connection, session.id, "withdrawn", now)
            connection.execute(answers.delete().where(answers.c.session == session.id))
            empty = {"form": {}, "device": {}, "comment": "", "kind": ""}
            connection.execute(sessions.update().where(sessions.c.id == session.id).values(**empty))
            return ended

        return self.database.write(work)

    # Who runs the study

    def exposure(self, study: str, now: float | None = None, simulated: bool | None = None) -> Rows:
        """Every item that is judged: item, kind, answered, leased."""
        when, asked = time.time() if now is None else now, self.study(study)
        return self.database.read(
            lambda connection: queries.seen_least(connection, asked, now=when, simulated=simulated)
        )

    def status(self, study: str, now: float | None = None) -> dict[str, Any]:
        """How a study stands: sessions by outcome and by kind, answers, and exposure by class."""
        when, asked = time.time() if now is None else now, self.study(study)

        def work(connection: Connection) -> dict[str, Any]:
            rows = queries.outcomes(connection, asked, now=when)
            items = queries.seen_least(connection, asked, now=when)
            mine = select(sessions.c.id).where(sessions.c.study == study)
            many, last = connection.execute(
                select(func.count(), func.max(answers.c.at)).where(answers.c.session.in_(mine))
            ).one()
            return standing(asked, rows, items) | {"answers": many, "last_answer": last, "at": when}

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
        """The session of a person, for who asks what is kept of them, or wants it deleted."""
        person = self.keys.person(study, platform, raw_id)
        query = select(sessions).where(sessions.c.study == study, sessions.c.person == person)
        row = self.database.read(lambda connection: connection.execute(query).first())
        return None if row is None else _as_session(row)

    def ping(self) -> bool:
        """Whether the database answers."""
        return self.database.read(
            lambda connection: connection.execute(select(func.count(studies.c.name))).scalar() is not None
        )

    def round_trip(self) -> None:
        """Write, read and delete one row, as an answer would be; raises what goes wrong."""
        mark = make_id()
        self.database.write(lambda connection: _event(connection, mark, "check", "", time.time()))
        mine = select(events.c.what).where(events.c.session == mark)
        found = self.database.read(lambda connection: connection.execute(mine).scalar())
        self.database.write(
            lambda connection: connection.execute(events.delete().where(events.c.session == mark)).rowcount
        )
        if found != "check":
            raise Misuse(f"what was written to {_without_password(self.url)} could not be read back")

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
                f"{study.name}: people were shown {listed(lost, most=3)}, which the study file no longer has; "
                "put them back, or give the study a new name"
            )
        changed = studies.update().where(studies.c.name == study.name)
        connection.execute(changed.values(key=self.keys.fingerprint, **file))

    def _lock(self, connection: Connection, study: str) -> None:
        """Nobody else enters or draws until this transaction ends. SQLite: it was begun with BEGIN IMMEDIATE."""
        connection.execute(select(studies.c.name).where(studies.c.name == study).with_for_update())

    def _session(self, connection: Connection, identity: str, *, lock: bool = False) -> Session:
        row = queries.session_row(connection, identity, lock=lock)
        if row is None:
            raise Unknown("this session is not known; open the link that you were given once more")
        return _as_session(row)

    def _overdue(self, session: Session, now: float) -> bool:
        return not session.outcome and now - session.seen > self.study(session.study).resume_hours * 3600

    def _resume(self, connection: Connection, row: Row[Any], now: float) -> Session:
        session = _as_session(row)
        if self._overdue(session, now):
            return self._end(connection, session.id, "expired", now)
        if not session.outcome:
            connection.execute(sessions.update().where(sessions.c.id == session.id).values(seen=now))
            _event(connection, session.id, "resumed", session.stage, now)
        return session

    def _let_in(self, connection: Connection, study: str, now: float, simulated: bool) -> None:
        asked = self.study(study)
        if asked.participants:
            taken = queries.places_taken(connection, asked, now=now, simulated=simulated)
            if taken >= asked.participants:
                raise Closed("Enough people take part already. Thank you for your interest.")

    def _step(self, session: Session, at: str, now: float, **changes: Any) -> Session:
        return self.database.write(lambda connection: self._change(connection, session.id, at, now, **changes))

    def _change(self, connection: Connection, identity: str, at: str, now: float, **changes: Any) -> Session:
        """Go on from a stage; who is beyond it already stays there, so that a form may be sent twice."""
        session = self._session(connection, identity, lock=True)
        if session.outcome in ENDED:
            raise Gone(OVER[session.outcome])
        if self._overdue(session, now):
            raise Gone(OVER["expired"])
        if session.stage != at:
            return session
        connection.execute(sessions.update().where(sessions.c.id == identity).values(seen=now, **changes))
        return self._session(connection, identity)

    def _end(self, connection: Connection, identity: str, outcome: str, now: float) -> Session:
        session = self._session(connection, identity, lock=True)
        if outcome == "expired" and not self._overdue(session, now):
            return session  # it was taken up again in the meantime
        changes = {"outcome": outcome, "stage": "done"}
        connection.execute(sessions.update().where(sessions.c.id == identity).values(**changes))
        _event(connection, identity, outcome, session.outcome or session.stage, now)
        return self._session(connection, identity)

    def _assign(self, connection: Connection, study: Study, session: Session, now: float) -> None:
        rows = queries.seen_least(connection, study, now=now, simulated=session.simulated)
        exposure = {row["item"]: row["answered"] + row["leased"] for row in rows}
        drawn = draw(study, exposure, _rng(study, session.id))
        lease = now + study.lease_minutes * 60
        connection.execute(
            trials.insert(),
            [
                {"session": session.id, "position": at, "token": make_token(), "lease": lease, **one.__dict__}
                for at, one in enumerate(drawn)
            ],
        )
        for fault in faults(study, exposure, drawn):
            _event(connection, session.id, "uneven", fault, now)
        _event(connection, session.id, "assigned", f"exposure {min(exposure.values())}–{max(exposure.values())}", now)

    def _next(self, connection: Connection, session: str) -> Current | None:
        row = connection.execute(queries.TRIAL_NOW, {"session_id": session}).first()
        return None if row is None else _as_current(row)

    def _show(self, connection: Connection, session: str, study: Study, now: float) -> Current | None:
        row = connection.execute(queries.TRIAL_NOW, {"session_id": session}).first()
        if row is None:
            return None
        self._note_shown(connection, row, study, now)
        return _as_current(row)

    def _note_shown(self, connection: Connection, row: Row[Any], study: Study, now: float) -> None:
        """When it was first shown; a lease of which half is over is renewed, for the participant is here."""
        this = {"session_id": row.session, "place": row.position}
        if row.shown is None:
            connection.execute(queries.SHOWN, this | {"when": now})
        length = study.lease_minutes * 60
        if row.lease < now + length / 2:
            connection.execute(queries.RENEWED, this | {"until": now + length})

    def _answer(self, connection: Connection, identity: str, given: Given, now: float) -> Stored:
        session = self._session(connection, identity, lock=True)
        study = self.study(session.study)
        this = {"session_id": identity, "token": given.token}
        trial = connection.execute(queries.TRIAL_BY_TOKEN, this).first()
        if trial is None:
            raise Unknown("there is no such trial in this session; load the page again")
        if trial.key is not None:
            return self._again(connection, session, study, trial, given)
        if session.outcome:
            raise Gone(OVER.get(session.outcome, OVER["rejected"]))
        if self._overdue(session, now):
            raise Gone(OVER["expired"])
        if trial.done != trial.position or session.stage != "trials":
            raise Conflict("this is not the trial that is asked for now; load the page again")
        _check_values(study, given.values)
        kept = {"session": identity, "position": trial.position, "at": now, **given.__dict__}
        del kept["token"]
        try:
            connection.execute(_ANSWER, kept)
        except IntegrityError as fault:
            raise Conflict("this key was used for another answer; make a new key for each answer") from fault
        connection.execute(queries.SEEN, {"session_id": identity, "when": now})
        row = connection.execute(queries.TRIAL_AT, {"session_id": identity, "place": trial.position + 1}).first()
        if row is None:
            self._finish(connection, study, identity, now)
        else:
            self._note_shown(connection, row, study, now)
        return Stored(_feedback(study, trial, given.values), None if row is None else _as_current(row))

    def _again(self, connection: Connection, session: Session, study: Study, trial: Row[Any], given: Given) -> Stored:
        """The same answer once more: the network lost our word that it was stored."""
        if trial.key != given.key or dict(trial.given) != dict(given.values):
            raise Conflict("another answer to this trial was stored before; it stands")
        following = self._next(connection, session.id) if not session.outcome else None
        return Stored(_feedback(study, trial, given.values), following)

    def _finish(self, connection: Connection, study: Study, identity: str, now: float) -> None:
        rows = [row for row in queries.trials_of(connection, identity) if row.use == "check"]
        failed = sum(_mark(study, row) == "wrong" for row in rows)
        allowed = [rule.most or 0 for rule in study.exclude if rule.rule == "checks"]
        outcome = COUNTED[1] if any(failed > most for most in allowed) else COUNTED[0]
        stage = "comment" if study.comment else "done"
        done = sessions.update().where(sessions.c.id == identity)
        connection.execute(done.values(outcome=outcome, stage=stage, finished=now))


_ANSWER = answers.insert()

OVER = {
    "refused": "You did not agree to take part; nothing was kept but that.",
    "screened_out": "Enough people like you take part already.",
    "withdrawn": "You ended your participation; your answers were deleted.",
    "expired": "The time in which you could go on is over.",
    "rejected": "This session was closed by the people who run the study.",
}


def _rng(study: Study, name: str) -> Any:
    """Chance for one session; ids of sessions are random themselves."""
    import numpy as np

    digest = hashlib.sha256(f"{study.seed}/{study.name}/{name}".encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:16], "big"))


def _as_session(row: Row[Any]) -> Session:
    kept: dict[str, Any] = {name: getattr(row, name) for name in Session.__dataclass_fields__}
    return Session(**kept | {"simulated": bool(row.simulated)})


def _as_current(row: Row[Any]) -> Current:
    return Current(row.session, row.position, row.many, row.token, _as_drawn(row))


def _as_drawn(row: Row[Any]) -> Drawn:
    return Drawn(use=row.use, item=row.item, kind=row.kind, other=row.other)


def _feedback(study: Study, trial: Row[Any], values: Mapping[str, str]) -> str:
    return _verdict(study, _as_drawn(trial), values) if trial.use == "practice" else ""


def _mark(study: Study, row: Row[Any]) -> str:
    return _verdict(study, _as_drawn(row), row.given or {})


def _verdict(study: Study, drawn: Drawn, values: Mapping[str, str]) -> str:
    right = right_answer(study, drawn)
    if not right:
        return ""
    return "right" if values.get(study.questions[0].dimension) == right else "wrong"


def _check_values(study: Study, values: Mapping[str, str]) -> None:
    asked = {question.dimension: [answer.value for answer in question.answers] for question in study.questions}
    if set(values) != set(asked):
        raise Invalid(f"got answers on {listed(sorted(values)) or 'nothing'}; expected them on {listed(asked)}")
    for dimension, value in values.items():
        if value not in asked[dimension]:
            raise Invalid(f"{dimension}: got an answer that is not offered; expected one of {listed(asked[dimension])}")


def _event(connection: Connection, session: str, what: str, detail: str, now: float) -> None:
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
            f"{study.name} was begun with another study key, and without it nobody would be known again; "
            "put the key file back beside the database, or set BEHOLDER_STUDY_KEY; if it was deleted on purpose, "
            "give the study a new name"
        )


def _without_password(url: str) -> str:
    scheme, mark, rest = url.partition("://")
    return f"{scheme}{mark}{rest.rpartition('@')[2]}" if mark else url
