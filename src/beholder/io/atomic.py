"""Files that appear whole or not at all: a kill or a full disk never leaves half of one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import IO


@contextmanager
def whole_file(path: Path | str) -> Iterator[IO[bytes]]:
    """A file to write to, beside its final place, that takes this place at the end; if writing fails, none is left."""
    target = Path(path)
    draft = target.with_name(f".{target.name}.{token_hex(4)}")
    try:
        with draft.open("xb") as file:
            yield file
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


def write_whole(path: Path | str, content: str | bytes) -> None:
    """Write a file in one go; what is no text in a text is spelt out (\\xff)."""
    with whole_file(path) as file:
        file.write(content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace"))
