"""What the measures of perceived flow share: answers, people and truth of many movies as long columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypedDict

import numpy as np
from numpy.typing import NDArray

from beholder.core.measure import NotApplicable, Readout, Result
from beholder.motion.perceived import Local, Probes, at_probes
from beholder.stats.correlation import ALIKE
from beholder.stats.small_counts import too_few

Floats = NDArray[np.float64]


class Pooled(TypedDict):
    """What the cards of measures that are pooled over the movies of a set have in common."""

    reads: Readout
    per: str
    resample: str


MOVIES: Pooled = {"reads": at_probes, "per": "set", "resample": "movie"}


class Stack(NamedTuple):
    """The vectors of all probes that people answered, n × 2 each, v counted as in the publication."""

    model: Floats  # NaN where it has no estimate
    people: Floats  # those who are scored
    truth: Floats
    everyone: Floats  # all people
    halves: Floats  # of all people: splits × 2 × n × 2
    sizes: tuple[float, float]  # the observers in both halves
    own: bool  # whether the answers are people's

    @property
    def held(self) -> NDArray[np.bool_]:
        """The probes at which the model has an estimate."""
        return np.asarray(np.isfinite(self.model).all(axis=1))

    @property
    def varies(self) -> bool:
        """Whether the model gives more than one vector; what is read between pixels is rounded."""
        return bool((np.ptp(self.model, axis=0) > 1e-9 * np.abs(self.model).max()).any())

    @property
    def deviates(self) -> bool:
        """Whether the model is more than a multiple of the truth plus one vector: u and v each from their own mean."""
        model, truth = ((side - side.mean(axis=0)).ravel() for side in (self.model, self.truth))
        own, true, both = model @ model, truth @ truth, model @ truth
        return bool(self.varies and own * true - both**2 > ALIKE * own * true) if true else self.varies

    def confined(self) -> Stack:
        """The same without probes that have no estimate; not applicable where none is left."""
        held = self.held
        if held.all():
            return self
        if not held.any():
            raise NotApplicable("the answer has no estimate at any probe that people answered")
        return self._replace(
            model=self.model[held],
            people=self.people[held],
            truth=self.truth[held],
            everyone=self.everyone[held],
            halves=self.halves[:, :, held],
        )

    def result(self, value: float, parts: dict[str, float] | None = None, *, least: int = 0) -> Result:
        """A number, doubtful where it rests on some of the probes only, or on fewer than it takes."""
        missing, held = int((~self.held).sum()), int(self.held.sum())
        left_out = f"no estimate at {missing} of {len(self.model)} probes, which are left out" if missing else ""
        few = too_few(held, least, "probe" if held == 1 else "probes", of="a correlation")
        reason = "; ".join(filter(None, [few, left_out]))
        return Result(value, parts or {}, state="low" if reason else "ok", reason=reason)


def stacked(found: Sequence[Local], probes: Sequence[Probes]) -> Stack:
    """All movies' probes in one; those without truth or without an answer of the scored people are left out."""
    for local, own in zip(found, probes, strict=True):
        if local.velocity.shape != own.truth.shape:
            raise ValueError(f"got vectors of shape {local.velocity.shape}; expected {own.truth.shape}, one per probe")
    model = np.concatenate([own.as_published(local.velocity) for local, own in zip(found, probes, strict=True)])
    columns = _joined([own.columns for own in probes])
    known = np.isfinite(columns[:2]).all(axis=(0, 2))
    if not known.any():
        raise NotApplicable("people answered none of these probes")
    if not known.all():
        model, columns = model[known], columns[:, known]
    people, truth, everyone = columns[:3]
    halves = columns[3:].reshape(-1, 2, *truth.shape)
    return Stack(model, people, truth, everyone, halves, _sizes(probes), any(local.people for local in found))


def _joined(columns: Sequence[Floats]) -> Floats:
    """Columns of several movies; where fewer observers have fewer splits, these are repeated."""
    most = max(map(len, columns))
    return np.concatenate([own if len(own) == most else _repeated(own, most) for own in columns], axis=1)


def _repeated(columns: Floats, most: int) -> Floats:
    return np.concatenate([columns[:3], np.resize(columns[3:], (most - 3, *columns.shape[1:]))])


def _sizes(probes: Sequence[Probes]) -> tuple[float, float]:
    """The observers in the larger half and in the other, on average over the movies that have both."""
    counts = [len(own.people) for own in probes if len(own.people) > 1]
    smaller = sum(count // 2 for count in counts) / max(len(counts), 1)
    return sum(counts) / max(len(counts), 1) - smaller, smaller
