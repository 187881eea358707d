"""Measures of scanpaths: MultiMatch beside multimatch_gaze at equal values, and what the others cost.

The same pairs for both; the peer has its own environment with its own lock (benchmarks/multimatch_gaze; made at the
first run) and runs as a process that waits while ours works, so that both take turns. Durations are in the peer's unit
in the file and converted by each side before the clock starts. CPU time, one thread, the least of five passes. Timings
are never tests.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is loaded, and for the peer: CPU time of one thread

import json
import platform
import subprocess
import tempfile
import time
import venv
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from beholder.attention.gaze.saccades import people_moves
from beholder.attention.gaze.vectors import Simplification, saccade_vectors, simplified_vectors
from beholder.attention.measures._areas import alphabet
from beholder.attention.measures.dynamics import amplitude_divergence
from beholder.attention.measures.elastic import dtw, eyenalysis, frechet
from beholder.attention.measures.mannan import mannan
from beholder.attention.measures.multimatch import multimatch, similarities
from beholder.attention.measures.recurrence import determinism
from beholder.attention.measures.scanmatch import scanmatch
from beholder.attention.measures.scasim import scasim
from beholder.attention.measures.string_edit import path_edit_distance, string_edit
from beholder.attention.measures.subsmatch import subsmatch
from beholder.attention.measures.time_delay import stde
from beholder.attention.paths.pairs import leave_one_out
from beholder.attention.types import Lookers, Scanpath, scanpath
from beholder.stats.sequences import DAMERAU

SHAPE, DIAGONAL, PASSES, PAIRS = (600, 800), 1000.0, 5, 200
PICTURES, OBSERVERS = 40, 15
LOOSE = Simplification(45.0, 300.0, 0.1)
HERE = Path(__file__).parent / "multimatch_gaze"
AIM, STDE_MS, TABLE_S = 5.0, 1.0, 10.0  # times faster; ms of one 40 × 40; s of a whole table

Rows = list[tuple[float, float, float]]


def walk(rng: np.random.Generator, n: int, *, straight: bool = False) -> Rows:
    """Fixations (x, y, s) at random, or on a line."""
    points = rng.random((n, 2)) * SHAPE[::-1]
    if straight:
        points[:, 0] = np.sort(points[:, 0])
        points[:, 1] = points[:, 0] / 2
    return [(float(x), float(y), float(s)) for (x, y), s in zip(points, rng.uniform(0.05, 0.6, n), strict=True)]


def sets() -> dict[str, list[tuple[Rows, Rows]]]:
    """Pairs of each kind; for those on a line fixations are short, so that simplification leaves one saccade."""
    rng = np.random.default_rng(0)
    ten = [(walk(rng, 10), walk(rng, 9)) for _ in range(PAIRS)]
    hundred = [(walk(rng, 100), walk(rng, 90)) for _ in range(10)]
    line = [(walk(rng, 6, straight=True), walk(rng, 6, straight=True)) for _ in range(PAIRS)]
    brief = [([(x, y, s / 3) for x, y, s in a], [(x, y, s / 3) for x, y, s in b]) for a, b in line]
    return {"10 fixations": ten, "10, simplified": ten, "100 fixations": hundred, "6 on a line, simplified": brief}


def path(rows: Rows) -> Scanpath:
    x, y, s = np.array(rows).T
    return scanpath(x, y, duration_ms=1000 * s)


def one_pass(given: dict[str, list[tuple[Rows, Rows]]]) -> dict[str, Any]:
    """CPU seconds of all pairs of each kind, and the five similarities of each pair."""
    spent, values = {}, {}
    for name, pairs in given.items():
        ready = [(path(a), path(b)) for a, b in pairs]
        read = partial(simplified_vectors, rule=LOOSE, diagonal=DIAGONAL) if "simplified" in name else saccade_vectors
        start = time.process_time()
        values[name] = [similarities(read(a), read(b), diagonal=DIAGONAL).tolist() for a, b in ready]
        spent[name] = time.process_time() - start
    return {"spent": spent, "values": values}


def environment() -> Path:
    """The interpreter of the peer's environment, made where it is not there yet."""
    place = Path(os.environ.get("BEHOLDER_MULTIMATCH", HERE / ".venv"))
    python = place / "bin" / "python"
    if not (place / "ready").exists():
        venv.create(place, with_pip=True)
        install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*install, "--require-hashes", "-r", str(HERE / "requirements.lock")], check=True)
        (place / "ready").touch()
    return python


def in_turn(given: dict[str, list[tuple[Rows, Rows]]]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Passes of ours and of the peer, one after the other; the first of each, which loads and compiles, is left out."""
    ours, theirs = [], []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "pairs.json"
        file.write_text(json.dumps({"sets": given, "screen": SHAPE[::-1]}))
        command = [str(environment()), str(HERE / "peer.py"), str(file)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as peer:
            for _ in range(PASSES + 1):
                ours.append(one_pass(given))
                print("pass", file=peer.stdin, flush=True)
                theirs.append(json.loads(peer.stdout.readline()))  # type: ignore[union-attr]
            peer.stdin.close()  # type: ignore[union-attr]
    return ours[1:], theirs[1:]


def row(name: str, ours: list[dict[str, Any]], theirs: list[dict[str, Any]]) -> str:
    """One line of the table; pairs at which the peer crashes are timed as far as it came, and not compared."""
    count = len(ours[0]["values"][name])
    mine, its = (1e3 * min(one["spent"][name] for one in passes) / count for passes in (ours, theirs))
    both = [(a, b) for a, b in zip(ours[0]["values"][name], theirs[0]["values"][name], strict=True) if b is not None]
    apart = f"{np.abs(np.subtract(*map(np.array, zip(*both, strict=True)))).max():.0e}" if both else "—"
    crashed = theirs[0]["crashed"][name]
    held = "" if crashed else f"{AIM:g} × {'held' if its / mine >= AIM else 'MISSED'}"
    return f"| {name} | {mine:.3f} | {its:.3f} | {its / mine:.1f} | {apart} | {crashed} of {count} | {held} |"


def least(way: Callable[[], Any], times: int = 1) -> float:
    """CPU seconds of a call, the least of five rounds; one round before them compiles."""
    rounds = []
    for _ in range(PASSES + 1):
        start = time.process_time()
        for _ in range(times):
            way()
        rounds.append((time.process_time() - start) / times)
    return min(rounds[1:])


def one_by_one() -> None:
    """What each measure costs for one pair."""
    rng = np.random.default_rng(1)
    print("| measure, one pair | 10 × 9 fixations, ms | 40 × 40, ms |\n|---|---|---|")
    ways = (string_edit, mannan, multimatch, scanmatch, subsmatch, stde, dtw, frechet, eyenalysis, scasim, determinism)
    for measure in ways:
        cost = []
        for n, m in ((10, 9), (40, 40)):
            lookers = Lookers({"a": path(walk(rng, m))}, SHAPE, 25.0)
            cost.append(1e3 * least(partial(measure, path(walk(rng, n)), lookers), 50))
        aim = f" ({STDE_MS:g} ms {'held' if cost[1] <= STDE_MS else 'MISSED'})" if measure is stde else ""
        print(f"| {measure.__name__} | {cost[0]:.3f} | {cost[1]:.3f}{aim} |")


def tables() -> None:
    """Everybody beside all others on 40 pictures, and a pooled divergence of all of them."""
    rng = np.random.default_rng(2)
    datasets = [
        Lookers({f"{who}": path(walk(rng, int(rng.integers(5, 13)))) for who in range(OBSERVERS)}, SHAPE, 25.0)
        for _ in range(PICTURES)
    ]

    def string_edits() -> None:
        for lookers in datasets:
            leave_one_out(
                lookers, partial(path_edit_distance, letters=alphabet(5, lookers), costs=DAMERAU), better="lower"
            )

    took = least(string_edits)
    print(
        f"\nLeave-one-out string edit, {PICTURES} pictures × {OBSERVERS} observers: {took:.2f} s "
        f"({TABLE_S:g} s {'held' if took <= TABLE_S else 'MISSED'}). "
        f"Divergence of amplitudes over the same: "
        f"{1e3 * least(lambda: amplitude_divergence([people_moves(of).moves for of in datasets], datasets)):.1f} ms."
    )


def main() -> None:
    title = f"# Measures of scanpaths ({platform.machine()}, Python {platform.python_version()}, numpy {np.__version__}"
    try:
        ours, theirs = in_turn(sets())
    except (OSError, subprocess.CalledProcessError, json.JSONDecodeError) as problem:
        print(f"{title}; one thread)\n\nnot compared: multimatch_gaze does not run here ({problem})\n")
    else:
        peer = " ".join(f"{name} {number}" for name, number in theirs[0]["versions"].items())
        print(f"{title}; {peer}; one thread)\n")
        print("| MultiMatch | ours, CPU ms a pair | peer | times faster | values apart, at most | peer crashes | aim |")
        print("|---|---|---|---|---|---|---|")
        for name in ours[0]["spent"]:
            print(row(name, ours, theirs))
        print()
    one_by_one()
    tables()


if __name__ == "__main__":
    main()
