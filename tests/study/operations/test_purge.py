"""What is deleted is gone, from the bytes of the file as well; what is asked for is handed out."""

from datetime import date
from pathlib import Path

import pytest

import study_places
from beholder.errors import Misuse
from beholder.study.design.file import read
from beholder.study.operations import purge
from beholder.study.operations.tidy import session_label
from beholder.study.server.store import Given, Store

TODAY = date(2026, 6, 1)


def take_part(store, study, who, *, word):
    """A session with two answers, an event and a comment; `word` stands in what it leaves behind."""
    session = store.enter(study.name, "prolific", who, 1.0)
    session = store.consent(session, "hash", 2.0)
    session = store.fill(session, {"knowledge": 4, "note": f"form-{word}"}, 3.0)
    session = store.measure(session, {"width": 1280}, 4.0)
    session = store.begin(session, 5.0)
    for at in range(2):
        trial = store.next_trial(session, 6.0 + at)
        store.answer(session, Given(trial.token, f"key-{word}-{at}", {"human": "human"}), 6.0 + at)
    store.note(session, "hidden", f"event-{word}", 9.0)
    return session


@pytest.fixture
def study(tmp_path):
    return read(study_places.write(tmp_path / "study", top='platform = "prolific"\nretain_until = 2026-05-31'))


@pytest.fixture
def store(study, tmp_path):
    made = Store(str(tmp_path / "answers.sqlite"), b"k" * 32)
    made.open_study(study)
    yield made
    made.close()


def left_behind(store, *words):
    """Which words still stand in the database's file or its log."""
    path = Path(store.url)
    whole = b"".join(file.read_bytes() for file in path.parent.glob(f"{path.name}*"))
    return [word for word in words if word.encode() in whole]


def test_of_one_person_nothing_is_left_and_of_others_everything(store, study):
    gone, stays = take_part(store, study, "ada", word="lovelace"), take_part(store, study, "alan", word="turing")
    token = store.tables(study.name)["trials"][0]["token"]
    assert left_behind(store, "lovelace", gone.id) == ["lovelace", gone.id]
    said = purge.purge_session(store, study, purge.session_of(store, study, person="ada"))
    assert said == f"deleted session {session_label(gone.id)}: 1 session, 9 trials, 2 answers, 2 events"
    assert left_behind(store, "lovelace", gone.id, "turing", stays.id) == ["turing", stays.id]
    assert [one["id"] for one in store.tables(study.name)["sessions"]] == [stays.id]
    assert left_behind(store, token) == ([token] if stays.id < gone.id else [])
    with pytest.raises(Misuse, match="'ada', who has no session in small"):
        purge.session_of(store, study, person="ada")


def test_a_session_is_found_by_the_name_that_the_export_gives_it(store, study):
    session = take_part(store, study, "ada", word="x")
    assert purge.session_of(store, study, session=session_label(session.id)) == session.id
    assert purge.session_of(store, study, session=session.id) == session.id
    with pytest.raises(Misuse, match="got the session 'p123'"):
        purge.session_of(store, study, session="p123")


def test_a_study_goes_when_its_time_is_over_and_not_before(store, study):
    session = take_part(store, study, "ada", word="lovelace")
    with pytest.raises(Misuse, match="is kept until 2026-05-31"):
        purge.purge_study(store, study, today=date(2026, 5, 31))
    forever = study.model_copy(update={"retain_until": None})
    with pytest.raises(Misuse, match="has no retain_until"):
        purge.purge_study(store, forever, today=TODAY)
    assert purge.purge_study(store, study, today=TODAY).startswith("deleted 1 session of small")
    assert left_behind(store, "lovelace", session.id, "Who looked?") == []


def test_without_the_link_to_people_answers_stay(store, study):
    session = take_part(store, study, "ada", word="lovelace")
    person = store.tables(study.name, people=True)["sessions"][0]["person"]
    assert left_behind(store, person) == [person]
    purge.purge_people(store, study)
    assert left_behind(store, person) == []
    assert store.find(study.name, "prolific", "ada") is None
    assert len(store.tables(study.name)["answers"]) == 2
    assert store.session(session.id, 10.0).id == session.id


def test_what_is_kept_of_one_person_is_handed_out_and_nothing_of_others(store, study):
    session = take_part(store, study, "ada", word="lovelace")
    take_part(store, study, "alan", word="turing")
    found = purge.mine(store, study, session.id)
    assert [len(found[name]) for name in ("sessions", "trials", "answers", "events")] == [1, 9, 2, 2]
    assert found["sessions"][0]["form"]["note"] == "form-lovelace"
    assert "turing" not in str(found)
    assert not any("token" in row for row in found["trials"]), "nobody goes on in another's name"
