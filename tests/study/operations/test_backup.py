"""A copy made while people answer holds what was acknowledged, and comes back whole."""

import hashlib
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

import study_places
from beholder.errors import Misuse
from beholder.study.design.file import read
from beholder.study.operations.backup import backup, restore
from beholder.study.operations.held import copied, held
from beholder.study.operations.opening import tried
from beholder.study.operations.place import Place
from beholder.study.server.store import Given, Store

WORD = "a key of more than sixteen signs"
KEY = hashlib.sha256(WORD.encode()).digest()
AT = Place(None, Path("nowhere/study.toml"))


@pytest.fixture(autouse=True)
def _key(monkeypatch):
    """The environment has the key, so that a copy can come back."""
    monkeypatch.setenv("BEHOLDER_STUDY_KEY", WORD)


def answered(store, study, who, many=3):
    """A session with so many answers."""
    session = store.enter(study.name, "open", who, 1.0)
    session = store.consent(session, "hash", 2.0)
    session = store.fill(session, {"knowledge": 4}, 3.0)
    session = store.measure(session, {"width": 1280}, 4.0)
    session = store.begin(session, 5.0)
    for at in range(many):
        trial = store.next_trial(session, 6.0 + at)
        store.answer(session, Given(trial.token, f"key-of-{who}-{at}", {"human": "human"}), 6.0 + at)
    return session


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    return read(study_places.write(tmp_path_factory.mktemp("study")))


def begun(study, folder, people):
    """The address of a database with so many sessions."""
    url = str(folder / "answers.sqlite")
    store = Store(url, KEY)
    store.open_study(study)
    for who in range(people):
        store.enter(study.name, "open", f"person {who}", 1.0)
    store.close()
    return url


def test_a_copy_of_a_database_in_use_holds_every_acknowledged_answer(study, tmp_path):
    url = str(tmp_path / "answers.sqlite")
    store = Store(url, KEY)
    store.open_study(study)
    answered(store, study, "one")
    copy = backup(url, tmp_path / "copies")
    before = store.tables(study.name)
    answered(store, study, "two")
    store.close()
    assert copy.stat().st_mode & 0o077 == 0
    restore(copy, str(tmp_path / "again.sqlite"), AT)
    again = Store(str(tmp_path / "again.sqlite"), KEY)
    assert again.tables(study.name) == before
    assert again.find(study.name, "open", "one") is not None, "people are known again"
    again.close()


def test_only_the_newest_copies_stay(study, tmp_path):
    url = begun(study, tmp_path, 1)
    made = [backup(url, tmp_path / "copies", keep=2, now=datetime(2026, 1, day, tzinfo=UTC)) for day in (1, 2, 3)]
    assert sorted((tmp_path / "copies").iterdir()) == made[1:]


def test_a_copy_with_more_sessions_than_the_newest_stays(study, tmp_path):
    copies, said = tmp_path / "copies", []
    days = [datetime(2026, 1, day, tzinfo=UTC) for day in (1, 2, 3, 4)]
    good = backup(begun(study, tmp_path, 3), copies, keep=1, now=days[0])
    (tmp_path / "other").mkdir()
    other = begun(study, tmp_path / "other", 1)
    second = backup(other, copies, keep=1, now=days[1], say=said.append)
    assert set(copies.iterdir()) == {good, second}
    assert said == [f"{good} stays, because it holds 3 sessions, the newest 1; if that is expected, delete it yourself"]
    third = backup(other, copies, keep=1, now=days[2])
    assert set(copies.iterdir()) == {good, third}
    fourth = backup(str(tmp_path / "answers.sqlite"), copies, keep=1, now=days[3])
    assert set(copies.iterdir()) == {fourth}


def test_a_database_without_the_study_or_without_sessions_is_not_copied(study, tmp_path):
    url = begun(study, tmp_path, 0)
    with pytest.raises(Misuse, match="which holds no session; nothing was copied"):
        backup(url, tmp_path / "copies", study=study.name)
    with pytest.raises(Misuse, match=r"does not hold 'gone' \(it holds small\)"):
        backup(url, tmp_path / "copies", study="gone")
    Store(str(tmp_path / "empty.sqlite"), KEY).close()
    with pytest.raises(Misuse, match=r"does not hold 'small' \(it holds nothing\)"):
        backup(str(tmp_path / "empty.sqlite"), tmp_path / "copies", study=study.name)
    assert not (tmp_path / "copies").exists()


def test_a_copy_comes_back_over_a_database_without_sessions_but_not_over_one_in_use(study, tmp_path):
    copy = backup(begun(study, tmp_path, 2), tmp_path / "copies")
    (tmp_path / "new").mkdir()
    url = begun(study, tmp_path / "new", 0)
    used = Store(url, KEY)
    used.names()
    with pytest.raises(Misuse, match=r"which is in use .*; stop the server first"):
        restore(copy, url, AT)
    used.close()
    restore(copy, url, AT)
    again = Store(url, KEY)
    assert len(again.tables(study.name)["sessions"]) == 2
    again.close()


def test_what_cannot_be_copied_or_brought_back(study, tmp_path):
    url = str(tmp_path / "answers.sqlite")
    with pytest.raises(Misuse, match="is not a file"):
        backup(url, tmp_path / "copies")
    (tmp_path / "letter.sqlite").write_text("dear sir or madam, this is no database")
    with pytest.raises(Misuse, match="which is not a database"):
        backup(str(tmp_path / "letter.sqlite"), tmp_path / "copies")
    assert not (tmp_path / "copies").exists(), "no half copies"
    begun(study, tmp_path, 1)
    copy = backup(url, tmp_path / "copies")
    with pytest.raises(Misuse, match="holds 1 session; it will not be overwritten: move it away first"):
        restore(copy, url, AT)
    with pytest.raises(Misuse, match="which is not a file"):
        restore(tmp_path / "nothing", url, AT)
    with pytest.raises(Misuse, match=r"SQLite database for postgresql://me:\*\*\*@host/db"):
        restore(copy, "postgresql://me:word@host/db", AT)


@pytest.mark.slow
def test_a_copy_of_postgresql_comes_back_whole(study, postgres, postgres_db, tmp_path):
    import psycopg

    store = Store(postgres_db, KEY)
    store.open_study(study)
    answered(store, study, "one")
    copy = backup(postgres_db, tmp_path)
    before = store.tables(study.name)
    store.close()
    name = f"again_{os.urandom(4).hex()}"
    with psycopg.connect(f"{postgres}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    restore(copy, f"{postgres}/{name}", AT)
    again = Store(f"{postgres}/{name}", KEY)
    assert again.tables(study.name) == before
    again.close()
    with pytest.raises(Misuse, match="pg_restore failed"):  # nothing is written over what is there
        restore(copy, f"{postgres}/{name}", AT)


@pytest.mark.slow
def test_check_leaves_nothing_in_postgresql_and_sessions_of_its_copies_are_counted(study, postgres_db, tmp_path):
    file = study_places.write(tmp_path / "study")
    with tried(str(file), postgres_db) as (_, _, store):
        store.round_trip()
    assert held(postgres_db) == {}
    with pytest.raises(Misuse, match="does not hold 'small'"):
        backup(postgres_db, tmp_path / "copies", study="small")
    store = Store(postgres_db, KEY)
    store.open_study(study)
    for who in ("one", "two"):
        store.enter(study.name, "open", who, 1.0)
    store.close()
    assert copied(backup(postgres_db, tmp_path / "copies")) == 2
