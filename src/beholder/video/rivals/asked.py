"""VideoScore and VideoPhy: fixed questions about a clip, answered by numbers or by yes and no.

What both look at (frames, places of pictures in the text, dimensions, yes and no) is as their published code has it
(read there). Their wording is not repeated here: put it into prompt.txt beside the weights, since a network that was
trained with one wording answers another one less well. Without that file our own wording is used, and said.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import numpy as np

from beholder.core.measure import NotApplicable
from beholder.video.networks.weights import Weights
from beholder.video.rivals.asking import asks
from beholder.video.rivals.frames import spaced
from beholder.video.rivals.language import regressor, speaker
from beholder.video.rivals.roles import VIDEOPHY, VIDEOSCORE
from beholder.video.types import Clip, Floats

FRAMES = 16  # that VideoScore looks at; also taken for VideoPhy
LONG_SIDE = 768  # px
DIMENSIONS = (
    "visual_quality",
    "temporal_consistency",
    "dynamic_degree",
    "text_to_video_alignment",
    "factual_consistency",
)
WORDING = "prompt.txt"
SCORE = (
    "Rate a generated clip, of which the frames follow, from 1.0 (bad) to 4.0 (like a real film) in five respects: "
    "visual quality, temporal consistency, dynamic degree, text-to-video alignment, factual consistency. "
    'The clip was asked for by: "{text_prompt}". Its frames:\n'
)
SHOWS = 'Do these frames show what this text describes: "{text_prompt}"? Answer Yes or No.'
OBEYS = "Does everything in these frames move as the laws of physics demand? Answer Yes or No."
SEPARATOR = "\n---\n"  # between the two questions of VideoPhy in prompt.txt


@dataclass(frozen=True, eq=False)
class Numbers:
    """What a network said, by name, and whether it was asked in its makers' words."""

    values: Floats
    published: bool


@asks(VIDEOSCORE)
def videoscore_numbers(clip: Clip, text: str, weights: Weights) -> Numbers:
    """Five numbers by regression: the head on the last token of the text and the pictures' signs after it."""
    torch = import_module("torch")
    made, head = regressor(weights, len(DIMENSIONS))
    wording, published = _wording(weights, SCORE)
    frames = spaced(clip, FRAMES, LONG_SIDE)
    inputs = made.prepared(frames, wording.replace("{text_prompt}", _known(text)) + made.signs(len(frames)))
    with torch.inference_mode():
        last = made.model(**inputs).last_hidden_state[0, -1].double().numpy()
    return Numbers(np.asarray(head @ last), published)


@asks(VIDEOPHY)
def videophy_chances(clip: Clip, text: str, weights: Weights) -> Numbers:
    """How probable yes is: that the clip shows what was asked (NaN without a prompt), and that it obeys physics."""
    made = speaker(weights)
    wording, published = _wording(weights, SHOWS + SEPARATOR + OBEYS)
    shows, _, obeys = wording.partition(SEPARATOR)
    frames = spaced(clip, FRAMES, LONG_SIDE)
    adherence = made.yes(made.inputs(frames, shows.replace("{text_prompt}", text))) if text else np.nan
    return Numbers(np.array([adherence, made.yes(made.inputs(frames, obeys or OBEYS))]), published)


def _known(text: str) -> str:
    if not text:
        raise NotApplicable("the clip has no prompt, and this network also judges the match to the prompt")
    return text


def _wording(weights: Weights, ours: str) -> tuple[str, bool]:
    """The question in its makers' words where they lie beside the weights, else in ours."""
    file = Path(weights.place) / WORDING
    return (file.read_text("utf-8"), True) if file.is_file() else (ours, False)
