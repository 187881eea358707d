"""Language models as writers and judges, against a small server on this machine."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from random import Random

import pytest

from beholder.errors import Misuse
from beholder.store.cache import Cache
from beholder.video.prompts.combine import Combinations
from beholder.video.prompts.language_models import Author, Cached, Critic, Endpoint, Local, cleaned, opened
from beholder.video.prompts.make import make
from beholder.video.prompts.vocabulary import built_in

SENTENCE = "A brown horse gallops along the wet beach at dawn, kicking up sand behind it."


def _reply(text):
    return 200, json.dumps({"choices": [{"message": {"role": "assistant", "content": text}}]})


@contextmanager
def _server(answer):
    """A server that answers with status and text of `answer(question)`; it remembers what was asked."""
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append((self.path, self.headers.get("Authorization"), body))
            status, text = answer(body, len(asked))
            data = text.encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            if status == 429:
                self.send_header("Retry-After", "7")
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_question_and_its_answer():
    with _server(lambda *_: _reply("yes")) as (url, asked):
        assert Endpoint(url, "tiny", "secret").ask("be brief", "well?") == "yes"
        assert Endpoint(f"{url}/chat/completions/", "tiny").ask("s", "u") == "yes"
    (path, key, body), (_, none, _) = asked
    assert path == "/v1/chat/completions"
    assert (key, none) == ("Bearer secret", None)
    assert body["model"] == "tiny"
    assert [turn["content"] for turn in body["messages"]] == ["be brief", "well?"]
    assert body["temperature"] == 0


def test_a_busy_server_is_asked_again():
    waits = []
    with _server(lambda _, n: (429, "slow") if n == 1 else (503, "") if n == 2 else _reply("fine")) as (url, asked):
        assert Endpoint(url, "tiny", sleep=waits.append).ask("s", "u") == "fine"
    assert len(asked) == 3
    assert waits == [7.0, 1.0]  # as long as the server says, else twice as long each time


@pytest.mark.parametrize(
    ("status", "text", "sentence", "times"),
    [
        (401, "no", "refused the key .*put a key into MY_KEY", 1),
        (404, "no such model", "refused the question .status 404.: no such model; check URL and model", 1),
        (500, "", "gave no answer after 4 tries: status 500; answers so far are kept", 4),
        (200, "<html>", "answered '<html>'; expected a chat completion", 1),
        (200, '{"choices": []}', "expected a chat completion", 1),
    ],
)
def test_what_goes_wrong_is_said(status, text, sentence, times):
    with _server(lambda *_: (status, text)) as (url, asked):
        chat = Endpoint(url, "tiny", "secret", "MY_KEY", sleep=lambda _: None)
        with pytest.raises(Misuse, match=sentence) as fault:
            chat.ask("s", "u")
    assert len(asked) == times
    assert "secret" not in str(fault.value)


def test_nobody_there():
    with _server(lambda *_: _reply("")) as (url, _):
        pass
    with pytest.raises(Misuse, match="gave no answer after 4 tries: Connect"):
        Endpoint(url, "tiny", sleep=lambda _: None).ask("s", "u")
    with pytest.raises(Misuse, match="got the endpoint 'localhost'"):
        Endpoint("localhost", "tiny")
    with pytest.raises(Misuse, match="without a model"):
        opened("http://localhost/v1", "")


def test_the_same_question_is_asked_once(tmp_path):
    with _server(lambda _, n: _reply(f"answer {n}")) as (url, asked):
        for _ in range(2):
            chat = Cached(Endpoint(url, "tiny"), Cache(tmp_path))
            assert [chat.ask("s", "one"), chat.ask("s", "two")] == ["answer 1", "answer 2"]
    assert len(asked) == 2


def test_it_writes_and_judges(tmp_path):
    """The whole of `make` with a model that writes odd things now and then, and dislikes the sea."""

    def answer(body, _):
        system, user = (turn["content"] for turn in body["messages"])
        if "Answer with one word" in system:
            return _reply("No." if "sea" in user else " **Yes**, it is.")
        facts = dict(line.split(": ", 1) for line in user.splitlines())
        text = f"{facts['Subject']} {facts['Place']}: {facts['Action']}, turning slowly and then moving on again."
        return _reply("" if "beach" in user or "river" in user else f'Prompt: "{text[0].upper()}{text[1:]}"\n')

    with _server(answer) as (url, asked):
        chat = Cached(Endpoint(url, "tiny"), Cache(tmp_path))
        made = make(90, 12, seed=2, writer=Author(chat), judge=Critic(chat))
        many = len(asked)
        again = make(90, 12, seed=2, writer=Author(chat), judge=Critic(chat))
    assert len(asked) == many  # all of it was kept
    assert made.entries == again.entries
    assert made.dropped["not written"] > 0
    assert made.dropped["judged bad"] > 0
    assert all("turning slowly and then moving on again." in entry.prompt for entry in made.entries)
    assert not any(" sea" in entry.prompt for entry in made.passed)


def test_a_fault_stops_all(tmp_path):
    ideas = list(Combinations(built_in()).draw(30, Random(0)))
    with _server(lambda *_: (403, "")) as (url, asked), pytest.raises(Misuse, match="refused the key"):
        Author(Endpoint(url, "tiny")).write(ideas, Random(0))
    assert len(asked) < 30


@pytest.mark.parametrize(
    "answer",
    [SENTENCE, f'"{SENTENCE}"', f"Prompt: {SENTENCE}", f"<think>a horse?\n</think>\n{SENTENCE}", f"**{SENTENCE}**"],
)
def test_what_models_put_around_an_answer(answer):
    assert cleaned(answer) == SENTENCE


@pytest.mark.skipif(find_spec("torch") is not None, reason="torch is here")
def test_without_torch_it_is_said_what_to_install():
    with pytest.raises(Misuse, match=r"needs torch and transformers .*install torch and beholder\[deep\], or name an"):
        Local("folder")


@pytest.mark.deep
def test_a_local_model_answers(tmp_path):
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    from tokenizers import Tokenizer, models, pre_tokenizers

    words = Tokenizer(models.WordLevel({"[UNK]": 0, "yes": 1, "no": 2, "dog": 3, "runs": 4}, unk_token="[UNK]"))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    transformers.PreTrainedTokenizerFast(tokenizer_object=words, unk_token="[UNK]").save_pretrained(tmp_path)
    torch.manual_seed(0)
    config = transformers.GPT2Config(vocab_size=5, n_positions=512, n_embd=8, n_layer=1, n_head=2)
    transformers.GPT2LMHeadModel(config).save_pretrained(tmp_path)
    chat = Local(str(tmp_path))
    assert chat.ask("say", "yes or no") == chat.ask("say", "yes or no")
    assert Critic(chat).judge(["A dog runs."]) in ([True], [False])
    with pytest.raises(Misuse, match="cannot be loaded"):
        Local(str(tmp_path / "nothing"))
