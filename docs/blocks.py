"""The code blocks of a page, and how they are run in order, as a reader would: by the tests, and for the gallery.

A block of Python with a title is a file; one without is run in the page's own interpreter; one of sh is run by bash.
`<!-- not run: REASON -->` above a block says why it cannot be run here.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

FENCE = re.compile(
    r"(?:^<!-- not run: (?P<reason>[^\n]+?) -->\n)?"
    r"^```(?P<language>\w+)(?: title=\"(?P<title>[^\"]+)\")?\n(?P<text>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)


class Block(NamedTuple):
    """A block of code: in which language, the file that it is, and why it is not run."""

    language: str
    title: str
    text: str
    reason: str


def blocks(page: Path) -> list[Block]:
    """Every block of a page that is Python, sh, or a file."""
    found = [
        Block(one["language"], one["title"] or "", one["text"], one["reason"] or "")
        for one in FENCE.finditer(page.read_text("utf-8"))
    ]
    return [one for one in found if one.language in ("sh", "python") or one.title]


def commands(block: Block) -> Iterator[str]:
    """The command lines of a block of sh, without comments; lines that end in a backslash are joined."""
    for line in block.text.replace("\\\n", " ").splitlines():
        if command := re.sub(r"(^|\s)#.*$", "", line).strip():
            yield command


class Reader:
    """Somebody who types the blocks of a page into a folder of their own."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self.folder, self.environment = folder, dict(environment)
        self.names: dict[str, Any] = {"__name__": "page"}

    def do(self, block: Block) -> None:
        """Write the file, run the script, or say with what it failed."""
        if block.title:
            file = self.folder / block.title
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.text, "utf-8")
        elif block.language == "python":
            exec(compile(block.text, f"{self.folder.name}.md", "exec"), self.names)  # noqa: S102
        else:
            self.sh(block.text)

    def sh(self, text: str) -> None:
        """Run it; what it printed is told where it fails."""
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", text],
            cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode:
            raise RuntimeError(f"exit {done.returncode} of\n{text}\n{done.stdout[-1500:]}\n{done.stderr[-3000:]}")


def bin_of(python: str = sys.executable) -> str:
    """Where the commands of this environment lie."""
    return str(Path(python).parent)
