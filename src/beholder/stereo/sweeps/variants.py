"""One model under several settings, each labelled by the spec that names it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from beholder.core.benchmark import Model
from beholder.errors import Misuse
from beholder.registry.find import find
from beholder.registry.spec import configure, parse

# The settings of each algorithm that `stereo/parameters` goes through: its defaults, and values on both sides of them
# where there are any.
GRIDS: dict[str, dict[str, tuple[Any, ...]]] = {
    "sgbm": {"block": (1, 3, 5, 7), "p1": (4, 8, 16), "p2": (32, 64)},
    "wls": {"smoothness": (1000, 8000, 64000), "sigma": (1.0, 1.5, 2.0)},
    "block": {"window": (5, 9, 15, 21), "uniqueness": (0, 5, 15)},
    "sad": {"window": (5, 9, 15, 21), "cap": (10, 20, 255)},
    "ncc": {"window": (5, 7, 9, 15, 21)},
    "census": {"window": (1, 5, 9, 15), "width": (5, 9), "height": (5, 7)},
    "guided": {"radius": (5, 9, 15), "smoothing": (1e-5, 1e-4, 1e-3)},
}


def variants(name: str, grid: Mapping[str, Any]) -> dict[str, Model]:
    """The model of this name under every combination of some settings.

    >>> list(variants("sad", {"window": (5, 9), "fill": (False,)}))
    ['sad(window=5,fill=false)', 'sad(window=9,fill=false)']
    """
    for key, values in grid.items():
        if isinstance(values, str) or not isinstance(values, Sequence) or not values:
            raise Misuse(f"got {key}={values!r} in the grid of {name}; expected its values, such as {key}=(1, 3)")
    model = find("stereo.models", name)
    every = [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]
    return {label(name, each): configure(model, each, f"model {name}") for each in every}


def label(name: str, settings: Mapping[str, Any]) -> str:
    """The spec that names a model with these settings; `settings_of` takes it apart again.

    >>> label("sgbm", {"mode": "hh", "p1": 8, "fill": False})
    'sgbm(mode=hh,p1=8,fill=false)'
    """
    words = [f"{key}={_word(value)}" for key, value in settings.items()]
    return f"{name}({','.join(words)})" if words else name


def _word(value: Any) -> str:
    """A value as it stands in a spec: texts that are no words are quoted."""
    if isinstance(value, bool):
        return str(value).lower()
    return value if isinstance(value, str) and value.isidentifier() else repr(value)


def settings_of(name: str, text: str) -> dict[str, Any]:
    """The settings in a label of the model `name`; none if it is another's.

    >>> settings_of("sgbm", "sgbm(mode=hh,p1=8)"), settings_of("sgbm", "mine (new")
    ({'mode': 'hh', 'p1': 8}, {})
    """
    try:
        whose, settings = parse(text)
    except Misuse:  # a user's name with brackets in it
        return {}
    return settings if whose == name else {}
