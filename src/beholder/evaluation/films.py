"""Films of a run: each one a small file beside the picture of its sample, with what was found in it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TypedDict

from beholder.core.film import Curve, Film, Moment
from beholder.errors import DiskFull, printable
from beholder.io import video
from beholder.io.atomic import whole_file
from beholder.store.paths import distinct_slug

MOST = 150_000  # bytes of a film …
PACE = 12_000  # … or so many a second, where it is long: below, nothing can be recognised


class MomentFacts(TypedDict):
    """A `Moment`, as it stands in a file."""

    row: str
    start: float
    end: float
    box: list[float] | None
    text: str
    excused: str


class CurveFacts(TypedDict):
    """A `Curve`, as it stands in a file."""

    seconds: list[float | None]
    values: list[float | None]
    low: float
    high: float
    unit: str


class FilmFacts(TypedDict):
    """A `Film`, as it stands in a file."""

    model: str
    file: str  # relative to the folder of the sample's picture, as the poster is
    poster: str
    fault: str  # why it could not be written, or nothing
    shape: list[int]  # height and width
    seconds: float
    note: str
    rows: dict[str, str]
    moments: list[MomentFacts]
    curves: dict[str, CurveFacts]


def write_films(films: Mapping[str, Film], sheet: Path) -> list[FilmFacts]:
    """Write films into the folder beside the picture of their sample; what is to be said of each."""
    place = sheet.with_suffix("")
    place.mkdir(parents=True, exist_ok=True)
    return [_write(name, film, place / distinct_slug(name)) for name, film in films.items()]


def _write(name: str, film: Film, stem: Path) -> FilmFacts:
    """Write one film and its first frame; one that cannot be written costs itself only."""
    files = [stem.with_name(f"{stem.name}{suffix}") for suffix in (".mp4", ".webp")]
    try:
        shape, fault = encode_film(film, *files), ""
    except DiskFull:
        raise
    except Exception as why:  # noqa: BLE001  (frames come from anybody's answer)
        shape, fault = [1, 1], f"{type(why).__name__}: {why}"
    return {
        "model": printable(name),
        "file": f"{stem.parent.name}/{files[0].name}",
        "poster": f"{stem.parent.name}/{files[1].name}",
        "fault": printable(fault),
        "shape": shape,
        "seconds": round(film.seconds, 3),
        "note": film.note,
        "rows": dict(film.rows),
        "moments": [_moment(one) for one in film.moments],
        "curves": {name: _curve(one) for name, one in film.curves.items()},
    }


def encode_film(film: Film, file: Path, poster: Path) -> list[int]:
    """Write the frames, the first one as a picture too, which is shown until the film is played; their size."""
    from PIL import Image

    frames = iter(film.frames)
    first = next(frames)
    with whole_file(poster) as out:
        Image.fromarray(first[1]).save(out, format="webp", quality=60)
    most = max(MOST, round(PACE * film.seconds))
    video.write_small(itertools.chain([first], frames), file, seconds=film.seconds, most=most)
    return list(first[1].shape[:2])


def _moment(one: Moment) -> MomentFacts:
    return {
        "row": one.row,
        "start": round(float(one.start), 3),
        "end": round(float(one.end), 3),
        "box": None if one.box is None else [round(float(side), 4) for side in one.box],
        "text": one.text,
        "excused": one.excused,
    }


def _curve(one: Curve) -> CurveFacts:
    return {
        "seconds": _numbers(one.seconds, 3),
        "values": _numbers(one.values, 4),
        "low": float(one.low),
        "high": float(one.high),
        "unit": one.unit,
    }


def _numbers(values: Iterable[float], digits: int) -> list[float | None]:
    """Numbers as JSON has them: None for what is none."""
    return [round(float(x), digits) if math.isfinite(x) else None for x in values]
