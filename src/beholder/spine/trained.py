"""A model is never scored on what it was trained on: its facts name the beds, trained_on="eyecrowd, osie"."""

from __future__ import annotations

from typing import Any

from beholder.spine.cite import facts_of
from beholder.spine.misuse import Misuse


def trained_on(model: Any, bed: str) -> str:
    """The bed of a model's training that a bed is, or holds: names of joined and changed beds hold the original's.

    >>> from beholder.spine.cite import source
    >>> learnt = source("", trained_on="osie, eyecrowd")(lambda picture: picture)
    >>> trained_on(learnt, "eyecrowd+mit1003"), trained_on(learnt, "mit1003"), trained_on(len, "osie")
    ('eyecrowd', '', '')
    """
    seen = (name.strip() for name in facts_of(model).get("trained_on", "").split(","))
    return next((name for name in seen if name and name in bed), "")


def refuse_trained(name: str, model: Any, bed: str) -> None:
    """Raise a sentence where a model was trained on what it is to be scored on."""
    seen = trained_on(model, bed)
    if seen:
        raise Misuse(
            f"model {name!r} was trained on {seen}: what it scores on the bed {bed} tells nothing of it; "
            "expected a bed that it has not seen; leave the model out, or choose another bed"
        )
