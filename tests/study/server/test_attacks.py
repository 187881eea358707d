"""What the server refuses. Each test is one way in which somebody might try."""

import ast
import base64
import inspect
import json
import re
import secrets
import socket
import sqlite3
import threading
import time
from pathlib import Path

import pytest
import uvicorn

import beholder.study.server as package
from beholder.study.server import admin, desk, security
from beholder.study.server.guard import Guard
from beholder.study.server.security import Addresses, Buckets, Keys, key_place, study_key
from beholder.study.server.waiting import Timed
from study_servers import KEY, SECRET, TRUTH, free_port, running, served

SCRIPT = "<script>alert(1)</script>"
ADMIN_READS = ["/admin/gaze/status", "/admin/gaze/status.json", "/admin/gaze/export.zip"]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with running(tmp_path_factory.mktemp("study"), groups=12) as it:
        yield it


@pytest.fixture
def person(server):
    return server.participant()


@pytest.fixture(scope="module")
def somebody(server):
    """At the first trial, and stays there."""
    it = server.participant()
    it.until_trials()
    return it


def session_of(server, said):
    return server.store.lookup(said["trial"]["token"])["session"]


# Tokens


def forged(token):
    """What somebody might make of a token: another signature, another body, none, another's key, nonsense."""
    body, mark = token.split(".")
    fields = json.loads(base64.urlsafe_b64decode(body + "=="))
    other = base64.urlsafe_b64encode(json.dumps([fields[0], "0" * 32, *fields[2:]]).encode()).rstrip(b"=").decode()
    yield f"{body}.{mark[:-2]}AA"
    yield f"{other}.{mark}"
    yield f"{body}."
    yield body
    yield Keys(b"another key").sign("session", "gaze", fields[1], until=9e9)
    yield Keys(KEY).sign("visit", "gaze", fields[1], until=9e9)  # made here, but for something else
    yield "é" * 40
    yield "." * 40


def test_forged_tokens_open_nothing(server, person):
    person.until_trials()
    token = person.browser.cookies["beholder_session"]
    for bad in forged(token):
        reply = server.browser().get("/s/gaze/api/next", headers={"Cookie": f"beholder_session={bad}".encode()})
        assert reply.status_code == 401, bad
        reply = server.browser().get("/s/gaze/api/next", headers={"Authorization": f"Bearer {bad}".encode()})
        assert reply.status_code == 401, bad
        assert server.browser().get("/s/gaze/go", params={"t": bad}).status_code == 401
    held = {"Authorization": f"Bearer {token}"}
    assert server.browser().get("/s/gaze/api/next", headers=held).status_code == 200


def test_an_expired_token_opens_nothing(server, person):
    session = session_of(server, person.until_trials())
    old = server.store.keys.sign("session", "gaze", session, until=server.clock.now - 1)
    assert server.browser().get("/s/gaze/api/next", headers={"Authorization": f"Bearer {old}"}).status_code == 401
    landing = server.store.keys.sign("visit", "gaze", "x", until=server.clock.now - 1)
    assert server.browser().post("/s/gaze/enter", data={"csrf": landing}).status_code == 403


def test_a_trial_of_somebody_else_is_unknown(server, person):
    theirs = server.participant().until_trials()["trial"]
    person.until_trials()
    assert person.answer(theirs).status_code == 404
    assert person.get(theirs["shows"][0]["media"].removeprefix(person.base)).status_code == 404


def test_a_replay_with_another_answer_is_refused_and_the_first_stands(server, person):
    trial = person.until_trials()["trial"]
    key = secrets.token_urlsafe(18)
    assert person.answer(trial, "yes", key).status_code == 200
    assert person.answer(trial, "no", key).status_code == 409
    assert person.answer(trial, "no").status_code == 409
    assert person.answer(trial, "yes").status_code == 409  # another key: another answer
    place = server.store.lookup(trial["token"])
    (row,) = [row for row in server.store.tables("gaze")["answers"] if row["session"] == place["session"]]
    assert row["values"] == {"human": "yes"}


def test_a_key_is_good_for_one_answer(person):
    said = person.until_trials()
    following = person.answer(said["trial"], key="k" * 20).json()["next"]
    reply = person.answer(following["trial"], key="k" * 20)
    assert reply.status_code == 409
    assert "key" in reply.json()["error"]


# Other sites


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://testserver.evil.example"},
        {"Origin": "http://testserver:81"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_posts_from_other_sites_are_refused(server, person, headers):
    trial = person.until_trials()["trial"]
    body = {"token": trial["token"], "key": "k" * 20, "values": {"human": "yes"}}
    send = {"X-Beholder": "1", **headers}
    assert person.browser.post("/s/gaze/api/answer", json=body, headers=send).status_code == 403
    person.get("/go")
    form = {"csrf": person.csrf, "sure": "yes"}
    assert person.browser.post("/s/gaze/withdraw", data=form, headers=headers).status_code == 403
    assert person.browser.post("/admin/login", data={"secret": SECRET}, headers=headers).status_code == 403
    server.clock.now += 6  # the clip is over
    own = {"Origin": "http://testserver", "Sec-Fetch-Site": "same-origin", "X-Beholder": "1"}
    assert person.browser.post("/s/gaze/api/answer", json=body, headers=own).status_code == 200


def test_json_without_our_header_is_refused(person):
    trial = person.until_trials()["trial"]
    body = {"token": trial["token"], "key": "k" * 20, "values": {"human": "yes"}}
    assert person.browser.post("/s/gaze/api/answer", json=body).status_code == 403
    assert person.browser.post("/s/gaze/api/event", json={"what": "hidden"}).status_code == 403


@pytest.mark.parametrize("place", ["consent", "form", "device", "instructions", "comment", "withdraw"])
def test_forms_without_their_own_mark_are_refused(server, person, place):
    person.enter()
    other = server.participant()
    other.enter()
    for csrf in ("", "x" * 43, other.csrf):
        reply = person.browser.post(f"/s/gaze/{place}", data={"csrf": csrf, "agree": "yes", "sure": "yes"})
        assert reply.status_code == 403
    assert server.browser().post(f"/s/gaze/{place}", data={"csrf": person.csrf}).status_code == 401


def test_nobody_is_made_to_enter_by_another_site(server):
    assert server.browser().post("/s/gaze/enter", data={}).status_code == 403
    assert server.browser().post("/s/gaze/enter", data={"csrf": "x.y"}).status_code == 403


# Bodies and floods


def test_oversized_bodies_are_refused_whatever_their_header_says(person):
    person.until_trials()
    send = {"X-Beholder": "1", "Content-Type": "application/json"}
    large = b'{"what": "' + b"a" * 17_000 + b'"}'
    assert person.browser.post("/s/gaze/api/event", content=large, headers=send).status_code == 413

    def chunks():
        for _ in range(64):
            yield b" " * 1024

    assert person.browser.post("/s/gaze/api/event", content=chunks(), headers=send).status_code == 413
    assert person.browser.post("/s/gaze/comment", data={"comment": "a" * 70_000}).status_code == 413
    assert person.browser.post("/admin/login", data={"secret": "a" * 70_000}).status_code == 413
    for length in ("-1", "many", "9" * 30):
        reply = person.browser.post("/s/gaze/api/event", content=b"{}", headers={**send, "Content-Length": length})
        assert reply.status_code in (400, 413)


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[" * 16_000, b"null", b'{"token": 1e999}', b"\xff\xfe", b'{"token": "\\ud800"}', b"[]" * 8000],
)
def test_nonsense_is_refused_without_a_fault(somebody, body):
    send = {"X-Beholder": "1", "Content-Type": "application/json"}
    assert 400 <= somebody.browser.post("/s/gaze/api/answer", content=body, headers=send).status_code < 500
    send["Content-Type"] = "application/x-www-form-urlencoded"
    assert 400 <= somebody.browser.post("/s/gaze/consent", content=body, headers=send).status_code < 500
    many = "&".join(f"f{at}=1" for at in range(3000)).encode()
    assert somebody.browser.post("/s/gaze/consent", content=many, headers=send).status_code == 415


def test_a_flood_from_one_session_is_stopped_and_others_go_on(tmp_path):
    with running(tmp_path, limit=(30, 0.001)) as server:
        flood, calm = server.participant(), server.participant()
        flood.until_trials()
        statuses = [flood.get("/api/next").status_code for _ in range(40)]
        assert statuses[0] == 200
        assert statuses[-1] == 429
        last = flood.responses[-1]
        assert last.headers["retry-after"]
        assert "error" in last.json()
        assert calm.until_trials()["done"] is False


def test_a_bucket_fills_again_and_remembers_only_so_many():
    now = [0.0]
    bucket = Buckets(burst=2, rate=1, clock=lambda: now[0])
    assert [bucket.take("a") for _ in range(3)] == [True, True, False]
    now[0] = 1.0
    assert [bucket.take("a"), bucket.take("a"), bucket.take("b")] == [True, False, True]
    bucket.MOST = 10
    for at in range(100):
        bucket.take(str(at))
    assert len(bucket._left) <= 11


# Paths


@pytest.mark.parametrize(
    "path",
    [
        "/s/gaze/media/../../../../etc/passwd",
        "/s/gaze/media/..%2f..%2f..%2fetc%2fpasswd",
        "/s/gaze/media/%2e%2e%2f%2e%2e%2fstudy.toml",
        "/s/gaze/media/zqpicture0.png",
        "/s/gaze/media/%00",
        "/s/../admin/gaze/status",
        "/s/..%2f..%2fetc/",
        "/s/%2e%2e/go",
        "/s/gaze%00/go",
        "/s/GAZE/",
        "/s/no-such-study/",
        "/static/../store.py",
        "/static/..%2fstore.py",
        "/static/%2e%2e/templates/base.html",
        "/admin/..%2fgaze/status",
    ],
)
def test_path_tricks_lead_nowhere(server, somebody, path):
    reply = somebody.browser.get(path)
    assert reply.status_code in (400, 401, 404), path
    assert not TRUTH.search(reply.text)
    assert "root:" not in reply.text
    assert "import " not in reply.text


def test_a_study_cannot_show_files_outside_its_folder(tmp_path):
    study = served(tmp_path / "study")
    item = study.study.items[0].model_copy(update={"media": "../../etc/passwd"})
    sly = type(study)(study.study.model_copy(update={"items": (item, *study.study.items[1:])}), study.folder)
    with pytest.raises(ValueError, match="not in the study's folder"):
        sly.seen(item.id)
    (tmp_path / "study" / "link.png").symlink_to("/etc/passwd")
    item = item.model_copy(update={"media": "link.png"})
    sly = type(study)(study.study.model_copy(update={"items": (item, *study.study.items[1:])}), study.folder)
    with pytest.raises(ValueError, match="not in the study's folder"):
        sly.seen(item.id)


# Admin


@pytest.mark.parametrize("path", ADMIN_READS)
def test_admin_pages_and_exports_need_the_secret(server, somebody, path):
    token = somebody.browser.cookies["beholder_session"]
    tries = [
        {},
        {"Authorization": "Bearer "},
        {"Authorization": f"Bearer {SECRET[:-1]}"},
        {"Authorization": f"Bearer {token}"},
        {"Authorization": SECRET},
        {"Cookie": f"beholder_admin={token}"},
        {"Cookie": f"beholder_admin={SECRET}"},
    ]
    server.client.app.state.desk.logins = Buckets(100, 1)
    for headers in tries:
        reply = server.browser().get(path, headers=headers)
        assert reply.status_code == 401, headers
        assert not TRUTH.search(reply.text)
    assert server.browser().get(path, headers={"Authorization": f"Bearer {SECRET}"}).status_code == 200


def test_nobody_rejects_or_deletes_without_the_secret(server, person):
    session = session_of(server, person.until_trials())
    for what in ("reject", "delete"):
        for browser in (server.browser(), person.browser):
            assert browser.post(f"/admin/gaze/{what}", data={"session": session}).status_code == 401
    assert server.store.session(session, server.clock.now).outcome == ""


def test_an_admin_login_is_a_cookie_of_its_own_and_its_forms_have_a_mark(server):
    server.client.app.state.desk.logins = Buckets(100, 1)
    target = server.participant()
    session = session_of(server, target.until_trials())
    browser = server.browser()
    page = browser.get("/admin")
    assert page.status_code == 401
    csrf = re.search(r'name="csrf" value="([^"]*)"', page.text)[1]
    assert browser.post("/admin/login", data={"secret": SECRET}).status_code == 401  # no mark
    assert browser.post("/admin/login", data={"secret": "wrong", "csrf": csrf}).status_code == 401
    entered = browser.post("/admin/login", data={"secret": SECRET, "csrf": csrf})
    assert entered.status_code == 303
    cookie = entered.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert "Path=/admin" in cookie
    assert SECRET not in cookie
    page = browser.get("/admin/gaze/status")
    assert page.status_code == 200
    csrf = re.search(r'name="csrf" value="([^"]*)"', page.text)[1]
    assert browser.post("/admin/gaze/reject", data={"session": session}).status_code == 403
    unknown = browser.post("/admin/gaze/reject", data={"session": "0" * 32, "csrf": csrf})
    assert unknown.status_code == 404
    assert "the status page lists its sessions" in unknown.text
    assert browser.post("/admin/gaze/reject", data={"session": session, "csrf": csrf}).status_code == 303
    assert server.store.session(session, server.clock.now).outcome == "rejected"
    assert target.get("/api/next").status_code == 410
    assert browser.post("/admin/gaze/delete", data={"session": session, "csrf": csrf}).status_code == 303
    assert target.get("/api/next").status_code == 404


def test_guessing_the_secret_is_made_slow(server):
    now = [0.0]
    server.client.app.state.desk.logins = Buckets(3, 0.1, clock=lambda: now[0])
    guess = {"Authorization": "Bearer guess"}
    assert [server.browser().get("/admin/gaze/status.json", headers=guess).status_code for _ in range(5)][-1] == 429
    right = {"Authorization": f"Bearer {SECRET}"}
    now[0] = 5.0
    assert server.browser().get("/admin/gaze/status.json", headers=right).status_code == 429  # nothing is told by it
    assert server.participant().enter().status_code == 303  # who takes part does not notice
    now[0] = 11.0
    assert server.browser().get("/admin/gaze/status.json", headers=right).status_code == 200


def test_made_up_addresses_guess_no_faster(tmp_path):
    now = [0.0]
    with running(tmp_path) as server:
        desk = server.client.app.state.desk
        desk.guesses = Buckets(30, 0.5, clock=lambda: now[0])
        desk.place = lambda request: request.headers["x-forwarded-for"]
        browser, right = server.browser(), {"Authorization": f"Bearer {SECRET}", "x-forwarded-for": "of my own"}
        csrf = re.search(
            r'name="csrf" value="([^"]+)"', browser.get("/admin", headers=right | {"Authorization": ""}).text
        )
        form = {"secret": SECRET, "csrf": csrf[1]}
        assert browser.post("/admin/login", data=form, headers={"x-forwarded-for": "home"}).status_code == 303
        got = [
            server.browser().get(
                "/admin/gaze/status.json", headers={"Authorization": f"Bearer {at}", "x-forwarded-for": f"10.0.0.{at}"}
            ).status_code
            for at in range(32)
        ]  # fmt: skip
        assert got == [401] * 30 + [429] * 2
        assert server.browser().get("/admin/gaze/status.json", headers=right).status_code == 429
        assert browser.get("/admin/gaze/status.json").status_code == 200, "who is logged in goes on"
        now[0] = 60.0
        assert server.browser().get("/admin/gaze/status.json", headers=right).status_code == 200


def test_redirects_lead_to_the_public_address_whatever_the_request_says(tmp_path):
    with running(tmp_path, address="https://study.example.org") as server:
        for asked, found in (("/s/gaze", "/s/gaze/"), ("/admin/", "/admin")):
            reply = server.browser().get(asked, headers={"host": "evil.example"}, follow_redirects=False)
            assert reply.headers["location"] == f"https://study.example.org{found}"


@pytest.mark.parametrize("body", ["", "no", "[1]", "7", "{"])
def test_a_body_that_is_no_object_is_told_so(server, body):
    person = server.participant()
    person.until_trials()
    headers = {"X-Beholder": "1", "content-type": "application/json"}
    reply = person.browser.post("/s/gaze/api/answer", content=body, headers=headers)
    assert reply.status_code == 422
    assert reply.json() == {"error": "got a body that is not a JSON object; expected one, as sent by the page"}


def test_who_says_to_be_simulated_guesses_no_faster(server):
    server.client.app.state.desk.logins = Buckets(3, 0.0001)
    for status in (303, 303, 303, 429):
        person = server.participant()
        person.browser.headers["X-Beholder-Simulated"] = "guess"
        assert person.enter().status_code == status
    server.client.app.state.desk.logins = Buckets(100, 1)


def test_one_address_begins_only_so_many_visits_and_is_forgotten(tmp_path):
    with running(tmp_path, doors=(3, 0.001)) as server:
        people = [server.participant() for _ in range(4)]
        assert [person.enter().status_code for person in people] == [303, 303, 303, 429]
        assert "wait a minute" in people[-1].responses[-1].text
        people[0].get("/")
        assert people[0].post("/enter").status_code == 303  # who has begun goes on
        robot = server.participant()
        robot.browser.headers["X-Beholder-Simulated"] = SECRET
        assert robot.enter().status_code == 303


def test_addresses_are_hashed_with_a_key_of_the_process_and_forgotten():
    one, other = Addresses(), Addresses()
    assert one.name("203.0.113.7") == one.name("203.0.113.7") != other.name("203.0.113.7")
    assert one.name("203.0.113.7") != one.name("203.0.113.8")
    assert one.name("2001:db8::1") == one.name("2001:db8::ffff:1") != one.name("2001:db8:0:1::1")
    assert one.name("testclient") != one.name("")
    now = [0.0]
    bucket = Buckets(burst=60, rate=1, clock=lambda: now[0])
    bucket.take("a")
    now[0] = 61.0
    bucket.take("b")
    assert list(bucket._left) == ["b"]
    assert not bucket.spent("a")


def test_without_a_secret_the_admin_pages_stay_shut(server):
    server.client.app.state.desk.logins = Buckets(100, 1)
    server.client.app.state.desk.secret = ""
    try:
        for word in ("", " ", "None"):
            headers = {"Authorization": f"Bearer {word}"}
            assert server.browser().get("/admin/gaze/status", headers=headers).status_code == 401
    finally:
        server.client.app.state.desk.secret = SECRET


# What comes back


def test_ids_cannot_inject_headers_or_scripts(tmp_path):
    with running(tmp_path, platform="prolific") as server:
        for bad in (SCRIPT, "a\r\nSet-Cookie: x=1", '"><img src=x>', "../..", "é", "a" * 129, "\x00", ""):
            person = server.participant()
            ids = {"PROLIFIC_PID": bad, "STUDY_ID": SCRIPT, "SESSION_ID": '"x'}
            page = person.get("/", params=ids)
            assert page.status_code in (200, 400), bad
            assert SCRIPT not in page.text
            assert "<img" not in page.text
            assert "x" not in page.cookies
            good = server.store.keys.sign("visit", "gaze", "n", until=9e9)
            reply = person.browser.post("/s/gaze/enter", data={"csrf": good, **ids})
            assert reply.status_code == 400, bad
            assert "location" not in reply.headers


def test_comments_and_forms_are_shown_as_text(tmp_path):
    with running(tmp_path, comment=True) as server:
        person = server.participant()
        person.enter()
        person.post("/consent", agree="yes", hash=server.study.study.consent.hash)
        assert SCRIPT not in person.post("/form", form_education=SCRIPT, form_knowledge=SCRIPT).text
        person.post("/form", form_education="a", form_knowledge="3")
        person.post("/device", kind=SCRIPT, width="1e400", height="-3", fps="nan")
        person.post("/instructions")
        said = person.get("/api/next").json()
        person.send("/api/event", {"what": "hidden", "detail": SCRIPT})
        while not said["done"]:
            said = person.answer(said["trial"]).json()["next"]
        person.get("/go")
        person.post("/comment", comment=SCRIPT)
        held = {"Authorization": f"Bearer {SECRET}"}
        for path in ("/admin", "/admin/gaze/status"):
            assert SCRIPT not in server.browser().get(path, headers=held).text
        assert server.store.sessions("gaze")[0]["device"] == {}
        assert server.browser().get(f"/s/{SCRIPT}/").text.count("<script>") == 0


def test_no_page_has_a_script_or_style_of_its_own_or_from_elsewhere(server, person):
    person.finish(person.until_trials())
    person.get("/nothing-here")
    pages = [one for one in person.responses if "text/html" in one.headers.get("content-type", "")]
    assert len(pages) >= 5
    for page in pages:
        policy = page.headers["content-security-policy"]
        assert policy.startswith("default-src 'self';")
        assert "unsafe" not in policy
        assert "frame-ancestors 'self'" in policy
        assert page.headers["x-content-type-options"] == "nosniff"
        assert page.headers["cache-control"] == "no-store"
        assert not re.search(r"<script(?![^>]*\ssrc=\"/static/)|<style|\sstyle=|\son[a-z]+=", page.text)
        assert not re.search(r"(src|href)=\"https?://(?!r\.example)", page.text)


def test_cookies_are_for_the_server_alone(tmp_path):
    for address, secure in (("", False), ("https://study.example.org", True)):
        with running(tmp_path / ("s" if secure else "p"), address=address) as server:
            person = server.participant()
            person.enter()
            cookies = [one for reply in person.responses for one in reply.headers.get_list("set-cookie")]
            assert len(cookies) == 2
            for cookie in cookies:
                assert "HttpOnly" in cookie
                assert "SameSite=lax" in cookie
                assert "Path=/s/gaze/" in cookie
                assert ("Secure" in cookie) == secure
            hsts = person.responses[0].headers.get("strict-transport-security")
            assert bool(hsts) == secure


def test_behind_a_proxy_with_tls_posts_of_our_own_pages_are_taken(tmp_path):
    with running(tmp_path, address="https://study.example.org") as server:
        person = server.participant()
        person.browser.headers["Origin"] = "https://study.example.org"
        assert person.enter().status_code == 303
        person.browser.headers["Origin"] = "https://evil.example.org"
        person.get("/")
        assert person.post("/enter").status_code == 403


def test_with_a_public_address_the_header_host_is_not_believed(tmp_path):
    with running(tmp_path, address="https://study.example.org:443") as server:
        browser = server.browser()
        sly = {"Host": "evil.example.org"}
        to = browser.get("/s/gaze", headers=sly)
        assert to.headers["location"] == "https://study.example.org/s/gaze/"
        csrf = re.search(r'name="csrf" value="([^"]*)"', browser.get("/s/gaze/").text)[1]
        for origin, status in (
            ("https://evil.example.org", 403),
            ("http://study.example.org", 403),
            ("https://study.example.org:8000", 403),
            ("https://study.example.org", 303),
        ):
            reply = browser.post("/s/gaze/enter", data={"csrf": csrf}, headers={**sly, "Origin": origin})
            assert reply.status_code == status, origin
            assert status != 403 or "at https://study.example.org" in reply.json()["error"]
    with running(tmp_path) as server:
        to = server.browser().get("/s/gaze", headers={"Host": "here.example.org"})
        assert to.headers["location"] == "http://here.example.org/s/gaze/"


@pytest.mark.parametrize("path", ["/s/gaze/", "/s/gaze/go", "/admin", "/health", "/static/study.css"])
def test_head_is_answered_like_get_without_a_body(server, somebody, path):
    whole, head = somebody.browser.get(path), somebody.browser.head(path)
    assert (head.status_code, head.content) == (whole.status_code, b"")
    assert head.headers["content-type"] == whole.headers["content-type"]
    assert head.headers["content-length"] == str(len(whole.content))
    assert somebody.browser.head("/s/gaze/api/next").status_code == 405


def test_ranges_in_units_that_nobody_knows_are_ignored(server):
    person = server.participant()
    place = person.until_trials()["trial"]["shows"][0]["media"]
    whole = person.browser.get(place)
    assert person.browser.get(place, headers={"Range": "items=0-1"}).content == whole.content
    assert person.browser.get(place, headers={"Range": "bytes=0-1"}).content == whole.content[:2]


class _Half:
    """A server behind a socket that does not wait long, and requests that do not come to their end."""

    def __init__(self, server, head, body):
        guard = Guard(server.client.app, patience=body)
        timed = type("Hasty", (Timed,), {"head_seconds": head})
        self.port = free_port()
        self.config = uvicorn.Config(
            guard, http=timed, port=self.port, lifespan="off", log_level="critical", timeout_keep_alive=1
        )

    def __enter__(self):
        self.real = uvicorn.Server(self.config)
        self.thread = threading.Thread(target=self.real.run)
        self.thread.start()
        while not self.real.started:
            time.sleep(0.01)
        return self

    def __exit__(self, *_):
        self.real.should_exit = True
        self.thread.join()

    def say(self, text):
        """What comes back until the server closes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as line:
            line.sendall(text)
            return b"".join(iter(lambda: line.recv(65536), b""))


def test_half_sent_requests_are_not_waited_for(server):
    head = b"GET /health HTTP/1.1\r\nHost: x\r\n"
    post = b"POST /s/gaze/consent HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc"
    with _Half(server, head=0.2, body=0.2) as here:
        assert here.say(b"") == b""
        assert here.say(head) == b""
        assert here.say(post).startswith(b"HTTP/1.1 408 ")
        again = here.say(head + b"\r\n" + b"GET /hea")  # the second request on a connection, too
        assert again.count(b"HTTP/1.1 200 OK") == 1


# What is kept


def test_neither_address_nor_browser_nor_platform_id_is_stored(tmp_path):
    with running(tmp_path, db=str(tmp_path / "answers.sqlite"), platform="prolific", comment=True) as server:
        person = server.participant(PROLIFIC_PID="5f3c2a95f3c2a95f3c2a95f3", STUDY_ID="stud1zz", SESSION_ID="sess1zz")
        person.browser.headers["User-Agent"] = "Tellingbrowser/7.3"
        person.browser.headers["X-Forwarded-For"] = "203.0.113.77"
        person.finish(person.until_trials())
        server.store.close()
    with sqlite3.connect(tmp_path / "answers.sqlite") as whole:
        dump = "\n".join(whole.iterdump())
    whole.close()
    assert "gaze" in dump
    for telling in ("Tellingbrowser", "203.0.113.77", "testclient", "5f3c2a95f3c2", "stud1zz", "sess1zz"):
        assert telling not in dump
        for file in tmp_path.glob("answers.sqlite*"):
            assert telling.encode() not in file.read_bytes()


def test_a_person_is_known_only_with_the_key():
    one, other = Keys(b"one"), Keys(b"other")
    assert one.person("s", "prolific", "p") == one.person("s", "prolific", "p")
    people = {
        one.person("s", "prolific", "p"), other.person("s", "prolific", "p"), one.person("t", "prolific", "p"),
        one.person("s", "mturk", "p"), one.person("s", "prolificp", ""),
    }  # fmt: skip
    assert len(people) == 5


def test_the_key_file_is_for_its_owner_only_and_made_once(tmp_path, monkeypatch):
    monkeypatch.delenv("BEHOLDER_STUDY_KEY", raising=False)
    place = key_place(str(tmp_path / "a.sqlite"), tmp_path)
    assert place == tmp_path / "a.sqlite.key"
    first = study_key(place)
    assert place.stat().st_mode & 0o777 == 0o600
    assert study_key(place) == first
    assert list(tmp_path.iterdir()) == [place]
    security._make_key(place)  # another worker, a moment later
    assert study_key(place) == first
    place.write_text("short")
    with pytest.raises(ValueError, match="expected 16 or more"):
        study_key(place)
    monkeypatch.setenv("BEHOLDER_STUDY_KEY", "from the environment")
    assert study_key(place) != first


def test_secrets_are_compared_in_constant_time():
    """No `==` stands beside a secret: `same` is the only way in which marks and secrets are compared."""
    assert "compare_digest" in inspect.getsource(security.same)
    for module in (security, desk, admin):
        for node in ast.walk(ast.parse(inspect.getsource(module))):
            if isinstance(node, ast.Compare) and any(isinstance(op, ast.Eq | ast.NotEq) for op in node.ops):
                text = ast.unparse(node)
                assert not re.search(r"secret|csrf|mark|token|key\b|word", text), text


def test_no_query_is_made_of_text():
    """SQL is built by SQLAlchemy; what participants send is never part of a statement."""
    for file in Path(package.__file__).parent.glob("*.py"):
        text = file.read_text()
        assert "text(" not in re.sub(r"\w+text\(", "", text) or file.name not in ("store.py", "queries.py")
        for call in re.findall(r"exec_driver_sql\((.*?)\)", text):
            assert file.name == "database.py"
            assert "PRAGMA" in call or "BEGIN" in call or "SHOW" in call
