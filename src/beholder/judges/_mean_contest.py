"""Models by their means over units: what is compared, who dominates whom, and how often each is undominated."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.core.verdict import Note
from beholder.errors import listed
from beholder.judges._component_intervals import bounds, note_exact, of_means
from beholder.stats import bootstrap
from beholder.stats.best_set import bounded
from beholder.stats.dominance import ordinary
from beholder.stats.fronts import REACH, Contest, front, within_budget
from beholder.stats.mean_dominance import LEAST, Means, mean_dominance, mean_membership
from beholder.verdicts.components import Components
from beholder.verdicts.layout import Layout
from beholder.verdicts.wording import too_few

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
OfMeans = Callable[[Floats], Contest]  # from means, models × cells, to a contest between them


class MeanContest(NamedTuple):
    """Means under a relation between numbers; where there is none, under that of significant differences."""

    means: Means
    between: OfMeans | None = None

    @property
    def tested(self) -> list[bool]:
        """Of each cell, whether it has enough units to test differences."""
        return [own.shape[1] >= LEAST for own in self.means.cells]

    @property
    def untested(self) -> str:
        """Why no difference could be tested; nothing where one could, or intervals are held against each other."""
        most = max(own.shape[1] for own in self.means.cells)
        return "" if self.between or self.known else too_few(most, LEAST)

    @property
    def known(self) -> bool:
        """Whether a cell on few units came with an interval."""
        return bool(np.isfinite(self.means.ends).any())

    @property
    def dominance(self) -> Bools:
        """Who dominates whom."""
        return self.between(self.means.settled).dominance if self.between else mean_dominance(self.means)

    def share(self, drawn: Iterable[Floats]) -> Floats:
        """In what share of draws each model is undominated."""
        if self.between is None:
            return mean_membership(self.means, drawn)
        every = np.ones(self.means.ends.shape[2], dtype=bool)
        own = (
            self.between(values) for block in drawn for weights in block for values in self.means.drawn(weights[None])
        )
        inside = [front(contest, every) for contest in own]
        return np.mean(inside, axis=0) if inside else np.full(self.means.ends.shape[1], np.nan)


def by_significance(scores: pd.DataFrame, found: Components, lay: Layout) -> MeanContest:
    """Who is nowhere worse in the mean and somewhere significantly better."""
    return MeanContest(_means(scores, found, lay))


def by_numbers(found: Components, lay: Layout, between: OfMeans) -> MeanContest:
    """Means under a relation between numbers."""
    return MeanContest(_means(None, found, lay), between)


def by_intervals(scores: pd.DataFrame, found: Components, lay: Layout) -> tuple[MeanContest, tuple[Note, ...]]:
    """Whose interval ends nowhere after the other's begins, and somewhere before; and what has no interval."""
    ends, bare = of_means(found, lay, bounds(scores, found))
    means = _means(None, found, lay)
    reach = np.stack([ends.min(axis=0), ends.max(axis=0)]) - means.settled

    def between(values: Floats) -> Contest:
        return Contest(values + reach[1], ordinary, values + reach[0])

    return MeanContest(means, between), note_exact(bare)


def draw_shares(contest: MeanContest, lay: Layout, draws: int, seed: int) -> tuple[tuple[Floats, Floats], int]:
    """Shares of bootstrap samples and of random halves of units in which models are undominated, and of how many."""
    models, cells = contest.means.ends.shape[1:]
    units, rng = len(lay.strata), np.random.default_rng(seed)
    wanted = draws if lay.drawable else 0
    some = within_budget(models**2 * min(cells, REACH), wanted, wanted)
    kinds = (bootstrap.counts, bootstrap.halves)
    sampled, halved = (contest.share(kind(units, draws=some, rng=rng, strata=lay.strata)) for kind in kinds)
    return (sampled, halved), some


def note_untested(contest: MeanContest, lay: Layout) -> tuple[Note, ...]:
    """Which cells have too few units to test differences, where others have enough."""
    few = tuple(name for name, enough in zip(lay.names, contest.tested, strict=True) if not enough)
    if contest.between or not few or len(few) == len(lay.names):
        return ()
    text = f"fewer than {LEAST} units, so intervals must not overlap, and a value without one is exact: {listed(few)}"
    return (Note("once", text, about=few),)


def _means(scores: pd.DataFrame | None, found: Components, lay: Layout) -> Means:
    """The losses of each cell on its units, and the intervals of those on few units, where they are asked for."""
    losses = found.losses
    order = np.argsort(lay.cells, kind="stable")
    members = np.split(order, np.cumsum(np.bincount(lay.cells))[:-1])
    ends = np.full((2, len(losses), len(members)), np.nan)
    if scores is not None:
        _fill_ends(ends, scores, found, members)
    return Means([bounded(losses[:, own]) for own in members], [lay.units[own] for own in members], ends)


def _fill_ends(ends: Floats, scores: pd.DataFrame, found: Components, members: list[NDArray[np.int64]]) -> None:
    """Put in the mean ends of the intervals of cells on few units; a unit without an interval counts as exact."""
    few = [at for at, own in enumerate(members) if len(own) < LEAST]
    if not few:
        return
    columns = np.concatenate([members[at] for at in few])
    some = found._replace(values=found.values.iloc[:, columns], sign=found.sign[columns])
    both = bounds(scores, some) * some.sign
    exact = np.where(np.isnan(both), some.losses, both)
    starts = np.cumsum([0, *(len(members[at]) for at in few)])
    for at, start, stop in zip(few, starts, starts[1:], strict=False):
        if np.isfinite(both[:, :, start:stop]).any():
            mean = exact[:, :, start:stop].mean(axis=2)
            ends[:, :, at] = mean.min(axis=0), mean.max(axis=0)
