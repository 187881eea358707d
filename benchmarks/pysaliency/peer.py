"""The peer's half of attention_measures.py and attention_whole.py, inside its own venv.

For every line that comes in it makes a pass over all maps: of "measures" one at a time, or of the "whole" evaluation of
a picture. It answers with a line of JSON: the CPU seconds of each over all maps, and the values of each map. Reading a
map is not timed. The array functions of pysaliency are called where it has them: its models do more.
"""

from __future__ import annotations

import json
import sys
import time
from importlib.metadata import version
from pathlib import Path

import numpy as np

from pysaliency import FixationMap, FixationTrains, Model, Stimuli, UniformModel, metrics, roc

SIGMA, OBSERVERS = 35, 15  # px; who made the fixations, as many each
HALVES = [sorted(range(OBSERVERS), key=str)[at::2] for at in (0, 1)]  # every other one by name


class Known(Model):
    """A model whose log density is given."""

    def __init__(self, log: np.ndarray) -> None:
        super().__init__(caching=False)
        self.log = log

    def _log_density(self, stimulus):
        return self.log


class Peer:
    """The measures of pysaliency on the inputs of a folder."""

    def __init__(self, folder: Path) -> None:
        self.maps, self.people = (np.load(folder / f"{name}.npy", mmap_mode="r") for name in ("maps", "people"))
        self.points = np.load(folder / "points.npy")  # (pictures, fixations, 2): x, y; the first ones have maps
        grey = [np.full(self.maps.shape[1:], level, np.uint8) for level in range(len(self.maps))]
        self.stimuli = Stimuli(grey)
        shown = self.points[: len(self.maps)]
        own = shown.reshape(len(shown), OBSERVERS, -1, 2)
        self.fixations = self._trains(shown)
        self.blurred, *self.halves = (
            FixationMap(self.stimuli, self._trains(points), kernel_size=SIGMA, caching=False)
            for points in (shown, *(own[:, half].reshape(len(own), -1, 2) for half in HALVES))
        )

    def _trains(self, points: np.ndarray):
        """All fixations of each map as one train."""
        index, numbers = list(range(len(points))), [np.arange(points.shape[1])] * len(points)
        return FixationTrains.from_fixation_trains(list(points[..., 0]), list(points[..., 1]), numbers, index, index)

    def ways(self, at: int):
        """Each measure of one map, as a call without arguments."""
        log = np.log(np.array(self.maps[at]) + 1.0)
        log -= np.log(np.exp(log).sum())
        known, baseline = Known(log), UniformModel()
        here = self.fixations[self.fixations.n == at]
        shown, people = np.array(self.maps[at]), np.array(self.people[at])
        x, y = self.points[at].astype(int).T
        others = np.delete(self.points, at, axis=0).reshape(-1, 2)
        return {
            "AUC": lambda: roc.general_rocs_per_positive(shown[y, x], shown.ravel()).mean(),
            "sAUC": lambda: roc.general_rocs_per_positive(shown[y, x], shown[tuple(others.astype(int).T[::-1])]).mean(),
            "NSS": lambda: metrics.NSS(shown, x, y).mean(),
            "IG": lambda: known.information_gain(self.stimuli, here, baseline),
            "CC": lambda: metrics.CC(shown, people),
            "SIM": lambda: metrics.SIM(shown, people),
            "KL": lambda: metrics.MIT_KLDiv(shown, people),
            "KL, 1e-20 added": lambda: metrics.image_based_kl_divergence(shown, people),
            "map of fixations": lambda: self.blurred.saliency_map(self.stimuli[at]),
        }

    def whole(self, at: int):
        """Everything of one map, as calls without arguments: observer by observer, or all fixations at once."""
        shown = np.array(self.maps[at])
        x, y = self.points[at].astype(int).T
        others = tuple(np.delete(self.points, at, axis=0).reshape(-1, 2).astype(int).T[::-1])
        each = np.arange(len(x)).reshape(OBSERVERS, -1)

        def at_fixations(those):
            values = shown[y[those], x[those]]
            areas = [roc.general_rocs_per_positive(values, among) for among in (shown.ravel(), shown[others])]
            return [one.mean() for one in (*areas, metrics.NSS(shown, x[those], y[those]))]

        def between_maps(people):
            measures = (metrics.CC, metrics.MIT_KLDiv, metrics.SIM)
            return np.mean([[measure(shown, one) for measure in measures] for one in people], axis=0)

        def smooth():
            return [half.saliency_map(self.stimuli[at]) for half in self.halves]

        given = smooth()
        return {
            "observer by observer": lambda: [*np.mean(list(map(at_fixations, each)), axis=0), *between_maps(smooth())],
            "all fixations at once": lambda: [*at_fixations(each.ravel()), *between_maps(smooth())],
            "the same, people's maps given": lambda: [*at_fixations(each.ravel()), *between_maps(given)],
        }


def one_pass(peer: Peer, what: str):
    """CPU seconds of each measure, and its values."""
    spent: dict[str, float] = {}
    values: dict[str, list[float]] = {}
    for at in range(len(peer.maps)):
        for name, way in (peer.whole if what == "whole" else peer.ways)(at).items():
            start = time.process_time()
            found = way()
            spent[name] = spent.get(name, 0.0) + time.process_time() - start
            values.setdefault(name, []).extend(np.ravel(found)[:: 997 if np.ndim(found) > 1 else 1].tolist())
    return {"spent": spent, "values": values, "versions": {name: version(name) for name in ("pysaliency", "numpy")}}


def main() -> None:
    peer = Peer(Path(sys.argv[1]))
    np.seterr(all="ignore")
    for line in sys.stdin:
        print(json.dumps(one_pass(peer, line.strip())), flush=True)


if __name__ == "__main__":
    main()
