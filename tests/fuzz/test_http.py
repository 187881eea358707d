"""Arbitrary requests to a study's server, by participants and by strangers: never a fault of the server.

tests/study/server/test_openapi.py asks what the description says; here is what it does not.
"""

import threading
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damage import DEEP, examples
from study_servers import SECRET, running

pytestmark = pytest.mark.fuzz

METHODS = ["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE"]
PATHS = [
    *(
        f"/s/gaze/{name}"
        for name in ("", "enter", "go", "consent", "form", "device", "instructions", "comment", "withdraw")
    ),
    *(
        f"/s/gaze/{name}"
        for name in ("done", "api/next", "api/answer", "api/event", "media/x", "media/", "media/..%2f..%2fx")
    ),
    *(f"/admin/gaze/{name}" for name in ("status", "status.json", "export.zip", "reject", "delete")),
    "/",
    "/admin",
    "/admin/login",
    "/health",
    "/openapi.json",
    "/static/",
    "/static/../x",
    "/s/",
    "/s/%00",
    "/s/%ff/",
    "/%2e%2e/%2e%2e/etc/passwd",
]
TYPES = [
    "application/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "multipart/form-data; boundary=x",
    "multipart/form-data; boundary=",
    "text/plain",
    "application/json; charset=utf-7",
    "\x80",
    "",
]
BODIES = [
    b"",
    b"{}",
    b"[]",
    b"null",
    b"[" * 50_000,
    b'{"a":' * 20_000,
    b"\xff\xfe",
    b"NaN",
    b"1e999",
    b'{"token": 7}',
    b"a=b&" * 5000,
    b'{"token": "x", "key": "k", "values": {"human": ["yes"]}}',
    b'{"token": "x\\u0000", "key": "\\ud800", "values": null}',
    b"csrf=%00&agree=%ff",
    b"--x\r\n\r\n\r\n--x--",
    b'--x\r\nContent-Disposition: form-data; name="a"; filename="../x"\r\n\r\n1\r\n--x--\r\n',
    b"x" * 300_000,
]
HEADERS = {
    "X-Beholder": ["1", "", "\x80"],
    "Cookie": ["beholder_session=x", "beholder_session=", "=;=;", "a" * 5000, "beholder_session=\x80"],
    "Authorization": [f"Bearer {SECRET}", "Bearer", "Basic x", "\x80"],
    "Range": ["bytes=0-", "bytes=-1", "bytes=9-1", "bytes=0-0,1-1", "x"],
    "Origin": ["http://testserver", "null", "\x80"],
    "Content-Length": ["0", "-1", "99999999999", "x"],
    "Transfer-Encoding": ["chunked"],
    "If-None-Match": ['"x"', "*"],
    "X-Forwarded-For": ["1.2.3.4", "x, y", "::1%25"],
    "Host": ["testserver", "", "a b", "[::1", "x" * 300],
    "Accept-Encoding": ["gzip;q=x"],
    "Accept-Language": ["*;q=2", "\x80"],
}
some_headers = st.fixed_dictionaries({}, optional={name: st.sampled_from(given) for name, given in HEADERS.items()})


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with running(tmp_path_factory.mktemp("study"), comment=True) as it:
        yield it


def test_no_request_is_a_fault_of_the_server(server):
    person = server.participant()
    person.until_trials()
    cookie = person.browser.cookies["beholder_session"]
    browser = server.browser()

    @examples(80 if not DEEP else 20)
    @given(
        st.sampled_from(METHODS),
        st.sampled_from(PATHS) | st.binary(max_size=8).map(lambda name: f"/s/gaze/{quote(name)}"),
        some_headers,
        st.sampled_from(TYPES),
        st.sampled_from(BODIES) | st.binary(max_size=40),
        st.booleans(),
    )
    def holds(method, path, headers, kind, body, known):
        sent = {"Content-Type": kind, **({"Cookie": f"beholder_session={cookie}"} if known else {}), **headers}
        raw = [(name.encode(), text.encode("latin-1")) for name, text in sent.items()]
        try:
            reply = browser.request(method, path, headers=raw, content=body)
        except (UnicodeEncodeError, ValueError):  # the client refuses to send it
            return
        assert reply.status_code < 500
        assert "Traceback" not in reply.text

    holds()


def test_of_many_answers_at_once_one_stands(server):
    person = server.participant()
    trial = person.until_trials()["trial"]
    server.clock.now += sum(shown["seconds"] for shown in trial["shows"])
    found = []

    def answer(at):
        browser = server.browser(cookies=dict(person.browser.cookies))
        body = {"token": trial["token"], "key": f"{at}" * 20, "values": {"human": ("yes", "no")[at % 2]}}
        reply = browser.post("/s/gaze/api/answer", json=body, headers={"X-Beholder": "1"})
        found.append((reply.status_code, at))

    threads = [threading.Thread(target=answer, args=(at,)) for at in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    taken = [at for code, at in found if code == 200]
    assert len(taken) == 1
    assert sorted(code for code, _ in found if code != 200) == [409] * 7
    session = server.store.lookup(trial["token"])["session"]
    (row,) = [row for row in server.store.tables("gaze")["answers"] if row["session"] == session]
    assert row["values"] == {"human": ("yes", "no")[taken[0] % 2]}
