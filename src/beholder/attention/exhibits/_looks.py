"""What people looked at and how: pictures or films with recorded gaze or, where that is all there is, fixations."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

import numpy as np

from beholder.attention.gaze.detection import Gaze, velocity
from beholder.attention.maps.features import ASSUMED, Clip, Unseen
from beholder.attention.maps.scaling import fitting
from beholder.attention.types import Picture, Scanpath, keep_inside
from beholder.core.sample import Dataset
from beholder.errors import Misuse
from beholder.io import film, image
from beholder.registry.find import names
from beholder.registry.load import dataset as dataset_of
from beholder.registry.spec import parse
from beholder.study.design.exhibition import Film, Pixels, Still
from beholder.study.design.tracks import Trace
from beholder.study.design.writing import LONGEST, unreadable_refused

PICTURES = (".jpg", ".jpeg", ".png", ".bmp", ".gif", ".tif", ".tiff", ".webp")
SIDE = 720  # px of the longer side of a film as it is shown; smaller ones stay as they are
MODEL_SIDE = 320  # px of the longer side of a film as models look at it
COLUMNS = ("stimulus", "observer", "time_ms", "x", "y")

Shape = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Look:
    """A picture or a film, what models are shown of it, and everybody who looked at it. Points are px of `shape`."""

    id: str
    stimulus: Literal["picture", "film"]
    media: Still | Film
    shape: Shape
    px_per_deg: float
    load: Callable[[], Picture | Clip]
    paths: Mapping[str, Scanpath]
    traces: Mapping[str, Trace] = field(default_factory=dict)  # where gaze was recorded
    hertz: float = np.inf  # of the recording
    dataset: Dataset[Any, Any] | None = None
    sample: str = ""  # id in the dataset

    @property
    def recorded(self) -> bool:
        """Whether there is more than fixations."""
        return bool(self.traces)

    @property
    def seconds(self) -> float:
        """How long a film is; a picture lasts for ever."""
        return self.media.seconds if isinstance(self.media, Film) else np.inf


def from_dataset(spec: str, *, pictures: Path | None = None, videos: Path | None = None) -> Iterator[Look]:
    """Everything in a dataset that can be shown, or what of it lies in a folder of pictures or films."""
    loaded = _loaded(spec, pictures or videos)
    own = {**_files(pictures, PICTURES), **_files(videos, film.SUFFIXES)}
    recorded = _recordings(loaded)
    reels = getattr(loaded.load, "reels", {})
    for id in loaded.ids:
        reel = reels.get(id)
        file = own.get(Path(id).name) or own.get(id) or (reel.file if reel else None)
        if (own and not (Path(id).name in own or id in own)) or (reel and file is None):
            continue
        lookers = loaded.reference(id)
        media: Still | Film = Still(f"{loaded.name}/{id}", partial(_pixels, loaded, id, file))
        if reel and file:
            media = _film(f"{loaded.name}/{id}", file, reel.first, reel.count)
        shape, people = recorded.get(id, (lookers.shape, {}))
        ratio = np.array(lookers.shape[::-1]) / shape[::-1]
        yield Look(
            id=f"{loaded.name}/{id}",
            stimulus="film" if reel else "picture",
            media=media,
            shape=lookers.shape,
            px_per_deg=lookers.px_per_deg if np.isfinite(lookers.px_per_deg) else ASSUMED,
            load=partial(_stimulus, loaded, id),
            paths=lookers.paths,
            traces={who: _trace(gaze, ratio) for who, gaze in people.items()},
            hertz=min((gaze.hertz for gaze in people.values()), default=np.inf),
            dataset=loaded,
            sample=id,
        )


def from_table(
    table: Path, *, pictures: Path | None = None, videos: Path | None = None, px_per_deg: float = ASSUMED
) -> Iterator[Look]:
    """Samples of gaze in a table with the columns stimulus, observer, time_ms, x, y, and pictures or films by name.

    Places are px of the picture or film; empty ones are blinks.
    """
    own = {**_files(pictures, PICTURES), **_files(videos, film.SUFFIXES)}
    if not own:
        raise Misuse(f"got gaze from {table} but nothing to show; expected --pictures DIR or --videos DIR")
    for name, people in _gaze_of(table).items():
        file = own.get(Path(name).stem)
        if file is None:
            continue
        moving = file.suffix.lower() in film.SUFFIXES
        with unreadable_refused():
            facts = film.facts(file) if moving else None
            shape = facts.shape if facts else image.read(file).shape[:2]
        paths = {who: keep_inside(velocity(gaze, px_per_deg=px_per_deg), shape)[0] for who, gaze in people.items()}
        yield Look(
            id=f"{table.stem}/{file.stem}",
            stimulus="film" if facts else "picture",
            media=_film(file.stem, file, 0, facts.frames) if facts else Still(file.stem, partial(image.read, file)),
            shape=shape,
            px_per_deg=px_per_deg,
            load=partial(_file_stimulus, file, shape, px_per_deg) if facts else partial(_picture, file, px_per_deg),
            paths=paths,
            traces={who: _trace(gaze, np.ones(2)) for who, gaze in people.items()},
            hertz=min(gaze.hertz for gaze in people.values()),
        )


def _loaded(spec: str, folder: Path | None) -> Dataset[Any, Any]:
    """A dataset; one that needs a path and was given none is looked for where the pictures are, and above them."""
    name = parse(spec)[0]
    if ":" in spec or folder is None or name not in names("attention.datasets"):
        return dataset_of("attention.datasets", spec)
    first = next(iter(inspect.signature(_maker(name)).parameters.values()), None)
    if first is None or first.name != "path":
        return dataset_of("attention.datasets", spec)
    for place in (folder, folder.parent):
        with suppress(Misuse):
            return dataset_of("attention.datasets", f"{spec}:{place}")
    raise Misuse(f"got --dataset {spec} without a path, and found it neither in {folder} nor above; give {name}:PATH")


def _maker(name: str) -> Any:
    return getattr(import_module(f"beholder.attention.datasets.{name}"), name)


def _recordings(loaded: Dataset[Any, Any]) -> Mapping[str, tuple[Shape, Mapping[str, Gaze]]]:
    """Gaze as it was recorded, where the dataset's module can read it."""
    spec = loaded.spec.partition("|")[2]
    head, _, path = spec.partition(":")
    name, settings = parse(head)
    if name not in names("attention.datasets") or not path:
        return {}
    read = getattr(import_module(f"beholder.attention.datasets.{name}"), "recordings", None)
    taken = {key: value for key, value in settings.items() if key == "condition"}
    found: Mapping[str, tuple[Shape, Mapping[str, Gaze]]] = read(Path(path).expanduser(), **taken) if read else {}
    return found


def _files(folder: Path | None, suffixes: Sequence[str]) -> dict[str, Path]:
    """Files below a folder by name without suffix."""
    if folder is None:
        return {}
    if not Path(folder).is_dir():
        raise Misuse(f"got {folder}, which is not a folder; expected one with {', '.join(suffixes[:3])} …")
    found = sorted(file for file in Path(folder).rglob("*") if file.suffix.lower() in suffixes)
    if not found:
        raise Misuse(f"got {folder} without a file to show; expected {', '.join(suffixes)}")
    return {file.stem: file for file in found}


def _film(name: str, file: Path, first: int, count: int) -> Film:
    with unreadable_refused():
        facts = film.facts(file)
    shape = fitting(facts.shape, SIDE) if max(facts.shape) > SIDE else facts.shape
    return Film(name, partial(_frames, file, first, count, shape, facts.hertz), count / facts.hertz)


def _frames(file: Path, first: int, count: int, shape: Shape, hertz: float) -> Iterator[tuple[float, Pixels]]:
    for at, frame in enumerate(film.frames(file, first=first, count=count, shape=shape)):
        yield at / hertz, frame


def _pixels(loaded: Dataset[Any, Any], id: str, file: Path | None) -> Pixels:
    return image.read(file) if file else np.asarray(loaded.load(id).stimulus.pixels)


def _stimulus(loaded: Dataset[Any, Any], id: str) -> Picture | Clip:
    shown = loaded.load(id).stimulus
    if isinstance(shown, Unseen):
        raise Misuse(f"{id}: its film is not here; expected it below the dataset's folder")
    return shown  # type: ignore[no-any-return]


def _picture(file: Path, px_per_deg: float) -> Picture:
    """A picture as models see it: not larger than it is shown."""
    from PIL import Image

    pixels = image.read(file)
    if max(pixels.shape[:2]) <= LONGEST:
        return Picture(pixels, px_per_deg)
    small = fitting((pixels.shape[0], pixels.shape[1]), LONGEST)
    reduced = np.asarray(Image.fromarray(pixels).resize(small[::-1], Image.Resampling.BOX))
    return Picture(reduced, px_per_deg * small[1] / pixels.shape[1])


def _file_stimulus(file: Path, shape: Shape, px_per_deg: float) -> Clip:
    small = fitting(shape, MODEL_SIDE) if max(shape) > MODEL_SIDE else shape
    facts = film.facts(file)
    return Clip(film.read(file, shape=small), facts.hertz, px_per_deg * small[1] / shape[1])


def _trace(gaze: Gaze, ratio: Any) -> Trace:
    """Samples as a trace, from the moment that the picture appeared."""
    seconds = gaze.start_ms / 1000 + np.arange(len(gaze)) / gaze.hertz
    points = np.stack([gaze.x, gaze.y], axis=1) * ratio
    held = seconds >= 0
    return Trace(seconds[held] - (seconds[held][:1].sum() if held.any() else 0), points[held])


def _gaze_of(table: Path) -> dict[str, dict[str, Gaze]]:
    from beholder.io import table as tables

    rows = tables.read(table, texts=("stimulus", "observer"))
    missing = [name for name in COLUMNS if name not in rows]
    if missing:
        raise Misuse(f"{table}: got no column {missing[0]!r}; expected {', '.join(COLUMNS)}")
    found: dict[str, dict[str, Gaze]] = {}
    for (name, who), part in rows.groupby(["stimulus", "observer"], sort=True):
        ordered = part.sort_values("time_ms")
        times = ordered["time_ms"].to_numpy(np.float64)
        step = float(np.median(np.diff(times))) if len(times) > 1 else 0.0
        if not step > 0:
            raise Misuse(f"{table}, {name}, {who}: got times that do not increase; expected regular samples, in ms")
        even = np.arange(round((times[-1] - times[0]) / step) + 1) * step + times[0]
        at = np.clip(np.searchsorted(times, even - step / 2), 0, len(times) - 1)
        near = np.abs(times[at] - even) <= step
        x, y = (np.where(near, ordered[axis].to_numpy(np.float64)[at], np.nan) for axis in "xy")
        found.setdefault(str(name), {})[str(who)] = Gaze(x, y, 1000 / step, float(times[0]))
    return found
