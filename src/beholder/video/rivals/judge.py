"""A multimodal language model as a judge of motion: a local one of transformers, or an OpenAI-compatible endpoint.

Asked with a fixed prompt; what is no grade in the demanded form is a failure, not a guess. An endpoint is named by
BEHOLDER_JUDGE_URL (such as http://localhost:8000/v1) and BEHOLDER_JUDGE_MODEL; BEHOLDER_JUDGE_KEY is its key, which is
sent to nobody else and written nowhere. Frames of the clips are sent to it.
"""

from __future__ import annotations

import base64
import json
import os
import re
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from functools import partial
from typing import Any

import cv2
import numpy as np

from beholder.core.benchmark import Used
from beholder.errors import Misuse, printable
from beholder.store.cache import cached
from beholder.store.digest import digest, package
from beholder.video.rivals import asking
from beholder.video.rivals.frames import spaced
from beholder.video.rivals.language import speaker
from beholder.video.rivals.roles import JUDGE
from beholder.video.types import Bytes, Clip

URL, MODEL, KEY = "BEHOLDER_JUDGE_URL", "BEHOLDER_JUDGE_MODEL", "BEHOLDER_JUDGE_KEY"
FRAMES, LONG_SIDE, JPEG = 8, 512, 90
WORDS = 64  # tokens of an answer, at most
WAITS = (1.0, 4.0, 10.0)  # seconds before it is tried again
SECONDS = 120.0  # that an answer may take
BUSY = (408, 409, 425, 429, 500, 502, 503, 504, 529)  # worth another try
PROMPT = (
    "The pictures are frames of one short clip, in order and evenly spaced in time. {asked}"
    "Judge only how things move: whether motion is smooth, whether things keep their shape and do not vanish or appear "
    "from nowhere, whether what happens could happen in the world. Do not judge beauty or sharpness. Answer with one "
    "line and nothing else: Grade: N, where N is 1 (bad), 2 (poor), 3 (fair), 4 (good) or 5 (perfect)."
)
ANSWER = re.compile(r"\s*grade:\s*([1-5])\s*\.?\s*", re.IGNORECASE)

_told: set[str] = set()


@dataclass(frozen=True)
class Endpoint:
    """Where a model is asked."""

    url: str
    model: str

    @property
    def host(self) -> str:
        """The machine, without anything secret that an address may hold."""
        return urllib.parse.urlsplit(self.url).hostname or ""


def endpoint() -> Endpoint | None:
    """The endpoint that the environment names; None where it names none."""
    url, model = os.environ.get(URL, "").rstrip("/"), os.environ.get(MODEL, "")
    if not url:
        return None
    if urllib.parse.urlsplit(url).scheme not in ("http", "https") or not urllib.parse.urlsplit(url).hostname:
        raise Misuse(f"got {URL}={url!r}; expected an address such as http://localhost:8000/v1")
    if not model:
        raise Misuse(f"got {URL} without {MODEL}; expected the name of a model that the endpoint has")
    return Endpoint(url, model)


def grade(answer: Any, stimulus: Any) -> float:
    """The grade of a clip, 1 … 5: the readout."""
    if not isinstance(answer, Clip):
        raise TypeError(f"got an answer of {type(answer).__name__}; expected a clip")
    asked = question(str(getattr(stimulus, "text", "") or ""))
    at = endpoint()
    who = digest(at) if at else asking.located(JUDGE).digest
    key = digest("judge", package(), who, answer.content or answer.pixels, asked)
    return float(cached(key, partial(_graded, answer, asked, at)))


def _graded(clip: Clip, asked: str, at: Endpoint | None) -> float:
    frames = spaced(clip, FRAMES, LONG_SIDE)
    if at:
        _tell(at)
        return parsed(ask(at, frames, asked))
    made = speaker(asking.located(JUDGE))
    return parsed(made.says(made.inputs(frames, asked), WORDS))


def question(text: str) -> str:
    """The fixed prompt, with what the clip was asked for where that is known."""
    return PROMPT.replace("{asked}", f'The clip was asked for by: "{text}". ' if text else "")


def parsed(said: str) -> float:
    """The grade in an answer: its only line, or its last one.

    >>> parsed("Grade: 4"), parsed("It bends.\\ngrade: 2.")
    (4.0, 2.0)
    >>> parsed("4 or 5")
    Traceback (most recent call last):
    ValueError: the judge answered '4 or 5'; expected a line such as Grade: 4
    """
    lines = [line for line in said.splitlines() if line.strip()]
    found = ANSWER.fullmatch(lines[-1]) if lines else None
    if found is None or sum(ANSWER.fullmatch(line) is not None for line in lines) != 1:
        raise ValueError(f"the judge answered {printable(said)[:80]!r}; expected a line such as Grade: 4")
    return float(found[1])


def ask(at: Endpoint, frames: list[Bytes], text: str) -> str:
    """What the model at an endpoint answers; tried again where it is busy or cannot be reached."""
    pictures = [{"type": "image_url", "image_url": {"url": _data(frame)}} for frame in frames]
    content = [*pictures, {"type": "text", "text": text}]
    body = {
        "model": at.model,
        "messages": [{"role": "user", "content": content}],
        "temperature": 0,
        "max_tokens": WORDS,
    }
    sent = json.dumps(body).encode()
    for wait in (*WAITS, None):
        try:
            return _said(_posted(f"{at.url}/chat/completions", sent), at)
        except urllib.error.HTTPError as fault:
            if fault.code not in BUSY or wait is None:
                raise ConnectionError(f"the judge at {at.host} refused with {fault.code}: {_why(fault)}") from None
            fault.close()
        except (urllib.error.URLError, TimeoutError, ConnectionError) as fault:
            if wait is None:
                why = getattr(fault, "reason", fault)
                raise ConnectionError(f"the judge at {at.host} cannot be reached: {why}") from None
        time.sleep(wait)
    raise AssertionError("the last try returns or raises")


def _posted(url: str, sent: bytes) -> Any:
    headers = {"Content-Type": "application/json"}
    if key := os.environ.get(KEY, ""):
        headers["Authorization"] = f"Bearer {key}"
    request = urllib.request.Request(url, sent, headers)
    with urllib.request.build_opener(_Straight).open(request, timeout=SECONDS) as reply:
        return json.loads(reply.read())


class _Straight(urllib.request.HTTPRedirectHandler):
    """Follows no redirection: it might lead the key to somebody else."""

    def redirect_request(self, *_: Any) -> None:
        return None


def _said(reply: Any, at: Endpoint) -> str:
    try:
        return str(reply["choices"][0]["message"]["content"])
    except (KeyError, IndexError, TypeError):
        raise ValueError(f"the judge at {at.host} sent no answer; expected choices with a message") from None


def _why(fault: urllib.error.HTTPError) -> str:
    """The beginning of what a server says of a refusal."""
    with fault:
        said = fault.read(300).decode("utf-8", "replace")
    key = os.environ.get(KEY, "")
    return printable(said.replace(key, "…") if key else said)[:200] or str(fault.reason)


def _data(frame: Bytes) -> str:
    _, code = cv2.imencode(".jpg", np.ascontiguousarray(frame[..., ::-1]), [cv2.IMWRITE_JPEG_QUALITY, JPEG])
    return f"data:image/jpeg;base64,{base64.b64encode(code.tobytes()).decode()}"


def _tell(at: Endpoint) -> None:
    """Say once that frames leave this machine."""
    if at.host not in _told:
        _told.add(at.host)
        sys.stderr.write(
            f"judge: frames of the clips are sent to {at.host}, model {at.model}; its licence is its own\n"
        )


def _uses() -> tuple[Used, ...]:
    """What a run says of the judge."""
    at = endpoint()
    if at is None:
        return asking.uses(JUDGE)
    _tell(at)
    return (
        Used(JUDGE.name, JUDGE.does, "that of whoever runs it", f"{at.model} at {at.host}", digest(at), JUDGE.cite),
    )


grade.quick = True  # type: ignore[attr-defined]
grade.uses = _uses  # type: ignore[attr-defined]
