"""Make a study: an exhibition, found by its name, written as a folder that `beholder study serve` takes."""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from beholder.engines.progress import Silent, Watch
from beholder.errors import Misuse, NotFound
from beholder.registry.find import domains, find, names, nearest, offered
from beholder.registry.spec import parse, refuse_unknown
from beholder.study.design.exhibition import UNLIKE, Exhibition
from beholder.study.design.preset import deviations, preset, presets
from beholder.study.design.writing import refuse_wrong, write

DEMO = "demo"


def kinds() -> dict[str, str]:
    """What `new` can make: the name of each exhibit, and where it lies, as `attention.exhibits`."""
    return {
        name: f"{domain}.exhibits"
        for domain in domains()
        for name in (*names(f"{domain}.exhibits"), *offered(f"{domain}.exhibits"))
    }


def new(
    kind: str,
    folder: Path,
    *,
    options: Mapping[str, Any] | None = None,
    study: Mapping[str, Any] | None = None,
    fresh: bool = False,
    watch: Watch | None = None,
) -> Path:
    """Make a study in `folder` and return the path of its study.toml.

    `kind` is an exhibit (`kinds()`), a preset (`presets()`) or demo. `options` are the exhibit's own, such as pictures,
    videos, dataset, model, seed; those that are None are left out. `study` are keys of the study file that replace what
    the exhibit says, such as name, title, platform, participants. What was left out, and why, is said to `watch`. A
    folder with something in it is refused, or, if `fresh`, its study is replaced.
    """
    watch = watch or Silent()
    given = {key: value for key, value in (options or {}).items() if value not in (None, (), [])}
    refuse_wrong({key: value for key, value in (study or {}).items() if not isinstance(value, (Mapping, list))})
    _refuse_full(folder, fresh)
    shown, own, remarks = _exhibition(kind, given, watch)
    for remark in (*remarks, *shown.remarks):
        watch.say(remark)
    return write(shown, folder, study={**own, **(study or {})}, watch=watch)


def _exhibition(
    kind: str, options: dict[str, Any], watch: Watch
) -> tuple[Exhibition, Mapping[str, Any], Sequence[str]]:
    """What is shown, what a preset says of the study, and what is to be said of the preset."""
    if kind == DEMO:
        from beholder.study.design.demo import exhibition

        refuse_unknown(exhibition, options, "study demo")
        return exhibition(**options), {}, ()
    own: Mapping[str, Any] = {}
    remarks: Sequence[str] = ()
    if kind in presets():
        said = preset(kind)
        changed = {
            key: value for key, value in options.items() if key in said["options"] and value != said["options"][key]
        }
        options = {**said["options"], **options}
        _refuse_lacking(kind, said, options)
        remarks = list(_unmet(kind, said, options))
        follows, kind = kind, said["exhibit"]
        differs = [*remarks, *deviations(said, _with_defaults(kind, options))]
        differs += [f"Here {key} is {value}; the preset has {said['options'][key]}." for key, value in changed.items()]
        own = {**said.get("study", {}), "follows": follows, "deviations": differs}
    known = kinds()
    if kind not in known:
        raise NotFound(f"got {kind!r}, which is not a kind of study{nearest(kind, [*known, *presets(), DEMO])}")
    make = find(known[kind], kind)
    refuse_unknown(make, {key: value for key, value in options.items() if key != "watch"}, f"study {kind}")
    shown = make(**options, watch=watch)
    if own:  # its deviations say it
        shown = replace(shown, about={key: value for key, value in shown.about.items() if key != UNLIKE})
    return shown, own, remarks


def _with_defaults(kind: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """All options of an exhibit."""
    has = inspect.signature(find(kinds()[kind], kind)).parameters.items()
    return {name: one.default for name, one in has if one.default is not one.empty} | dict(options)


def _refuse_lacking(name: str, said: Mapping[str, Any], options: Mapping[str, Any]) -> None:
    """Say what a preset needs that was not given, and what comes nearest."""
    lacking = [key for key in said.get("needs", ()) if not options.get(key)]
    if not lacking:
        return
    near = "dataset" in lacking and at_hand(said["exhibit"])
    other = f"; available here: --dataset {', --dataset '.join(near)}" if near else ""
    raise Misuse(f"{name}: got no --{' and no --'.join(lacking)}; {' '.join(said['without'].split())}{other}")


def _unmet(name: str, said: Mapping[str, Any], options: Mapping[str, Any]) -> Iterator[str]:
    """What is said of a preset that is made of other datasets than its own."""
    given = options.get("dataset") or ()
    heads = [parse(spec.partition(":")[0])[0] for spec in ([given] if isinstance(given, str) else given)]
    wanting = [want for want in said.get("wants", ()) if want not in heads]
    if wanting:
        yield f"{name} uses {' and '.join(said['wants'])}; got {', '.join(heads)}, so this is a different study"


def at_hand(kind: str) -> list[str]:
    """Datasets of an exhibit's domain that can be named at once: those in BEHOLDER_DATA, and one that needs nothing."""
    domain = kinds()[kind].partition(".")[0]
    known = names(f"{domain}.datasets")
    root = Path(os.environ.get("BEHOLDER_DATA", ""))
    there = sorted(root.iterdir()) if root.name and root.is_dir() else []
    own = {name: place for place in there for name in known if place.is_dir() and place.name.startswith(name)}
    return [*(f"{name}:{place}" for name, place in own.items()), *(["simulated"] if "simulated" in known else [])]


def _refuse_full(folder: Path, fresh: bool) -> None:
    if not folder.exists() or not any(folder.iterdir() if folder.is_dir() else [folder]):
        return
    if not fresh or not (folder / "study.toml").is_file():
        more = " or --fresh to replace the study in it" if (folder / "study.toml").is_file() else ""
        raise Misuse(f"got {folder}, which exists and is not empty; expected a new folder{more}")
    (folder / "study.toml").unlink()  # first: what a kill leaves is no study
    for place in ("media", "tracks"):
        for file in sorted((folder / place).glob("*")):
            file.unlink()
