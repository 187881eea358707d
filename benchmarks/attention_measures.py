"""Measures of salience beside pysaliency: CPU time a map, and how far the values are from each other.

The same files for both: 20 maps of 768 × 1024 px with 150 fixations each and the smooth maps of those; every second
map has 256 levels, as a picture file has. The fixations on 99 other pictures are the controls. The peer cannot live in
our environment: it has its own, with its own lock (benchmarks/pysaliency; made at the first run, torch from PyPI
besides), and runs as a process that waits while ours works, so that both take turns over all maps. Reading is not
timed; one thread; the least of five passes. Nothing is kept from one measure to the next: each starts from the bare
map. Timings are never tests.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is loaded, and for the peer: CPU time of one thread

import json
import platform
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.attention.maps.fixation_maps import continuous_map
from beholder.attention.measures.auc import auc, sauc
from beholder.attention.measures.information import information_gain
from beholder.attention.measures.maps import cc, kl, kl_added, sim
from beholder.attention.measures.nss import nss
from beholder.attention.people.smooth_maps import blur_of, smooth_map
from beholder.attention.readouts import Surface
from beholder.attention.types import Controls, Lookers, scanpath
from beholder.vision.blur import blurred

MAPS, PICTURES, SHAPE, FIXATIONS, SIGMA, PASSES = 20, 100, (768, 1024), 150, 35.0, 5
LEVELS, EVERY = 255, 997  # of maps in steps; of the pixels of a smooth map, those that are compared
NAMES = ("maps", "people")
HERE = Path(__file__).parent / "pysaliency"
TORCH = "torch==2.13.0"  # the peer imports it and does not declare it
BARS = {"CC": 4.0, "SIM": 4.0, "map of fixations": 20.0}  # times faster; all others may take 1.2 × the peer's time
LEAST, AIM = 1 / 1.2, {"AUC": 1.5, "sAUC": 1.0, "NSS": 1.0, "IG": 1.0}

Ways = dict[str, Callable[[], Any]]


def inputs(folder: Path, count: int) -> None:
    """The maps, the fixations, and their smooth maps, as files that both read."""
    rng = np.random.default_rng(0)
    maps, people = (np.lib.format.open_memmap(folder / f"{n}.npy", "w+", float, (count, *SHAPE)) for n in NAMES)
    points = rng.random((max(count, PICTURES), FIXATIONS, 2)) * SHAPE[::-1]
    for at in range(count):
        smooth = blurred(rng.random(SHAPE), 12.0, border="reflect")
        smooth = (smooth - smooth.min()) / np.ptp(smooth)
        maps[at] = np.round(LEVELS * smooth) if at % 2 else smooth + 1e-3 * rng.random(SHAPE)
        people[at] = continuous_map(lookers(points, at))
    np.save(folder / "points.npy", points)


def lookers(points: NDArray[np.float64], at: int) -> Lookers:
    """The fixations of one map as those of fifteen observers, and all others as controls."""
    own = points[at].reshape(15, -1, 2)
    others = np.delete(points, at, axis=0).reshape(-1, 2)
    unknown = np.full(len(others), "")
    controls = Controls(others, unknown, np.full(len(others), np.nan), unknown)
    paths = {f"{who}": scanpath(*path.T) for who, path in enumerate(own)}
    return Lookers(paths, SHAPE, SIGMA, controls)


def ways(folder: Path, at: int) -> Ways:
    """Each measure of one map, as a call without arguments; the smooth map of people is given, as it is to the peer."""
    shown = np.array(np.load(folder / "maps.npy", mmap_mode="r")[at])
    points = np.load(folder / "points.npy")

    def of(measure: Any) -> Callable[[], float]:
        here = lookers(points, at)
        smooth_map(here, blur_of(here))
        return lambda: measure(Surface(shown), here).value

    here = lookers(points, at)
    log = np.log(shown + 1.0)
    log -= np.log(np.exp(log).sum())
    p = np.exp(log)
    named = {"AUC": auc, "sAUC": sauc, "NSS": nss, "CC": cc, "SIM": sim, "KL": kl, "KL, 1e-20 added": kl_added}
    more: Ways = {
        "IG": lambda: information_gain(Surface(p, log), here).value,
        "map of fixations": lambda: continuous_map(here, border="reflect"),
    }
    return {name: of(measure) for name, measure in named.items()} | more


def one_pass(folder: Path, count: int, of: Callable[[Path, int], Ways]) -> dict[str, Any]:
    """CPU seconds of each measure over all maps, and the value of each map."""
    spent: dict[str, float] = {}
    values: dict[str, list[float]] = {}
    for at in range(count):
        for name, way in of(folder, at).items():
            start = time.process_time()
            found = way()
            spent[name] = spent.get(name, 0.0) + time.process_time() - start
            values.setdefault(name, []).extend(np.ravel(found)[:: EVERY if np.ndim(found) > 1 else 1].tolist())
    return {"spent": spent, "values": values}


def environment() -> Path:
    """The interpreter of the peer's environment, made where it is not there yet."""
    place = Path(os.environ.get("BEHOLDER_PYSALIENCY", HERE / ".venv"))
    python = place / "bin" / "python"
    if not (place / "ready").exists():
        venv.create(place, with_pip=True)
        install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*install, "--require-hashes", "-r", str(HERE / "requirements.lock")], check=True)
        subprocess.run([*install, TORCH], check=True)
        (place / "ready").touch()
    return python


def in_turn(
    folder: Path, count: int, of: Callable[[Path, int], Ways], what: str
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Passes of ours and of the peer, one after the other; the first of each, which loads and compiles, is left out."""
    command = [str(environment()), str(HERE / "peer.py"), str(folder)]
    ours, theirs = [], []
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as peer:
        for _ in range(PASSES + 1):
            ours.append(one_pass(folder, count, of))
            print(what, file=peer.stdin, flush=True)
            theirs.append(json.loads(peer.stdout.readline()))  # type: ignore[union-attr]
        peer.stdin.close()  # type: ignore[union-attr]
    return ours[1:], theirs[1:]


def row(name: str, ours: list[dict[str, Any]], theirs: list[dict[str, Any]], count: int) -> str:
    """One line of the table."""
    mine, its = (1e3 * min(one["spent"][name] for one in passes) / count for passes in (ours, theirs))
    apart = np.abs(np.subtract(ours[0]["values"][name], theirs[0]["values"][name])).max()
    return f"| {name} | {mine:.2f} | {its:.2f} | {its / mine:.2f} | {apart:.0e} | {judged(name, its / mine)} |"


def judged(name: str, faster: float) -> str:
    """Which bar, and whether it is held."""
    bar = f"at least {BARS[name]:g} ×" if name in BARS else "at most 1.2 × its time"
    told = f"{bar}: {'held' if faster >= BARS.get(name, LEAST) else 'MISSED'}"
    return f"{told}; aim {AIM[name]} ×: {'reached' if faster >= AIM[name] else 'missed'}" if name in AIM else told


def main() -> None:
    count = int(sys.argv[1]) if sys.argv[1:] else MAPS
    with tempfile.TemporaryDirectory() as place:
        inputs(Path(place), count)
        try:
            ours, theirs = in_turn(Path(place), count, ways, "measures")
        except (OSError, subprocess.CalledProcessError, json.JSONDecodeError) as problem:
            print(f"# Measures of salience\n\nnot compared: pysaliency does not run here ({problem})")
            return
    peer = " ".join(f"{name} {number}" for name, number in theirs[0]["versions"].items())
    print(
        f"# Measures of salience ({platform.machine()}, Python {platform.python_version()}, numpy {np.__version__}; "
        f"{peer}; one thread)\n"
    )
    print(f"{count} maps of {SHAPE[0]} × {SHAPE[1]} px, {FIXATIONS} fixations each; least of {PASSES} passes.\n")
    print("| measure | ours, CPU ms a map | pysaliency | times faster | values apart, at most | bar |")
    print("|---|---|---|---|---|---|")
    for name in ours[0]["spent"]:
        print(row(name, ours, theirs, count))


if __name__ == "__main__":
    main()
