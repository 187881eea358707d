import pickle

import pytest

from beholder.core.benchmark import Benchmark
from beholder.core.measure import card
from beholder.core.sample import Dataset, Sample
from beholder.engines.parcels import pack
from beholder.errors import Misuse, NeedsDataset, NotFound
from beholder.registry import load
from beholder.stereo.datasets.random_dots import random_dots
from beholder.store.digest import digest

DOTS = "random_dots(count=3,size=64)"


@pytest.fixture
def file(tmp_path):
    """A file of a user's with datasets, measures and a judge."""
    path = tmp_path / "mine.py"
    path.write_text(
        "from beholder.core.measure import measure\nfrom beholder.stereo.datasets.random_dots import random_dots\n"
        "def few(count=2, *, size=64):\n    return random_dots(count, size=size)\n"
        "def none():\n    return [1, 2]\n"
        "def from_path(path, scale=1):\n    return random_dots(scale, size=64)\n"
        "@measure(better='lower', bounds=(0, 1), cite='')\ndef off(found, true, *, by=1):\n    return 0.5\n"
        "def uncarded(found, true):\n    return 0.5\n"
        "def coin(scores, *, side='head'):\n    return side\n"
    )
    return path


def test_datasets_by_their_specs(file):
    assert load.dataset("stereo.datasets", "random_dots").ids == random_dots().ids
    assert load.dataset("stereo.datasets", DOTS).fingerprint == random_dots(3, size=64).fingerprint
    mine = load.dataset("stereo.datasets", f"{file}:few(count=1)")
    assert mine.ids == ("rds0",)
    assert load.dataset("stereo.datasets", "beholder.stereo.datasets.random_dots:random_dots(count=2)").ids == (
        "rds0",
        "rds1",
    )
    assert digest(pickle.loads(pickle.dumps(mine))[0]) == digest(mine[0])


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        (
            "random_dot",
            r"no dataset called 'random_dot' in stereo\.datasets, and no file or folder of that name; did you mean "
            r"'random_dots'\?",
        ),
        ("random_dots(counts=2)", "dataset random_dots has no setting 'counts'; did you mean 'count'"),
        ("random_dots(2)", "expected key=value"),
        ("random_dots(count=0)", "got count=0"),
        ("motorcycle:somewhere", "dataset motorcycle: it takes no path"),
        ("FILE:from_path", "it needs a path"),
        ("FILE:none", r"mine\.py:none gave a list; expected a function that returns a Dataset"),
        ("FILE:fwe", "has no 'fwe'; did you mean 'few'"),
        ("nowhere.py:few", r"got nowhere\.py, which is not a file"),
        ("a:b/nowhere.py:few", r"got a:b/nowhere\.py, which is not a file"),
        ("nonsuch.mod:few", "no module called 'nonsuch' can be imported"),
        ("pickle:few", "pickle has no 'few'"),
        *(
            (spec, r"^no dataset called '[^']+' in stereo\.datasets; did you mean 'middlebury'\?")
            for spec in (
                "middlebry:/x",
                "middlebury_v2:scenes",
                "Middlebury:./x",
                "MIDDLEBURY:x",
                "midlebury(gap=1):~/x",
                "middlebury2014:x/y",
                "stereo/middlebury:/x",
                "mideblury:x.y",
            )
        ),
        ("Kitti:/x", "did you mean 'kitti'"),
        (
            "nothing-like-it:/x",
            r"in stereo\.datasets; there are eth3d, kitti, .* \(for your own function give FILE\.py:FUN",
        ),
    ],
)
def test_wrong_datasets_with_sentences(file, spec, says):
    with pytest.raises(Misuse, match=says):
        load.dataset("stereo.datasets", spec.replace("FILE", str(file)))


def test_measures_and_judges_by_their_specs(file):
    assert load.measure_from("stereo.measures", "disparity.rms").__name__ == "rms"
    assert card(load.measure_from("stereo.measures", "bad_pixels(delta=2)")).label == "bad_pixels(delta=2)"
    assert card(load.measure_from("stereo.measures", f"{file}:off(by=3)")).settings == {"by": 3}
    assert load.judge("pareto").__name__ == "pareto"
    assert load.judge(f"{file}:coin(side=tail)")("scores") == "tail"
    with pytest.raises(Misuse, match="bad_pixels has no setting 'dleta'; it has delta, invalid"):
        load.measure_from("stereo.measures", "bad_pixels(dleta=2)")
    with pytest.raises(Misuse, match="uncarded has no card; decorate it"):
        load.measure_from("stereo.measures", f"{file}:uncarded")
    with pytest.raises(NotFound, match="did you mean 'pareto'"):
        load.judge("paretto")
    with pytest.raises(Misuse, match="judge pareto has no setting 'drws'; did you mean 'draws'"):
        load.judge("pareto(drws=3)")


def facts(bench):
    """All that tells what a benchmark asks of whom."""
    dataset = (bench.dataset.ids, bench.dataset.all_ids, bench.dataset.fingerprint)
    measures = [card(m) for m in bench.all_measures]
    return (bench.name, bench.version, dataset, measures, [c.name for c in bench.criteria], bench.provided("baseline"))


def same(one, other):
    return facts(one) == facts(other)


def test_a_benchmark_by_its_name():
    from beholder.stereo.benchmarks.dense import dense

    assert same(load.load("stereo/dense"), dense())
    assert load.load("stereo/dense", dataset=DOTS).dataset.ids == ("rds0", "rds1", "rds2")
    assert load.load("stereo/dense", dataset=random_dots(1, size=64)).dataset.ids == ("rds0",)
    some = load.load("stereo/dense", dataset=DOTS, ids=["rds2", "rds0"], measures=["rms", "bad_pixels(delta=2)"])
    assert some.dataset.ids == ("rds2", "rds0")
    assert [card(m).label for m in some.unjudged.measures][-2:] == ["rms", "bad_pixels(delta=2)"]
    assert some.official == ("bad_pixels",)


@pytest.mark.parametrize(
    "how",
    [
        {},
        {"dataset": DOTS},
        {"dataset": DOTS, "ids": ("rds1",)},
        {"dataset": DOTS, "measures": ("rms", "bad_pixels(delta=0.5)")},
        {"ids": ("random_dots/rds3", "motorcycle/motorcycle")},
    ],
)
def test_a_loaded_benchmark_travels_as_its_spec(how):
    bench = load.load("stereo/dense", **how)
    sent = pack(bench)
    assert len(sent) < 400
    assert same(pickle.loads(sent), bench)
    assert pickle.loads(sent).spec == bench.spec


def test_a_dataset_object_travels_with_its_benchmark():
    for dataset in (load.dataset("stereo.datasets", DOTS)[1:], random_dots(2, size=64)[:1]):
        bench = load.load("stereo/dense", dataset=dataset, measures=["rms"])
        assert bool(bench.spec) == bool(dataset.spec)
        assert same(pickle.loads(pack(bench)), bench)


def test_a_changed_benchmark_is_not_rebuilt_as_it_was():
    bench = load.load("stereo/dense", dataset=DOTS).on(random_dots(1, size=64))
    assert bench.spec == ()
    assert pickle.loads(pack(bench)).dataset.ids == ("rds0",)


@pytest.mark.parametrize(
    ("name", "how", "says"),
    [
        ("stereo/dens", {}, "no benchmark called 'stereo/dens'; did you mean 'stereo/dense'"),
        ("stereo", {}, "no benchmark called 'stereo'"),
        ("dense", {}, "no benchmark called 'dense'; did you mean 'stereo/dense'"),
        ("", {}, "no benchmark called ''"),
        ("judges/pareto", {}, "no benchmark called 'judges/pareto'"),
        ("stereo/dense", {"dataset": "random_dot"}, "did you mean 'random_dots'"),
        ("stereo/dense", {"measures": ["rmss"]}, r"did you mean 'disparity\.rms'"),
        ("stereo/dense", {"measures": ["bad_pixels"]}, "got the measure 'bad_pixels' twice; name each once"),
        ("stereo/dense", {"dataset": DOTS, "ids": ["rds9"]}, "random_dots has no sample 'rds9'; it has rds0, rds1"),
        ("stereo/dense", {"mode": "fast"}, "benchmark stereo/dense has no setting 'mode'"),
    ],
)  # fmt: skip
def test_wrong_benchmarks_with_sentences(name, how, says):
    with pytest.raises(Misuse, match=says):
        load.load(name, **how)


def test_misuse_is_what_it_is():
    assert issubclass(NotFound, Misuse)
    assert issubclass(NotFound, LookupError)
    assert issubclass(Misuse, ValueError)
    assert issubclass(NeedsDataset, Misuse)


def test_settings_reach_the_benchmark(monkeypatch):
    def made(dataset=None, *, mode="facts"):
        return Benchmark(
            f"stereo/dense {mode}", 1, dataset or Dataset("b", ("1",), lambda id: Sample(id, 0, 0)), (), ()
        )

    monkeypatch.setattr(load, "find", lambda place, name: made)
    bench = load.load("stereo/dense", mode="all")
    assert bench.name == "stereo/dense all"
    assert bench.spec == ("stereo/dense", None, (), (("mode", "all"),), None)


def test_only_what_is_all_ours_is_remembered_beyond_a_run(tmp_path):
    (tmp_path / "own.py").write_text("from beholder.stereo.datasets.random_dots import random_dots as dots\n")
    ours = load.load("stereo/dense", dataset="random_dots(count=2,size=64)")
    assert load.memory_of(ours) == load.memory_of(load.confine(ours, ours.dataset.ids[:1])) != ""
    assert load.memory_of(load.load("stereo/dense", dataset="random_dots(count=3,size=64)")) != load.memory_of(ours)
    measured = load.load("stereo/dense", dataset="random_dots(count=2,size=64)", measures=("disparity.rms",))
    assert load.memory_of(measured) not in ("", load.memory_of(ours))
    assert load.memory_of(load.load("stereo/dense", dataset=f"{tmp_path}/own.py:dots")) == ""
    assert load.memory_of(load.load("stereo/dense", dataset=ours.dataset)) == ""
    assert load.memory_of(ours.on(ours.dataset)) == ""
