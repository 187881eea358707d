"""What the pages say is what the code does."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from beholder.core.cite import library

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
README = (ROOT / "README.md").read_text("utf-8")


@pytest.mark.parametrize("name", ["catalogue", "cli.md", "python.md"])
def test_what_is_generated_from_the_code_is_up_to_date(name):
    import generate

    made = {DOCS / path: text for path, text in generate.WRITTEN[name]().items()}
    stale = [path.name for path, text in made.items() if not path.exists() or path.read_text("utf-8") != text]
    assert not stale, "run ./do docs"
    gone = {*(DOCS / "reference" / "catalogue").glob("*.md")} - {*made} if name == "catalogue" else ()
    assert not gone


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
    """Also in the repository, without the site; the anchors are checked when it is built."""
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]:
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links {target}"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site, built without a warning."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    quiet = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env=quiet)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.mark.slow
def test_the_site_loads_nothing_from_elsewhere(site):
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 50
    for page in pages:
        text = page.read_text("utf-8")
        loaded = re.findall(r"<(?:script|img|iframe|source|video)[^>]*\bsrc=[\"']?((?:https?:)?//[^\"'\s>]+)", text)
        loaded += re.findall(r"<link[^>]*\bhref=[\"']?((?:https?:)?//[^\"'\s>]+)", text)
        assert not loaded, f"{page.relative_to(site)} loads {loaded}"
    for sheet in site.rglob("*.css"):
        assert not re.search(r"url\([\"']?(?:https?:)?//|@import[^;]*//", sheet.read_text("utf-8")), sheet.name


@pytest.mark.slow
def test_the_site_can_be_searched_and_has_every_card(site):
    found = json.loads((site / "search" / "search_index.json").read_text("utf-8"))
    places = {entry["location"] for entry in found["docs"]}
    assert "reference/catalogue/stereo-measures.html#disparity-bad-pixels" in places
    assert {"start.html", "gallery.html", "tutorials/motion.html", "explanation/which-auc.html"} <= places


def test_citation_is_of_this_version():
    import beholder

    cff = (ROOT / "CITATION.cff").read_text("utf-8")
    assert cff.startswith("cff-version: 1.2.0\n")
    assert f"\nversion: {beholder.__version__}\n" in cff
    assert {"message", "title", "authors", "license"} <= {line.partition(":")[0] for line in cff.splitlines()}
    assert f"version {beholder.__version__}" in library()["Beholder2026"]


def test_no_path_of_a_machine_and_no_registry_host():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()
    for name in listed:
        if name.endswith(".lock"):
            assert "://" not in (ROOT / name).read_text("utf-8"), name
