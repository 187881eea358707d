"""Models as a caller gives them to `run`: one, several, or by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from beholder.core.benchmark import Benchmark
from beholder.errors import Misuse
from beholder.registry.models import models


def name_models(given: Any, of: Benchmark) -> dict[str, Any]:
    """Models by name: a mapping as it is; a function, a spec, or a list of such are called after themselves.

    >>> from beholder.registry.load import load
    >>> list(name_models([len, "block(window=5)"], load("stereo/dense")))
    ['len', 'block(window=5)']
    """
    if given is None:
        return {}
    if isinstance(given, Mapping):
        return dict(given)
    found: dict[str, Any] = {}
    for one in given if isinstance(given, Sequence) and not isinstance(given, str) else [given]:
        named = models(one, of) if isinstance(one, str) else {_name(one): one}
        if twice := set(named) & set(found):
            raise Misuse(f"got two models called {min(twice)!r}; expected a mapping of names to models")
        found |= named
    return found


def _name(model: Any) -> str:
    """What a model is called that was given no name: its function's name, or that of its type."""
    if not callable(model):
        raise Misuse(
            f"got a {type(model).__name__} as a model; expected a function, a spec, or a mapping of names to such"
        )
    name = getattr(model, "__name__", type(model).__name__)
    return "model" if name == "<lambda>" else str(name)
