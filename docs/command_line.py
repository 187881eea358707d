"""docs/reference/cli.md: every verb of `beholder` with its arguments and options, read from the program itself."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import typer

from catalogue import GENERATED, escaped, prose


def page() -> str:
    """The page."""
    from beholder.cli import app

    program = typer.main.get_command(app)
    head = [
        *(GENERATED, "# Command line", ""),
        "Every verb, as `beholder VERB --help` tells it. Exit codes: 0, it ran; 1, a model failed, and the last",
        "lines name it; 2, the command was misused, and the message says what was expected.",
    ]
    return "\n".join([*head, *_section(program, "beholder", 2), ""])


def _section(command: Any, name: str, depth: int) -> Iterator[str]:
    members = {own: one for own, one in sorted(getattr(command, "commands", {}).items()) if not one.hidden}
    if not members:
        yield from _verb(command, name, depth)
        return
    if name != "beholder":
        yield from ("", f"{'#' * depth} {name}", "", *_help(command))
    for own, one in members.items():
        yield from _section(one, f"{name} {own}", depth + (name != "beholder"))


def _verb(command: Any, name: str, depth: int) -> Iterator[str]:
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    options = [one for one in command.params if one.param_type_name == "option" and not one.hidden]
    usage = " ".join([name, *(_metavar(one) for one in arguments)])
    yield from ("", f"{'#' * depth} {name}", "", *_help(command), "", "```text", f"{usage} [options]", "```")
    rows = [*(_row(f"`{_metavar(one)}`", one) for one in arguments), *(_row(_flags(one), one) for one in options)]
    if rows:
        yield from ("", "| | |", "|---|---|", *rows)


def _metavar(parameter: Any) -> str:
    name = str(parameter.metavar or parameter.name.upper()).rstrip("…") + "…" * (parameter.nargs == -1)
    return name if parameter.required or name.startswith("[") else f"[{name}]"


def _flags(option: Any) -> str:
    """Its names, and what it takes: `--limit N`."""
    names = ", ".join([*option.opts, *option.secondary_opts])
    if option.is_flag:
        return f"`{names}`"
    return f"`{names} {option.metavar or option.name.upper()}`"


def _row(name: str, parameter: Any) -> str:
    text = " ".join((getattr(parameter, "help", "") or "").split())
    default = parameter.default
    shown = default not in (None, False, "", (), []) and not callable(default) and not parameter.required
    says = escaped(text) + (f" (default: `{getattr(default, 'value', default)}`)" if shown else "")
    return f"| {name} | {says.replace('|', chr(92) + '|')} |"


def _help(command: Any) -> list[str]:
    parts = inspect.cleandoc(command.help or "").replace("\b\n", "").split("\n\n")
    return [line for part in parts for line in ("", *prose(part))][1:]
