import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from hashlib import blake2b
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beholder.errors import Misuse
from beholder.store import cache, paths
from beholder.store.cache import Cache
from beholder.store.digest import digest
from beholder.store.seal import MISSING, SEAL, seal, unseal

KEY = "ab" + "0" * 30


@pytest.fixture
def store(tmp_path, monkeypatch):
    """An empty cache, the only one there is."""
    monkeypatch.setenv("BEHOLDER_CACHE", str(tmp_path / "cache"))
    return Cache()


def blob(store, key=KEY):
    return store.where / "blobs" / key[:2] / key[2:]


def test_what_is_put_comes_back(store):
    assert store.get(KEY) is MISSING
    value = {"map": np.arange(6.0).reshape(2, 3), "none": None}
    store.put(KEY, value)
    found = Cache().get(KEY)
    np.testing.assert_array_equal(found["map"], value["map"])
    assert found["none"] is None
    store.put(KEY, None)
    assert store.get(KEY) is None
    assert [f.name for f in store.files()] == [KEY[2:]]


def test_where_it_lies(tmp_path, monkeypatch):
    monkeypatch.setenv("BEHOLDER_CACHE", str(tmp_path / "mine"))
    assert Cache().where == tmp_path / "mine"
    assert Cache(tmp_path / "other").where == tmp_path / "other"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    for nothing in ("", None):
        if nothing is None:
            monkeypatch.delenv("BEHOLDER_CACHE")
        else:
            monkeypatch.setenv("BEHOLDER_CACHE", nothing)
        assert paths.cache_folder().name == "beholder"
        assert paths.cache_folder().is_absolute()


class Trap:
    """Unpickling it makes a file."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return Path.touch, (self.path,)


def test_a_forged_blob_is_a_miss_and_is_never_unpickled(store, tmp_path):
    sprung = tmp_path / "sprung"
    body = pickle.dumps(Trap(sprung))
    pickle.loads(body)
    assert sprung.exists()  # the trap works
    sprung.unlink()
    store.put(KEY, 1)
    unkeyed = blake2b(body, digest_size=SEAL).digest()
    foreign = blake2b(body, key=b"k" * 32, digest_size=SEAL).digest()
    good = blob(store).read_bytes()[:SEAL]
    for mark in (unkeyed, foreign, good, b"", b"\0" * SEAL):
        blob(store).write_bytes(mark + body)
        assert store.get(KEY) is MISSING
        assert not blob(store).exists()  # and it is cleared away
    assert not sprung.exists()


@settings(deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 255))
def test_any_changed_byte_is_a_miss(at, change):
    data = bytearray(seal({"some": np.arange(20)}))
    data[at % len(data)] ^= change
    assert unseal(bytes(data)) is MISSING


@pytest.mark.parametrize("length", [0, 1, 31, 32, 33, 100])
def test_a_blob_cut_short_is_a_miss(store, length):
    store.put(KEY, np.arange(100))
    blob(store).write_bytes(blob(store).read_bytes()[:length])
    assert store.get(KEY) is MISSING
    store.put(KEY, 2)
    assert store.get(KEY) == 2


def test_the_key_is_the_users_own(store):
    store.put(KEY, 1)
    key = store.where / "key"
    assert len(key.read_bytes()) == 32
    assert key.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("damage", [b"", b"short", b"l" * 100])
def test_a_damaged_key_is_made_anew(store, damage):
    store.where.mkdir()
    (store.where / "key").write_bytes(damage)
    store.put(KEY, 1)
    assert store.get(KEY) == 1
    assert len((store.where / "key").read_bytes()) == 32
    assert (store.where / "key").read_bytes() != damage


def test_another_users_key_opens_nothing(store, tmp_path, monkeypatch):
    data = seal([1])
    assert unseal(data) == [1]
    monkeypatch.setenv("BEHOLDER_CACHE", str(tmp_path / "theirs"))
    assert unseal(data) is MISSING


class Passing:
    """A class that goes away."""


def test_what_our_code_can_no_longer_read_is_a_miss(store, monkeypatch):
    monkeypatch.setattr(sys.modules[__name__], "Passing", Passing, raising=False)
    Passing.__module__ = "module_that_is_gone"
    sys.modules["module_that_is_gone"] = sys.modules[__name__]
    try:
        data = seal(Passing())
    finally:
        del sys.modules["module_that_is_gone"]
    assert unseal(data) is MISSING


def test_the_least_recently_used_go_first(store):
    keys = [f"{n:02x}{'0' * 30}" for n in range(5)]
    for age, key in enumerate(keys):
        store.put(key, b"x" * 1000)
        os.utime(blob(store, key), (1e9 + age, 1e9 + age))
    assert store.get(keys[0]) is not MISSING  # used just now
    one = store.size() // 5
    assert store.trim(5 * one) == 0
    assert store.trim(3 * one) == 2 * one
    assert [key for key in keys if store.get(key) is not MISSING] == [keys[0], keys[3], keys[4]]
    assert store.trim(0) == 3 * one
    assert store.files() == []
    assert store.size() == 0


def test_the_cap_holds_while_a_run_goes_on(store, monkeypatch):
    monkeypatch.setenv("BEHOLDER_CACHE_CAP", "20000")
    monkeypatch.setattr(Cache, "put_since", 0)
    noise = os.urandom(1000)
    for n in range(100):
        store.put(digest(n), noise)
    assert 10_000 < store.size() < 25_000
    assert store.get(digest(99)) == noise


def test_what_is_large_goes_when_a_run_ends(store):
    store.put(KEY, "small")
    store.put(digest("large"), os.urandom(cache.LARGE))
    assert store.drop_large() > cache.LARGE
    assert (store.get(KEY), store.get(digest("large"))) == ("small", MISSING)


def test_what_lasts_only_for_a_run_goes_first(store):
    store.put(digest("small"), "of an earlier time")
    for name in ("large", "larger"):
        store.put(digest(name), os.urandom(cache.LARGE))
    store.trim(store.size() - 1)
    there = [store.get(digest(name)) is not MISSING for name in ("small", "large", "larger")]
    assert there == [True, False, True]


def test_what_a_kill_has_left_is_trimmed_too(store):
    store.put(KEY, 1)
    left = blob(store).with_name(".tmp-left")
    left.write_bytes(b"x" * 100)
    os.utime(left, (1, 1))
    assert store.files()[0] == left
    store.trim(store.size() - 1)
    assert not left.exists()
    assert store.get(KEY) == 1


def test_the_cap_is_the_users(store, monkeypatch):
    store.put(KEY, os.urandom(1000))
    assert store.trim() == 0
    monkeypatch.setenv("BEHOLDER_CACHE_CAP", "10")
    assert store.trim() > 1000
    monkeypatch.setenv("BEHOLDER_CACHE_CAP", "much")
    with pytest.raises(Misuse, match="BEHOLDER_CACHE_CAP: got 'much' as a size"):
        store.trim()


def test_a_folder_that_cannot_be_written_costs_the_cache_only(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("BEHOLDER_CACHE", str(tmp_path / "file" / "cache"))
    store = Cache()
    store.put(KEY, 1)
    assert store.get(KEY) is MISSING
    assert (store.trim(0), store.size(), store.files()) == (0, 0, [])
    assert unseal(seal(3)) == 3  # with a key for this process


def test_a_folder_that_can_only_be_read_is_still_read(store, monkeypatch):
    store.put(KEY, 1)

    def refuse(*args, **kwargs):
        raise PermissionError("read-only")

    for name in ("utime", "replace", "unlink", "mkdir"):
        monkeypatch.setattr(os, name, refuse)
    monkeypatch.setattr("beholder.store.cache.write_whole", refuse)
    assert store.get(KEY) == 1
    store.put(KEY, 2)
    assert store.get(KEY) == 1
    assert store.trim(0) == 0


def test_a_full_disk_leaves_no_rubbish(store, monkeypatch):
    def full(*args, **kwargs):
        raise OSError(28, "No space left on device")

    store.put(KEY, 1)
    monkeypatch.setattr(Path, "replace", full)
    store.put("cd" + KEY[2:], 2)
    assert store.get("cd" + KEY[2:]) is MISSING
    assert store.files() == [blob(store)]


def test_a_value_that_cannot_be_kept_is_not_kept(store):
    for value in ((n for n in "ab"), threading.Lock()):
        store.put(KEY, value)
        assert store.get(KEY) is MISSING
    assert store.files() == []


def test_a_file_that_goes_away_meanwhile_is_no_matter(store, monkeypatch):
    store.put(KEY, 1)
    real = Path.glob
    monkeypatch.setattr(Path, "glob", lambda self, text: [*real(self, text), self / "ab" / "gone"])
    assert store.files() == [blob(store)]
    assert store.trim(0) > 0


WRITER = """
import itertools, sys
from beholder.store.cache import Cache
store = Cache()
for n in itertools.count():
    store.put(f"{n % 7:02x}{'0' * 30}", [n] * 200_000)
    print(n, flush=True)
"""


def test_a_kill_tears_no_blob(store):
    for round in range(4):
        writer = subprocess.Popen([sys.executable, "-c", WRITER], stdout=subprocess.PIPE, text=True)
        with writer:
            assert writer.stdout.readline() == "0\n"
            time.sleep(0.05 + 0.013 * round)
            writer.send_signal(signal.SIGKILL)
        assert writer.returncode == -signal.SIGKILL
        on_disk = [f for f in store.files() if not f.name.startswith(".")]
        found = [store.get(f"{n:02x}{'0' * 30}") for n in range(7)]
        whole = [value for value in found if value is not MISSING]
        assert whole
        assert all(len(value) == 200_000 and len(set(value)) == 1 for value in whole)
        assert len(on_disk) == len(whole)  # not one was there and torn
