"""Executes the notebooks of this folder and keeps their outputs: `.venv/bin/python docs/notebooks/execute.py [NAME …]`.

It needs the extra `docs` (nbclient, ipykernel). Notebooks run in an empty folder, on built-in data only.
"""

from __future__ import annotations

import re
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).absolute().parent
LARGEST = 200_000  # bytes of a notebook with its outputs
PLACES = (Path.home(), Path(tempfile.gettempdir()), HERE.parents[2])  # of the machine that executes them
OURS = re.compile(f"(?:{'|'.join(re.escape(f'{place}/') for place in PLACES)}|site-packages/)" + r"[\w./-]*")


def names() -> list[str]:
    """The notebooks that there are."""
    return sorted(file.stem for file in HERE.glob("*.ipynb"))


def code(name: str) -> list[str]:
    """The code cells of a notebook."""
    import json

    cells = json.loads((HERE / f"{name}.ipynb").read_text("utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def execute(name: str) -> None:
    """Run a notebook and write it with its outputs; not where it raises, is large, or tells paths of this machine."""
    import nbformat
    from nbclient import NotebookClient

    file = HERE / f"{name}.ipynb"
    book = nbformat.read(file, as_version=4)
    with tempfile.TemporaryDirectory() as empty:
        NotebookClient(book, timeout=600, kernel_name="python3", resources={"metadata": {"path": empty}}).execute()
    for cell in book.cells:
        cell.metadata = {}
    book.metadata = {key: book.metadata[key] for key in ("kernelspec",)} | {"language_info": {"name": "python"}}
    text = nbformat.writes(book) + "\n"
    if found := sorted({path for output in outputs(book) for path in OURS.findall(output)}):
        raise SystemExit(f"{name}: an output tells a path of this machine: {found[0]}")
    if len(text) > LARGEST:
        raise SystemExit(f"{name}: {len(text) // 1000} kB with its outputs; expected at most {LARGEST // 1000}")
    file.write_text(text, "utf-8")


def outputs(book: Any) -> Iterator[str]:
    """The texts among the outputs of a notebook; pictures are none."""
    for cell in book["cells"]:
        for output in cell.get("outputs", ()):
            texts = [output.get("text", ""), *(output.get("traceback", ()))]
            texts += [text for kind, text in output.get("data", {}).items() if kind.startswith("text/")]
            yield from ("".join(text) for text in texts)


def main(wanted: Sequence[str]) -> None:
    """Execute the notebooks that are named, or all."""
    for name in wanted or names():
        if name not in names():
            raise SystemExit(f"there is no notebook {name!r}; there are {', '.join(names())}")
        started = time.monotonic()
        execute(name)
        size = (HERE / f"{name}.ipynb").stat().st_size
        print(f"{name}: {time.monotonic() - started:.0f} s, {size // 1000} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
