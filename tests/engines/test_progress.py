import re
import sys

import pytest

from beholder.engines import progress
from beholder.engines.progress import Bar, Lines, Silent, watch


def worked(watching):
    with watching as shown:
        shown.begin("stereo/dense on dots", 4, 1)
        shown.step(False)
        shown.step(True)
        shown.say("a [bold] sentence")


def test_silent_draws_nothing_but_says_what_must_be_said(capsys):
    worked(Silent())
    assert capsys.readouterr() == ("", "a [bold] sentence\n")


def test_lines_for_logs(capsys, monkeypatch):
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    lines = Lines()
    lines.begin("dense", 4, 1)
    lines.step(False)
    now[0] += 11
    lines.step(True)
    lines.step(False)
    lines.begin("sparse", 2, 0)
    said = capsys.readouterr().err.splitlines()
    assert said == ["dense: 4 trials, 1 of them done before", "dense: 3 of 4, 1 failed", "sparse: 2 trials"]


def test_a_bar(capsys):
    worked(Bar())
    out, drawn = capsys.readouterr()
    assert out == ""
    plain = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", drawn)
    assert "stereo/dense on dots" in plain
    assert "3/4" in plain
    assert "1 failed" in plain
    assert "a [bold] sentence" in plain


@pytest.mark.parametrize(
    ("quiet", "terminal", "kind"), [(True, True, Silent), (False, True, Bar), (False, False, Lines)]
)
def test_the_watcher_that_fits(monkeypatch, quiet, terminal, kind):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    assert type(watch(quiet)) is kind
