"""Second-order motion: three observers and seven families of models on the same forty scenes in seven modulations."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from beholder.core.cite import source
from beholder.core.sample import Dataset, Sample
from beholder.errors import Misuse
from beholder.io.table import read_numbers
from beholder.motion.files.archive import Archive, Stored, find_files
from beholder.motion.perceived import Local, Probes, Shown, Unseen
from beholder.store.digest import digest_files

Floats = NDArray[np.float64]

DATA = "second-order-exp/data"
OBSERVERS = ("1", "2", "3")
SCENES, MODULATIONS = 40, 7
UP = np.array([1.0, -1.0])  # the tables count as image flow does, v downwards
MODELS = {  # what each stored pair of tables is, by the name of the table of x
    "dual": "dual/csv_x_final.csv",
    "dual_diffuse": "dual/csv_x_v2_diffuse.csv",
    "dual_specular": "dual/csv_x_v2_specular.csv",
    "raft_sintel": "raft/csv_raft_sintel_x.csv",
    "raft_specular": "raft/csv_raft_specular_x.csv",
    "videoflow": "videoflow/csv_x_video_ori.csv",
    "videoflow_specular": "videoflow/csv_x_video_specular.csv",
    "glow_sintel": "glow/csv_x_sintel.csv",
    "glow_specular": "glow/csv_x_specular.csv",
    "v1mt_diffuse": "v1mt/csv_x_diffuse_v1.csv",
    "v1mt_specular": "v1mt/csv_x_specular_v1.csv",
    "ffv1mt": "ffv1mt/csv_x_FFV1MT.csv",
    "farneback_recorded": "farnback/csv_x.csv",
}


@source("Sun2025")
def second_order(path: Path) -> Dataset[Shown, Probes]:
    """A folder with second-order-exp/data/participant1 … 3 and, where available, model/….

    A sample is a scene in one modulation, with one vector. There are no frames, so models that need them are not
    applicable. The model answers recorded in the folder are baselines of the benchmark (a word after _ names the
    training set). The tables count v downwards; it is flipped here.
    Tags: set (Mod1 … Mod7), movie (the scene; resampled).
    """
    wanted = [f"{DATA}/participant{who}/data.csv" for who in OBSERVERS]
    tables = find_files(path, wanted, f"the folder of the experiment, with {wanted[0]}")
    people = np.stack([_participant(table) for table in tables])
    if not np.allclose(people[:, :, 0], people[:1, :, 0]):
        raise Misuse(f"{path}: got unlike ground truth in the tables of the participants; expected the same in all")
    pairs = {name: _pair(path, x) for name, x in MODELS.items()}
    models = {name: pair for name, pair in pairs.items() if all(file.is_file() for file in pair)}
    files = [*tables, *(file for pair in models.values() for file in pair)]
    samples = {
        _id(scene, kind): _sample(people[:, scene], scene, kind)
        for kind in range(1, MODULATIONS + 1)
        for scene in range(SCENES)
    }
    return Dataset(
        "second_order",
        tuple(samples),
        Archive(samples, {name: _recorded(*pair) for name, pair in models.items()}),
        cite="Sun2025",
        licence="Apache-2.0",
        content=digest_files(path, files, files),
        about="Direction and speed of first- and second-order motion as three observers matched them; v upwards here.",
        people="recorded",
    )


def _id(scene: int, kind: int) -> str:
    return f"Mod{kind}-{scene + 1:02d}"


def _sample(people: Floats, scene: int, kind: int) -> Sample[Unseen, Probes]:
    """One scene in one modulation, from what the three tables say of the scene: observers × (truth, Mod1 …) × 2."""
    probes = Probes(people[0, :1].copy(), people[:, None, [kind]], OBSERVERS, status="verified", downwards=True)
    return Sample(_id(scene, kind), Unseen(count=1), probes, {"set": f"Mod{kind}", "movie": f"scene {scene + 1}"})


def _participant(table: Path) -> Floats:
    """Truth and answers of one participant, scenes × (1 + modulations) × 2."""
    return np.asarray(_numbers(table, 2 * (1 + MODULATIONS)).reshape(SCENES, 1 + MODULATIONS, 2) * UP)


def _pair(path: Path, x: str) -> tuple[Path, Path]:
    """The tables of x and y."""
    folder, name = x.split("/")
    other = name.replace("_x_", "_y_").replace("_x.", "_y.")
    return path / DATA / "model" / folder / name, path / DATA / "model" / folder / other


def _recorded(x: Path, y: Path) -> Stored:
    """A model's answers; its tables begin with a column of numbers."""
    both = np.stack([_numbers(table, 1 + MODULATIONS)[:, 1:] for table in (x, y)], axis=-1) * UP
    return Stored(
        {
            _id(scene, kind): Local(both[scene, kind - 1][None])
            for scene in range(SCENES)
            for kind in range(1, MODULATIONS + 1)
        },
        cite="Sun2025",
    )


def _numbers(table: Path, columns: int) -> Floats:
    rows = read_numbers(table, columns)
    if len(rows) != SCENES:
        raise Misuse(f"{table}: got a table of {rows.shape}; expected {(SCENES, columns)}, one row per scene")
    return rows
