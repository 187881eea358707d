"""An acknowledged answer is never lost: what the database is set to, SIGKILL under load, a full disk."""

import os
import random
import secrets
import sqlite3
import subprocess
import threading
import time

import httpx
import pytest
from sqlalchemy.exc import DataError, OperationalError

from beholder.errors import Misuse
from beholder.study.server import database
from beholder.study.server.pulse import Pulse
from beholder.study.server.store import Store
from study_servers import KEY, Process, at_trials, running, served, server_key, write_file


def test_sqlite_waits_for_the_disk(tmp_path):
    store = Store(str(tmp_path / "a.sqlite"), KEY)
    assert store.durability() == "journal_mode=wal, synchronous=2"  # 2 is FULL
    with store.database.engine.connect().execution_options(write=True) as connection:  # the one that writes
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
    store.round_trip()
    store.close()
    assert {file.stat().st_mode & 0o777 for file in tmp_path.iterdir()} == {0o600}
    with pytest.raises(Misuse, match="cannot be created"):
        Store(str(tmp_path / "a.sqlite" / "b.sqlite"), KEY)


def test_who_does_not_wait_for_an_answer_to_be_stored_stops_nobody(tmp_path):
    store = Store(str(tmp_path / "a.sqlite"), KEY)
    gone = store.database.submit(lambda _: 1)
    assert not gone.cancel()
    assert store.database.write(lambda _: 2) == 2
    store.close()


def test_postgresql_waits_for_the_disk(postgres_db):
    store = Store(postgres_db, KEY)
    assert store.durability() == "fsync=on, synchronous_commit=on"
    store.round_trip()
    store.close()


def test_a_database_that_will_not_wait_is_refused(monkeypatch):
    class Stubborn(sqlite3.Connection):
        def execute(self, text, *more):
            return super().execute("SELECT 1" if "synchronous=FULL" in text else text, *more)

    connection = sqlite3.connect(":memory:", factory=Stubborn)
    with pytest.raises(Misuse, match="expected wal and 2"):
        database._durable(connection, None)
    connection.close()


def test_a_batch_is_one_transaction_and_a_fault_in_it_is_its_own(tmp_path):
    store = Store(str(tmp_path / "a.sqlite"), KEY)
    gate = threading.Event()
    blocked = store.database.submit(lambda _: gate.wait(10))
    good = [store.database.submit(lambda c, at=at: c.exec_driver_sql(f"CREATE TABLE t{at} (x)")) for at in range(3)]
    bad = store.database.submit(lambda c: c.exec_driver_sql("SELECT nonsense"))
    last = store.database.submit(lambda c: c.exec_driver_sql("SELECT count(*) FROM t2").scalar())
    assert not any(one.done() for one in good)
    gate.set()
    assert blocked.result(10)
    assert last.result(10) == 0
    with pytest.raises(OperationalError, match="nonsense"):
        bad.result(10)
    store.close()


class Load:
    """People who answer as fast as they can, and write down what was acknowledged."""

    def __init__(self, address, tokens):
        self.address, self.tokens = address, tokens
        self.acknowledged = []  # session's token, trial's token, key, value
        self.enough = threading.Event()

    def answer(self, token):
        held = {"Authorization": f"Bearer {token}", "X-Beholder": "1"}
        try:
            with httpx.Client(base_url=self.address, headers=held, timeout=240) as client:
                said = client.get("/s/gaze/api/next").json()
                while not said["done"]:
                    key, value = secrets.token_urlsafe(18), random.choice(("yes", "no"))
                    body = {"token": said["trial"]["token"], "key": key, "values": {"human": value}}
                    reply = client.post("/s/gaze/api/answer", json=body)
                    assert reply.status_code == 200, reply.text
                    self.acknowledged.append((body["token"], key, value))
                    if len(self.acknowledged) >= self.until:
                        self.enough.set()
                    said = reply.json()["next"]
        except httpx.TransportError:
            return  # the server was killed: what was on its way may be lost, and nothing else

    def run(self, until):
        """Answer until so many were acknowledged; the threads go on."""
        self.until = len(self.acknowledged) + until
        self.enough.clear()
        self.threads = [threading.Thread(target=self.answer, args=(token,)) for token in self.tokens]
        for thread in self.threads:
            thread.start()

    def end(self):
        for thread in self.threads:
            thread.join()


def kill_and_find(folder, times, seed=0, db=""):
    """Kill the server under load, start it again, and look for every acknowledged answer."""
    folder.mkdir()
    study = served(folder, groups=32, trials={"count": 30})
    db = db or str(folder / "answers.sqlite")
    store = Store(db, server_key())
    store.open_study(study.study)
    tokens = at_trials(store, study, 4 if times < 5 else 16)
    process = Process(write_file(study), db)
    load, rng = Load(process.address, tokens), random.Random(seed)
    try:
        for _ in range(times):
            process.start()
            load.run(until=rng.randint(5, 12))
            assert load.enough.wait(240)
            time.sleep(rng.random() * 0.02)  # any instant: between two answers, or in the middle of one
            process.kill()
            load.end()
            found = {(row["session"], row["position"]): row for row in store.tables("gaze")["answers"]}
            places = {row["token"]: (row["session"], row["position"]) for row in store.tables("gaze")["trials"]}
            for token, key, value in load.acknowledged:
                row = found[places[token]]
                assert (row["key"], row["values"]) == (key, {"human": value})
            assert len(found) - len(load.acknowledged) <= len(tokens) * times  # at most what was on its way
    finally:
        process.kill()
        store.close()
    if "://" not in db:
        with sqlite3.connect(db) as whole:
            assert whole.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        whole.close()
    return len(load.acknowledged)


def test_sigkill_under_load_loses_no_acknowledged_answer(tmp_path):
    assert kill_and_find(tmp_path / "study", times=2) >= 10


@pytest.mark.slow
def test_sigkill_under_load_twenty_times(tmp_path):
    assert kill_and_find(tmp_path / "study", times=20, seed=1) >= 100


@pytest.mark.slow
def test_sigkill_under_load_loses_nothing_in_postgresql(tmp_path, postgres_db):
    assert kill_and_find(tmp_path / "study", times=3, seed=2, db=postgres_db) >= 15


def test_a_store_that_cannot_write_gives_507_and_keeps_no_half(tmp_path, monkeypatch):
    with running(tmp_path) as server:
        person = server.participant()
        trial = person.until_trials()["trial"]

        def full(connection, *_):
            raise OperationalError("INSERT", {}, sqlite3.OperationalError("database or disk is full"))

        monkeypatch.setattr(server.store, "_answer", full)
        reply = person.answer(trial, key="k" * 20)
        assert reply.status_code == 507
        assert "could not be stored" in reply.json()["error"]
        assert reply.headers["retry-after"]
        monkeypatch.undo()
        assert person.answer(trial, key="k" * 20).status_code == 200  # the browser sends it again


def test_when_nothing_can_be_stored_health_the_log_and_the_landing_page_say_so(tmp_path, monkeypatch, caplog):
    with running(tmp_path) as server:
        now = [0.0]
        desk = server.client.app.state.desk
        desk.pulse = Pulse(server.store.round_trip, lambda: now[0])
        assert server.browser().get("/health").status_code == 200

        def full(connection):
            raise OperationalError("INSERT", {}, sqlite3.OperationalError("database or disk is full"))

        write = server.store.database.write
        monkeypatch.setattr(server.store.database, "write", lambda _: write(full))
        now[0] = 6.0
        for _ in range(3):
            reply = server.browser().get("/health")
            assert (reply.status_code, reply.json()["ok"]) == (503, False)
            landing = server.browser().get("/s/gaze/")
            assert landing.status_code == 503
            assert "The study is paused" in landing.text
            assert "/enter" not in landing.text
        visit = server.store.keys.sign("visit", "gaze", "n", until=9e9)
        entered = server.browser().post("/s/gaze/enter", data={"csrf": visit})
        assert entered.status_code == 507
        assert "The study is paused" in entered.text
        monkeypatch.undo()
        now[0] = 20.0
        assert server.browser().get("/health").json() == {"ok": True}
        assert server.browser().get("/s/gaze/").status_code == 200
        said = [record.getMessage() for record in caplog.records if record.name == "beholder.study"]
        assert len(said) == 2
        assert "disk is full" in said[0]
        assert said[1] == "beholder study: answers are stored again"


def test_a_database_that_is_busy_or_gone_gives_503(tmp_path, monkeypatch):
    with running(tmp_path) as server:
        person = server.participant()
        trial = person.until_trials()["trial"]

        def gone(connection, *_):
            raise OperationalError("INSERT", {}, sqlite3.OperationalError("database is locked"))

        monkeypatch.setattr(server.store, "_answer", gone)
        assert person.answer(trial).status_code == 503
        assert server.browser().get("/health").status_code == 503


def test_what_only_one_request_does_wrong_pauses_nobody(tmp_path, monkeypatch, caplog):
    with running(tmp_path) as server:
        person = server.participant()
        trial = person.until_trials()["trial"]

        def odd(connection, *_):
            raise DataError("INSERT", {}, sqlite3.DataError("a text with a sign that is none"))

        monkeypatch.setattr(server.store, "_answer", odd)
        assert person.answer(trial).status_code == 503
        assert server.browser().get("/health").status_code == 200
        assert "a sign that is none" in caplog.text


@pytest.mark.skipif(os.getuid() != 0, reason="a disk of its own needs root")
def test_a_full_disk_gives_no_false_200(tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", str(disk)], check=False, capture_output=True
    )
    if made.returncode:
        pytest.skip(f"no disk can be mounted here: {made.stderr.decode().strip()}")
    try:
        with running(tmp_path / "study", db=str(disk / "a.sqlite"), groups=40, trials={"count": 40}) as server:
            person = server.participant()
            said = person.until_trials()
            (disk / "filler").write_bytes(b"x" * (_left(disk) - 8192))
            statuses, acknowledged = [], []
            for _ in range(12):
                reply = person.answer(said["trial"], "yes", key=f"key-of-an-answer-{len(acknowledged):04}")
                statuses.append(reply.status_code)
                if reply.status_code == 200:
                    acknowledged.append(said["trial"]["token"])
                    said = reply.json()["next"]
            assert statuses[-1] in (503, 507)
            assert server.browser().get("/health").status_code == 503
            assert "The study is paused" in server.browser().get("/s/gaze/").text
            assert set(statuses) <= {200, 503, 507}
            (disk / "filler").unlink()
            stored = {(row["session"], row["position"]) for row in server.store.tables("gaze")["answers"]}
            assert {(r["session"], r["position"]) for t in acknowledged for r in [server.store.lookup(t)]} == stored
            reply = person.answer(said["trial"], "yes", key=f"key-of-an-answer-{len(acknowledged):04}")
            assert reply.status_code == 200  # there is room again: the queue of the browser empties
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def _left(folder):
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize
