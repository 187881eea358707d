"""HuPerFlow: perceived flow at 2,400 places of 240 movies from ten data sets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from beholder.core.cite import source
from beholder.core.sample import Dataset, Sample, remark
from beholder.errors import Misuse
from beholder.io import image
from beholder.io.table import read_numbers
from beholder.motion.files.archive import Archive, find_files
from beholder.motion.frame_pairs import grey
from beholder.motion.perceived import Probes, Scene, Shown, Unseen
from beholder.store.digest import digest_files

Floats = NDArray[np.float64]

TABLE = "human_response/HuPerFlow_RawPerceivedFlow.csv"
COLUMNS = "Dataset,Session,Movie,Location,Trial,Coordinate_y,Coordinate_x,GT_u,GT_v,Resp_u,Resp_v"
SETS = ("KITTI", "VKITTI2", "Sintel", "VIPER", "Spring", "Monkaa", "MHOF", "Driving", "FlyingThings3D", "TartanAir")
OBSERVERS = 4  # by the answers themselves: see `huperflow`
PROBED, LAST = 10, 15  # frames, counted from 1


@source("Yang2025,Menze2015")
def huperflow(
    path: Path, *, seen: bool = False, whole: bool = False, hertz: float = 30.0, px_per_deg: float = 30.0
) -> Dataset[Shown, Probes]:
    """A folder with human_response/HuPerFlow_RawPerceivedFlow.csv and, where available, img/mov/MovM_FNN.png.

    A sample is a movie with its ten probes. Only some movies have frames (as distributed, the two of KITTI's first
    session); models that need frames are not applicable to the others. Movies with and without frames are never in one
    set; `seen` leaves out those without. The stimulus is the probed pair, frames 10 and 11, or with `whole` all
    fifteen. Frames are grey levels as stored in the files (ITU-R 601 of colours), not luminance. Frame rate and size on
    the screen are not documented, so `hertz` and `px_per_deg` are nominal; they matter only to models that work in
    seconds or degrees. v points upwards in the files, as here. Whether coordinates count from 0 or 1 is not documented;
    0 is assumed.

    Each probe has 16 trials, read as four observers with four trials each: deviations from the mean correlate by 0.41 …
    0.68 within each four successive trials and by −0.11 … −0.29 between them. Observer 1 need not be the same person in
    another session.
    Tags: set (a source dataset, with or without frames), movie, session.
    """
    (table,) = find_files(path, [TABLE], f"the folder of HuPerFlow, with {TABLE}")
    samples = _samples(_rows(table))
    pictures = _pictures(path)
    frames = {
        id: partial(_scene, samples[id].stimulus, files, whole=whole, hertz=hertz, px_per_deg=px_per_deg)
        for id, files in pictures.items()
        if id in samples
    }
    if seen and not frames:
        raise Misuse(f"got seen=True, but {path} has no frames; expected img/mov/Mov1_F01.png …; leave it out")
    files = [file for several in pictures.values() for file in several]
    told = f"whole={whole},hertz={hertz},px_per_deg={px_per_deg}"
    return Dataset(
        "huperflow",
        tuple(frames if seen else samples),
        Archive({id: _tagged(sample, id in frames) for id, sample in samples.items()}, frames=frames),
        cite="Yang2025,Menze2015",
        licence="Apache-2.0 (answers); frames as their data sets: KITTI CC BY-NC-SA 3.0",
        content=f"{digest_files(path, [table, *files], [table])},{told}",
        about="Motion matched to a noise probe by four observers at ten places per movie; px/frame, v upwards.",
        people="recorded",
        remarks=remark(_partly(path), "movie", f"without some of the {LAST} frames, and shown without any"),
    )


def _rows(table: Path) -> Floats:
    """The table as numbers, ordered by set, session, movie, place and trial."""
    with table.open(encoding="utf-8-sig", errors="replace") as file:
        head = file.readline(1000).strip()
    if head != COLUMNS:
        raise Misuse(f"{table}: got the columns {head[:120]}; expected {COLUMNS}")
    rows = read_numbers(table, COLUMNS.count(",") + 1)
    if not np.isfinite(rows[:, :5]).all():
        raise Misuse(f"{table}: got a row that does not say which trial it is; expected numbers in the first 5 columns")
    return rows[np.lexsort(rows[:, 4::-1].T)]


def _samples(rows: Floats) -> dict[str, Sample[Unseen, Probes]]:
    """A sample for each set, session and movie."""
    keys, starts = np.unique(rows[:, :3], axis=0, return_index=True)
    return {_id(*key): _sample(key, own) for key, own in zip(keys, np.split(rows, starts[1:]), strict=True)}


def _id(dataset: float, session: float, movie: float) -> str:
    return f"{_set(dataset)}-{int(session):02d}-{int(movie)}"


def _set(number: float) -> str:
    if not 1 <= number <= len(SETS):
        raise Misuse(f"got data set {number:g}; expected 1 … {len(SETS)}; is the table HuPerFlow's?")
    return SETS[int(number) - 1]


def _sample(key: Floats, rows: Floats) -> Sample[Unseen, Probes]:
    trials = len(np.unique(rows[:, 4]))
    if trials % OBSERVERS or len(rows) % trials or len(np.unique(rows[:, 3])) != len(rows) // trials:
        raise Misuse(f"movie {_id(*key)}: got {len(rows)} rows of {trials} trials; expected 16 for each place")
    by_place = rows.reshape(-1, trials, rows.shape[1])
    answers = by_place[..., 9:11].transpose(1, 0, 2).reshape(OBSERVERS, -1, len(by_place), 2)
    answers = np.where(np.isnan(answers).any(axis=-1, keepdims=True), np.nan, answers)
    probes = Probes(by_place[:, 0, 7:9].copy(), answers, tuple(str(n + 1) for n in range(OBSERVERS)), status="verified")
    tags = {"set": _set(key[0]), "movie": _id(*key), "session": f"{int(key[1])}"}
    return Sample(_id(*key), Unseen(by_place[:, 0, [6, 5]].copy()), probes, tags)


def _tagged(sample: Sample[Unseen, Probes], seen: bool) -> Sample[Unseen, Probes]:
    """Movies with frames are a set of their own: else a model that looks would be pooled over other movies."""
    label = f"{sample.tags['set']}, with frames" if seen else sample.tags["set"]
    return Sample(sample.id, sample.stimulus, sample.reference, {**sample.tags, "set": label})


def _pictures(path: Path) -> Mapping[str, list[Path]]:
    """The frames of the movies that are there whole: MovM of img/mov are the two of KITTI's first session."""
    return {_id(1, 1, movie): files for movie, files in _frames(path) if all(file.is_file() for file in files)}


def _partly(path: Path) -> list[str]:
    """The movies of which some frames are there, and others not."""
    there = [(movie, [file.is_file() for file in files]) for movie, files in _frames(path)]
    return [f"{_id(1, 1, movie)} ({sum(held)} are there)" for movie, held in there if any(held) and not all(held)]


def _frames(path: Path) -> Iterator[tuple[int, list[Path]]]:
    """Where the frames of each movie would lie."""
    for movie in (1, 2):
        yield movie, [path / "img" / "mov" / f"Mov{movie}_F{frame:02d}.png" for frame in range(1, LAST + 1)]


def _scene(blind: Unseen, files: list[Path], *, whole: bool, hertz: float, px_per_deg: float) -> Scene:
    first = 0 if whole else PROBED - 1
    chosen = files if whole else files[first : first + 2]
    return Scene(
        np.stack([grey(image.read(file)) for file in chosen]),
        hertz,
        px_per_deg,
        points=blind.points,
        at=PROBED - 1 - first,
    )
