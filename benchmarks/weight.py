"""What `pip install beholder` weighs: a wheel of this tree in a fresh environment, package by package."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
UV = Path(sys.executable).with_name("uv")
SIZES = """
import importlib.metadata as m, json, os
def size(d):
    return sum(os.path.getsize(p) for f in d.files or () if os.path.isfile(p := d.locate_file(f)))
print(json.dumps({d.metadata["Name"].lower(): size(d) for d in m.distributions()}))
"""
USES = {  # what the main job needs it for, where that is not plain
    "llvmlite": "Numba's compiler: loops of models and measures that would crawl in Python",
    "numba": "the same",
    "opencv-contrib-python-headless": "most baselines of stereo, motion and saliency; reading and resizing images",
    "scipy": "filters, statistics, sparse solvers",
    "av": "clips in, movies of the reports out",
    "pandas": "the score table",
    "scikit-image": "the built-in photographs and the Motorcycle pair; SSIM",
    "networkx": "comes with scikit-image",
    "fonttools": "comes with Matplotlib",
    "matplotlib": "figures",
    "moocore": "Pareto fronts",
    "pydantic-core": "study files",
}
SHOWN = 12


def main() -> None:
    with tempfile.TemporaryDirectory() as place:
        run = lambda *words: subprocess.run(list(map(str, words)), check=True, capture_output=True, text=True)  # noqa: E731
        run(UV, "build", "--quiet", "--wheel", "--out-dir", place, ROOT)
        (wheel,) = Path(place).glob("*.whl")
        python = Path(place, "venv/bin/python")
        run(UV, "venv", "--quiet", "--python", sys.executable, python.parent.parent)
        run(UV, "pip", "install", "--quiet", "--python", python, wheel)
        sizes = json.loads(run(python, "-c", SIZES).stdout)
    order = sorted(sizes, key=lambda name: -sizes[name])
    total = sum(sizes.values())
    print(f"## pip install beholder: {total / 1e6:.0f} MB in {len(sizes)} packages, without bytecode\n")
    print("| package | MB | all so far | what for |\n|---|---|---|---|")
    so_far = 0
    for name in order[:SHOWN]:
        so_far += sizes[name]
        print(f"| {name} | {sizes[name] / 1e6:.0f} | {so_far / 1e6:.0f} | {USES.get(name, '')} |")
    print(f"| {len(order) - SHOWN} more | {(total - so_far) / 1e6:.0f} | {total / 1e6:.0f} | |")


if __name__ == "__main__":
    main()
