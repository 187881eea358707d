"""`beholder video …`: prompts that ask for motion, the weights of networks, and the training of a commonsense score."""

from __future__ import annotations

import typer

from beholder.video.networks.commands import app as networks
from beholder.video.prompts.commands import app as prompts
from beholder.video.recipe.commands import app as recipe

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode="rich",
    help="Prompts that ask for motion; networks behind the video measures.",
)
app.add_typer(prompts, name="prompts")
app.add_typer(networks)
app.add_typer(recipe)
