"""The command `beholder`: each verb is parse → one call → print or write. Exit 0 ran, 1 a model failed, 2 misuse."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from beholder.attention.commands import app as attention
from beholder.datasets.commands import app as data
from beholder.engines.local import SINGLE, cores
from beholder.errors import Misuse, printable
from beholder.study.commands import app as study
from beholder.video.commands import app as video

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="How well a vision model agrees with people and with ground truth, and whether that can be trusted.",
)

app.add_typer(attention)  # gaze, groups
app.add_typer(data, name="data")
app.add_typer(study, name="study")
app.add_typer(video, name="video")

Target = Annotated[str, typer.Argument(metavar="[DOMAIN[/NAME]]", help="a benchmark, a domain, or nothing for all")]
Jobs = Annotated[int | None, typer.Option(metavar="N", help="worker processes; default: one for each core")]
Folders = Annotated[list[Path], typer.Argument(metavar="DIR…", help="folders of runs")]


@app.callback(invoke_without_command=True)
def _main(version: Annotated[bool, typer.Option("--version", help="say which version this is")] = False) -> None:
    if version:
        from beholder import __version__

        typer.echo(f"beholder {__version__}")
        raise typer.Exit


@app.command("list")
def list_(
    domain: Annotated[str, typer.Argument(metavar="[DOMAIN]", help="one domain, judges, reports or engines only")] = "",
) -> None:
    """What there is: benchmarks, datasets, models, measures, judges, reports and engines."""
    from beholder.registry.catalogue import listing

    typer.echo(listing(domain))


@app.command()
def show(
    name: Annotated[str, typer.Argument(metavar="NAME[(K=V,…)]", help="e.g. stereo/dense, bad_pixels, sgbm(window=5)")],
) -> None:
    """The card of anything: what it is, formula, range, settings, source."""
    from beholder.registry.catalogue import shown
    from beholder.study.design.preset import card, presets

    typer.echo(card(name) if name in presets() else shown(name))


@app.command()
def run(
    target: Target = "",
    dataset: Annotated[list[str], typer.Option(metavar="B[:PATH]", help="another dataset; may be given again")] = [],  # noqa: B006
    model: Annotated[
        list[str],
        typer.Option(
            metavar="[DOMAIN/][NAME=]SPEC",
            help="a model under test; may be given again; of several domains: stereo/mine=my.py:f",
        ),
    ] = [],  # noqa: B006
    baselines: Annotated[
        str,
        typer.Option(metavar="all|fast|none|NAME,…", help="which of the benchmark's own models take part"),
    ] = "all",
    against: Annotated[
        list[Path],
        typer.Option(metavar="RUN", help="compare with the models of an earlier run, which are not run again"),
    ] = [],  # noqa: B006
    measure: Annotated[list[str], typer.Option(metavar="FAMILY.NAME", help="measured as well, not judged")] = [],  # noqa: B006
    set_: Annotated[list[str], typer.Option("--set", metavar="K=V", help="a setting of the benchmark")] = [],  # noqa: B006
    reference: Annotated[Path | None, typer.Option(metavar="FILE", help="your own human reference numbers")] = None,
    family: Annotated[str, typer.Option(help="judge only models of this family (local, global …)")] = "",
    status: Annotated[str, typer.Option(help="leave out scores on references worse than this")] = "",
    limit: Annotated[int | None, typer.Option(metavar="N", help="the first N samples only")] = None,
    every: Annotated[int | None, typer.Option(metavar="K", help="every K-th sample only")] = None,
    only: Annotated[list[str], typer.Option(metavar="ID", help="this sample only; may be given again")] = [],  # noqa: B006
    seed: Annotated[int, typer.Option(help="of everything that is drawn at random")] = 0,
    repeats: Annotated[int, typer.Option(help="answers of a stochastic model to each sample")] = 10,
    depends: Annotated[
        list[str], typer.Option(metavar="PATH", help="a file or folder behind a model that it opens unseen")
    ] = [],  # noqa: B006
    jobs: Jobs = None,
    engine: Annotated[str, typer.Option(help="where it runs: local (workers), serial (this process) …")] = "local",
    timeout: Annotated[float, typer.Option(metavar="S", help="seconds a model may take for one sample")] = 600.0,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="default: runs/<name>-<digest>")] = None,
    samples: Annotated[
        int | None,
        typer.Option(metavar="N", help="samples drawn into figures/: 12, or 4 each of several benchmarks"),
    ] = None,
    keep_answers: Annotated[bool, typer.Option("--keep-answers", help="keep every answer as a file")] = False,
    save_stimuli: Annotated[
        Path | None, typer.Option(metavar="DIR", help="write the stimuli as files and stop")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="say what would be done")] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="start over in that folder")] = False,
    resume: Annotated[bool, typer.Option("--resume", help="go on, and try what failed once more")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="no progress, only the folder's path")] = False,
) -> None:
    """Run benchmarks with their baselines and your models; the same command resumes by itself."""
    from beholder.engines.progress import watch
    from beholder.evaluation import execute, figures, plan
    from beholder.registry.find import find
    from beholder.registry.spec import parse_setting

    settings = dict(map(parse_setting, set_)) | ({"reference": str(reference)} if reference else {})
    request = plan.Request(
        target,
        tuple(dataset),
        tuple(model),
        tuple(measure),
        settings,
        limit=limit,
        every=every,
        only=tuple(only),
        seed=seed,
        repeats=repeats,
        status=status,
        baselines=baselines,
        against=tuple(against),
        depends=tuple(depends),
    )
    if fresh and resume:
        raise Misuse("got --fresh and --resume; expected one of them: --fresh starts over, --resume goes on")
    find("engines", engine)  # refuses a word that is none
    shown = (12 if "/" in target else 4) if samples is None else samples
    workers = cores() if jobs is None else jobs
    if workers < 1 or not timeout > 0 or shown < 0:
        raise Misuse(f"got --jobs {workers}, --timeout {timeout:g}, --samples {shown}; expected ≥ 1, > 0, ≥ 0")
    how = execute.Options(out, workers, timeout, shown, keep_answers, fresh, resume, engine)
    with watch(quiet) as watching:
        what = plan.plan(request)
        if family:
            plan.check_family(what, family)
        for sentence in (*what.skipped, *([] if quiet else what.remarks)):
            watching.say(sentence)
        if save_stimuli:
            written = figures.save_stimuli([one.benchmark for one in what.evaluations], save_stimuli, watching.say)
            typer.echo(f"{written} stimuli in {save_stimuli}")
            return
        if dry_run:
            typer.echo(execute.forecast(what, how))
            return
        try:
            done = execute.execute(what, how, watching)
        except KeyboardInterrupt:
            watching.say("beholder: stopped; the same command goes on where it was")
            raise typer.Exit(130) from None
    _tell(done, quiet, family)


def _tell(done: Any, quiet: bool, family: str) -> None:
    """The verdicts, the failures by name, and where the report is; exit 1 where a model failed."""
    from beholder.evaluation.record import read
    from beholder.evaluation.sections import sections
    from beholder.io.atomic import write_whole
    from beholder.registry.find import find

    found = sections([read(done.folder)], near=done.folder, family=family)
    page = done.folder / "report.html"
    write_whole(page, find("reports", "html")(found))
    if not quiet:  # of one benchmark the whole, of many their verdicts: the rest is on the page
        typer.echo(find("reports", "terminal" if len(found) == 1 else "brief")(found))
    for failure in done.failures[:10]:
        typer.echo(f"failed: model {failure['model']}, sample {failure['sample']}: {failure['reason']}", err=True)
    if done.failed > 10:
        typer.echo(f"… and {done.failed - 10} more; all of them are rows of {done.folder / 'scores.csv'}", err=True)
    typer.echo(done.folder if quiet else f"Report: {page}")
    if done.failed:
        raise typer.Exit(1)


@app.command()
def tune(
    target: Annotated[str, typer.Argument(metavar="DOMAIN/NAME", help="the benchmark to tune for")],
    model: Annotated[str, typer.Option(metavar="[NAME=]SPEC", help="the model, a function with parameters")],
    over: Annotated[list[str], typer.Option(metavar="K=LOW..HIGH[:log]", help="a parameter; may be given again")],
    dataset: Annotated[str, typer.Option(metavar="B[:PATH]", help="another dataset")] = "",
    set_: Annotated[list[str], typer.Option("--set", metavar="K=V", help="a setting of the benchmark")] = [],  # noqa: B006
    limit: Annotated[int | None, typer.Option(metavar="N", help="the first N samples only")] = None,
    every: Annotated[int | None, typer.Option(metavar="K", help="every K-th sample only")] = None,
    trials: Annotated[int, typer.Option(metavar="N", help="parameter sets that are tried at the most")] = 30,
    seed: Annotated[int, typer.Option(help="of everything that is drawn at random")] = 0,
    jobs: Jobs = None,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="default: runs/tune-<name>-<digest>")] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="start over in that folder")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="no progress, only the tuned model's spec")] = False,
) -> None:
    """Search for one parameter set of a model that scores best over a whole benchmark; tuned.toml records it."""
    from beholder.engines.progress import watch
    from beholder.evaluation import execute, plan
    from beholder.evaluation.tune.command import execute_tuning
    from beholder.evaluation.tune.ranges import parse_range
    from beholder.evaluation.tune.search import Search
    from beholder.registry.spec import parse_setting

    ranges = [parse_range(text) for text in over]
    if len(dict(ranges)) < len(ranges):
        raise Misuse("got two ranges of one parameter; expected each --over once")
    workers = cores() if jobs is None else jobs
    if workers < 1:
        raise Misuse(f"got --jobs {workers}; expected 1 or more")
    datasets, settings = (dataset,) if dataset else (), dict(map(parse_setting, set_))
    request = plan.Request(target, datasets, (model,), (), settings, limit=limit, every=every, seed=seed)
    with watch(quiet) as watching:
        how = execute.Options(out, workers, samples=0, fresh=fresh)
        found = execute_tuning(request, Search(dict(ranges), trials, seed), how, watching)
    if quiet:
        typer.echo(found.spec)
        return
    typer.echo(f"{found.says}\nUse it as: --model '{found.spec}'\n")
    _tell(found.done, quiet, "")


@app.command()
def report(
    folders: Folders,
    by: Annotated[str, typer.Option(metavar="JUDGE[,…]", help="other judges than the benchmark's own")] = "",
    family: Annotated[str, typer.Option(help="judge only models of this family (local, global …)")] = "",
    view: Annotated[str, typer.Option("--as", help="terminal, markdown, html, csv or json")] = "terminal",
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="write it there")] = None,
) -> None:
    """Judge and show the tables of runs; runs no model."""
    from beholder.evaluation.record import read
    from beholder.evaluation.sections import sections
    from beholder.io.atomic import write_whole
    from beholder.registry.find import find
    from beholder.registry.spec import split

    make = find("reports", view)
    runs = [read(folder) for folder in folders]
    target = out or (folders[0] / "report.html" if view == "html" else None)
    found = sections(runs, split(by), target.parent if target else None, family=family)
    text = make(found)
    if view == "csv":  # a table has no place for a sentence
        for caveat in dict.fromkeys(str(note) for one in found for note in one.notes if note.kind == "edited"):
            typer.echo(f"beholder: {caveat}", err=True)
    if target is None:
        typer.echo(text)
        return
    write_whole(target, text)
    typer.echo(target)


@app.command()
def compare(
    a: Annotated[str, typer.Argument(metavar="A", help="a model of the run, or a blind one, an oracle, people")],
    b: Annotated[str, typer.Argument(metavar="B", help="another one")],
    run: Annotated[Path | None, typer.Option(metavar="DIR", help="default: the newest run below runs/")] = None,
    benchmark: Annotated[str, typer.Option(metavar="NAME", help="this benchmark of the run only")] = "",
    view: Annotated[str, typer.Option("--as", help="terminal, markdown, html or json")] = "terminal",
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="write it there")] = None,
) -> None:
    """Two models, paired: difference, interval, units won, where they differ most; runs no model."""
    from beholder.evaluation.comparisons import comparisons, newest_run
    from beholder.evaluation.record import read
    from beholder.io.atomic import write_whole
    from beholder.registry.find import find
    from beholder.store.paths import distinct_slug

    make = find("reports.comparison", view)
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


@app.command()
def cite(folders: Folders) -> None:
    """BibTeX of everything that runs used."""
    from beholder.evaluation.record import cite as cited

    typer.echo(cited(*folders))


@app.command()
def runs(root: Annotated[Path, typer.Argument(metavar="[DIR]")] = Path("runs")) -> None:
    """The runs below a folder, with their state."""
    from beholder.store.run_folder import list_runs

    for one in list_runs(root):
        spent = "" if one["seconds"] is None else f"{one['seconds']:.1f} s"
        failed = f"{one['failed']} failed" if one["failed"] else ""
        typer.echo("  ".join(word for word in (one["started"], one["state"], one["folder"], spent, failed) if word))


@app.command()
def cache(
    trim: Annotated[int | None, typer.Option(metavar="MB", help="drop the least recently used beyond so much")] = None,
) -> None:
    """Where the cache is and how large; with --trim, make it smaller."""
    from beholder.store.cache import Cache

    store = Cache()
    if trim is not None:
        typer.echo(f"dropped {store.trim(trim * 1024**2) / 1024**2:.1f} MB")
    typer.echo(f"{store.where}: {store.size() / 1024**2:.1f} MB in {len(store.files())} files")


def _stop(number: int, _: Any) -> None:
    """Being told to end is no reason to leave workers and temporary files behind."""
    sys.exit(128 + number)


def main() -> None:
    """Entry of the command: misuse is a sentence and exit code 2, never a traceback."""
    for name, one in SINGLE.items():  # before NumPy is loaded: more threads only get into the workers' way
        os.environ.setdefault(name, one)
    signal.signal(signal.SIGTERM, _stop)
    try:
        app()
    except Misuse as fault:
        if os.environ.get("BEHOLDER_DEBUG"):
            raise
        typer.echo(printable(f"beholder: {fault}", keep="\n"), err=True)
        sys.exit(2)
    except BrokenPipeError:  # `beholder list | head`
        sys.stderr.close()
    except OSError as fault:
        if os.environ.get("BEHOLDER_DEBUG"):
            raise
        typer.echo(f"beholder: {fault.strerror or fault}: {fault.filename or 'no file named'}", err=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
