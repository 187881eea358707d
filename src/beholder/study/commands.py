"""The verbs of `beholder study`: each is parse → one call → print or write."""

from __future__ import annotations

import math
import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from beholder.errors import Misuse

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode="rich",
    help="Ask people, on the web, and analyse what they say.",
)

KINDS = "scanpaths, maps, clips or prompts; a preset: zanca2020, vmbench; or demo; beholder show KIND tells of it"
STUDY = "a study file, its folder, or demo"
Where = Annotated[str, typer.Argument(metavar="STUDY", help=STUDY)]
Database = Annotated[
    str, typer.Option("--db", metavar="URL", help="a file, or postgresql://…; default: answers.sqlite beside the study")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="no progress")]
ITEMS_DIFFER = "how much items differ in looks; default: 0.58, as in Zanca et al. (κ 0.15)"
Seed = Annotated[int, typer.Option(help="seed of everything drawn at random")]


@app.command()
def new(
    kind: Annotated[str, typer.Argument(metavar="KIND", help=KINDS)],
    out: Annotated[Path, typer.Option(metavar="DIR", help="the folder to make")],
    pictures: Annotated[Path | None, typer.Option(metavar="DIR", help="pictures to show")] = None,
    videos: Annotated[Path | None, typer.Option(metavar="DIR", help="films to show")] = None,
    dataset: Annotated[list[str], typer.Option(metavar="B[:PATH]", help="a dataset; may be given again")] = [],  # noqa: B006
    model: Annotated[list[str], typer.Option(metavar="SPEC", help="a model; may be given again")] = [],  # noqa: B006
    set_: Annotated[list[str], typer.Option("--set", metavar="K=V", help="a setting of the exhibit")] = [],  # noqa: B006
    name: Annotated[str, typer.Option(help="the study's name, as in its address")] = "",
    title: Annotated[str, typer.Option(help="the study's title, as on its pages")] = "",
    platform: Annotated[str, typer.Option(help="who comes: open, invite, prolific or mturk")] = "",
    participants: Annotated[int | None, typer.Option(metavar="N", help="how many people are let in")] = None,
    seed: Annotated[int | None, typer.Option(help="seed of everything drawn at random")] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="replace the study in that folder")] = False,
    quiet: Quiet = False,
) -> None:
    """Make a study from what a domain offers to show: a folder with study.toml, items, media and tracks."""
    from beholder.engines.progress import watch
    from beholder.study.design.new import new as make

    own = {"pictures": pictures, "videos": videos, "dataset": dataset, "model": model, "seed": seed} | _settings(set_)
    said = {"name": name, "title": title, "platform": platform, "participants": participants}
    said = {key: value for key, value in said.items() if value not in (None, "")}
    with watch(quiet) as watching:
        file = make(kind, out, options=own, study=said, fresh=fresh, watch=watching)
    typer.echo(file)


@app.command()
def plan(
    study: Where,
    dprime: Annotated[str, typer.Option(metavar="D,…", help="effects: how well people tell the classes apart")] = "",
    kappa: Annotated[str, typer.Option(metavar="K,…", help="effects: how well people agree")] = "",
    share: Annotated[str, typer.Option(metavar="P,…", help="effects: shares of choices, where two are shown")] = "",
    people: Annotated[str, typer.Option(metavar="N,…", help="numbers of participants")] = "",
    item_sd: Annotated[float | None, typer.Option(help=ITEMS_DIFFER)] = None,
    person_sd: Annotated[float | None, typer.Option(help="how much people differ in bias; default: 0.3")] = None,
    runs: Annotated[int | None, typer.Option(metavar="N", help="simulated studies for each effect")] = None,
    seed: Seed = 0,
) -> None:
    """How many people a study needs: its very design is simulated, before anything is collected."""
    from beholder.study.design.plan import plan as look
    from beholder.study.design.simulation import Crowd
    from beholder.study.operations.place import place

    given = {"dprimes": _numbers(dprime, "--dprime"), "kappas": _numbers(kappa, "--kappa")}
    sizes = _numbers(people, "--people", such="10,20")
    if any(one != int(one) or one < 2 for one in sizes):
        raise Misuse(f"got --people {people}; expected whole numbers, 2 or more, with commas between them")
    if runs is not None and runs < 2:
        raise Misuse(f"got --runs {runs}; expected 2 or more")
    given |= {"shares": _numbers(share, "--share"), "sizes": [int(one) for one in sizes]}
    some: dict[str, Any] = {key: value for key, value in given.items() if value}
    some |= {} if runs is None else {"runs": runs}
    spread = {"items": item_sd, "bias": person_sd}
    if any(one is not None and not 0 <= one < math.inf for one in spread.values()):
        raise Misuse("got a standard deviation below 0 or none at all; expected --item-sd and --person-sd of 0 or more")
    crowd = Crowd()._replace(**{key: value for key, value in spread.items() if value is not None})
    typer.echo(look(place(study).study, crowd=crowd, seed=seed, **some).text())


def _numbers(words: str, option: str, such: str = "0.1,0.2") -> list[float]:
    """Numbers in a row, with commas between them."""
    try:
        found = [float(word) for word in words.split(",") if word.strip()]
    except ValueError:
        found = [math.nan]
    if not all(map(math.isfinite, found)):
        raise Misuse(f"got {option} {words}; expected numbers with commas between them, such as {such}")
    return found


@app.command()
def check(study: Where, db: Database = "", quiet: Quiet = False) -> None:
    """Whether a study can be served: its database, its files, its design."""
    from beholder.engines.progress import watch
    from beholder.study.operations.check import check as look
    from beholder.study.operations.giveaways import table
    from beholder.study.operations.opening import tried
    from beholder.study.operations.private import seen_by_others
    from beholder.study.server.security import key_place

    with tried(study, db) as (at, url, store), watch(quiet) as watching:
        _say(seen_by_others(key_place(url, at.folder), Path(url)))
        found = look(at, store, watch=watching)
    for one in found:
        typer.echo(f"{'FAULT' if one.fault else 'note'}: {one.says}")
    for line in table(at.study, at.folder):
        typer.echo(line)
    if any(one.fault for one in found):
        raise typer.Exit(2)
    typer.echo(f"{at.study.name} can be served: beholder study serve {study}")


@app.command()
def status(
    study: Where,
    db: Database = "",
    items: Annotated[bool, typer.Option("--items", help="also the least and the most exposed items")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="as JSON, as the admin page has it")] = False,
    every: Annotated[float, typer.Option(metavar="S", min=0, help="show it again every S seconds, until Ctrl-C")] = 0.0,
) -> None:
    """How far a study is: who came, how it ended, how often items were shown."""
    import json
    import time

    from beholder.study.operations.opening import opened
    from beholder.study.operations.status import text

    with opened(study, db) as it:
        _say(it.trouble)
        name = it.study.name
        while True:
            found = it.store.status(name)
            exposure = it.store.exposure(name, simulated=False) if items else []
            typer.echo(json.dumps(found, indent=1) if as_json else text(found, exposure))
            if not every:
                break
            time.sleep(every)
            typer.echo("\x1b[2J\x1b[H" if sys.stdout.isatty() else "")  # a clean screen


@app.command()
def backup(
    study: Where,
    out: Annotated[Path, typer.Option(metavar="DIR", help="where copies are kept")] = Path("backups"),
    keep: Annotated[int, typer.Option(metavar="N", help="keep the newest N only; 0: all")] = 0,
    restore: Annotated[
        Path | None, typer.Option(metavar="FILE", help="bring this copy back; refused while somebody takes part")
    ] = None,
    key: Annotated[
        Path | None, typer.Option(metavar="FILE", help="with --restore: the study key, which no copy holds")
    ] = None,
    db: Database = "",
) -> None:
    """Copy the database while people answer, or bring a copy back. The study key is in no copy: keep it elsewhere."""
    from beholder.study.operations import backup as copies
    from beholder.study.operations.opening import connected
    from beholder.study.operations.place import KEY, database, place
    from beholder.study.server.security import hidden, key_place

    if keep < 0:
        raise Misuse(f"got --keep {keep}; expected 0 (all) or more")
    if key is not None and restore is None:
        raise Misuse("got --key without --restore; expected both: a copy never holds the key")
    at = place(study)
    url = database(db, at)
    if restore is None:
        typer.echo(copies.backup(url, out, study=at.study.name, keep=keep, say=_say))
        with connected(url, at) as it:
            own = KEY if os.environ.get(KEY) else key_place(url, at.folder)
            _say(it.trouble or f"the study key is not in it: keep a copy of {own} elsewhere, for both are needed")
        return
    copies.restore(restore, url, at, key)
    with connected(url, at) as it:
        _say(it.trouble)
    typer.echo(f"{hidden(url)} is as {restore} was")


def _say(sentence: str) -> None:
    """Something to be known that is no result."""
    if sentence:
        typer.echo(f"note: {sentence}", err=True)


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
    force: Annotated[bool, typer.Option("--force", help="with --all: even before retain_until")] = False,
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
    with opened(study, db, people=bool(person)) as it:
        _say(it.trouble)
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
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="default: export-NAME here, or simulated-NAME")
    ] = None,
    parquet: Annotated[bool, typer.Option("--parquet", help="also as Parquet")] = False,
    simulated: Annotated[bool, typer.Option("--simulated", help="the simulated sessions, not the real ones")] = False,
    person: Annotated[str, typer.Option(metavar="ID", help="all that is kept of one participant, as JSON")] = "",
    session: Annotated[str, typer.Option(metavar="SESSION", help="the same, by the session's name")] = "",
    db: Database = "",
) -> None:
    """Write answers, sessions and items as tidy tables, with what every column means."""
    import json

    from beholder.study.operations import purge as one_person
    from beholder.study.operations.export import export as written
    from beholder.study.operations.opening import opened
    from beholder.study.operations.private import write_private
    from beholder.study.operations.tidy import session_label

    if person and session:
        raise Misuse("got --person and --session; expected one of them")
    with opened(study, db, people=bool(person)) as it:
        _say(it.trouble)
        what = it.study
        if person or session:
            id = one_person.session_of(it.store, what, person=person, session=session)
            target = out or Path(f"{what.name}-{session_label(id)}.json")
            write_private(target, json.dumps(one_person.mine(it.store, what, id), indent=1, ensure_ascii=False))
            typer.echo(target)
            return
        folder = out or Path(f"{'simulated' if simulated else 'export'}-{what.name}")
        text = it.at.file.read_text("utf-8")
        told = written(it.store, what.name, folder, simulated=simulated, parquet=parquet, text=text, media=it.at.folder)
    for sentence in told:
        typer.echo(sentence, err=True)
    typer.echo(folder)


@app.command()
def serve(
    studies: Annotated[list[str], typer.Argument(metavar="STUDY…", help=STUDY)],
    db: Database = "",
    host: Annotated[
        str, typer.Option(help="0.0.0.0 lets others in; behind a reverse proxy leave it as it is")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="the server's port")] = 8000,
    workers: Annotated[int, typer.Option(metavar="N", min=1, max=64, help="server processes")] = 1,
    public_url: Annotated[str, typer.Option(metavar="URL", help="the address that people see, https://…")] = "",
) -> None:
    """Ask people: pages on the web, answers in a database. Checks everything first; stop it with Ctrl-C."""
    from beholder.engines.progress import Silent
    from beholder.study.operations.serving import serve as start

    start(studies, db, host=host, port=port, workers=workers, public_url=public_url, watch=Silent())


@app.command()
def invite(
    study: Where,
    n: Annotated[int, typer.Option("--n", min=1, max=100_000, metavar="N", help="how many")] = 1,
    first: Annotated[int, typer.Option(min=1, metavar="K", help="number of the first one")] = 1,
    public_url: Annotated[
        str, typer.Option(metavar="URL", help="the address that people see")
    ] = "http://127.0.0.1:8000",
    db: Database = "",
) -> None:
    """Print links to a study that was served, each good for one person; the same number is always the same link."""
    from beholder.study.operations.opening import opened
    from beholder.study.operations.place import place
    from beholder.study.server.security import Keys

    at = place(study)
    if at.study.platform != "invite":
        raise Misuse(f'got a study with platform = "{at.study.platform}"; expected platform = "invite"')
    with opened(study, db, people=True) as it:  # links are made with the key of the database that is served
        keys, name = Keys(it.secrets.key), it.study.name
    for number in range(first, first + n):
        typer.echo(f"{public_url.rstrip('/')}/s/{name}/?invite={keys.invite(name, number)}")


@app.command()
def simulate(
    study: Where,
    n: Annotated[int, typer.Option("--n", metavar="N", help="participants")] = 200,
    dprime: Annotated[float, typer.Option(help="how well they tell the classes apart")] = 0.2,
    kappa: Annotated[float | None, typer.Option(help="how well they agree, in place of --item-sd")] = None,
    item_sd: Annotated[float, typer.Option(show_default=False, help=ITEMS_DIFFER)] = 0.58,
    person_sd: Annotated[float, typer.Option(help="how much people differ in bias")] = 0.3,
    dropout: Annotated[float, typer.Option(help="share who leave before the end")] = 0.2,
    at_once: Annotated[int, typer.Option(metavar="N", help="participants at a time")] = 32,
    seed: Seed = 0,
    workers: Annotated[int, typer.Option(metavar="N", min=1, max=64, help="server processes")] = 1,
    url: Annotated[str, typer.Option(metavar="URL", help="a running server; needs its --db too")] = "",
    db: Annotated[str, typer.Option(metavar="URL", help="the database; default: a new one")] = "",
    force: Annotated[bool, typer.Option("--force", help="do it even where real people have answered")] = False,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="keep the database and the export there")] = None,
    quiet: Quiet = False,
) -> None:
    """Rehearse: simulated participants go through the real pages; what the server promises is verified."""
    from beholder.engines.progress import watch
    from beholder.study.operations.observers import Population, with_kappa
    from beholder.study.operations.rehearsal import rehearse
    from beholder.study.operations.simulate import Rehearsal, text

    crowd = Population(dprime, item_sd, person_sd) if kappa is None else with_kappa(kappa, dprime, person_sd)
    plan = Rehearsal(n, dropout, at_once, crowd, seed)
    with watch(quiet) as watching:
        found = rehearse(study, plan, db=db, url=url, force=force, workers=workers, out=out, watch=watching)
    typer.echo(text(found))
    if found.faults:
        raise typer.Exit(1)


@app.command()
def analyse(
    study: Annotated[str, typer.Argument(metavar="EXPORT|STUDY", help="a folder that export made, or a study itself")],
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="also write a page, figures and tables there")] = None,
    simulated: Annotated[bool, typer.Option("--simulated", help="analyse the simulated sessions")] = False,
    db: Database = "",
) -> None:
    """What people said: right or wrong, d′, agreement, items, people, each with its interval."""
    from beholder.io.scratch import Scratch
    from beholder.study.analysis.analyse import analyse as look
    from beholder.study.operations.export import export as written
    from beholder.study.operations.opening import opened

    with Scratch() as place:
        folder = Path(study)
        if not (folder / "answers.csv").is_file():
            folder = Path(place) / "export"
            with opened(study, db) as it:
                _say(it.trouble)
                for sentence in written(it.store, it.study.name, folder, simulated=simulated, media=it.at.folder):
                    typer.echo(sentence, err=True)
        try:
            found = look(folder)
        except Misuse as fault:  # where its tables lay for a moment tells nobody anything
            raise Misuse(str(fault).replace(str(folder), study)) from fault
        typer.echo(found.text())
        if out is not None:
            for file in found.write(out):
                typer.echo(file, err=True)


def _settings(words: list[str]) -> dict[str, Any]:
    from beholder.registry.spec import parse_setting

    return dict(map(parse_setting, words))
