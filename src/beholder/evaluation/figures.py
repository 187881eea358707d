"""Pictures of a run, drawn by the benchmark's domain: of its first samples and of the whole; and stimuli as files."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from beholder.core.benchmark import Benchmark, Readings
from beholder.core.measure import NotApplicable
from beholder.engines.dispatch import part
from beholder.engines.local import Local
from beholder.store.ledger import Ledger
from beholder.store.paths import answer_path, slug

if TYPE_CHECKING:
    import pandas as pd

WHOLE = "overview"  # the folder of pictures that are not of one sample
COMPRESSION = 3  # of 9: half the time of 6, which saves 5 % of the bytes of photographs
WORTH = 8.0  # seconds of drawing from which workers pay: each one takes two or three to load what it draws with


def answers_folder(folder: Path, benchmark: Benchmark) -> Path:
    """Where the kept answers of a benchmark on a dataset lie."""
    return folder / "answers" / slug(benchmark.name) / slug(benchmark.dataset.name)


class Sheet(NamedTuple):
    """A picture of one sample that is to be drawn."""

    id: str
    file: Path
    answers: Mapping[str, Path]  # by model, as they were kept

    @property
    def done(self) -> bool:
        """Whether it was drawn, and of these answers."""
        return self.file.is_file() and all(_older(answer, self.file) for answer in self.answers.values())


def drawn(
    bench: Benchmark, folder: Path, *, shown: Sequence[str], samples: int, say: Callable[[str], None], jobs: int = 1
) -> list[str]:
    """A picture of each of some samples with what every model answered; paths relative to the run's folder."""
    if bench.draw is None or bench.files is None or not samples:
        return []
    place = _place(folder, bench)
    place.mkdir(parents=True, exist_ok=True)
    some = spread(bench.dataset.ids, samples)
    sheets = [Sheet(id, place / f"{slug(id)}.png", _answers(bench, folder, shown, id)) for id in some]
    faults = _faults(bench, [sheet for sheet in sheets if sheet.answers and not sheet.done], jobs)
    for id, fault in faults.items():
        say(f"{bench.name}, sample {id}: no picture ({fault})")
    fine = (sheet.file for sheet in sheets if sheet.id not in faults)
    return [file.relative_to(folder).as_posix() for file in fine if file.is_file()]


def spread(ids: Sequence[str], count: int) -> list[str]:
    """So many of a dataset's samples, from its first to its last: the classes of a dataset stand one after the other.

    >>> spread("abcdefgh", 3), spread("ab", 3)
    (['a', 'e', 'h'], ['a', 'b'])
    """
    steps = max(count - 1, 1)
    return list(dict.fromkeys(ids[(at * (len(ids) - 1) + steps // 2) // steps] for at in range(count) if ids))


def _answers(bench: Benchmark, folder: Path, shown: Sequence[str], id: str) -> dict[str, Path]:
    return {name: path for name in shown if (path := _kept(bench, folder, name, id)).is_file()}


def _faults(bench: Benchmark, sheets: Sequence[Sheet], jobs: int) -> dict[str, str]:
    """Draw; what went wrong, by sample. The first tells how long one takes, and so whether workers pay."""
    started = time.monotonic()
    found = {sheet.id: fault for sheet in sheets[:1] if (fault := _fault(bench, sheet))}
    left, took = sheets[1:], time.monotonic() - started
    if jobs > 1 and bench.spec and took * len(left) > WORTH:
        return found | _in_workers(bench, left, jobs)
    return found | {sheet.id: fault for sheet in left if (fault := _fault(bench, sheet))}


def _in_workers(bench: Benchmark, sheets: Sequence[Sheet], jobs: int) -> dict[str, str]:
    pool, sent = Local(min(jobs, len(sheets))), pickle.dumps(bench, protocol=5)
    try:
        asked = {sheet.id: pool.submit(_fault, sent, sheet) for sheet in sheets}
        said = {id: _said(future) for id, future in asked.items()}
    except BaseException:
        pool.shutdown(cancel_futures=True)
        raise
    pool.shutdown()
    return {id: fault for id, fault in said.items() if fault}


def _said(future: Future[str]) -> str:
    try:
        return future.result()
    except Exception as fault:  # noqa: BLE001  (a worker that dies costs its picture only)
        return str(fault)


def _fault(bench: Benchmark | bytes, sheet: Sheet) -> str:
    """Draw a sheet; what went wrong, if anything did. A worker gets the benchmark as bytes."""
    try:
        _draw(_built(bench) if isinstance(bench, bytes) else bench, sheet)
    except Exception as fault:  # noqa: BLE001  (a picture that cannot be drawn costs itself only)
        return f"{type(fault).__name__}: {fault}"
    return ""


@lru_cache(maxsize=1)
def _built(sent: bytes) -> Benchmark:
    """A benchmark in a worker, built once for all sheets."""
    found: Benchmark = pickle.loads(sent)
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
        name: {id: pair for id in bench.dataset.ids if (pair := _first(book.outcome(part(bench), name, id)))}
        for name in models
    }


def _first(outcome: Any) -> tuple[Any, Any] | None:
    """The first pair that an outcome keeps for pooled measures; a fault is none."""
    several = outcome.pooled.values() if outcome else ()
    found = (value for pairs in several for _, _, value in pairs[:1])
    return next((value for value in found if type(value) is tuple), None)


def _place(folder: Path, bench: Benchmark) -> Path:
    return folder / "figures" / slug(bench.name) / slug(bench.dataset.name)


def _save(figure: Any, file: Path) -> None:
    """A figure in a file, whole or not at all."""
    temporary = file.with_name(f".{file.name}.tmp")
    figure.savefig(temporary, format="png", dpi=150, pil_kwargs={"compress_level": COMPRESSION})
    temporary.replace(file)


def _older(one: Path, other: Path) -> bool:
    return one.stat().st_mtime <= other.stat().st_mtime


def _kept(bench: Benchmark, folder: Path, name: str, id: str) -> Path:
    suffix = bench.files.suffixes[0] if bench.files else ""
    return answer_path(answers_folder(folder, bench), name, id, suffix)


def _draw(bench: Benchmark, sheet: Sheet) -> None:
    """Draw one sample into a file, whole or not at all."""
    if bench.draw is None or bench.files is None:
        return
    sample = bench.dataset.load(sheet.id)
    raw = {name: bench.files.read(path) for name, path in sheet.answers.items()}
    _save(bench.draw(sample, {name: bench.accept(one, sample.stimulus) for name, one in raw.items()}), sheet.file)


def save_stimuli(benchmarks: Sequence[Benchmark], folder: Path, say: Callable[[str], None]) -> int:
    """Write the stimuli of some benchmarks as files, a folder a sample, for models in other languages."""
    written = 0
    for bench in benchmarks:
        files = bench.files
        if files is None or files.show is None:
            say(f"{bench.name} cannot write its stimuli to files")
            continue
        hidden = []
        for sample in bench.dataset:
            place = folder / slug(bench.dataset.name) / Path(*(slug(p) for p in sample.id.split("/")))
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
            say(f"{bench.name}: {len(hidden)} of {len(bench.dataset)} stimuli cannot be written: {hidden[0]}")
    return written
