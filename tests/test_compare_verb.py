"""`beholder compare`: one run, every view, and wrong words."""

import json
import os
import re
import subprocess
import sys

import pytest

WORDS = ("run", "stereo/dense", "--dataset", "random_dots(count=6,size=64)", "--engine", "serial", "--samples", "2")


@pytest.fixture(scope="module")
def beholder(tmp_path_factory):
    """The command, in a folder with one run of six scenes, of which two have pictures."""
    place = tmp_path_factory.mktemp("compare")

    def command(*words):
        return subprocess.run(
            [sys.executable, "-m", "beholder.cli", *words], cwd=place, capture_output=True, text=True, check=False,
            timeout=240, env={**os.environ, "COLUMNS": "120"},
        )  # fmt: skip

    done = command(*WORDS, "--out", "runs/one", "-q")
    assert done.returncode == 0, done.stderr
    command.place = place
    return command


def test_the_newest_run_is_compared_and_named(beholder):
    done = beholder("compare", "sgbm", "block", "-v")
    assert done.returncode == 0, done.stderr
    assert done.stderr == "beholder: comparing in runs/one, the newest run\n"
    title, answer = done.stdout.splitlines()[:2]
    assert "sgbm and block on stereo/dense" in title
    assert re.match(r"(sgbm|block) (is ahead|beats)|No significant difference", answer)
    for piece in ("bad_pixels [%] ↓ nonocc", "won by sgbm", "p (Holm)", "Where they differ most", "sign-flip test"):
        assert piece in " ".join(done.stdout.split())


def test_one_screen_without_v(beholder):
    lines = beholder("compare", "sgbm", "block", "--run", "runs/one").stdout.splitlines()
    assert len(lines) <= 40
    assert len(lines) < len(beholder("compare", "sgbm", "block", "--run", "runs/one", "-v").stdout.splitlines())


def test_markdown_shows_the_pictures_of_the_units(beholder):
    done = beholder("compare", "sgbm", "flat", "--run", "runs/one", "--as", "markdown")
    assert done.stderr == ""
    pictures = re.findall(r"\]\(([^)]*webp)\)", done.stdout)
    assert pictures
    assert all((beholder.place / path).is_file() for path in pictures)


def test_the_page_lies_in_the_run_and_links_its_pictures(beholder):
    done = beholder("compare", "sgbm", "flat", "--as", "html")
    page = beholder.place / done.stdout.strip()
    assert page.parent == beholder.place / "runs" / "one"
    pictures = set(re.findall(r'src="([^"]*webp)"', page.read_text()))
    assert pictures
    assert all((page.parent / path).is_file() for path in pictures)


def test_a_page_elsewhere_links_the_pictures_from_there(beholder):
    done = beholder("compare", "sgbm", "flat", "--as", "html", "--out", "here.html")
    assert done.stdout == "here.html\n"
    assert 'src="runs/one/figures/' in (beholder.place / "here.html").read_text()


def test_json_for_programs(beholder):
    done = beholder("compare", "sgbm", "truth", "--as", "json")
    (found,) = json.loads(done.stdout)["comparisons"]
    assert (found["a"], found["b"], found["benchmark"]) == ("sgbm", "truth", "stereo/dense")
    assert [row["criterion"] for row in found["table"]] == ["nonocc", "all", "disc"]
    assert {row["ahead"] for row in found["units"]} == {"truth"}
    assert any(row["picture"] for row in found["units"])


MISUSE = {
    "unknown model": (("sgbm", "blok"), "did you mean 'block'?"),
    "the same model": (("sgbm", "sgbm"), "expected two models"),
    "unknown view": (("sgbm", "block", "--as", "htm"), "did you mean 'html'?"),
    "unknown benchmark": (("sgbm", "block", "--benchmark", "stereo/dens"), "did you mean 'stereo/dense'?"),
    "a run without its option": (("sgbm", "block", "runs/one"), "a run is given as --run DIR"),
    "no run": (("sgbm", "block", "--run", "nowhere"), "nowhere, which holds no run.json"),
}


@pytest.mark.parametrize(("words", "why"), MISUSE.values(), ids=MISUSE)
def test_misuse_is_a_sentence(beholder, words, why):
    done = beholder("compare", *words)
    assert done.returncode == 2
    assert why in done.stderr
    assert "Traceback" not in done.stderr
