"""The command `beholder`: each verb is parse → one call → print or write. Exit 0 ran, 1 a model failed, 2 misuse."""

from __future__ import annotations

import os
import signal
import sys
from typing import Annotated, Any

import typer

from beholder.attention.commands import app as attention
from beholder.cli.house import app as house
from beholder.cli.judging import app as judging_app
from beholder.cli.look_up import app as look_up
from beholder.cli.running import app as running_app
from beholder.datasets.commands import app as data
from beholder.datasets.commands import check
from beholder.engines.threads import SINGLE
from beholder.errors import Misuse, Terminated, printable
from beholder.study.commands import app as study
from beholder.video.commands import app as video

HELP = ["--help", "-h"]
app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": HELP},
    help="How well a vision model agrees with people and with ground truth, and whether that can be trusted.",
)

UsageError: type[Exception] = typer.BadParameter.__bases__[
    0
]  # click's; newer versions of typer carry a click of their own


@app.callback(invoke_without_command=True)
def _main(version: Annotated[bool, typer.Option("--version", help="say which version this is")] = False) -> None:
    if version:
        from beholder import __version__

        typer.echo(f"beholder {__version__}")
        raise typer.Exit


app.add_typer(running_app)  # run, tune
app.add_typer(judging_app)  # report, compare
app.add_typer(look_up)  # list, show, cite
app.command(rich_help_panel="Run and compare")(check)  # the same as `data check`
app.add_typer(attention)  # gaze, groups
app.add_typer(data, name="data", rich_help_panel="Look things up")
app.add_typer(study, name="study", rich_help_panel="People")
app.add_typer(video, name="video", rich_help_panel="Housekeeping")
app.add_typer(house)  # doctor, runs, cache


def _stop(*_: Any) -> None:
    """Being told to end is no reason to leave workers and temporary files behind."""
    Terminated.told = True
    raise Terminated


def bare_flags(command: Any) -> Any:
    """The command, whose flags and those of its verbs do not say `<bool>` in the help."""
    context = typer.Context(command, help_option_names=HELP)
    for one in (*command.params, command.get_help_option(context)):  # --help is none of the params
        one.metavar = "" if getattr(one, "is_flag", False) else one.metavar
    for verb in getattr(command, "commands", {}).values():
        bare_flags(verb)
    return command


def _refuse(fault: Any) -> None:
    """Say what is wrong with the words of a command, and where its help is; no words at all are answered with it."""
    context, message = getattr(fault, "ctx", None), fault.format_message()
    if "unexpected extra argument" in message and _has_option(context, "--run"):
        message = f"{message.rstrip('.')}; a run is given as --run DIR"
    if message:  # none: the help is what was asked for, and typer has printed it
        verbs: list[str] = []
        while context and context.parent:
            context, verbs = context.parent, [context.info_name, *verbs]
        told = f"beholder: {message.rstrip('.')} (see {' '.join(['beholder', *verbs, '--help'])})"
        typer.echo(printable(told), err=True)
    sys.exit(fault.exit_code)


def _has_option(context: Any, name: str) -> bool:
    return any(name in one.opts for one in context.command.params)


def main() -> None:
    """Entry of the command: misuse is a sentence and exit code 2, never a traceback."""
    for name, one in SINGLE.items():  # before NumPy is loaded: more threads only get into the workers' way
        os.environ.setdefault(name, one)
    signal.signal(signal.SIGTERM, _stop)
    try:
        command = bare_flags(typer.main.get_command(app))
        code = command(standalone_mode=False)  # what click would print in a box is a sentence like any other
        if Terminated.told and code != Terminated.code:  # typer takes it for Ctrl-C, and servers end with 0
            raise Terminated
        sys.exit(code if isinstance(code, int) else 0)
    except UsageError as fault:
        _refuse(fault)
    except (typer.Abort, KeyboardInterrupt):
        typer.echo("beholder: stopped", err=True)
        sys.exit(Terminated.code if Terminated.told else 130)
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
        typer.echo(printable(f"beholder: {fault.strerror or fault}: {fault.filename or 'no file named'}"), err=True)
        sys.exit(2)
