"""True flow from files: fields of any usual format, and tables of vectors at probes, with what people saw there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from beholder.io import arrays, flow, image, spring, table
from beholder.io.bounds import FLOOR, LARGEST, NUMBER, allowed
from beholder.io.reading import reading as damaged
from beholder.motion.perceived import Probes
from beholder.motion.true_flow.layouts import Files
from beholder.motion.true_flow.types import Mask, TrueFlow, Vectors

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
Reader = Callable[..., NDArray[np.floating]]
SPREAD = 4  # vectors in a file for each pixel, at most: Spring's are stored at twice the width and height
FAR = 10_000.0  # px: no frame is that wide; larger vectors have another scale or another meaning


@dataclass(frozen=True)
class Convention:
    """How somebody's files count; as image flow in px by default."""

    v_up: bool = False  # v points up
    row_first: bool = False  # v stands before u, as scikit-image has it
    scale: float = 1.0  # what vectors are divided by

    def image_flow(self, values: NDArray[np.floating]) -> Vectors:
        """Vectors of this convention as image flow: u right, v down, px."""
        ordered = values[..., ::-1] if self.row_first else values
        return np.asarray(ordered * ((1, -1) if self.v_up else (1, 1)) / self.scale, np.float32)


def field(path: Path, convention: Convention, *, limit: int = LARGEST) -> Vectors:
    """The flow in a file, (H, W, 2); refused unread if it takes more than `limit` bytes."""
    suffix = path.suffix.lower()
    readers: dict[str, Reader] = {".npy": _plain, ".npz": _plain, ".flo5": spring.read}
    found = convention.image_flow(readers.get(suffix, flow.read)(path, limit=limit))
    if np.nanmax(np.abs(found), initial=0.0) > FAR:
        raise ValueError(
            f"{path}: got vectors of up to {np.nanmax(np.abs(found)):g} px; expected at most {FAR:g}; give scale=, by "
            "which they are divided, or write NaN where the flow is unknown"
        )
    if not np.isfinite(found).all(axis=-1).any():
        raise ValueError(f"{path}: got no known vector; expected a true flow; is this the file of the truth?")
    return found


def room(frame: Path) -> int:
    """The bytes that the flow of a frame may take, by the size that the frame's header says."""
    with damaged(frame, "no image that can be read", "PNG, JPEG, …"), image.opened(frame) as picture:
        return FLOOR + NUMBER * 2 * SPREAD * int(picture.width) * int(picture.height)


def _plain(path: Path, *, limit: int) -> NDArray[np.floating]:
    """An array of vectors, whose axis of u and v is the last or the first."""
    values = arrays.only(path, limit=limit)
    if values.ndim == 3 and values.shape[-1] != 2 and values.shape[0] == 2:
        values = np.moveaxis(values, 0, -1)
    if values.ndim != 3 or values.shape[-1] != 2 or values.dtype.kind not in "fiu":
        raise ValueError(f"{path}: got {values.dtype} of shape {values.shape}; expected numbers (H, W, 2): u, v in px")
    finite = np.isfinite(values).all(axis=-1, keepdims=True)
    return np.where(finite, values, np.nan).astype(np.float32)


def regions(files: Files, flow: Vectors, convention: Convention) -> tuple[Vectors, dict[str, Mask]]:
    """The flow where it may be used, and its regions, as far as the files tell them."""
    shape = flow.shape[:2]
    found: dict[str, Mask] = {}
    if files.invalid:
        flow = np.where(marked(files.invalid, shape)[..., None], np.float32(np.nan), flow)
    if files.seen:
        found["matched"] = np.asarray(
            np.isfinite(field(files.seen, convention, limit=allowed(flow, SPREAD))).all(axis=-1)
        )
    elif files.hidden:
        found["matched"] = ~marked(files.hidden, shape)
    if "matched" in found:
        found["unmatched"] = ~found["matched"]
    if files.objects:
        found["fg"] = marked(files.objects, shape)
        found["bg"] = ~found["fg"]
    return flow, found


def marked(path: Path, shape: tuple[int, ...]) -> Mask:
    """Where an image is not 0; one of twice the size, as Spring has some, is taken at every second pixel."""
    levels = image.read(path)
    mask = levels.any(axis=-1) if levels.ndim == 3 else levels > 0
    if mask.shape == (2 * shape[0], 2 * shape[1]):
        mask = mask[::2, ::2]
    if mask.shape != tuple(shape[:2]):
        raise ValueError(f"{path}: got a mask of shape {mask.shape}; expected {tuple(shape[:2])}, that of the flow")
    return np.asarray(mask)


def probes(path: Path, convention: Convention) -> tuple[Floats, TrueFlow | Probes]:
    """The places x, y of a table, and the true vectors u, v there; with seen_u and seen_v also what people saw.

    A place may have several rows, one for each answer; `observer` says whose it is, or all are one person's.
    """
    rows = table.read(path)
    rows.columns = [str(name).strip().lower() for name in rows.columns]
    wanted = ["x", "y", "u", "v"]
    lacking = [name for name in wanted if name not in rows or rows[name].dtype.kind not in "fiu"]
    if lacking:
        raise ValueError(f"{path}: got no numbers in {', '.join(lacking)}; expected columns {', '.join(wanted)} in px")
    places = rows.groupby(["x", "y"], sort=False)
    first = places[["u", "v"]].first()
    points = np.array(list(first.index), np.float64).reshape(-1, 2)
    true = convention.image_flow(first.to_numpy(np.float64))
    if not {"seen_u", "seen_v"} <= set(rows.columns):
        return points, TrueFlow(true)
    return points, _people(rows, points, true, convention)


def _people(rows: pd.DataFrame, points: Floats, true: Vectors, convention: Convention) -> Probes:
    who = rows["observer"].astype(str) if "observer" in rows else rows["x"].map(lambda _: "1")
    rows = rows.assign(who=who, trial=rows.groupby(["x", "y", who]).cumcount())
    names = tuple(dict.fromkeys(who))
    at = {tuple(point): n for n, point in enumerate(points)}
    people = np.full((len(names), int(rows["trial"].max()) + 1, len(points), 2), np.nan)
    seen = convention.image_flow(rows[["seen_u", "seen_v"]].to_numpy(np.float64)) * (1, -1)
    for row, vector in zip(rows[["who", "trial", "x", "y"]].itertuples(index=False), seen, strict=True):
        people[names.index(row[0]), row[1], at[float(row[2]), float(row[3])]] = vector
    return Probes((true * (1, -1)).astype(np.float64), people, names)
