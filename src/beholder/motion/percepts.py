"""Answers that are percepts with durations: what was seen, one after the other, of what can be seen two ways."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.core.measure import NotApplicable
from beholder.io.atomic import whole_file
from beholder.io.bounds import LARGEST, check_text
from beholder.motion.files.movies import show as show_movie
from beholder.motion.types import Answer, Movie

Floats = NDArray[np.float64]
COHERENT, TRANSPARENT = "coherent", "transparent"
WORDS = (COHERENT, TRANSPARENT)
ASKED = "a sequence of (percept, seconds), percepts being 'coherent' or 'transparent'"


@dataclass(frozen=True, eq=False)
class Watched(Movie):
    """A movie of a motion that goes on unchanged and is looked at for `watched` seconds in all."""

    watched: float = 60.0  # s: a trial of Hupé and Rubin [verified]


@dataclass(frozen=True, eq=False)
class Percepts:
    """What was seen, in order, and for how long. The last one was ended by the end of the trial."""

    words: tuple[str, ...]
    seconds: Floats  # (n,)

    def mean(self, word: str) -> float:
        """The mean duration of a percept in seconds, without the last one, which was cut; NaN where it has none.

        >>> Percepts(("coherent", "transparent", "coherent"), np.array([4.0, 2.0, 1.0])).mean("coherent")
        4.0
        """
        whole = [seconds for own, seconds in zip(self.words[:-1], self.seconds[:-1], strict=True) if own == word]
        return float(np.mean(whole)) if whole else np.nan

    def share(self, word: str) -> float:
        """The share of the time for which a percept was seen.

        >>> Percepts(("coherent", "transparent"), np.array([3.0, 1.0])).share("coherent")
        0.75
        """
        own = [seconds for it, seconds in zip(self.words, self.seconds, strict=True) if it == word]
        return float(sum(own) / self.seconds.sum())


def percepts(raw: Any, movie: Watched) -> Percepts:
    """A model's answer, accepted: a sequence of (percept, seconds); equal neighbours become one.

    Models that answer with velocities have nothing to say here: that is not applicable, and no failure.
    """
    if isinstance(raw, Percepts):
        return _checked(list(zip(raw.words, raw.seconds, strict=True)), movie)
    if isinstance(raw, Answer) or (isinstance(raw, np.ndarray) and raw.dtype.kind in "fiu"):
        raise NotApplicable(f"answers with velocities, and has no percepts with durations; asked for is {ASKED}")
    if not isinstance(raw, Sequence) or isinstance(raw, str):
        raise ValueError(f"got an answer of {type(raw).__name__}; expected {ASKED}")
    return _checked([_pair(one) for one in raw], movie)


def _pair(one: Any) -> tuple[str, float]:
    """A percept and its seconds; a place that holds something else is refused with what it holds."""
    if isinstance(one, str) or not isinstance(one, Sequence) or len(one) != 2 or one[0] not in WORDS:
        raise ValueError(f"got {one!r} among the percepts; expected {ASKED}")
    if isinstance(one[1], bool) or not isinstance(one[1], int | float | np.number):
        raise ValueError(f"got {one[1]!r} as a duration; expected seconds")
    return str(one[0]), float(one[1])


def _checked(pairs: Sequence[tuple[str, float]], movie: Watched) -> Percepts:
    wrong = next((seconds for _, seconds in pairs if not 0 < seconds < np.inf), None)
    if not pairs or wrong is not None:
        raise ValueError(
            f"got {'no percept' if not pairs else f'a duration of {wrong} s'}; expected {ASKED}, all above 0"
        )
    total = sum(seconds for _, seconds in pairs)
    if total > movie.watched * 1.001:  # rounding of durations that were written to a file
        raise ValueError(f"got percepts of {total:g} s in all; expected at most the {movie.watched:g} s of the trial")
    joined = [(word, sum(seconds for _, seconds in some)) for word, some in groupby(pairs, key=lambda pair: pair[0])]
    return Percepts(tuple(word for word, _ in joined), np.array([seconds for _, seconds in joined]))


def read(path: Path, *, limit: int = LARGEST) -> Any:
    """An answer from a file: JSON, a list of [percept, seconds]."""
    check_text(path, limit)
    try:
        return json.loads(path.read_text("utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise ValueError(f"{path.name}: got no JSON ({fault}); expected a list of [percept, seconds]") from None


def write(answer: Percepts, path: Path) -> None:
    """Keep an accepted answer."""
    pairs = [[word, float(seconds)] for word, seconds in zip(answer.words, answer.seconds, strict=True)]
    with whole_file(path) as file:
        file.write(f"{json.dumps(pairs)}\n".encode())


def show(movie: Watched, folder: Path) -> None:
    """Put a movie where a program can read it, and say in meta.json for how long it is looked at."""
    show_movie(movie, folder)
    meta = json.loads((folder / "meta.json").read_text("utf-8"))
    meta |= {"watched_seconds": movie.watched, "answer": f"JSON: {ASKED}, as a list of lists"}
    with whole_file(folder / "meta.json") as file:
        file.write(f"{json.dumps(meta, indent=1, ensure_ascii=False)}\n".encode())
