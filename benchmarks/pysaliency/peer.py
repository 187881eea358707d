"""The peer's half of attention_measures.py, inside its own venv: a pass over all maps for every line that comes in.

It answers each line with one of JSON: the CPU seconds of each measure over all maps, and the value of each map.
Reading a map is not timed. The array functions of pysaliency are called where it has them: its models do more.
"""

from __future__ import annotations

import json
import sys
import time
from importlib.metadata import version
from pathlib import Path

import numpy as np

from pysaliency import FixationMap, FixationTrains, Stimuli, metrics, roc

SIGMA = 35  # px


class Peer:
    """The measures of pysaliency on the inputs of a folder."""

    def __init__(self, folder: Path) -> None:
        self.maps, self.people = (np.load(folder / f"{name}.npy", mmap_mode="r") for name in ("maps", "people"))
        self.points = np.load(folder / "points.npy")  # (maps, fixations, 2): x, y
        grey = [np.full(self.maps.shape[1:], level, np.uint8) for level in range(len(self.maps))]
        self.stimuli = Stimuli(grey)
        count = self.points.shape[1]
        trains = [list(self.points[..., axis]) for axis in (0, 1)]
        index = list(range(len(self.maps)))
        fixations = FixationTrains.from_fixation_trains(*trains, [np.arange(count)] * len(index), index, index)
        self.blurred = FixationMap(self.stimuli, fixations, kernel_size=SIGMA, caching=False)

    def ways(self, at: int):
        """Each measure of one map, as a call without arguments."""
        shown, people = np.array(self.maps[at]), np.array(self.people[at])
        x, y = self.points[at].astype(int).T
        others = np.delete(self.points, at, axis=0).reshape(-1, 2)
        return {
            "AUC": lambda: roc.general_rocs_per_positive(shown[y, x], shown.ravel()).mean(),
            "sAUC": lambda: roc.general_rocs_per_positive(shown[y, x], shown[tuple(others.astype(int).T[::-1])]).mean(),
            "NSS": lambda: metrics.NSS(shown, x, y).mean(),
            "CC": lambda: metrics.CC(shown, people),
            "SIM": lambda: metrics.SIM(shown, people),
            "KL": lambda: metrics.MIT_KLDiv(shown, people),
            "KL, 1e-20 added": lambda: metrics.image_based_kl_divergence(shown, people),
            "map of fixations": lambda: self.blurred.saliency_map(self.stimuli[at]),
        }


def one_pass(peer: Peer):
    """CPU seconds of each measure, and its values."""
    spent: dict[str, float] = {}
    values: dict[str, list[float]] = {}
    for at in range(len(peer.maps)):
        for name, way in peer.ways(at).items():
            start = time.process_time()
            found = way()
            spent[name] = spent.get(name, 0.0) + time.process_time() - start
            values.setdefault(name, []).extend(np.ravel(found)[:: 997 if np.ndim(found) else 1].tolist())
    return {"spent": spent, "values": values, "versions": {name: version(name) for name in ("pysaliency", "numpy")}}


def main() -> None:
    peer = Peer(Path(sys.argv[1]))
    np.seterr(all="ignore")
    for _ in sys.stdin:
        print(json.dumps(one_pass(peer)), flush=True)


if __name__ == "__main__":
    main()
