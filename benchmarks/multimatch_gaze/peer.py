"""The peer's side of benchmarks/scanpath_measures.py: multimatch_gaze on the same pairs, one pass a line read."""

import json
import sys
import time
from importlib.metadata import version
from pathlib import Path

import numpy as np

from multimatch_gaze import docomparison

FIELDS = [("start_x", float), ("start_y", float), ("duration", float)]


def record(rows):
    return np.array([tuple(row) for row in rows], dtype=FIELDS)


def one_pass(sets, screen):
    spent, values, crashed = {}, {}, {}
    for name, pairs in sets.items():
        options = {"grouping": True, "TDir": 45.0, "TDur": 0.3, "TAmp": 100.0} if "simplified" in name else {}
        ready = [(record(a), record(b)) for a, b in pairs]
        values[name], crashed[name] = [], 0
        start = time.process_time()
        for a, b in ready:
            try:
                values[name].append(list(map(float, docomparison(a, b, screensize=screen, **options))))
            except (IndexError, ValueError):
                crashed[name] += 1
                values[name].append(None)
        spent[name] = time.process_time() - start
    versions = {name: version(name) for name in ("multimatch-gaze", "numpy")}
    return {"spent": spent, "values": values, "crashed": crashed, "versions": versions}


def main():
    given = json.loads(Path(sys.argv[1]).read_text())
    for _ in sys.stdin:
        print(json.dumps(one_pass(given["sets"], given["screen"])), flush=True)


if __name__ == "__main__":
    main()
