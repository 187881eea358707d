"""Q-Align (OneAlign, Wu et al. 2024): how good each frame looks, 0 … 1. Opt-in; its licence is non-commercial.

The published model runs code of its own that lies beside its weights and was written for transformers 4.36. It is run
only where this network is named; with a library that it does not fit, it is refused with a sentence.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from importlib import import_module
from typing import Any

import numpy as np

from beholder.errors import Misuse
from beholder.video.files.clips import opened
from beholder.video.networks.loading import first_line, library, where
from beholder.video.networks.weights import Weights, need_torch
from beholder.video.release.smoothness import windows
from beholder.video.types import Bytes, Clip, Floats

LONG_SIDE = 448  # px: what the network sees of a frame
BATCH = 2  # windows at once: the released scripts take all of a clip, which no memory holds
LEAST, MOST = 1.0, 5.0  # what it answers: bad … excellent


def scores(clip: Clip, weights: Weights) -> Floats:
    """Q_t of each frame: the quality of the three frames around it, shown as a video, from 0 (bad) to 1 (excellent)."""
    torch, made = import_module("torch"), scorer(weights)
    found: list[float] = []
    with torch.inference_mode():
        for batch in _batches(clip):
            said = made.score(batch, task_="quality", input_="video")
            found += torch.as_tensor(said).reshape(-1).double().tolist()
    answer = (np.array(found) - LEAST) / (MOST - LEAST)
    if not ((answer >= 0) & (answer <= 1)).all():
        raise Misuse(f"{weights.place} scores a frame {found[int(np.abs(answer - 0.5).argmax())]:g}; expected 1 … 5")
    return answer


def _batches(clip: Clip) -> Iterator[list[list[Any]]]:
    """Windows of three pictures, some at a time."""
    picture = import_module("PIL.Image").fromarray
    with opened(clip, LONG_SIDE) as stream:
        frames: list[Bytes] = [frame for _, frame in stream.frames]
    which = windows(len(frames))
    for at in range(0, len(which), BATCH):
        yield [[picture(frames[frame]) for frame in window] for window in which[at : at + BATCH]]


@lru_cache(maxsize=1)
def scorer(weights: Weights) -> Any:
    """The network, with its own code; refused where today's libraries cannot run it."""
    need_torch(weights.role)
    try:
        made = library().AutoModelForCausalLM.from_pretrained(
            weights.place, **where(weights), trust_remote_code=True, use_safetensors=True
        )
    except Exception as fault:  # noqa: BLE001  (the code of others: anything may come)
        version = library().__version__
        raise Misuse(
            f"q_align in {weights.place} cannot be loaded with transformers {version} ({first_line(fault)}): its own "
            "code was written for 4.36; score frames in an environment with that, or leave q_align out of networks="
        ) from None
    if not callable(getattr(made, "score", None)):
        raise Misuse(f"{weights.place} holds a {type(made).__name__} without `score`; expected Q-Align")
    return made.eval().requires_grad_(False)
