"""What is loaded, and when: a newcomer's first command must not wait for a plotting library."""

import json
import os
import subprocess
import sys

import pytest

import beholder

HEAVY = {"pandas", "scipy", "matplotlib", "cv2", "skimage", "jinja2", "rich", "fastapi", "torch", "PIL", "moocore"}


def loaded(code, tmp_path):
    """The top-level modules that some code loads in a fresh interpreter, and what it printed."""
    tail = "\nimport json, sys\nprint('\\n' + json.dumps(sorted({name.partition('.')[0] for name in sys.modules})))"
    done = subprocess.run(
        [sys.executable, "-c", code + tail],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"BEHOLDER_CACHE": str(tmp_path)},
    )
    assert done.returncode == 0, done.stderr
    text, _, modules = done.stdout.rstrip().rpartition("\n")
    return set(json.loads(modules)), text


def command(*words):
    """The code that runs the command line."""
    return (
        f"import sys\nsys.argv = {['beholder', *words]!r}\nfrom beholder.cli import main\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code, end.code\n"
    )


def test_importing_the_package_loads_nothing(tmp_path):
    modules, _ = loaded("import beholder\nassert beholder.__version__\ndir(beholder)", tmp_path)
    assert not modules & (HEAVY | {"numpy", "typer", "click"})


@pytest.mark.parametrize("words", [("--help",), ("run", "--help")])
def test_help_loads_nothing_heavy(words, tmp_path):
    modules, text = loaded(command(*words), tmp_path)
    assert "Usage" in text
    assert not modules & (HEAVY - {"rich"} | {"numpy"})  # help is set in panels by rich


def test_listing_loads_nothing_heavy(tmp_path):
    modules, text = loaded(command("list"), tmp_path)
    assert "stereo benchmarks" in text
    assert not modules & (HEAVY | {"numpy"})


def test_completion_loads_nothing_heavy(tmp_path, monkeypatch):
    monkeypatch.setenv("_BEHOLDER_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "beholder run stereo/dense --model s")
    monkeypatch.setenv("COMP_CWORD", "4")
    modules, text = loaded(command("run"), tmp_path)
    assert text.split() == ["sad", "sgbm"]  # of stereo, not of other domains
    assert not modules & (HEAVY | {"numpy"})


def test_loading_a_benchmark_plots_nothing_and_reads_no_table(tmp_path):
    modules, _ = loaded("import beholder\nbeholder.load('stereo/dense')", tmp_path)
    assert not modules & {"pandas", "matplotlib", "jinja2", "rich", "fastapi", "torch"}


@pytest.mark.parametrize("name", beholder.__all__)
def test_every_public_name_is_there(name):
    assert getattr(beholder, name)
    assert name in dir(beholder)


def test_public_names_are_documented_with_an_example():
    for name in (name for name in dir(beholder) if name != "__version__"):
        assert ">>>" in getattr(beholder, name).__doc__, name
        assert name in beholder.__doc__, name


def test_wrong_names_get_the_nearest_one():
    with pytest.raises(AttributeError, match="has no attribute 'runn'; did you mean 'run'"):
        _ = beholder.runn
    assert not hasattr(beholder, "_repr_html_")


def test_a_star_import_leaves_pythons_own_list():
    names: dict[str, object] = {}
    exec("from beholder import *", names)
    assert "list" not in names
    assert beholder.list("judges")


def test_the_version_is_that_of_the_package():
    from importlib.metadata import version

    assert beholder.__version__ == version("beholder")
