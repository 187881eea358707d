"""A linear head on the features of a frozen network: cross-entropy over five levels, stopped by validation clips."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.video.release.commonsense import CLASSES, WORTH

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

EPOCHS = 400
PATIENCE = 40  # epochs without a lower loss on the validation clips
RATE = 0.03  # of learning
DECAY = 0.05  # of weights, a unit of the learning rate
FLAT = 1e-8  # standard deviation below which a feature is constant


class Seen(NamedTuple):
    """What a network makes of the different views of a clip, and how much each of them counts."""

    features: Floats  # (V, d)
    weights: Floats  # (V,), of sum 1


@dataclass(frozen=True, eq=False)
class Head:
    """Logits of the five levels: weight · feature + bias."""

    weight: Floats  # (5, d)
    bias: Floats  # (5,)

    def probabilities(self, seen: Seen) -> Floats:
        """Mean probabilities over the views of a clip."""
        logits = seen.features @ self.weight.T + self.bias
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(seen.weights @ (odds / odds.sum(axis=1, keepdims=True)))

    def cas(self, clips: Sequence[Seen]) -> Floats:
        """Σ p_i w_i of each clip, w = 0, ¼, ½, ¾, 1."""
        return np.array([self.probabilities(seen) @ WORTH for seen in clips])


@dataclass(frozen=True)
class Curve:
    """The losses of each epoch, and the epoch that is kept."""

    train: tuple[float, ...]
    stop: tuple[float, ...]
    best: int


def fit_head(
    train: Sequence[Seen], labels: Ints, stop: Sequence[Seen], stop_labels: Ints, *, seed: int
) -> tuple[Head, Curve]:
    """The head with the least loss on the validation clips; every view of a clip is an example with its level.

    Features are standardised by the training clips; the head takes them as they are, since scale and shift are folded
    into its weights.
    """
    torch = import_module("torch")
    generator = torch.Generator().manual_seed(seed)
    every = np.concatenate([seen.features for seen in train])
    centre, spread = every.mean(axis=0), every.std(axis=0)
    spread = np.where(spread > FLAT, spread, np.inf)  # a constant feature says nothing
    scale = 1 / spread
    sets = [_examples(torch, clips, own, centre, scale) for clips, own in ((train, labels), (stop, stop_labels))]
    weight = (
        0.01 * torch.randn(len(CLASSES), every.shape[1], generator=generator, dtype=torch.float64)
    ).requires_grad_()
    bias = torch.zeros(len(CLASSES), dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.AdamW([weight, bias], lr=RATE, weight_decay=DECAY)
    losses: list[tuple[float, float]] = []
    best, kept = 0, (weight.detach().clone(), bias.detach().clone())
    for epoch in range(EPOCHS):
        optimiser.zero_grad()
        loss = _loss(torch, weight, bias, sets[0])
        with torch.no_grad():
            losses.append((float(loss), float(_loss(torch, weight, bias, sets[1]))))
        if losses[epoch][1] < losses[best][1] or epoch == 0:
            best, kept = epoch, (weight.detach().clone(), bias.detach().clone())
        if epoch - best >= PATIENCE:
            break
        loss.backward()
        optimiser.step()
    own = kept[0].numpy() * scale
    return Head(own, kept[1].numpy() - own @ centre), Curve(
        tuple(one for one, _ in losses), tuple(other for _, other in losses), best
    )


def _examples(torch: Any, clips: Sequence[Seen], labels: Ints, centre: Floats, scale: Floats) -> tuple[Any, Any, Any]:
    """All views of some clips, their levels, and weights by which every clip counts the same."""
    features = torch.from_numpy((np.concatenate([seen.features for seen in clips]) - centre) * scale)
    weights = np.concatenate([seen.weights for seen in clips]) / len(clips)
    often = np.repeat(labels, [len(seen.weights) for seen in clips])
    return features, torch.from_numpy(often), torch.from_numpy(weights)


def _loss(torch: Any, weight: Any, bias: Any, examples: tuple[Any, Any, Any]) -> Any:
    features, labels, weights = examples
    logits = features @ weight.T + bias
    return (torch.nn.functional.cross_entropy(logits, labels, reduction="none") * weights).sum()
