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
    dimension: Annotated[str, typer.Option(help="which dimension to use, or which column of a wide table")] = "",
    within_groups: Annotated[
        bool, typer.Option("--within-groups", help="for ratings: compare only clips of the same prompt")
    ] = False,
    unfreeze: Annotated[int, typer.Option(metavar="N", min=0, help="also train the last N blocks; slow")] = 0,
    refits: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, help="more trainings on other splits; default 4, or 1 with --unfreeze"),
    ] = None,
    prior: Annotated[float, typer.Option(help="wins and losses added to each clip, against an average one")] = 0.5,
    licence: Annotated[str, typer.Option(help="licence of the network, if its folder does not state it")] = "",
    seed: Annotated[int, typer.Option(help="seed of everything that is drawn at random")] = 0,
    fresh: Annotated[bool, typer.Option("--fresh", help="replace what an earlier training wrote")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="no progress")] = False,
) -> None:
    """Train a commonsense score on preferences: five levels by Bradley and Terry, a head on VideoMAE, a held-out test.

    To use the result: `beholder run video/motion --set backend=deep --set weights=OUT`.
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
