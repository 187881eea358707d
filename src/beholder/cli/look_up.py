"""Verbs that look things up: `list`, `show`, `cite`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from beholder.cli import complete

PANEL = "Look things up"
app = typer.Typer(rich_markup_mode="rich")

Folders = Annotated[list[Path], typer.Argument(metavar="DIR…", help="folders of runs")]


@app.command("list", rich_help_panel=PANEL)
def list_(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="[DOMAIN] [KIND]",
            help="such as: stereo; models; measures attention; judges; presets; words",
            autocompletion=complete.kinds,
        ),
    ] = [],  # noqa: B006
) -> None:
    """What there is: benchmarks, datasets, models, measures, judges …"""
    from beholder.registry.listing import listing

    typer.echo(listing(*words))


@app.command(rich_help_panel=PANEL)
def show(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="anything that list names, with settings in brackets if you like: stereo/dense, bad_pixels, "
            "sgbm(window=5), tuebingen, people, ceiling",
            autocompletion=complete.anything,
        ),
    ],
) -> None:
    """The card of anything: what it is, formula, range, settings, source."""
    from beholder.registry.catalogue import shown
    from beholder.registry.wrapping import wrapped
    from beholder.study.design.preset import card, presets

    typer.echo(wrapped(card(name) if name in presets() else shown(name)))


@app.command(rich_help_panel=PANEL)
def cite(folders: Folders) -> None:
    """BibTeX of everything that runs used."""
    from beholder.evaluation.record import cite as cited

    typer.echo(cited(*folders))
