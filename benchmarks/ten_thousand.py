"""A large evaluation on a small machine: is it flat in memory, and is anything lost when it is killed?

Generated pictures of 192 × 256 px, 15 generated observers each, 8 fast models, the blind models and people, and the
measures of `attention/saliency` without its parts. It runs undisturbed, then again with the coordinator killed
(SIGKILL) three times on the way and resumed by the same command, then on a loopback Dask cluster of which a worker is
killed. All tables must be equal, byte for byte.

    python benchmarks/ten_thousand.py [PICTURES] [WAY …]     ways: undisturbed killed dask; default: 200, all ways
"""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import numpy as np

SHAPE, OBSERVERS, FIXATIONS, PX_PER_DEG = (192, 256), 15, 8, 12.0
CONTROLS = 2_000
MODELS = ("contrast1", "contrast2", "contrast4", "edges1", "edges2", "edges4")  # of this file
BASELINES = "spectral_residual,image_signature"
ENTRANTS = len(MODELS) + 2 + 4 + 1 + 6  # two baselines, four blind models, the other people, six persons
KILLED_AT = (0.2, 0.5, 0.8)  # shares of the trials that are in the ledger when the coordinator is killed
HERE = Path(__file__).resolve()


# What is looked at, and by whom


def crowd(pictures: int = 10_000):
    """So many generated pictures with 15 generated observers each; a sample is made when it is asked for."""
    from beholder.core.sample import Dataset

    ids = tuple(f"p{n:05}" for n in range(pictures))
    return Dataset("crowd", ids, sample, content="1", status="placeholder", people="simulated", licence="generated")


def sample(id: str):
    """One picture of blobs on noise, and observers who look at the blobs, at the middle, or anywhere."""
    from beholder.attention.types import Lookers, Picture
    from beholder.core.sample import Sample

    rng = np.random.default_rng(int(id[1:]))
    size = np.array(SHAPE[::-1], float)
    blobs = rng.random((4, 2)) * size
    reference = Lookers(looked(rng, blobs, size), SHAPE, PX_PER_DEG, controls(), status="placeholder")
    return Sample(id, Picture(drawn(rng, blobs), PX_PER_DEG), reference)


def drawn(rng: np.random.Generator, blobs: np.ndarray) -> np.ndarray:
    """Coloured blobs on grey noise."""
    y, x = np.mgrid[: SHAPE[0], : SHAPE[1]]
    picture = rng.normal(128, 12, (*SHAPE, 3))
    for (cx, cy), colour in zip(blobs, rng.uniform(-110, 110, (len(blobs), 3)), strict=True):
        picture += np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / 200)[..., None] * colour
    return np.clip(picture, 0, 255).astype(np.uint8)


def looked(rng: np.random.Generator, blobs: np.ndarray, size: np.ndarray) -> dict:
    """The scanpaths of all observers."""
    from beholder.attention.types import scanpath

    n = (OBSERVERS, FIXATIONS)
    places = np.stack([*np.broadcast_to(blobs[:, None, None], (len(blobs), *n, 2)), np.full((*n, 2), size / 2)])
    aim = np.take_along_axis(places, rng.integers(0, len(places), n)[None, ..., None], 0)[0]
    points = np.clip(aim + rng.normal(0, 12, (*n, 2)), 0, np.nextafter(size, 0))
    lasts = rng.uniform(150, 400, n)
    return {
        f"o{who:02}": scanpath(*points[who].T, onset_ms=np.cumsum(lasts[who]) - lasts[who], duration_ms=lasts[who])
        for who in range(OBSERVERS)
    }


def controls():
    """Fixations on other pictures: around the middle, the same for all."""
    from beholder.attention.types import Controls

    rng = np.random.default_rng(0)
    around = (rng.normal(0.5, 0.2, (CONTROLS, 2)).clip(0, 0.999) * SHAPE[::-1]).astype(int).astype(float)
    who, where = rng.integers(0, OBSERVERS, CONTROLS), rng.integers(0, 100, CONTROLS)
    return Controls(around, np.char.add("o", who.astype(str)), rng.random(CONTROLS) * 3000, where.astype(str))


# Six of the eight models


def _contrast(picture, sigma: float) -> np.ndarray:
    import cv2

    grey = picture.pixels.mean(axis=2).astype(np.float32)
    return np.abs(grey - cv2.GaussianBlur(grey, (0, 0), 4 * sigma)).astype(float)


def _edges(picture, sigma: float) -> np.ndarray:
    import cv2

    grey = cv2.GaussianBlur(picture.pixels.mean(axis=2).astype(np.float32), (0, 0), sigma)
    return np.hypot(cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)).astype(float)


def contrast1(picture):
    return _contrast(picture, 1.0)


def contrast2(picture):
    return _contrast(picture, 2.0)


def contrast4(picture):
    return _contrast(picture, 4.0)


def edges1(picture):
    return _edges(picture, 1.0)


def edges2(picture):
    return _edges(picture, 2.0)


def edges4(picture):
    return _edges(picture, 4.0)


# Running it


class Cost(NamedTuple):
    """What a run took."""

    seconds: float
    coordinator_mb: float  # peak
    all_mb: float  # peak of all its processes together
    ledger_mb: float
    digest: str  # of scores.csv


def command(pictures: int, out: Path, engine: str) -> list[str]:
    models = [word for name in MODELS for word in ("--model", f"{name}={HERE}:{name}")]
    return [
        sys.executable, "-m", "beholder.cli", "run", "attention/saliency", "--dataset",
        f"{HERE}:crowd(pictures={pictures})", "--set", "parts=false", "--baselines", BASELINES, *models,
        "--samples", "2", "--jobs", "2", "--engine", engine, "--quiet", "--out", str(out),
    ]  # fmt: skip


class Memory(threading.Thread):
    """Watches how much some processes and all below them hold, once a second (proportional share: none twice)."""

    def __init__(self, *pids: int) -> None:
        super().__init__(daemon=True)
        self.pids, self.top, self.all, self.over = pids, 0.0, 0.0, threading.Event()
        self.start()

    def run(self) -> None:
        while not self.over.wait(1):
            held = [megabytes(pid) for one in self.pids for pid in family(one)]
            self.top, self.all = max(self.top, held[0]), max(self.all, sum(held))


def family(pid: int) -> list[int]:
    """A process and all below it."""
    found = [pid]
    for one in found:
        for tasks in Path(f"/proc/{one}/task").glob("*/children"):
            try:
                found += [int(child) for child in tasks.read_text().split()]
            except OSError:
                continue  # it has ended
    return found


def megabytes(pid: int) -> float:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024
    except (OSError, StopIteration):
        return 0.0


def finished(out: Path) -> int:
    """How many trials are in the ledger."""
    files = list(out.glob("*.sqlite"))
    if not files:
        return 0
    try:
        with closing(sqlite3.connect(f"{files[0].as_uri()}?mode=ro", uri=True, timeout=5)) as db:
            return db.execute("select count(*) from outcome").fetchone()[0]
    except sqlite3.Error:
        return 0


def run(
    pictures: int, out: Path, *, engine: str = "local", kills: tuple[float, ...] = (), beside: tuple[int, ...] = ()
) -> Cost:
    """One run, killed when so much of it is in the ledger, and begun again by the same command.

    The processes `beside` it, such as a cluster's, are counted with it.
    """
    trials = pictures * ENTRANTS
    began, top, most = time.monotonic(), 0.0, 0.0
    for share in (*kills, None):
        process = subprocess.Popen(command(pictures, out, engine), stdout=subprocess.DEVNULL)
        memory = Memory(process.pid, *beside)
        while process.poll() is None:
            time.sleep(0.5)
            if share is not None and finished(out) >= share * trials:
                process.send_signal(signal.SIGKILL)
                process.wait()
                print(f"killed with {finished(out):,} of {trials:,} trials in the ledger", file=sys.stderr, flush=True)
        memory.over.set()
        top, most = max(top, memory.top), max(most, memory.all)
        if share is None and process.returncode:
            raise SystemExit(f"{out.name}: exit code {process.returncode}")
    table = (out / "scores.csv").read_bytes()
    size = sum(file.stat().st_size for file in out.glob("*.sqlite*")) / 2**20
    return Cost(time.monotonic() - began, top, most, size, sha256(table).hexdigest()[:16])


@contextmanager
def cluster(workers: int = 2) -> Iterator[tuple[str, list[subprocess.Popen]]]:
    """The address of a scheduler on loopback, and its processes: the scheduler, then its workers."""
    with tempfile.TemporaryDirectory() as place:
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": place}
        port = "--port", "0", "--scheduler-file", f"{place}/scheduler.json"
        dask = [sys.executable, "-m", "distributed.cli"]
        scheduler = subprocess.Popen(
            [*dask[:2], "distributed.cli.dask_scheduler", "--host", "127.0.0.1", *port, "--no-dashboard"], **quiet
        )
        while not Path(place, "scheduler.json").is_file():
            time.sleep(0.1)
        worker = [*dask[:2], "distributed.cli.dask_worker", "--scheduler-file", f"{place}/scheduler.json"]
        hands = [
            subprocess.Popen([*worker, "--nthreads", "1", "--no-dashboard", "--host", "127.0.0.1"], **quiet)
            for _ in range(workers)
        ]
        import json

        try:
            yield json.loads(Path(place, "scheduler.json").read_text())["address"], [scheduler, *hands]
        finally:
            for process in (*hands, scheduler):
                process.terminate()
                process.wait()


def on_dask(pictures: int, out: Path) -> Cost:
    """The same on a loopback cluster, one of whose three workers is killed when a third is done."""
    with cluster(3) as (address, processes):

        def strike() -> None:
            while finished(out) < pictures * ENTRANTS / 3:
                time.sleep(1)
            processes[1].kill()
            print("killed a Dask worker", file=sys.stderr, flush=True)

        threading.Thread(target=strike, daemon=True).start()
        return run(pictures, out, engine=f"dask:{address}", beside=tuple(one.pid for one in processes))


def main() -> None:
    words = sys.argv[1:]
    pictures = int(words[0]) if words else 200
    ways = words[1:] or ["undisturbed", "killed", "dask"]
    place = Path(tempfile.mkdtemp(prefix="ten_thousand-"))
    os.environ["BEHOLDER_CACHE"] = str(place / "cache")
    print(f"# {pictures:,} pictures × {OBSERVERS} observers × {len(MODELS) + 2} models\n")
    print("Pictures of 192 × 256 px; two workers; memory is the kernel's proportional share, once a second.\n")
    print("| way | minutes | peak MiB, coordinator | peak MiB, all processes | ledger MiB | scores.csv (SHA-256) |")
    print("|---|---|---|---|---|---|")
    found = set()
    for way in ways:
        kills = KILLED_AT if way == "killed" else ()
        cost = on_dask(pictures, place / way) if way == "dask" else run(pictures, place / way, kills=kills)
        found.add(cost.digest)
        print(
            f"| {way} | {cost.seconds / 60:.1f} | {cost.coordinator_mb:.0f} | {cost.all_mb:.0f} "
            f"| {cost.ledger_mb:.0f} | {cost.digest} |",
            flush=True,
        )
    if len(found) != 1:
        raise SystemExit("the tables differ")
    print(f"\nThe {len(ways)} tables are equal, byte for byte.")
    shutil.rmtree(place)


if __name__ == "__main__":
    main()
