"""A sample in a notebook: what a model sees, and what it is compared with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from beholder.reports._looks import fields, image, looks, words
from beholder.reports._pieces import answer, frame, grid, note

if TYPE_CHECKING:
    from beholder.core.sample import Sample


def sample(of: Sample[Any, Any]) -> str:
    """Pictures of the stimulus, then what it and its reference hold."""
    pictures = Markup("").join(map(image, looks(of.stimulus)))
    rows = [(f"{side}.{name}".rstrip("."), words(value)) for side in ("stimulus", "reference")
            for name, value in fields(getattr(of, side))]  # fmt: skip
    tags = ", ".join(f"{key} {value}" for key, value in of.tags.items())
    return frame(answer(of.id, "sample"), pictures, grid((), rows), note(f"tags: {tags}") if tags else "")
