"""A study that needs nothing else: made pictures, and gaze tracks that are all made up."""

from __future__ import annotations

from pathlib import Path

from beholder.study.design.exhibition import Exhibition


def demo(folder: Path) -> Path:
    """Write the demo study into a folder, and return the path of its study.toml."""
    from beholder.study.design.writing import write

    return write(exhibition(), folder)


def exhibition(seed: int = 0) -> Exhibition:
    """Made pictures with tracks of a simulated person and of a model."""
    raise NotImplementedError
