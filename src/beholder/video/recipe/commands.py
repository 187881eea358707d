"""The verb `beholder video train`."""

from __future__ import annotations

import typer

app = typer.Typer(rich_markup_mode=None)
