"""Models from their specs: `name`, `file.py:fn`, `pkg.mod:fn`, `dir:folder`, `table:file`, `cmd:…`, `log:file`."""

from __future__ import annotations

import ast
import functools
import importlib.util
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from beholder.core.benchmark import Benchmark, Files, Recorded
from beholder.core.entrant import Entrant, Given, Respondent, names_file, respondent
from beholder.core.scores import Role
from beholder.errors import Misuse, NotFound, printable
from beholder.io.programs import run_program
from beholder.io.scratch import Scratch
from beholder.registry.find import find, names, nearest, offered
from beholder.registry.recorded_answers import folder, needed, participants, tabled
from beholder.registry.spec import check_settings, configure, parse, resolve, split_path
from beholder.store.digest import file_digest

TABLE = "table"  # the word before the colon of a spec whose models stand in one table


@dataclass(frozen=True)
class Plug:
    """A model that is named by a spec and opened where it runs: an entrant, once it has a name."""

    spec: str
    place: str  # where the models of its domain are
    files: Mapping[str, str] = field(default_factory=dict)  # that the spec names, with their digests
    name: str = ""
    portable: bool = field(default=True, init=False)

    @property
    def built_in(self) -> bool:
        """Whether it depends on nothing but our own source: not on files in its settings, as in of='dir:maps'."""
        return self._ours and not any(map(names_file, parse(self.spec)[1].values()))

    @property
    def role(self) -> Role:
        """A model of ours is a baseline, though the user names it; what installed packages offer is not ours."""
        return "baseline" if self._ours else "model"

    @functools.cached_property  # asked for every row
    def _ours(self) -> bool:
        return parse(self.spec)[0] in names(self.place)

    @property
    def stamp(self) -> str:
        """Its spec: what stands behind that is in `files`, and in those that it opens while it answers."""
        return self.spec

    @property
    def readily(self) -> bool:
        """A user's file is not imported in this process."""
        return self._ours

    def open(self, benchmark: Benchmark) -> Respondent:
        """Ready to answer."""
        return respondent(self.function(benchmark.files))

    def function(self, files: Files | None = None) -> Callable[..., Any]:
        """The callable behind the spec."""
        if self.spec.startswith("cmd:"):
            return Command(self.spec[4:], needed(files, self.spec))
        name, settings = parse(self.spec)
        found = resolve(self.place, name)
        if not callable(found):
            raise Misuse(f"{name} is a {type(found).__name__}; expected a function from stimulus to answer")
        return configure(found, settings, f"model {name}")


def enter(name: str, model: Any, of: Benchmark) -> list[Entrant]:
    """The entrants behind what a caller gives as a model: a function, recorded answers, a plug, or a spec."""
    if isinstance(model, str):
        return [entrant for label, one in plugged(name, model, of).items() for entrant in enter(label, one, of)]
    if isinstance(model, Plug):
        return [replace(model, name=printable(name))]
    if callable(model) or isinstance(model, Recorded):
        return [Given(printable(name), model)]
    raise Misuse(f"model {name!r} is a {type(model).__name__}; expected a function, Recorded answers, or a spec")


def model(spec: str, of: Benchmark) -> Plug | Recorded:
    """One model from its spec, for a benchmark: `name`, `file.py:fn`, `pkg.mod:fn`, `dir:…`, `cmd:…`.

    >>> import beholder as bh
    >>> bh.model("sgbm(block=5)", bh.load("stereo/dense")).spec
    'sgbm(block=5)'
    """
    found = models(spec, of)
    if len(found) != 1:
        raise Misuse(f"{spec} holds {len(found)} models; expected one: take them all with `models`")
    return next(iter(found.values()))


def models(text: str, of: Benchmark) -> Mapping[str, Plug | Recorded]:
    """The models behind `[NAME=]SPEC`: one, or for `log:` one per participant."""
    if parse(split_path(text)[0])[0] == TABLE:  # its settings may hold an equals sign
        return plugged("", text, of)
    given = re.match(r"(\w[\w .+-]*)=(?!=)(.+)", text, re.DOTALL)
    if given:
        return plugged(given[1].strip(), given[2], of)
    odd = re.match(r"([^=:]+)=.+[^)]$", text, re.DOTALL)
    if odd and not Path(odd[1]).exists():
        raise Misuse(
            f"got the model name {odd[1]!r}; expected letters, digits, spaces and . + - _, a letter or digit first"
        )
    return plugged("", text, of)


def plugged(label: str, spec: str, of: Benchmark) -> Mapping[str, Plug | Recorded]:
    """The models behind a spec, called `label` or, without one, after the spec."""
    kind, colon, rest = spec.partition(":")
    if colon and kind == "dir":
        where = Path(rest).expanduser()
        return {label or where.absolute().name: folder(where, of)}
    if colon and kind == "log":
        return participants(Path(rest).expanduser(), of, label)
    if parse(split_path(spec)[0])[0] == TABLE and colon:
        return tabled(spec, of, label)
    if colon and kind == "cmd":
        words = Command(rest, needed(of.files, spec)).words
        return {label or Path(words[0]).name: Plug(spec, "", _programs(words))}
    return {label or _label(spec): _plug(spec, f"{of.domain}.models")}


def _label(spec: str) -> str:
    """What a model is called that was given no name: the function's name with its settings."""
    name = parse(spec)[0]
    return name.rpartition(":")[2] + spec.strip()[len(name) :]


def _plug(spec: str, place: str) -> Plug:
    """A model of ours or of the user's, its existence checked without running any of its code."""
    name, settings = parse(spec)
    where, colon, function = name.rpartition(":")
    if colon and where.endswith(".py"):
        file = Path(where).expanduser()
        if not file.is_file():
            raise NotFound(f"got {where}, which is not a file; expected FILE.py:FUNCTION")
        defined = _defined(file)
        if defined is not None and function not in defined:
            raise NotFound(f"{where} has no {function!r}{nearest(function, defined)}")
        return Plug(spec, place, _digests([file]))
    if colon:
        return Plug(spec, place, _digests(_module_files(where)))
    if name not in names(place) and name not in offered(place):
        hint = nearest(name, [*names(place), *offered(place)])
        raise NotFound(f"no model called {name!r} in {place}{hint} (for your own function give FILE.py:FUNCTION)")
    if name in names(place):
        check_settings(find(place, name), settings, f"model {name}", given=1)
    return Plug(spec, place)


def _digests(files: Iterable[Path]) -> dict[str, str]:
    """Digests of files by their paths."""
    return {str(file.absolute()): file_digest(file) for file in files}


def _module_files(name: str) -> list[Path]:
    """The file of a module, found without importing anything; of an installed package all, as it stands for itself."""
    top, *inner = name.split(".")
    known = importlib.util.find_spec(top)
    roots = [Path(place) for place in known.submodule_search_locations or ()] if known else [Path(top)]
    if known and any(root.name == top and "site-packages" in root.parts for root in roots):
        return [file for root in roots for file in sorted(root.rglob("*.py"))]
    files = [root.joinpath(*inner, "__init__.py") for root in roots]
    files += [root.joinpath(*inner).with_suffix(".py") for root in roots]
    if known and known.origin and not inner:
        files.append(Path(known.origin))
    return [file for file in files if file.is_file()][:1]


def _defined(file: Path) -> list[str] | None:
    """Names that a file binds at its top level, or None where that cannot be read off (star imports)."""
    try:
        body = ast.parse(file.read_bytes()).body
    except (SyntaxError, ValueError) as fault:
        raise Misuse(f"{file} is not a Python file that can be read: {fault}") from None
    found = [name for node in body for name in _bound(node)]
    return None if "*" in found else found


def _bound(node: ast.AST) -> Iterator[str]:
    """The names that a statement binds; those in `if` and `try` count, those inside a function do not."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name
        return
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    elif isinstance(node, ast.alias):
        yield node.asname or node.name
    for child in ast.iter_child_nodes(node):
        yield from _bound(child)


def _programs(words: Sequence[str]) -> dict[str, str]:
    """Digests of every file in a command: of `python match.py` the script is what matters."""
    files = [Path(word).expanduser() for word in words]
    return _digests(file for file in files if file.is_file())


@dataclass(frozen=True)
class Command:
    """A program that reads a stimulus from the folder `{in}` and writes its answer to the file `{out}`."""

    template: str
    files: Files

    def __post_init__(self) -> None:
        if "{in}" not in self.template or "{out}" not in self.template:
            raise Misuse(f"got cmd:{self.template}; expected {{in}} and {{out}} in it, e.g. cmd:./match {{in}} {{out}}")
        if self.files.show is None:
            raise Misuse("this benchmark cannot write its stimuli to files; give a Python function")
        if not self.words:
            raise Misuse("got cmd: without a program; expected e.g. cmd:./match {in} {out}")

    @property
    def words(self) -> list[str]:
        """The program and its arguments."""
        try:
            return shlex.split(self.template)
        except ValueError as fault:
            raise Misuse(f"got cmd:{self.template}: {fault}; expected quotes to be closed") from None

    def __call__(self, stimulus: Any) -> Any:
        """Write the stimulus, run the program, read what it wrote."""
        with Scratch() as place:
            shown, out = Path(place, "in"), Path(place, f"out{self.files.suffixes[0]}")
            shown.mkdir()
            if self.files.show is not None:
                self.files.show(stimulus, shown)
            words = [w.replace("{in}", str(shown)).replace("{out}", str(out)) for w in self.words]
            run_program(words)
            found = self.files.read(_written(out, self.files, words[0]), limit=self.files.limit(stimulus))
            return self.files.held(found) if self.files.held else found


def _written(out: Path, files: Files, program: str) -> Path:
    """What a program wrote as {out}; or, since some libraries choose the ending themselves, out.npy and out.npz.npy.

    Where an answer may be a folder, {out} may be made one, with its ending or without.
    """
    others = [out.with_name(stem + suffix) for stem in (out.stem, out.name) for suffix in files.suffixes]
    found = next((file for file in (out, *others) if file.is_file()), None)
    if found is None and files.find:
        folders = (files.find(out.parent, name) for name in (out.name, out.stem))
        found = next((folder for folder in folders if folder), None)
    if found is None:
        raise FileNotFoundError(f"{program} exited with code 0 but wrote no {{out}} file ({', '.join(files.suffixes)})")
    return found
