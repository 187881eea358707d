"""Models of an earlier run beside those of this one: their rows are read, and none of them is run again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from beholder.core.benchmark import Benchmark
from beholder.core.job import Job
from beholder.core.scores import JUDGED, join_tables, plain
from beholder.engines.shared import Todo, enter, read_answer
from beholder.errors import Misuse
from beholder.evaluation.figures import answers_folder
from beholder.evaluation.record import Run, read
from beholder.store.digest import package
from beholder.store.ledger import Ledger, read_sealed
from beholder.store.paths import answer_path
from beholder.store.run_folder import LEDGER, list_changed, read_parts
from beholder.store.run_json import BenchmarkFacts, DatasetFacts, ModelFacts

if TYPE_CHECKING:
    import pandas as pd


class Earlier(NamedTuple):
    """One benchmark of an earlier run, checked that its scores can be compared with this one's."""

    run: Run
    facts: BenchmarkFacts
    parts: Mapping[str, str]  # all that told that run from another one; nothing where it is not known

    @property
    def name(self) -> str:
        """What the run is called."""
        return self.run.folder.resolve().name

    @property
    def ledger(self) -> Path:
        """Where its outcomes are."""
        return self.run.folder / LEDGER


def parts_of(benchmark: Benchmark) -> dict[str, str]:
    """What outcomes of a benchmark depend on, besides entrant and sample, by what a user would call it."""
    dataset = benchmark.dataset
    _, _, measures, settings, _ = benchmark.spec or ("", "", (), (), ())
    return {
        "Beholder, or a library that it computes with": package(),
        f"{benchmark.name} on {dataset.name}": f"version {benchmark.version}, {dataset.fingerprint}",
        f"the settings of {benchmark.name}": str((measures, sorted(settings))),
        **{f"{used.name} of {benchmark.name}": used.digest for used in benchmark.uses},
    }


def find_earlier(runs: Sequence[Run], benchmark: Benchmark) -> list[Earlier]:
    """The benchmark in each of some earlier runs that had it; refused with a sentence where scores do not compare."""
    found = [
        Earlier(run, facts, read_parts(run.folder))
        for run in runs
        for facts in run.facts["benchmarks"]
        if facts["name"] == benchmark.name and facts["datasets"][0]["name"] == benchmark.dataset.name
    ]
    for one in found:
        if fault := _fault(one, one.facts["datasets"][0], benchmark):
            raise Misuse(f"{benchmark.name}: the run {one.run.folder} {fault}")
    return found


def read_runs(folders: Sequence[str | Path]) -> list[Run]:
    """Earlier runs; each must be finished."""
    return [read(folder) for folder in dict.fromkeys(map(Path, folders))]


def _fault(one: Earlier, data: DatasetFacts, now: Benchmark) -> str:
    """Why scores of the earlier run cannot stand beside those of this one; nothing where they can."""
    then, ids = one.facts, list(now.dataset.ids) if len(now.dataset) < len(now.dataset.all_ids) else None
    if then["version"] != now.version:
        return f"has version {then['version']}, and this is version {now.version}: run its models again"
    if (then["official"], then["unjudged"]) != (list(now.official), [one.name for one in now.unjudged.criteria]):
        return f"is judged by {', '.join(then['official'])}, and this one by {', '.join(now.official)}"
    if data["fingerprint"] != now.dataset.fingerprint:
        marks = f"{data['fingerprint']}, now {now.dataset.fingerprint}"
        return f"used another state of the dataset {data['name']} ({marks}): run its models again"
    if data["ids"] != ids:
        many = f"{data['samples']} samples of {data['name']} and this one over {len(now.dataset)}"
        return f"is over {many}, or over others: give the same --limit, --every and --only"
    part = f"the settings of {now.name}"
    if now.spec and one.parts.get(part, parts_of(now)[part]) != parts_of(now)[part]:
        return "had other settings (--set, --measure): give the same"
    return ""


def recall_from(one: Earlier, job: Job, todo: Mapping[str, Sequence[str]], ledger: Ledger) -> Todo:
    """Enter what built-in entrants scored there, where all that they depend on is the same; what is left to do."""
    found, bench = {name: list(ids) for name, ids in todo.items()}, job.benchmark
    depends = {**parts_of(bench), "--seed": str(job.seed), "--repeats": str(job.repeats)}
    if job.since or not bench.spec or any(one.parts.get(key) != value for key, value in depends.items()):
        return found
    if not job.memory and list_changed(one.run.folder):  # a picture may be another one, under the same name
        return found
    place = answers_folder(one.run.folder, bench)
    for name, ids in found.items():
        entrant = job.entrants[name]
        if entrant.built_in and one.parts.get(f"{entrant.role} {name} of {bench.name}") == entrant.stamp:
            known = read_sealed(one.ledger, bench.key, name)
            answer = partial(read_answer, job, name, place)
            found[name] = [id for id in ids if id not in known or not enter(job, ledger, name, id, known[id], answer)]
    return found


def join(one: Earlier, job: Job, scores: pd.DataFrame, ledger: Ledger) -> pd.DataFrame:
    """The table with the rows of the earlier run's models, named apart, and in `attrs` where they come from."""
    about = scores.attrs["run"]
    if (before := one.facts.get("stimuli", "")) and before != about["stimuli"]:  # digested as they are read
        raise Misuse(f"the run {one.run.folder} was shown other stimuli of the same names: run its models again")
    tables, facts = [scores], list(about["models"])
    for model, own, name in _newcomers(one, job, scores):
        tables.append(own.assign(model=name))
        said = f"its scores are those of the run {one.name}, and were not computed again"
        facts.append({**model, "name": name, "origin": model.get("origin", one.name)})
        facts[-1]["remarks"] = [*model.get("remarks", []), *([] if "origin" in model else [said])]
        for id, sealed in read_sealed(one.ledger, job.benchmark.key, model["name"]).items():
            ledger.enter(job.benchmark.key, name, id, sealed)  # for pictures of the whole
        _copy_answers(one, job, model["name"], name)
    joined = join_tables(tables)
    joined.attrs = {**scores.attrs, "run": {**about, "models": facts}}
    return joined


def _newcomers(one: Earlier, job: Job, scores: pd.DataFrame) -> Iterator[tuple[ModelFacts, pd.DataFrame, str]]:
    """The models under test there, their rows, and what they are called here: the same model and rows stand once."""
    bench, rows, taken = job.benchmark, one.run.scores, set(scores["model"])
    rows = rows[(rows["benchmark"] == bench.name) & (rows["dataset"] == bench.dataset.name)]
    for model in one.facts.get("models", []):
        name, own = model["name"], rows[rows["model"] == model["name"]]
        if model["role"] not in JUDGED or name in bench.provided("baseline"):
            continue
        same = plain(scores[scores["model"] == name]).reset_index(drop=True)
        if name not in taken or not plain(own).reset_index(drop=True).equals(same):
            yield model, own, f"{name} ({one.name})" if name in taken else name


def _copy_answers(one: Earlier, job: Job, name: str, here: str) -> None:
    """Copy what a model answered to the samples that are to be drawn, as far as that was kept."""
    files, folder = job.benchmark.files, job.keep.folder
    if files is None or folder is None:
        return
    place = answers_folder(one.run.folder, job.benchmark)
    for id in job.keep.ids or ():
        kept, copy = (answer_path(*where, id, files.suffixes[0]) for where in ((place, name), (folder, here)))
        if kept.is_file() and not copy.exists():
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(kept.read_bytes())
