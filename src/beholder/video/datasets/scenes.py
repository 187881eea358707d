"""Generated scenes: prompts with a script that says what should happen, for toy generators to draw."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from beholder.core.randomness import rng_for
from beholder.core.sample import Dataset, Sample
from beholder.errors import Misuse
from beholder.video.scene import Scene
from beholder.video.scenes.writing import CAMERAS, INTERACTIONS, Written, write
from beholder.video.types import Prompt


def scenes(
    count: int = 7, *, seed: int = 0, seconds: float = 2.0, rate: float = 12.0, size: str = "240x136"
) -> Dataset[Prompt, Scene]:
    """Scenes of shapes and figures that cross, collide, hand over, hide each other, walk or wave; some cameras move.

    `size` is width x height in px. Interactions and camera movements rotate, so that 35 scenes hold every combination.
    """
    height, width = _size(size)
    if count < 1 or seconds * rate < 2:
        raise Misuse(
            f"got count={count}, seconds={seconds:g}, rate={rate:g}; expected 1 or more scenes of two or more frames"
        )
    return Dataset(
        "scenes",
        tuple(f"scene{n:02d}" for n in range(count)),
        partial(asked, seed=seed, seconds=seconds, rate=rate, size=(height, width)),
        cite="Ling2025,vanderWalt2014",
        licence="generated; some textures are CC0 photographs of scikit-image",
        content=f"seed={seed},seconds={seconds:g},rate={rate:g},size={size}",
        status="derived",
        about="Generated scenes: textured shapes and jointed figures that interact, with known camera and motion.",
    )


def asked(id: str, *, seed: int, seconds: float, rate: float, size: tuple[int, int]) -> Sample[Prompt, Scene]:
    """The sample of one id: the same whatever other samples there are."""
    made, camera = written(id, seed)
    prompt = Prompt(made.text, made.subject, seconds, rate, size, made.script)
    scene = replace(made.scene, text=made.text, subject=made.subject)
    return Sample(id, prompt, scene, {"interaction": made.scene.interaction, "camera": camera})


def written(id: str, seed: int) -> tuple[Written, str]:
    """The scene of an id, and what its camera does."""
    n = int(id.removeprefix("scene"))
    interactions, cameras = list(INTERACTIONS), list(CAMERAS)
    camera = cameras[n % len(cameras)]
    own = int(rng_for(seed, id).integers(1 << 30))
    return write(own, interactions[n % len(interactions)], camera), camera


def _size(text: str) -> tuple[int, int]:
    """Height and width from "240x136"."""
    width, _, height = text.partition("x")
    if not (width.isdigit() and height.isdigit() and min(int(width), int(height)) >= 32):
        raise Misuse(f"got size={text!r}; expected width x height in px, 32 or more, such as 240x136")
    return int(height), int(width)
