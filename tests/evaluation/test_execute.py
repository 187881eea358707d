"""A run in its folder: digests, blind models of the whole dataset, kept answers, status, cache."""

import json
import sqlite3
from contextlib import closing

import pytest

import beholder as bh
import toys
from beholder.core.scores import plain
from beholder.engines.progress import Silent
from beholder.errors import Misuse
from beholder.evaluation import execute, figures, plan
from beholder.store import cache, runs

DOTS = ("random_dots(count=4,size=64)",)


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BEHOLDER_CACHE", str(tmp_path / "cache"))  # what is computed is not shared with other tests
    return tmp_path


def run(how=None, **request):
    what = plan.plan(plan.Request("stereo/dense", DOTS, **request))
    return execute.execute(what, how or execute.Options(jobs=0, samples=0), Silent())


def test_the_folder_is_named_after_what_is_run(here):
    first, again, other = run(limit=1), run(limit=1), run(limit=1, seed=1)
    assert first.folder == again.folder != other.folder
    assert first.folder.parent.name == "runs"
    assert first.folder.name.startswith("stereo-dense-")


def test_how_it_is_done_changes_neither_folder_nor_scores(here):
    one = run(execute.Options(jobs=0, samples=0), limit=1)
    text = (one.folder / "scores.csv").read_bytes()
    two = run(execute.Options(jobs=2, samples=1, timeout=60, fresh=True), limit=1)
    assert (two.folder, (two.folder / "scores.csv").read_bytes()) == (one.folder, text)


def test_nulls_know_the_whole_dataset_whatever_the_slice(here):
    whole, part = plain(run(seed=0).scores), plain(run(only=("rds2",)).scores)
    mine = whole[(whole["model"] == "mean_disparity") & (whole["unit"] == "rds2")]
    assert part[part["model"] == "mean_disparity"].reset_index(drop=True).equals(mine.reset_index(drop=True))


def test_limit_every_only(here):
    def units(**order):
        return list(dict.fromkeys(run(**order).scores["unit"]))

    assert units(limit=2) == ["rds0", "rds1"]
    assert units(every=2) == ["rds0", "rds2"]
    assert units(every=2, limit=1) == ["rds0"]
    assert units(only=("rds3", "rds1")) == ["rds3", "rds1"]


class Counting(Silent):
    """Counts trials."""

    def __init__(self):
        self.steps = 0

    def step(self, failed, who="", seconds=0.0):
        self.steps += bool(who)  # scoring and drawing have steps of their own


def test_answers_are_kept_when_asked_for_and_of_what_is_drawn_the_users(here):
    (here / "my.py").write_text("import numpy as np\ndef mine(pair):\n    return np.zeros(pair.left.shape[:2])\n")
    what = plan.plan(plan.Request("stereo/dense", DOTS, limit=2, models=("my.py:mine",)))
    watch = Counting()
    for _ in range(2):  # again, nothing is asked: what was drawn and is not kept is not missed
        shown = execute.execute(what, execute.Options(jobs=0, samples=1), watch)
        kept = [p.relative_to(shown.folder / "answers") for p in (shown.folder / "answers").rglob("*.pfm")]
        assert [(path.parts[-2], path.name) for path in kept] == [("mine", "rds0.pfm")]
        assert [p.name for p in (shown.folder / "figures").glob("*/*/*.webp")] == ["rds0.webp"]
        assert watch.steps == 2 * 7
    every = run(execute.Options(jobs=0, samples=0, keep_answers=True), limit=2, seed=3)
    assert len(list((every.folder / "answers").rglob("rds*.pfm"))) == 2 * 6
    none = run(execute.Options(jobs=0, samples=0), limit=2, seed=4)
    assert not (none.folder / "answers").exists()


def test_a_sheet_is_drawn_anew_when_somebody_is_still_to_answer(here):
    bench = bh.load("stereo/dense", dataset=DOTS[0])
    todo = [{"a": []}, {"a": [], "b": ["rds0"]}]
    assert figures.list_undrawn(bench, here, 2, lambda: todo[0]) == {"rds0", "rds3"}
    for id in ("rds0", "rds3"):
        file = here / "figures" / "stereo_dense" / "random_dots" / f"{id}.webp"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    assert figures.list_undrawn(bench, here, 2, lambda: todo[0]) == set()
    assert figures.list_undrawn(bench, here, 2, lambda: todo[1]) == {"rds0"}


def test_status_leaves_out_what_is_worse(here):
    assert len(run(limit=1, status="derived").scores)
    said = []

    class Hearing(Silent):
        def say(self, sentence):
            said.append(sentence)

    what = plan.plan(plan.Request("stereo/dense", DOTS, limit=1, status="verified"))
    assert execute.execute(what, execute.Options(jobs=0, samples=0), Hearing()).scores.empty
    assert "scores are left out" in said[0]
    assert (
        said[1] == "no number of stereo/dense has a status better than derived: give --status derived, or leave it out"
    )


def test_slow_answers_of_ours_outlive_the_run_in_the_cache(here, monkeypatch):
    from beholder.stereo.models import block as module

    calls = []

    def counted(pair, **more):
        calls.append(1)
        return original(pair, **more)

    original = module.block
    toys.pass_for_ours(monkeypatch, counted)
    monkeypatch.setattr(cache, "SLOW", 0.0)
    monkeypatch.setattr("beholder.stereo.benchmarks.dense.block", counted)
    run(limit=2)
    assert len(calls) == 2
    run(limit=2, measures=("disparity.rms",))  # another run, the same answers
    assert len(calls) == 2


def test_answers_of_others_are_never_kept_beyond_the_run(here, monkeypatch):
    calls = []

    def mine(pair):
        calls.append(1)
        return pair.left * 0.0

    monkeypatch.setattr(cache, "SLOW", 0.0)
    bench = bh.load("stereo/dense", dataset=DOTS[0], ids=["rds0"])
    for _ in range(2):
        bh.run(bench, {"mine": mine}, jobs=0)
    assert len(calls) == 2


def test_the_record_of_a_run_that_is_cut_short_is_not_there(here):
    class Impatient(Silent):
        def step(self, failed, who="", seconds=0.0):
            raise KeyboardInterrupt

    what = plan.plan(plan.Request("stereo/dense", DOTS))
    with pytest.raises(KeyboardInterrupt):
        execute.execute(what, execute.Options(jobs=0, samples=0), Impatient())
    folder = execute.folder_for(what, execute.Options())
    assert not (folder / "run.json").exists()
    cut = runs.list_runs(folder.parent)[0]
    assert (cut.state, cut.scored, cut.failed) == ("stopped", False, 0)
    assert 0 < cut.share < 1
    assert execute.execute(what, execute.Options(jobs=0, samples=0), Silent()).failed == 0
    assert json.loads((folder / "run.json").read_text())["state"] == "finished"
    assert [(one.state, one.scored, one.share) for one in runs.list_runs(folder.parent)] == [("done", True, 1.0)]


def test_specs_and_functions_from_python():
    bench = bh.load("stereo/dense", dataset=DOTS[0], ids=["rds0"])
    with pytest.raises(Misuse, match="did you mean 'sgbm'"):
        bh.model("sgm", bench)
    scores = bh.run(bench, {"hh4": bh.model("sgbm(mode=hh4)", bench), "text": "block(window=15)"})
    assert {"hh4", "text"} <= set(scores["model"])
    verdict = bench.judge(scores)
    assert verdict.best
    assert bh.judge("mean_rank")(scores[scores["measure"] == "bad_pixels"]).best


def test_a_changed_module_is_another_run(here, monkeypatch):
    (here / "lab.py").write_text("def mine(pair):\n    return pair.left * 0.0\n")
    monkeypatch.syspath_prepend(str(here))
    first = plan.plan(plan.Request("stereo/dense", DOTS, models=("lab:mine",))).digest
    (here / "lab.py").write_text("def mine(pair):\n    return pair.left * 1.0\n")
    assert plan.plan(plan.Request("stereo/dense", DOTS, models=("lab:mine",))).digest != first


def test_a_dataset_is_no_setting(here):
    with pytest.raises(Misuse, match="its dataset is not a setting"):
        plan.plan(plan.Request("stereo/dense", settings={"dataset": "x"}))


@pytest.mark.parametrize("fresh", [False, True])
def test_a_folder_that_only_looks_like_a_run_is_left_alone(here, fresh):
    project = here / "project"
    project.mkdir()
    (project / "config").write_text("[core]\n")
    (project / "thesis.tex").write_text("years of work")
    with pytest.raises(Misuse, match="holds no Beholder run"):
        run(execute.Options(out=project, jobs=0, samples=0, fresh=fresh), limit=1)
    assert (project / "thesis.tex").read_text() == "years of work"
    assert (project / "config").read_text() == "[core]\n"


def test_fresh_removes_what_is_ours_only(here):
    out = here / "out"
    run(execute.Options(out=out, jobs=0, samples=0), limit=1)
    (out / "notes.txt").write_text("mine")
    run(execute.Options(out=out, jobs=0, samples=0, fresh=True), limit=1, seed=4)
    assert (out / "notes.txt").read_text() == "mine"


def test_two_datasets_of_one_name_are_refused(here):
    with pytest.raises(Misuse, match="two datasets called 'random_dots'"):
        plan.plan(plan.Request("stereo/dense", ("random_dots(seed=1)", "random_dots(seed=2)")))


def test_answers_asked_for_later_are_made_later(here):
    run(execute.Options(jobs=0, samples=0), limit=1)
    done = run(execute.Options(jobs=0, samples=0, keep_answers=True), limit=1)
    assert len(list((done.folder / "answers").rglob("rds0.pfm"))) == 6
    run(execute.Options(jobs=0, samples=1), limit=1)  # drawn now, and still kept
    assert len(list((done.folder / "answers").rglob("rds0.pfm"))) == 6


def test_a_family_is_checked_before_anything_runs(here):
    what = plan.plan(plan.Request("stereo/dense", DOTS))
    plan.check_family(what, "local")
    with pytest.raises(Misuse, match="did you mean 'local'"):
        plan.check_family(what, "locl")


def test_a_damaged_outcome_is_said(here, capsys):
    folder = run(limit=1).folder
    with closing(sqlite3.connect(folder / "ledger.sqlite")) as db, db:
        db.execute("update outcome set sealed = zeroblob(99) where rowid = 1")
    cache.Cache().trim(0)  # else it is found there
    run(limit=1)
    assert "1 finished outcome cannot be read" in capsys.readouterr().err
