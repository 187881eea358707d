"""Where the eye goes next: a forecast is asked before every fixation of a path, given the fixations so far.

A model of attention/conditional returns a function from a history (a `Scanpath` of the fixations so far) to the log
probabilities of the next fixation. A density or a map is a forecast too: it says the same whatever the history.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from beholder.attention.files.maps import accept_answer
from beholder.attention.forecasts.outlooks import Outlook, accept_outlook
from beholder.attention.types import Density, Floats, Lookers, Picture, Salience, Scanpath, scanpath
from beholder.core.benchmark import Criterion
from beholder.errors import Misuse

Next = Callable[[Scanpath], Any]  # fixations up to now → what is said of the next one, see `accept_outlook`
Mask = NDArray[np.bool_]
First = Literal["drop", "keep"]

MODEL = (
    "a function from the fixations so far (a Scanpath) to the log probabilities of the next one, or a Density or a "
    "map, which ignore the history"
)
PATHS = (
    "; a model that draws scanpaths takes part as conditional(of=NAME) if it has a likelihood, otherwise as "
    "from_sampler(of=NAME)"
)


def all_fixations(path: Scanpath) -> Mask:
    """All fixations of a path."""
    return np.ones(len(path), np.bool_)


@dataclass(frozen=True, eq=False)
class Still:
    """A forecast that does not read its history."""

    answer: Salience | Density

    def __call__(self, history: Scanpath) -> Salience | Density:
        """The same answer, whatever the history."""
        return self.answer


@dataclass(frozen=True, eq=False)
class Forecast:
    """A model's answer to a picture: what it says of each next fixation. It is asked once per path."""

    next: Next
    shape: tuple[int, int]
    low: str = ""  # why it is of low confidence; empty if it is not
    parts: Mapping[str, float] = field(default_factory=dict)  # parts of every score: samples, bandwidth
    which: Callable[[Scanpath], Mask] = all_fixations  # the fixations that are scored; their history stays whole
    scores: dict[bytes, Floats] = field(default_factory=dict, repr=False)  # the results of `along`, by path
    _kept: dict[str, Any] = field(default_factory=dict, repr=False)

    def __reduce__(self) -> Any:
        return Forecast, (self.next, self.shape, self.low, dict(self.parts), self.which, self.scores)

    def note_paths(self, note: Callable[[Forecast, Scanpath], None]) -> None:
        """Call `note` with each path after it was scored: for forecasts that cannot be kept themselves."""
        self._kept["note"] = note

    def before(self, path: Scanpath, at: int) -> Outlook:
        """The outlook on fixation `at` of a path (0 is the first), given those before it and nothing else."""
        if isinstance(self.next, Still):  # read once; any other model may reuse one array
            if "still" not in self._kept:
                self._kept["still"] = accept_outlook(self.next.answer, self.shape)
            found: Outlook = self._kept["still"]
            return found
        return accept_outlook(self.next(path.at(np.arange(at))), self.shape)  # a copy: a slice would hold what comes

    def along(self, path: Scanpath, first: First = "drop") -> Floats:
        """(n, 3): log p in nats, midrank and z-score of each fixation of a path; NaN for the first with "drop".

        With "drop" the model is never asked about the first fixation: it has no history, and many experiments force it.
        """
        if first not in get_args(First):
            raise Misuse(f"got first={first!r}; expected 'drop' or 'keep' for the first fixation of a path")
        key = first.encode() + path_key(path)
        if key not in self.scores:
            found = np.full((len(path), 3), np.nan)
            for at in range(int(first == "drop"), len(path)):
                found[at] = self.before(path, at).score(path.points[at])
            self.scores[key] = found
            if "note" in self._kept:
                self._kept["note"](self, path)
        return self.scores[key]


def path_key(path: Scanpath) -> bytes:
    """A key that is equal for equal paths."""
    return b"".join(column.tobytes() for column in (path.x, path.y, path.onset_ms, path.duration_ms))


def accept_forecast(raw: Any, picture: Picture) -> Forecast:
    """Accept a model's answer: a function is tried once, with one fixation of 250 ms in the middle of the picture.

    >>> here = Picture(np.zeros((1, 4), np.uint8))
    >>> found = accept_forecast(lambda history: np.log(np.full((1, 4), 0.25)), here)
    >>> np.exp(found.along(scanpath([0, 3], [0, 0]))[:, 0])
    array([ nan, 0.25])
    """
    if isinstance(raw, Forecast):
        return raw
    if isinstance(raw, Scanpath) or (isinstance(raw, (list, tuple)) and any(isinstance(one, Scanpath) for one in raw)):
        raise TypeError(f"got scanpaths; expected {MODEL}{PATHS}")
    if callable(raw):
        found = Forecast(raw, picture.shape, getattr(raw, "low", ""), getattr(raw, "parts", {}))
        found.before(_path_in_the_middle(picture), 1)
        return found
    if not isinstance(raw, (Salience, Density)) and np.asarray(raw).dtype.kind not in "fiub":
        raise TypeError(f"got {type(raw).__name__}; expected {MODEL}")
    return Forecast(Still(accept_answer(raw, picture)), picture.shape)


def _path_in_the_middle(picture: Picture) -> Scanpath:
    """A path of two fixations in the middle; the second is never shown."""
    height, width = picture.shape
    return scanpath([width / 2] * 2, [height / 2] * 2, onset_ms=[0.0, 280.0], duration_ms=[250.0] * 2)


def fixation_number(count: int) -> Criterion:
    """The fixations with one number, 1 being the first, each with its whole history.

    >>> fixation_number(3).name
    'fixation_3'
    """
    if count < 1:
        raise Misuse(f"got fixation number {count}; expected 1 or more")
    return Criterion(f"fixation_{count}", partial(_select, which=partial(_nth, count=count)))


def _nth(path: Scanpath, count: int) -> Mask:
    return np.asarray(np.arange(1, len(path) + 1) == count)


def _select(found: Any, lookers: Lookers, *, which: Callable[[Scanpath], Mask]) -> tuple[Any, Lookers]:
    if not isinstance(found, Forecast):
        raise TypeError(
            f"got {type(found).__name__}; expected a Forecast: a fixation number selects from forecasts only"
        )
    return replace(found, which=which), lookers
