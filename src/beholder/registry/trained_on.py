"""A model is never scored on what it was trained on: its facts name the datasets, trained_on="eyecrowd, osie".

What a model is made of counts with it: a partial or an object that calls other models has seen what they have seen, and
so has one whose setting `of` names another, as in conditional(of=saccadic_prior).
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeVar

from beholder.core.cite import facts_of
from beholder.errors import Misuse
from beholder.registry.find import names, offered
from beholder.registry.spec import parse, resolve

F = TypeVar("F", bound=Callable[..., Any])
LABEL = re.compile(r"\w[\w .+-]*=(?!=)")  # as --model takes it before a spec
BUILT_IN = re.compile(r"beholder\.(\w+\.models)\.\w+")


def trained_by(lesson: Callable[[dict[str, Any]], str]) -> Callable[[F], F]:
    """Declare training data that depends on settings: `lesson(settings)` gives the names of the datasets.

    >>> fitted = trained_by(lambda settings: "mit1003" if settings["rates"] == "fitted" else "")
    >>> @fitted
    ... def walk(picture, *, rates="start"): ...
    >>> trained_on(walk, "mit1003"), trained_on(functools.partial(walk, rates="fitted"), "mit1003")
    ('', 'mit1003')
    """

    def give(model: F) -> F:
        model.lesson = lesson  # type: ignore[attr-defined]
        return model

    return give


def trained_on(model: Any, dataset: str, *, files: bool = False) -> str:
    """The training dataset of a model that this dataset is or contains; "" if none.

    Models that it is made of are asked, too; with `files` also those of users' files and modules, which are opened.

    >>> from beholder.core.cite import source
    >>> learnt = source("", trained_on="osie, eyecrowd")(lambda picture: picture)
    >>> trained_on(learnt, "eyecrowd+mit1003"), trained_on(learnt, "mit1003"), trained_on(len, "osie")
    ('eyecrowd', '', '')
    >>> def walk(picture, *, of): ...
    >>> trained_on(functools.partial(walk, of=learnt), "osie")
    'osie'
    """
    return next((name for name in lessons(model, files=files) if name in dataset), "")


def lessons(model: Any, *, files: bool = False) -> list[str]:
    """The datasets that a model, or one that it is made of, has learnt from."""
    told = [text for one in _whole(model, files) for text in (_fact(one), _lesson(one))]
    return list(dict.fromkeys(name for text in told for name in map(str.strip, text.split(",")) if name))


def _fact(model: Any) -> str:
    return facts_of(model).get("trained_on", "")


def _lesson(model: Any) -> str:
    """What it has learnt with these settings."""
    lesson = getattr(getattr(model, "func", model), "lesson", None)
    return str(lesson(settings_of(model))) if lesson else ""


class _Named(NamedTuple):
    """A model by its spec."""

    place: str
    spec: str


def _whole(model: Any, files: bool) -> Iterator[Any]:
    """A model and all that it is made of, each once, though they may name each other."""
    ahead: list[Any] = [model]
    met: dict[Any, Any] = {}
    while ahead:
        one = ahead.pop()
        key = one if isinstance(one, _Named) else id(one)
        if key in met:
            continue
        found = _found(one, files) if isinstance(one, _Named) else one
        met[key] = found  # kept, so that no other thing gets its id
        if found is not None:
            yield found
            ahead += _parts(found)


def _parts(model: Any) -> list[Any]:
    """The models among a model's settings: functions, and what `of` names."""
    settings, place = settings_of(model), _place(model)
    held = [value for value in settings.values() if callable(value) and not isinstance(value, type)]
    of = settings.get("of")
    return [*held, *([_Named(place, of)] if place and isinstance(of, str) else [])]


def settings_of(model: Any) -> dict[str, Any]:
    """Of a partial those that are fixed and defaults, of a function defaults, of any other object what it holds."""
    if isinstance(model, functools.partial):
        return {**settings_of(model.func), **model.keywords}
    if not inspect.isroutine(model) and not isinstance(model, type):
        return dict(getattr(model, "__dict__", {}))
    try:
        parameters = inspect.signature(model).parameters.values()
    except (ValueError, TypeError):  # what is written in C may have none
        return {}
    return {each.name: each.default for each in parameters if each.default is not each.empty}


def _place(model: Any) -> str:
    """Where the models are that a built-in one may name."""
    function = getattr(model, "func", model) if isinstance(model, functools.partial) else model
    own = function if inspect.isroutine(function) else type(function)
    found = BUILT_IN.fullmatch(getattr(own, "__module__", None) or "")
    return found[1] if found else ""


def _found(named: _Named, files: bool) -> Any:
    """The model behind a spec; none where it names no model, such as dir:maps, or one that is not to be opened."""
    try:
        name, settings = parse(LABEL.sub("", named.spec, count=1) if LABEL.match(named.spec) else named.spec)
    except Misuse:
        return None
    ours = name in names(named.place) or name in offered(named.place)
    if not ours and not (files and re.fullmatch(r"(.+\.py|\w+(\.\w+)+):\w+", name)):
        return None
    found = resolve(named.place, name)
    return functools.partial(found, **settings) if callable(found) else None


def refuse_trained(name: str, model: Any, dataset: str, *, files: bool = False) -> None:
    """Raise a sentence where a model, or one that it is made of, was trained on what it is to be scored on."""
    seen = trained_on(model, dataset, files=files)
    if seen:
        raise Misuse(
            f"model {name!r} was trained on {seen}: what it scores on the dataset {dataset} tells nothing of it; "
            "expected a dataset that it has not seen; leave the model out, or choose another dataset"
        )


def refuse_trained_in_files(name: str, model: Any, dataset: str) -> None:
    """The same, where the model answers: users' files that it names are opened, too."""
    refuse_trained(name, model, dataset, files=True)
