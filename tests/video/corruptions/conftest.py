"""One generated clip for all tests of corruptions."""

import pytest

from beholder.video.scenes.rendering import render
from beholder.video.scenes.writing import write


@pytest.fixture(scope="session")
def clip():
    """Somebody walks, filmed by hand: 30 frames of 99 x 175 px."""
    return render(write(2, "walk", "hand_held").script, rate=12.0, seconds=2.5, size=(99, 175))
