"""The verbs of `beholder study`: each is parse → one call → print or write."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from beholder.errors import Misuse

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Ask people, on the web, and analyse what they say.",
)

STUDY = "a study file, its folder, or demo"
Where = Annotated[str, typer.Argument(metavar="STUDY", help=STUDY)]
Database = Annotated[
    str, typer.Option("--db", metavar="URL", help="a file, or postgresql://…; default: answers.sqlite beside the study")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="no progress")]
Seed = Annotated[int, typer.Option(help="of everything that is drawn at random")]


@app.command()
def check(study: Where, db: Database = "", quiet: Quiet = False) -> None:
    """Whether a study can be served: its database, its files, its design."""
    from beholder.engines.progress import watch
    from beholder.study.operations.check import check as look
    from beholder.study.operations.opening import opened

    with opened(study, db, make=True) as it, watch(quiet) as watching:
        found = look(it.at, it.store, watch=watching)
    for one in found:
        typer.echo(f"{'FAULT' if one.fault else 'note'}: {one.says}")
    if any(one.fault for one in found):
        raise typer.Exit(2)
    typer.echo(f"{it.at.study.name} can be served: beholder study serve {study}")


@app.command()
def status(
    study: Where,
    db: Database = "",
    items: Annotated[bool, typer.Option("--items", help="also the least and the most exposed items")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="as JSON, as the admin page has it")] = False,
) -> None:
    """How far a study is: who came, how it ended, how often items were shown."""
    import json

    from beholder.study.operations.opening import opened
    from beholder.study.operations.status import text

    with opened(study, db) as it:
        found = it.store.status(it.study.name)
        exposure = it.store.exposure(it.study.name) if items else []
    typer.echo(json.dumps(found, indent=1) if as_json else text(found, exposure))


@app.command()
def backup(
    study: Where,
    out: Annotated[Path, typer.Option(metavar="DIR", help="where copies are kept")] = Path("backups"),
    keep: Annotated[int, typer.Option(metavar="N", help="keep the newest N only; 0: all")] = 0,
    restore: Annotated[
        Path | None, typer.Option(metavar="FILE", help="bring this copy back, into a database that is not there")
    ] = None,
    db: Database = "",
) -> None:
    """Copy the database while people answer, or bring a copy back."""
    from beholder.study.operations import backup as copies
    from beholder.study.operations.place import database, hidden, place

    if keep < 0:
        raise Misuse(f"got --keep {keep}; expected 0 (all) or more")
    url = database(db, place(study))
    if restore is None:
        typer.echo(copies.backup(url, out, keep=keep))
        return
    copies.restore(restore, url)
    typer.echo(f"{hidden(url)} is as {restore} was")


def _sure(sentence: str, yes: bool) -> None:
    """Ask before something is deleted; where nobody sits, --yes must be said."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise Misuse(f"{sentence}: expected --yes, for nobody is there to be asked")
    if not typer.confirm(f"{sentence}. Go on?"):
        raise typer.Exit(1)


@app.command()
def purge(
    study: Where,
    person: Annotated[str, typer.Option(metavar="ID", help="one participant, by the platform's id or the invite")] = "",
    session: Annotated[str, typer.Option(metavar="SESSION", help="one session, as the export names it")] = "",
    people: Annotated[bool, typer.Option("--people", help="cut the link to people; answers stay")] = False,
    everything: Annotated[bool, typer.Option("--all", help="the whole study, when retain_until has passed")] = False,
    force: Annotated[bool, typer.Option("--force", help="with --all: before retain_until, too")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="do not ask")] = False,
    db: Database = "",
) -> None:
    """Delete one participant's data, or a study's; for good."""
    from datetime import date

    from beholder.study.operations import purge as deleting
    from beholder.study.operations.opening import opened
    from beholder.study.operations.tidy import session_label

    if sum((bool(person), bool(session), people, everything)) != 1:
        raise Misuse("expected one of --person ID, --session SESSION, --people and --all: what is to be deleted")
    with opened(study, db) as it:
        what = it.study
        if people:
            _sure(f"nobody who took part in {what.name} can be found or known again", yes)
            said = deleting.purge_people(it.store, what)
        elif everything:
            _sure(f"all answers of {what.name} will be deleted", yes)
            said = deleting.purge_study(it.store, what, today=date.today(), force=force)
        else:
            id = deleting.session_of(it.store, what, person=person, session=session)
            _sure(f"session {session_label(id)} of {what.name} will be deleted", yes)
            said = deleting.purge_session(it.store, what, id)
    typer.echo(said)
    typer.echo("Copies hold it still: delete backups and exports that were made before.", err=True)


@app.command()
def export(
    study: Where,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="default: export-NAME here")] = None,
    parquet: Annotated[bool, typer.Option("--parquet", help="also as Parquet")] = False,
    simulated: Annotated[bool, typer.Option("--simulated", help="the simulated sessions, not the real ones")] = False,
    person: Annotated[str, typer.Option(metavar="ID", help="all that is kept of one participant, as JSON")] = "",
    session: Annotated[str, typer.Option(metavar="SESSION", help="the same, by the session's name")] = "",
    db: Database = "",
) -> None:
    """Write answers, sessions and items as tidy tables, with what every column means."""
    import json

    from beholder.io.atomic import write_whole
    from beholder.study.operations import purge as one_person
    from beholder.study.operations.export import files, write
    from beholder.study.operations.export import only as chosen
    from beholder.study.operations.opening import opened
    from beholder.study.operations.tidy import session_label

    with opened(study, db) as it:
        what = it.study
        if person or session:
            id = one_person.session_of(it.store, what, person=person, session=session)
            target = out or Path(f"{what.name}-{session_label(id)}.json")
            write_whole(target, json.dumps(one_person.mine(it.store, what, id), indent=1, ensure_ascii=False))
            typer.echo(target)
            return
        tables, left = chosen(it.store.tables(what.name), simulated=simulated)
        exposure = it.store.exposure(what.name, simulated=simulated)
        content = files(what, tables, exposure, it.at.file.read_text("utf-8"))
    folder = out or Path(f"export-{what.name}")
    write(folder, content, parquet=parquet)
    if left:
        typer.echo(left, err=True)
    typer.echo(folder)


@app.command()
def serve(
    studies: Annotated[list[str], typer.Argument(metavar="STUDY…", help=STUDY)],
    db: Database = "",
    host: Annotated[
        str, typer.Option(help="0.0.0.0 lets others in; behind a reverse proxy leave it as it is")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="of the server")] = 8000,
    workers: Annotated[int, typer.Option(metavar="N", min=1, max=64, help="processes that answer")] = 1,
    public_url: Annotated[str, typer.Option(metavar="URL", help="the address that people see, https://…")] = "",
) -> None:
    """Ask people: pages on the web, answers in a database. Checks everything first; stop it with Ctrl-C."""
    from beholder.study.operations.serving import serve as start

    start(studies, db, host=host, port=port, workers=workers, public_url=public_url, say=_err)


def _err(sentence: str) -> None:
    typer.echo(sentence, err=True)


def _settings(words: list[str]) -> dict[str, Any]:
    from beholder.registry.spec import parse_setting

    return dict(map(parse_setting, words))
