"""Assignment: the least exposed items, leases, quotas, and slots that are given back."""

import threading
from collections import Counter
from dataclasses import replace

import pytest

from beholder.study.design.drawing import Drawn, faults
from beholder.study.server.store import Closed, Given, Store
from study_servers import KEY, running, served

CALM = {"trials": {"count": 4, "practice": 0, "checks": 0, "repeats": 0}}


@pytest.fixture
def store(db, tmp_path):
    it = Store(db, KEY)
    yield it
    it.close()


def enter(store, study, name, now, knowledge=4):
    """To the first trial; nothing if the participant was sent away."""
    session = store.enter("gaze", "open", name, now)
    session = store.fill(store.consent(session, study.study.consent.hash, now), {"knowledge": knowledge}, now)
    if session.outcome:
        return session
    return store.begin(store.measure(session, {}, now), now)


def answer_all(store, session, now, most=1000):
    current = store.next_trial(session, now)
    while current and most:
        given = Given(current.token, f"key-{current.position:016}", {"human": "yes"})
        current = store.answer(session, given, now).next
        most -= 1


def exposure(store, now):
    return {row["item"]: row["answered"] + row["leased"] for row in store.exposure("gaze", now)}


def drawn(store, session):
    rows = [row for row in store.tables("gaze")["trials"] if row["session"] == session.id]
    return [Drawn(row["use"], row["item"], row["kind"], row["other"]) for row in rows]


def spreads(store, now, name="answered"):
    rows = store.exposure("gaze", now)
    kinds = {row["kind"] for row in rows}
    return [max(v) - min(v) for v in ([row[name] for row in rows if row["kind"] == kind] for kind in kinds)]


def test_every_assignment_takes_the_least_exposed_and_without_drop_out_exposure_is_even(store, tmp_path):
    study = served(tmp_path / "study", **CALM)
    store.open_study(study.study)
    for at in range(20):
        before = exposure(store, 1000.0 + at)
        session = enter(store, study, f"p{at}", 1000.0 + at)
        assert faults(study.study, before, drawn(store, session)) == []
        answer_all(store, session, 1000.0 + at)
        assert max(spreads(store, 1000.0 + at)) <= 1
    assert not [event for event in store.tables("gaze")["events"] if event["what"] == "uneven"]


def test_those_who_begin_at_once_are_given_different_items(store, tmp_path):
    study = served(tmp_path / "study", groups=12, **CALM)
    store.open_study(study.study)
    begun = []

    def begin(at):
        begun.append(enter(store, study, f"p{at}", 1000.0))

    threads = [threading.Thread(target=begin, args=(at,)) for at in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(begun) == 12
    assert Counter(exposure(store, 1001.0).values()) == {2: 24}  # 12 people × 2 of each class, over 12 items of each


def test_a_lease_that_runs_out_goes_to_others_and_a_late_answer_is_still_stored(store, tmp_path):
    study = served(tmp_path / "study", lease_minutes=10, **CALM)
    store.open_study(study.study)
    session = enter(store, study, "late", 1000.0)
    assert sum(exposure(store, 1000.0 + 599).values()) == 4
    assert sum(exposure(store, 1000.0 + 601).values()) == 0
    answer_all(store, session, 1000.0 + 3000, most=1)
    rows = store.exposure("gaze", 1000.0 + 3001)
    assert sum(row["answered"] for row in rows) == 1
    assert sum(row["leased"] for row in rows) == 3  # the participant is here again, and so are the leases


def test_a_rejected_session_gives_its_items_back_and_keeps_its_answers(store, tmp_path):
    study = served(tmp_path / "study", **CALM)
    store.open_study(study.study)
    session = enter(store, study, "bad", 1000.0)
    answer_all(store, session, 1000.0)
    assert sum(exposure(store, 1001.0).values()) == 4
    store.reject(session.id, 1002.0)
    assert sum(exposure(store, 1003.0).values()) == 0
    assert len(store.tables("gaze")["answers"]) == 4
    assert store.session(session.id, 1003.0).outcome == "rejected"


def test_a_withdrawn_and_a_deleted_session_give_their_items_back(store, tmp_path):
    study = served(tmp_path / "study", **CALM)
    store.open_study(study.study)
    one, two = enter(store, study, "one", 1000.0), enter(store, study, "two", 1000.0)
    answer_all(store, one, 1000.0, most=2)
    assert sum(exposure(store, 1001.0).values()) == 8
    store.withdraw(one, 1001.0)
    assert sum(exposure(store, 1001.0).values()) == 4
    store.delete(two.id)
    assert sum(exposure(store, 1001.0).values()) == 0
    assert [row["id"] for row in store.tables("gaze")["sessions"]] == [one.id]


def test_no_more_are_let_in_than_the_study_wants(store, tmp_path):
    study = served(tmp_path / "study", participants=2, lease_minutes=10, **CALM)
    store.open_study(study.study)
    answer_all(store, enter(store, study, "a", 1000.0), 1000.0)
    away = enter(store, study, "b", 1000.0)
    with pytest.raises(Closed, match="enough people"):
        store.enter("gaze", "open", "c", 1001.0)
    assert store.enter("gaze", "open", "b", 1002.0).id == away.id  # who has begun goes on
    assert store.enter("gaze", "open", "c", 1002.0 + 700).stage == "consent"  # b stayed away: the place is free
    store.reject(away.id, 1800.0)


def test_quotas_by_group(store, tmp_path):
    groups = [
        {"name": "expert", "field": "knowledge", "at_least": 3, "quota": 2},
        {"name": "naive", "field": "knowledge", "at_most": 2, "quota": 1},
    ]
    study = served(tmp_path / "study", groups=12, **CALM)
    study = replace(study, study=study.study.model_validate(study.study.model_dump(by_alias=True) | {"groups": groups}))
    store.open_study(study.study)
    came = [enter(store, study, f"p{at}", 1000.0, knowledge) for at, knowledge in enumerate((5, 4, 3, 1, 2))]
    assert [(one.kind, one.outcome) for one in came] == [
        ("expert", ""), ("expert", ""), ("expert", "screened_out"), ("naive", ""), ("naive", "screened_out"),
    ]  # fmt: skip
    store.reject(came[0].id, 1001.0)
    assert enter(store, study, "another", 1002.0, 5).outcome == ""  # the place of the rejected one


def test_simulated_sessions_take_nobodys_place(store, tmp_path):
    study = served(tmp_path / "study", participants=1, **CALM)
    store.open_study(study.study)
    made = store.enter("gaze", "open", "robot", 1000.0, simulated=True)
    real = store.enter("gaze", "open", "person", 1000.0)
    assert (made.simulated, real.simulated) == (True, False)


def test_who_is_screened_out_gets_the_code_for_it(tmp_path):
    with running(tmp_path) as server:
        study = server.study.study
        full = study.groups[0].model_copy(update={"quota": 1})
        server.store._studies["gaze"] = study.model_copy(update={"groups": (full, *study.groups[1:])})
        server.participant().until_trials()
        late = server.participant()
        late.enter()
        late.post("/consent", agree="yes", hash=study.consent.hash)
        late.post("/form", form_education="a", form_knowledge="5")
        last = late.get("/done")
        assert "OUT3" in last.text
        assert "DONE1" not in last.text


def test_status_tells_how_a_study_stands(store, tmp_path):
    study = served(tmp_path / "study", **CALM)
    store.open_study(study.study)
    answer_all(store, enter(store, study, "a", 1000.0, 4), 1000.0)
    enter(store, study, "b", 1000.0, 1)
    found = store.status("gaze", 1001.0)
    assert (found["sessions"], found["complete"], found["running"], found["answers"]) == (2, 1, 1, 4)
    assert found["by_kind"] == {
        "expert": {"quota": 0, "complete": 1, "failed_checks": 0, "running": 0},
        "naive": {"quota": 0, "complete": 0, "failed_checks": 0, "running": 1},
    }
    assert {row["items"] for row in found["exposure"].values()} == {6}
    assert sum(row["answered"] for row in found["exposure"].values()) == 4
    later = store.status("gaze", 1001.0 + 3600 * 2)
    assert (later["running"], later["by_outcome"]["away"]) == (0, 1)
