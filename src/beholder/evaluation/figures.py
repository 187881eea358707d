"""Pictures of a run, drawn by the benchmark's domain: of its first samples and of the whole; and stimuli as files."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from beholder.core.benchmark import Benchmark, Figures
from beholder.core.measure import NotApplicable
from beholder.core.sample import Sample
from beholder.engines.parcels import pack, unpack
from beholder.engines.protocol import Engine, Parcel
from beholder.errors import DiskFull, printable
from beholder.evaluation.drawn import Drawn, facts_file, write_drawn
from beholder.evaluation.films import write_films
from beholder.evaluation.views import write_views
from beholder.io.atomic import whole_file
from beholder.store.ledger import Ledger
from beholder.store.paths import answer_path, sketch_suffix, slug

if TYPE_CHECKING:
    import pandas as pd

WHOLE = "overview"  # the folder of pictures that are not of one sample
DPI = 150
COMPRESSION = 6  # of 9, of graphs: a twentieth less than 3
SHEET = ".webp"  # sheets are full of photographs, which weigh a third of what they do as .png
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


def draw_samples(
    bench: Benchmark,
    folder: Path,
    *,
    models: Sequence[str],
    samples: int,
    say: Callable[[str], None],
    engine: Engine,
    step: Callable[[bool], object] = bool,
) -> list[str]:
    """A picture of each of some samples with what every model answered; paths relative to the run's folder."""
    if bench.figures.sample is None or bench.files is None or not samples:
        return []
    place = figures_folder(folder, bench)
    place.mkdir(parents=True, exist_ok=True)
    some = spread(bench.dataset.ids, samples)
    sheets = [Sheet(id, _sheet_file(bench, folder, id), _kept_answers(bench, folder, models, id)) for id in some]
    faults = _draw_all(bench, [sheet for sheet in sheets if sheet.answers and not sheet.done], engine, step)
    for id, fault in faults.items():
        say(f"{bench.name}, sample {id}: no picture ({fault})")
    fine = (sheet.file for sheet in sheets if sheet.id not in faults)
    return [file.relative_to(folder).as_posix() for file in fine if file.is_file()]


def list_records(folder: Path, sheets: Iterable[str]) -> list[str]:
    """The records of what lies beside some pictures, films and views; paths relative to the run's folder."""
    files = (facts_file(folder / sheet) for sheet in sheets)
    return [file.relative_to(folder).as_posix() for file in files if file.is_file()]


def list_undrawn(
    bench: Benchmark, folder: Path, samples: int, unfinished: Callable[[], Mapping[str, Sequence[str]]]
) -> frozenset[str]:
    """The samples that are to be drawn, or drawn anew as somebody is still to answer them; their answers are needed."""
    if bench.figures.sample is None or bench.files is None or not samples:
        return frozenset()
    awaited = {id for ids in unfinished().values() for id in ids}
    some = spread(bench.dataset.ids, samples)
    return frozenset(id for id in some if id in awaited or not _sheet_file(bench, folder, id).is_file())


def drop_answers(bench: Benchmark, folder: Path, models: Iterable[str], ids: Iterable[str]) -> None:
    """Remove answers that were kept to be drawn, and folders that this leaves empty."""
    names = list(models)
    for path in [path for id in ids for path in _list_kept(bench, folder, names, id)]:
        path.unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # one is not empty
            for place in path.relative_to(folder).parents[:-1]:
                (folder / place).rmdir()


def _sheet_file(bench: Benchmark, folder: Path, id: str) -> Path:
    return figures_folder(folder, bench) / f"{slug(id)}{SHEET}"


def spread(ids: Sequence[str], count: int) -> list[str]:
    """So many of a dataset's samples, from its first to its last: the classes of a dataset stand one after the other.

    >>> spread("abcdefgh", 3), spread("ab", 3)
    (['a', 'e', 'h'], ['a', 'b'])
    """
    steps = max(count - 1, 1)
    return list(dict.fromkeys(ids[(at * (len(ids) - 1) + steps // 2) // steps] for at in range(count) if ids))


def _kept_answers(bench: Benchmark, folder: Path, models: Sequence[str], id: str) -> dict[str, Path]:
    """Answers to a sample: whole ones, else sketches."""
    found = {name: _list_kept(bench, folder, [name], id) for name in models}
    return {name: paths[0] for name, paths in found.items() if paths}


def _list_kept(bench: Benchmark, folder: Path, models: Sequence[str], id: str) -> list[Path]:
    """All that is kept of some models' answers to a sample."""
    place, suffix = answers_folder(folder, bench), bench.files.suffixes[0] if bench.files else ""
    paths = [answer_path(place, name, id, end) for name in models for end in (suffix, sketch_suffix(suffix))]
    return [path for path in paths if path.is_file()]


def _draw_all(
    bench: Benchmark, sheets: Sequence[Sheet], engine: Engine, step: Callable[[bool], object]
) -> dict[str, str]:
    """Draw the sheets; what went wrong, by sample. The time of the first decides whether workers pay."""
    started, faults = time.monotonic(), {}
    for id, fault in _drawn(bench, sheets, engine, started):
        step(bool(fault))
        faults[id] = fault
    return {id: fault for id, fault in faults.items() if fault}


def _drawn(bench: Benchmark, sheets: Sequence[Sheet], engine: Engine, started: float) -> Iterator[tuple[str, str]]:
    """Sample by sample, as they are drawn, what went wrong with it."""
    for sheet in sheets[:1]:
        yield sheet.id, _draw(bench, sheet)
    left, took = sheets[1:], time.monotonic() - started
    if engine.slots > 1 and not engine.far and bench.spec and took * len(left) > WORTH and (data := pack(bench)):
        parcel = engine.share(data)
        asked = {sheet.id: engine.submit(_draw, parcel, sheet) for sheet in left}
        yield from ((id, _outcome(future)) for id, future in asked.items())
    else:
        yield from ((sheet.id, _draw(bench, sheet)) for sheet in left)


def _outcome(future: Future[str]) -> str:
    try:
        return future.result()
    except Exception as fault:  # noqa: BLE001  (a worker that dies costs its picture only)
        return str(fault)


def _draw(where: Benchmark | Parcel, sheet: Sheet) -> str:
    """Draw one sample into a file, whole or not at all; what went wrong, if anything did."""
    try:
        bench: Benchmark = where if isinstance(where, Benchmark) else unpack(where.read())
        if bench.figures.sample is None or bench.files is None:
            return ""
        sample = bench.dataset.load(sheet.id)
        raw = {name: bench.files.read(path) for name, path in sheet.answers.items()}
        answers = {name: bench.accept(one, sample.stimulus) for name, one in raw.items()}
        write_drawn(_beside(bench.figures, sample, answers, sheet.file), sheet.file)
        _save(bench.figures.sample(sample, answers), sheet.file)  # last: it says that all is done
    except Exception as fault:  # noqa: BLE001  (a picture that cannot be drawn costs itself only)
        return f"{type(fault).__name__}: {fault}"
    return ""


def _beside(how: Figures, sample: Sample[Any, Any], answers: Mapping[str, Any], sheet: Path) -> Drawn:
    """Draw what stands beside the sheet of a sample; views that cannot be drawn cost themselves only."""
    record: Drawn = {"id": printable(sample.id)}
    if how.films:
        record["films"] = write_films(how.films(sample, answers), sheet)
    if how.views:
        try:
            record["views"] = write_views(how.views(sample, answers), sheet)
        except DiskFull:
            raise
        except Exception as why:  # noqa: BLE001  (answers are anybody's)
            record["fault"] = printable(f"{type(why).__name__}: {why}")
    return record


def draw_overview(
    bench: Benchmark, folder: Path, ledger: Ledger, scores: pd.DataFrame, say: Callable[[str], None]
) -> list[str]:
    """Pictures of the benchmark as a whole, from its scores and what its pooled measures have read of every sample."""
    if bench.figures.overview is None:
        return []
    place = figures_folder(folder, bench) / WHOLE
    try:
        figures = bench.figures.overview(scores, LedgerReadings(bench, ledger, list(scores["model"].unique())))
        place.mkdir(parents=True, exist_ok=True)
        files = {place / f"{slug(title)}.png": figure for title, figure in figures.items()}
        for file, figure in files.items():
            _save(figure, file)
    except Exception as fault:  # noqa: BLE001  (a picture that cannot be drawn costs itself only)
        say(f"{bench.name}: no overview ({type(fault).__name__}: {fault})")
        return []
    return [file.relative_to(folder).as_posix() for file in files]


class LedgerReadings(Mapping[str, Mapping[str, tuple[Any, Any]]]):
    """What pooled measures have read, by model and sample, from the ledger; of a stochastic model the first repeat.

    A model's are read when they are asked for: not every overview needs them, and there may be many.
    """

    def __init__(self, bench: Benchmark, ledger: Ledger, models: Sequence[str]) -> None:
        self._bench, self._ledger, self._models = bench, ledger, dict.fromkeys(models)

    def __getitem__(self, model: str) -> Mapping[str, tuple[Any, Any]]:
        if model not in self._models:
            raise KeyError(model)
        bench, of = self._bench, self._ledger.outcome
        return {id: pair for id in bench.dataset.ids if (pair := _first_pair(of(bench.key, model, id)))}

    def __iter__(self) -> Iterator[str]:
        return iter(self._models)

    def __len__(self) -> int:
        return len(self._models)


def _first_pair(outcome: Any) -> tuple[Any, Any] | None:
    """The first pair that an outcome keeps for pooled measures; a fault is none."""
    several = outcome.pooled.values() if outcome else ()
    found = (value for pairs in several for _, _, value in pairs[:1])
    return next((value for value in found if type(value) is tuple), None)


def figures_folder(folder: Path, bench: Benchmark) -> Path:
    """Where the pictures of a benchmark on a dataset lie."""
    return folder / "figures" / slug(bench.name) / slug(bench.dataset.name)


def _save(figure: Any, file: Path) -> None:
    """A figure in a file, whole or not at all; drawn once, where `savefig` would draw it twice to lay it out."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from PIL import Image

    figure.set_dpi(DPI)
    canvas: Any = FigureCanvasAgg(figure)
    canvas.draw()
    how = {"quality": 80, "method": 2} if file.suffix == SHEET else {"compress_level": COMPRESSION}
    with whole_file(file) as out:  # without its alpha, which is 1 everywhere
        Image.fromarray(np.asarray(canvas.buffer_rgba())[..., :3]).save(out, format=file.suffix[1:], **how)


def _older(one: Path, other: Path) -> bool:
    return one.stat().st_mtime <= other.stat().st_mtime


def save_stimuli(benchmarks: Sequence[Benchmark], folder: Path, say: Callable[[str], None]) -> int:
    """Write the stimuli of some benchmarks as files, one folder per sample, for models in other languages."""
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
