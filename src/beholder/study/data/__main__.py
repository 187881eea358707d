"""Write the carried numbers anew: `python -m beholder.study.data --fetv FOLDER --bluebirds FOLDER`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from beholder.io.arrays import write
from beholder.study.datasets import bluebirds, fetv

HERE = Path(__file__).parent


def write_arrays(folder: Path, name: str, arrays: Mapping[str, NDArray[Any]]) -> Path:
    """Write arrays to a file, and say so."""
    file = write(folder, name, arrays)
    sys.stdout.write(f"{file}: {file.stat().st_size:,} bytes\n")
    return file


def main(words: Sequence[str] | None = None) -> None:
    """Write what the command line gives folders of."""
    parser = argparse.ArgumentParser(prog="python -m beholder.study.data", description=__doc__)
    parser.add_argument("--fetv", type=Path, help="the folder of FETV-EVAL")
    parser.add_argument("--bluebirds", type=Path, help="the folder with bluebirds/ and ducks/")
    parser.add_argument("--out", type=Path, default=HERE, help="where to write")
    asked = parser.parse_args(words)
    if asked.fetv is None and asked.bluebirds is None:
        parser.error("got no folder; expected --fetv FOLDER, --bluebirds FOLDER, or both")
    if asked.fetv is not None:
        write_arrays(asked.out, "fetv", fetv.numbers(asked.fetv))
    if asked.bluebirds is not None:
        write_arrays(asked.out, "bluebirds", bluebirds.numbers(asked.bluebirds))


if __name__ == "__main__":
    main()
