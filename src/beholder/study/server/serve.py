"""Serve studies with uvicorn, in one process or in several."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from beholder.errors import Misuse
from beholder.study.server.security import key_place, study_key

if TYPE_CHECKING:
    from fastapi import FastAPI

SETTINGS = "BEHOLDER_STUDY_SETTINGS"  # how the processes of a server learn what they serve
SECRET = "BEHOLDER_STUDY_SECRET"
PATIENCE = 60  # seconds after which a worker that does not answer is replaced; a busy machine is no dead worker


@dataclass(frozen=True)
class Settings:
    """What is served, and from where."""

    files: tuple[str, ...]  # study files
    db: str  # path, or postgresql://…
    address: str = ""  # what participants type, such as https://study.example.org


def application(settings: Settings, *, secret: str = "") -> FastAPI:
    """The application of these settings."""
    from beholder.study.server.app import create
    from beholder.study.server.showing import Served
    from beholder.study.server.store import Store

    studies = [Served.from_file(Path(file)) for file in settings.files]
    if not studies:
        raise Misuse("got no study to serve; expected one or more study files")
    store = Store(settings.db, study_key(key_place(settings.db, studies[0].folder)))
    return create(studies, store, secret=secret, address=settings.address)


def from_environment() -> FastAPI:
    """The application, in a process that uvicorn has started."""
    said = json.loads(os.environ[SETTINGS])
    return application(Settings(tuple(said["files"]), said["db"], said["address"]), secret=os.environ.get(SECRET, ""))


def serve(
    files: Sequence[Path],
    *,
    db: str,
    host: str = "127.0.0.1",
    port: int = 8000,
    workers: int = 1,
    secret: str = "",
    address: str = "",
) -> None:
    """Serve until somebody stops it. Neither addresses nor browsers of participants are logged."""
    import uvicorn

    settings = Settings(tuple(str(Path(file).resolve()) for file in files), db, address)
    os.environ[SETTINGS] = json.dumps(asdict(settings))
    if secret:
        os.environ[SECRET] = secret
    uvicorn.run(
        "beholder.study.server.serve:from_environment",
        factory=True,
        http="beholder.study.server.waiting:Timed",
        ws="none",
        host=host,
        port=port,
        workers=workers,
        access_log=False,
        server_header=False,
        proxy_headers=True,  # from this machine only, which is uvicorn's default: https and nothing else is taken
        log_level="warning",
        timeout_graceful_shutdown=5,
        timeout_worker_healthcheck=PATIENCE,
    )
