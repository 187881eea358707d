"""The verbs of `beholder video` that are about weights."""

from __future__ import annotations

import typer

app = typer.Typer(rich_markup_mode=None)
