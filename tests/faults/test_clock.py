"""The clock goes backwards: within a run, and between a run and its continuation."""

import os
import signal
import time

BACKWARDS = """
import time
real, began, since = time.time, time.time(), time.monotonic()
def time_():
    return began - {ago} - 100 * (time.monotonic() - since)  # each second takes it 100 s back
time.time, time.time_ns = time_, lambda: int(time_() * 1e9)
"""


def turned(place, ago):
    """The place, with a clock that runs backwards, from so many seconds ago, in every process."""
    (place.root / "clock").mkdir(exist_ok=True)
    (place.root / "clock" / "sitecustomize.py").write_text(BACKWARDS.format(ago=ago))
    place.env["PYTHONPATH"] = os.pathsep.join([str(place.root / "clock"), os.environ.get("PYTHONPATH", "")])


def test_it_runs_backwards_during_a_run(place, undisturbed, tell):
    turned(place, 0)
    code, said = place.run()
    assert code == 0, said
    assert place.scores() == undisturbed
    tell("a clock that goes back 100 s each second", "the same table, exit code 0")


def test_it_was_turned_back_a_year_before_a_run_goes_on(place, undisturbed, tell):
    running = place.start()
    while len(place.finished()) < 3 and running.poll() is None:
        time.sleep(0.1)
    os.kill(running.pid, signal.SIGKILL)
    running.communicate()
    kept, calls = len(place.finished()), len(place.calls())
    future = time.time() + 365 * 86400
    for file in place.root.rglob("*"):
        os.utime(file, (future, future))
    turned(place, 365 * 86400)
    code, said = place.run()
    assert code == 0, said
    assert place.scores() == undisturbed
    assert len(place.calls()) - calls == 24 - kept
    tell(
        "killed, the clock turned back by a year, files dated a year ahead, and resumed",
        f"the same table; {kept} of 24 samples were finished and are not asked again",
    )
