"""Who takes part: which baselines, and which of the user's models in which benchmark."""

import pytest

import beholder as bh
from beholder.errors import Misuse, NotFound
from beholder.evaluation import choice, plan
from beholder.evaluation.costs import FAST, read_costs
from beholder.registry.load import benchmarks

FILE = "def mine(it):\n    return it\n"


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my.py").write_text(FILE)
    return tmp_path


def roles(target="stereo/dense", **request):
    """Who takes part in each benchmark, by role."""
    found = {}
    for one in plan.plan(plan.Request(target, **request)).evaluations:
        for name, entrant in one.entrants.items():
            found.setdefault(one.benchmark.name, {}).setdefault(entrant.role, []).append(name)
    return found


def test_baselines_are_chosen_and_yardsticks_always_take_part():
    every = roles()["stereo/dense"]
    assert set(every["baseline"]) == {"block", "sgbm"}
    for chosen, left in (("sgbm", ["sgbm"]), ("none", None), ("block, sgbm", ["block", "sgbm"])):
        found = roles(baselines=chosen, models=("my.py:mine",))["stereo/dense"]
        assert (found.pop("baseline", None), found.pop("model")) == (left, ["mine"])
        assert found == {role: names for role, names in every.items() if role != "baseline"}


def test_fast_baselines_are_those_whose_measured_cost_is_small():
    costs = read_costs()
    bench = bh.load("attention/saliency")
    fast = choice.baselines(bench, "fast")
    assert 0 < len(fast) < len(bench.provided("baseline"))
    assert all(costs["attention/saliency", name] < FAST for name in fast)
    assert all(costs["attention/saliency", name] >= FAST for name in set(bench.provided("baseline")) - set(fast))


@pytest.mark.parametrize("name", benchmarks())
def test_the_cost_of_every_baseline_was_measured(name):
    """`python -m beholder.evaluation.costs BENCHMARK` measures what is missing."""
    try:
        bench = bh.load(name)
    except Misuse:
        pytest.skip("no built-in dataset")
    measured = {baseline for of, baseline in read_costs() if of == name}
    assert measured == set(bench.provided("baseline"))


def test_a_name_must_be_a_baseline_of_some_benchmark_of_the_run():
    with pytest.raises(NotFound, match="no baseline here is called 'sgbn'; did you mean 'sgbm'"):
        roles(baselines="sgbn")
    found = roles("stereo", baselines="sgbm,guided(fill=false)")
    assert found["stereo/dense"]["baseline"] == ["sgbm"]
    assert found["stereo/local"]["baseline"] == ["guided(fill=false)"]
    with pytest.raises(Misuse, match="expected all, fast, none, or names"):
        roles(baselines="")


def test_somebody_must_be_left_to_be_judged():
    with pytest.raises(Misuse, match="Nothing to judge: add --model NAME, or leave out --baselines"):
        roles(baselines="none")
    what = plan.plan(plan.Request("stereo", baselines="sgbm"))
    assert [one.benchmark.name for one in what.evaluations] == [
        "stereo/combined", "stereo/consistency", "stereo/dense", "stereo/prediction",
    ]  # fmt: skip
    assert len(what.skipped) == 1
    assert what.skipped[0].startswith("stereo/local, stereo/parameters, ")


def test_models_of_several_domains_take_part_where_they_belong(here):
    given = ("stereo/mine=my.py:mine", "stereo/dense/only=my.py:mine", "attention/saliency/sal=my.py:mine")
    found = {name: own.get("model") for name, own in roles("", baselines="fast", models=given).items()}
    assert found["stereo/dense"] == ["mine", "only"]
    assert found["stereo/local"] == ["mine"]
    assert found["attention/saliency"] == ["sal"]
    assert found["study/turing"] is None


def test_what_a_model_is_for_is_no_path_and_a_path_is_no_domain(here):
    (here / "stereo").mkdir()
    (here / "stereo" / "a=b.py").write_text(FILE)
    assert choice.scoped("stereo/a=b.py:mine") == ("", "stereo/a=b.py:mine")  # there is such a file
    assert choice.scoped("stereo/dense/m 2=dir:out/x=y") == ("stereo/dense", "m 2=dir:out/x=y")
    assert choice.scoped("stereo/my.py:mine").scope == ""
    assert choice.scoped("sgbm(a=b/c=d)").scope == ""


@pytest.mark.parametrize(
    ("target", "model", "said"),
    [
        (
            "",
            "mine=my.py:mine",
            "a model fits one domain only; expected: run DOMAIN --model …, or --model DOMAIN/NAME=",
        ),
        ("", "sterio/mine=my.py:mine", "no domain or benchmark is called 'sterio'; did you mean 'stereo'"),
        ("stereo", "motion/mine=my.py:mine", "got --model motion/mine=my.py:mine, and this run is of stereo"),
    ],
)
def test_a_model_that_belongs_nowhere_is_refused(target, model, said):
    with pytest.raises(Misuse, match=said):
        roles(target, models=(model,))


def test_from_python():
    bench = bh.load("stereo/dense", dataset="random_dots(count=1,size=64)")
    assert set(bh.run(bench, jobs=0, baselines=["sgbm"])["model"]) == {
        "sgbm",
        "truth",
        "flat",
        "mean_disparity",
        "random",
    }
    with pytest.raises(Misuse, match="no baseline here is called 'sgbn'"):
        bh.run(bench, jobs=0, baselines="sgbn")
