"""Perceived flow over time: four observers at five instants of five Sintel movies, played forwards and backwards."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from beholder.core.cite import source
from beholder.core.sample import Dataset, Sample, remark
from beholder.io import matlab
from beholder.motion.files.archive import Archive, Stored, find_files
from beholder.motion.perceived import Local, Probes, Shown, Unseen
from beholder.store.digest import digest_files

Floats = NDArray[np.float64]

PLACES, FLIPS, PLAYS, TIMES, MOVIES, OBSERVERS = 4, 4, 2, 5, 5, 4
FRAME = 8  # the probed frame of the fifteen, counted from 1; FlowNet 2's pair of the same number starts there
FITS = ("ridge_truth", "ridge_flownet2", "gaussian_truth", "gaussian_flownet2")
FILES = {name: f"Temporal_{name}.mat" for name in ("Response_raw", "GT", "FN2", "AllObservers")}
SHAPES = {
    "Response_raw": (2, PLACES, FLIPS, PLAYS, TIMES, MOVIES, OBSERVERS),
    "GT": (2, PLACES, PLAYS, TIMES, MOVIES, 15),
    "FN2": (2, PLACES, PLAYS, TIMES, MOVIES, 14),
    "AllObservers": (2, PLACES, PLAYS, TIMES, MOVIES, len(FITS)),
}


@source("Yang2024,Butler2012")
def perceived_flow_temporal(path: Path, *, frame: int = FRAME) -> Dataset[Shown, Probes]:
    """A folder with Temporal_Response_raw.mat and Temporal_GT.mat; optional: Temporal_FN2.mat and _AllObservers.mat.

    A sample is a movie, played forwards or backwards and probed at one time in four places, whose coordinates are not
    in the files. An observer's four trials are the four flips of the movie; the files have flipped the answers back.
    The truth is that of the probed frame, or of another of the fifteen by `frame`. The recorded answers of `flownet2`
    at that frame (1 … 14) are a baseline; the authors' `ridge_…` and `gaussian_…` integrations over all frames were
    fitted to the same people and are therefore oracles. v is assumed to point upwards, as in HuPerFlow from the same
    laboratory; no file says so. No licence is stated: load your own copy, and do not pass it on.
    Tags: set, movie (resampled), play, probe (1 … 5).
    """
    if not 1 <= frame <= 15:
        raise ValueError(f"got frame={frame}; expected 1 … 15; the probed one is {FRAME}")
    needed = find_files(path, [FILES["Response_raw"], FILES["GT"]], "the folder of PerceivedFlow_Temporal_Data")
    optional = [path / FILES[name] for name in ("FN2", "AllObservers")]
    further = [file for file in optional if file.is_file()]
    absent = [file.name for file in optional if not file.is_file()]
    people = _of(path, "Response_raw").transpose(3, 4, 5, 6, 2, 1, 0)  # play, time, movie, observer, flip, place, uv
    truth = _of(path, "GT")[..., frame - 1].transpose(2, 3, 4, 1, 0)
    samples = {_id(at): _sample(at, truth[at], people[at]) for at in product(range(PLAYS), range(TIMES), range(MOVIES))}
    return Dataset(
        "perceived_flow_temporal",
        tuple(samples),
        Archive(samples, _flownet(path, frame), _fits(path)),
        cite="Yang2024,Butler2012",
        licence="none stated: do not pass it on",
        content=f"{digest_files(path, [*needed, *further], [*needed, *further])},frame={frame}",
        about="Flow perceived by four observers at five times in Sintel movies; no frames; px/frame, v upwards.",
        people="recorded",
        remarks=remark(absent, "file", "missing, so the models recorded in it do not take part"),
    )


def _of(path: Path, name: str) -> Floats:
    return matlab.array(path / FILES[name], f"Temporal_{name}", SHAPES[name])


def _id(at: tuple[int, ...]) -> str:
    play, time, movie = at
    return f"movie{movie + 1}-{('forwards', 'backwards')[play]}-{time + 1}"


def _sample(at: tuple[int, ...], truth: Floats, people: Floats) -> Sample[Unseen, Probes]:
    play, time, movie = at
    tags = {
        "set": "temporal",
        "movie": f"movie {movie + 1}",
        "play": ("forwards", "backwards")[play],
        "probe": str(time + 1),
    }
    who = tuple(str(n + 1) for n in range(OBSERVERS))
    return Sample(_id(at), Unseen(count=PLACES), Probes(truth.copy(), people.copy(), who, status="verified"), tags)


def _flownet(path: Path, frame: int) -> dict[str, Stored]:
    """FlowNet 2 at a frame, where its file is there."""
    if not (path / FILES["FN2"]).is_file() or frame > SHAPES["FN2"][-1]:
        return {}
    return {"flownet2": _stored(_of(path, "FN2")[..., frame - 1])}


def _fits(path: Path) -> dict[str, Stored]:
    """The integrations that were fitted to the people, where their file is there."""
    if not (path / FILES["AllObservers"]).is_file():
        return {}
    fits = _of(path, "AllObservers")
    return {name: _stored(fits[..., n]) for n, name in enumerate(FITS)}


def _stored(values: Floats) -> Stored:
    """Predictions, 2 × places × plays × times × movies, by sample."""
    turned = values.transpose(2, 3, 4, 1, 0)
    every = product(range(PLAYS), range(TIMES), range(MOVIES))
    return Stored({_id(at): Local(turned[at].copy()) for at in every}, cite="Yang2024")
