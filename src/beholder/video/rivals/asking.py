"""Readouts that ask a network: they find its weights, say its licence, and remember what it said of a clip."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from beholder.core.benchmark import Used
from beholder.core.measure import Readout
from beholder.errors import Misuse
from beholder.store.cache import cached
from beholder.store.digest import digest, package
from beholder.video.networks.weights import Role, Weights, find, need_torch, tell
from beholder.video.rivals.roles import ALL, FID, FVD
from beholder.video.types import Clip

Asked = Callable[[Clip, str, Weights], Any]  # (clip, the text of its prompt, weights) → what is found
EITHER = (FID, FVD)  # their weights may be a TorchScript file or those of transformers
LIBRARY = ("config.json", "*.safetensors")  # what a network of transformers has


def asks(role: Role) -> Callable[[Asked], Readout]:
    """Make a readout of a function that asks a network.

    The readout is not cached by the runner (`quick`), who does not know of weights, but here, by their digest. `uses`
    says what it needs, and refuses in one sentence where that is missing; `beholder run` asks it first.
    """

    def made(of: Asked) -> Readout:
        @functools.wraps(of)
        def readout(answer: Any, stimulus: Any) -> Any:
            if not isinstance(answer, Clip):
                raise TypeError(f"got an answer of {type(answer).__name__}; expected a clip")
            weights = located(role)
            text = str(getattr(stimulus, "text", "") or "")
            key = digest(
                "rival", package(), of.__qualname__, weights.digest, answer.content or answer.pixels, answer.rate, text
            )
            return cached(key, functools.partial(of, answer, text, weights))

        readout.quick = True  # type: ignore[attr-defined]
        readout.uses = functools.partial(uses, role)  # type: ignore[attr-defined]
        return readout

    return made


def located(role: Role) -> Weights:
    """The weights of a role, with the licence said; one sentence where torch or weights are missing."""
    need_torch(role.name)
    found = _found(role)
    tell([found])
    return found


def _found(role: Role, weights: str | Path = "") -> Weights:
    try:
        return find(role, weights)
    except Misuse as why:
        if role in EITHER:
            with contextlib.suppress(Misuse):
                return find(replace(role, files=LIBRARY), weights)
        raise Misuse(str(why).removesuffix("; weights=DIR names the folder, too")) from why  # a readout has no settings


def status(weights: str | Path = "") -> Iterator[tuple[Role, Weights | str]]:
    """Each network of the rivals with its weights, or why there are none."""
    for role in ALL:
        try:
            yield role, _found(role, weights)
        except Misuse as why:
            yield role, str(why)


def uses(role: Role) -> tuple[Used, ...]:
    """What a run says of the weights of a role."""
    found = located(role)
    return (Used(role.name, role.does, found.licence, found.source, found.digest, role.cite),)
