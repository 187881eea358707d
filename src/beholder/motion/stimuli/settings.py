"""The settings of a scene: all numbers of a dataclass, checked when it is made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING

import numpy as np

from beholder.errors import Misuse

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def numeric_settings(scene: DataclassInstance) -> dict[str, float]:
    """Every setting of a scene that is a number."""
    values = {field.name: getattr(scene, field.name) for field in fields(scene)}
    return {name: float(value) for name, value in values.items() if isinstance(value, int | float)}


def check_settings(scene: DataclassInstance, positive: Sequence[str]) -> None:
    """Refuse settings that are not finite, named ones that are not above 0, and a turn that is neither 1 nor −1."""
    given = numeric_settings(scene)
    what = type(scene).__name__.lower()
    for name, value in given.items():
        if not np.isfinite(value) or (name in positive and value <= 0):
            raise Misuse(f"{what}: got {name}={value:g}; expected a finite number{' above 0' * (name in positive)}")
    if given.get("turn", 1) not in (1, -1):
        raise Misuse(f"{what}: got turn={given['turn']:g}; expected 1 (counter-clockwise) or -1 (clockwise)")
