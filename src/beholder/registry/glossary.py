"""The words of Beholder and what they mean: docs/explanation/glossary.md, which the package carries along."""

from __future__ import annotations

import functools
import re

from beholder.store.paths import ROOT

CARRIED = ROOT / "registry" / "glossary.md"  # in a wheel; in a checkout the page itself is read


@functools.cache
def glossary() -> dict[str, str]:
    """Each word with its meaning; empty where the page is not there."""
    page = next((file for file in [CARRIED, *ROOT.parents[1].glob("docs/**/glossary.md")] if file.is_file()), None)
    rows = re.findall(r"^\| *([^|]+?) *\| *(.+?) *\|$", page.read_text("utf-8"), re.MULTILINE) if page else []
    return {word: meaning for word, meaning in rows if word != "word" and not word.startswith("-")}
