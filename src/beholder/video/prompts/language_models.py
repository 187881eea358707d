"""Language models as writers and judges of prompts: any OpenAI-compatible endpoint, or a local `transformers` model."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any, Protocol

from beholder.engines.progress import Silent, Watch
from beholder.errors import Misuse, printable
from beholder.store.cache import Cache
from beholder.store.digest import digest
from beholder.store.seal import MISSING
from beholder.video.prompts.combine import Idea
from beholder.video.prompts.english import gerund
from beholder.video.prompts.tags import INTERACTIONS, PATTERNS
from beholder.video.prompts.writer import Written, inflect, name, subject_phrase

WRITE = (
    "You write prompts for text-to-video models. You get a subject, an action and a place. Answer with one or two "
    "plain English sentences of 15 to 45 words in the present tense that show this subject doing this at this place. "
    "Say how it moves. Keep to what is physically possible. Add no title, no quotation marks, no camera and no style."
)
CHECK = (
    "You check prompts for text-to-video models. Answer with one word, yes or no: is this prompt grammatical English, "
    "physically and socially plausible, harmless, and does it ask for motion that can be seen?"
)
TRIES, FIRST_WAIT, LONGEST_WAIT = 4, 0.5, 30.0  # how often, and seconds between two tries; they double
AT_ONCE = 8  # questions at the same time
TOKENS = 160  # of an answer, at most


class Chat(Protocol):
    """Whoever answers questions."""

    name: str

    def ask(self, system: str, user: str) -> str:
        """The answer to one question."""


def opened(endpoint: str, model: str, key: str = "OPENAI_API_KEY") -> Chat:
    """The model of an endpoint, or, without one, a local model by its folder or hub id."""
    if not model:
        raise Misuse(f"got the endpoint {endpoint} without a model; expected --model NAME, as the endpoint calls it")
    if endpoint:
        return Cached(Endpoint(endpoint, model, os.environ.get(key, ""), key))
    return Local(model)


class Cached:
    """Answers that are kept: the same question to the same model is asked once, over runs, too."""

    def __init__(self, chat: Chat, cache: Cache | None = None) -> None:
        self.name = chat.name
        self._chat, self._cache = chat, cache or Cache()

    def ask(self, system: str, user: str) -> str:
        """The kept answer, or a new one."""
        key = digest("prompts", self.name, system, user)
        found = self._cache.get(key)
        if found is MISSING:
            found = self._chat.ask(system, user)
            self._cache.put(key, found)
        return str(found)


class Endpoint:
    """A server that speaks OpenAI's chat completions; the key comes from the environment and is never shown."""

    def __init__(
        self,
        url: str,
        model: str,
        key: str = "",
        variable: str = "OPENAI_API_KEY",
        *,
        timeout: float = 60.0,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        import httpx

        if not re.match(r"https?://[^/\s]+", url):
            raise Misuse(f"got the endpoint {url!r}; expected an address, such as http://localhost:8000/v1")
        self._url = f"{url.rstrip('/').removesuffix('/chat/completions')}/chat/completions"
        host = httpx.URL(url).host  # all that is shown of the address, which may hold a password
        self.name, self._model, self._variable, self._sleep = f"{model} at {host}", model, variable, sleep
        self._key = key
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        # Certificates take a while to load, and a plain address needs none.
        self._client = httpx.Client(timeout=timeout, headers=headers, verify=url.startswith("https"))

    def ask(self, system: str, user: str) -> str:
        """The answer, after some tries where the server is busy or cannot be reached."""
        wait, fault = FIRST_WAIT, ""
        for left in reversed(range(TRIES)):
            said, fault, after = self._once(system, user)
            if said is not None:
                return said
            if left:
                self._sleep(min(LONGEST_WAIT, max(wait, after)))
                wait *= 2
        raise Misuse(
            f"{self.name} gave no answer after {TRIES} tries: {fault}; "
            "answers so far are kept, so the same command goes on from there"
        )

    def _once(self, system: str, user: str) -> tuple[str | None, str, float]:
        """An answer, or what went wrong and how long the server wants us to wait."""
        import httpx

        question = {
            "model": self._model,
            "messages": [{"role": "system", "content": system}, {"role": "user", "content": user}],
            "temperature": 0,
            "max_tokens": TOKENS,
        }
        try:
            reply = self._client.post(self._url, json=question)
        except httpx.TransportError as fault:
            return None, f"{type(fault).__name__} {fault}".strip(), 0.0
        if reply.status_code == 429 or reply.status_code >= 500:
            return None, f"status {reply.status_code}", _seconds(reply.headers.get("Retry-After", ""))
        if reply.status_code in (401, 403):
            raise Misuse(f"{self.name} refused the key (status {reply.status_code}); put a key into {self._variable}")
        if reply.status_code != 200:
            body = printable(reply.text[:200].replace(self._key, "…") if self._key else reply.text[:200])
            raise Misuse(f"{self.name} refused the question (status {reply.status_code}): {body}; check URL and model")
        return _content(self.name, reply.text), "", 0.0


def _seconds(said: str) -> float:
    return float(said) if re.fullmatch(r"\d+(?:\.\d+)?", said) else 0.0


def _content(name: str, text: str) -> str:
    try:
        found = json.loads(text)["choices"][0]["message"]["content"]
    except (ValueError, LookupError, TypeError):
        raise Misuse(
            f"{name} answered {printable(text[:80])!r}; expected a chat completion: is this its address?"
        ) from None
    return str(found or "")


class Local:
    """A causal language model on this machine; it answers greedily, so the same question has the same answer."""

    def __init__(self, model: str) -> None:
        try:
            import torch  # type: ignore[import-not-found,unused-ignore]
            from transformers import (  # type: ignore[import-not-found,unused-ignore]
                AutoModelForCausalLM,
                AutoTokenizer,
            )
        except ImportError as fault:
            raise Misuse(
                f"a local language model needs torch and transformers ({fault.name} is missing); "
                "install torch and beholder[deep], or name an endpoint with --endpoint"
            ) from None
        here = Path(model).exists()
        try:
            self._words: Any = AutoTokenizer.from_pretrained(model, local_files_only=here)
            # weights of another kind are pickles
            made = AutoModelForCausalLM.from_pretrained(model, local_files_only=here, use_safetensors=True)
        except (OSError, ValueError) as fault:
            line = printable(str(fault).strip().splitlines()[0][:200])
            raise Misuse(
                f"got the model {model}, which cannot be loaded: {line}; expected its folder or hub id"
            ) from None
        self.name, self._torch = model, torch
        self._model: Any = made.eval()

    def ask(self, system: str, user: str) -> str:
        """The answer, without the question."""
        if getattr(self._words, "chat_template", None):
            turns = [{"role": "system", "content": system}, {"role": "user", "content": user}]
            text = self._words.apply_chat_template(turns, tokenize=False, add_generation_prompt=True)
        else:
            text = f"{system}\n\n{user}\n\nAnswer:"
        given = self._words(text, return_tensors="pt")
        with self._torch.inference_mode():
            made = self._model.generate(**given, max_new_tokens=TOKENS, do_sample=False)
        return str(self._words.decode(made[0][given["input_ids"].shape[1] :], skip_special_tokens=True))


class Author:
    """A language model that writes."""

    def __init__(self, chat: Chat) -> None:
        self._chat = chat

    def write(self, ideas: Sequence[Idea], rng: Random) -> list[Written | None]:
        """A prompt for each idea; None where the answer is none."""
        named = [(idea, name(idea, rng)) for idea in ideas]
        facts = [(subject_phrase(who), who.fill(inflect(idea.action.text, gerund))) for idea, who in named]
        asked = [question(idea, *fact) for (idea, _), fact in zip(named, facts, strict=True)]
        answers = _all(self._chat, WRITE, asked)
        texts = [cleaned(answer) for answer in answers]
        return [Written(text, *fact) if text else None for text, fact in zip(texts, facts, strict=True)]


class Critic:
    """A language model that says yes or no to prompts."""

    def __init__(self, chat: Chat, watch: Watch | None = None) -> None:
        self._chat, self._watch = chat, watch or Silent()

    def judge(self, prompts: Sequence[str]) -> list[bool]:
        """Whether each prompt is good; what is neither yes nor no counts as no."""
        self._watch.say(f"{self._chat.name} looks at {len(prompts):,} prompts")
        return [answer.strip().lower().lstrip("*\"' ").startswith("yes") for answer in _all(self._chat, CHECK, prompts)]


def question(idea: Idea, subject: str, action: str) -> str:
    """What a writer is told of an idea."""
    lines = [f"Subject: {subject}", f"Action: {action}", f"Place: {idea.place.phrases[0]}"]
    lines.append(f"Kind of motion: {PATTERNS[idea.pattern]}")
    if idea.action.interaction:
        lines.append(f"Interaction: {idea.action.interaction}, {INTERACTIONS[idea.action.interaction]}")
    return "\n".join(lines)


def cleaned(answer: str) -> str:
    """An answer as one line, without the title, quotation marks and thoughts that models put around it.

    >>> cleaned('<think>hm</think>Prompt: "A dog runs." ')
    'A dog runs.'
    """
    text = re.sub(r"<think>.*?</think>", " ", answer, flags=re.DOTALL)
    text = re.sub(r"^\W*(?:video )?prompt:\s*", "", " ".join(text.split()), flags=re.IGNORECASE)
    return printable(text.strip("\"'“”‘’*` "))


def _all(chat: Chat, system: str, questions: Sequence[str]) -> list[str]:
    """The answers to all questions, in their order; several are asked at once where the model is elsewhere."""
    if isinstance(chat, Local):
        return [chat.ask(system, one) for one in questions]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        try:
            return list(pool.map(lambda one: chat.ask(system, one), questions))
        except BaseException:
            pool.shutdown(cancel_futures=True)  # the others would only meet the same fault
            raise
