"""The verbs of `beholder video prompts`."""

from __future__ import annotations

import typer

app = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="Make, review and count prompts that ask for motion."
)
