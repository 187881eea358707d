"""Prompts with scripts: the same each time, and drawable as they ask."""

import pytest

from beholder.errors import Misuse
from beholder.video.datasets.scenes import scenes
from beholder.video.scenes.rendering import render
from beholder.video.scenes.writing import CAMERAS, INTERACTIONS


def test_all_interactions_and_cameras_take_turns():
    dataset = scenes(35)
    tags = {tuple(sample.tags[name] for name in ("interaction", "camera")) for sample in dataset}
    assert tags == {(i, c) for i in INTERACTIONS for c in CAMERAS}


def test_a_sample_depends_on_its_id_and_seed_alone():
    assert scenes(3)[2].stimulus.scene == scenes(9)[2].stimulus.scene
    assert scenes(3, seed=1)[2].stimulus.scene != scenes(3)[2].stimulus.scene


def test_a_prompt_can_be_drawn_as_it_asks():
    asked = scenes(1, seconds=0.5)[0]
    clip = render(
        asked.stimulus.scene, rate=asked.stimulus.rate, seconds=asked.stimulus.seconds, size=asked.stimulus.size
    )
    assert clip.pixels.shape == (6, 136, 240, 3)
    assert asked.stimulus.text.startswith("a ")
    assert asked.reference.interaction == "crossing"


@pytest.mark.parametrize("wrong", [{"count": 0}, {"size": "240"}, {"size": "8x8"}, {"seconds": 0.1}])
def test_misuse_is_told(wrong):
    with pytest.raises(Misuse, match="expected"):
        scenes(**wrong)
