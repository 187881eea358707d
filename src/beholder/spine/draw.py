"""Pictures of a run, drawn by the benchmark's domain: of its first samples and of the whole; and stimuli as files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from beholder.spine.benchmark import Benchmark, Readings
from beholder.spine.dispatch import part
from beholder.spine.ledger import Ledger
from beholder.spine.measure import NotApplicable
from beholder.spine.trial import answer_path, slug

if TYPE_CHECKING:
    import pandas as pd

WHOLE = "overview"  # the folder of pictures that are not of one sample


def answers_folder(folder: Path, benchmark: Benchmark) -> Path:
    """Where the kept answers of a benchmark on a bed lie."""
    return folder / "answers" / slug(benchmark.name) / slug(benchmark.bed.name)


def drawn(bench: Benchmark, folder: Path, shown: Sequence[str], samples: int, say: Callable[[str], None]) -> list[str]:
    """A picture of each of the first samples with what every model answered; paths relative to the run's folder."""
    if bench.draw is None or bench.files is None or not samples:
        return []
    place = _place(folder, bench)
    place.mkdir(parents=True, exist_ok=True)
    found = []
    for id in bench.bed.ids[:samples]:
        file = place / f"{slug(id)}.png"
        answers = {name: path for name in shown if (path := _kept(bench, folder, name, id)).is_file()}
        if answers and not (file.is_file() and all(_older(answer, file) for answer in answers.values())):
            try:
                _draw(bench, id, {name: bench.files.read(path) for name, path in answers.items()}, file)
            except Exception as fault:  # noqa: BLE001  (a picture that cannot be drawn costs itself only)
                say(f"{bench.name}, sample {id}: no picture ({type(fault).__name__}: {fault})")
                continue
        if file.is_file():
            found.append(file.relative_to(folder).as_posix())
    return found


def overviews(
    bench: Benchmark, folder: Path, book: Ledger, scores: pd.DataFrame, say: Callable[[str], None]
) -> list[str]:
    """Pictures of the benchmark as a whole, from its scores and what its pooled measures have read of every sample."""
    if bench.overview is None:
        return []
    place = _place(folder, bench) / WHOLE
    try:
        figures = bench.overview(scores, readings(bench, book, list(dict.fromkeys(scores["model"]))))
        place.mkdir(parents=True, exist_ok=True)
        files = {place / f"{slug(title)}.png": figure for title, figure in figures.items()}
        for file, figure in files.items():
            _save(figure, file)
    except Exception as fault:  # noqa: BLE001  (a picture that cannot be drawn costs itself only)
        say(f"{bench.name}: no overview ({type(fault).__name__}: {fault})")
        return []
    return [file.relative_to(folder).as_posix() for file in files]


def readings(bench: Benchmark, book: Ledger, models: Sequence[str]) -> Readings:
    """What pooled measures have read, from the ledger; of a stochastic model the first repeat."""
    return {
        name: {id: pair for id in bench.bed.ids if (pair := _first(book.outcome(part(bench), name, id)))}
        for name in models
    }


def _first(outcome: Any) -> tuple[Any, Any] | None:
    """The first pair that an outcome keeps for pooled measures; a fault is none."""
    several = outcome.pooled.values() if outcome else ()
    found = (value for pairs in several for _, _, value in pairs[:1])
    return next((value for value in found if type(value) is tuple), None)


def _place(folder: Path, bench: Benchmark) -> Path:
    return folder / "figures" / slug(bench.name) / slug(bench.bed.name)


def _save(figure: Any, file: Path) -> None:
    """A figure in a file, whole or not at all."""
    temporary = file.with_name(f".{file.name}.tmp")
    figure.savefig(temporary, format="png", dpi=150)
    temporary.replace(file)


def _older(one: Path, other: Path) -> bool:
    return one.stat().st_mtime <= other.stat().st_mtime


def _kept(bench: Benchmark, folder: Path, name: str, id: str) -> Path:
    suffix = bench.files.suffixes[0] if bench.files else ""
    return answer_path(answers_folder(folder, bench), name, id, suffix)


def _draw(bench: Benchmark, id: str, answers: Mapping[str, Any], file: Path) -> None:
    """Draw one sample into a file, whole or not at all."""
    if bench.draw is None:
        return
    sample = bench.bed.load(id)
    accepted = {name: bench.accept(raw, sample.stimulus) for name, raw in answers.items()}
    _save(bench.draw(sample, accepted), file)


def save_stimuli(benchmarks: Sequence[Benchmark], folder: Path, say: Callable[[str], None]) -> int:
    """Write the stimuli of some benchmarks as files, a folder a sample, for models in other languages."""
    written = 0
    for bench in benchmarks:
        files = bench.files
        if files is None or files.show is None:
            say(f"{bench.name} cannot write its stimuli to files")
            continue
        hidden = []
        for sample in bench.bed:
            place = folder / slug(bench.bed.name) / Path(*(slug(p) for p in sample.id.split("/")))
            place.mkdir(parents=True, exist_ok=True)
            try:
                files.show(sample.stimulus, place)
            except NotApplicable as why:
                hidden.append(str(why))
                continue
            if files.reveal is not None:
                files.reveal(sample, place)
            written += 1
        if hidden:
            say(f"{bench.name}: {len(hidden)} of {len(bench.bed)} stimuli cannot be written: {hidden[0]}")
    return written
