"""Maps of salience in files: what a model wrote, and what a run keeps.

A picture's map is an 8- or 16-bit grey image (.png, .jpg, .tif), an array (.npy), the one variable of a .mat, or the
one data set of an HDF5 file; it has the picture's size. A log density is a .npz with `log`, or a .npy whose numbers
have the field "log", which is how a run keeps it. Nothing is resized: `accept_answer` refuses a map of another size and
names the file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.attention.maps.features import Clip, Unseen
from beholder.attention.paths.search import Search
from beholder.attention.types import Density, Picture, Salience, accept_map
from beholder.extras import extra
from beholder.io import arrays, image, structs
from beholder.io.atomic import whole_file
from beholder.io.bounds import LARGEST, check_file
from beholder.io.hdf5 import Budget

SUFFIXES = (".npy", ".npz", ".png", ".jpg", ".jpeg", ".tif", ".tiff", ".mat", ".h5", ".hdf5")
LOG = "log"
_LEVELS = 65535  # of a 16-bit image


@dataclass(frozen=True, eq=False)
class FiledMap(Salience):
    """A map that knows its file."""

    file: str = ""


@dataclass(frozen=True, eq=False)
class FiledDensity(Density):
    """A log density that knows its file."""

    file: str = ""


def accept_answer(raw: Any, picture: Picture) -> Salience | Density:
    """Accept a model's answer as `accept_map` does; an error in one from a file names the file."""
    try:
        return accept_map(raw, picture)
    except ValueError as fault:
        if isinstance(raw, (FiledMap, FiledDensity)):
            raise ValueError(f"{raw.file}: {fault}") from fault
        raise


def read(path: Path, *, limit: int = LARGEST) -> FiledMap | FiledDensity:
    """The map in a file, on whatever scale it is there, or the log density; a fault names the file.

    One of more than `limit` bytes is refused unread.

    >>> read(Path("map.gif"))
    Traceback (most recent call last):
    ValueError: map.gif: got the suffix '.gif'; expected .npy, .npz, .png, .jpg, .jpeg, .tif, .tiff, .mat, .h5, .hdf5
    """
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise ValueError(f"{path.name}: got the suffix {suffix!r}; expected {', '.join(SUFFIXES)}")
    try:
        found = READERS.get(suffix, _image)(path, limit)
    except Exception as fault:  # libraries raise what they like over damaged bytes
        text = str(fault)
        raise ValueError(text if path.name in text else f"{path.name}: {text}") from fault
    if found.dtype.names == (LOG,):
        return FiledDensity(found[LOG].astype(np.float64), file=path.name)
    return FiledMap(_map(found, path), file=path.name)


def write(answer: Salience | Density, path: Path) -> None:
    """Keep an accepted answer in single precision as .npy; a map also as a 16-bit .png of its range."""
    if path.suffix.lower() == ".png" and isinstance(answer, Salience):
        return _write_png(answer.values, path)
    if path.suffix.lower() != ".npy":
        raise ValueError(f"{path.name}: got {type(answer).__name__}; expected .npy, or .png of a map")
    kept = answer.log.astype([(LOG, np.float32)]) if isinstance(answer, Density) else answer.values.astype(np.float32)
    with whole_file(path) as file:
        np.save(file, kept)
    return None


def show(shown: Picture | Clip | Unseen, folder: Path) -> None:
    """Put what is looked at where a program can read it: picture.png, and meta.json with px_per_deg (null if unknown).

    What is searched for is target.png; a clip is frame0000.png …, and meta.json has its hertz.
    """
    folder.mkdir(parents=True, exist_ok=True)
    scale = float(shown.px_per_deg) if np.isfinite(shown.px_per_deg) else None
    meta: dict[str, float | None] = {"px_per_deg": scale}
    if isinstance(shown, (Clip, Unseen)):
        meta["hertz"] = float(shown.hertz)
        for at, frame in enumerate(shown.frames):  # not applicable where there are none
            image.write(frame, folder / f"frame{at:04d}.png")
    else:
        image.write(shown.pixels, folder / "picture.png")
    if isinstance(shown, Search):
        image.write(shown.target, folder / "target.png")
    (folder / "meta.json").write_text(json.dumps(meta) + "\n", "utf-8")


def _map(values: NDArray[Any], path: Path) -> NDArray[np.float64]:
    """A map of numbers, all of them finite."""
    if values.ndim != 2 or values.dtype.kind not in "fiub":
        raise ValueError(
            f"{path.name}: got {values.dtype} of shape {values.shape}; expected a map, (rows, columns) of numbers"
        )
    bad = int((~np.isfinite(values)).sum())
    if bad:
        raise ValueError(
            f"{path.name}: got {bad} of {values.size} values that are not finite; expected a number in every pixel"
        )
    return values.astype(np.float64)


def _array(path: Path, limit: int) -> NDArray[Any]:
    return np.asarray(arrays.load(path, limit=limit))


def _archive(path: Path, limit: int) -> NDArray[Any]:
    """The log density of a .npz, or the only array in it as a map."""
    held = arrays.load(path, limit=limit)
    if not isinstance(held, dict):
        return held
    return held[LOG].astype([(LOG, np.float64)]) if LOG in held else _only(held, "array")


def _image(path: Path, limit: int) -> NDArray[Any]:
    """A grey image as it is; a coloured one if its channels are the same, for else it is a picture for display."""
    from PIL import UnidentifiedImageError

    try:
        with image.opened(path, limit) as opened:
            if opened.mode in ("L", "1", "I", "F") or opened.mode.startswith("I;16"):
                return np.asarray(opened).astype(np.float64)
    except UnidentifiedImageError as fault:
        raise ValueError("got an image that Pillow cannot read; expected PNG, JPEG or TIFF; check the file") from fault
    except SyntaxError as fault:
        raise ValueError(f"got a damaged image ({fault}); expected a whole one; copy it again") from fault
    levels = image.read(path, limit=limit).astype(np.float64)
    if levels.ndim == 2:
        return levels
    if (np.ptp(levels, axis=2) > _channel_tolerance(path)).any():
        raise ValueError(
            "got a coloured image; expected grey levels; a coloured map is made for display, it is not data"
        )
    return levels[..., 1]


def _channel_tolerance(path: Path) -> int:
    """How much the channels of a grey picture may differ: JPEG rounds."""
    return 2 if path.suffix.lower() in (".jpg", ".jpeg") else 0


def _matlab(path: Path, limit: int) -> NDArray[Any]:
    return _only(structs.read(path, limit=limit, plain=True), "variable")


def _hdf5(path: Path, limit: int) -> NDArray[Any]:
    h5py = extra("h5py")

    check_file(path, limit)
    budget = Budget(path, limit)
    with h5py.File(path, "r") as file:
        sets = {name: np.asarray(budget.read(item)) for name, item in file.items() if isinstance(item, h5py.Dataset)}
    return _only(sets, "data set")


def _only(held: Mapping[str, Any], what: str) -> NDArray[Any]:
    if len(held) != 1:
        raise ValueError(f"got {', '.join(held) or 'nothing'}; expected one {what}, the map")
    return np.asarray(next(iter(held.values())))


def _write_png(values: NDArray[np.float64], path: Path) -> None:
    """16 bits over the range of the map; a constant map is black."""
    from PIL import Image

    low, high = float(values.min()), float(values.max())
    levels = np.rint((values - low) / (high - low or 1.0) * _LEVELS).astype(np.uint16)
    with whole_file(path) as file:
        Image.fromarray(levels).save(file, format="PNG")


READERS: Mapping[str, Callable[[Path, int], NDArray[Any]]] = {
    ".npy": _array,
    ".npz": _archive,
    ".mat": _matlab,
    ".h5": _hdf5,
    ".hdf5": _hdf5,
}
