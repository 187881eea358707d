"""The recipe as one call: strengths, levels, features, a head, what it is worth, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from beholder.engines.progress import Silent
from beholder.errors import Misuse
from beholder.stats.bradley_terry import Fit, from_pairs
from beholder.video.recipe import tuning
from beholder.video.recipe.encoder import Encoder
from beholder.video.recipe.evaluation import HeldOut, held_out
from beholder.video.recipe.head import Curve, Seen, fit_head
from beholder.video.recipe.levels import Levels, levels_of
from beholder.video.recipe.preferences import Preferences
from beholder.video.recipe.splits import Split, apart, check_size, split, units
from beholder.video.types import Clip

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

PRIOR = 0.5  # wins and losses that each clip has against an average one before any comparison
REFITS = 4  # trainings on other splits, by which the spread is told; with unfrozen blocks each costs as much again


@dataclass(frozen=True)
class Plan:
    """How a head is trained."""

    seed: int = 0
    unfreeze: int = 0  # blocks that are trained with the head
    refits: int = REFITS
    prior: float = PRIOR


@dataclass(frozen=True, eq=False)
class Trained:
    """One training: on what, what came of it, and what it is worth."""

    encoder: Encoder  # wears the head
    split: Split
    fit: Fit  # strengths by the comparisons without held-out clips
    levels: Levels
    curve: Curve
    held_out: HeldOut
    unmet: int  # clips that were only compared with held-out ones, and so are not trained on


@dataclass(frozen=True, eq=False)
class Training:
    """The training that is kept, and others that tell how much hangs on chance."""

    preferences: Preferences
    plan: Plan
    kept: Trained
    refits: tuple[float, ...]  # Spearman's ρ on the held-out clips of other splits, with other seeds

    @property
    def spread(self) -> float:
        """The standard deviation of ρ over all trainings; NaN of one."""
        every = [self.kept.held_out.spearman.value, *self.refits]
        return float(np.std(every, ddof=1)) if len(every) > 1 else float("nan")


def train(
    preferences: Preferences,
    clips: Mapping[str, Clip],
    encoder: Encoder,
    plan: Plan | None = None,
    watch: Silent | None = None,
) -> Training:
    """Train a head on preferences of clips, and say what it is worth on prompts that it has not seen."""
    watching, plan = watch or Silent(), plan or Plan()
    check_size(preferences)
    if plan.refits < 0 or plan.prior <= 0:
        raise Misuse(f"got refits={plan.refits}, prior={plan.prior}; expected 0 or more, and above 0")
    seen = _features(preferences, clips, encoder, watching)
    kept = _trained(preferences, clips, seen, encoder, plan, watching)
    refits = []
    if plan.refits:
        watching.begin("refits on other splits", plan.refits, 0, "trainings")
    for n in range(1, plan.refits + 1):
        other = _trained(preferences, clips, seen, encoder, replace(plan, seed=plan.seed + n), Silent())
        refits.append(other.held_out.spearman.value)
        watching.step(False)
    return Training(preferences, plan, kept, tuple(refits))


def _features(preferences: Preferences, clips: Mapping[str, Clip], encoder: Encoder, watch: Silent) -> list[Seen]:
    """What the network makes of each clip, once for all trainings."""
    watch.begin("looking at clips", len(preferences.items), 0, "clips")
    found = []
    for item in preferences.items:
        try:
            found.append(encoder.seen(clips[item]))
        except (ValueError, OSError) as fault:
            raise Misuse(f"the clip {item!r} cannot be read: {fault}") from fault
        watch.step(False)
    if not all(np.isfinite(seen.features).all() for seen in found):
        raise Misuse(f"{encoder.weights.place} gives features that are not numbers; are its weights complete?")
    return found


def _trained(
    preferences: Preferences,
    clips: Mapping[str, Clip],
    seen: list[Seen],
    encoder: Encoder,
    plan: Plan,
    watch: Silent,
) -> Trained:
    """One training on one split. Comparisons with a held-out clip are for the test, all others for the training."""
    parts = split(units(preferences), plan.seed)
    mask = ~apart(preferences, parts.test)
    first, second = preferences.first[mask], preferences.second[mask]
    fit = from_pairs(first, second, preferences.value[mask], len(preferences.items), prior=plan.prior, errors=False)
    met = np.isin(np.arange(len(preferences.items)), np.concatenate([first, second]))
    own = Split(parts.train[met[parts.train]], parts.stop[met[parts.stop]], parts.test)
    _refuse_few(own)
    levels = levels_of(fit.strengths[own.train])
    labels = levels.of(fit.strengths[own.train]), levels.of(fit.strengths[own.stop])
    head, curve = fit_head(
        [seen[at] for at in own.train], labels[0], [seen[at] for at in own.stop], labels[1], seed=plan.seed
    )
    cas = head.cas([seen[at] for at in own.test])
    made = encoder.wearing(head)
    if plan.unfreeze:
        some = [[clips[preferences.items[at]] for at in part] for part in own]
        made, curve = tuning.tuned(
            made, (some[0], some[1]), labels, unfreeze=plan.unfreeze, seed=plan.seed, watch=watch
        )
        cas = tuning.cas(made, some[2])
    found = held_out(preferences, own.test, cas, prior=plan.prior, seed=plan.seed)
    unmet = len(parts.train) + len(parts.stop) - len(own.train) - len(own.stop)
    return Trained(made, own, fit, levels, curve, found, unmet)


def _refuse_few(own: Split) -> None:
    if len(own.train) < 10 or len(own.stop) < 1 or len(own.test) < 3:
        raise Misuse(
            f"got {len(own.train)} clips to train on, {len(own.stop)} to stop by and {len(own.test)} held out; "
            "expected at least 10, 1 and 3: compare more clips, or more of the same prompts"
        )
