"""What checks a study itself: classes without a right answer, and items that were shown a second time."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from beholder.stats import two_way
from beholder.study.analysis.table2 import Share, share
from beholder.study.analysis.trials import Contrast, Floats, ratio, trials_of

if TYPE_CHECKING:
    from beholder.study.analysis.answers import Export


class Control(NamedTuple):
    """A class that is not scored, such as human gaze played backwards."""

    kind: str
    called: Share  # signal; the mean over participants
    apart: Contrast | None  # from the signal class; pooled answers
    items: int


class Retest(NamedTuple):
    """Items that were shown twice to a participant."""

    alike: Share  # answered as the first time; the mean over participants
    by_chance: float  # the share alike if the second answer had nothing to do with the first
    pairs: int


def controls(export: Export) -> tuple[Control, ...]:
    """Every class of a yes/no study that has no right answer: how often it is called signal."""
    study = export.study
    if study.trial != "yes_no" or study.signal not in study.right:
        return ()
    word = study.right[study.signal]
    rows = export.answers[export.answers["dimension"] == study.questions[0].dimension]
    found = []
    for kind in (name for name in study.classes if name not in study.right):
        own = rows[rows["class"].isin([kind, study.signal])]
        own = own.assign(thing=own["item"])
        signal = (own["class"] == study.signal).to_numpy(bool)
        if signal.all():
            continue
        trials = trials_of(own, (own["value"] == word).to_numpy(bool), signal)
        columns = np.stack([trials.said * signal, signal, trials.said * ~signal, ~signal], axis=1)

        def apart(of: two_way.Draws, columns: Floats = columns) -> Floats:
            held, many, others, rest = of.sums(columns).T
            return ratio(others, rest) - ratio(held, many)

        told = share(f"{kind} labelled {study.signal}", trials, trials.said, ~signal)
        names = f"{kind} − {study.signal}", f"labelled {study.signal}"
        less = trials.contrast(names, apart) if signal.any() else None
        found.append(Control(kind, told, less, int(own.loc[~signal, "item"].nunique())))
    return tuple(found)


def retest(export: Export) -> Retest | None:
    """How far participants agree with themselves on the first question; nothing where nothing was repeated."""
    first = export.study.questions[0].dimension
    keys = ["session", "item", "other", "dimension"]
    once, again = (of[of["dimension"] == first] for of in (export.answers, export.repeats))
    both = again.merge(once.drop_duplicates(keys)[[*keys, "value"]], on=keys, suffixes=("", "_before"))
    if both.empty:
        return None
    both = both.assign(thing=both["item"] + " " + both["other"])
    alike = (both["value"] == both["value_before"]).to_numpy(bool)
    trials = trials_of(both, alike, np.ones(len(both), bool))
    everything = np.ones(len(both), bool)
    shares = [both[name].value_counts(normalize=True) for name in ("value", "value_before")]
    chance = float(sum(shares[0].get(value, 0.0) * shares[1].get(value, 0.0) for value in shares[0].index))
    return Retest(share("answered alike twice", trials, trials.said, everything), chance, len(both))
