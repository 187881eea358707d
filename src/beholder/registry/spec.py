"""Specs: how a user names a thing, and the object behind the name.

A spec is a name of ours, `file.py:function` or `package.module:function`, each with `(key=value, …)` for its settings.
"""

from __future__ import annotations

import ast
import functools
import importlib.util
import inspect
import re
import sys
from collections.abc import Callable, Mapping
from numbers import Integral, Real
from pathlib import Path
from typing import Any

import numpy as np

from beholder.errors import Misuse, NotFound
from beholder.registry.find import find, names, nearest
from beholder.store.digest import digest

WORDS = {"true": True, "false": False}  # as a text, "false" would count as true
RUNNER_GIVES = {"rng", "many"}  # parameters of a stochastic model that are no settings
UNREADABLE = (SyntaxError, ValueError, TypeError, RecursionError, MemoryError)  # what `ast` raises on bad input


def parse(spec: str) -> tuple[str, dict[str, Any]]:
    """A spec's name and settings; a bare word as a value is taken as text.

    >>> parse("sgbm(mode=hh, block=3)")
    ('sgbm', {'mode': 'hh', 'block': 3})
    >>> parse("f(mode=3way, tiny=1e-5, mask=0xff)")
    ('f', {'mode': '3way', 'tiny': 1e-05, 'mask': 255})
    >>> parse("raft(checkpoint=raft-things.pth)"), parse("deepgaze(checkpoint=../nets/2e.pt)")
    (('raft', {'checkpoint': 'raft-things.pth'}), ('deepgaze', {'checkpoint': '../nets/2e.pt'}))
    """
    spec = spec.strip()
    given = re.fullmatch(r"((?:.*?\.py:)?[^(]*)\((.*)\)", spec, re.DOTALL)  # a folder's name may hold brackets
    if given is None:
        return spec, {}
    name, inside = given.groups()
    try:
        return name, _settings(inside)
    except UNREADABLE:
        raise Misuse(f"got the settings ({inside[:80]}) of {name!r}; expected key=value, separated by commas") from None


def split(specs: str) -> list[str]:
    """Comma-separated specs, whose settings may hold commas.

    >>> split("pareto(draws=9,seed=1),mean_rank")
    ['pareto(draws=9,seed=1)', 'mean_rank']
    """
    found, depth, start = [], 0, 0
    for at, sign in enumerate(specs):
        depth += (sign == "(") - (sign == ")")
        if sign == "," and not depth:
            found.append(specs[start:at])
            start = at + 1
    return [spec.strip() for spec in (*found, specs[start:]) if spec.strip()]


def split_path(spec: str) -> tuple[str, str, str]:
    """A spec's name with its settings, the colon, and the path after it; a setting may hold a colon itself.

    >>> split_path("fixations(columns='x=a:b'):lab/t.csv"), split_path("sgbm")
    (("fixations(columns='x=a:b')", ':', 'lab/t.csv'), ('sgbm', '', ''))
    """
    depth, quote = 0, ""
    for at, sign in enumerate(spec):
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "'\"" and depth:
            quote = sign
        elif sign == ":" and depth == 0:
            return spec[:at], ":", spec[at + 1 :]
        else:
            depth += (sign == "(") - (sign == ")")
    return spec.partition(":")


def _settings(inside: str) -> dict[str, Any]:
    """The settings between brackets. Nothing is evaluated but literals."""
    try:
        return _read(_quoted(inside))
    except UNREADABLE:
        return _read(_paths_quoted(inside))


def _read(inside: str) -> dict[str, Any]:
    call = ast.parse(f"f({inside})", mode="eval").body
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.args:
        raise SyntaxError("no settings")
    keys = [k.arg for k in call.keywords]
    if None in keys or len(set(keys)) < len(keys):
        raise SyntaxError("a setting without a name, or twice")
    return {str(k.arg): _value(k.value) for k in call.keywords}


def _quoted(inside: str) -> str:
    """Words that begin with a digit, such as 3way or 1920x1080, in quotes: Python would read them as broken numbers."""
    word = r"\d+(?!e\d)[A-Za-z_]{2,}\w*|[1-9]\d*x\d+"
    return re.sub(rf"(=\s*)(?!0[xob])({word})(?=\s*(?:,|$))", r"\1'\2'", inside)


def _paths_quoted(inside: str) -> str:
    """Paths, such as ../nets/a or a.pt, in quotes, too: what has a slash or a suffix and is no number."""
    path = r"(?:[A-Za-z_~.][\w.~+-]*)?/[\w./~+-]*|[A-Za-z_][\w.+-]*\.[A-Za-z]\w{1,4}"
    return re.sub(rf"(=\s*)({path})(?=\s*(?:,|$))", r"\1'\2'", _quoted(inside))


def _value(node: ast.expr) -> Any:
    return WORDS.get(node.id, node.id) if isinstance(node, ast.Name) else ast.literal_eval(node)


def parse_setting(text: str) -> tuple[str, Any]:
    """One `key=value` of the command line."""
    key, equals, _ = text.partition("=")
    if not equals or not key.strip().isidentifier():
        raise Misuse(f"got the setting {text!r}; expected key=value")
    try:
        found = _settings(text)
    except UNREADABLE:  # a value such as a path is text
        return key.strip(), text.partition("=")[2]
    if len(found) != 1:
        raise Misuse(f"got {len(found)} settings in {text!r}; expected one key=value; give each one separately")
    return next(iter(found.items()))


def resolve(place: str, name: str) -> Any:
    """The object behind a name: `file.py:function`, `package.module:function`, or what lies in a place."""
    where, colon, function = name.rpartition(":")
    if colon and where.endswith(".py"):
        return _taken(_file_module(where), function, where)
    if colon and re.fullmatch(r"\w+(\.\w+)*", where) and where not in names(place):
        return _taken(_module(where), function, where)
    return find(place, name)


def _taken(module: Any, name: str, where: str) -> Any:
    if not hasattr(module, name):
        functions = [k for k, v in vars(module).items() if inspect.isfunction(v) and v.__module__ == module.__name__]
        raise NotFound(f"{where} has no {name!r}{nearest(name, functions)}")
    return getattr(module, name)


def _module(name: str) -> Any:
    """An installed module, or one of the working folder."""
    try:
        if importlib.util.find_spec(name.partition(".")[0]) is None and "" not in sys.path:
            sys.path.append("")  # last, so that a file here never hides an installed module
        if not name.startswith("beholder."):
            _note_foreign()
        return importlib.import_module(name)
    except ModuleNotFoundError as fault:
        raise NotFound(f"no module called {fault.name!r} can be imported; is it installed?") from fault


def _note_foreign() -> None:
    """From here on nothing is kept in the lasting cache: what is imported may change anything that is ours."""
    from beholder.core.model_code import Process

    Process.foreign = True


def _file_module(path: str) -> Any:
    """A user's file as a module, imported once per process; modules beside it can be imported by it."""
    file = Path(path).expanduser().resolve()
    if not file.is_file():
        raise NotFound(f"got {path}, which is not a file; expected FILE.py:FUNCTION")
    name = f"beholder_user_{digest(str(file))[:12]}_{file.stem}"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, file)
        if spec is None or spec.loader is None:
            raise Misuse(f"{path} cannot be imported; expected a Python file")
        _refuse_twins(file.parent)
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        if str(file.parent) not in sys.path:
            sys.path.append(str(file.parent))
        _note_foreign()
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[name]
            raise
    return sys.modules[name]


def _refuse_twins(folder: Path) -> None:
    """Two files may each have a `net.py` beside them, but a process has one `net`: the second would get the first's."""
    users = {_home(module) for name, module in sys.modules.items() if name.startswith("beholder_user_")} - {folder}
    for name in sorted({path.stem for path in folder.iterdir()} & set(sys.modules)):
        there = _home(sys.modules[name])
        if there in users:
            raise Misuse(
                f"{folder} and {there} both hold {name!r}, and one process cannot import both; "
                "rename one of them, or run these models separately"
            )


def _home(module: Any) -> Path:
    """The folder that a module or a package lies in."""
    file = Path(getattr(module, "__file__", None) or "")
    return file.parent.parent if file.name == "__init__.py" else file.parent


def check_settings(function: Any, settings: Mapping[str, Any], what: str, *, given: int = 0) -> dict[str, Any]:
    """Settings that the function does have; its first `given` parameters are what it is applied to, and no settings.

    >>> def model(movie, *, gain: float = 1.0, rng=None): ...
    >>> check_settings(model, {"movie": 3}, "model m", given=1)
    Traceback (most recent call last):
    beholder.errors.Misuse: model m has no setting 'movie'; there are gain
    >>> check_settings(model, {"gain": "much"}, "model m", given=1)
    Traceback (most recent call last):
    beholder.errors.Misuse: model m: got gain=much; expected a number
    """
    refuse_unknown(function, settings, what, given=given)
    for its in inspect.signature(function).parameters.values():
        if its.name in settings and (wanted := _unlike(settings[its.name], its)):
            raise Misuse(f"{what}: got {its.name}={settings[its.name]}; expected {wanted}")
    return dict(settings)


def refuse_unknown(function: Any, settings: Mapping[str, Any], what: str, *, given: int = 0) -> None:
    """Refuse names that are no settings of the function."""
    parameters = list(inspect.signature(function).parameters.values())
    chancy = given and any(p.name == "rng" for p in parameters)
    taken = {p.name for p in parameters[:given]} | (RUNNER_GIVES if chancy else set())
    known = {p.name for p in parameters if p.kind in (p.KEYWORD_ONLY, p.POSITIONAL_OR_KEYWORD)} - taken
    takes_any = any(p.kind is p.VAR_KEYWORD for p in parameters)
    for key in settings:
        if key in taken or (key not in known and not takes_any):
            raise Misuse(f"{what} has no setting {key!r}{nearest(key, sorted(known))}")


def _unlike(value: Any, its: inspect.Parameter) -> str:
    """What a setting should be by its annotation, where its value is of another kind, and not the default itself."""
    kind = its.annotation if isinstance(its.annotation, str) else getattr(its.annotation, "__name__", "")
    truth = isinstance(value, bool | np.bool_)
    if kind not in ("bool", "int", "float") or value is its.default:
        return ""
    if kind == "bool":
        return "" if truth else "true or false"
    if not isinstance(value, Real) or truth:
        return "a number"
    return "a whole number" if kind == "int" and not isinstance(value, Integral) else ""


def configure(function: Callable[..., Any], settings: Mapping[str, Any], what: str) -> Callable[..., Any]:
    """A function of one thing, such as a model of a stimulus, with its settings fixed."""
    return functools.partial(function, **check_settings(function, settings, what, given=1)) if settings else function
