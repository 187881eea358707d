"""What a clip costs: the classical four of VMBench's five on 49 frames of 854×480, H.264, decoding included.

All on one core of one machine and in one run, each way in a fresh process that is warm: the clip is analysed once
before it is timed, the least of several rounds counts. Beside it stand decoding alone, optical flow (Farnebäck, OpenCV)
between the full frames, which is what a measure of mean flow costs without any of the rest, and the 23.1 s a clip on a
GPU that VMBench's README gives. Then: the largest memory of that process, two processes at once, and how long the
command takes to start.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is loaded: CPU time of one thread

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROUNDS = 3
FRAMES, RATE, SIZE = 49, 8.0, (480, 854)
PAPER = 23.1  # s a clip: VMBench's README, 6 h 45 min for 1,050 clips on a GPU that it does not name
FOUR = ("smoothness.motion_smoothness", "integrity.object_integrity", "amplitude.perceptible_amplitude",
        "coherence.temporal_coherence")  # fmt: skip


def film(folder: Path) -> Path:
    from beholder.io import video
    from beholder.video.datasets.scenes import scenes
    from beholder.video.scenes.rendering import render

    prompt = scenes()[0].stimulus
    clip = render(prompt.scene, rate=RATE, seconds=FRAMES / RATE, size=SIZE)
    path = folder / "clip.mp4"
    assert clip.pixels is not None
    video.write(clip.pixels[:FRAMES], path, hertz=RATE)
    return path


def four(path: Path) -> None:
    from beholder.core.measure import NotApplicable
    from beholder.registry.find import find
    from beholder.video.accept import accept
    from beholder.video.readouts.analysis import analyse
    from beholder.video.types import Prompt

    found = analyse(accept(path, Prompt()), Prompt())
    for name in FOUR:
        try:
            find("video.measures", name)(found, None)
        except NotApplicable as why:
            print(f"{name}: {why}", file=sys.stderr)


def decoding(path: Path) -> None:
    from beholder.video.accept import accept
    from beholder.video.files.clips import opened
    from beholder.video.types import Prompt

    with opened(accept(path, Prompt())) as stream:
        for _ in stream.frames:
            pass


def farneback(path: Path) -> None:
    import cv2

    from beholder.video.accept import accept
    from beholder.video.files.clips import opened
    from beholder.video.types import Prompt

    before = None
    with opened(accept(path, Prompt())) as stream:
        for _, frame in stream.frames:
            grey = cv2.cvtColor(frame, cv2.COLOR_RGB2GRAY)
            if before is not None:
                cv2.calcOpticalFlowFarneback(before, grey, None, 0.5, 3, 15, 3, 5, 1.2, 0)
            before = grey


WAYS: dict[str, Callable[[Path], None]] = {"four": four, "decoding": decoding, "farneback": farneback}


def least(way: str, path: Path) -> dict[str, float]:
    """Seconds of the quickest round, warm, and the process's largest memory in MB."""
    import cv2

    cv2.setNumThreads(1)
    WAYS[way](path)
    taken = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        WAYS[way](path)
        taken.append(time.perf_counter() - started)
    return {"seconds": min(taken), "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


def alone(way: str, path: Path) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, __file__, way, str(path)], stdout=subprocess.PIPE, text=True)


def answer(process: subprocess.Popen[str]) -> dict[str, float]:
    found: dict[str, float] = json.loads(process.communicate()[0])
    return found


def start_up() -> float:
    code = "import sys, beholder; beholder.load('video/motion'); assert 'torch' not in sys.modules"
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - started


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = film(Path(folder))
        found = {way: answer(alone(way, path)) for way in WAYS}
        both = {way: [answer(one) for one in [alone(way, path), alone(way, path)]] for way in ("four", "farneback")}
    own = found["four"]["seconds"]
    print(f"## Video: {FRAMES} frames of {SIZE[1]}×{SIZE[0]}, H.264, one core\n")
    print("| what | s (wall) | times the first line | largest memory (MB) |\n|---|---|---|---|")
    names = {
        "four": "the classical four, decoding included",
        "decoding": "decoding alone",
        "farneback": "Farnebäck flow between full frames (OpenCV), decoding included",
    }
    for way, said in names.items():
        seconds, memory = found[way]["seconds"], found[way]["megabytes"]
        print(f"| {said} | {seconds:.2f} | {seconds / own:.2f} | {memory:.0f} |")
    print(f"| VMBench's five on a GPU, another machine (its README) | {PAPER:.1f} | {PAPER / own:.1f} | not stated |")
    twice = {way: sum(found[way]["seconds"] / one["seconds"] for one in both[way]) for way in both}
    print(
        f"\nTwo processes at once: {twice['four']:.2f} × as many clips (Farnebäck: {twice['farneback']:.2f} ×). "
        f"Start-up with video/motion loaded: {start_up():.2f} s."
    )


if __name__ == "__main__":
    if len(sys.argv) > 2:
        print(json.dumps(least(sys.argv[1], Path(sys.argv[2]))))
    else:
        main()
