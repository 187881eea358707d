"""The generated scene as it is: nothing vanishes, nothing wobbles."""

from __future__ import annotations

import math

from beholder.core.cite import source
from beholder.core.measure import NotApplicable
from beholder.video.scenes.rendering import render
from beholder.video.types import Clip, Prompt

SECONDS, RATE, SIZE = 2.5, 12.0, (136, 240)  # of a clip whose prompt does not say


@source("")
def lawful(prompt: Prompt) -> Clip:
    """A clip of the scene that the prompt describes, with natural motion. Prompts without a scene are not
    applicable."""
    if prompt.scene is None:
        raise NotApplicable("the prompt describes no generated scene")
    seconds = SECONDS if math.isnan(prompt.seconds) else prompt.seconds
    return render(prompt.scene, rate=asked_rate(prompt), seconds=seconds, size=prompt.size or SIZE)


def asked_rate(prompt: Prompt) -> float:
    """Frames a second that are asked for."""
    return RATE if math.isnan(prompt.rate) else prompt.rate
