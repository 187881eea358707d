"""SIGKILL of a Dask worker and of the scheduler during a run: the run goes on, or says so and is resumed."""

import os
import signal

import pytest

from fault_runs import COUNT, Place, until

distributed = pytest.importorskip("distributed", reason="Dask is not installed: pip install 'beholder[cluster]'")
pytestmark = pytest.mark.filterwarnings("ignore")  # of Dask's own

import dask_clusters  # noqa: E402


class Cluster:
    """A scheduler and two workers on the loopback; the address outlives them."""

    def __init__(self, place):
        self._place, self._port, self._parts = place, 0, []
        self.start()

    def start(self):
        scheduler, self.address = dask_clusters.scheduler(self._place, self._port)
        self._port = int(self.address.rpartition(":")[2])
        self._parts = [scheduler, dask_clusters.workers(self.address, self._place, 2)]

    def workers(self):
        """Their process ids."""
        with distributed.Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)
            return sorted(client.run(os.getpid).values())

    def kill_scheduler(self):
        self._parts[0].kill()
        self._parts[0].wait()

    def end(self):
        dask_clusters.end(*self._parts)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    made = Cluster(tmp_path_factory.mktemp("dask"))
    yield made
    made.end()


@pytest.fixture(scope="module")
def begun(tmp_path_factory, cluster):
    """Begin a run on the cluster; gives its place, and the run when some samples are finished."""

    def begin(name):
        place = Place(tmp_path_factory.mktemp(name))
        running = place.start("--engine", f"dask:{cluster.address}")
        until(lambda: len(place.finished()) >= 3 or running.poll() is not None)
        return place, running

    return begin


def test_a_worker(cluster, begun, undisturbed, tell):
    victim, *others = cluster.workers()
    place, running = begun("worker")
    os.kill(victim, signal.SIGKILL)
    kept = len(place.finished())
    said, _ = running.communicate(timeout=120)
    assert running.returncode == 0, said
    assert kept < COUNT  # it met the run
    assert set(others) < set(now := cluster.workers())
    assert victim not in now
    assert place.scores() == undisturbed
    tell(
        "SIGKILL of one of two Dask workers during a run (--engine dask:ADDRESS)",
        f"the same table, exit code 0; {len(place.calls())} model calls",
    )


def test_the_scheduler(cluster, begun, undisturbed, tell):
    place, running = begun("scheduler")
    cluster.kill_scheduler()
    said, _ = running.communicate(timeout=120)
    assert running.returncode == 2, said
    assert f"the Dask scheduler at {cluster.address} is gone; what was finished is kept" in said.decode()
    assert "Traceback" not in said.decode()
    finished, since = place.finished(), len(place.calls())
    assert 0 < len(finished) < COUNT
    cluster.end()
    cluster.start()
    code, said = place.run("--engine", f"dask:{cluster.address}")
    assert code == 0, said
    assert not finished & set(place.calls()[since:])  # nothing committed is computed again
    assert place.scores() == undisturbed
    tell(
        "SIGKILL of the Dask scheduler during a run",
        "exit code 2: “the Dask scheduler at … is gone; what was finished is kept …”; the same command with a new one: "
        f"the same table, {len(finished)} of {COUNT} samples not asked again",
    )
