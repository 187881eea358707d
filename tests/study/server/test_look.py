"""The pages keep their promises to the eye, and to the policy that forbids what is not our own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from beholder.study import server

HERE = Path(server.__file__).parent
CSS = (HERE / "static" / "study.css").read_text("utf-8")
COLOUR = re.compile(r"--([\w-]+): (#[0-9a-f]{6})")
LIGHT, DARK = (dict(COLOUR.findall(part)) for part in CSS.split("prefers-color-scheme: dark"))
TEXTS = [
    ("ink", "ground"), ("ink", "raised"), ("ink", "tint"), ("soft", "ground"), ("soft", "raised"), ("soft", "sunk"),
    ("soft", "stage"), ("accent", "ground"), ("accent", "raised"), ("on-accent", "accent"), ("bad", "ground"),
    ("good", "ground"),
]  # fmt: skip


def luminance(colour: str) -> float:
    """Relative luminance of WCAG 2."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_contrast_is_that_of_wcag_aa(colours: dict[str, str]) -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    faint = {pair: round(contrast(*(colours[name] for name in pair)), 2) for pair in TEXTS}
    assert {pair: ratio for pair, ratio in faint.items() if ratio < 4.5} == {}
    assert contrast(colours["edge"], colours["ground"]) >= 3  # what can be pressed
    assert contrast(colours["edge"], colours["raised"]) >= 3


def test_nothing_is_inline_and_nothing_is_from_elsewhere() -> None:
    for file in (*(HERE / "templates").iterdir(), *(HERE / "static").iterdir()):
        text = file.read_text("utf-8")
        if file.suffix == ".html":
            assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:|<script(?![^>]*\bsrc=)", text), file.name
        assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text), file.name


def test_the_script_is_small() -> None:
    assert (HERE / "static" / "study.js").stat().st_size < 40_000
