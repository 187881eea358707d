"""Verbs that keep the house: `doctor`, `runs`, `cache`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from beholder.errors import Misuse, printable

if TYPE_CHECKING:
    from beholder.store.runs import RunState

PANEL = "Housekeeping"
RUNS = Path("runs")
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
def runs(root: Annotated[Path, typer.Argument(metavar="[DIR]", help="default: runs/")] = RUNS) -> None:
    """The runs below a folder: state, failures, size, age."""
    from beholder.store.runs import list_runs

    if not root.is_dir() and root != RUNS:  # where nothing was run yet, there is no runs/, and nothing is wrong
        raise Misuse(f"got {root}, which is no folder; expected one with runs in it, or a run")
    found = list_runs(root)
    if not found:
        typer.echo(printable(f"there is no run below {root}"))
        return
    rows = [("state", "failed", "size", "began", "folder"), *map(_row, found)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        typer.echo("  ".join(f"{word:<{width}}" for word, width in zip(row, widths, strict=True)).rstrip())
    stopped = next((one for one in found if one.state == "stopped"), None)
    if stopped:
        typer.echo("A stopped run goes on with the command that began it.")


def _row(run: RunState) -> tuple[str, ...]:
    """One run in words."""
    from beholder.io.sizes import say_size

    far = "" if run.share is None else f"{100 * run.share:.0f} %"
    state = {"running": f"running, {far}", "stopped": f"stopped at {far}"}.get(run.state) if far else run.state
    return state or run.state, str(run.failed or ""), say_size(run.size), _ago(run.started), printable(str(run.folder))


def _ago(moment: str) -> str:
    """How long ago an ISO time was.

    >>> _ago("not known"), _ago("2999-01-01T00:00:00+00:00")
    ('', 'just now')
    """
    from datetime import UTC, datetime

    try:
        seconds = (datetime.now(UTC) - datetime.fromisoformat(moment)).total_seconds()
    except (ValueError, TypeError):
        return ""
    for name, length in (("day", 86400), ("hour", 3600), ("minute", 60)):
        if seconds >= length:
            count = int(seconds // length)
            return f"{count} {name}{'s' * (count > 1)} ago"
    return "just now"


@app.command(rich_help_panel=PANEL)
def cache(
    trim: Annotated[
        str, typer.Option(metavar="SIZE", help="drop the least recently used until this much is left: 100MB")
    ] = "",
) -> None:
    """Where the cache is, its size and its limit; --trim makes it smaller."""
    from datetime import UTC, datetime

    from beholder.io.sizes import parse_size, say_size
    from beholder.store.cache import Cache, cap

    store, most = Cache(), cap()
    if trim:
        typer.echo(f"dropped {say_size(store.trim(parse_size(trim, unit='M')))}")
    files = store.files()
    typer.echo(f"{store.where}: {say_size(store.size())} in {len(files)} files")
    if store.bucket:
        typer.echo(f"This is a local copy of what was used of {store.bucket.url}, which has no limit.")
    typer.echo(f"It may grow to {say_size(most)} (BEHOLDER_CACHE_CAP); the least recently used goes first.")
    if files:
        oldest = datetime.fromtimestamp(files[0].stat().st_mtime, UTC).isoformat()
        typer.echo(f"Least recently used: {_ago(oldest)}. What is dropped is computed again when needed.")
