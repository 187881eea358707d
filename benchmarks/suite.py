"""The speed suite, `./do bench`: each script in turn, in a process of its own, as one page.

Every comparison is a ratio to a peer on the same inputs in one run, with the values compared. A script that fails is
said to have failed, and the others go on; the exit code is 1 then. `python benchmarks/suite.py NAME …` runs some.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).parent
SUITE = {  # script: what it answers
    "attention_measures": "measures of saliency, one map at a time, against pysaliency",
    "attention_whole": "a whole evaluation the size of MIT1003, against pysaliency",
    "attention_models": "models of saliency, against OpenCV's",
    "scanpath_measures": "measures of scanpaths, against multimatch-gaze",
    "scanpath_models": "models of scanpaths",
    "motion_models": "motion models, against scikit-image, SciPy and pyoptflow",
    "motion_stimuli": "drawing movies, against supersampling",
    "stereo_matchers": "stereo matchers, against OpenCV's",
    "video_analysis": "clips, against OpenCV's flow",
    "slowest": "the slowest measures, readouts and models, and what bounds them",
    "overhead": "what the pipeline costs, against a plain loop",
    "scaling": "how a run grows with samples and workers",
    "million": "the coordinator with many trivial trials on Dask, its scheduler killed (here 200,000)",
    "ten_thousand": "a large run, killed and resumed (here with few pictures)",
}
PACKAGES = ("numpy", "scipy", "numba", "pandas", "opencv-contrib-python-headless", "scikit-image")


def machine() -> str:
    """The machine and the versions, in a sentence."""
    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    chip = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    return f"{chip}, {cores} cores; Python {platform.python_version()}; {versions}"


def main() -> None:
    asked = sys.argv[1:] or list(SUITE)
    if unknown := [name for name in asked if name not in SUITE]:
        raise SystemExit(f"no script called {unknown[0]!r} in the suite; there are {', '.join(SUITE)}")
    pages, lines, failed = [], [], False
    for name in asked:
        print(f"{name} …", file=sys.stderr, flush=True)
        began = time.monotonic()
        done = subprocess.run([sys.executable, HERE / f"{name}.py"], stdout=subprocess.PIPE, text=True, check=False)
        took = time.monotonic() - began
        state = f" **failed, exit {done.returncode}**" if done.returncode else ""
        failed = failed or done.returncode != 0
        lines.append(f"| {name} | {SUITE[name]}{state} | {took:.0f} |")
        pages.append(done.stdout.strip())
    loads = ", ".join(f"{load:.1f}" for load in os.getloadavg())
    print(f"# Speed\n\nMade by `./do bench` on: {machine()}. Load of the machine at the end: {loads}.\n")
    print("| script in benchmarks/ | what it answers | s |\n|---|---|---|")
    print("\n".join(lines), "\n\n", "\n\n".join(pages), sep="")
    sys.exit(failed)


if __name__ == "__main__":
    main()
