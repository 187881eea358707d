import random
import signal
import sqlite3
import subprocess
import sys
import time
from typing import NamedTuple

import pytest

from beholder.errors import Misuse
from beholder.store import ledger, run_folder
from beholder.store.ledger import Ledger


class Outcome(NamedTuple):
    """As much of an outcome as a ledger looks at."""

    value: object
    failure: str = ""


def opened(path):
    return Ledger(path / "ledger.sqlite")


def filled(path, count=5):
    book = opened(path)
    for n in range(count):
        book.add("part", "model", f"s{n}", Outcome(n, "broke" if n == 3 else ""))
    book.close()


def test_outcomes_come_back(tmp_path):
    filled(tmp_path)
    book = opened(tmp_path)
    assert dict(book.outcomes("part", "model"))["s2"] == Outcome(2)
    assert book.outcome("part", "model", "s3") == Outcome(3, "broke")
    assert book.finished("part", "model") == {f"s{n}" for n in range(5)}
    assert book.outcome("part", "model", "s9") is None
    for other in (("part", "other"), ("other", "model")):
        assert book.finished(*other) == set()
    book.close()


def test_a_second_outcome_replaces_the_first(tmp_path):
    filled(tmp_path)
    book = opened(tmp_path)
    book.add("part", "model", "s3", Outcome("mended"))
    assert book.outcome("part", "model", "s3") == Outcome("mended")
    book.forget_failures()
    assert len(book.finished("part", "model")) == 5
    book.close()


def test_failures_can_be_forgotten(tmp_path):
    filled(tmp_path)
    book = opened(tmp_path)
    book.forget_failures()
    assert book.finished("part", "model") == {"s0", "s1", "s2", "s4"}
    book.close()


def test_a_ledger_in_memory():
    book = Ledger()
    book.add("part", "model", "s", Outcome(1))
    assert book.finished("part", "model") == {"s"}
    book.close()


def test_commits_are_batched(tmp_path, monkeypatch):
    now = [0.0]
    monkeypatch.setattr(ledger.time, "monotonic", lambda: now[0])
    book, reader = opened(tmp_path), opened(tmp_path)
    book.add("part", "model", "s0", Outcome(0))
    now[0] = 0.4
    book.add("part", "model", "s1", Outcome(1))
    book.tick()
    assert reader.finished("part", "model") == set()
    now[0] = 0.51
    book.tick()
    assert reader.finished("part", "model") == {"s0", "s1"}
    book.add("part", "model", "s2", Outcome(2))
    book.commit()
    book.commit()
    assert reader.finished("part", "model") == {"s0", "s1", "s2"}
    for one in (book, reader):
        one.close()


def altered(path, change):
    """The same file after someone has written into it."""
    with sqlite3.connect(path / "ledger.sqlite") as db:
        db.execute(change)
    db.close()


def test_a_broken_seal_is_not_finished(tmp_path):
    filled(tmp_path)
    altered(tmp_path, "update outcome set sealed = cast(x'00' || substr(sealed, 2) as blob) where id = 's1'")
    altered(tmp_path, "update outcome set sealed = x'' where id = 's2'")
    book = opened(tmp_path)
    assert book.finished("part", "model") == {"s0", "s3", "s4"}
    assert book.outcome("part", "model", "s1") is None
    book.close()


def damaged(kind, data):
    return {
        "not a database": b"this is no database" * 100,
        "first page": b"\0" * 100 + data[100:],
        "cut short": data[: len(data) // 2],
        "middle": data[:4096] + b"\xa5" * (len(data) - 4096),
    }[kind]


@pytest.mark.parametrize("kind", ["not a database", "first page", "cut short", "middle"])
def test_a_damaged_file_is_put_aside_and_what_is_whole_is_kept(tmp_path, kind):
    filled(tmp_path, 300)
    path = tmp_path / "ledger.sqlite"
    assert path.stat().st_size > 3 * 4096
    path.write_bytes(damaged(kind, path.read_bytes()))
    book = opened(tmp_path)
    kept = dict(book.outcomes("part", "model"))
    assert f": {len(kept)} finished outcome" in book.mended
    assert all(kept[id].value == int(id[1:]) for id in kept)
    assert kind == "cut short" or not kept
    book.add("part", "model", "s0", Outcome("again"))
    book.close()
    assert (tmp_path / "damaged-ledger.sqlite").is_file()
    book = opened(tmp_path)
    assert book.outcome("part", "model", "s0") == Outcome("again")
    book.close()


def test_a_ledger_that_is_locked_is_not_damaged(tmp_path, monkeypatch):
    filled(tmp_path)
    real = sqlite3.connect
    monkeypatch.setattr(ledger.sqlite3, "connect", lambda *args, **how: real(*args, **how | {"timeout": 0.05}))
    holder = real(tmp_path / "ledger.sqlite", isolation_level=None)
    holder.execute("pragma locking_mode = exclusive")
    holder.execute("begin exclusive")
    with pytest.raises(Misuse, match="locked"):
        opened(tmp_path)
    holder.execute("rollback")
    holder.close()
    assert not list(tmp_path.glob("damaged-*"))
    book = opened(tmp_path)
    assert len(book.finished("part", "model")) == 5
    book.close()


WRITER = """
import itertools, pathlib, sys
from types import SimpleNamespace
from beholder.store.ledger import Ledger
book = Ledger(pathlib.Path(sys.argv[1]))
for n in itertools.count():
    for part in range(20):
        book.add("part", "model", f"s{n}.{part}", SimpleNamespace(failure="", value="x" * 2000))
    book.commit()
    print(n, flush=True)
"""


def test_a_folder_in_the_place_of_the_ledger_is_a_sentence(tmp_path):
    (tmp_path / "ledger.sqlite").mkdir()
    with pytest.raises(Misuse, match=r"ledger.sqlite is a folder; expected the file of finished outcomes"):
        opened(tmp_path)


@pytest.mark.parametrize("use", ["read", "write", "note"])
def test_a_ledger_that_is_overwritten_during_the_run_is_a_sentence(tmp_path, use):
    filled(tmp_path)
    (tmp_path / "config").write_text("beholder run mark now\n")
    uses = {
        "read": lambda book: book.finished("part", "model"),
        "write": lambda book: book.add("part", "model", "s7", Outcome(7)),
        "note": lambda book: book.note({str(tmp_path / "w.npz")}, set()),
    }

    def run():
        with run_folder.own(tmp_path, run_folder.Config("mark")) as (book, _):
            book._db.execute("pragma shrink_memory")  # as a longer run would: pages are read from the file again
            (tmp_path / "ledger.sqlite").write_bytes(b"junk" * 10_000)
            uses[use](book)

    with pytest.raises(Misuse, match=r"ledger.sqlite was damaged during the run .*Give the same command again"):
        run()
    with run_folder.own(tmp_path, run_folder.Config("mark")) as (book, _):
        assert "was damaged: 0 finished outcomes could be read" in book.mended


def test_only_the_files_asked_for_are_looked_up_and_only_new_ones_read(tmp_path, monkeypatch):
    files = {str(tmp_path / f"{n}.bmp") for n in range(3)}
    for file in files:
        (tmp_path / file).write_bytes(b"old")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "elsewhere"))
    book = opened(tmp_path)
    book.note(files, set())
    monkeypatch.setattr("beholder.store.opened.file_digest", lambda _: pytest.fail("read again"))
    monkeypatch.setattr(book, "opened", lambda: pytest.fail("all were looked up"))
    book.note(files, {min(files)})
    assert run_folder.read_opened(book._db).keys() == files - {min(files)}
    book.close()


def test_what_was_committed_before_a_kill_is_there(tmp_path):
    for round in range(3):
        path = tmp_path / f"{round}.sqlite"
        writer = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True)
        with writer:
            writer.stdout.readline()
            time.sleep(0.04 + 0.017 * round)
            writer.send_signal(signal.SIGKILL)
            acknowledged = [int(line) for line in writer.stdout]
        assert writer.returncode == -signal.SIGKILL
        book = Ledger(path)
        found = book.finished("part", "model")
        book.close()
        assert {f"s{n}.{part}" for n in range(max(acknowledged) + 1) for part in range(20)} <= found
        assert not list(tmp_path.glob("damaged-*"))


def flipped(data, rng):
    """A few bytes changed, anywhere, or in one page."""
    start = rng.randrange(0, len(data), 4096) if rng.random() < 0.5 else 0
    end = min(start + 4096, len(data)) if start else len(data)
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 4, 32))):
        changed[rng.randrange(start, end)] ^= 1 << rng.randrange(8)
    return bytes(changed)


def test_whatever_bytes_are_flipped_or_cut_no_outcome_is_another_samples(tmp_path):
    """Whole or gone: never wrong, and most are kept."""
    filled(tmp_path, 200)
    path, rng, share = tmp_path / "ledger.sqlite", random.Random(22), []
    data = path.read_bytes()
    for at in range(120):
        for file in tmp_path.glob("*ledger.sqlite*"):
            file.unlink()
        path.write_bytes(flipped(data, rng) if at % 6 else data[: rng.randrange(len(data))])
        try:
            book = opened(tmp_path)
            kept = dict(book.outcomes("part", "model"))
            book.close()
        except Misuse:  # a sentence
            continue
        assert all(found.value == int(id[1:]) for id, found in kept.items())
        share.append(len(kept) / 200 if at % 6 else None)
    of_flips = [one for one in share if one is not None]
    assert sum(of_flips) / len(of_flips) > 0.7
