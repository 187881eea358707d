"""Movies are drawn once per process, however many ask for them."""

import numpy as np
import pytest

from beholder.core.benchmark import Answers
from beholder.motion.datasets.bars import bars
from beholder.motion.stimuli import drawn as module
from beholder.motion.stimuli.bar import Bar
from beholder.motion.stimuli.drawn import Drawn
from beholder.motion.stimuli.sampling import Sampling

SMALL = Sampling(hertz=50.0, size=64, seconds=0.04)
LENGTHS = (1.0, 2.0, 3.0)


@pytest.fixture
def counted(monkeypatch):
    calls = []
    real = module.movie
    monkeypatch.setattr(module, "movie", lambda *its: calls.append(its) or real(*its))
    return calls


def test_a_scene_is_drawn_once_and_its_frames_are_shared_read_only(counted):
    drawn = Drawn()
    one, again = drawn(Bar(length=2.0), SMALL), drawn(Bar(length=2.0), SMALL)
    assert one is again
    assert len(counted) == 1
    with pytest.raises(ValueError, match="read-only"):
        one.frames[0] = 0


def test_another_scene_or_sampling_is_another_movie(counted):
    drawn = Drawn()
    finer = Sampling(hertz=100.0, size=64, seconds=0.04)
    found = [drawn(Bar(length=2.0), SMALL), drawn(Bar(length=2.0, turn=-1), SMALL), drawn(Bar(length=2.0), finer)]
    assert len(counted) == len({one.frames.tobytes() for one in found}) == 3


def test_the_oldest_gives_way_where_there_is_no_room(counted):
    drawn = Drawn(room=2 * 3 * 64 * 64 * 4)  # two movies of three frames
    for length in (*LENGTHS, LENGTHS[2], LENGTHS[1], LENGTHS[0]):
        drawn(Bar(length=length), SMALL)
    assert [scene.length for scene, _ in counted] == [1, 2, 3, 1]


def test_a_movie_that_is_larger_than_the_room_is_kept_until_the_next(counted):
    drawn = Drawn(room=1)
    for length in (1.0, 1.0, 2.0, 1.0):
        drawn(Bar(length=length), SMALL)
    assert [scene.length for scene, _ in counted] == [1, 2, 1]


def test_oracles_and_models_share_a_movie_and_a_reference_needs_none(counted, monkeypatch):
    from beholder.motion.stimuli import suite

    monkeypatch.setattr(suite, "drawn", Drawn())
    dataset = bars()[:2]
    assert dataset.reference("bar0").kind == "bar"
    assert counted == []
    samples = [dataset.load(id) for id in dataset.ids * 3]
    of = Answers(dataset, lambda sample: sample.stimulus.frames.shape)
    assert [of[id] for id in dataset.ids] == [(23, 160, 160)] * 2
    assert len(counted) == 2
    assert np.shares_memory(samples[0].stimulus.frames, samples[2].stimulus.frames)
