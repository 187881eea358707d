"""Models of an earlier run beside those of this one, which are not run again."""

import json

import pytest

import beholder as bh
from beholder.core.scores import plain
from beholder.engines.progress import Silent
from beholder.errors import Misuse
from beholder.evaluation import execute, plan
from beholder.evaluation.record import read
from beholder.store.cache import Cache

DOTS = ("random_dots(count=3,size=64)",)
MINE = """
import numpy as np

def mine(pair):
    with open("calls", "a") as log:
        log.write(".")
    return np.full(pair.left.shape[:2], {})
"""


class Counting(Silent):
    """Counts trials."""

    def __init__(self):
        self.steps = 0

    def step(self, failed, who="", seconds=0.0):
        self.steps += bool(who)


def run(out, watch=None, samples=0, target="stereo/dense", **request):
    what = plan.plan(plan.Request(target, DOTS, **request))
    return execute.execute(what, execute.Options(out, jobs=0, samples=samples), watch or Silent())


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with a run of one model, and the file of another one."""
    here = tmp_path_factory.mktemp("against")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(here)
        (here / "one.py").write_text(MINE.format(5.0))
        (here / "two.py").write_text(MINE.format(6.0))
        run(here / "first", models=("mine=one.py:mine", "block(window=3)"), samples=1)
    return here


@pytest.fixture
def first(place, tmp_path, monkeypatch):
    monkeypatch.chdir(place)
    return place / "first"


def of(scores, model):
    return plain(scores[scores["model"] == model]).drop(columns="model").reset_index(drop=True)


def test_rows_join_and_say_where_they_come_from(first, tmp_path):
    (first.parent / "calls").unlink()
    watch = Counting()
    done = run(tmp_path / "second", watch, models=("mine=two.py:mine",), against=(first,), samples=1)
    before = read(first).scores
    assert of(done.scores, "mine (first)").equals(of(before, "mine"))
    assert of(done.scores, "block(window=3)").equals(of(before, "block(window=3)"))
    assert of(done.scores, "sgbm").equals(of(before, "sgbm"))
    assert watch.steps == len((first.parent / "calls").read_text()) == 3  # only the new one was asked
    models = {one["name"]: one for one in read(done.folder).facts["benchmarks"][0]["models"]}
    assert {name: one["origin"] for name, one in models.items() if "origin" in one} == {
        "mine (first)": "first",
        "block(window=3)": "first",
    }
    assert "model mine (first): its scores are those of the run first" in " ".join(
        bh.report(read(done.folder), view="terminal").split()
    ).replace("Model", "model")
    assert list((done.folder / "answers").rglob("mine_(first)*/rds0.pfm"))  # what it answered is drawn beside
    assert list((done.folder / "figures").rglob("rds0.webp"))


def test_what_our_own_scored_there_is_taken_over_though_the_cache_is_gone(first, tmp_path):
    Cache().trim(0)
    watch = Counting()
    run(tmp_path / "second", watch, models=("two.py:mine",), against=(first,))
    assert watch.steps == 3
    Cache().trim(0)
    run(tmp_path / "third", watch, models=("two.py:mine",), against=(first,), seed=1)  # nothing of it is equal
    assert watch.steps == 3 + 3 * 7


def test_a_run_without_its_ledger_still_gives_its_rows(first, tmp_path):
    """What was mailed is scores.csv and run.json."""
    mailed = tmp_path / "mailed"
    mailed.mkdir()
    for name in ("scores.csv", "run.json"):
        (mailed / name).write_bytes((first / name).read_bytes())
    done = run(tmp_path / "second", models=("other=two.py:mine",), against=(mailed,), baselines="none", samples=1)
    assert set(done.scores.loc[done.scores["role"].isin(["model", "baseline"]), "model"]) == {
        "mine", "other", "block(window=3)",
    }  # fmt: skip


def test_the_same_model_with_the_same_rows_stands_once(first, tmp_path):
    done = run(tmp_path / "second", models=("mine=one.py:mine",), against=(first,))
    assert set(done.scores["model"]) == set(read(first).scores["model"])


def test_what_cannot_be_compared_is_refused(first, tmp_path):
    with pytest.raises(Misuse, match="first is over 3 samples of random_dots and this one over 1"):
        run(tmp_path / "a", against=(first,), limit=1)
    with pytest.raises(Misuse, match="holds stereo/dense on random_dots; expected a run of what is run here"):
        run(tmp_path / "a", against=(first,), target="stereo/local")
    with pytest.raises(Misuse, match=r"holds no run\.json"):
        run(tmp_path / "a", against=(tmp_path,))
    for change, said in (
        ({"version": 99}, "has version 99, and this is version"),
        ({"official": ["mae"]}, "is judged by mae, and this one by bad_pixels"),
        ({"stimuli": "others"}, "was shown other stimuli of the same names"),
    ):
        other = tmp_path / f"other {said[:3]}"
        other.mkdir()
        facts = json.loads((first / "run.json").read_text())
        facts["benchmarks"][0] |= change
        (other / "run.json").write_text(json.dumps(facts))
        (other / "scores.csv").write_bytes((first / "scores.csv").read_bytes())
        with pytest.raises(Misuse, match=said):
            run(tmp_path / "a", against=(other,))


def test_another_earlier_run_is_another_run(first, tmp_path):
    requests = [plan.Request("stereo/dense", DOTS, against=runs) for runs in ((), (first,))]
    assert len({plan.plan(request).digest for request in requests}) == 2


def test_from_python(first, tmp_path):
    bench = bh.load("stereo/dense", dataset=DOTS[0])
    scores = bh.run(bench, against=first, jobs=0, baselines="none")
    assert of(scores, "mine").equals(of(read(first).scores, "mine"))
    assert bh.report(read(bh.save(tmp_path, scores, bench)), view="markdown")
