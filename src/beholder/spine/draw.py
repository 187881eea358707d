"""Pictures of a run's first samples, drawn by the benchmark's domain from kept answers; and stimuli as files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from beholder.spine.benchmark import Benchmark
from beholder.spine.trial import answer_path, slug


def answers_folder(folder: Path, benchmark: Benchmark) -> Path:
    """Where the kept answers of a benchmark on a bed lie."""
    return folder / "answers" / slug(benchmark.name) / slug(benchmark.bed.name)


def drawn(bench: Benchmark, folder: Path, shown: Sequence[str], samples: int, say: Callable[[str], None]) -> list[str]:
    """A picture of each of the first samples with what every model answered; paths relative to the run's folder."""
    if bench.draw is None or bench.files is None or not samples:
        return []
    place = folder / "figures" / slug(bench.name) / slug(bench.bed.name)
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
    temporary = file.with_name(f".{file.name}.tmp")
    bench.draw(sample, accepted).savefig(temporary, format="png", dpi=150)
    temporary.replace(file)


def save_stimuli(benchmarks: Sequence[Benchmark], folder: Path, say: Callable[[str], None]) -> int:
    """Write the stimuli of some benchmarks as files, a folder a sample, for models in other languages."""
    written = 0
    for bench in benchmarks:
        files = bench.files
        if files is None or files.show is None:
            say(f"{bench.name} cannot write its stimuli to files")
            continue
        for sample in bench.bed:
            place = folder / slug(bench.bed.name) / Path(*(slug(p) for p in sample.id.split("/")))
            place.mkdir(parents=True, exist_ok=True)
            files.show(sample.stimulus, place)
            if files.reveal is not None:
                files.reveal(sample, place)
            written += 1
    return written
