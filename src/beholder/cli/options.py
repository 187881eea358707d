"""Options that several verbs share, and the headings under which `--help` shows them."""

from __future__ import annotations

from typing import Annotated

import typer

from beholder.cli import complete

RUN = "Run and compare"
WHAT, WHO, MUCH, WHERE, OUTPUT = "What is measured", "Who takes part", "How much", "How and where it runs", "Output"

Target = Annotated[
    str,
    typer.Argument(
        metavar="[DOMAIN[/NAME]]", help="a benchmark, a domain, or nothing for all", autocompletion=complete.benchmarks
    ),
]
Jobs = Annotated[
    int | None, typer.Option(metavar="N", help="worker processes; default: one for each core", rich_help_panel=WHERE)
]
Datasets = Annotated[
    list[str],
    typer.Option(
        metavar="B[:PATH]",
        help="another dataset; may be given again",
        rich_help_panel=WHAT,
        autocompletion=complete.datasets,
    ),
]
Columns = Annotated[
    str,
    typer.Option(
        metavar="MEANING=COLUMN,…",
        help="what columns of the datasets' tables mean: stimulus=stim,observer=obs",
        rich_help_panel=WHAT,
    ),
]
Settings = Annotated[
    list[str], typer.Option("--set", metavar="K=V", help="a setting of the benchmark", rich_help_panel=WHAT)
]
Limit = Annotated[int | None, typer.Option(metavar="N", help="the first N samples only", rich_help_panel=MUCH)]
Every = Annotated[int | None, typer.Option(metavar="K", help="every K-th sample only", rich_help_panel=MUCH)]
Seed = Annotated[int, typer.Option(help="seed of everything drawn at random", rich_help_panel=MUCH)]
Fresh = Annotated[bool, typer.Option("--fresh", help="start over in that folder", rich_help_panel=WHERE)]
Family = Annotated[str, typer.Option(help="judge only models of this family (local, global …)", rich_help_panel=WHO)]
Verbose = Annotated[
    bool, typer.Option("--verbose", "-v", help="print everything, not just one screen", rich_help_panel=OUTPUT)
]
