"""run.json: all that a report needs of a run besides the scores. Written and read here, and nowhere else."""

# Without `from __future__ import annotations`: as texts, `NotRequired` would not be seen and every key be required.
import itertools
import json
import math
import platform
import types
from collections.abc import Iterator, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any, NotRequired, TypedDict, Union, get_args, get_origin, get_type_hints, is_typeddict

from beholder.errors import Misuse, printable
from beholder.io.atomic import write_whole
from beholder.store.digest import versions

NAME = "run.json"
FORMAT = 2  # rises when what stands here means something else


class DatasetFacts(TypedDict):
    """A dataset that was used."""

    name: str
    fingerprint: str
    samples: int
    of: int  # samples before --limit, --every and --only
    ids: list[str] | None  # None: all
    licence: str
    cite: str
    about: str
    status: str
    people: NotRequired[str]  # kind of the people behind the references
    remarks: NotRequired[list[str]]  # what was found and is left out, and what is missing


class MeasureFacts(TypedDict):
    """The card of a measure."""

    name: str
    settings: str
    label: str  # name(settings)
    better: str
    bounds: list[str]  # as text: JSON has no infinity
    unit: str
    per: str
    person: float | None
    cite: str
    official: bool
    text: str
    deviations: list[str]


class ModelFacts(TypedDict):
    """Who took part, and what it says of itself."""

    name: str
    role: str
    spec: str
    cite: str
    facts: dict[str, str]  # family, trained_on …
    settings: dict[str, str]
    parameters: str  # a digest of the settings; nothing where there is none
    seconds: float
    remarks: NotRequired[list[str]]  # what was found of it and is not used
    origin: NotRequired[str]  # the earlier run whose scores these are: its folder; nothing where it was run here


class Failure(TypedDict):
    """One failure; "*" as the sample is the whole dataset."""

    model: str
    sample: str
    reason: str


class UsedFacts(TypedDict):
    """Something of somebody's that was measured with, such as the weights of a network."""

    name: str
    about: str
    licence: str
    source: str
    digest: str
    cite: str


class RunOf(TypedDict):
    """What running one benchmark tells: who took part, what it cost, and what failed."""

    seed: int
    repeats: int
    models: list[ModelFacts]
    failed: int
    failures: list[Failure]
    stimuli: str


class BenchmarkFacts(TypedDict):
    """One benchmark on one dataset: what was measured, on what, by whom."""

    name: str
    version: int
    about: str
    official: list[str]  # labels of the measures that are judged
    unjudged: list[str]  # criteria that are shown and not judged
    right: NotRequired[dict[str, list[str]]]  # blind models that are right by construction, and where
    caveats: NotRequired[dict[str, str]]  # by model: what its scores tell of its convention
    judges: list[str]
    datasets: list[DatasetFacts]
    measures: list[MeasureFacts]
    uses: NotRequired[list[UsedFacts]]
    seed: NotRequired[int]
    repeats: NotRequired[int]
    models: NotRequired[list[ModelFacts]]
    failed: NotRequired[int]
    failures: NotRequired[list[Failure]]
    stimuli: NotRequired[str]
    figures: NotRequired[list[str]]
    films: NotRequired[list[str]]  # records of what lies beside the figures of samples: films and views
    counts: NotRequired[dict[str, int]]


class RunFacts(TypedDict):
    """All of run.json."""

    format: int
    beholder: str
    python: str
    platform: str
    versions: dict[str, str]
    config: NotRequired[str]
    seed: NotRequired[int]
    repeats: NotRequired[int]
    started: NotRequired[str]
    state: NotRequired[str]
    seconds: NotRequired[float]
    skipped: NotRequired[list[str]]
    scores: NotRequired[str]  # a digest of scores.csv as it was written
    benchmarks: list[BenchmarkFacts]


def facts(benchmarks: Sequence[BenchmarkFacts], **more: Any) -> RunFacts:
    """All of run.json, of this moment; `more` are the optional fields of `RunFacts`."""
    found: RunFacts = _printable(
        {
            "format": FORMAT,
            "beholder": metadata.version("beholder"),
            "python": platform.python_version(),
            "platform": platform.platform(terse=True),
            "versions": versions(),
            **more,
            "benchmarks": list(benchmarks),
        }
    )
    return found


def write(folder: Path, benchmarks: Sequence[BenchmarkFacts], **more: Any) -> None:
    """Write run.json whole or not at all; `more` are the optional fields of `RunFacts`."""
    write_whole(folder / NAME, json.dumps(facts(benchmarks, **more), indent=1, ensure_ascii=False) + "\n")


def read(folder: Path) -> RunFacts:
    """The facts of a finished run; a file that is none, or of another format, is refused with a sentence."""
    file = folder / NAME
    if not file.is_file():
        raise Misuse(f"got {folder}, which holds no {NAME}; expected the folder of a finished run")
    try:
        found = _printable(json.loads(file.read_text("utf-8")))
    except (ValueError, RecursionError) as fault:
        raise Misuse(f"{file} is not valid JSON ({fault}); the same `run` command writes it again") from None
    version = found.get("format") if isinstance(found, dict) else None
    if version != FORMAT:
        raise Misuse(f"{file} has format {version}; this version reads format {FORMAT}; run it again with --fresh")
    for wrong in itertools.chain(list_faults(found, RunFacts), _lacking(found)):
        raise Misuse(f"{file}: {wrong}; run it again with --fresh")
    read_back: RunFacts = found
    return read_back


def _lacking(found: Any) -> Iterator[str]:
    """What is of its kind and yet too little to be judged."""
    for at, entry in enumerate(found["benchmarks"]):
        yield from (f"got no {name} of benchmarks[{at}]" for name in ("datasets", "judges") if not entry[name])
        for measure in entry["measures"]:
            try:
                low, high = map(float, measure["bounds"])
            except ValueError:
                low, high = math.nan, math.nan
            if not low < high:
                yield f"got the bounds {_shown(measure['bounds'])} of {measure['label']}; expected two numbers"


def _printable(value: Any, name: str = "") -> Any:
    """The same facts, every text printable; of all texts, only the card of a measure has several lines."""
    if isinstance(value, str):
        return printable(value, keep="\n" if name == "text" else "")
    if isinstance(value, Mapping):
        return {printable(str(key)): _printable(one, str(key)) for key, one in value.items()}
    return [_printable(one) for one in value] if isinstance(value, list | tuple) else value


def list_faults(value: Any, kind: Any, where: str = "") -> Iterator[str]:
    """Where a value of JSON is not of its kind."""
    origin, inner = get_origin(kind), get_args(kind)
    if is_typeddict(kind):
        yield from _record_faults(value, kind, where)
    elif origin in (Union, types.UnionType):
        if all(any(True for _ in list_faults(value, one, where)) for one in inner):
            yield f"got {_shown(value)} as {where}"
    elif origin in (list, dict):
        if not isinstance(value, origin):
            yield f"got {_shown(value)} as {where}; expected a {'list' if origin is list else 'mapping'}"
            return
        items = enumerate(value) if origin is list else value.items()
        for key, one in items:
            yield from list_faults(one, inner[-1], f"{where}[{key!r}]")
    elif kind is float:
        if not isinstance(value, int | float) or isinstance(value, bool):
            yield f"got {_shown(value)} as {where}; expected a number"
    elif not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        yield f"got {_shown(value)} as {where}; expected {kind.__name__}"


def _record_faults(value: Any, kind: Any, where: str) -> Iterator[str]:
    if not isinstance(value, Mapping):
        yield f"got {_shown(value)} as {where}; expected a mapping"
        return
    for name, hint in get_type_hints(kind).items():
        if name in value:
            yield from list_faults(value[name], hint, f"{where}.{name}".lstrip("."))
        elif name in kind.__required_keys__:
            yield f"got no {f'{where}.{name}'.lstrip('.')!r}"


def _shown(value: Any) -> str:
    return repr(value)[:60]
