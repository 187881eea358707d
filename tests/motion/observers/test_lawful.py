"""The observer who follows every fact: what he scores is the top that can be reached."""

import numpy as np
import pytest

from beholder.core.sample import Sample
from beholder.motion.benchmarks.dynamic import dynamic
from beholder.motion.datasets.classical import classical
from beholder.motion.measures.dynamic import bar_dynamics, diamond_dynamics, grating_dynamics
from beholder.motion.measures.facts import barber_facts, diamond_facts
from beholder.motion.observers.lawful import lawful
from beholder.motion.types import Movie, Trace

MEASURES = (bar_dynamics, diamond_dynamics, grating_dynamics, diamond_facts, barber_facts)


def courses(dataset, hertz, pairs, **settings):
    """Traces of the observer on all stimuli of a dataset, of which none is drawn: he does not look."""
    movie = Movie(np.zeros((pairs + 1, 1, 1), np.float32), hertz, 8.0)
    percepts = [dataset.reference(id) for id in dataset.ids]
    answers = [lawful(Sample("", movie, percept), **settings).velocity for percept in percepts]
    return [Trace(movie.seconds, velocity, np.ones(pairs)) for velocity in answers], percepts


@pytest.fixture(scope="module", params=["small", "full"])
def followed(request):
    return courses(classical(), 50.0, 22) if request.param == "small" else courses(classical(full=True), 100.0, 45)


@pytest.mark.parametrize("measure", MEASURES, ids=lambda of: of.__name__)
def test_he_has_every_fact_on_the_small_set_and_on_the_full_one(followed, measure):
    found = measure(*followed)
    assert found.value == pytest.approx(1, abs=1e-6), found.parts


def test_he_stands_in_the_benchmark_as_an_oracle():
    assert dynamic().provided("oracle") == ["true_motion", "recursive_bayes", "lawful"]


def test_he_follows_a_users_own_records(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(
        '["diamond.tau"]\nstimulus = "diamond"\nquantity = "x"\nsource = "me"\nstatus = "verified"\nvalue = 0.05\n'
        'spread = 0.01\nspread_kind = "sd"\n'
    )
    found = diamond_dynamics(*courses(classical(), 50.0, 22, reference=str(file)), reference=str(file))
    assert found.parts["tau"] == pytest.approx(0.05)
    assert found.value == pytest.approx(1)
