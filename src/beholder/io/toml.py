"""Tables → TOML; the standard library only reads it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any


def written(table: Mapping[str, Any]) -> str:
    """A table as TOML: plain values first, then tables, then lists of tables; long texts over several lines.

    >>> print(written({"a": 1, "b": {"c": "x"}, "d": [{"e": True}]}))
    a = 1
    <BLANKLINE>
    [b]
    c = "x"
    <BLANKLINE>
    [[d]]
    e = true
    <BLANKLINE>
    """
    return "\n".join(_lines(table, ())).strip() + "\n"


def _lines(table: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    inner = {key: value for key, value in table.items() if isinstance(value, Mapping) or _is_tables(value)}
    yield from (
        f"{_key(key)} = {_value(value)}" for key, value in table.items() if key not in inner and value is not None
    )
    for key, value in inner.items():
        head = ".".join(map(_key, (*path, key)))
        for one in [value] if isinstance(value, Mapping) else value:
            yield from ("", f"[{head}]" if isinstance(value, Mapping) else f"[[{head}]]")
            yield from _lines(one, (*path, key))


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else json.dumps(key, ensure_ascii=False)


def _is_tables(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and bool(value) and all(isinstance(one, Mapping) for one in value)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_value, value))}]"
    lines = [json.dumps(line, ensure_ascii=False)[1:-1].replace("\x7f", "\\u007f") for line in str(value).split("\n")]
    return '"""\n' + "\n".join(lines) + '"""' if len(lines) > 1 else f'"{lines[0]}"'
