"""The last blocks of the network trained with the head, for those who have the time: `--unfreeze N`."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.engines.progress import Silent
from beholder.errors import Misuse
from beholder.video.networks.videomae import tensor, views
from beholder.video.recipe.encoder import Encoder
from beholder.video.recipe.head import Curve
from beholder.video.release.commonsense import WORTH
from beholder.video.types import Clip

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

EPOCHS = 20
PATIENCE = 3  # epochs without a lower loss on the validation clips
BATCH = 4  # clips
RATE = 5e-5  # of learning
DECAY = 0.05


def tuned(
    encoder: Encoder,
    clips: tuple[Sequence[Clip], Sequence[Clip]],
    labels: tuple[Ints, Ints],
    *,
    unfreeze: int,
    seed: int,
    watch: Silent,
) -> tuple[Encoder, Curve]:
    """A copy of a network with a trained head, its last `unfreeze` blocks trained further; the best epoch is kept.

    In training each clip shows one of its views, chosen at random; for validation the first views of all count.
    """
    torch = import_module("torch")
    layers = len(encoder.model.videomae.encoder.layer)
    if not 0 < unfreeze <= layers:
        raise Misuse(f"got --unfreeze {unfreeze}; expected 0 (only the head) to {layers}, the blocks of this network")
    made = replace(encoder, model=copy.deepcopy(encoder.model))
    own = [*made.model.videomae.encoder.layer[-unfreeze:], made.model.classifier]
    own += [] if made.model.fc_norm is None else [made.model.fc_norm]
    parameters = [one for part in own for one in part.requires_grad_(True).parameters()]
    optimiser = torch.optim.AdamW(parameters, lr=RATE, weight_decay=DECAY)
    rng = np.random.default_rng(seed)
    losses: list[tuple[float, float]] = [(float("nan"), _loss_on(made, clips[1], labels[1]))]
    best, kept = 0, _state(made)
    watch.begin("training", EPOCHS, 0, "epochs at most")
    for epoch in range(1, EPOCHS + 1):
        train = _epoch(made, clips[0], labels[0], optimiser, rng)
        losses.append((train, _loss_on(made, clips[1], labels[1])))
        watch.step(False)
        if losses[epoch][1] < losses[best][1]:
            best, kept = epoch, _state(made)
        if epoch - best >= PATIENCE:
            break
    made.model.load_state_dict(kept)
    made.model.eval().requires_grad_(False)
    return made, Curve(tuple(one for one, _ in losses), tuple(other for _, other in losses), best)


def cas(encoder: Encoder, clips: Sequence[Clip]) -> Floats:
    """Σ p_i w_i of each clip, over all its views."""
    from beholder.video.networks.videomae import probabilities

    found = []
    for clip in clips:
        looks = views(clip, encoder.frames, encoder.side)
        found.append(probabilities(encoder.model, looks.pixels)[looks.which].mean(axis=0) @ WORTH)
    return np.array(found)


def _state(made: Encoder) -> dict[str, Any]:
    return {name: value.detach().clone() for name, value in made.model.state_dict().items()}


def _epoch(made: Encoder, clips: Sequence[Clip], labels: Ints, optimiser: Any, rng: np.random.Generator) -> float:
    """One pass over the training clips in random order; the mean loss."""
    torch = import_module("torch")
    total = 0.0
    for some in np.array_split(rng.permutation(len(clips)), max(1, len(clips) // BATCH)):
        shown = [views(clips[at], made.frames, made.side) for at in some]
        pixels = np.stack([one.pixels[rng.choice(one.which)] for one in shown])
        optimiser.zero_grad()
        logits = made.model.classifier(made.pooled(torch.from_numpy(tensor(pixels))))
        loss = torch.nn.functional.cross_entropy(logits, torch.from_numpy(labels[some]))
        loss.backward()
        optimiser.step()
        total += float(loss.detach()) * len(some)
    return total / len(clips)


def _loss_on(made: Encoder, clips: Sequence[Clip], labels: Ints) -> float:
    torch = import_module("torch")
    losses = []
    with torch.no_grad():
        for clip, label in zip(clips, labels, strict=True):
            looks = views(clip, made.frames, made.side)
            logits = made.model.classifier(made.pooled(torch.from_numpy(tensor(looks.pixels[:1]))))
            losses.append(float(torch.nn.functional.cross_entropy(logits, torch.tensor([label]))))
    return float(np.mean(losses))
