"""What is known of the scene of a clip: what thresholds may depend on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Scene:
    """What a clip should show, by a prompt or a manifest; every field may be unknown."""

    text: str = ""
    subject: str = ""  # the noun of what should move
    size: str = ""  # of the subject: small, medium, large
    camera: str = ""  # static, moving
    interaction: str = ""
    status: str = ""  # how far this can be trusted, as of any reference
