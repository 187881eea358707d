"""The verb `beholder video train`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(rich_markup_mode="rich")


@app.command()
def train(  # noqa: PLR0913, PLR0917  (the options of a command are its arguments)
    preferences: Annotated[
        str,
        typer.Argument(
            metavar="PREFERENCES",
            help="a table of comparisons or ratings, a folder of `beholder study export`, reward:SPEC, or made",
        ),
    ],
    weights: Annotated[Path, typer.Option(metavar="DIR", help="a VideoMAE, or a folder that holds videomae/")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="the folder to write: videomae/ and a report")],
    clips: Annotated[Path | None, typer.Option(metavar="DIR", help="the clips that were compared")] = None,
    dimension: Annotated[str, typer.Option(help="which dimension, or which column of a wide table")] = "",
    within_groups: Annotated[
        bool, typer.Option("--within-groups", help="ratings: compare only clips of one prompt")
    ] = False,
    unfreeze: Annotated[int, typer.Option(metavar="N", min=0, help="train the last N blocks, too; slow")] = 0,
    refits: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="trainings on other splits; default 4, with --unfreeze 1")
    ] = None,
    prior: Annotated[float, typer.Option(help="wins and losses of each clip against an average one")] = 0.5,
    licence: Annotated[str, typer.Option(help="the network's licence, where its folder does not say")] = "",
    seed: Annotated[int, typer.Option(help="seed of everything drawn at random")] = 0,
    fresh: Annotated[bool, typer.Option("--fresh", help="replace what an earlier training wrote")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="no progress")] = False,
) -> None:
    """Train a commonsense score on preferences: five levels by Bradley and Terry, a head on VideoMAE, a held-out test.

    What is written is loaded by `beholder run video/motion --set backend=deep --set weights=OUT`.
    """
    from beholder.engines.progress import watch
    from beholder.video.recipe.run import Request, run

    asked = Request(
        preferences, weights, out, clips, dimension=dimension, within_groups=within_groups, unfreeze=unfreeze,
        refits=refits, prior=prior, licence=licence, seed=seed, fresh=fresh,
    )  # fmt: skip
    with watch(quiet) as watching:
        text = run(asked, watching)
    typer.echo(text)
    typer.echo(f"\n{out / 'videomae'}: the network with its head; {out / 'report.png'}, {out / 'clips.csv'}")
