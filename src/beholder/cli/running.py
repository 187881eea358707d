"""Verbs that run models: `run`, `tune`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from beholder.cli import complete
from beholder.cli.options import (
    MUCH,
    OUTPUT,
    RUN,
    WHAT,
    WHERE,
    WHO,
    Columns,
    Datasets,
    Every,
    Family,
    Fresh,
    Jobs,
    Limit,
    Seed,
    Settings,
    Target,
    Verbose,
)
from beholder.engines.local import cores
from beholder.errors import Misuse, Terminated

LOST = re.compile(r"left out|not read|cannot be read|excluded|missing|incomplete")  # what a remark says of data
MOST_JOBS = 1000  # worker processes on one machine: each has a thread that watches it
ROW = 80  # columns of the narrowest terminal that lines are made for
app = typer.Typer(rich_markup_mode="rich")


def _check_jobs(workers: int) -> None:
    if not 1 <= workers <= MOST_JOBS:
        raise Misuse(f"got --jobs {workers}; expected 1 to {MOST_JOBS}")


def _check_numbers(workers: int, timeout: float, shown: int) -> None:
    """Refuse the number of an option that is out of range, and name that option."""
    _check_jobs(workers)
    if not timeout > 0:
        raise Misuse(f"got --timeout {timeout:g}; expected more than 0 seconds")
    if shown < 0:
        raise Misuse(f"got --samples {shown}; expected 0 or more")


@app.command(rich_help_panel=RUN)
def run(
    target: Target = "",
    dataset: Datasets = [],  # noqa: B006
    columns: Columns = "",
    model: Annotated[
        list[str],
        typer.Option(
            metavar="[DOMAIN/][NAME=]SPEC",
            help="a model of yours: my.py:fn, dir:FOLDER, 'cmd:prog {in} {out}', a built-in; may be given again; "
            "of several domains: stereo/mine=my.py:fn",
            rich_help_panel=WHO,
            autocompletion=complete.models,
        ),
    ] = [],  # noqa: B006
    baselines: Annotated[
        str,
        typer.Option(
            metavar="all|fast|none|NAME,…", help="which of the benchmark's own models take part", rich_help_panel=WHO
        ),
    ] = "all",
    against: Annotated[
        list[Path],
        typer.Option(
            metavar="RUN",
            help="compare with the models of an earlier run, which are not run again",
            rich_help_panel=WHO,
        ),
    ] = [],  # noqa: B006
    measure: Annotated[
        list[str],
        typer.Option(
            metavar="FAMILY.NAME",
            help="measured as well, not judged",
            rich_help_panel=WHAT,
            autocompletion=complete.measures,
        ),
    ] = [],  # noqa: B006
    set_: Settings = [],  # noqa: B006
    reference: Annotated[
        Path | None, typer.Option(metavar="FILE", help="your own human reference numbers", rich_help_panel=WHAT)
    ] = None,
    family: Family = "",
    status: Annotated[
        str,
        typer.Option(
            help="leave out scores on references worse than this: verified, seed, derived …", rich_help_panel=WHAT
        ),
    ] = "",
    limit: Limit = None,
    every: Every = None,
    only: Annotated[
        list[str], typer.Option(metavar="ID", help="this sample only; may be given again", rich_help_panel=MUCH)
    ] = [],  # noqa: B006
    seed: Seed = 0,
    repeats: Annotated[
        int, typer.Option(metavar="N", help="answers of a stochastic model to each sample", rich_help_panel=MUCH)
    ] = 10,
    depends: Annotated[
        list[str],
        typer.Option(
            metavar="PATH", help="a file or folder that a model reads and Beholder cannot see", rich_help_panel=WHO
        ),
    ] = [],  # noqa: B006
    jobs: Jobs = None,
    engine: Annotated[
        str,
        typer.Option(
            help="local (worker processes), serial (this process), dask (a cluster started here), "
            "dask:tcp://HOST:PORT or dask:FILE.json (one that is running)",
            rich_help_panel=WHERE,
            autocompletion=complete.engines,
        ),
    ] = "local",
    timeout: Annotated[
        float, typer.Option(metavar="S", help="seconds a model may take for one sample", rich_help_panel=WHERE)
    ] = 600.0,
    memory: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE", help="memory limit of each worker, such as 4GB; default: none", rich_help_panel=WHERE
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="default: runs/<name>-<digest>", rich_help_panel=WHERE)
    ] = None,
    samples: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="samples to draw: 12, or 4 of each of several benchmarks", rich_help_panel=OUTPUT
        ),
    ] = None,
    keep_answers: Annotated[
        bool, typer.Option("--keep-answers", help="keep every answer as a file", rich_help_panel=OUTPUT)
    ] = False,
    save_stimuli: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="write the stimuli as files and stop", rich_help_panel=OUTPUT),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="say what would be done", rich_help_panel=OUTPUT)] = False,
    fresh: Fresh = False,
    resume: Annotated[bool, typer.Option("--resume", help="retry what failed, too", rich_help_panel=WHERE)] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="no progress, only the folder's path", rich_help_panel=OUTPUT)
    ] = False,
    verbose: Verbose = False,
) -> None:
    """Run benchmarks with their baselines and your models.

    A run that was stopped resumes with the same command. Example: beholder run stereo/dense --model my.py:fn
    """
    from beholder.engines.dispatch import find_engine
    from beholder.engines.memory import parse_limit
    from beholder.engines.progress import watch
    from beholder.evaluation import execute, figures, plan
    from beholder.evaluation.forecast import forecast
    from beholder.evaluation.room import measure_disk
    from beholder.evaluation.time_left import Meter
    from beholder.registry.load import all_with_columns
    from beholder.registry.spec import parse_setting

    settings = dict(map(parse_setting, set_)) | ({"reference": str(reference)} if reference else {})
    request = plan.Request(
        target,
        all_with_columns(dataset, columns),
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
    shown = (12 if "/" in target else 4) if samples is None else samples
    workers = cores() if jobs is None else jobs
    _check_numbers(workers, timeout, shown)
    most = None if memory is None else parse_limit(memory)
    find_engine(engine, most)  # refuses a word that is none, and a limit that nobody would keep
    how = execute.Options(out, workers, timeout, shown, keep_answers, fresh, resume, engine, memory=most)
    with Meter(watch(quiet)) as watching:
        what = plan.plan(request, watching)
        if family:
            plan.check_family(what, family)
        remarks = [] if quiet else folded("remark", what.remarks, verbose)
        for sentence in (*folded("skipped", what.skipped, verbose), *remarks):
            watching.say(sentence)
        if save_stimuli:
            written = figures.save_stimuli([one.benchmark for one in what.evaluations], save_stimuli, watching.say)
            typer.echo(f"{written} stimuli in {save_stimuli}")
            return
        if dry_run:
            typer.echo(forecast(what, how))
            return
        with _telling_how_to_go_on(watching):
            done = execute.execute(what, how, watching)
        text = _judged(done, watching, family, "" if quiet else "terminal" if verbose else "brief")
        measure_disk(done.folder, what.evaluations, done.scores)
    _tell(done, text)


@contextmanager
def _telling_how_to_go_on(watching: Any) -> Iterator[None]:
    """Whoever stops a run is told that nothing is lost."""
    try:
        yield
    except KeyboardInterrupt as end:
        watching.say("beholder: stopped; the same command goes on where it was")
        raise typer.Exit(end.code if isinstance(end, Terminated) else 130) from None


def _judged(done: Any, watching: Any, family: str, view: str) -> str:
    """Judge a run, write its page, and give what the terminal shows of it; nothing without a view."""
    from beholder.engines.progress import REPORT, WRITING
    from beholder.evaluation.record import read
    from beholder.evaluation.sections import sections
    from beholder.io.memory import give_back
    from beholder.registry.find import find
    from beholder.reports.html import write_pages

    found = sections([read(done.folder, done.scores)], near=done.folder, family=family, watch=watching)
    give_back()  # what judging has freed
    watching.begin(REPORT, 1, 0, "page", phase=WRITING)
    write_pages(found, done.folder / "report.html")
    watching.step(failed=False)
    return str(find("reports", view)(found)) if view else ""


def _tell(done: Any, text: str) -> None:
    """What the terminal shows of a run, and where its page is; exit 1 where a model failed."""
    if text:
        typer.echo(text)
        typer.echo(f"The whole: beholder report {done.folder} -v\nReport: {done.folder / 'report.html'}")
    else:
        for failure in done.failures[:10]:
            typer.echo(f"failed: model {failure['model']}, sample {failure['sample']}: {failure['reason']}", err=True)
        if done.failed > 10:
            typer.echo(f"… and {done.failed - 10} more; all of them are rows of {done.folder / 'scores.csv'}", err=True)
        typer.echo(done.folder)
    if done.failed:
        typer.echo("--resume retries what failed, with a larger --memory or --timeout if you give one.", err=True)
        raise typer.Exit(1)


def folded(word: str, sentences: Sequence[str], verbose: bool = False) -> list[str]:
    """Sentences as they are, or the one there is; of several only how many there are, and the first words of each.

    What was left out is said whole, the first such sentence at least.

    >>> folded("remark", ["dataset a: 1 file is unused", "model b: 2 files are unused"])
    ['2 remarks (-v shows them whole): dataset a; model b']
    >>> folded("remark", ["dataset a: 1 scene is left out: s2", "dataset a: …", "model b: 2 files are unused"])
    ['dataset a: 1 scene is left out: s2', '2 further remarks (-v shows them whole): dataset a; model b']
    """
    if verbose or len(sentences) < 2:
        return list(sentences)
    lost = [sentence for sentence in sentences if LOST.search(sentence)] if word == "remark" else []
    if lost:
        others = [sentence for sentence in sentences if sentence not in lost]
        more = [f"{len(lost) - 1} more on what was left out: -v shows them"] if len(lost) > 1 else []
        return [lost[0], *more, *folded("further remark", others)]
    about = "; ".join(dict.fromkeys(re.split(r": | is skipped", sentence)[0] for sentence in sentences))
    what = f"{len(sentences)} benchmarks are skipped" if word == "skipped" else f"{len(sentences)} {word}s"
    text = f"{what} (-v shows them whole): {about}"
    return [text if len(text) <= ROW else f"{text[: ROW - 1]}…"]


@app.command(rich_help_panel=RUN)
def tune(
    target: Annotated[
        str,
        typer.Argument(metavar="DOMAIN/NAME", help="the benchmark to tune for", autocompletion=complete.benchmarks),
    ],
    model: Annotated[
        str,
        typer.Option(
            metavar="[NAME=]SPEC", help="the model, a function with parameters", autocompletion=complete.models
        ),
    ],
    over: Annotated[list[str], typer.Option(metavar="K=LOW..HIGH[:log]", help="a parameter; may be given again")],
    dataset: Annotated[
        str,
        typer.Option(
            metavar="B[:PATH]", help="another dataset", rich_help_panel=WHAT, autocompletion=complete.datasets
        ),
    ] = "",
    set_: Settings = [],  # noqa: B006
    limit: Limit = None,
    every: Every = None,
    trials: Annotated[
        int, typer.Option(metavar="N", help="parameter sets to try at the most", rich_help_panel=MUCH)
    ] = 30,
    seed: Seed = 0,
    jobs: Jobs = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="default: runs/tune-<name>-<digest>", rich_help_panel=WHERE)
    ] = None,
    fresh: Fresh = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="no progress, only the tuned model's spec", rich_help_panel=OUTPUT)
    ] = False,
    verbose: Verbose = False,
) -> None:
    """Find the parameters with which a model scores best."""
    from beholder.engines.progress import watch
    from beholder.evaluation import execute, plan
    from beholder.evaluation.time_left import Meter
    from beholder.evaluation.tune.command import execute_tuning
    from beholder.evaluation.tune.ranges import parse_range
    from beholder.evaluation.tune.search import Search
    from beholder.registry.spec import parse_setting

    ranges = [parse_range(text) for text in over]
    if len(dict(ranges)) < len(ranges):
        raise Misuse("got two ranges of one parameter; expected each --over once")
    workers = cores() if jobs is None else jobs
    _check_jobs(workers)
    datasets, settings = (dataset,) if dataset else (), dict(map(parse_setting, set_))
    request = plan.Request(target, datasets, (model,), (), settings, limit=limit, every=every, seed=seed)
    with Meter(watch(quiet)) as watching:
        how = execute.Options(out, workers, samples=0, fresh=fresh)
        with _telling_how_to_go_on(watching):
            found = execute_tuning(request, Search(dict(ranges), trials, seed), how, watching)
        text = _judged(found.done, watching, "", "" if quiet else "terminal" if verbose else "brief")
    if quiet:
        typer.echo(found.spec)
        return
    typer.echo(f"{found.says}\nUse it as: --model '{found.spec}'\n")
    _tell(found.done, text)
