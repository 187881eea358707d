"""Blind scanpaths, which know nothing of the picture or nothing of order, and people as models of scanpaths.

A blind scanpath has as many fixations as one of the people who looked at the picture, and lasts as long, so neither
gives it away; it is not compared with that person. Blind scanpaths do not depend on the seed of a run.
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

MANY = 10  # scanpaths of each blind model, as a model has repeats
SHARE = 6  # of a side: the standard deviation of the Gaussian (scanpath-and-study.md 3.6)


@dataclass(frozen=True, eq=False)
class Shuffled(Scanpath):
    """A person's own fixations in another order: to measures that ignore order, these are people."""


@dataclass(frozen=True, eq=False)
class Elsewhere(Scanpath):
    """A person's scanpath on another picture: to measures of movements alone, this is a person."""


def blind(dataset: Gallery) -> Mapping[str, Model | Recorded]:
    """All five: uniform, a stare at the centre, a Gaussian about it, people on another picture, people shuffled."""
    return {
        **_placed(dataset),
        "another_picture": _recorded(dataset, people_on_another_picture),
        "shuffled_in_time": _recorded(dataset, shuffle_people),
    }


def blind_movements(dataset: Gallery) -> Mapping[str, Model | Recorded]:
    """Those that do not move as people do. Shuffling keeps people's durations, so here they are marked unknown."""
    return {**_placed(dataset), "shuffled_in_time": _recorded(dataset, partial(shuffle_people, timed=False))}


def people_elsewhere(dataset: Gallery) -> Mapping[str, Model | Recorded]:
    """People on another picture: the best movements that one who knows people, but not the picture, can make."""
    return {"another_picture": _recorded(dataset, people_on_another_picture)}


def _placed(dataset: Gallery) -> dict[str, Model | Recorded]:
    every: dict[str, Places] = {"uniform": uniform, "centre_stare": centre_stare, "centre_gaussian": centre_gaussian}
    return {name: _recorded(dataset, partial(place_fixations, places=places)) for name, places in every.items()}


def _recorded(dataset: Gallery, of: Blind) -> Recorded:
    return Recorded(Answers(dataset, partial(of, dataset=dataset.whole)))


def place_fixations(sample: Looked, *, dataset: Gallery, places: Places) -> list[Scanpath]:
    """As many fixations as people make, at places drawn by a rule; each lasts as long as that person's on average.

    Single durations of people's would be their order in time, which such a model does not know.
    """
    shape, rng = sample.reference.shape, _rng(sample, places.__name__)
    return [
        replace(_at_places(_with_even_durations(path), places(len(path), shape, rng), shape), lost=None)
        for path in _pick_paths(sample.reference, rng)
    ]


def uniform(count: int, shape: Shape, rng: Rng) -> Floats:
    """Anywhere in the picture."""
    return np.asarray(rng.random((count, 2)) * shape[::-1])


def centre_stare(count: int, shape: Shape, rng: Rng) -> Floats:
    """All in the middle."""
    return np.tile(np.array(shape[::-1]) / 2, (count, 1))


def centre_gaussian(count: int, shape: Shape, rng: Rng) -> Floats:
    """About the middle, with a standard deviation of a sixth of each side; points beyond the border move to it."""
    size = np.array(shape[::-1], np.float64)
    return np.asarray(rng.normal(size / 2, size / SHARE, (count, 2)))


def shuffle_people(sample: Looked, *, dataset: Gallery, timed: bool = True) -> list[Scanpath]:
    """People's own fixations in random order, with their durations; onsets keep their order."""
    rng = _rng(sample, "shuffled")
    found: list[Scanpath] = []
    for path in _pick_paths(sample.reference, rng):
        other = path.at(rng.permutation(len(path)))
        lasts = other.duration_ms if timed else np.full(len(path), np.nan)
        found.append(Shuffled(other.x, other.y, path.onset_ms, lasts, other.signals, path.by))
    return found


def people_on_another_picture(sample: Looked, *, dataset: Gallery) -> list[Scanpath]:
    """People's scanpaths on another picture, chosen by this one's id and scaled to its size."""
    others = [id for id in dataset.ids if id != sample.id]
    if not others:
        raise NotApplicable("there is no other picture here")
    other = dataset.load(others[crc32(sample.id.encode()) % len(others)]).reference
    shape = sample.reference.shape
    scale = np.divide(shape[::-1], other.shape[::-1])
    moved = [_at_places(path, path.points * scale, shape) for path in _pick_paths(other, _rng(sample, "elsewhere"))]
    return [
        Elsewhere(path.x, path.y, path.onset_ms, path.duration_ms, path.signals, path.by, path.lost) for path in moved
    ]


def _rng(sample: Looked, name: str) -> Rng:
    return np.random.default_rng([crc32(name.encode()), crc32(sample.id.encode())])


def _pick_paths(lookers: Lookers, rng: Rng) -> list[Scanpath]:
    """Ten of people's scanpaths: everybody's once, in random order, before anybody's comes again."""
    seen = [replace(path, by=who) for who, path in lookers.paths.items() if len(path)]
    if not seen:
        raise NotApplicable("nobody fixated this picture, so it is unknown how long people look")
    return [seen[at] for at in np.resize(rng.permutation(len(seen)), MANY)]


def _at_places(path: Scanpath, points: Floats, shape: Shape) -> Scanpath:
    """The same times at other places, clipped into the picture."""
    x, y = np.clip(points, 0, np.nextafter(np.array(shape[::-1], np.float64), 0)).T
    return replace(path, x=x, y=y)


def _with_even_durations(path: Scanpath) -> Scanpath:
    """The same path, every fixation lasting as long as they do on average."""
    known = path.duration_ms[path.duration_ms > 0]
    lasts = float(known.mean()) if len(known) else np.nan
    return replace(path, duration_ms=np.full(len(path), lasts))


def own_path(lookers: Lookers, picture: Picture) -> Scanpath:
    """One person as a model: the answer is that person's scanpath."""
    ((who, path),) = lookers.paths.items()
    return replace(path, by=who)


PEOPLE = People(people.observers, people.without, people.only, own_path, people.shown_observers, alone=True)


def not_applicable_to(of: Measure, whom: type[Scanpath], why: str) -> Measure:
    """The same measure, not applicable to a kind of scanpath that is people's own in all the measure sees."""
    found: Measure = partial(of)
    reads = partial(_read_unless, reads=card(of).reads, whom=whom, why=why)
    found.card = replace(card(of), reads=reads)  # type: ignore[attr-defined]
    return found


def _read_unless(answer: Any, stimulus: Any, *, reads: Readout, whom: type[Scanpath], why: str) -> Any:
    if isinstance(answer, whom):
        raise NotApplicable(why)
    return reads(answer, stimulus)
