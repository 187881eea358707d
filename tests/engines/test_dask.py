"""A Dask cluster on the loopback: the table of this process, and models whose faults cost what they cost elsewhere.

Kills of Dask's own processes during a run: tests/faults/test_dask.py.
"""

import os
import signal
import socket
import time
from contextlib import closing, contextmanager
from dataclasses import replace

import pandas as pd
import pytest

import beholder as bh
import toys
from beholder import extras
from beholder.engines.dispatch import find_engine
from beholder.engines.hosting import TRIM
from beholder.engines.progress import Silent
from beholder.engines.protocol import Died, Late
from beholder.errors import Misuse
from beholder.evaluation import execute, plan
from beholder.evaluation.forecast import forecast

distributed = pytest.importorskip("distributed", reason="Dask is not installed: pip install 'beholder[cluster]'")
dask = pytest.importorskip("dask")
pytestmark = pytest.mark.filterwarnings("ignore")  # of Dask's own

import dask_clusters  # noqa: E402


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """The address of a scheduler with three workers, one of which says that it has a GPU."""
    place = tmp_path_factory.mktemp("dask")
    parts = []
    try:
        running, address = dask_clusters.scheduler(place)
        parts += [running, dask_clusters.workers(address, place, 2)]
        parts += [dask_clusters.workers(address, place, 1, "--name", "gpu", "--resources", "gpu=1")]
        with distributed.Client(address, set_as_default=False) as client:
            client.wait_for_workers(3, timeout=60)
        yield address
    finally:
        dask_clusters.end(*parts)


@contextmanager
def opened(address, timeout=20.0):
    """An engine there, when workers that an earlier test has killed are back."""
    with distributed.Client(address, set_as_default=False) as client:
        client.wait_for_workers(3, timeout=60)
    with closing(find_engine(f"dask:{address}")(1, timeout=timeout)) as engine:
        yield engine


def on_workers(engine):
    """Process ids of the Dask workers, by name."""
    return {str(w["name"]): engine.client.run(os.getpid, workers=[a])[a] for a, w in engine._workers.items()}


def run_whole(folder, engine):
    """A run with a user's model, every answer kept, nothing drawn."""
    request = plan.Request(
        "stereo/dense", ("random_dots(count=3,size=64)",), (f"{folder}/m.py:five",), baselines="block"
    )
    how = execute.Options(folder / engine.partition(":")[0], samples=0, keep_answers=True, fresh=True, engine=engine)
    execute.execute(plan.plan(request), how, Silent())
    return how.out


def test_scores_are_those_of_this_process_to_the_byte(cluster, tmp_path):
    (tmp_path / "m.py").write_text("import numpy as np\ndef five(pair): return np.full(pair.left.shape[:2], 5.0)\n")
    here, there = (run_whole(tmp_path, engine) for engine in ("serial", f"dask:{cluster}"))
    assert (there / "scores.csv").read_bytes() == (here / "scores.csv").read_bytes()
    kept = [{file.relative_to(at): file.read_bytes() for file in (at / "answers").rglob("*.*")} for at in (there, here)]
    assert kept[0] == kept[1] != {}


def test_hosted_processes_keep_the_memory_that_they_will_use_again(cluster):
    assert TRIM in dask.config.get("distributed.nanny.pre-spawn-environ")  # Dask's own do not
    with opened(cluster) as engine:
        assert engine.submit(os.getenv, TRIM).result(60) is None


def dying(stimulus, *, rng):
    """Ends its process on the samples of one place."""
    if stimulus[0] == 1:
        os._exit(5)
    return stimulus[0] + rng.standard_normal(10)


@pytest.mark.slow
def test_rows_of_a_model_that_kills_its_process_are_those_of_local(cluster):
    bench = toys.glances(toys.lines(6))
    here = bh.run(bench, {"dying": dying}, repeats=3, jobs=1)
    there = bh.run(bench, {"dying": dying}, repeats=3, engine=f"dask:{cluster}")
    pd.testing.assert_frame_equal(there, here)
    lost = there[(there["model"] == "dying") & (there["state"] == "failed")]
    assert lost["reason"].str.contains("the worker process exited with code 5").any()


def test_a_task_that_hangs_is_cut_and_its_worker_goes_on(cluster):
    with opened(cluster, timeout=1) as engine:
        with pytest.raises(Late, match="no answer within 1 s"):
            engine.submit(time.sleep, 30).result(20)
        with pytest.raises(Died, match="killed by SIGKILL"):
            engine.submit(signal.raise_signal, signal.SIGKILL).result(20)
        with pytest.raises(RuntimeError, match="ZeroDivisionError"):
            engine.submit(divmod, 1, 0).result(20)
        assert [engine.submit(pow, 2, n).result(20) for n in range(5)] == [1, 2, 4, 8, 16]


def _slowly(value):
    time.sleep(0.2)
    return value


def _kill_dask_worker():
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(30)


@pytest.mark.slow
def test_poison_for_dask_workers_is_told_and_takes_nobody_along(cluster):
    with opened(cluster) as engine:
        poison = engine.submit(_kill_dask_worker)
        others = [engine.submit(_slowly, n) for n in range(2)]  # each has a worker of its own
        with pytest.raises(Died, match="the Dask worker died") as told:
            poison.result(120)
        assert told.value.deaths == 2  # as often as this scheduler tries
        assert [future.result(60) for future in others] == [0, 1]


def gpu_model(patch):
    return float(os.getppid())


def greedy(patch):
    return 1.0


gpu_model.resources = {"gpu": 1}
greedy.resources = {"gpu": 9, "memory": "2 MB"}


@bh.measure(better="higher", bounds=(0, float("inf")), cite="")
def said(observed, rating):
    """The answer itself."""
    return observed


def test_models_run_where_their_resources_are(cluster):
    bench = bh.Benchmark("toy/x", 1, toys.items(4), (said,), (toys.nobody,))
    with opened(cluster) as engine:
        scores = bh.run(bench, {"gpu_model": gpu_model, "greedy": greedy}, engine=engine)
        assert set(scores.loc[scores["model"] == "gpu_model", "value"]) == {float(on_workers(engine)["gpu"])}
    lacking = scores[scores["model"] == "greedy"]
    assert set(lacking["state"]) == {"failed"}
    assert set(lacking["reason"]) == {"it needs gpu=9, memory=0.002 GB, and no worker has that"}


ONLY_HERE = """
import os, sys
sys.path.insert(0, {tests!r})
import toys
def mine():
    if "BEHOLDER_SHELF" in os.environ:
        raise FileNotFoundError("no such folder on this machine")
    return toys.items(5)
"""


@pytest.mark.parametrize("late", [False, True], ids=["from the first", "when models are opened"])
def test_samples_travel_where_workers_cannot_read_the_dataset(cluster, tmp_path, monkeypatch, late):
    from beholder.registry.load import dataset

    (tmp_path / "own.py").write_text(ONLY_HERE.format(tests=str(dask_clusters.HERE)))
    bench = toys.opinions(dataset("stereo.datasets", f"{tmp_path}/own.py:mine"))
    here = bh.run(bench, jobs=0)
    told = Told()
    if late:  # as where a worker comes after all were asked
        monkeypatch.setattr("beholder.engines.dispatch._unseen", lambda engine, parcel: "")
    there = bh.run(bench, engine=f"dask:{cluster}", watch=told)
    pd.testing.assert_frame_equal(there, here)
    assert [said for said in told.said if "samples travel with their tasks" in said]


GONE_LATER = """
import os, pathlib, sys
sys.path.insert(0, {tests!r})
import toys
GONE = pathlib.Path({gone!r})
def mine():
    if "BEHOLDER_SHELF" in os.environ and GONE.exists():
        raise FileNotFoundError("no longer on this machine")
    return toys.items(5)
def five(patch):
    GONE.touch()
    return 0.5
"""


def test_samples_travel_when_a_worker_can_no_longer_read_the_dataset(cluster, tmp_path):
    """As where a folder is no longer mounted, or a worker comes later from a machine that does not have it."""
    from beholder.registry.load import dataset

    own, gone = tmp_path / "own.py", tmp_path / "gone"
    own.write_text(GONE_LATER.format(tests=str(dask_clusters.HERE), gone=str(gone)))
    bench = toys.opinions(dataset("stereo.datasets", f"{own}:mine"))
    both = {"five": f"{own}:five", "again": f"{own}:five"}
    here = bh.run(bench, both, jobs=0)
    gone.unlink()
    with opened(cluster) as engine:
        told, renew = Told(), engine.renew

        def with_the_folder_gone():
            gone.touch()
            renew()

        engine.renew = with_the_folder_gone
        there = bh.run(bench, both, engine=engine, watch=told)
    pd.testing.assert_frame_equal(there, here)
    (said,) = [said for said in told.said if "samples travel with their tasks" in said]
    assert "no longer on this machine" in said


class Told:
    """A watch that remembers what was said."""

    def __init__(self):
        self.said = []

    def __getattr__(self, name):
        return self.said.append if name == "say" else lambda *args, **more: None


@pytest.mark.slow
def test_the_cluster_that_is_started_here_gives_the_same_table_and_listens_to_nobody_else():
    bench = toys.opinions(toys.items(6))
    with closing(find_engine("dask")(2)) as engine:
        pd.testing.assert_frame_equal(bh.run(bench, engine=engine), bh.run(bench, jobs=0))
        told = engine.client.scheduler_info(n_workers=-1)
        ports = [one["services"]["dashboard"] for one in (told, *told["workers"].values())]
        assert len(ports) == 3
        for port in ports:
            with pytest.raises(ConnectionRefusedError):  # who listens to everybody listens there, too
                socket.create_connection(("127.0.0.2", port), timeout=5).close()


def test_a_dry_run_counts_the_workers_of_the_cluster(cluster):
    what = plan.plan(plan.Request("stereo/dense", ("random_dots(count=1,size=64)",), baselines="block"))
    with opened(cluster):
        assert "3 workers" in forecast(what, execute.Options(jobs=7, engine=f"dask:{cluster}"))
    assert "1 worker" in forecast(what, execute.Options(jobs=7, engine="serial"))


def test_where_nobody_answers_a_sentence_says_so(monkeypatch):
    monkeypatch.setattr("beholder.engines.dask.ANSWER", 0.5)
    with pytest.raises(Misuse, match=r"no Dask scheduler answers at tcp://127.0.0.1:9 .*start one"):
        find_engine("dask:tcp://127.0.0.1:9")(1)


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("tcp://127.0.0.1", "has no port; expected one, such as dask:tcp://head:8786"),
        ("tcp://nobody.invalid:8786", "no machine called 'nobody.invalid' is known here"),
    ],
)
def test_an_address_that_cannot_be_one_is_refused_at_once(address, sentence):
    with pytest.raises(Misuse, match=sentence):
        find_engine(f"dask:{address}")(1)


def test_an_engine_that_does_not_open_makes_no_folder_and_empties_none(monkeypatch, tmp_path):
    what = plan.plan(plan.Request("stereo/dense", ("random_dots(count=1,size=64)",), baselines="block"))
    kept, none = (execute.Options(tmp_path / name, jobs=0, samples=0, fresh=True) for name in ("kept", "none"))
    execute.execute(what, kept, Silent())
    before = (tmp_path / "kept" / "scores.csv").read_bytes()
    for how in (kept, none):
        with pytest.raises(Misuse, match="got --engine dask:nonsense; expected dask:tcp://HOST:PORT"):
            execute.execute(what, replace(how, jobs=1, engine="dask:nonsense"), Silent())
    assert (tmp_path / "kept" / "scores.csv").read_bytes() == before
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    ("file", "why"), [("", "not all of them are set"), ("none.pem", "No such file"), ("no.pem", "no certificate")]
)
def test_an_address_with_tls_needs_certificates(tmp_path, file, why):
    (tmp_path / "no.pem").write_text("rubbish")
    told = {f"distributed.comm.tls.{one}": str(tmp_path / file) for one in ("ca-file", "client.cert") if file}
    wanted = rf"for which Dask needs certificates \(.*{why}.*DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY: docs/how-to"
    with dask.config.set(told), pytest.raises(Misuse, match=wanted):
        find_engine("dask:tls://127.0.0.1:9")(1)


def test_a_port_that_says_nothing_is_given_up(monkeypatch):
    monkeypatch.setattr("beholder.engines.dask.ANSWER", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as mute:
        address = f"tcp://127.0.0.1:{mute.getsockname()[1]}"
        with pytest.raises(Misuse, match=rf"no Dask scheduler answers at {address} \(.*start one"):
            find_engine(f"dask:{address}")(1)


def test_a_file_without_an_address_is_refused_and_one_that_is_not_there_is_waited_for(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr("beholder.engines.dask.PATIENCE", 0.2)
    (tmp_path / "other.json").write_text('{"a": 1}')
    with pytest.raises(Misuse, match=r"other.json: got no address; expected the file that a scheduler writes"):
        find_engine(f"dask:{tmp_path}/other.json")(1)
    with pytest.raises(Misuse, match=r"waited 0.2 s for .*none.json, which no Dask scheduler has written; start one"):
        find_engine(f"dask:{tmp_path}/none.json")(1)
    assert capsys.readouterr().err.startswith("waiting up to 0.2 s for ")


def test_a_scheduler_without_workers_is_waited_for_aloud(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr("beholder.engines.dask.QUEUED", 0.3)
    running, address = dask_clusters.scheduler(tmp_path)
    try:
        with pytest.raises(Misuse, match=rf"waited 0.005 minutes for workers of the Dask scheduler at {address}"):
            find_engine(f"dask:{address}")(1)
        said = capsys.readouterr().err
        assert said == f"waiting up to 0.005 minutes for workers of the Dask scheduler at {address}\n"
    finally:
        dask_clusters.end(running)


def test_without_dask_a_sentence_says_how_to_get_it(monkeypatch):
    monkeypatch.setattr(extras, "find_spec", lambda name: None)
    with pytest.raises(Misuse, match=r"pip install 'beholder\[cluster\]'"):
        find_engine("dask")(1)
