"""What a judge concludes from a score table, and the notes that must be read with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from beholder.core.notebook import html_of
from beholder.errors import listed

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Note:
    """A sentence that must be read with the numbers, and what it is about.

    Reports sort, merge and cut notes by their kind and by what they are about; they never read the sentence. In the
    text, "{about}" stands for what the note is about: notes that differ in nothing else become one that names it all.

    >>> str(Note("blind", "a is worse than chance on {about}", about=("nss (all)",)))
    'a is worse than chance on nss (all)'
    """

    kind: str  # of what it tells: status, common, units, blind, ceiling, family, dataset, judge …
    text: str
    about: tuple[str, ...] = ()  # measures with their criteria, or datasets
    numbers: Mapping[str, float] = field(default_factory=dict)  # that the sentence rests on

    def __str__(self) -> str:
        return self.text.replace("{about}", ", ".join(self.about))


def merge_notes(notes: Iterable[Note]) -> list[Note]:
    """Notes that differ only in what they are about become one each, in the order of their first appearance.

    >>> notes = [Note("blind", "a lost on {about}", (name,)) for name in ("ig (all)", "kl (all)")]
    >>> [str(note) for note in merge_notes(notes)]
    ['a lost on ig (all), kl (all)']
    """
    found: dict[tuple[str, str], Note] = {}
    for note in notes:
        first = found.setdefault((note.kind, note.text), note)
        together = tuple(dict.fromkeys((*first.about, *note.about)))
        found[note.kind, note.text] = replace(first, about=together, numbers={**first.numbers, **note.numbers})
    return list(found.values())


class Known(NamedTuple):
    """What a benchmark knows of its scores and their table does not say."""

    right: Mapping[str, Sequence[str]] = {}  # blind model → where it is right by construction, and no yardstick
    people: tuple[str, ...] = ()  # kinds of people behind the dataset: recorded, published, remembered, simulated
    tuned: Mapping[str, Sequence[str]] = {}  # model → datasets of this kind of stimulus, on which it was tuned


class Verdict(NamedTuple):
    """What an evaluation model concludes from a score table. Printed, it begins with its trust line.

    The trust line says who is best, or that there is no clear winner; whether it beats the blind models; how far it is
    from them to people; over how many units, and what kind of people; whether the other judges agree.

    >>> import beholder as bh
    >>> stereo = bh.load("stereo/dense", limit=3)
    >>> verdict = stereo.judge(bh.run(stereo, jobs=0))
    >>> verdict.method, list(verdict.standing.index)
    ('Pareto dominance', ['block', 'sgbm'])
    """

    method: str
    best: tuple[str, ...]
    standing: pd.DataFrame  # one row per model, best first
    finding: str  # the sentence, without those who were not judged; where nobody was, it says why
    cite: str = ""
    left_out: Mapping[str, str] = {}  # model → why it was not judged
    notes: tuple[Note, ...] = ()
    tied: tuple[str, ...] = ()  # who is not significantly worse than the best
    untested: str = ""  # why it was not tested who is significantly worse
    how: str = ""  # in what sense a single leader is best, where that is not by one number
    trusting: Callable[[Sequence[Verdict], Known], object] | None = None  # makes the trust line of the first verdict
    known: Known = Known()
    others: tuple[Verdict, ...] = ()  # of the other judges of the same benchmark

    @property
    def trust(self) -> str:
        """Who is best, and how far that can be relied on; nothing where the judge cannot tell."""
        return str(self.trusting((self, *self.others), self.known)) if self.trusting else ""

    @property
    def leading(self) -> tuple[str, ...]:
        """The best, and who is not significantly worse."""
        return (*self.best, *self.tied)

    @property
    def says(self) -> str:
        """The finding, and who was left out and why."""
        return self._with([f"{model} ({why})" for model, why in self.left_out.items()])

    @property
    def headline(self) -> str:
        """The finding, and who was left out; the reasons stand elsewhere."""
        return self._with(list(self.left_out))

    def __str__(self) -> str:
        return "\n".join(filter(None, [self.trust, self.says]))

    def __repr__(self) -> str:
        return f"<Verdict by {self.method}: {self.trust or self.says}>"

    def _repr_html_(self) -> str:
        return html_of("verdict", self)

    def _with(self, left_out: list[str]) -> str:
        return f"{self.finding}; left out: {listed(left_out)}" if left_out and len(self.standing) else self.finding


Judge = Callable[["pd.DataFrame"], Verdict]


def scores_of(verdict: Verdict) -> pd.DataFrame | None:
    """The table that was judged; None where the verdict does not know it."""
    found: pd.DataFrame | None = next(iter(getattr(verdict.trusting, "args", ())), None)
    return found
