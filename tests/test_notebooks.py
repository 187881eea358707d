"""The notebooks of docs/: small, executed, telling nothing of the machine; and their code runs."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent.parent / "docs" / "notebooks"
DOMAINS = ["attention", "motion", "stereo", "study", "video"]


def execute():
    spec = importlib.util.spec_from_file_location("execute", FOLDER / "execute.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_there_is_one_for_each_domain():
    assert execute().names() == DOMAINS


@pytest.mark.parametrize("name", DOMAINS)
def test_it_is_small_and_executed(name):
    text = (FOLDER / f"{name}.ipynb").read_text("utf-8")
    book, script = json.loads(text), execute()
    assert len(text) < script.LARGEST
    cells = [cell for cell in book["cells"] if cell["cell_type"] == "code"]
    assert all(cell["outputs"] for cell in cells), "run docs/notebooks/execute.py"
    kinds = {output["output_type"] for cell in cells for output in cell["outputs"]}
    assert "error" not in kinds
    pictures = [out for cell in cells for out in cell["outputs"] if "image/png" in out.get("data", {})]
    assert len(pictures) >= 2
    texts = list(script.outputs(book))
    assert texts
    assert not [path for one in texts for path in script.OURS.findall(one)]


@pytest.mark.slow
@pytest.mark.parametrize("name", DOMAINS)
def test_its_code_runs(name, tmp_path):
    """As plain Python, so that it needs no kernel: its functions travel to workers all the same."""
    (tmp_path / "cells.py").write_text("\n\n".join(execute().code(name)), "utf-8")
    done = subprocess.run([sys.executable, "cells.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "runs in this one" not in done.stderr
