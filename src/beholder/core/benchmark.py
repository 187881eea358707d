"""A benchmark binds a dataset, measures, criteria, judges, and who takes part: where they all meet."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import UnionType
from typing import TYPE_CHECKING, Any, NamedTuple

from beholder.core.film import Film
from beholder.core.measure import Measure, NotApplicable, Readout, as_is, card
from beholder.core.notebook import html_of
from beholder.core.sample import Dataset, Sample
from beholder.core.scores import labels, with_bounds
from beholder.core.tuning import tuned_here
from beholder.core.verdict import Judge, Known, Verdict
from beholder.core.views import Views
from beholder.errors import Misuse
from beholder.io.bounds import LARGEST, allowed

if TYPE_CHECKING:
    import pandas as pd

Model = Callable[..., Any]  # stimulus → answer; with a parameter `rng`, stochastic; with `many`, several at once
Readings = Mapping[str, Mapping[str, tuple[Any, Any]]]  # model → sample → (what was read out of its answer, reference)


def itself(answer: Any, *, limit: int = LARGEST) -> Any:
    """The reader of answers that are recorded as they are."""
    return answer


@dataclass(frozen=True)
class Recorded:
    """A model that has already answered, and is known only by its answers.

    >>> import beholder as bh
    >>> bh.Recorded({"teddy": 0.5}).recall("teddy")
    0.5
    """

    answers: Mapping[str, Any]
    read: Callable[..., Any] = itself  # (recorded answer, limit=bytes)
    partial: bool = False  # True: not having been asked is no failure (a crowd worker sees some items only)
    wanted: str = ""  # where an answer was looked for, e.g. "maps/{id}.png": for the sentence on one that lacks
    remarks: tuple[str, ...] = ()  # what was found beside the answers, and is not used; said when a run starts

    def recall(self, id: str, limit: int = LARGEST) -> Any:
        """The answer to one sample; one in a file that holds more than `limit` bytes is refused unread."""
        if id in self.answers:
            return self.read(self.answers[id], limit=limit)
        if self.partial:
            raise NotApplicable("was not asked")
        where = f": expected {self.wanted.replace('{id}', id)}" if self.wanted else ""
        raise LookupError(f"no recorded answer for this sample{where}")


@dataclass(frozen=True)
class Answers(Mapping[str, Any]):
    """What follows from each sample of a dataset, such as its true answer; made when it is asked for."""

    dataset: Dataset[Any, Any]
    of: Callable[[Sample[Any, Any]], Any]

    def __getitem__(self, id: str) -> Any:
        if id not in self:
            raise KeyError(id)
        return self.of(self.dataset.load(id))

    def __contains__(self, id: object) -> bool:
        return id in self.dataset.ids

    def __iter__(self) -> Iterator[str]:
        return iter(self.dataset.ids)

    def __len__(self) -> int:
        return len(self.dataset)


class Lazily(NamedTuple):
    """A blind model or an oracle that must see samples before it can answer: made when it is first asked."""

    make: Callable[[], Model | Recorded]


class Criterion(NamedTuple):
    """A named part to which a measure is confined: region, time window, first k fixations …

    >>> import beholder as bh
    >>> first = bh.Criterion("first two", lambda observed, reference: (observed[:2], reference[:2]))
    >>> first.select([1, 2, 3], [4, 5, 6])
    ([1, 2], [4, 5])
    """

    name: str
    select: Callable[[Any, Any], tuple[Any, Any]]  # (observed, reference) → the same, confined
    excludes: Callable[[Any], str] | None = None  # reference → why nothing of this sample lies within, or ""


def everywhere(observed: Any, reference: Any) -> tuple[Any, Any]:
    """The criterion that confines nothing."""
    return observed, reference


EVERYWHERE = Criterion("all", everywhere)


@dataclass(frozen=True)
class People:
    """How a reference made of several observers is taken apart, and what they would have answered.

    The ceiling is what the others say of the one left out: `answer(without(reference, who))` scored on
    `only(reference, who)`, averaged over everyone. Models are scored on the same held-out observers. A person is
    the reverse, `answer(only(…))` scored on `without(…)`.

    Where an answer is by its nature one person's (a scanpath), `alone` makes the ceiling the mean person: then people
    answer with as much as a model does, one at a time, and models are scored on everybody at once.

    >>> import beholder as bh
    >>> ratings = {"ann": 3.0, "bob": 5.0, "eve": 4.0}
    >>> people = bh.People(
    ...     names=list,
    ...     without=lambda ratings, who: {name: value for name, value in ratings.items() if name != who},
    ...     only=lambda ratings, who: {who: ratings[who]},
    ...     answer=lambda ratings, stimulus: sum(ratings.values()) / len(ratings),
    ... )
    >>> people.answer(people.without(ratings, "eve"), None)
    4.0
    """

    names: Callable[[Any], Sequence[str]]  # who stands behind this reference
    without: Callable[[Any, str], Any]  # the reference with one left out
    only: Callable[[Any, str], Any]  # that one alone
    answer: Callable[[Any, Any], Any]  # (reference, stimulus) → what these people would answer
    roster: Callable[[Dataset[Any, Any]], Sequence[str]] | None = None  # persons to be rows of their own
    alone: bool = False
    mixed: bool = True  # where they answer alone: whether a pooled measure mixes people, or takes each by themselves
    # Further ceilings by name: what else these people would have answered, where there are several views of that.
    further: Mapping[str, Callable[[Any, Any], Any]] = field(default_factory=dict)
    kinds: Callable[[Any], Sequence[str]] | None = None  # kinds of people behind a reference: rows, if in the roster


class Files(NamedTuple):
    """How answers and stimuli stand in files: for `dir:`, `cmd:`, `--keep-answers` and `--save-stimuli`."""

    suffixes: tuple[str, ...]  # of an answer, the preferred one first
    read: Callable[..., Any]  # (file, limit=bytes): what would take more as floats is refused from its header
    write: Callable[[Any, Path], None]  # (accepted answer, file)
    show: Callable[[Any, Path], None] | None = None  # (stimulus, folder): all that a program under test may see
    reveal: Callable[[Sample[Any, Any], Path], None] | None = None  # (sample, folder): the truth, for `--save-stimuli`
    room: int = 4  # numbers that an answer may have for each one of the stimulus: several maps, flow in two components
    find: Callable[[Path, str], Path | None] | None = None  # (folder, id): where an answer is not a file ID.suffix
    beside: tuple[str, ...] = ()  # patterns of files that belong to answers and are no answers themselves
    held: Callable[[Any], Any] | None = None  # what was read → the same without its file, where reading is put off
    table: Callable[..., Mapping[str, Mapping[str, Any]]] | None = (
        None  # (file, dataset, **settings): model → id → answer
    )

    def limit(self, stimulus: Any) -> int:
        """The bytes that an answer to a stimulus may take."""
        return allowed(stimulus, self.room)


# A dataset → models that do not look, or that know the truth, by name. They may know `dataset.whole`.
Makers = Callable[[Dataset[Any, Any]], Mapping[str, "Model | Recorded | Lazily"]]


class Lineup(NamedTuple):
    """Who takes part besides the models under test."""

    baselines: Mapping[str, Model | Recorded] | Makers = {}  # noqa: RUF012  (a tuple has no mutable state of its own)
    blind: Makers | None = None
    oracles: Makers | None = None
    people: People | None = None
    # Blind models that are right by construction on some measures or criteria, and so are no yardstick there.
    right: Mapping[str, Sequence[str]] = {}


class Unjudged(NamedTuple):
    """What is measured and shown, and has no part in the verdict."""

    measures: tuple[Measure, ...] = ()
    criteria: tuple[Criterion, ...] = ()  # every measure is confined to these, too


class Figures(NamedTuple):
    """How a benchmark is drawn."""

    sample: Callable[[Sample[Any, Any], Mapping[str, Any]], Any] | None = None  # (sample, answers) → figure
    overview: Callable[[pd.DataFrame, Readings], Mapping[str, Any]] | None = None  # (scores, readings) → figures
    # (sample, answers) → films by model, shown with the sample's figure
    films: Callable[[Sample[Any, Any], Mapping[str, Any]], Mapping[str, Film]] | None = None
    # (sample, answers) → the sample side by side; fast, as it is drawn besides the figure
    views: Callable[[Sample[Any, Any], Mapping[str, Any]], Views] | None = None
    # (answer, stimulus) → a small answer of which all of these, but for the overview, draw the same
    sketch: Readout | None = None


class Hooks(NamedTuple):
    """What few benchmarks need."""

    holds: tuple[type | UnionType, type | UnionType] | None = (
        None  # stimulus and reference; a dataset of others is refused before it runs
    )
    inform: Callable[[Model], Model] | None = None  # a model → the same, told what it should know of the test
    exclude: Callable[[Mapping[str, str]], str] | None = None  # facts of a model → why nothing of it applies, or ""
    split: Callable[[Any], Sequence[Any]] | None = None  # an accepted answer → the answers in it, each one a repeat
    gather: Callable[[Sequence[Path]], str] | None = None  # folders of answers → the dataset that their names make up
    # What of a slow answer is read besides, as another benchmark will read it of the same one: it need not ask then.
    shares: tuple[Readout, ...] = ()
    # All rows of a benchmark → what they tell of a model's convention (swapped axes …), a sentence by model.
    caveats: Callable[[pd.DataFrame], Mapping[str, str]] | None = None


class Used(NamedTuple):
    """Something of somebody's that a benchmark measures with, such as the weights of a network."""

    name: str
    about: str
    licence: str
    source: str
    digest: str  # what tells it from another of its kind
    cite: str = ""


@dataclass(frozen=True)
class Benchmark:
    """What is measured, on what, and who judges it: `load` gives one of ours, or make one of your own.

    >>> import beholder as bh
    >>> import numpy as np
    >>> @bh.measure(better="lower", bounds=(0, 1), cite="")
    ... def miss(observed, reference):
    ...     return abs(observed - reference)
    >>> dataset = bh.Dataset("greys", ("0.2", "0.8"), lambda id: bh.Sample(id, np.full((4, 4), float(id)), 0.5))
    >>> mine = bh.Benchmark("own/greys", 1, dataset, (miss,), (bh.judge("mean_score"),))
    >>> scores = bh.run(mine, {"mean": np.mean, "half": lambda pixels: 0.5}, jobs=0)
    >>> mine.judge(scores).best
    ('half',)
    """

    name: str
    version: int  # rises when, and only when, scores change
    dataset: Dataset[Any, Any]
    measures: tuple[Measure, ...]  # the official ones: the verdict is theirs
    judges: tuple[Judge, ...]  # the first gives the verdict, the others stand beside it
    criteria: tuple[Criterion, ...] = (EVERYWHERE,)
    unjudged: Unjudged = field(default_factory=Unjudged)
    accept: Readout = as_is  # (raw, stimulus) → answer: the one border where answers are validated
    lineup: Lineup = field(default_factory=Lineup)
    files: Files | None = None
    figures: Figures = field(default_factory=Figures)
    hooks: Hooks = field(default_factory=Hooks)
    about: str = ""
    uses: tuple[Used, ...] = ()
    # How another process builds it; `replace` loses it.
    spec: tuple[Any, ...] = field(default=(), init=False, compare=False)

    def __post_init__(self) -> None:
        names = [card(m).label for m in self.all_measures]
        for what, all_names in (("measure", names), ("criterion", [c.name for c in self.all_criteria])):
            twice = {name for name in all_names if all_names.count(name) > 1}
            if twice:
                raise Misuse(f"benchmark {self.name}: got the {what} {sorted(twice)[0]!r} twice; name each once")

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in self.__dict__.items() if key != "_made"}

    def __repr__(self) -> str:
        return f"<Benchmark {self.name}, version {self.version}, on {self.dataset.name}: {len(self.dataset)} samples>"

    def _repr_html_(self) -> str:
        return html_of("benchmark", self)

    @property
    def official(self) -> tuple[str, ...]:
        """The labels of the measures that are judged."""
        return tuple(card(m).label for m in self.measures)

    @property
    def all_measures(self) -> tuple[Measure, ...]:
        """All measures, judged or not."""
        return *self.measures, *self.unjudged.measures

    @property
    def all_criteria(self) -> tuple[Criterion, ...]:
        """All criteria, judged or not."""
        return *self.criteria, *self.unjudged.criteria

    @property
    def domain(self) -> str:
        """The folder that this benchmark belongs to."""
        return self.name.partition("/")[0]

    @property
    def key(self) -> str:
        """What a ledger calls this benchmark on this dataset."""
        return f"{self.name}@{self.dataset.name}#{self.dataset.fingerprint}"

    def provided(self, role: str) -> list[str]:
        """The names of the models that the benchmark brings: baselines, blind models or oracles."""
        return list(self._provided(role))

    def provide(self, role: str, name: str) -> Model | Recorded:
        """A model that the benchmark brings; one that must see samples first is made when it is first asked for."""
        models = self._provided(role)
        given = models[name]
        if isinstance(given, Lazily):
            models[name] = given = given.make()
        found: Model | Recorded = given
        return found

    def _provided(self, role: str) -> dict[str, Any]:
        made: dict[str, dict[str, Any]] = self.__dict__.setdefault("_made", {})
        if role not in made:
            given = {"baseline": self.lineup.baselines, "blind": self.lineup.blind, "oracle": self.lineup.oracles}[role]
            made[role] = dict(given(self.dataset) if callable(given) else given or {})
        return made[role]

    def on(self, dataset: Dataset[Any, Any]) -> Benchmark:
        """The same benchmark on another dataset."""
        return replace(self, dataset=dataset)

    def with_measures(self, *more: Measure) -> Benchmark:
        """The same benchmark with further measures, shown beside the official ones and not judged."""
        return replace(self, unjudged=self.unjudged._replace(measures=(*self.unjudged.measures, *more)))

    def judge(self, scores: pd.DataFrame) -> Verdict:
        """The verdict of the first judge on the official measures, with its trust line."""
        first, *others = self.verdicts(scores)
        return first._replace(others=tuple(others))

    def verdicts(self, scores: pd.DataFrame) -> tuple[Verdict, ...]:
        """What each of the benchmark's judges says."""
        mine = scores[(scores["benchmark"] == self.name) & labels(scores).isin(self.official)]
        judged = mine[~mine["criterion"].isin([c.name for c in self.unjudged.criteria])]
        tuned = tuned_here(scores.attrs.get("run", {}).get("models", ()), [self.dataset.name])
        judged = with_bounds(judged, {card(m).label: card(m).bounds for m in self.measures})
        known = Known(self.lineup.right, (self.dataset.people,) if self.dataset.people else (), tuned)
        return tuple(judge(judged)._replace(known=known) for judge in self.judges)
