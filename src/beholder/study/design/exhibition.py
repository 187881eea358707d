"""What a domain offers to show: an exhibition of pieces, that `new` writes as a study folder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.study.design.file import Answer, Question, Show, Trial, Trials, Use

Pixels = NDArray[np.uint8]
Track = NDArray[np.float64]  # (n, 3): seconds from 0, and x and y as shares of the picture

UNLIKE = "unlike the source"  # in `about`: how a study that follows no preset differs from the one of its paper


@dataclass(frozen=True, eq=False)
class Still:
    """A picture. Pieces whose picture has the same name share one file."""

    name: str
    pixels: Callable[[], Pixels]  # (H, W) or (H, W, 3), read when it is written


@dataclass(frozen=True, eq=False)
class Film:
    """A film, or a stretch of one; it is written without sound, in a format that every browser plays."""

    name: str
    frames: Callable[[], Iterable[tuple[float, Pixels]]]  # when each is shown (s), and its pixels; read one by one
    seconds: float  # until when the last one is shown


@dataclass(frozen=True, eq=False)
class Piece:
    """One thing to be shown, and what it truly is."""

    id: str
    kind: str  # its class: human, synthetic …
    media: Still | Film
    group: str = ""  # what it is of, such as a picture: nobody sees two of one group
    system: str = ""  # who made it
    use: Use = "trial"
    expected: str = ""  # check: the answer that it asks for
    show: Show = "track"
    track: Track | None = None
    stimulus: str = ""
    note: str = ""


@dataclass(frozen=True, eq=False)
class Exhibition:
    """What is asked, and all that is shown."""

    title: str
    questions: tuple[Question, ...]
    instructions: str
    pieces: Sequence[Piece]
    trial: Trial = "yes_no"
    right: Mapping[str, str] = field(default_factory=dict)  # class → the answer that is right for it
    trials: Trials = field(default_factory=Trials)
    debrief: str = ""
    study: Mapping[str, Any] = field(default_factory=dict)  # further keys of the study file
    about: Mapping[str, Any] = field(default_factory=dict)  # how the pieces were made: about.json
    remarks: tuple[str, ...] = ()  # what was left out, and what readers of the results must know


def choices(*labels: tuple[str, str]) -> tuple[Answer, ...]:
    """Answers from pairs of value and label.

    >>> [answer.label for answer in choices(("human", "a person"), ("synthetic", "a computer"))]
    ['a person', 'a computer']
    """
    return tuple(Answer(value=value, label=label) for value, label in labels)


def scale(low: str, high: str, *, points: int = 5) -> tuple[Answer, ...]:
    """The answers 1 … `points`, of which the ends are put into words.

    >>> [answer.label for answer in scale("bad", "good", points=3)]
    ['1 – bad', '2', '3 – good']
    """
    ends = {1: f"1 – {low}", points: f"{points} – {high}"}
    return choices(*((str(at), ends.get(at, str(at))) for at in range(1, points + 1)))
