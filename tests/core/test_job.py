from dataclasses import replace

import numpy as np

from beholder.core import job as jobs
from beholder.core.benchmark import Answers, Benchmark, Lineup, People, Recorded
from beholder.core.entrant import respondent
from beholder.core.job import Job
from beholder.core.sample import Dataset, Sample
from beholder.judges.mean_rank import mean_rank


def job(size, ids):
    """A job on samples of so many bytes each, and the list of those that it loads."""
    loaded = []

    def load(id):
        loaded.append(id)
        return Sample(id, np.zeros(size, np.uint8), 0)

    dataset = Dataset("numbers", tuple(dict.fromkeys(ids)), load)
    return Job(Benchmark("a/b", 1, dataset, measures=(), judges=(mean_rank,)), {}), loaded


def met(size, order):
    """The samples that are loaded when a job meets some, of so many bytes each, in an order."""
    one, loaded = job(size, order)
    assert [one.meet(id).sample.id for id in order] == list(order)
    assert not one.meet(order[-1]).sample.stimulus.flags.writeable
    return loaded


def test_the_samples_of_a_block_are_loaded_once_for_all_entrants():
    block = [f"{at}" for at in range(jobs.MOST)]
    assert met(10, [*block, *block]) == block


def test_large_samples_make_room_for_the_next_one():
    assert met(jobs.LARGEST, ["a", "a", "b", "a"]) == ["a", "b", "a"]
    assert met(jobs.LARGEST // 2, ["a", "b", "a", "c", "a"]) == ["a", "b", "c", "a"]


def test_samples_of_earlier_tasks_are_let_go_of():
    """What measures derive from a sample lives as long as it does."""
    one, loaded = job(1, "ab")
    for id in "ab":
        one.meet(id)
    one.keep_only(["b"])
    for id in "ba":
        one.meet(id)
    assert loaded == ["a", "b", "a"]


def test_what_follows_from_a_sample_is_made_without_loading_it_again():
    one, loaded = job(1, "a")
    truth = respondent(Recorded(Answers(one.benchmark.dataset, lambda sample: sample.stimulus.size)))
    [question] = truth.ask(one.meet("a"))
    assert (question.ask(), loaded) == (1, ["a"])


def test_the_reference_of_one_observer_is_the_same_object_for_every_entrant():
    one, _ = job(1, "a")
    people = People(names=lambda _: ("eve",), without=lambda _, who: who, only=lambda _, who: [who], answer=print)
    one = Job(replace(one.benchmark, lineup=Lineup(people=people)), {})
    assert one.meet("a").only("eve") is one.meet("a").only("eve")
