"""SIGKILL at any instant: the same command goes on, nothing committed is computed again, the table is the same."""

import os
import random
import signal
import time

from beholder.io.programs import descendants
from beholder.io.scratch import OWNER
from fault_runs import COUNT, Place
from processes import still_running

KILLS, EACH = 30, 5  # of the coordinator in all, and in one run


def kill(running):
    """Kill the coordinator, and wait until its workers have gone with it."""
    workers = descendants(running.pid)
    running.kill()  # nothing where it has ended by itself
    running.wait()
    running.stdout.close()
    assert not still_running(workers)


def killed_run(place, rng, length):
    """A run that is killed five times and then left in peace; how many kills met it, and what they met."""
    kills, kept = 0, []
    for _ in range(EACH):
        running = place.start()
        time.sleep(rng.uniform(0.02, 1.0) * length)
        kills += running.poll() is None
        kill(running)
        finished = place.finished()
        assert all(before <= finished for before, _ in kept)  # what was committed stays
        kept.append((finished, len(place.calls())))
    code, said = place.run()
    assert code == 0, said
    assert not list(place.temporary.glob(f"*/{OWNER}"))  # swept away, but for what was killed while it was made
    calls = place.calls()
    for finished, since in kept:
        assert not finished & set(calls[since:])  # nothing committed is computed again
    return kills, [len(finished) for finished, _ in kept], len(calls)


def test_the_coordinator_at_random_instants(tmp_path, undisturbed, tell):
    rng, warm = random.Random(22), Place(tmp_path / "warm")
    warm.run()  # imports are on disk by now
    began = time.monotonic()
    code, said = warm.run("--fresh")
    length = time.monotonic() - began
    assert code == 0, said
    kills, states, asked, runs = 0, [], 0, 0
    while kills < KILLS and runs < KILLS:
        place = Place(tmp_path / str(runs))
        met, kept, calls = killed_run(place, rng, length)
        assert place.scores() == undisturbed
        kills, states, asked, runs = kills + met, states + kept, asked + calls, runs + 1
    assert kills >= KILLS
    assert any(0 < held < COUNT for held in states)  # some in the middle of the answers
    tell(
        f"SIGKILL of the coordinator at {kills} random instants of {runs} runs, resumed after each",
        f"the same table each time; no committed trial computed again ({asked} model calls for {runs * COUNT} trials; "
        f"the ledger held {min(states)} to {max(states)} of {COUNT} at a kill)",
    )


def test_workers(tmp_path, undisturbed, tell):
    rng, victims, asked = random.Random(23), 0, 0
    for run in range(3):
        place = Place(tmp_path / str(run))
        victims += kill_two_workers(place, rng)
        assert place.scores() == undisturbed
        asked += len(place.calls())
    assert victims
    tell(
        f"SIGKILL of {victims} workers, two at the most in each of three runs",
        f"the same table each time, exit code 0; {asked} model calls for {3 * COUNT} trials",
    )


def kill_two_workers(place, rng):
    """A run that loses two workers: a trial whose worker has died three times would be given up."""
    running, victims, asked = place.start(), 0, 0
    while running.poll() is None and victims < 2:
        time.sleep(0.3)
        young = sorted(descendants(running.pid))
        if young and len(place.calls()) > asked + 2:
            os.kill(rng.choice(young), signal.SIGKILL)
            victims, asked = victims + 1, len(place.calls())
    said, _ = running.communicate(timeout=300)
    assert running.returncode == 0, said
    return victims


def test_two_runs_in_one_folder_at_once(place, undisturbed, tell):
    first = place.start()
    while not (place.root / "out" / "ledger.sqlite").exists():
        time.sleep(0.02)
    code, said = place.run()
    told, _ = first.communicate(timeout=300)
    assert (first.returncode, code) == (0, 2), told
    assert "out is being written by another run; wait for it, or choose another --out" in said
    assert place.scores() == undisturbed
    tell(
        "a second run in the same folder, meanwhile",
        "exit code 2: “out is being written by another run; wait for it …”; the first: the same table",
    )


def test_two_runs_with_one_cache_at_once(place, undisturbed, tell):
    both = [place.start(out=out) for out in ("a", "b")]
    assert [(run.communicate(timeout=300)[0], run.returncode)[1] for run in both] == [0, 0]
    assert place.scores("a") == place.scores("b") == undisturbed
    tell("two runs at once in two folders, one cache", "the same table twice")
