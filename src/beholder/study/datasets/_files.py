"""What the loaders of ratings share: folders that are there, and JSON of anybody's making."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from beholder.errors import Misuse
from beholder.io.bounds import LARGEST, check_text


def folder(path: Path, what: str) -> Path:
    """A folder that exists."""
    if not path.is_dir():
        raise Misuse(f"got {path}, which is not a folder; expected {what}")
    return path


def found(root: Path, pattern: str, what: str) -> list[Path]:
    """The files below a folder whose paths fit, in order; there must be one."""
    files = sorted(root.glob(pattern))
    if not files:
        raise Misuse(f"got {root} without {pattern}; expected {what}")
    return files


def read_json(file: Path) -> Any:
    """What a JSON file holds; a file of several lines that are JSON each is the list of them."""
    text = _text(file)
    try:
        return _parsed(text, file)
    except json.JSONDecodeError as fault:
        lines = [(n, line) for n, line in enumerate(text.splitlines(), 1) if line.strip()]
        if fault.msg != "Extra data" or fault.lineno == 1:
            raise Misuse(f"{file}: not valid JSON ({fault}); expected one value, or one per line") from None
        return [_line(line, n, file) for n, line in lines]


def read_lines(file: Path) -> list[Any]:
    """What the lines of a JSON-lines file hold, be it one or many."""
    return [_line(line, n, file) for n, line in enumerate(_text(file).splitlines(), 1) if line.strip()]


def read_mapping(file: Path, what: str) -> dict[str, Any]:
    """The mapping that a JSON file holds."""
    value = read_json(file)
    if not isinstance(value, dict):
        raise Misuse(f"{file}: got a {type(value).__name__}; expected {what}")
    return value


def _text(file: Path) -> str:
    if not file.is_file():
        raise Misuse(f"got {file}, which is not a file; expected JSON")
    try:
        check_text(file, LARGEST)
        return file.read_text("utf-8-sig")
    except ValueError as fault:  # too large, or no UTF-8
        raise Misuse(f"{file}: not readable as text ({fault}); expected JSON in UTF-8") from fault


def _line(line: str, number: int, file: Path) -> Any:
    try:
        return _parsed(line, file)
    except json.JSONDecodeError as fault:
        raise Misuse(f"{file}, line {number}: not valid JSON ({fault.msg}); expected one value per line") from None


def _parsed(text: str, file: Path) -> Any:
    def each_once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) < len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            raise Misuse(f"{file}: got the key {twice!r} twice in one object; expected each once")
        return made

    try:
        return json.loads(text, object_pairs_hook=each_once)
    except json.JSONDecodeError:
        raise
    except RecursionError:
        raise Misuse(f"{file}: got JSON that is nested too deeply; expected a table of ratings") from None
    except ValueError as fault:  # a whole number of thousands of digits
        raise Misuse(f"{file}: got JSON that cannot be read ({fault}); expected a table of ratings") from None
