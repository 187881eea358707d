"""What our own models scored on our own datasets is shared between runs; nothing of anybody else's is."""

import time
from dataclasses import replace

import numpy as np
import pytest

import beholder as bh
import toys
from beholder.core.benchmark import Figures, Files
from beholder.core.entrant import Ceiling, Given
from beholder.core.job import Job, Keep
from beholder.core.model_code import Process
from beholder.engines.dispatch import list_unfinished, run_trials
from beholder.engines.progress import Silent
from beholder.engines.serial import Serial
from beholder.engines.shared import recall
from beholder.store.cache import Cache, read_since
from beholder.store.ledger import Ledger
from beholder.store.seal import seal

FILES = Files((".npy",), np.load, lambda answer, path: np.save(path, answer))


@pytest.fixture
def bench(tmp_path, monkeypatch):
    monkeypatch.setenv("BEHOLDER_CACHE", str(tmp_path / "cache"))
    return replace(toys.opinions(toys.items(3)), files=FILES)


@pytest.fixture
def asked(bench, monkeypatch):
    """What a run still has to ask, after it has recalled what it can; then it asks."""
    who = {"people": Ceiling(), "mine": Given("mine", toys.brightness)}

    def left(name="people", **how):
        monkeypatch.setattr(Process, "foreign", False)  # as in a new process
        book, job = Ledger(), Job(bench, who, **{"memory": "ours"} | how)
        todo = recall(job, list_unfinished(job, book), book)
        with read_since(job.since):
            run_trials(Serial(), job, todo, book, Silent())
        return len(todo[name])

    return left


def blobs():
    return [file for file in Cache().files() if file.is_file()]


def test_what_was_found_is_not_asked_again_unless_something_differs(asked):
    assert [asked(), asked()] == [3, 0]
    assert [asked(memory=""), asked(memory="other"), asked(seed=1), asked(repeats=2)] == [3, 3, 3, 3]


def test_nothing_of_a_users_model_is_shared(asked):
    assert [asked("mine"), asked("mine")] == [3, 3]


POISON = """
import numpy as np

def mine(pair):
    np.abs = np.mean = lambda *_, **__: np.float64(0)
    return np.ones(pair.left.shape[:2])

def strict(pair):
    import warnings
    np.seterr(all="raise")
    warnings.simplefilter("error")
    pair.left.flags.writeable = True
    pair.left[:] = 0
    return np.ones(pair.left.shape[:2])

def plain(pair):
    np.log(np.zeros(1))
    return np.full(pair.left.shape[:2], float(pair.left.any()))
"""


@pytest.mark.parametrize("engine", ["local", "serial"])
def test_a_model_that_changes_numpy_changes_no_score_of_ours(engine, tmp_path, monkeypatch):
    (tmp_path / "my.py").write_text(POISON)
    bench = bh.load("stereo/dense", dataset="random_dots(count=2,size=64)")

    def scores(cache, **how):
        monkeypatch.setenv("BEHOLDER_CACHE", str(tmp_path / cache))
        found = bh.run(bench, baselines="block", jobs=1, **how)
        return found[found["role"] != "model"].reset_index(drop=True)

    with monkeypatch.context() as undone:  # serial: in this process
        for name in ("abs", "mean"):
            undone.setattr(np, name, getattr(np, name))
        undone.setattr(Process, "foreign", False)
        beside = scores("first", under_test={"mine": f"{tmp_path}/my.py:mine"}, engine=engine)
    after, never = scores("first"), scores("second")
    assert after.equals(never)
    assert engine == "serial" or beside.equals(never)


def test_a_model_leaves_input_errors_and_warnings_as_they_were(tmp_path):
    (tmp_path / "my.py").write_text(POISON)
    bench = bh.load("stereo/dense", dataset="random_dots(count=2,size=64)")
    mine = {name: f"{tmp_path}/my.py:{name}" for name in ("strict", "plain")}
    found = bh.run(bench, mine, baselines="none", jobs=1)
    assert set(found["state"]) == {"ok"}
    own = {name: found[found["model"] == name]["value"].tolist() for name in mine}
    assert own["plain"] == own["strict"]  # it saw the picture, not zeros


def test_a_fresh_run_recalls_nothing_and_leaves_what_it_found(asked):
    assert [asked(), asked(since=time.time() + 60), asked()] == [3, 3, 0]


def test_damaged_and_foreign_blobs_cost_a_computation_only(asked):
    asked()
    damaged, foreign, gone = blobs()
    damaged.write_bytes(damaged.read_bytes()[:-1])
    foreign.write_bytes(seal({"not": "an outcome"}))
    gone.unlink()
    assert [asked(), asked()] == [3, 0]


def test_answers_that_are_to_be_drawn_are_shared_too(asked, tmp_path):
    def keep(place, *ids):
        return Keep(tmp_path / place, frozenset(ids), frozenset({"people"}))

    first, *others = toys.items(3).ids
    assert asked(keep=keep("a", first)) == 3
    assert asked(keep=keep("b", first)) == 0
    assert (tmp_path / "a/people" / f"{first}.npy").read_bytes() == (
        tmp_path / "b/people" / f"{first}.npy"
    ).read_bytes()
    assert asked(keep=keep("c", *others)) == 2  # nobody has kept these


def test_a_sketch_never_passes_for_the_whole_answer(asked, bench, tmp_path):
    first = bench.dataset.ids[0]

    def keep(place, *, sketch=False):
        return Keep(tmp_path / place, frozenset({first}), frozenset({"people"}), sketch=sketch)

    object.__setattr__(bench, "figures", Figures(sketch=lambda answer, stimulus: np.float64(0)))
    assert asked(keep=keep("a", sketch=True)) == 3
    assert np.load(tmp_path / "a/people" / f"{first}.drawn.npy") == 0
    assert [asked(keep=keep("b", sketch=True)), asked(keep=keep("c"))] == [0, 1]
    assert (tmp_path / "b/people" / f"{first}.drawn.npy").is_file()
    assert (tmp_path / "c/people" / f"{first}.npy").is_file()


def test_tables_are_the_same_bytes_with_sharing_and_without(tmp_path, monkeypatch):
    monkeypatch.setenv("BEHOLDER_CACHE", str(tmp_path / "cache"))
    bench = bh.load("stereo/dense", dataset="random_dots(count=2,size=64)")
    tables = [bh.run(bench, {"mine": "block(window=3)"}, jobs=1, fresh=fresh) for fresh in (True, False, True)]
    texts = [scores.to_csv(index=False) for scores in tables]
    assert texts[0] == texts[1] == texts[2]
    assert blobs()
