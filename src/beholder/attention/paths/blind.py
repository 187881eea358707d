"""Scanpaths that know nothing of the picture, or nothing of order, and people as models of scanpaths.

Blind ones have as many fixations as somebody who looked at the picture, and look for as long, so that neither gives
them away; they are not compared with that person. They are the same whatever the seed of a run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from zlib import crc32

import numpy as np

from beholder.attention.people import ceiling as people
from beholder.attention.types import Floats, Lookers, Picture, Scanpath
from beholder.core.benchmark import Answers, Model, People, Recorded
from beholder.core.measure import Measure, NotApplicable, Readout, card
from beholder.core.sample import Dataset, Sample

Rng = np.random.Generator
Shape = tuple[int, int]
Looked = Sample[Picture, Lookers]
Gallery = Dataset[Picture, Lookers]
Places = Callable[[int, Shape, Rng], Floats]  # (how many, rows and columns, rng) → (n, 2): x and y
Blind = Callable[..., list[Scanpath]]  # (sample, dataset=…) → scanpaths

MANY = 10  # scanpaths of each, as a model has repeats
SHARE = 6  # of a side: the standard deviation of the Gaussian (scanpath-and-study.md 3.6)


@dataclass(frozen=True, eq=False)
class Shuffled(Scanpath):
    """A person's own fixations in another order: wherever order does not count they are people's."""


@dataclass(frozen=True, eq=False)
class Elsewhere(Scanpath):
    """What a person did on another picture: the movements are people's."""


def blind(dataset: Gallery) -> Mapping[str, Model | Recorded]:
    """All five: anywhere, a stare at the middle, a Gaussian about it, another picture's people, and people shuffled."""
    return {
        **_placed(dataset),
        "another_picture": _recorded(dataset, elsewhere),
        "shuffled_in_time": _recorded(dataset, shuffled),
    }


def blind_movements(dataset: Gallery) -> Mapping[str, Model | Recorded]:
    """Those that do not move as people do; shuffling leaves durations what they were, so they are not known here."""
    return {**_placed(dataset), "shuffled_in_time": _recorded(dataset, partial(shuffled, timed=False))}


def people_elsewhere(dataset: Gallery) -> Mapping[str, Model | Recorded]:
    """Another picture's people: how well movements can be had by who knows people, and not the picture."""
    return {"another_picture": _recorded(dataset, elsewhere)}


def _placed(dataset: Gallery) -> dict[str, Model | Recorded]:
    every: dict[str, Places] = {"uniform": uniform, "centre_stare": centre_stare, "centre_gaussian": centre_gaussian}
    return {name: _recorded(dataset, partial(placed, places=places)) for name, places in every.items()}


def _recorded(dataset: Gallery, of: Blind) -> Recorded:
    return Recorded(Answers(dataset, partial(of, dataset=dataset.whole)))


def placed(sample: Looked, *, dataset: Gallery, places: Places) -> list[Scanpath]:
    """Fixations at places of a rule, as many as people make; each lasts as long as theirs on average."""
    shape, rng = sample.reference.shape, _rng(sample, places.__name__)
    return [_moved(_evened(path), places(len(path), shape, rng), shape) for path in _some(sample.reference, rng)]


def uniform(count: int, shape: Shape, rng: Rng) -> Floats:
    """Anywhere."""
    return np.asarray(rng.random((count, 2)) * shape[::-1])


def centre_stare(count: int, shape: Shape, rng: Rng) -> Floats:
    """In the middle."""
    return np.tile(np.array(shape[::-1]) / 2, (count, 1))


def centre_gaussian(count: int, shape: Shape, rng: Rng) -> Floats:
    """About the middle, a sixth of each side as standard deviation; what would lie beyond the border lies on it."""
    size = np.array(shape[::-1], np.float64)
    return np.asarray(rng.normal(size / 2, size / SHARE, (count, 2)))


def shuffled(sample: Looked, *, dataset: Gallery, timed: bool = True) -> list[Scanpath]:
    """People's own fixations in random order, with their durations; times of onset stay where they were."""
    rng = _rng(sample, "shuffled")
    found: list[Scanpath] = []
    for path in _some(sample.reference, rng):
        other = path.at(rng.permutation(len(path)))
        lasts = other.duration_ms if timed else np.full(len(path), np.nan)
        found.append(Shuffled(other.x, other.y, path.onset_ms, lasts, other.signals, path.by))
    return found


def elsewhere(sample: Looked, *, dataset: Gallery) -> list[Scanpath]:
    """People's scanpaths on one other picture, chosen by this one's id, scaled to its size."""
    others = [id for id in dataset.ids if id != sample.id]
    if not others:
        raise NotApplicable("there is no other picture here")
    other = dataset.load(others[crc32(sample.id.encode()) % len(others)]).reference
    shape = sample.reference.shape
    scale = np.divide(shape[::-1], other.shape[::-1])
    moved = [_moved(path, path.points * scale, shape) for path in _some(other, _rng(sample, "elsewhere"))]
    return [Elsewhere(path.x, path.y, path.onset_ms, path.duration_ms, path.signals, path.by) for path in moved]


def _rng(sample: Looked, name: str) -> Rng:
    return np.random.default_rng([crc32(name.encode()), crc32(sample.id.encode())])


def _some(lookers: Lookers, rng: Rng) -> list[Scanpath]:
    """So many of people's scanpaths: each once, in random order, before anyone's comes again."""
    seen = [replace(path, by=who) for who, path in lookers.paths.items() if len(path)]
    if not seen:
        raise NotApplicable("nobody fixated this picture: it is not known how long anybody looks")
    return [seen[at] for at in np.resize(rng.permutation(len(seen)), MANY)]


def _moved(path: Scanpath, points: Floats, shape: Shape) -> Scanpath:
    """The same times at other places, all of them inside."""
    x, y = np.clip(points, 0, np.nextafter(np.array(shape[::-1], np.float64), 0)).T
    return replace(path, x=x, y=y)


def _evened(path: Scanpath) -> Scanpath:
    """The same path with all fixations equally long, together as long as before."""
    known = path.duration_ms[path.duration_ms > 0]
    lasts = float(known.mean()) if len(known) else np.nan
    return replace(path, duration_ms=np.full(len(path), lasts))


def own_path(lookers: Lookers, picture: Picture) -> Scanpath:
    """What one person answers: the scanpath itself."""
    ((who, path),) = lookers.paths.items()
    return replace(path, by=who)


PEOPLE = People(people.names, people.without, people.only, own_path, people.roster, alone=True)


def unless(of: Measure, whom: type[Scanpath], why: str) -> Measure:
    """The same measure without a value for answers of a kind that are people's own in what it sees."""
    found: Measure = partial(of)
    reads = partial(_unless, reads=card(of).reads, whom=whom, why=why)
    found.card = replace(card(of), reads=reads)  # type: ignore[attr-defined]
    return found


def _unless(answer: Any, stimulus: Any, *, reads: Readout, whom: type[Scanpath], why: str) -> Any:
    if isinstance(answer, whom):
        raise NotApplicable(why)
    return reads(answer, stimulus)
