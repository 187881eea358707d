"""What is understood of a dataset before anything runs: its kind, what it holds, what is doubtful, and a picture."""

from __future__ import annotations

import difflib
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from beholder.core.overview import Overview
from beholder.core.sample import Dataset
from beholder.errors import Misuse, NotFound, listed
from beholder.io.atomic import whole_file
from beholder.registry.find import domains, find, names, nearest, offered
from beholder.registry.load import dataset, dataset_settings
from beholder.registry.remembered import remember, remembered
from beholder.store.paths import slug

GENERIC = (
    "fixations",
    "gaze",
    "scanpaths",
    "ratings",
    "clips",
    "pairs",
    "flow",
)  # named first where a kind is asked for


@dataclass(frozen=True)
class Checked:
    """A dataset, how it was found, and what its domain says of it."""

    dataset: Dataset[Any, Any]
    domain: str
    kind: str
    path: Path | None
    how: str  # how the kind was known
    spec: str
    overview: Overview
    saved: bool = False  # beside the data stands how they are read, so that their path is enough

    @property
    def text(self) -> str:
        """The answer first, then facts, what was left out, doubts, and what to do next."""
        facts = dict(self.overview.facts)
        width = max(map(len, facts), default=0)
        where = self.path or self.kind
        count = len(self.dataset)
        samples = "1 sample" if count == 1 else f"{count:,} samples"
        lines = [f"{where}: {self.kind} of {self.domain}, {samples}{self.how}", ""]
        lines += [f"{key:<{width}}  {text}" for key, text in facts.items()]
        said = ("columns recognised by",) if "columns" in facts else ()
        noted = [one for one in self.dataset.remarks if one not in self.overview.doubts and not one.startswith(said)]
        for title, sentences in (("Noted", noted), ("Doubts", self.overview.doubts)):
            lines += ["", f"{title}:", *(f"  - {sentence}" for sentence in sentences)] if sentences else []
        return "\n".join([*lines, "", f"Use it: {self.command}"])

    @property
    def command(self) -> str:
        """The command that uses it; once that is saved, the short one."""
        spec = self._short if self.saved else self.spec
        if self.kind == "scanpaths":
            model = f"table:{self.path}" if self.saved else spec.replace(self.kind, "table", 1)
            return f"beholder run attention/scanpath --dataset PEOPLE --model {quoted(model)}"
        model = f" --model {quoted(f'NAME=dir:{self.path}')}" if self.kind == "clips" else ""  # clips are their answers
        return f"beholder run {self.domain} --dataset {quoted(spec)}{model}"

    @property
    def _short(self) -> str:
        """The path alone, spelt so that it is no dataset's name."""
        place = f"{self.domain}.datasets"
        return f"./{self.path}" if str(self.path) in (*names(place), *offered(place)) else str(self.path)


def check(what: str, *, kind: str = "", columns: str = "", settings: Mapping[str, Any] | None = None) -> Checked:
    """Read a dataset as a run would, and say what was understood; `Misuse` where it cannot be read."""
    path = Path(what).expanduser()
    if not path.exists():
        raise NotFound(f"got {what}, which is neither a file nor a folder, nor a dataset that can be had by name")
    if path.is_dir() and not any(path.iterdir()):
        raise Misuse(f"got {what}, which is an empty folder; expected one with data in it")
    domain, name, how = _kind(path, kind, columns)
    said = {**(settings or {}), **({"columns": columns} if columns else {})}
    inside = ",".join(f"{key}={value!r}" for key, value in said.items())
    spec = f"{name}({inside}):{what}" if inside else f"{name}:{what}"
    found = dataset(f"{domain}.datasets", spec)
    known = not (kind or inside) and remembered(path) is not None
    return Checked(found, domain, name, path, how, spec, _overview(domain, found), known)


def save(checked: Checked) -> tuple[Checked, str]:
    """Remember beside the data how they are to be read; give what is then known, and a sentence on what was written."""
    if checked.path is None:
        raise Misuse("got --save without a path; expected a file or a folder beside which to write dataset.toml")
    settings = dataset_settings(checked.dataset)
    place, old = remember(checked.path, checked.kind, settings)
    changed = old is not None and (old.kind, dict(old.settings)) != (checked.kind, settings)
    replaced = f", in place of what it said of {checked.path} before (kind {old.kind})" if old and changed else ""
    return replace(checked, saved=True), f"{place}: remembered{replaced}"


def draw(checked: Checked, file: Path | None) -> Path | None:
    """Write the picture of the first samples; give its file, or None where there is nothing to draw."""
    if checked.overview.draw is None:
        return None
    target = file or Path(f"check-{_title(checked)}.png")
    with whole_file(target) as out:
        checked.overview.draw().savefig(out, format=target.suffix[1:].lower() or "png")
    return target


def _title(checked: Checked) -> str:
    """What the picture is called: the path that was checked, as seen from here, or its last two parts."""
    if checked.path is None:
        return slug(checked.dataset.name)
    whole, here = checked.path.resolve(), Path.cwd()
    seen = whole.relative_to(here) if whole.is_relative_to(here) and whole != here else Path(*whole.parts[-2:])
    return slug("-".join((*seen.parent.parts, seen.stem if whole.is_file() else seen.name)).strip("/-"))


def quoted(spec: str) -> str:
    """A spec as it is typed in a shell."""
    plain = not any(sign in spec for sign in '"$`\\!')
    return f'"{spec}"' if plain and shlex.quote(spec) != spec else shlex.quote(spec)


def _overview(domain: str, found: Dataset[Any, Any]) -> Overview:
    if "overview" not in names(domain):
        return Overview({"samples": f"{len(found):,}, the first is {found.ids[0]}" if len(found) else "none"})
    made: Overview = find(domain, "overview")(found)
    return made


def _kind(path: Path, kind: str, columns: str) -> tuple[str, str, str]:
    """The domain and name of a dataset, and how it was known: as said, as remembered, or by its content."""
    if kind:
        return (*_placed(kind), "")
    if note := remembered(path):
        return (*_placed(note.kind), f" (by {note.place})")
    guesses = [(domain, name) for domain in domains() if (name := _recogniser(domain)(path, columns))]
    if len(guesses) == 1:
        return (*guesses[0], " (by its content; --as KIND says otherwise)")
    kinds = listed(name for _, name in guesses) if guesses else ""
    known = [name for name in GENERIC if any(name in names(f"{domain}.datasets") for domain in domains())]
    raise Misuse(
        f"{path}: it can be read as {kinds}; say which: --as KIND"
        if kinds
        else f"{path}: nothing known by its content; say what it is: --as {', '.join(known)}, or any dataset of "
        "`beholder list datasets`"
    )


def _placed(kind: str) -> tuple[str, str]:
    """The domain that has a dataset, and its name: `ratings` or `study/ratings`."""
    domain, slash, name = kind.rpartition("/")
    known = {one: [*names(f"{one}.datasets"), *offered(f"{one}.datasets")] for one in domains()}
    found = [one for one, those in known.items() if name in those and (not slash or one == domain)]
    if not found:
        every = sorted({own for those in known.values() for own in those})
        raise NotFound(f"got --as {kind}, but no dataset is called that{_meant(name, every)}")
    if len(found) > 1:
        raise Misuse(
            f"got --as {kind}, which several domains have; expected {' or '.join(f'{one}/{name}' for one in found)}"
        )
    return found[0], name


def _meant(name: str, every: Sequence[str]) -> str:
    """The end of a sentence: the kind that was probably meant, those of anybody's data first."""
    near = [*difflib.get_close_matches(name, GENERIC, 1), *difflib.get_close_matches(name, every, 1)]
    words = " or ".join(map(repr, dict.fromkeys(near)))
    return f"; did you mean {words}?" if words else nearest(name, every)


def _recogniser(domain: str) -> Callable[[Path, str], str]:
    """What a domain recognises by content: the function `recognise` beside its `overview`, where there is one."""
    if "overview" not in names(domain):
        return lambda path, columns: ""
    module = sys.modules[find(domain, "overview").__module__]
    return getattr(module, "recognise", lambda path, columns: "")
