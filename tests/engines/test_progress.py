import sys
from io import StringIO

import pytest
from rich.console import Console

from beholder.engines import progress
from beholder.engines.progress import ANSWERING, DRAWING, Bar, Course, Lines, Silent, watch


def worked(watching):
    with watching as shown:
        shown.begin("stereo/dense on dots", 4, 1, phase=ANSWERING)
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
    lines.begin("dense", 4, 1, phase=ANSWERING, failed=1)
    lines.step(False)
    now[0] += 11
    lines.step(True)
    lines.step(False)
    lines.begin("dense", 2, 0, "pictures", phase=DRAWING)
    lines.follow(lambda: Course(1, 2, 95.0, True, 0.5))
    now[0] += 11
    lines.step(False)
    lines.begin("sparse", 2, 0)
    said = capsys.readouterr().err.splitlines()
    assert said == [
        "dense: 4 trials, 1 of them done before (1 failed)",
        "dense: 3 of 4, 2 failed",
        "dense: drawing 1 of 2, 1:35 left",  # a phase is told of only where it takes long
        "sparse: 2 trials",
    ]


def drawn(bar):
    """What a bar shows now, in a terminal of 80 columns."""
    console = Console(width=80, file=StringIO())
    console.print(bar._drawn())
    return console.file.getvalue()


def test_a_bar_of_one_thing(capsys):
    with Bar() as bar:
        bar.begin("stereo/dense on dots", 4, 1, phase=ANSWERING)
        bar.step(False)
        bar.step(True)
        bar.say("a [bold] sentence")
        shown = drawn(bar)
    assert "stereo/dense on dots: answering 3 of 4 trials · 1 failed" in shown
    assert "a [bold] sentence" in capsys.readouterr().err
    assert "benchmarks" not in shown


def test_a_bar_of_a_whole_run_never_looks_finished_and_never_goes_back():
    with Bar() as bar:
        bar.follow(lambda: Course(2, 24, 61.0, True, 1.0))
        bar.begin("the report", 24, 0, "benchmarks", phase="judging")
        full = drawn(bar)
        bar.follow(lambda: Course(2, 24, None, False, 0.1))
        bar._farthest = 0.5
        again = drawn(bar)
    assert "2 of 24 benchmarks · 1:01 left" in full
    assert "the report: judging 0 of 24 benchmarks" in full
    assert "time left not known yet" in again
    assert bar._farthest == 0.5
    assert all(len(line.rstrip()) <= 80 for line in (full + again).splitlines())


@pytest.mark.parametrize(
    ("quiet", "terminal", "term", "kind"),
    [(True, True, "xterm", Silent), (False, True, "xterm", Bar), (False, False, "xterm", Lines),
     (False, True, "dumb", Lines)],
)  # fmt: skip
def test_the_watcher_that_fits(monkeypatch, quiet, terminal, term, kind):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    monkeypatch.setenv("TERM", term)
    assert type(watch(quiet)) is kind
