"""The judge behind an endpoint, which is a small server here, and the local one."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec

import numpy as np
import pytest

from beholder.core.measure import card
from beholder.errors import Misuse
from beholder.video.measures.deep_rivals import judged_motion
from beholder.video.models.measured import measured
from beholder.video.rivals import judge
from beholder.video.types import Clip, Prompt

CLIP = Clip(np.random.default_rng(0).integers(0, 256, (20, 40, 60, 3)).astype(np.uint8), rate=8.0)
SECRET = "sk-not-to-be-told"


@contextmanager
def served(*replies):
    """A server that gives these replies in turn, (status, text of the message), and what it was sent."""
    sent = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            sent.append((self.path, dict(self.headers), body))
            status, said = replies[min(len(sent), len(replies)) - 1]
            self.close_connection = True
            content = {"choices": [{"message": {"content": said}}]} if status == 200 else {"error": said}
            self.send_response(status)
            if status == 302:
                self.send_header("Location", said)
            self.end_headers()
            self.wfile.write(json.dumps(content).encode())

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", sent
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture(autouse=True)
def _alone(monkeypatch, tmp_path):
    monkeypatch.setenv("BEHOLDER_CACHE", str(tmp_path))
    monkeypatch.setenv(judge.MODEL, "tiny-vlm")
    monkeypatch.setenv(judge.KEY, SECRET)
    monkeypatch.setattr(judge, "WAITS", (0.0, 0.0))
    monkeypatch.setattr(judge, "_told", set())


def test_an_endpoint_is_sent_eight_frames_and_the_fixed_prompt(monkeypatch, capsys):
    with served((200, "Grade: 4")) as (url, sent):
        monkeypatch.setenv(judge.URL, url)
        found = judge.grade(CLIP, Prompt(text="a cup falls"))
        assert judged_motion(found, None).value == 0.75
    path, headers, body = sent[0]
    assert path == "/v1/chat/completions"
    assert headers["Authorization"] == f"Bearer {SECRET}"
    assert body["model"] == "tiny-vlm"
    assert body["temperature"] == 0
    *pictures, text = body["messages"][0]["content"]
    assert len(pictures) == 8
    assert all(one["image_url"]["url"].startswith("data:image/jpeg;base64,") for one in pictures)
    assert '"a cup falls"' in text["text"]
    said = capsys.readouterr().err
    assert "sent to 127.0.0.1, model tiny-vlm" in said
    assert SECRET not in said


def test_a_busy_endpoint_is_asked_again_and_a_refusal_is_told_without_the_key(monkeypatch):
    with served((503, "busy"), (429, "slow down"), (200, "Grade: 2")) as (url, sent):
        monkeypatch.setenv(judge.URL, url)
        assert judge.grade(CLIP, Prompt()) == 2
        assert len(sent) == 3
    with served((401, f"wrong key {SECRET}")) as (url, sent):
        monkeypatch.setenv(judge.URL, url)
        with pytest.raises(ConnectionError, match=r"refused with 401: .*wrong key …") as told:
            judge.grade(CLIP, Prompt())
        assert SECRET not in str(told.value)
        assert len(sent) == 1
    with served((500, "broken")) as (url, sent):
        monkeypatch.setenv(judge.URL, url)
        with pytest.raises(ConnectionError, match="refused with 500"):
            judge.grade(CLIP, Prompt())
        assert len(sent) == 3
    monkeypatch.setenv(judge.URL, "http://127.0.0.1:1/v1")
    with pytest.raises(ConnectionError, match="cannot be reached"):
        judge.grade(CLIP, Prompt())


def test_the_key_does_not_follow_a_redirection(monkeypatch):
    with served((200, "Grade: 5")) as (elsewhere, stolen), served((302, elsewhere)) as (url, _):
        monkeypatch.setenv(judge.URL, url)
        with pytest.raises(ConnectionError, match="refused with 302"):
            judge.grade(CLIP, Prompt())
        assert stolen == []


@pytest.mark.parametrize("said", ["", "4", "Grade: 6", "Grade: 3.5", "Grade: 4 or 5", "Grade: 2\nGrade: 3", "good"])
def test_an_answer_in_another_form_is_a_failure(said):
    with pytest.raises(ValueError, match=r"the judge answered .*; expected a line such as Grade: 4"):
        judge.parsed(said)


def test_wrong_settings_are_told(monkeypatch):
    monkeypatch.setenv(judge.URL, "file:///etc/passwd")
    with pytest.raises(Misuse, match="expected an address such as http"):
        judge.grade(CLIP, Prompt())
    monkeypatch.setenv(judge.URL, "http://localhost:1/v1")
    monkeypatch.setenv(judge.MODEL, "")
    with pytest.raises(Misuse, match="without BEHOLDER_JUDGE_MODEL"):
        judge.grade(CLIP, Prompt())


def test_it_is_a_measure_under_test_as_well_and_says_who_judges(monkeypatch):
    with served((200, "Grade: 3")) as (url, _):
        monkeypatch.setenv(judge.URL, url)
        assert measured(CLIP, measure="deep_rivals.judged_motion") == 0.5
        (used,) = card(judged_motion).reads.uses()
    assert used.source == "tiny-vlm at 127.0.0.1"
    assert SECRET not in str(used)


@pytest.mark.deep
@pytest.mark.skipif(find_spec("torch") is None, reason="torch is not installed: ./do test-deep")
def test_a_local_model_answers_in_words_and_random_ones_in_no_grade(monkeypatch, tmp_path):
    import tiny_rivals as tiny
    from beholder.video.rivals.asking import located
    from beholder.video.rivals.language import speaker
    from beholder.video.rivals.roles import JUDGE

    tiny.llava(tmp_path / "judge")
    monkeypatch.setenv("BEHOLDER_WEIGHTS", str(tmp_path))
    monkeypatch.delenv(judge.URL, raising=False)
    with pytest.raises(ValueError, match="the judge answered"):
        judge.grade(CLIP, Prompt())
    made = speaker(located(JUDGE))
    monkeypatch.setattr(type(made), "says", lambda self, inputs, most: "Grade: 5")
    assert judge.grade(CLIP, Prompt()) == 5
