"""Readouts that ask a network: they find its weights, say its licence, and remember what it said of a clip."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from beholder.core.benchmark import Used
from beholder.core.measure import Readout
from beholder.errors import Misuse
from beholder.store.cache import cached
from beholder.store.digest import digest, package
from beholder.video.networks.weights import Role, Weights, find, need_torch, tell
from beholder.video.types import Clip

Asked = Callable[[Clip, str, Weights], Any]  # (clip, the text of its prompt, weights) → what is found
LIBRARY = ("config.json", "*.safetensors")  # what a network of transformers has


def asks(role: Role, *, either: bool = False) -> Callable[[Asked], Readout]:
    """Make a readout of a function that asks a network; `either`: its weights may be those of transformers, too.

    The readout is not cached by the runner (`quick`), who does not know of weights, but here, by their digest. `uses`
    says what it needs, and refuses in one sentence where that is missing; `beholder run` asks it first.
    """

    def made(of: Asked) -> Readout:
        @functools.wraps(of)
        def readout(answer: Any, stimulus: Any) -> Any:
            if not isinstance(answer, Clip):
                raise TypeError(f"got an answer of {type(answer).__name__}; expected a clip")
            weights = located(role, either)
            text = str(getattr(stimulus, "text", "") or "")
            key = digest(
                "rival", package(), of.__qualname__, weights.digest, answer.content or answer.pixels, answer.rate, text
            )
            return cached(key, functools.partial(of, answer, text, weights))

        readout.quick = True  # type: ignore[attr-defined]
        readout.uses = functools.partial(uses, role, either)  # type: ignore[attr-defined]
        return readout

    return made


def located(role: Role, either: bool = False) -> Weights:
    """The weights of a role, with the licence said; one sentence where torch or weights are missing."""
    need_torch(role.name)
    try:
        found = find(role)
    except Misuse:
        if not either:
            raise
        try:
            found = find(replace(role, files=LIBRARY))
        except Misuse:
            return find(role)  # whose sentence says what to get
    tell([found])
    return found


def uses(role: Role, either: bool = False) -> tuple[Used, ...]:
    """What a run says of the weights of a role."""
    found = located(role, either)
    return (Used(role.name, role.does, found.licence, found.source, found.digest, role.cite),)


def kinds(parts: Mapping[str, Any]) -> dict[str, float]:
    """Numbers of tensors and arrays, as a card's parts have them."""
    return {name: float(value) for name, value in parts.items()}
