"""What is read from a study's tables: each is a function of a connection."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from sqlalchemy import Connection, Row, Select, and_, bindparam, case, func, or_, select

from beholder.study.design.file import Study
from beholder.study.server.schema import answers, events, sessions, trials

Rows = list[dict[str, Any]]
COUNTED = ("complete", "failed_checks")  # outcomes that take a place for good
RELEASED = ("rejected", "withdrawn")  # outcomes that give their items back
ANSWERED = and_(answers.c.session == trials.c.session, answers.c.position == trials.c.position)


# What every answer asks. A statement that is built once is also compiled once.
SESSION = select(sessions).where(sessions.c.id == bindparam("session_id"))
SESSION_LOCKED = SESSION.with_for_update()
_DONE = select(func.count()).where(answers.c.session == bindparam("session_id")).scalar_subquery()
_MANY = select(func.count()).where(trials.c.session == bindparam("session_id")).scalar_subquery()
TRIAL_BY_TOKEN = (
    select(trials, answers.c.key, answers.c["values"].label("given"), _DONE.label("done"))
    .select_from(trials.outerjoin(answers, ANSWERED))
    .where(trials.c.token == bindparam("token"), trials.c.session == bindparam("session_id"))
)
_ONWARD = (
    select(trials, _MANY.label("many"))
    .where(trials.c.session == bindparam("session_id"))
    .order_by(trials.c.position)
    .limit(2)
)
TRIAL_AT = _ONWARD.where(trials.c.position >= bindparam("place"))  # and the one after it
TRIAL_NOW = _ONWARD.where(trials.c.position >= _DONE)
# trials are answered one after the other: as many as were answered is the place of the next one
SHOWN = (
    trials.update()
    .where(trials.c.session == bindparam("session_id"), trials.c.position == bindparam("place"))
    .values(shown=bindparam("when"))
)
RENEWED = (
    trials.update()
    .where(trials.c.session == bindparam("session_id"), trials.c.position >= bindparam("place"))
    .values(lease=bindparam("until"))
)
SEEN = sessions.update().where(sessions.c.id == bindparam("session_id")).values(seen=bindparam("when"))


def session_row(connection: Connection, identity: str, *, lock: bool = False) -> Row[Any] | None:
    """One session; locked, nobody else changes it before this transaction ends."""
    return connection.execute(SESSION_LOCKED if lock else SESSION, {"session_id": identity}).first()


def seen_least(connection: Connection, study: Study, *, now: float, simulated: bool | None = None) -> Rows:
    """Every item that is judged: how often it was answered, and how often it is leased."""
    answered: dict[str, int] = defaultdict(int)
    leased: dict[str, int] = defaultdict(int)
    for column in (trials.c.item, trials.c.other):
        for item, done, taken in connection.execute(_uses(column, study.name, now, simulated)):
            answered[item] += int(done or 0)
            leased[item] += int(taken or 0)
    return [
        {"item": item.id, "kind": item.kind, "answered": answered[item.id], "leased": leased[item.id]}
        for item in study.items
        if item.use == "trial"
    ]


def _uses(column: Any, study: str, now: float, simulated: bool | None) -> Select[Any]:
    done = answers.c.position.is_not(None)
    live = and_(answers.c.position.is_(None), sessions.c.outcome == "", trials.c.lease > now)
    query = (
        select(column, func.sum(case((done, 1), else_=0)), func.sum(case((live, 1), else_=0)))
        .select_from(trials.join(sessions, sessions.c.id == trials.c.session).outerjoin(answers, ANSWERED))
        .where(sessions.c.study == study, trials.c.use == "trial", sessions.c.outcome.not_in(RELEASED), column != "")
        .group_by(column)
    )
    return query if simulated is None else query.where(sessions.c.simulated == int(simulated))


def places_taken(connection: Connection, study: Study, *, now: float, simulated: bool, kind: str | None = None) -> int:
    """How many take part or have: those who have been away for longer than a lease do not count until they finish."""
    here = and_(sessions.c.outcome == "", sessions.c.seen > now - study.lease_minutes * 60)
    query = select(func.count()).where(
        sessions.c.study == study.name,
        sessions.c.simulated == int(simulated),
        or_(sessions.c.outcome.in_(COUNTED), here),
    )
    return connection.execute(query if kind is None else query.where(sessions.c.kind == kind)).scalar_one()


def trials_of(connection: Connection, session: str) -> list[Row[Any]]:
    """All trials of a session, with their answers."""
    query = (
        select(trials, answers.c["values"].label("given"))
        .select_from(trials.outerjoin(answers, ANSWERED))
        .where(trials.c.session == session)
        .order_by(trials.c.position)
    )
    return list(connection.execute(query))


def outcomes(connection: Connection, study: Study, *, now: float, simulated: bool = False) -> Rows:
    """How many sessions there are of each stage, outcome and kind, and how many of these are here now."""
    here = case((and_(sessions.c.outcome == "", sessions.c.seen > now - study.lease_minutes * 60), 1), else_=0)
    what = (sessions.c.stage, sessions.c.outcome, sessions.c.kind)
    query = select(*what, func.count().label("many"), func.sum(here).label("here"))
    mine = query.where(sessions.c.study == study.name, sessions.c.simulated == int(simulated))
    rows = connection.execute(mine.group_by(*what))
    return [dict(row._mapping) for row in rows]


def sessions_of(connection: Connection, study: str) -> Rows:
    """All sessions, without who they are, with how many trials they have and have answered."""
    columns = [column for column in sessions.c if column.name not in ("person", "study")]
    counted = (
        select(trials.c.session, func.count().label("trials"), func.count(answers.c.position).label("answered"))
        .select_from(trials.outerjoin(answers, ANSWERED))
        .group_by(trials.c.session)
        .subquery()
    )
    query = (
        select(
            *columns,
            func.coalesce(counted.c.trials, 0).label("trials"),
            func.coalesce(counted.c.answered, 0).label("answered"),
        )
        .select_from(sessions.outerjoin(counted, counted.c.session == sessions.c.id))
        .where(sessions.c.study == study)
        .order_by(sessions.c.started, sessions.c.id)
    )
    return [dict(row._mapping) for row in connection.execute(query)]


def tables(connection: Connection, study: str, *, people: bool) -> dict[str, Rows]:
    """All that there is of a study, row by row; who somebody is (still only a keyed HMAC) only when it is asked for."""
    mine = select(sessions.c.id).where(sessions.c.study == study)
    chosen = [column for column in sessions.c if people or column.name != "person"]
    queries = {
        "sessions": select(*chosen).where(sessions.c.study == study).order_by(sessions.c.started, sessions.c.id),
        "trials": select(trials).where(trials.c.session.in_(mine)).order_by(trials.c.session, trials.c.position),
        "answers": select(answers).where(answers.c.session.in_(mine)).order_by(answers.c.session, answers.c.position),
        "events": select(events).where(events.c.session.in_(mine)).order_by(events.c.id),
    }
    return {name: [dict(row._mapping) for row in connection.execute(query)] for name, query in queries.items()}
