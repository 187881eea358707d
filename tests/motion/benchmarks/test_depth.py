"""motion/depth: two eyes, one eye, and a model of one movie."""

import pytest

import beholder as bh
from beholder.core.scores import labels
from beholder.motion.benchmarks.depth import depth
from beholder.motion.datasets.depths import depths
from beholder.motion.models.lucas_kanade import lucas_kanade
from motion_movies import drawn_once


def test_the_benchmark_tells_them_apart():
    found = bh.run(depth(drawn_once(depths)), {"one movie": lucas_kanade}, jobs=0)
    once = found[found["repeat"] == 0]
    values = once.set_index(["model", labels(once)])["value"]
    assert values["true_motion", "depth_facts"] == 1
    assert values["vector_average", "depth_facts"] == pytest.approx(1 / 3)
    assert values["still", "depth_facts"] == 0
    assert values["owned_ends", "depth_facts"] > values["one_eye", "depth_facts"]
    assert values["owned_ends", "depth_facts.turns"] == 1
    assert set(found[found["state"] == "ok"]["provenance"]) == {"memory"}
    lost = found[found["model"] == "one movie"]
    assert set(lost["state"]) == {"na"}
    assert lost["reason"].str.contains("this is a binocular pair").all()
