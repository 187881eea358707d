"""What is sent to a worker at once: as many samples and entrants as pay, by what they have cost so far."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from typing import NamedTuple

from beholder.engines.protocol import Parcel

BLOCK = 0.5  # seconds of work that are sent to a worker at once: what entrants share on a sample is made once for all
WAY = 0.005  # seconds that a task costs coordinator and scheduler: with many workers, batches must be longer
LARGEST = 64  # samples that are sent at once at the most

GOLDEN = 0.618034  # steps of this part of a circle come close to no earlier point for long
OPEN = 256  # lanes: those that wait for a scarce resource must not grow with the dataset


class Lane:
    """A few samples, and the entrants that are still to be put to them."""

    def __init__(self, left: Mapping[str, tuple[str, ...]]) -> None:
        self.left = dict(left)
        self.busy = 0  # how many workers are at these samples
        self.shipped: dict[str, Parcel] = {}  # the samples themselves, where workers cannot load them


class Batch(NamedTuple):
    """What is sent to a worker at once: some entrants, each with its samples."""

    work: tuple[tuple[str, tuple[str, ...]], ...]
    lane: Lane

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Each entrant with each of its samples."""
        return [(name, id) for name, ids in self.work for id in ids]

    def split(self) -> list[Batch]:
        """Each entrant and sample alone."""
        return [self._replace(work=((name, (id,)),)) for name, id in self.pairs]


class Lanes:
    """What is left to do, in the order of the dataset.

    Whoever is free goes on with samples that no other worker is at: they are loaded once, and a slow readout that
    several entrants need is computed by the first and found by the next. Only when there are no others left, several
    workers share a lane. Entrants that are quick on these samples go together; those in `alone` never do.
    """

    def __init__(
        self,
        ids: Sequence[str],
        todo: Mapping[str, Sequence[str]],
        *,
        alone: Container[str] = frozenset(),
        slots: int = 1,
    ) -> None:
        self._block = max(BLOCK, WAY * slots)
        self._ids = deque(ids)
        self._todo = {name: set(own) for name, own in todo.items()}
        self._alone = alone
        self._costs: dict[str, float] = {}  # seconds of an entrant on a sample, the recent ones counting most
        self.quick = False  # whether the last batch is known to be short
        self._most = 1  # samples in a lane: one at first, more when they prove quick
        self._lanes: list[Lane] = []
        self._turn = -GOLDEN

    def took(self, name: str, seconds: float) -> None:
        """An entrant took so long for a sample, in its worker."""
        self._costs[name] = (self._costs.get(name, seconds) + seconds) / 2

    def slow(self) -> None:
        """Something went wrong: one sample at a time again."""
        self._most = 1

    def take(self, may: Callable[[str], bool]) -> Batch | None:
        """The next batch, of entrants that may run now; None where there is none."""
        self._lanes = [lane for lane in self._lanes if lane.left]
        ready = [lane for lane in self._lanes if any(map(may, lane.left))]
        free = next((lane for lane in ready if not lane.busy), None)
        lane = free or self._open(may) or min(ready, key=lambda lane: lane.busy, default=None)
        if lane is None:
            return None
        lane.busy += 1
        return Batch(tuple((name, lane.left.pop(name)) for name in list(self._together(lane, may))), lane)

    def _together(self, lane: Lane, may: Callable[[str], bool]) -> Iterator[str]:
        """The first entrant that may run, and those that fit beside it."""
        spent = 0.0
        for name in filter(may, lane.left):
            cost = math.inf if name in self._alone else self._costs.get(name, math.inf) * len(lane.left[name])
            if spent == 0.0 or spent + cost <= self._block:
                spent += cost
                yield name
        self.quick = spent <= self._block

    def _open(self, may: Callable[[str], bool]) -> Lane | None:
        """A lane of samples that nobody has begun with."""
        while self._ids and len(self._lanes) < OPEN:
            ids = [self._ids.popleft() for _ in range(min(self._count(), len(self._ids)))]
            own = ((name, tuple(id for id in ids if id in self._todo[name])) for name in self._order())
            lane = Lane({name: mine for name, mine in own if mine})
            if lane.left:
                self._lanes.append(lane)
                return lane if any(map(may, lane.left)) else None
        return None

    def _order(self) -> list[str]:
        """All entrants, from another one on in every lane: so many workers soon know what each of them costs."""
        self._turn = (self._turn + GOLDEN) % 1
        names, first = list(self._todo), int(self._turn * len(self._todo))
        return names[first:] + names[:first]

    def _count(self) -> int:
        """How many samples make a lane: as many as all entrants that are left there do in a block."""
        each = sum(self._costs.get(name, math.inf) for name, left in self._todo.items() if self._ids[0] in left)
        self._most = max(1, min(LARGEST, 2 * self._most, int(self._block / max(each, 1e-9))))
        return self._most
