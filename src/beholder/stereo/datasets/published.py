"""The four scenes of Middlebury's second table by their names alone, for numbers that others have measured."""

from __future__ import annotations

from beholder.core.sample import Dataset, Sample
from beholder.stereo.published import SCENES


def published() -> Dataset[None, None]:
    """Tsukuba, Venus, Teddy and Cones by name only, without images: for published numbers."""
    return Dataset(
        "published",
        SCENES,
        scene,
        cite="Scharstein2002,Scharstein2003",
        licence="names only",
        content="Middlebury stereo, version 2",
        about="The scenes on which the algorithms of Middlebury's second table were measured; no pictures.",
    )


def scene(id: str) -> Sample[None, None]:
    """A scene: an empty stimulus and no reference."""
    return Sample(id, None, None)
