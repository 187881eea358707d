"""Verbs that keep the house: `doctor`, `runs`, `cache`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

PANEL = "Housekeeping"
app = typer.Typer(rich_markup_mode="rich")


@app.command(rich_help_panel=PANEL)
def doctor() -> None:
    """Is everything there? Versions, extras, cores, disk, cache, data."""
    from beholder.cli.doctor import examine, told

    found = examine()
    typer.echo(told(found))
    if any(one.state == "broken" for one in found):
        raise typer.Exit(1)


@app.command(rich_help_panel=PANEL)
def runs(root: Annotated[Path, typer.Argument(metavar="[DIR]", help="default: runs/")] = Path("runs")) -> None:
    """The runs below a folder, with their state."""
    from beholder.store.run_folder import list_runs

    for one in list_runs(root):
        spent = "" if one["seconds"] is None else f"{one['seconds']:.1f} s"
        failed = f"{one['failed']} failed" if one["failed"] else ""
        typer.echo("  ".join(word for word in (one["started"], one["state"], one["folder"], spent, failed) if word))


@app.command(rich_help_panel=PANEL)
def cache(
    trim: Annotated[int | None, typer.Option(metavar="MB", help="drop the least recently used beyond so much")] = None,
) -> None:
    """Where the cache is and how large; --trim makes it smaller."""
    from beholder.store.cache import Cache

    store = Cache()
    if trim is not None:
        typer.echo(f"dropped {store.trim(trim * 1024**2) / 1024**2:.1f} MB")
    typer.echo(f"{store.where}: {store.size() / 1024**2:.1f} MB in {len(store.files())} files")
