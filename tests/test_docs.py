"""What the pages say is what the code does."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def generator():
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_catalogue_is_up_to_date():
    assert (ROOT / "docs" / "catalogue.md").read_text("utf-8") == generator().catalogue(), "run ./do docs"


@pytest.mark.slow
def test_the_readme_example_runs_and_says_what_it_says(tmp_path):
    mine, script = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    (says,) = re.findall(r"```text\n(.*?)```", README, re.DOTALL)
    (tmp_path / "my.py").write_text(mine)
    (tmp_path / "example.py").write_text(script)
    done = subprocess.run([sys.executable, "example.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    printed, at, cited = done.stdout.partition("\n@")
    assert printed.split() == says.split()
    assert at
    assert cited
    command = next(line for line in README.splitlines() if "--model mine=my.py:mine" in line)
    words = command.split()[1:]
    run = subprocess.run([sys.executable, "-m", "beholder.cli", *words, "-q"], cwd=tmp_path, check=False)
    assert run.returncode == 0


def test_links_lead_somewhere():
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links {target}"


def test_no_path_of_a_machine_and_no_registry_host():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()
    for name in listed:
        if name.endswith(".lock"):
            assert "://" not in (ROOT / name).read_text("utf-8"), name
