"""Prolific, MTurk, invitations: who somebody is, and where they go back to."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest

from study_servers import running

PROLIFIC = {"PROLIFIC_PID": "5f3c2a95f3c2a95f3c2a95f3", "STUDY_ID": "s1", "SESSION_ID": "x1"}
MTURK = {
    "workerId": "A2WORKER", "assignmentId": "3ASSIGN", "hitId": "3HIT", "turkSubmitTo": "https://workersandbox.mturk.com",
}  # fmt: skip


def test_prolific_the_same_person_from_another_browser_goes_on(tmp_path):
    with running(tmp_path, platform="prolific") as server:
        person = server.participant(**PROLIFIC)
        said = person.until_trials()
        following = person.answer(said["trial"]).json()["next"]
        again = server.participant(**PROLIFIC | {"SESSION_ID": "x2"})
        assert again.enter().status_code == 303
        assert again.get("/api/next").json()["trial"]["token"] == following["trial"]["token"]
        other = server.participant(**PROLIFIC | {"PROLIFIC_PID": "b" * 24})
        other.browser.cookies.update(person.browser.cookies)  # a shared computer: the link says who it is
        other.enter()
        assert "You may stop." in other.get("/go").text
        assert len(server.store.sessions("gaze")) == 2


def test_prolific_without_an_id_says_where_to_come_from(tmp_path):
    with running(tmp_path, platform="prolific") as server:
        page = server.participant().get("/")
        assert page.status_code == 400
        assert "open the study from the link on Prolific" in page.text


BAD_IDS = {
    "prolific": [
        ("PROLIFIC_PID", "test1"),
        ("PROLIFIC_PID", "5F3C2A95F3C2A95F3C2A95F3"),
        ("PROLIFIC_PID", "5f3c2a95f3c2a95f3c2a95f3a"),
        ("PROLIFIC_PID", "{{%PROLIFIC_PID%}}"),
        ("STUDY_ID", "{{%STUDY_ID%}}"),
        ("SESSION_ID", "a" * 65),
    ],
    "mturk": [("workerId", "A2 WORKER"), ("assignmentId", "3-ASSIGN"), ("hitId", "a" * 65)],
}


@pytest.mark.parametrize("platform", BAD_IDS)
def test_ids_that_the_platform_does_not_make_are_refused_with_a_sentence(tmp_path, platform):
    ids = PROLIFIC if platform == "prolific" else MTURK
    with running(tmp_path, platform=platform) as server:
        browser = server.browser()
        visit = server.store.keys.sign("visit", "gaze", "n", until=9e9)
        for name, value in BAD_IDS[platform]:
            for page in (
                browser.get("/s/gaze/", params=ids | {name: value}),
                browser.post("/s/gaze/enter", data={"csrf": visit, **ids, name: value}),
            ):
                assert page.status_code == 400, (name, value)
                assert f"The {name} in this link is not valid: expected " in page.text
        assert server.store.sessions("gaze") == []
        assert browser.post("/s/gaze/enter", data={"csrf": visit, **ids}).status_code == 303


def test_invitations_are_made_here_and_are_good_for_one_session(tmp_path):
    with running(tmp_path, platform="invite") as server:
        keys = server.store.keys
        assert len({keys.invite("gaze", at) for at in range(50)}) == 50
        guest = server.participant(invite=keys.invite("gaze", 1))
        said = guest.until_trials()
        again = server.participant(invite=keys.invite("gaze", 1))
        again.enter()
        assert again.get("/api/next").json()["trial"]["token"] == said["trial"]["token"]
        for bad in ("1-x", "2" + keys.invite("gaze", 1)[1:], keys.invite("other", 1), "-", "٣-abc", "1"):
            assert server.participant(invite=bad).get("/", params={"invite": bad}).status_code in (400, 403)
            visit = keys.sign("visit", "gaze", "n", until=9e9)
            entered = server.browser().post("/s/gaze/enter", data={"csrf": visit, "invite": bad})
            assert entered.status_code in (400, 403)
        assert len(server.store.sessions("gaze")) == 1


def test_mturk_shows_only_text_before_the_task_is_accepted(tmp_path):
    with running(tmp_path, platform="mturk") as server:
        ids = MTURK | {"assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE"}
        page = server.participant().get("/", params=ids)
        assert page.status_code == 200
        assert "Look, then say." in page.text
        assert "/enter" not in page.text
        visit = server.store.keys.sign("visit", "gaze", "n", until=9e9)
        assert server.browser().post("/s/gaze/enter", data={"csrf": visit, **ids}).status_code == 400
        assert server.store.sessions("gaze") == []


def test_mturk_goes_from_link_to_submission_in_a_frame_without_any_cookie(tmp_path):
    with running(tmp_path, platform="mturk") as server:
        browser = server.browser()
        page = browser.get("/s/gaze/", params=MTURK)
        policy = page.headers["content-security-policy"]
        assert "frame-ancestors 'self' https://worker.mturk.com https://workersandbox.mturk.com" in policy
        assert "x-frame-options" not in page.headers
        reply = browser.post("/s/gaze/enter", data={"csrf": _field(page, "csrf"), **MTURK})
        steps = ["consent", "form", "device", "instructions"]
        filled = {"agree": "yes", "hash": server.study.study.consent.hash, "form_education": "a", "form_knowledge": "2"}
        for step in steps:
            page = browser.get(reply.headers["location"])
            assert page.status_code == 200
            bearer = _field(page, "bearer")
            assert bearer == parse_qs(urlsplit(reply.headers["location"]).query)["t"][0]
            reply = browser.post(f"/s/gaze/{step}", data={"csrf": _field(page, "csrf"), "bearer": bearer, **filled})
            assert reply.status_code == 303
        assert not browser.cookies
        held = {"Authorization": f"Bearer {bearer}", "X-Beholder": "1"}
        said = browser.get("/s/gaze/api/next", headers=held).json()
        assert browser.get(said["trial"]["shows"][0]["media"]).status_code == 200
        number = 0
        while not said["done"]:
            row = server.store.lookup(said["trial"]["token"])
            body = {"token": row["token"], "key": f"key-{number:016}", "values": {"human": "no"}}
            server.clock.now += 5
            said = browser.post("/s/gaze/api/answer", json=body, headers=held).json()["next"]
            number += 1
        page = browser.get(browser.get(said["go"]).headers["location"])
        assert 'action="https://workersandbox.mturk.com/mturk/externalSubmit"' in page.text
        assert _field(page, "assignmentId") == "3ASSIGN"
        assert _field(page, "code") == "DONE1"


@pytest.mark.parametrize("evil", ["https://evil.example", "javascript:alert(1)", "https://www.mturk.com.evil.example"])
def test_mturk_answers_go_back_to_mturk_and_to_nobody_else(tmp_path, evil):
    with running(tmp_path, platform="mturk") as server:
        browser = server.browser()
        page = browser.get("/s/gaze/", params=MTURK | {"turkSubmitTo": evil})
        assert evil not in page.text


def _field(page, name):
    return re.search(rf'name="{name}" value="([^"]*)"', page.text)[1]
