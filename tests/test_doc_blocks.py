"""Every command and code block of the pages runs, in order, as a reader would type it."""

import os
import re
import shlex
import sys
from pathlib import Path

import pytest
import typer

from beholder.cli import app
from blocks import Reader, bin_of, blocks, commands

ROOT = Path(__file__).parent.parent
PAGES = [page for page in sorted((ROOT / "docs").rglob("*.md")) if blocks(page)]
RUN = [page for page in PAGES if any(not block.reason for block in blocks(page))]


@pytest.fixture(scope="session")
def small(tmp_path_factory):
    """A folder with `beholder` in it: the same program, whose runs are small."""
    folder = tmp_path_factory.mktemp("bin")
    shim = folder / "beholder"
    shim.write_text(
        f"""#!/bin/bash
if [ "$1" = run ]; then
    set -- "$@" --quiet --jobs 1 --samples 1
    [[ " $* " = *" --limit "* || " $* " = *" stereo/dense "*" --baselines none "* ]] || set -- "$@" --limit 2
    [[ " $* " = *" --repeats "* ]] || set -- "$@" --repeats 2
fi
exec {shlex.quote(bin_of())}/beholder "$@"
""",
        "utf-8",
    )
    shim.chmod(0o755)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("page", RUN, ids=lambda page: f"{page.parent.name}/{page.stem}")
def test_the_blocks_of_a_page_run(page, small, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    known = set(sys.modules)
    environment = os.environ | {"PATH": f"{small}:{bin_of()}:{os.environ['PATH']}", "OMP_NUM_THREADS": "1"}
    reader = Reader(tmp_path, environment)
    for block in blocks(page):
        if not block.reason:
            reader.do(block)
    for own in {*sys.modules} - known:
        if str(getattr(sys.modules[own], "__file__", None) or "").startswith(str(tmp_path)):
            del sys.modules[own]  # my.py of another page is another module


def test_a_block_that_is_not_run_says_why_and_there_are_few():
    reasons = [block.reason for page in PAGES for block in blocks(page) if block.reason]
    assert all(len(reason) > 10 for reason in reasons)
    assert len(reasons) <= 60, "let it run, or raise this number on purpose"


def meant(words):
    """The command of the program that a line names, and the words after it."""
    command = typer.main.get_command(app)
    while getattr(command, "commands", None):
        command, words = command.commands[words[0]], words[1:]
    return command, words


def test_what_is_not_run_is_at_least_understood():
    """Verbs and options of commands that need data, weights or a server are those of the program."""
    for page in PAGES:
        lines = [line for block in blocks(page) if block.reason and block.language == "sh" for line in commands(block)]
        for line in lines:
            if found := re.search(r"(?:^|/bin/)beholder ([a-z].+)$", line):
                command, words = meant(shlex.split(found[1]))
                known = {flag for one in command.params for flag in (*one.opts, *one.secondary_opts)}
                assert {word for word in words if word.startswith("--")} <= known, f"{page.name}: {line}"


def test_the_manifests_for_kubernetes_fit_together():
    """A selector finds its pods, a mount its volume and its claim; the command is one of the program."""
    yaml = pytest.importorskip("yaml")
    texts = [block.text for block in blocks(ROOT / "docs/how-to/cluster.md") if block.title.endswith(".yaml")]
    every = [part for text in texts for part in yaml.safe_load_all(text)]
    parts = {(part["kind"], part["metadata"]["name"]): part["spec"] for part in every}
    pods = {key: spec["template"] for key, spec in parts.items() if "template" in spec}
    labels = {key: pod["metadata"]["labels"] for key, pod in pods.items()}
    assert all(spec["selector"]["matchLabels"] == labels[key] for key, spec in parts.items() if key[0] == "Deployment")
    assert parts["Service", "scheduler"]["selector"] == labels["Deployment", "scheduler"]
    for pod in (pod["spec"] for pod in pods.values()):
        (container,) = pod["containers"]
        mounted = {mount["name"] for mount in container.get("volumeMounts", ())}
        claimed = {volume["name"]: volume["persistentVolumeClaim"]["claimName"] for volume in pod.get("volumes", ())}
        assert mounted == {*claimed}
        assert all(("PersistentVolumeClaim", claim) in parts for claim in claimed.values())
    (run,) = pods["Job", "run"]["spec"]["containers"]
    command, words = meant(run["command"][1:])
    known = {flag for one in command.params for flag in one.opts}
    assert {word for word in words if word.startswith("--")} <= known
