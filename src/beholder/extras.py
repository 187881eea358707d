"""What `pip install beholder` leaves out, what each extra is for, and the sentence that says how to get it."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

from beholder.errors import Misuse


class Extra(NamedTuple):
    """A set of packages that only some users need."""

    use: str
    modules: tuple[str, ...]  # that it brings, by the names under which they are imported
    install: str

    @property
    def missing(self) -> list[str]:
        """Its modules that are not installed."""
        return [name for name in self.modules if find_spec(name) is None]


EXTRAS = {
    "study": Extra(
        "ask people on the web: study serve, simulate, status, export",
        ("fastapi", "uvicorn", "sqlalchemy", "python_multipart"),
        "pip install 'beholder[study]'",
    ),
    "hdf5": Extra("read MATLAB 7.3 files, .h5 maps and Spring's files", ("h5py",), "pip install 'beholder[hdf5]'"),
    "parquet": Extra("read and write Parquet tables", ("duckdb",), "pip install 'beholder[parquet]'"),
    "cluster": Extra(
        "run on a Dask cluster; datasets and the cache at a URL",
        ("distributed", "fsspec"),
        "pip install 'beholder[cluster]'",
    ),
    "postgres": Extra("keep a study's answers in PostgreSQL", ("psycopg",), "pip install 'beholder[postgres]'"),
    "deep": Extra(
        "deep networks: RAFT, DeepGaze, the networks of the video measures",
        ("torch", "transformers"),
        "pip install torch 'beholder[deep]'",
    ),
    "pose": Extra("keypoints of people in clips (BlazePose)", ("ai_edge_litert",), "pip install 'beholder[pose]'"),
}


def extra(module: str) -> Any:
    """A module that an extra brings; `Misuse` with the command that installs it where it is missing.

    >>> extra("nowhere")
    Traceback (most recent call last):
    ...
    beholder.errors.Misuse: this needs nowhere, which is not installed; install it with `pip install nowhere`
    """
    if find_spec(module.partition(".")[0]) is None:
        found = (one.install for one in EXTRAS.values() if module.partition(".")[0] in one.modules)
        command = next(found, f"pip install {module}")
        raise Misuse(f"this needs {module}, which is not installed; install it with `{command}`")
    return import_module(module)
