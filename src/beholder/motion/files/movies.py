"""Movies in files: what a program under test may see, and, apart from it, what only a person who asks may see."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, fields
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.core.sample import Sample
from beholder.io import flow, video
from beholder.io.atomic import whole_file
from beholder.motion.references import Record, records
from beholder.motion.stimuli.depth import BinocularMovie
from beholder.motion.types import Movie, Percept, unit

TOP = 65535  # the greatest level of a 16-bit PNG
PREVIEW_HERTZ = 25.0  # frames per second of the previews, slow enough to be looked at
NO_STIMULUS = "not a stimulus: 8-bit sRGB, slowed down, lossy; read frames.npy or the PNGs"


def show(movie: Movie, folder: Path) -> None:
    """Put a movie where a program can read it; nothing here tells what is seen in it.

    frames.npy has linear luminance in cd/m², float32 (T, H, W); frame000.png … are the same in 16 bits, linear, with
    the scale in meta.json. preview.gif and preview.mp4 are for people. meta.json has the clock, the px/deg, the onset,
    the version of the generator and the SHA-256 of the frames' bytes.
    """
    folder.mkdir(parents=True, exist_ok=True)
    frames = np.ascontiguousarray(movie.frames, "<f4")
    with whole_file(folder / "frames.npy") as file:
        np.save(file, frames)
    top = float(frames.max(initial=0.0)) or 1.0
    for at, frame in enumerate(frames):
        _png(frame / top, folder / f"frame{at:03d}.png")
    for name in ("preview.gif", "preview.mp4"):
        video.write(video.srgb(frames / top), folder / name, hertz=min(movie.hertz, PREVIEW_HERTZ))
    _json(_sidecar(movie, frames, top), folder / "meta.json")


def reveal(sample: Sample[Movie, Percept], folder: Path, *, reference: str = "") -> None:
    """Put the answer beside a movie: truth.flo, normal.flo and truth.json.

    truth.flo is the rigid velocity of what people settle on, normal.flo the vector average of the local normal
    velocities, both one vector all over the frame, in px/frame, u right and v down, for the pairs after the onset.
    Where there is no such motion, every pixel is unknown. truth.json has the percept, the tags, and each record that
    speaks of this kind of stimulus with its status, those of `reference`, a user's TOML file, before ours.
    """
    folder.mkdir(parents=True, exist_ok=True)
    percept, movie = sample.reference, sample.stimulus
    for name, direction, speed in (
        ("truth.flo", percept.object_direction, percept.speed),
        ("normal.flo", percept.vector_average, percept.average_speed),
    ):
        flow.write(steady_flow(direction, speed, movie), folder / name)
    _json(_truth(sample, reference), folder / "truth.json")


def show_pair(pair: BinocularMovie, folder: Path) -> None:
    """Put both eyes' movies where a program can read them: the folders left and right, each as of `show`."""
    show(pair.left, folder / "left")
    show(pair.right, folder / "right")


def reveal_pair(sample: Sample[BinocularMovie, Percept], folder: Path, *, reference: str = "") -> None:
    """Put the answer beside a pair of movies, as `reveal` does; flow is that in the left eye's frame."""
    reveal(Sample(sample.id, sample.stimulus.left, sample.reference, sample.tags), folder, reference=reference)


def steady_flow(direction: float, speed: float, movie: Movie) -> NDArray[np.float32]:
    """One velocity all over the frame, (H, W, 2): u right, v down, px/frame; NaN where it is not known.

    >>> movie = Movie(np.zeros((2, 1, 1), np.float32), hertz=50.0, px_per_deg=8.0)
    >>> steady_flow(90.0, 10.0, movie).ravel().tolist()  # up is −v: 10 · 8 / 50
    [0.0, -1.600000023841858]
    """
    known = np.isfinite(direction) and np.isfinite(speed)
    right, up = unit(direction) if known else (np.nan, np.nan)
    step = speed * movie.px_per_deg / movie.hertz
    vector = np.array([step * right, -step * up], np.float32) + np.float32(0)  # no −0
    return np.broadcast_to(vector, (*movie.frames.shape[1:], 2)).copy()


def spoken_of(kind: str, reference: str = "") -> Mapping[str, Record]:
    """The records that speak of a kind of stimulus, or of any."""
    return {id: one for id, one in records(reference).items() if one.stimulus in (kind, "any")}


def _png(shares: NDArray[np.float32], path: Path) -> None:
    import cv2

    levels = np.rint(np.clip(shares, 0, 1).astype(np.float64) * TOP).astype(np.uint16)
    written, content = cv2.imencode(".png", levels)
    if not written:
        raise OSError(f"{path}: OpenCV could not make a PNG of it")
    with whole_file(path) as file:
        file.write(content.tobytes())


def _sidecar(movie: Movie, frames: NDArray[np.float32], top: float) -> dict[str, Any]:
    """What a program must know to read the frames; the names of the fields say the units."""
    import beholder

    count, height, width = frames.shape
    return {
        "hertz": movie.hertz,
        "px_per_deg": movie.px_per_deg,
        "onset": movie.onset,
        "frames": count,
        "height": height,
        "width": width,
        "seconds_of_first_frame": -movie.onset / movie.hertz,
        "luminance": "linear, cd/m²: 16-bit level / 65535 · cd_m2_of_65535",
        "cd_m2_of_65535": top,
        "answer": "flow of shape (frames − 1, height, width, 2), or (frames − 1, 2): u right, v down, px/frame",
        "answer_file": "NumPy's .npy, or .npz of one array",
        "generator": f"beholder {beholder.__version__}",
        "sha256": sha256(frames.tobytes()).hexdigest(),
        "sha256_of": "the frames as little-endian float32, in the order frame, row, column",
        "preview": NO_STIMULUS,
        "preview_hertz": min(movie.hertz, PREVIEW_HERTZ),
    }


def _truth(sample: Sample[Movie, Percept], reference: str) -> dict[str, Any]:
    percept = {field.name: getattr(sample.reference, field.name) for field in fields(sample.reference)}
    known = spoken_of(sample.reference.kind, reference)
    return {
        "id": sample.id,
        "percept": percept | {"conditions": dict(percept["conditions"])},
        "tags": dict(sample.tags),
        "px_a_frame": sample.stimulus.px_per_deg / sample.stimulus.hertz,
        "references": {id: _said(one) for id, one in known.items()},
    }


def _said(one: Record) -> dict[str, Any]:
    """A record without what it does not say."""
    silent = {"id": one.id, "n": 0}
    said = {key: value for key, value in _plain(asdict(one)).items() if value not in (None, "", [])}
    return {key: value for key, value in said.items() if silent.get(key) != value}


def _json(content: Mapping[str, Any], path: Path) -> None:
    """JSON has no NaN: what is not known is null."""
    text = json.dumps(_plain(content), indent=1, ensure_ascii=False, allow_nan=False)
    with whole_file(path) as file:
        file.write(f"{text}\n".encode())


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(one) for one in value]
    return None if isinstance(value, float) and not np.isfinite(value) else value
