"""What was done to runs and what came out, as a table: told by the tests themselves, printed, and kept in the repo."""

import platform
from pathlib import Path

from fault_runs import COUNT

FILE = Path(__file__).parents[1] / "benchmarks" / "FAULTS.md"
WHAT, OUT = "what was done", "what came out"
HEAD = """# Faults

Written by `./do test -m faults`, not by hand: what was done to a run, and what came out. A run is that of a small
benchmark (stereo/dense on {count} random-dot pairs, a model in a file, two workers) unless the line says otherwise;
"the same table" means that scores.csv equals that of an undisturbed run in one process, byte for byte.

{machine}. {passed} of {all} tests passed in {minutes:.1f} minutes.

| what was done | what came out |
|---|---|
"""


def tell(node, done, came):
    """A line of the table."""
    node.user_properties.append((WHAT, (done, came)))


def lines(reports):
    """The lines of all tests, in the order of their files; a test that failed says so."""
    found = []
    for report in sorted(reports, key=lambda one: one.location[:2]):
        own = [value for name, value in report.user_properties if name == WHAT]
        if report.failed or report.skipped:
            why = report.longrepr[2] if report.skipped and isinstance(report.longrepr, tuple) else "see the test"
            own = [(report.location[2], f"{report.outcome.upper()}: {why}")]
        found += [f"| {done} | {came} |" for done, came in own]
    return found


def write(reports, seconds):
    """Keep the table; returns its text."""
    machine = f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"
    passed = sum(report.passed for report in reports)
    head = HEAD.format(count=COUNT, machine=machine, passed=passed, all=len(reports), minutes=seconds / 60)
    text = head + "\n".join(lines(reports)) + "\n"
    FILE.write_text(text, encoding="utf-8")
    return text
