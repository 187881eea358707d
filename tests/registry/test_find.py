import os
import subprocess
import sys

import pytest

from beholder.errors import NotFound
from beholder.registry import find as finder
from beholder.registry.find import carded, domains, find, names, nearest, offered

HEAVY = ("numpy", "scipy", "pandas", "cv2", "skimage", "matplotlib")


def python(code, **environment):
    """What a fresh interpreter prints."""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=os.environ | environment, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_path_is_the_registry():
    assert "stereo" in domains()
    assert {"block", "sgbm", "flat", "random"} <= set(names("stereo.models"))
    assert {"disparity.bad_pixels", "disparity.rms"} <= set(names("stereo.measures"))
    assert "dense" in names("stereo.benchmarks")
    assert {"pareto", "mean_rank"} <= set(names("judges"))
    assert names("nowhere.models") == []


def test_listing_imports_nothing():
    code = (
        "import sys\nfrom beholder.registry.find import domains, names, offered\n"
        "kinds = ('datasets', 'models', 'measures', 'benchmarks')\n"
        "found = [name for domain in domains() for kind in kinds for name in names(f'{domain}.{kind}')]\n"
        "offered('stereo.models'), names('judges'), names('reports')\n"
        "assert 'disparity.mae' in found\n"
        f"loaded = [m for m in sys.modules if m.partition('.')[0] in {HEAVY!r} or m.startswith('beholder.stereo')]\n"
        "print(loaded)"
    )
    assert python(code) == "[]"


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A package folder of the test's own."""
    monkeypatch.setattr(finder, "ROOT", tmp_path)
    for place in ("toy/models", "toy/measures", "toy/benchmarks", "other"):
        (tmp_path / place).mkdir(parents=True)
    for file in ("plain", "_private", "__init__"):
        (tmp_path / "toy" / "models" / f"{file}.py").write_text("raise RuntimeError('imported')\n")
    (tmp_path / "toy" / "models" / "weights.npz").write_text("")
    (tmp_path / "toy" / "models" / "folder").mkdir()
    return tmp_path


def test_private_files_are_not_listed(tree):
    assert domains() == ["toy"]
    assert names("toy.models") == ["plain"]


def test_measures_are_the_functions_that_are_decorated(tree):
    (tree / "toy" / "measures" / "first.py").write_text(
        "@measure(better='lower')\ndef near(a, b): pass\n"
        "@core.measure(better='lower')\ndef far(a, b): pass\n"
        "@other\ndef help_(): pass\ndef plain(): pass\n"
        "class Not:\n    @measure()\n    def inside(self): pass\n"
        "@source('x')\n@measure(better='lower')\ndef twice(a, b): pass\n"
    )
    assert names("toy.measures") == ["first.near", "first.far", "first.twice"]
    assert carded(tree / "toy" / "models" / "plain.py") == []


def test_a_short_name_that_two_families_have_is_refused(tree):
    for family in ("one", "two"):
        (tree / "toy" / "measures" / f"{family}.py").write_text("@measure()\ndef near(a, b): pass\n")
    with pytest.raises(NotFound, match=r"'near' is several measures; expected one of one\.near, two\.near"):
        find("toy.measures", "near")


def test_measures_go_by_their_short_names_too():
    assert find("stereo.measures", "rms") is find("stereo.measures", "disparity.rms")
    with pytest.raises(NotFound, match=r"nothing called 'rmse' in stereo\.measures; did you mean 'disparity\.rms'\?"):
        find("stereo.measures", "rmse")


@pytest.mark.parametrize(
    ("name", "known", "says"),
    [
        ("dens", ["stereo/dense", "motion/static"], "; did you mean 'stereo/dense'?"),
        ("bad_pixel", ["disparity.bad_pixels"], "; did you mean 'disparity.bad_pixels'?"),
        ("qqq", ["b", "a"], "; there are a, b"),
        ("qqq", [], "; there is nothing there"),
    ],
)
def test_the_nearest_word(name, known, says):
    assert nearest(name, known) == says


def test_a_fault_inside_a_found_file_is_raised_as_it_is(tmp_path, monkeypatch):
    import beholder

    broken = tmp_path / "toy" / "models"
    broken.mkdir(parents=True)
    (broken / "broken.py").write_text("import no_such_module\n")
    monkeypatch.setattr(finder, "ROOT", tmp_path)
    monkeypatch.setattr(beholder, "__path__", [*beholder.__path__, str(tmp_path)])
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        find("toy.models", "broken")


PLUGIN = """
from beholder.core.measure import measure
from beholder.core.sample import Dataset
from beholder.stereo.datasets.random_dots import random_dots
from beholder.stereo.benchmarks.dense import dense

@measure(better="lower", bounds=(0, 1), cite="")
def off(found, true):
    return 0.5

def half(pair):
    return pair.left * 0 + 0.5

def few(count=1):
    return random_dots(count, size=64)

def mini(dataset=None):
    from dataclasses import replace
    return replace(dense(dataset or few()), name="stereo/mini")

def coin(scores):
    return None
"""

POINTS = {
    "beholder.stereo.models": "half = beholder_plugin_of_a_test:half\nbroken = beholder_plugin_of_a_test:gone",
    "beholder.stereo.datasets": "few = beholder_plugin_of_a_test:few",
    "beholder.stereo.measures": "own.off = beholder_plugin_of_a_test:off",
    "beholder.stereo.benchmarks": "mini = beholder_plugin_of_a_test:mini",
    "beholder.judges": "coin = beholder_plugin_of_a_test:coin",
}

USE = """
import pickle, sys
from beholder.registry import load
from beholder.registry.catalogue import listing, shown
from beholder.registry.find import find, offered
from beholder.registry.models import model

listed = listing("stereo")
assert "half" in listed and "few" in listed and "own.off" in listed and "mini" in listed, listed
assert "beholder_plugin_of_a_test" not in sys.modules
mini = load.load("stereo/mini", dataset="few(count=2)", measures=["own.off"])
assert mini.name == "stereo/mini" and len(mini.dataset) == 2 and mini.unjudged.measures[-1].__name__ == "off"
back = pickle.loads(pickle.dumps(mini))
assert back.dataset.ids == mini.dataset.ids and back.unjudged.measures[-1] is mini.unjudged.measures[-1]
assert (model("half", mini).function()(mini.dataset[0].stimulus) == 0.5).all()
assert load.judge("coin").__name__ == "coin"
assert "stereo/mini  (benchmark)" in shown("stereo/mini")
assert "half  (stereo model)" in shown("half")
try:
    find("stereo.models", "broken")
except AttributeError as fault:
    assert "gone" in str(fault)
    print("done")
"""


def test_other_packages_join_by_entry_points(tmp_path):
    (tmp_path / "beholder_plugin_of_a_test.py").write_text(PLUGIN)
    facts = tmp_path / "beholder_plugin_of_a_test-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: beholder-plugin-of-a-test\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text("".join(f"[{group}]\n{points}\n" for group, points in POINTS.items()))
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    assert python(USE, PYTHONPATH=path, BEHOLDER_CACHE=str(tmp_path / "cache")) == "done"
    assert "half" not in offered("stereo.models")  # not installed here
