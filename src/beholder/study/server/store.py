"""What participants do with what is kept: enter, go on from page to page, be given trials, answer.

All SQL of the study stands here, in `records` and in `queries`.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from concurrent.futures import Future
from typing import Any

from sqlalchemy import Connection, Row, func, select
from sqlalchemy.exc import IntegrityError

from beholder.study.design.drawing import draw, faults
from beholder.study.design.file import Study
from beholder.study.server import queries
from beholder.study.server.queries import COUNTED
from beholder.study.server.records import Records, chance_of, note_event
from beholder.study.server.schema import answers, sessions, trials
from beholder.study.server.security import make_id, make_token
from beholder.study.server.visits import (
    OVER,
    STAGES,
    Closed,
    Conflict,
    Current,
    Early,
    Given,
    Gone,
    Session,
    Stored,
    Unknown,
    as_current,
    as_session,
    check_frames,
    check_values,
    feedback_on,
    mark_of,
)

__all__ = ["Closed", "Given", "Session", "Store"]
_ANSWER = answers.insert()
TOLERANCE = 0.25  # seconds by which an answer may come before the end: clocks and films are not that exact


class Store(Records):
    """The database of one or several studies. Every call is one transaction."""

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
        """The same, for a caller that does not want to wait at once."""
        return self.database.submit(lambda connection: self._answer(connection, session, given, now))

    def comment(self, session: Session, text: str, now: float) -> Session:
        """Keep a free comment; then all is said."""
        return self._step(session, "comment", now, stage="done", comment=text)

    def note(self, session: Session, what: str, detail: str, now: float) -> None:
        """Keep an event, such as that the page went out of view."""
        self.database.write(lambda connection: note_event(connection, session.id, what, detail, now))

    def score(self, session: Session) -> tuple[int, int]:
        """How many answers were right, of those for which there is a right one."""
        study = self.study(session.study)
        rows = self.database.read(lambda connection: queries.trials_of(connection, session.id))
        marks = [mark_of(study, row) for row in rows if row.use == "trial" and row.given is not None]
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

    # Inside a transaction

    def _resume(self, connection: Connection, row: Row[Any], now: float) -> Session:
        session = as_session(row)
        if self._overdue(session, now):
            return self._end(connection, session.id, "expired", now)
        if not session.outcome:
            connection.execute(sessions.update().where(sessions.c.id == session.id).values(seen=now))
            note_event(connection, session.id, "resumed", session.stage, now)
        return session

    def _let_in(self, connection: Connection, study: str, now: float, simulated: bool) -> None:
        asked = self.study(study)
        if asked.participants:
            taken = queries.places_taken(connection, asked, now=now, simulated=simulated)
            if taken >= asked.participants:
                raise Closed("The study is full: enough people are taking part. Thank you for your interest.")

    def _step(self, session: Session, at: str, now: float, **changes: Any) -> Session:
        return self.database.write(lambda connection: self._change(connection, session.id, at, now, **changes))

    def _change(self, connection: Connection, identity: str, at: str, now: float, **changes: Any) -> Session:
        """Go on from a stage; anyone beyond it stays where they are, so that a form may be sent twice."""
        session = self._session(connection, identity, lock=True)
        if session.outcome in OVER:
            raise Gone(OVER[session.outcome])
        if self._overdue(session, now):
            raise Gone(OVER["expired"])
        if session.stage != at:
            return session
        connection.execute(sessions.update().where(sessions.c.id == identity).values(seen=now, **changes))
        return self._session(connection, identity)

    def _assign(self, connection: Connection, study: Study, session: Session, now: float) -> None:
        rows = queries.seen_least(connection, study, now=now, simulated=session.simulated)
        exposure = {row["item"]: row["answered"] + row["leased"] for row in rows}
        drawn = draw(study, exposure, chance_of(study, session.id))
        lease = now + study.lease_minutes * 60
        connection.execute(
            trials.insert(),
            [
                {"session": session.id, "position": at, "token": make_token(), "lease": lease, **one.__dict__}
                for at, one in enumerate(drawn)
            ],
        )
        for fault in faults(study, exposure, drawn):
            note_event(connection, session.id, "uneven", fault, now)
        note_event(
            connection, session.id, "assigned", f"exposure {min(exposure.values())}–{max(exposure.values())}", now
        )

    def _next(self, connection: Connection, session: str) -> Current | None:
        return as_current(connection.execute(queries.TRIAL_NOW, {"session_id": session}).all())

    def _show(self, connection: Connection, session: str, study: Study, now: float) -> Current | None:
        rows = connection.execute(queries.TRIAL_NOW, {"session_id": session}).all()
        if rows:
            self._note_shown(connection, rows[0], study, now)
        return as_current(rows)

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
            raise Unknown("there is no such trial in this session; please reload the page")
        if trial.key is not None:
            return self._again(connection, session, study, trial, given)
        if session.outcome:
            raise Gone(OVER.get(session.outcome, OVER["rejected"]))
        if self._overdue(session, now):
            raise Gone(OVER["expired"])
        if trial.done != trial.position or session.stage != "trials":
            raise Conflict("this is not the current trial; please reload the page")
        check_values(study, given.values)
        self._check_watched(session, study, trial, given, now)
        kept = {"session": identity, "position": trial.position, "at": now, **given.__dict__}
        del kept["token"]
        try:
            connection.execute(_ANSWER, kept)
        except IntegrityError as fault:
            raise Conflict("this key was used for another answer; make a new key for each answer") from fault
        connection.execute(queries.SEEN, {"session_id": identity, "when": now})
        rows = connection.execute(queries.TRIAL_AT, {"session_id": identity, "place": trial.position + 1}).all()
        if rows:
            self._note_shown(connection, rows[0], study, now)
        else:
            self._finish(connection, study, identity, now)
        return Stored(feedback_on(study, trial, given.values), as_current(rows))

    def _check_watched(self, session: Session, study: Study, trial: Row[Any], given: Given, now: float) -> None:
        """Refuse an answer that comes before the clip (or both) can have ended, and counts that cannot be.

        Simulated sessions are exempt, or a rehearsal would last as long as the study; only who knows the admin secret
        can enter as one, and they never count. Where lengths are not known (a store without a server), nothing is
        refused; tests of the server have a clock of their own, which they move.
        """
        lengths = self._lengths.get(study.name)
        if lengths is None or session.simulated:
            return
        length = sum(lengths[item] for item in (trial.item, trial.other) if item)
        check_frames(given, length)
        since = now - (now if trial.shown is None else trial.shown)
        left = length - TOLERANCE - since
        if study.trials.answer_after_end and left > 0 and since >= 0:  # below 0 the clock of the server was set back
            raise Early("Please watch to the end: answers are accepted only after that.", left)

    def _again(self, connection: Connection, session: Session, study: Study, trial: Row[Any], given: Given) -> Stored:
        """The same answer once more: the network lost our word that it was stored."""
        if trial.key != given.key or dict(trial.given) != dict(given.values):
            raise Conflict("another answer to this trial is already stored, and is kept")
        following = self._next(connection, session.id) if not session.outcome else None
        return Stored(feedback_on(study, trial, given.values), following)

    def _finish(self, connection: Connection, study: Study, identity: str, now: float) -> None:
        rows = [row for row in queries.trials_of(connection, identity) if row.use == "check"]
        failed = sum(mark_of(study, row) == "wrong" for row in rows)
        allowed = [rule.most or 0 for rule in study.exclude if rule.rule == "checks"]
        outcome = COUNTED[1] if any(failed > most for most in allowed) else COUNTED[0]
        stage = "comment" if study.comment else "done"
        done = sessions.update().where(sessions.c.id == identity)
        connection.execute(done.values(outcome=outcome, stage=stage, finished=now))
