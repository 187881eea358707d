"""The tables of a study's database: the same on SQLite and on PostgreSQL."""

from __future__ import annotations

from sqlalchemy import JSON, Column, Float, ForeignKey, Index, Integer, MetaData, String, Table, Text, UniqueConstraint

VERSION = 1  # rises when a table changes; a database of another version is refused with a sentence

metadata = MetaData()

studies = Table(
    "studies",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("digest", String(16), nullable=False),  # of the study file that was served last
    Column("schema", Integer, nullable=False),
    Column("created", Float, nullable=False),  # all times: seconds since 1970
    Column("file", Text, nullable=False),  # the study file, as JSON
    Column("key", String(16), nullable=False),  # fingerprint of the key: with another one, nobody would be known again
)

sessions = Table(
    "sessions",
    metadata,
    Column("id", String(32), primary_key=True),  # 128 random bits
    Column("study", ForeignKey("studies.name"), nullable=False),
    Column("person", String(64), nullable=False),  # keyed HMAC of the platform's id or the invite; random if open
    Column("platform", String(16), nullable=False),
    Column("stage", String(16), nullable=False),  # consent, form, device, instructions, trials, comment, done
    Column("outcome", String(16), nullable=False, default=""),
    # "" while it runs; complete, failed_checks, screened_out, refused, withdrawn, expired, rejected
    Column("consent", String(64), nullable=False, default=""),  # hash of the text that was agreed to
    Column("consented", Float),
    Column("form", JSON, nullable=False, default=dict),
    Column("kind", String(64), nullable=False, default=""),  # the group of participants, such as expert
    Column("device", JSON, nullable=False, default=dict),  # coarse: width, height, ratio, frames a second, class
    Column("started", Float, nullable=False),
    Column("seen", Float, nullable=False),  # last request
    Column("finished", Float),
    Column("comment", Text, nullable=False, default=""),
    Column("simulated", Integer, nullable=False, default=0),
    UniqueConstraint("study", "person"),  # nobody gets a second session
)

trials = Table(
    "trials",
    metadata,
    Column("session", ForeignKey("sessions.id"), primary_key=True),
    Column("position", Integer, primary_key=True),  # from 0, in the order in which they are shown
    Column("token", String(43), nullable=False, unique=True),  # all that a browser learns of it
    Column("use", String(16), nullable=False),  # practice, trial, check, repeat
    Column("item", String(200), nullable=False),
    Column("other", String(200), nullable=False, default=""),  # two_alternative: the second one
    Column("kind", String(64), nullable=False),  # class of the item; of a two-alternative trial, of both: "a|b"
    Column("lease", Float, nullable=False),  # until when it counts as taken while it is not answered
    Column("shown", Float),  # when it was first sent
)
Index("trials_by_item", trials.c.item)
Index("sessions_by_study", sessions.c.study, sessions.c.outcome)

answers = Table(
    "answers",
    metadata,
    Column("session", String(32), primary_key=True),
    Column("position", Integer, primary_key=True),  # one answer a trial
    Column("key", String(64), nullable=False),  # idempotency key, made by the browser
    Column("values", JSON, nullable=False),  # dimension → answer
    Column("seconds", Float),  # from the end of the clip, or from when answers could be given
    Column("replays", Integer, nullable=False, default=0),
    Column("frames", Integer),  # drawn
    Column("dropped", Integer),  # due, and not drawn: a slow device may have more of these
    Column("hidden", Integer, nullable=False, default=0),  # times that the page was not in view
    Column("at", Float, nullable=False),  # when it was stored
    UniqueConstraint("session", "key"),
)

events = Table(
    "events",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("session", String(32), nullable=False),
    Column("at", Float, nullable=False),
    Column("what", String(32), nullable=False),  # resumed, expired, withdrawn, rejected, purged …
    Column("detail", String(200), nullable=False, default=""),
)
Index("events_by_session", events.c.session)
