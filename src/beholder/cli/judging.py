"""Verbs that read runs and run no model: `report`, `compare`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from beholder.cli import complete
from beholder.cli.look_up import Folders
from beholder.cli.options import OUTPUT, RUN, Family, Verbose
from beholder.errors import Misuse

app = typer.Typer(rich_markup_mode="rich")


@app.command(rich_help_panel=RUN)
def report(
    folders: Folders,
    by: Annotated[
        str,
        typer.Option(metavar="JUDGE[,…]", help="other judges than the benchmark's own", autocompletion=complete.judges),
    ] = "",
    family: Family = "",
    view: Annotated[
        str,
        typer.Option(
            "--as",
            metavar="VIEW",
            help="terminal, markdown, html, csv or json",
            rich_help_panel=OUTPUT,
            autocompletion=complete.reports,
        ),
    ] = "terminal",
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="write it there", rich_help_panel=OUTPUT)] = None,
    single: Annotated[
        bool, typer.Option("--single", help="with --as html: one file, pictures inside", rich_help_panel=OUTPUT)
    ] = False,
    verbose: Verbose = False,
) -> None:
    """Judge runs again and show their tables; runs no model."""
    from beholder.engines.progress import watch
    from beholder.evaluation.record import read
    from beholder.evaluation.sections import sections
    from beholder.io.atomic import write_whole
    from beholder.registry.find import find
    from beholder.registry.spec import split
    from beholder.reports.html import write_pages

    if single and view != "html":
        raise Misuse(f"got --single with --as {view}; expected --as html, the only view that has several files")
    make = find("reports", "brief" if view == "terminal" and not (verbose or out) else view)
    runs = [read(folder) for folder in folders]
    page = folders[0] / ("report-single.html" if single else "report.html")
    target = out or (page if view == "html" else None)
    with watch() as watching:
        found = sections(runs, split(by), target.parent if target else None, family=family, watch=watching)
        if target and view == "html":
            target, text = write_pages(found, target, single=single).page, ""
        else:
            text = make(found)
    if target and view == "html":
        typer.echo(target)
        return
    if view == "csv":  # a table has no place for a sentence
        for caveat in dict.fromkeys(str(note) for one in found for note in one.notes if note.kind == "edited"):
            typer.echo(f"beholder: {caveat}", err=True)
    if target is None:
        typer.echo(text)
        if view == "terminal" and not verbose:
            typer.echo(f"The whole: beholder report {' '.join(map(str, folders))} -v")
        return
    write_whole(target, text)
    typer.echo(target)


@app.command(rich_help_panel=RUN)
def compare(
    a: Annotated[
        str,
        typer.Argument(
            metavar="A", help="a model of the run, a blind model, an oracle or people", autocompletion=complete.in_a_run
        ),
    ],
    b: Annotated[str, typer.Argument(metavar="B", help="another one", autocompletion=complete.in_a_run)],
    run: Annotated[Path | None, typer.Option(metavar="DIR", help="default: the newest run below runs/")] = None,
    benchmark: Annotated[
        str,
        typer.Option(metavar="NAME", help="this benchmark of the run only", autocompletion=complete.benchmarks),
    ] = "",
    view: Annotated[
        str, typer.Option("--as", metavar="VIEW", help="terminal, markdown, html or json", rich_help_panel=OUTPUT)
    ] = "terminal",
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="write it there", rich_help_panel=OUTPUT)] = None,
    verbose: Verbose = False,
) -> None:
    """Compare two models of a run, unit by unit; runs no model."""
    from beholder.evaluation.comparisons import comparisons, newest_run
    from beholder.evaluation.record import read
    from beholder.io.atomic import write_whole
    from beholder.registry.find import find
    from beholder.store.paths import distinct_slug

    make = find("reports.comparison", "brief" if view == "terminal" and not (verbose or out) else view)
    folder = run or newest_run(Path("runs"))
    if run is None:
        typer.echo(f"beholder: comparing in {folder}, the newest run", err=True)
    page = folder / f"compare-{distinct_slug(a)}-{distinct_slug(b)}.html"
    target = out or (page if view == "html" else None)
    text = make(comparisons(read(folder), a, b, benchmark=benchmark, near=target.parent if target else None))
    if target is None:
        typer.echo(text)
        return
    write_whole(target, text)
    typer.echo(target)
