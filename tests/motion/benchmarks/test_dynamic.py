"""Models of pairs of frames have no dynamics: not applicable outside the mode tlapale2012, whoever names them."""

import numpy as np
import pytest

import beholder as bh
import toys
from beholder.core.cite import facts_of, source
from beholder.core.measure import card
from beholder.core.sample import Dataset, Sample
from beholder.core.scores import JUDGED, labels
from beholder.errors import Misuse
from beholder.motion.benchmarks.dynamic import PAIRWISE, dynamic, eye, recurrent, without_dynamics
from beholder.motion.models.farneback import farneback
from beholder.motion.models.feedback import feedback
from beholder.motion.types import Movie, Percept, Velocity
from beholder.registry.find import find, names

PAIRS = 20


def sample(id):
    frames = np.full((PAIRS + 1, 24, 24), 20.0, np.float32)
    for at, frame in enumerate(frames):
        frame[10:14, 6 + at // 4 : 10 + at // 4] = 40.0
    percept = Percept("diamond", 0.0, 10.0, 44.0, 44.0, 7.0, {"turn": 1, "contrast": 1.0}, "seed")
    return Sample(id, Movie(frames, 50.0, 8.0), percept, {"direction": "right"})


DATASET = Dataset("small", ("one", "two"), sample)


def mine(movie):
    """A user's function, of which nothing is known."""
    return np.tile([1.0, 0.0], (PAIRS, 1))


@source("", dynamics="none")
def told(movie):
    """A user's function that says of itself that it looks at pairs."""
    return mine(movie)


def said(movie):
    """The same, as the docs tell a user to write it."""
    return mine(movie)


said.facts = {"dynamics": "none"}


def scored(models, **settings):
    alone = toys.vary(dynamic(DATASET, models="none", **settings), blind=None, oracles=None)
    rows = bh.run(alone, models, jobs=0)
    return rows[rows["role"].isin(JUDGED) & (rows["part"] == "")]


@pytest.mark.parametrize("mode", ["signed", "facts"])
@pytest.mark.parametrize("model", ["farneback", "farneback(window=9)", told, said])
def test_a_model_of_pairs_that_is_named_is_not_applicable(mode, model):
    rows = scored({"it": model}, mode=mode)
    assert set(rows["state"]) == {"na"}
    # The dataset holds nothing that the others are about.
    of_diamonds = rows["measure"].str.startswith(("diamond", "final_error"))
    assert set(rows.loc[of_diamonds, "reason"]) == {PAIRWISE}
    assert rows.loc[~of_diamonds, "reason"].str.contains("applies to no sample of this dataset").all()


def test_in_the_papers_mode_it_is_scored():
    rows = scored({"it": "farneback"})
    assert rows.set_index(labels(rows)).loc["diamond_dynamics", "state"] in ("ok", "low")


@pytest.mark.parametrize("mode", ["tlapale2012", "signed", "facts"])
def test_of_a_users_function_nothing_is_known(mode):
    rows = scored({"mine": mine}, mode=mode)
    assert "ok" in set(rows["state"])
    assert PAIRWISE not in set(rows["reason"])


def test_it_is_not_even_asked():
    @source("", dynamics="none")
    def broken(movie):
        raise RuntimeError("asked")

    assert set(scored({"it": broken}, mode="facts")["state"]) == {"na"}


def test_the_verdict_names_it_and_judges_the_others():
    bench = dynamic(DATASET, mode="facts", models="none")
    verdict = bench.judge(bh.run(bench, {"it": told, "mine": mine}, jobs=0, repeats=1))
    assert list(verdict.standing.index) == ["mine"]
    assert verdict.left_out == {"it": f"no measure applies: {PAIRWISE}"}


def test_built_in_ones_take_part_only_where_they_are_named():
    assert list(dynamic(DATASET, models="dis,feedback", mode="facts").lineup.baselines) == ["dis", "feedback"]
    assert "dis" not in dynamic(DATASET, mode="facts").lineup.baselines
    assert set(recurrent()) == {"feedback", "gated_diffusion"}


def test_every_built_in_model_says_whether_it_has_dynamics():
    for name in names("motion.models"):
        assert facts_of(find("motion.models", name)).get("dynamics") in ("none", "recurrent"), name
    assert without_dynamics(facts_of(farneback)) == PAIRWISE
    assert without_dynamics(facts_of(feedback)) == ""


MOVIE = Movie(np.zeros((31, 8, 8), np.float32), 100.0, 8.0)


STEP = Velocity(np.tile([10.0, 0.0], (30, 1)))


def test_it_follows_a_step_late_and_slowly():
    found = eye(STEP, MOVIE, delay=0.1, tau=0.05)
    speed = np.hypot(*found.velocity.T)
    assert speed[found.seconds < 0.1] == pytest.approx(0)
    late = found.seconds > 0.12
    since = found.seconds[late] - 0.1
    assert speed[late] == pytest.approx(10 * (1 - np.exp(-since / 0.05)), abs=1.0)  # to a frame


def test_the_names_of_the_measures_say_so():
    plain, followed = dynamic(models="none"), dynamic(models="none", delay=0.1, tau=0.05)
    assert not any("eye" in card(of).label for of in plain.measures)
    assert all("readout=eye after 0.1 s with 0.05 s" in card(of).label for of in followed.measures)


def test_an_impossible_eye_is_refused():
    with pytest.raises(Misuse, match=r"got delay=-1"):
        eye(STEP, MOVIE, delay=-1.0, tau=0.0)
    with pytest.raises(Misuse, match=r"got delay=-1"):
        dynamic(models="none", delay=-1.0)
