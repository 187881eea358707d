import numpy as np

from beholder.core import job as jobs
from beholder.core.benchmark import Benchmark
from beholder.core.job import Job
from beholder.core.sample import Dataset, Sample
from beholder.judges.mean_rank import mean_rank


def met(size, order):
    """The samples that are loaded when a job meets some, of so many bytes each, in an order."""
    loaded = []

    def load(id):
        loaded.append(id)
        return Sample(id, np.zeros(size, np.uint8), 0)

    dataset = Dataset("numbers", tuple(dict.fromkeys(order)), load)
    one = Job(Benchmark("a/b", 1, dataset, measures=(), judges=(mean_rank,)), {})
    assert [one.meet(id).sample.id for id in order] == list(order)
    assert not one.meet(order[-1]).sample.stimulus.flags.writeable
    return loaded


def test_the_samples_of_a_block_are_loaded_once_for_all_entrants():
    block = [f"{at}" for at in range(jobs.MOST)]
    assert met(10, [*block, *block]) == block


def test_large_samples_make_room_for_the_next_one():
    assert met(jobs.LARGEST, ["a", "a", "b", "a"]) == ["a", "b", "a"]
    assert met(jobs.LARGEST // 2, ["a", "b", "a", "c", "a"]) == ["a", "b", "c", "a"]
