"""What a model says of itself: its citation and facts, its settings, and a digest that tells these from others."""

from __future__ import annotations

import contextlib
import functools
import inspect
import pickle
from typing import Any, TypedDict

from beholder.core.cite import facts_of, key_of
from beholder.core.resources import resources_of
from beholder.registry.spec import RUNNER_GIVES
from beholder.registry.trained_on import settings_of
from beholder.store.digest import digest


class Description(TypedDict):
    """What a model says of itself."""

    cite: str
    facts: dict[str, str]
    settings: dict[str, str]
    parameters: str
    resources: dict[str, float]  # that it needs; not in run.json, as they change no score


def describe(model: Any) -> Description:
    """Settings come from the signature, the spec and the benchmark; constants in the code are not among them.

    >>> describe(lambda movie, *, gain=2.0, rng=None: movie)["settings"]
    {'gain': '2.0'}
    """
    plain = inspect.isroutine(model) or isinstance(model, functools.partial)  # what an object holds may be anything
    settings = {name: value for name, value in settings_of(model).items() if name not in RUNNER_GIVES} if plain else {}
    parameters = ""
    with contextlib.suppress(Exception):  # weights that cannot be pickled have no digest that would stay the same
        pickle.dumps(settings)
        parameters = digest(settings) if settings else ""
    words = {name: _word(value) for name, value in settings.items()}
    said = {"cite": key_of(model), "facts": facts_of(model), "settings": words, "parameters": parameters}
    return {**said, "resources": resources_of(model)}  # type: ignore[typeddict-item]  # mypy sees no keys in **


def _word(value: Any) -> str:
    """A setting as text; another model that it wraps by its name, because an address tells nothing."""
    inner = getattr(value, "func", value)
    try:
        return str(getattr(inner, "__name__", None) or repr(value))
    except Exception:  # noqa: BLE001  (anybody's `repr`)
        return type(value).__name__
