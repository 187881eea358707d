"""Learn the parameters anew and write them: `python -m beholder.attention.learning --eyecrowd FOLDER`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from beholder.attention.datasets.eyecrowd import eyecrowd
from beholder.attention.learning import aim, judd_like, sun
from beholder.io.arrays import write

LEARNT = Path(__file__).parent.parent / "learnt"


def write_arrays(folder: Path, name: str, arrays: Mapping[str, NDArray[Any]]) -> Path:
    """Write arrays to a file, and say so."""
    file = write(folder, name, arrays)
    sys.stdout.write(f"{file}: {', '.join(f'{key} {values.shape}' for key, values in arrays.items())}\n")
    return file


def main(words: Sequence[str] | None = None) -> None:
    """What the command line asks for: `aim`, `sun`, and `judd_like` where the folder of EyeCrowd is given."""
    parser = argparse.ArgumentParser(prog="python -m beholder.attention.learning", description=__doc__)
    parser.add_argument("names", nargs="*", help="aim, sun, judd_like; default: all")
    parser.add_argument("--eyecrowd", type=Path, help="the folder of EyeCrowd, for judd_like")
    parser.add_argument("--out", type=Path, default=LEARNT, help="where to write")
    asked = parser.parse_args(words)
    unknown = sorted(set(asked.names) - {"aim", "sun", "judd_like"})
    if unknown:
        parser.error(f"got {', '.join(unknown)}; expected aim, sun or judd_like")
    names = asked.names or ["aim", "sun", "judd_like"]
    if "judd_like" in names and asked.eyecrowd is None:
        parser.error("judd_like needs --eyecrowd FOLDER, the fixations that it learns from")
    for name in names:
        arrays = (
            judd_like.learn(eyecrowd(asked.eyecrowd)) if name == "judd_like" else {"aim": aim, "sun": sun}[name].learn()
        )
        write_arrays(asked.out, name, arrays)


if __name__ == "__main__":
    main()
