"""The verbs of `beholder data`: each is parse → one call → print."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from beholder.errors import Misuse

if TYPE_CHECKING:
    from beholder.datasets.download import Watching
    from beholder.datasets.record import Record

app = typer.Typer(
    no_args_is_help=True, help="Real datasets by name: list, fetch, check. Nothing is fetched unless you ask."
)

Name = Annotated[str, typer.Argument(metavar="NAME", help="a dataset, as `beholder data list` names it")]


@app.command("list")
def list_() -> None:
    """What there is: people × items, size, licence, whether it is at hand."""
    from beholder.datasets.cards import listing

    typer.echo(listing())


@app.command()
def show(name: Name) -> None:
    """What is known of one dataset: source, licence, citation, how to use it."""
    from beholder.datasets.cards import shown
    from beholder.datasets.record import record
    from beholder.registry.wrapping import wrapped

    typer.echo(wrapped(shown(record(name))))


@app.command()
def get(
    names: Annotated[list[str], typer.Argument(metavar="NAME…", help="datasets, as `beholder data list` names them")],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="accept the licences without being asked")] = False,
) -> None:
    """Fetch datasets: the licence first, then the files, verified byte for byte."""
    from beholder.datasets.cards import usage
    from beholder.datasets.fetch import get as fetch
    from beholder.datasets.record import record

    for one in [record(name) for name in names]:  # all names are known before the first is fetched
        with _bar(one) as watch:
            done = fetch(one, accept=lambda of: yes or _asked(of), watch=watch)
        state = f"fetched and verified, {one.megabytes:,.1f} MB" if done.anew else "at hand already"
        typer.echo(f"{one.name}: {state}, in {done.place}\nUse it: {usage(one)}")


@app.command()
def check(  # noqa: PLR0917  (the options of a command are its arguments)
    what: Annotated[str, typer.Argument(metavar="NAME|PATH", help="a fetched dataset, or a file or folder of yours")],
    path: Annotated[Path | None, typer.Argument(metavar="[PATH]", help="where a dataset by name lies")] = None,
    kind: Annotated[
        str,
        typer.Option(
            "--as",
            metavar="KIND",
            help="fixations, gaze, scanpaths, ratings, clips … or any dataset; default: by content",
        ),
    ] = "",
    columns: Annotated[
        str, typer.Option(metavar="MEANING=COLUMN,…", help="what columns of a table mean: stimulus=stim,observer=obs")
    ] = "",
    set_: Annotated[
        list[str], typer.Option("--set", metavar="K=V", help="a setting of the dataset; may be given again")
    ] = [],  # noqa: B006
    figure: Annotated[
        Path | None, typer.Option(metavar="FILE", help="the picture to write; default: check-PATH.png, here")
    ] = None,
    save: Annotated[
        bool, typer.Option("--save", help="remember kind, columns and settings in dataset.toml beside the data")
    ] = False,
) -> None:
    """What is understood of a dataset, before anything runs.

    Says counts, ranges, units and doubts, and draws the first samples.
    """
    from beholder.datasets import checking
    from beholder.registry.load import on_record
    from beholder.registry.spec import parse_setting
    from beholder.registry.wrapping import wrapped

    if path is None and what in on_record() and not Path(what).exists():
        found = _verified(what)
        if found is None:
            return
        what, kind = found
    elif path is not None:
        what, kind = str(path), kind or what
    checked = checking.check(what, kind=kind, columns=columns, settings=dict(map(parse_setting, set_)))
    checked, kept = checking.save(checked) if save else (checked, "")
    typer.echo(wrapped(checked.text))
    if drawn := checking.draw(checked, figure):
        typer.echo(f"{drawn}: a picture of the first samples; look at it")
    if kept:
        typer.echo(f"{kept}; from now on the short command above is enough")


def _verified(name: str) -> tuple[str, str] | None:
    """Where a fetched dataset lies, every byte as its record says, and its kind; None where no benchmark reads it."""
    from beholder.datasets.fetch import list_changed
    from beholder.datasets.record import record
    from beholder.store.paths import fetched

    one, place = record(name), fetched(name)
    if place is None:
        raise Misuse(f"{name} is not at hand: beholder data get {name}, or beholder data check {name} PATH")
    if changed := list_changed(one, place):
        listed = ", ".join(changed)
        raise Misuse(f"{place}: changed since it was fetched: {listed}; beholder data remove {name}, then get it again")
    typer.echo(f"{place}: every byte is as its record says")
    where, _, loader = one.loader.partition("/")
    return (str(place), f"{where.partition('.')[0]}/{loader}") if loader else None


@app.command()
def where(
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="a dataset; default: the folder of all of them")] = "",
) -> None:
    """The folder in which fetched datasets lie, or one of them does."""
    from beholder.datasets.cards import way
    from beholder.datasets.record import record
    from beholder.store.paths import data_folder, fetched

    place = fetched(record(name).name) if name else data_folder()
    if place is None:
        raise Misuse(f"{name} is not at hand. {way(record(name))}")
    typer.echo(place)


@app.command()
def remove(names: Annotated[list[str], typer.Argument(metavar="NAME…", help="datasets that were fetched")]) -> None:
    """Remove datasets that were fetched."""
    from beholder.datasets.fetch import remove as removed
    from beholder.datasets.record import record

    for name in [record(name).name for name in names]:
        typer.echo(f"{name}: removed, {removed(name) / 1e6:,.1f} MB freed")


def _asked(record: Record) -> bool:
    """Show the licence and ask; where nobody can answer, say how to accept it."""
    typer.echo(f"{record.name}: {record.about} {record.megabytes:,.1f} MB.")
    typer.echo(f"Licence: {record.licence}. {record.permits}")
    if not sys.stdin.isatty():
        raise Misuse(f"nobody is at a terminal to accept the licence of {record.name}; say --yes to accept it")
    return typer.confirm("Accept and fetch it?")


@contextmanager
def _bar(record: Record) -> Iterator[Watching]:
    """One bar of the bytes fetched; a plain line where nobody sits at a terminal."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

    speed = TransferSpeedColumn(), TimeRemainingColumn()
    columns = TextColumn("{task.description}"), BarColumn(), DownloadColumn(), *speed
    progress = Progress(*columns, console=Console(stderr=True), transient=True)
    task = progress.add_task(record.name, total=None)

    def watch(done: int, total: int | None) -> None:
        progress.start()  # with the first byte: before, the licence may be asked for
        progress.update(task, completed=done, total=total)

    try:
        yield watch
    finally:
        progress.stop()
