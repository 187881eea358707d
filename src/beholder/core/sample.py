"""Sample and Dataset: what is shown, what it is compared with, and the lazy sequence of both."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import blake2b
from typing import Any, Generic, TypeVar, overload

from beholder.core.notebook import html_of
from beholder.errors import Misuse, NotFound, listed

S = TypeVar("S")
R = TypeVar("R")

# From best to worst; the worst one that a score has used travels with it.
PEOPLE = ("", "recorded", "published", "remembered", "simulated")  # kinds of people behind references
STATUSES = ("", "verified", "seed", "derived", "memory", "placeholder")
NAMED = 3  # things that a remark names; it counts the others


def worst(statuses: Sequence[str]) -> str:
    """The least trustworthy of some reference statuses.

    >>> worst(["verified", "memory", "seed"])
    'memory'
    """
    unknown = sorted(set(statuses) - set(STATUSES))
    if unknown:
        raise Misuse(f"got the status {unknown[0]!r} of a reference; expected one of {', '.join(STATUSES[1:])}")
    return max(statuses, key=STATUSES.index, default="")


def remark(names: Sequence[str], noun: str, said: str) -> tuple[str, ...]:
    """A remark that counts some things and names the first of them; none where there are none.

    >>> remark(["a", "b"], "picture", "not here, and left out"), remark([], "picture", "not here, and left out")
    (('2 pictures are not here, and left out: a, b',), ())
    """
    count = f"1 {noun} is" if len(names) == 1 else f"{len(names)} {noun}s are"
    return (f"{count} {said}: {listed(names, most=NAMED)}",) if names else ()


@dataclass(frozen=True, slots=True)
class Sample(Generic[S, R]):
    """One trial: a stimulus for the model, a reference for the measures, tags for grouping.

    >>> import beholder as bh
    >>> sample = bh.load("stereo/dense").dataset[0]
    >>> sample.id, sample.stimulus.left.shape == sample.reference.disparity.shape
    ('random_dots/rds0', True)
    """

    id: str
    stimulus: S
    reference: R
    tags: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        kinds = (type(side).__name__ for side in (self.stimulus, self.reference))
        return f"<Sample {self.id}: {' → '.join(kinds)}>"

    def _repr_html_(self) -> str:
        return html_of("sample", self)


@dataclass(frozen=True)
class Dataset(Sequence[Sample[S, R]]):
    """A dataset: names now, samples only when asked for.

    `content` tells one state of the underlying material from another: a digest of file sizes and annotation
    bytes for a folder, the parameters for a generated dataset. It enters the fingerprint; pixels are digested when
    read.

    >>> import beholder as bh
    >>> greys = bh.Dataset("greys", ("0.2", "0.8"), lambda id: bh.Sample(id, stimulus=float(id), reference=0.5))
    >>> len(greys), greys[1].stimulus, greys[:1].ids
    (2, 0.8, ('0.2',))
    """

    name: str
    ids: tuple[str, ...]
    load: Callable[[str], Sample[S, R]]
    cite: str = ""
    licence: str = ""
    version: int = 1  # of the loader: rises when the same files give other samples
    content: str = ""
    status: str = ""  # of the references, where they do not say it themselves
    about: str = ""  # one or two sentences for reports
    all_ids: tuple[str, ...] = ()  # the ids before any slicing
    people: str = ""  # recorded, published, remembered or simulated; nothing where the reference is no person's
    remarks: tuple[str, ...] = ()  # what its folder holds and no sample shows, or lacks; said when a run starts
    # How another process builds this dataset; `replace` loses it.
    spec: str = field(default="", init=False, compare=False)

    def __post_init__(self) -> None:
        if len(set(self.ids)) != len(self.ids):
            twice = next(i for n, i in enumerate(self.ids) if i in self.ids[:n])
            raise Misuse(f"dataset {self.name}: got the sample id {twice!r} twice; ids must differ")
        if odd := [id for id in self.ids if id.encode("utf-8", "replace").decode() != id]:
            raise Misuse(f"dataset {self.name}: got the sample id {odd[0]!r}, which is no Unicode text; rename it")
        if self.status not in STATUSES:
            raise Misuse(f"dataset {self.name}: got status {self.status!r}; expected one of {', '.join(STATUSES[1:])}")
        if self.people not in PEOPLE:
            raise Misuse(f"dataset {self.name}: got people {self.people!r}; expected one of {', '.join(PEOPLE[1:])}")
        if not self.all_ids:
            object.__setattr__(self, "all_ids", self.ids)

    def __repr__(self) -> str:
        return f"<Dataset {self.name}: {len(self)} samples, {listed(self.ids, most=NAMED)}>"

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, at: int) -> Sample[S, R]: ...
    @overload
    def __getitem__(self, at: slice) -> Dataset[S, R]: ...
    def __getitem__(self, at: int | slice) -> Sample[S, R] | Dataset[S, R]:
        if isinstance(at, slice):
            return self.only(self.ids[at])
        return self.load(self.ids[at])

    def __iter__(self) -> Iterator[Sample[S, R]]:
        return map(self.load, self.ids)

    def __add__(self, other: Dataset[Any, Any]) -> Dataset[Any, Any]:
        return join(self, other)

    @cached_property  # every trial asks for it, and it reads all ids
    def fingerprint(self) -> str:
        """Digest of loader version, all ids and content. Slicing does not change it, so that parts can be compared."""
        text = repr((self.name, self.version, self.content, self.all_ids))  # quoted: no two datasets have the same text
        return blake2b(text.encode(), digest_size=8).hexdigest()

    def reference(self, id: str) -> R:
        """The reference of one sample; its stimulus is not made where the loader can tell them apart.

        A loader that can has a method `reference`.
        """
        alone: Callable[[str], R] | None = getattr(self.load, "reference", None)
        return alone(id) if alone else self.load(id).reference

    @property
    def whole(self) -> Dataset[S, R]:
        """This dataset before it was sliced."""
        return self.only(self.all_ids)

    def only(self, ids: Sequence[str]) -> Dataset[S, R]:
        """The part of this dataset with these samples, in this order."""
        missing = sorted(set(ids) - set(self.all_ids))
        if missing:
            raise NotFound(f"dataset {self.name} has no sample {missing[0]!r}; it has {listed(self.all_ids, most=5)}")
        part = replace(self, ids=tuple(ids))
        object.__setattr__(part, "spec", self.spec)
        return part

    def map(self, change: Callable[[Sample[S, R]], Sample[Any, Any]], name: str = "") -> Dataset[Any, Any]:
        """The same dataset with every sample passed through `change`, still lazily."""
        label = name or getattr(change, "__qualname__", type(change).__qualname__)
        return replace(
            self, name=f"{self.name}|{label}", load=_Mapped(self.load, change), content=f"{self.fingerprint}|{label}"
        )


def join(*datasets: Dataset[Any, Any]) -> Dataset[Any, Any]:
    """Several datasets as one; ids become `dataset/id`. Loads nothing."""
    names = [dataset.name for dataset in datasets]
    if len(set(names)) != len(names):
        raise Misuse(f"cannot join datasets of the same name: {', '.join(names)}")
    return Dataset(
        name="+".join(names),
        ids=tuple(f"{dataset.name}/{id}" for dataset in datasets for id in dataset.ids),
        load=_Joined({dataset.name: dataset for dataset in datasets}),
        cite=",".join(dict.fromkeys(dataset.cite for dataset in datasets if dataset.cite)),
        licence="; ".join(dict.fromkeys(dataset.licence for dataset in datasets if dataset.licence)),
        content=",".join(dataset.fingerprint for dataset in datasets),
        status=worst([dataset.status for dataset in datasets]),
        people=max((dataset.people for dataset in datasets), key=PEOPLE.index),
        all_ids=tuple(f"{dataset.name}/{id}" for dataset in datasets for id in dataset.all_ids),
        remarks=tuple(f"{dataset.name}: {remark}" for dataset in datasets for remark in dataset.remarks),
    )


@dataclass(frozen=True)
class _Mapped:
    load: Callable[[str], Sample[Any, Any]]
    change: Callable[[Sample[Any, Any]], Sample[Any, Any]]

    def __call__(self, id: str) -> Sample[Any, Any]:
        return self.change(self.load(id))


@dataclass(frozen=True)
class _Joined:
    datasets: Mapping[str, Dataset[Any, Any]]

    def __call__(self, id: str) -> Sample[Any, Any]:
        name, own = self._place(id)
        sample = self.datasets[name].load(own)
        return replace(sample, id=id, tags={**sample.tags, "dataset": name})

    def reference(self, id: str) -> Any:
        name, own = self._place(id)
        return self.datasets[name].reference(own)

    def _place(self, id: str) -> tuple[str, str]:
        """The dataset of a sample, and its id there."""
        name = max((name for name in self.datasets if id.startswith(f"{name}/")), key=len)
        return name, id[len(name) + 1 :]
