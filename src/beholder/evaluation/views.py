"""Views of a sample as small files beside its picture, and what is said of each."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from beholder.core.film import Film
from beholder.core.views import View, Views
from beholder.errors import printable
from beholder.evaluation.films import encode_film
from beholder.io.atomic import whole_file, write_whole
from beholder.io.drawing import size_of, webp

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FOLDER = "views"


class ViewFacts(TypedDict):
    """A `View`, as it stands in a file."""

    title: str
    file: str  # relative to the folder of the sample's picture, as the poster is
    poster: str  # of a film
    shape: list[int]  # height and width
    alt: str
    legend: str
    over: str
    faint: bool


class ModelViewsFacts(TypedDict):
    """The views of one model."""

    model: str
    views: list[ViewFacts]


class ViewsFacts(TypedDict):
    """`Views`, as they stand in a file."""

    shared: list[ViewFacts]
    models: list[ModelViewsFacts]
    note: str


def write_views(views: Views, sheet: Path) -> ViewsFacts:
    """Write views into the folder beside the picture of their sample; what is to be said of them."""
    place = sheet.with_suffix("") / FOLDER
    place.mkdir(parents=True, exist_ok=True)
    shared = [_write(one, place / f"all-{at}") for at, one in enumerate(views.shared)]
    models: list[ModelViewsFacts] = [
        {"model": printable(name), "views": [_write(one, place / f"{who}-{at}") for at, one in enumerate(own)]}
        for who, (name, own) in enumerate(views.models.items())
    ]
    return {"shared": shared, "models": models, "note": printable(views.note)}


def _write(view: View, stem: Path) -> ViewFacts:
    suffix, shape = _save(view.picture, stem)
    name = f"{stem.parent.parent.name}/{stem.parent.name}/{stem.name}"
    return {
        "title": view.title,
        "file": f"{name}{suffix}",
        "poster": f"{name}.webp" if isinstance(view.picture, Film) else "",
        "shape": shape,
        "alt": view.alt,
        "legend": view.legend,
        "over": view.over,
        "faint": view.faint,
    }


def _save(picture: NDArray[np.uint8] | str | Film, stem: Path) -> tuple[str, list[int]]:
    """Write one view; the suffix of its file, and its height and width."""
    if isinstance(picture, Film):
        return ".mp4", encode_film(picture, stem.with_name(f"{stem.name}.mp4"), stem.with_name(f"{stem.name}.webp"))
    if isinstance(picture, str):
        write_whole(stem.with_name(f"{stem.name}.svg"), picture)
        return ".svg", list(size_of(picture))
    with whole_file(stem.with_name(f"{stem.name}.webp")) as out:
        out.write(webp(picture))
    return ".webp", [int(side) for side in picture.shape[:2]]
