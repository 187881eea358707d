"""A participant's way from the link to the code: one session each, resumed where it was, and the truth stays here."""

import json
import re
import threading

import pytest

from beholder.errors import Misuse
from beholder.study.server.pulse import Pulse
from beholder.study.server.showing import Served
from beholder.study.server.store import Store
from study_servers import KEY, SECRET, TRUTH, running, served


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with running(tmp_path_factory.mktemp("study"), groups=12) as it:
        yield it


def test_from_the_link_to_the_code(server):
    person = server.participant()
    first = person.until_trials()
    assert first["trial"]["use"] == "practice"
    last = person.finish(first)
    assert last.status_code == 200
    assert "DONE1" in last.text
    assert "https://r.example/?cc=DONE1" in last.text
    stored = {row["id"]: row for row in server.store.sessions("gaze")}
    mine = max(stored.values(), key=lambda row: row["answered"])
    assert (mine["outcome"], mine["kind"], mine["answered"], mine["trials"]) == ("complete", "expert", 7, 7)
    assert mine["consent"] == server.study.study.consent.hash
    assert mine["form"] == {"education": "a", "knowledge": "4"}


def test_the_truth_is_in_no_response_of_a_whole_session(server):
    person = server.participant()
    said = person.until_trials()
    sizes = set()
    while not said["done"]:
        for shown in said["trial"]["shows"]:
            seen = person.get(shown["media"].removeprefix(person.base))
            assert seen.status_code == 200
        reply = person.answer(said["trial"], person.right(said["trial"]))
        sizes.add(len(reply.content))
        said = reply.json()["next"]
    person.get("/go")
    person.get("/done")
    assert len(person.responses) > 20
    for response in person.responses:
        whole = f"{response.request.url} {response.headers} {response.text} {response.cookies}"
        assert not TRUTH.search(whole), response.request.url
    assert len(sizes) == 1  # one size for both classes, for practice and checks, and for the last answer


def test_all_trials_have_one_size_though_the_numbers_of_one_class_are_longer(server):
    study = server.study
    plain = {item.id: len(json.dumps(study.seen(item.id).track)) for item in study.study.items}
    assert len(set(plain.values())) > 1
    assert study.largest % 4096 == 0


def test_checks_and_repeats_look_like_trials(server):
    person = server.participant()
    said, uses, shown = person.until_trials(), [], []
    while not said["done"]:
        uses.append(server.store.lookup(said["trial"]["token"])["use"])
        shown.append((said["trial"]["use"], set(said["trial"]), set(said["trial"]["shows"][0])))
        said = person.answer(said["trial"]).json()["next"]
    assert {"practice", "trial", "check", "repeat"} == set(uses)
    assert {kind for kind, *_ in shown} == {"practice", "trial"}
    assert len({(frozenset(a), frozenset(b)) for _, a, b in shown}) == 1


def test_no_two_participants_share_an_address(server):
    addresses = []
    for _ in range(2):
        said = server.participant().until_trials()
        addresses.append(said["trial"]["shows"][0]["media"])
        addresses.append(said["trial"]["token"])
    assert len(set(addresses)) == 4


def test_practice_tells_right_from_wrong_and_trials_do_not(server):
    person = server.participant()
    said = person.until_trials()
    reply = person.answer(said["trial"], "no").json()
    assert reply["feedback"] == "wrong"
    assert person.answer(reply["next"]["trial"]).json()["feedback"] == ""


def test_reload_goes_on_where_it_was(server):
    person = server.participant()
    said = person.until_trials()
    following = person.answer(said["trial"]).json()["next"]
    again = person.get("/api/next").json()
    assert again["trial"] == following["trial"]
    person.get("/")
    assert person.post("/enter").headers["location"] == "/s/gaze/go"
    assert person.get("/api/next").json()["trial"] == following["trial"]


def test_the_code_is_not_there_before_the_last_answer(server):
    person = server.participant()
    said = person.until_trials()
    while not said["done"]:
        early = person.get("/done")
        assert early.status_code == 303
        assert early.headers["location"] == "/s/gaze/go"
        assert "DONE1" not in early.text + person.get("/go").text
        said = person.answer(said["trial"], person.right(said["trial"])).json()["next"]
    assert "DONE1" in person.get("/done").text


def test_a_failed_check_has_its_own_code(server):
    person = server.participant()
    assert "FAIL2" in person.finish(person.until_trials(), "yes").text  # the check asks for no


def test_an_answer_is_stored_once_and_the_same_again_gives_the_same(server):
    person = server.participant()
    said = person.until_trials()
    one = person.answer(said["trial"], "yes", "k" * 20, seconds=1.25, replays=2, frames=120, dropped=3, hidden=1)
    two = person.answer(said["trial"], "yes", "k" * 20, seconds=1.25, replays=2, frames=120, dropped=3, hidden=1)
    assert (one.status_code, two.status_code) == (200, 200)
    assert one.json() == two.json()
    session = server.store.lookup(said["trial"]["token"])["session"]
    rows = [row for row in server.store.tables("gaze")["answers"] if row["session"] == session]
    assert len(rows) == 1
    kept = {name: rows[0][name] for name in ("seconds", "replays", "frames", "dropped", "hidden", "values")}
    assert kept == {"seconds": 1.25, "replays": 2, "frames": 120, "dropped": 3, "hidden": 1, "values": {"human": "yes"}}


def test_the_last_answer_again_gives_the_same_when_all_is_done(server):
    person = server.participant()
    said = person.until_trials()
    while not said["done"]:
        last = said["trial"]
        said = person.answer(last, "no", last["token"][:20]).json()["next"]
    again = person.answer(last, "no", last["token"][:20])
    assert again.status_code == 200
    assert again.json()["next"]["done"] is True


def test_answers_that_do_not_fit_are_refused(server):
    person = server.participant()
    trial = person.until_trials()["trial"]
    body = {"token": trial["token"], "key": "k" * 16, "values": {"human": "yes"}}
    assert person.send("/api/answer", body | {"values": {"human": "perhaps"}}).status_code == 422
    assert person.send("/api/answer", body | {"values": {}}).status_code == 422
    assert person.send("/api/answer", body | {"values": {"human": "yes", "other": "yes"}}).status_code == 422
    assert person.send("/api/answer", body | {"key": "short"}).status_code == 422
    assert person.send("/api/answer", body | {"seconds": -1}).status_code == 422
    assert person.send("/api/answer", body | {"token": "x" * 43}).status_code == 404
    assert person.send("/api/answer", body | {"token": "x\x00"}).status_code == 422  # PostgreSQL has no such texts
    server.clock.now += 5
    assert person.send("/api/answer", body).status_code == 200


def test_an_answer_is_taken_only_when_the_clip_can_have_ended(server):
    person = server.participant()
    trial = person.until_trials()["trial"]
    assert trial["shows"][0]["seconds"] == 5.0
    early = person.answer_now(trial, key="k" * 20)
    assert (early.status_code, early.headers["retry-after"]) == (425, "5")
    assert "watch to the end" in early.json()["error"]
    server.clock.now += 4.7
    assert person.answer_now(trial, key="k" * 20).headers["retry-after"] == "1"
    assert person.get("/api/next").json()["trial"] == trial  # to ask again does not begin it anew
    server.clock.now += 0.1  # a quarter of a second may be missing
    following = person.answer_now(trial, key="k" * 20)
    assert following.status_code == 200
    assert person.answer_now(trial, key="k" * 20).json() == following.json()  # what is stored is stored
    assert person.answer_now(following.json()["next"]["trial"]).status_code == 425  # each has its own time


def test_of_two_clips_both_must_have_been_seen(tmp_path):
    which = {"text": "Which?", "answers": [{"value": v, "label": v} for v in ("first", "second")]}
    pairs = {"trial": "two_alternative", "questions": [which], "right": {"zqhuman": "first"}, "exclude": []}
    with running(tmp_path, **pairs, trials={"count": 2, "practice": 0, "checks": 0, "repeats": 0}) as server:
        person = server.participant()
        trial = person.until_trials()["trial"]
        server.clock.now += 9
        assert person.answer_now(trial, "first").status_code == 425
        server.clock.now += 1
        assert person.answer_now(trial, "first").status_code == 200


def test_who_may_answer_before_the_end_and_who_is_simulated_need_not_wait(tmp_path):
    with running(tmp_path / "a", trials={"answer_after_end": False}) as server:
        person = server.participant()
        assert person.answer_now(person.until_trials()["trial"]).status_code == 200
    with running(tmp_path / "b") as server:
        robot, person = server.participant(), server.participant()
        robot.browser.headers["X-Beholder-Simulated"] = SECRET
        person.browser.headers["X-Beholder-Simulated"] = "1"  # anybody can say so
        assert robot.answer_now(robot.until_trials()["trial"]).status_code == 200
        assert person.answer_now(person.until_trials()["trial"]).status_code == 425


def test_counts_of_frames_that_cannot_be_are_refused_and_those_of_a_slow_device_are_kept(server):
    person = server.participant()
    trial = person.until_trials()["trial"]
    for frames, dropped in ((120, 1_000_000), (100_000, 0), (None, 3)):
        reply = person.answer(trial, frames=frames, dropped=dropped)
        assert reply.status_code == 422, (frames, dropped)
        assert "frames" in reply.json()["error"]
    assert person.answer(trial, frames=20, dropped=105).status_code == 200  # 4 frames a second were drawn


def test_the_media_of_the_next_trial_can_be_loaded_before_it(server):
    person = server.participant()
    said = person.until_trials()
    while not said["done"]:
        ahead = said["trial"]["ahead"]
        for one in ahead:
            assert set(one) == {"show", "media", "media_kind"}
            assert person.get(one["media"].removeprefix(person.base)).status_code == 200
        said = person.answer(said["trial"]).json()["next"]
        if not said["done"]:
            assert [one["media"] for one in ahead] == [one["media"] for one in said["trial"]["shows"]]
    assert ahead == []


def test_practice_may_go_without_feedback(tmp_path):
    with running(tmp_path, practice={"feedback": False}) as server:
        person = server.participant()
        reply = person.answer(person.until_trials()["trial"], "no").json()
        assert reply["feedback"] == ""
        assert reply["next"]["trial"]["use"] == "trial"


def test_only_the_trial_that_is_shown_can_be_answered(server):
    person = server.participant()
    trial = person.until_trials()["trial"]
    session = server.store.lookup(trial["token"])["session"]
    later = next(
        row for row in server.store.tables("gaze")["trials"] if row["session"] == session and row["position"] == 3
    )
    reply = person.answer(later)
    assert reply.status_code == 409
    assert "not the current trial" in reply.json()["error"]


def test_the_form_asks_again_for_what_is_missing_and_keeps_what_was_given(server):
    person = server.participant()
    person.enter()
    person.post("/consent", agree="yes", hash=server.study.study.consent.hash)
    reply = person.post("/form", form_education="a", form_knowledge="9")
    assert reply.status_code == 422
    assert "whole number from 1 to 5" in reply.text
    assert re.search(r'value="a"[^>]*(checked|selected)', reply.text)
    assert person.post("/form", form_education="zz", form_knowledge="2").status_code == 422
    assert person.post("/form", form_education="b", form_knowledge="2").status_code == 303


def test_a_consent_text_that_has_changed_is_shown_again(server):
    person = server.participant()
    person.enter()
    person.post("/consent", agree="yes", hash="0" * 64)
    assert "You may stop." in person.get("/go").text


def test_who_does_not_agree_is_asked_nothing(server):
    person = server.participant()
    person.enter()
    person.post("/consent", agree="no", hash=server.study.study.consent.hash)
    assert person.get("/go").headers["location"] == "/s/gaze/done"
    assert "DONE1" not in person.get("/done").text
    assert person.get("/api/next").status_code == 410


def test_a_withdrawal_deletes_the_answers(server):
    person = server.participant()
    said = person.until_trials()
    person.answer(said["trial"])
    session = server.store.lookup(said["trial"]["token"])["session"]
    person.get("/go")
    assert person.post("/withdraw").status_code == 303  # not sure: nothing happens
    assert person.get("/api/next").status_code == 200
    person.post("/withdraw", sure="yes")
    kept = server.store.tables("gaze")
    assert not [row for row in kept["answers"] if row["session"] == session]
    (row,) = [row for row in kept["sessions"] if row["id"] == session]
    assert (row["outcome"], row["form"], row["device"]) == ("withdrawn", {}, {})
    assert "DONE1" not in person.get("/done").text
    assert person.get("/api/next").status_code == 410


def test_events_are_kept(server):
    person = server.participant()
    said = person.until_trials()
    assert person.send("/api/event", {"what": "hidden", "detail": "3 s\x00"}).status_code == 204
    session = server.store.lookup(said["trial"]["token"])["session"]
    details = [e["detail"] for e in server.store.tables("gaze")["events"] if e["session"] == session]
    assert "3 s\\x00" in details


def test_films_can_be_asked_for_in_parts(server):
    person = server.participant()
    place = person.until_trials()["trial"]["shows"][0]["media"].removeprefix(person.base)
    whole = person.get(place)
    part = person.get(place, headers={"Range": "bytes=10-19"})
    assert part.status_code == 206
    assert part.content == whole.content[10:20]
    assert whole.headers["cache-control"].startswith("private")
    assert person.get(place, headers={"Range": "bytes=10-19", "If-Range": whole.headers["etag"]}).status_code == 206


def test_media_are_shown_only_while_their_trial_is_here_or_comes_next(server):
    person = server.participant()
    said = person.until_trials()
    first = said["trial"]["shows"][0]["media"].removeprefix(person.base)
    said = person.answer(said["trial"]).json()["next"]
    assert person.get(first).status_code == 404
    assert server.participant().get(first).status_code == 401


def test_a_session_is_over_when_the_resume_window_is(tmp_path):
    with running(tmp_path, resume_hours=2) as server:
        person = server.participant()
        said = person.until_trials()
        server.clock.now += 1.9 * 3600
        said = person.answer(said["trial"]).json()["next"]  # the window begins anew with every answer
        server.clock.now += 1.9 * 3600
        assert person.get("/go").status_code == 200
        server.clock.now += 0.2 * 3600
        assert person.answer(said["trial"]).status_code == 410
        assert person.get("/api/next").status_code == 410
        assert "expired" in {row["outcome"] for row in server.store.sessions("gaze")}
        person.get("/")
        assert person.post("/enter").status_code == 410
        assert len(server.store.sessions("gaze")) == 1


def test_a_free_comment_comes_last_and_loses_nobody_the_code(tmp_path):
    with running(tmp_path, comment=True) as server:
        person = server.participant()
        said = person.until_trials()
        while not said["done"]:
            said = person.answer(said["trial"], person.right(said["trial"])).json()["next"]
        assert 'name="comment"' in person.get("/go").text
        assert "DONE1" in person.get("/done").text  # all answers are stored: the code is theirs
        person.get("/go")
        person.post("/comment", comment="<b>nice</b>\nindeed\x00")
        assert person.get("/go").headers["location"] == "/s/gaze/done"
        assert server.store.sessions("gaze")[0]["comment"] == "<b>nice</b>\nindeed\\x00"


def test_several_studies_on_one_server_know_nothing_of_one_another(tmp_path):
    other = served(tmp_path / "other", name="other", title="Another one")
    with running(tmp_path / "gaze", also=(other,)) as server:
        person = server.participant()
        said = person.until_trials()
        assert person.browser.get("/s/other/go").status_code == 401  # the cookie is for one study
        token = person.browser.cookies.get("beholder_session")
        held = {"Authorization": f"Bearer {token}"}
        assert server.browser().get("/s/other/api/next", headers=held).status_code == 401
        assert "Another one" in person.browser.get("/s/other/").text
        assert server.store.lookup(said["trial"]["token"])["use"] == "practice"
        assert server.store.status("other")["sessions"] == 0


@pytest.mark.parametrize("platform", ["prolific", "open"])
def test_many_enters_at_once_make_one_session(db, tmp_path, platform):
    with running(tmp_path, db=db, platform=platform) as server:
        ids = {"PROLIFIC_PID": "a" * 24, "STUDY_ID": "s", "SESSION_ID": "x"} if platform == "prolific" else {}
        person = server.participant(**ids)
        person.get("/", params=ids)
        browsers = [server.browser(cookies=dict(person.browser.cookies)) for _ in range(8)]
        places = []

        def enter(browser):
            reply = browser.post("/s/gaze/enter", data={"csrf": person.csrf, **ids})
            places.append((reply.status_code, reply.headers.get("location")))

        threads = [threading.Thread(target=enter, args=(browser,)) for browser in browsers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert set(places) == {(303, "/s/gaze/go")}
        assert len(server.store.sessions("gaze")) == 1


def test_two_tabs_of_one_browser_are_one_person(tmp_path):
    with running(tmp_path) as server:
        person = server.participant()
        person.get("/")
        one = person.csrf
        person.get("/")
        for csrf in (one, person.csrf):
            server.browser(cookies=dict(person.browser.cookies)).post("/s/gaze/enter", data={"csrf": csrf})
        assert len(server.store.sessions("gaze")) == 1


def test_another_key_is_refused_when_people_would_not_be_known_again(tmp_path):
    with running(tmp_path, db=str(tmp_path / "answers.sqlite")) as server:
        server.participant().enter()
        study = server.study.study
    other = Store(str(tmp_path / "answers.sqlite"), b"another key, of 32 bytes and more")
    with pytest.raises(Misuse, match="another study key"):
        other.open_study(study)
    other.close()


def test_a_study_file_that_lost_items_is_refused_and_a_longer_one_is_not(tmp_path):
    with running(tmp_path, db=str(tmp_path / "answers.sqlite")) as server:
        server.participant().until_trials()
        study = server.study.study
    store = Store(str(tmp_path / "answers.sqlite"), KEY)
    store.open_study(served(tmp_path, groups=7).study)
    shown = {row["item"] for row in store.tables("gaze")["trials"]}
    kept = [item for item in study.items if item.use != "trial" or item.id not in shown]
    with pytest.raises(Misuse, match="which the study file no longer has"):
        store.open_study(
            study.model_copy(update={"items": tuple(kept + [i for i in study.items if i.id in shown][2:])})
        )
    store.close()


def test_what_is_missing_stops_the_server_and_not_a_participant(tmp_path):
    study = served(tmp_path)
    (tmp_path / study.study.items[3].track).unlink()
    with pytest.raises(Misuse, match=f"item {study.study.items[3].id}: got tracks/"):
        Served(study.study, tmp_path).largest  # noqa: B018


def test_health_writes_to_the_database_but_not_for_everybody_who_asks(server, monkeypatch):
    writes, now = [], [0.0]
    monkeypatch.setattr(server.client.app.state.desk, "pulse", Pulse(lambda: writes.append(1), lambda: now[0]))
    for now[0] in (0.0, 1.0, 4.9, 5.0, 9.9):
        assert server.browser().get("/health").json() == {"ok": True}
    assert len(writes) == 2
    before = server.store.tables("gaze")["events"]
    server.store.round_trip()
    assert server.store.tables("gaze")["events"] == before


def test_simulated_sessions_are_marked_by_who_knows_the_secret(tmp_path):
    with running(tmp_path) as server:
        for word in (SECRET, "wrong"):
            person = server.participant()
            person.get("/")
            person.browser.post("/s/gaze/enter", data={"csrf": person.csrf}, headers={"X-Beholder-Simulated": word})
        assert sorted(row["simulated"] for row in server.store.sessions("gaze")) == [0, 1]


def test_the_status_of_people_counts_no_simulated_session(tmp_path):
    with running(tmp_path) as server:
        for simulated in (True, False):
            person = server.participant()
            person.browser.headers.update({"X-Beholder-Simulated": SECRET} if simulated else {})
            person.finish(person.until_trials())
        held = {"Authorization": f"Bearer {SECRET}"}
        told = server.browser().get("/admin/gaze/status.json", headers=held).json()
        assert (told["sessions"], told["complete"], told["answers"], told["simulated"]["sessions"]) == (1, 1, 7, 1)
        assert sum(item["answered"] for item in told["items"]) == 4
        page = server.browser().get("/admin/gaze/status", headers=held).text
        assert "<strong>1</strong> in total" in page
        assert "1 simulated session is not counted;" in page


def test_who_withdrew_is_not_welcomed_back(server):
    person = server.participant()
    person.until_trials()
    assert "Welcome back" in person.get("/").text
    person.get("/go")
    person.post("/withdraw", sure="yes")
    gone = person.get("/")
    assert (gone.status_code, gone.headers["location"]) == (303, "/s/gaze/go")
