"""Where users wait: CPU seconds of whole commands, and what they are spent on.

The bare run by domain, a model of one's own beside baselines that were run before, MIT1003 whole and 1,000 clips;
the last two are projected from a few samples. Each command runs in one process with an empty cache (a model of one's
own: with the cache that the bare run left). A hundred times a second of CPU it is noted what the process is at.

`python benchmarks/waits.py [FOLDER]` makes benchmarks/WAITS.md; FOLDER is that of MIT1003, or a part of it. With
PYTHONPATH=OTHER/src it measures another version.
"""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from types import FrameType

from suite import machine

PARTS = {  # of a command: files and functions that lead there; the outermost one tells
    "drawing": ("evaluation/figures.py", "evaluation/films.py", "evaluation/drawn.py"),
    "verdicts and page": ("verdicts/", "reports/", "evaluation/record.py", "evaluation/score_table.py"),
    "samples": ("core/job.py:meet",),
    "measures": ("core/reader.py",),
    "answers": ("store/cache.py:cached", "core/entrant.py"),
}
OTHERWISE = "the rest"
DOMAINS = ("stereo", "motion", "attention", "video", "study")
CLIPS = 7  # of a scene: five baselines and two blind models
OWN = {
    "stereo/dense": "def mine(pair): return np.ones(pair.left.shape[:2], np.float32)",
    "attention/saliency": "def mine(picture): return np.ones(picture.shape[:2], np.float32) + picture[..., 0]",
    "motion/static": "def mine(movie): return np.ones((len(movie.frames) - 1, *movie.frames.shape[1:], 2), np.float32)",
    "video/motion": (
        "def mine(prompt):\n    still = np.random.default_rng(0).integers(0, 255, (120, 160, 3)).astype(np.uint8)\n"
        "    return np.stack([np.roll(still, 2 * i, 1) for i in range(24)]), 8.0"
    ),
}


def at_work(frame: FrameType | None) -> str:
    """What the process is at."""
    stack = []
    while frame:
        file = frame.f_code.co_filename.partition("/beholder/")[2]
        if file:
            stack.append(f"{file}:{frame.f_code.co_name}")
        frame = frame.f_back
    for place in reversed(stack):
        for part, marks in PARTS.items():
            if place.startswith(marks):
                return part
    return OTHERWISE


def watched() -> None:
    """The command of this process, and at its end CPU seconds and notes on standard error."""
    from beholder.cli import main

    notes: Counter[str] = Counter()
    signal.signal(signal.SIGPROF, lambda _, frame: notes.update([at_work(frame)]))
    signal.setitimer(signal.ITIMER_PROF, 0.01, 0.01)
    try:
        main()
    except SystemExit as end:
        if end.code not in (0, 1, None):
            raise
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    spent = [resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    total, seconds = sum(notes.values()) or 1, sum(one.ru_utime + one.ru_stime for one in spent)
    print(*(f"{part}={seconds * number / total}" for part, number in notes.items()), sep="\n", file=sys.stderr)


def spent(place: Path, cache: str, *given: str) -> Counter[str]:
    """CPU seconds of `beholder run …` by part."""
    out = place / "run"
    shutil.rmtree(out, ignore_errors=True)
    done = subprocess.run(
        [sys.executable, Path(__file__).resolve(), "run", *given, "--engine", "serial", "--quiet", "--out", out],
        cwd=place, env={**os.environ, "BEHOLDER_CACHE": str(place / cache)},
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(f"beholder run {' '.join(given)} ended with {done.returncode}: {done.stderr[-500:]}")
    lines = [line.partition("=") for line in done.stderr.splitlines()]
    return Counter({part: float(seconds) for part, _, seconds in lines if part in (*PARTS, OTHERWISE)})


def each(few: Counter[str], many: Counter[str], more: int) -> Counter[str]:
    """What one further sample costs."""
    return Counter({part: (many[part] - few[part]) / more for part in many})


def times(cost: Counter[str], number: int) -> Counter[str]:
    """What many of them cost."""
    return Counter({part: seconds * number for part, seconds in cost.items()})


def waits(place: Path, mit1003: str) -> dict[str, Counter[str]]:
    """Every wait, by what a user would call it."""
    found = {f"`beholder run {domain}`": spent(place, "first", domain) for domain in DOMAINS}
    found = {"**the bare run**, all five": sum(found.values(), Counter()), **found}
    for bench, code in OWN.items():
        (place / "my.py").write_text(f"import numpy as np\n\n\n{code}\n")
        name = f"**your model** on {bench}, baselines in the cache"
        found[name] = spent(place, "first", bench, "--model", "mine=my.py:mine")
    clips = [spent(place, f"clips{n}", "video/motion", "--limit", str(n), "--samples", "0") for n in (1, 7)]
    found["**1,000 clips** on video/motion"] = times(each(*clips, 6 * CLIPS), 1000)
    if mit1003:
        whole = ("attention/saliency", "--dataset", f"mit1003:{mit1003}", "--samples", "0", "--limit")
        pictures = [spent(place, f"mit{n}", *whole, str(n)) for n in (3, 11)]
        found["**MIT1003 whole**, 22 entrants"] = times(each(*pictures, 8), 1003)
    return found


def main() -> None:
    with tempfile.TemporaryDirectory() as place:
        found = waits(Path(place), str(Path(sys.argv[1]).resolve()) if sys.argv[1:] else "")
    parts = ("answers", "measures", "samples", "drawing", "verdicts and page", OTHERWISE)
    loads = ", ".join(f"{load:.1f}" for load in os.getloadavg())
    print(f"# Where users wait\n\nMade by `python benchmarks/waits.py` on: {machine()}. Load at the end: {loads}.\n")
    print("CPU seconds of one process; on two cores a user waits half as long. *Answers* are those of models and")
    print("people. The cache gives outcomes but not large answers: those of samples that are drawn are made anew.\n")
    print(f"| | CPU s | {' | '.join(f'{part} %' for part in parts)} |\n|---|{'---|' * (1 + len(parts))}")
    for name, cost in found.items():
        whole = cost.total()
        print(f"| {name} | {whole:,.0f} | {' | '.join(f'{max(0, 100 * cost[part] / whole):.0f}' for part in parts)} |")


if __name__ == "__main__":
    watched() if sys.argv[1:2] == ["run"] else main()
