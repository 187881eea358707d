"""What the default install leaves out: everything else works without it, and what needs it says how to get it."""

import subprocess
import sys

import pytest

from beholder.extras import EXTRAS

HIDE = """
import sys

class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {hidden!r}:
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Hidden())
import importlib.util
real = importlib.util.find_spec
importlib.util.find_spec = lambda name, *more: None if name.partition(".")[0] in {hidden!r} else real(name, *more)
"""


def without(words, cwd):
    """What the command says where no extra is installed."""
    hidden = sorted({module for extra in EXTRAS.values() for module in extra.modules})
    code = HIDE.format(hidden=hidden) + f"sys.argv = {['beholder', *words]!r}\nfrom beholder.cli import main\nmain()\n"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=cwd)


def test_a_benchmark_runs_without_any_extra(tmp_path):
    done = without(["run", "stereo/dense", "--limit", "1", "--jobs", "1", "--engine", "serial", "-q"], tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("words", [("study", "status", "x.toml"), ("study", "serve", "demo")])
def test_the_study_server_says_how_to_get_it(words, tmp_path):
    (tmp_path / "x.toml").write_text("")
    done = without(words, tmp_path)
    assert done.returncode == 2, done.stderr
    assert "pip install 'beholder[study]'" in done.stderr
    assert "Traceback" not in done.stderr
