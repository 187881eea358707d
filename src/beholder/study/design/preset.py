"""Presets: studies with everything set, such as those of papers, each a TOML file in presets/."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "presets"


def presets() -> list[str]:
    """Names of studies with everything set, such as those of papers."""
    return sorted(file.stem for file in FOLDER.glob("*.toml"))


def preset(name: str) -> dict[str, Any]:
    """What a preset says."""
    return tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8"))


def deviations(of: Mapping[str, Any], options: Mapping[str, Any]) -> list[str]:
    """Where a preset differs from its source, under some options of its exhibit; `options` has the defaults, too.

    >>> deviations({"deviations": [{"text": "always"}, {"text": "raw only", "when": {"rendering": "raw"}}]}, {})
    ['always']
    """
    return [
        one["text"]
        for one in of.get("deviations", ())
        if all(options.get(key) == value for key, value in one.get("when", {}).items())
    ]


def card(name: str) -> str:
    """What a preset is, what it sets, and where it differs from its source."""
    own = preset(name)
    lines = [f"{name}  (preset of a study: {own['exhibit']})", "", own["about"], ""]
    lines += [f"make it   beholder study new {name} --out DIR", f"          {' '.join(own['without'].split())}", ""]
    lines += [f"settings  {', '.join(f'{key}={value!r}' for key, value in own['options'].items())}", ""]
    lines += ["Where it differs from its source, or the source is silent:"]
    for one in own.get("deviations", ()):
        when = ", ".join(f"{key}={value}" for key, value in one.get("when", {}).items())
        lines.append(f"- {one['text']}{f' ({when})' if when else ''}")
    return "\n".join(lines)
