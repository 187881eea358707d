"""A made set of clips with a planted order, and preferences drawn from it: to try the recipe, not to learn from.

The clips are generated scenes in grey that drown in red noise, the more the worse. That is easy on purpose: even the
features of a network with random weights tell it. So the set shows that the recipe runs and recovers an order that is
there; it says nothing of commonsense.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from beholder.io.atomic import write_whole
from beholder.video.datasets.scenes import written
from beholder.video.recipe.preferences import Preferences, some_pairs
from beholder.video.scenes.rendering import render
from beholder.video.types import Bytes, Clip

RATE = 8.0  # frames/s
FRAMES = 16
SIZE = (48, 64)  # height and width: what a tiny network looks at anyway
RED = (255.0, 0.0, 0.0)  # what clips drown in, and
SPREAD = 40.0  # its noise: levels
SHARP = 10.0  # log odds between the best and the worst clip
UNDECIDED = 0.1  # share of the comparisons that tie


@dataclass(frozen=True, eq=False)
class Made:
    """Clips by their names, how bad each is (0 … 1), and preferences that follow from it."""

    clips: Mapping[str, Clip]
    severity: Mapping[str, float]
    preferences: Preferences


def made(*, scenes: int = 20, severities: int = 6, opponents: int = 80, seed: int = 0) -> Made:
    """Scenes at different severities: clip NN/k; its group is the scene. Who wins follows Bradley and Terry's law."""
    rng = np.random.default_rng(seed)
    clips, severity = {}, {}
    for n in range(scenes):
        clean = _scene(n, seed)
        for k, bad in enumerate(rng.permutation((np.arange(severities) + rng.random(severities)) / severities)):
            clips[f"{n:02d}/{k}"] = Clip(drowned(clean, float(bad), rng), rate=RATE)
            severity[f"{n:02d}/{k}"] = float(bad)
    items = tuple(clips)
    bad = np.array([severity[name] for name in items])
    pairs = some_pairs(len(items), opponents, rng)
    chance = 1 / (1 + np.exp(SHARP * (bad[pairs[:, 0]] - bad[pairs[:, 1]])))
    value = (rng.random(len(pairs)) < chance).astype(float)
    value[rng.random(len(pairs)) < UNDECIDED] = 0.5
    groups = tuple(name.partition("/")[0] for name in items)
    said = "generated; not from people"
    return Made(clips, severity, Preferences(items, groups, pairs[:, 0], pairs[:, 1], value, said))


def _scene(n: int, seed: int) -> Bytes:
    pixels = render(written(f"scene{n:02d}", seed)[0].script, rate=RATE, seconds=FRAMES / RATE, size=SIZE).pixels
    assert pixels is not None  # since it was rendered
    return pixels


def drowned(pixels: Bytes, share: float, rng: np.random.Generator) -> Bytes:
    """Frames in grey, of which a share is red noise."""
    red = np.array(RED) + SPREAD * rng.standard_normal(pixels.shape)
    mixed = (1 - share) * pixels.mean(axis=-1, keepdims=True) + share * red
    return np.asarray(np.clip(mixed, 0, 255), np.uint8)


def write(found: Made, folder: Path) -> Path:
    """Put clips into FOLDER/clips and comparisons into FOLDER/preferences.csv, which is returned."""
    for name, clip in found.clips.items():
        place = folder / "clips" / f"{name}.npz"
        place.parent.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(place, frames=np.asarray(clip.pixels), rate=RATE)
    its = found.preferences
    rows = [
        f"{its.items[a]},{its.items[b]},{value:g},{its.groups[a]},{its.groups[b]}"
        for a, b, value in zip(its.first, its.second, its.value, strict=True)
    ]
    write_whole(folder / "preferences.csv", "\n".join(["first,second,value,first_group,second_group", *rows, ""]))
    return folder / "preferences.csv"
