"""The verbs of `beholder video` that are about weights."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(rich_markup_mode="rich")


@app.command()
def weights(
    folder: Annotated[Path | None, typer.Argument(metavar="[DIR]", help="default: BEHOLDER_WEIGHTS")] = None,
) -> None:
    """Which networks there are: what each does, its licence and source, where its weights are looked for and found."""
    from beholder.video.networks.weights import Weights, status
    from beholder.video.rivals.asking import status as status_of_rivals

    for role, found in (*status(folder or ""), *status_of_rivals(folder or "")):
        typer.echo(f"{role.name}{' (only if it is named)' if role.opt_in else ''}: {role.does}")
        if isinstance(found, Weights):
            typer.echo(
                f"  found in {found.place}, digest {found.digest}; licence: {found.licence}; from {found.source}"
            )
        else:
            typer.echo(f"  {found}")


@app.command()
def convert(
    checkpoint: Annotated[Path, typer.Argument(metavar="FILE", help="vit_g_vmbench.pt, as VMBench publishes it")],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="where to put it: the folder videomae of your weights")],
) -> None:
    """Convert VMBench's commonsense checkpoint into what `backend=deep` loads; every weight must find its place."""
    from beholder.video.networks.videomaev2 import convert as converted

    count = converted(checkpoint, folder)
    typer.echo(f"{count:,} weights of {checkpoint.name} are in {folder}; licence: ask whoever gave you the file")
