"""All that is needed to put any entrant to any sample of one benchmark, in whichever process."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from beholder.core.benchmark import Benchmark
from beholder.core.entrant import Answering, Asked, Entrant, Recalling, Respondent
from beholder.core.model_code import Process, freeze, model_code
from beholder.core.sample import Sample
from beholder.core.scores import JUDGED
from beholder.store.digest import digest
from beholder.store.opened import watch_files
from beholder.store.paths import answer_path, sketch_suffix

MOST = 64  # samples that are kept for the next entrant: as many as are sent to a worker at once
LARGEST = 16 * 1024**2  # bytes of arrays in them, all in all; a larger sample is kept alone


class Keep(NamedTuple):
    """Whose answers to what are kept as files, and where."""

    folder: Path | None = None
    ids: frozenset[str] | None = None  # None: all
    names: frozenset[str] | None = None  # None: everybody's
    post: bool = False  # the folder is a worker's own: each answer is taken out and sent
    sketch: bool = False  # they are to be drawn only: of built-in models no more is kept than pictures show

    def wants(self, name: str, id: str) -> bool:
        """Whether an answer is to be kept."""
        mine = (self.names is None or name in self.names) and (self.ids is None or id in self.ids)
        return self.folder is not None and mine


def admit_all(name: str, model: Any, dataset: str) -> None:
    """Refuse nobody."""


class _Met(NamedTuple):
    """A sample that is kept for the next entrant."""

    sample: Sample[Any, Any]
    seen: str  # digest of the stimulus
    size: int  # bytes of arrays
    alone: dict[str, Any]  # the reference of each observer alone


@dataclass
class Job:
    """One benchmark, who takes part in it, and how they are asked.

    `admit` raises where a model must not be scored on the dataset, such as one that was trained on it. Where benchmark
    and dataset are ours, `memory` is what outcomes of built-in entrants are remembered by, beyond the run. With
    `since`, a time, all is computed anew: nothing is read that was kept before.
    """

    benchmark: Benchmark
    entrants: Mapping[str, Entrant]
    seed: int = 0
    repeats: int = 10
    keep: Keep = field(default_factory=Keep)
    admit: Callable[[str, Any, str], None] = admit_all
    memory: str = ""
    since: float = 0.0
    _met: dict[str, _Met] = field(default_factory=dict, repr=False)
    _size: int = field(default=0, repr=False)
    _open: dict[str, Respondent] = field(default_factory=dict, repr=False)
    _told: tuple[set[str], ...] = field(default_factory=lambda: (set(), set()), repr=False)

    @property
    def title(self) -> str:
        """What it is called while it is under way."""
        return f"{self.benchmark.name} on {self.benchmark.dataset.name}"

    def meet(self, id: str) -> Asked:
        """A sample, read-only, as entrants meet it; the last ones are kept for the next entrant, if they are small."""
        if id not in self._met:
            with watch_files():  # scores depend on a picture as they do on a model's weights
                sample = self.benchmark.dataset.load(id)
            size = freeze((sample.stimulus, sample.reference))
            while self._met and (len(self._met) >= MOST or self._size + size > LARGEST):
                self._size -= self._met.pop(next(iter(self._met))).size
            self._met[id] = _Met(sample, digest(sample.stimulus), size, {})
            self._size += size
        met = self._met[id]
        return Asked(self.benchmark, met.sample, met.seen, self.seed, self.repeats, met.alone)

    def keep_only(self, ids: Collection[str]) -> None:
        """Let go of all samples but these: what measures derive from a sample is kept with it, and is far larger."""
        for id in [id for id in self._met if id not in ids]:
            self._size -= self._met.pop(id).size

    def respondent(self, name: str) -> Respondent:
        """An entrant, opened once per process, checked that it may be scored here, and told of the test."""
        if name not in self._open:
            entrant, recorded = self.entrants[name], False
            try:
                with model_code():
                    opened = entrant.open(self.benchmark)
                recorded = isinstance(opened, Recalling)  # nobody's code: what is read out of it may be kept
            finally:
                Process.foreign |= not (entrant.built_in or recorded)
            if entrant.role in JUDGED:
                self.admit(name, opened.model, self.benchmark.dataset.name)
                if self.benchmark.hooks.inform and isinstance(opened, Answering):
                    opened = Answering(self.benchmark.hooks.inform(opened.model))
            self._open[name] = opened
        return self._open[name]

    def memory_key(self, name: str, id: str) -> str:
        """The cache's key of an outcome; nothing where it is not to be remembered beyond the run."""
        entrant = self.entrants[name]
        if not self.memory or not entrant.built_in:
            return ""
        return digest("outcome", self.memory, entrant.role, name, entrant.spec, id, self.seed, self.repeats)

    def sketches(self, name: str) -> bool:
        """Whether no more is kept of an entrant's answers than pictures show: whole ones may be large."""
        return self.keep.sketch and self.benchmark.figures.sketch is not None and self.entrants[name].built_in

    def answer_file(self, name: str, id: str) -> Path | None:
        """Where an answer that is to be kept lies; None where it is not to be."""
        files, keep = self.benchmark.files, self.keep
        if files is None or keep.folder is None or not keep.wants(name, id):
            return None
        suffix = files.suffixes[0]
        return answer_path(keep.folder, name, id, sketch_suffix(suffix) if self.sketches(name) else suffix)

    def take_answer(self, name: str, id: str) -> bytes | None:
        """An answer out of the folder; None where it is not there."""
        file = self.answer_file(name, id)
        if file is None or not file.is_file():
            return None
        data = file.read_bytes()
        file.unlink()
        return data

    def news(self, *known: set[str]) -> list[set[str]]:
        """Of some sets, what is new since they were last given, in this process."""
        new = [now - told for now, told in zip(known, self._told, strict=True)]
        for told, more in zip(self._told, new, strict=True):
            told.update(more)
        return new
