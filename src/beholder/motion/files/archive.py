"""Perceived flow that was measured: files of answers, read once and handed out movie by movie."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from beholder.core.benchmark import Recorded
from beholder.core.sample import Dataset, Sample
from beholder.errors import Misuse
from beholder.motion.perceived import Probes, Scene, Shown


@dataclass(frozen=True)
class Stored(Recorded):
    """A model whose answers lie beside a dataset's movies."""

    cite: str = ""


@dataclass(frozen=True, eq=False)
class Archive:
    """The loader of a dataset whose people's answers are all in memory; frames are read when a movie is asked for."""

    samples: Mapping[str, Sample[Any, Probes]]
    recorded: Mapping[str, Recorded] = field(default_factory=dict)  # models that are known by their answers
    fitted: Mapping[str, Recorded] = field(default_factory=dict)  # those that were fitted to these very people
    frames: Mapping[str, Callable[[], Scene]] = field(default_factory=dict)  # of the movies whose frames are here

    @property
    def sighted(self) -> bool:
        """Whether there is any frame for a model to look at."""
        return bool(self.frames)

    def __call__(self, id: str) -> Sample[Shown, Probes]:
        """One movie, with its frames where they are here."""
        sample = self.samples[id]
        if id not in self.frames:
            return sample
        return Sample(id, self.frames[id](), sample.reference, sample.tags)

    def reference(self, id: str) -> Probes:
        """What people answered, without the frames."""
        return self.samples[id].reference


def recorded(dataset: Dataset[Any, Any]) -> Mapping[str, Recorded]:
    """The models whose answers lie beside a dataset's movies; none for other datasets."""
    found: Mapping[str, Recorded] = getattr(dataset.load, "recorded", {})
    return found


def fitted(dataset: Dataset[Any, Any]) -> Mapping[str, Recorded]:
    """Answers that were fitted to a dataset's people, and so are no fair competitors."""
    found: Mapping[str, Recorded] = getattr(dataset.load, "fitted", {})
    return found


def has_frames(dataset: Dataset[Any, Any]) -> bool:
    """Whether a dataset shows frames of at least some movies; datasets that are no archives are taken to."""
    return bool(getattr(dataset.load, "sighted", True))


def find_files(path: Path, wanted: Iterable[str], what: str) -> list[Path]:
    """The files of a set below a folder, all of which must be there."""
    if not path.is_dir():
        raise Misuse(f"got {path}, which is not a folder; expected {what}")
    files = [path / name for name in wanted]
    missing = [file for file in files if not file.is_file()]
    if missing:
        lacking = missing[0].relative_to(path).as_posix()
        raise Misuse(f"got {path} without {lacking}; expected {what}")
    return files
