"""The generated scene with a fault: what a generator with one bad habit makes."""

from __future__ import annotations

from beholder.core.cite import source
from beholder.store.digest import digest
from beholder.video.corruptions.suite import corrupt
from beholder.video.models.lawful import lawful
from beholder.video.types import Clip, Prompt


@source("")
def faulty(prompt: Prompt, *, kind: str = "vanish", severity: int = 3) -> Clip:
    """A clip of the scene that the prompt describes, with one kind of fault from the corruption suite."""
    seed = int(digest(prompt.text, prompt.scene)[:7], 16)
    return corrupt(lawful(prompt), kind, severity, seed=seed)
