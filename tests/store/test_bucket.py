"""The cache at a URL: machines that share no folder have it in common; where it fails, only the cache is lost."""

import platformdirs
import pytest

from beholder.errors import Misuse
from beholder.store import bucket, paths, seal
from beholder.store.cache import LARGE, Cache
from commands import command

fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed: pip install 'beholder[cluster]'")

KEY, URL = "ab" + "0" * 30, "memory://lab/cache"


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """To be at another machine, with a disk of its own and the same URL."""

    def at(name, url=URL):
        monkeypatch.setattr(platformdirs, "user_cache_dir", lambda _: str(tmp_path / name))
        monkeypatch.setenv("BEHOLDER_CACHE", url)
        for known in (paths._cache_folder, seal._key, bucket._bucket):
            known.cache_clear()
        return Cache()

    yield at
    paths._cache_folder.cache_clear()
    fsspec.filesystem("memory").store.clear()


def test_what_one_machine_keeps_another_has(machine):
    machine("here").put(KEY, [1, 2])
    there = machine("there")
    assert (KEY in there, there.files(), there.get(KEY)) == (True, [], [1, 2])
    assert len(there.files()) == 1  # from now on it lies there, too
    fsspec.filesystem("memory").rm("/lab/cache/blobs", recursive=True)
    assert machine("there").get(KEY) == [1, 2]
    assert machine("elsewhere").get(KEY) is seal.MISSING


def test_what_is_kept_only_while_a_run_lasts_is_not_sent(machine):
    machine("here").put_sealed(KEY, bytes(LARGE + 1))
    assert KEY not in machine("there")


def test_what_was_sealed_with_another_key_is_missing(machine):
    machine("here").put(KEY, [1, 2])
    fsspec.filesystem("memory").rm("/lab/cache/key")
    there = machine("there")  # makes another
    assert (there.get(KEY), there.files()) == (seal.MISSING, [])


def test_a_fresh_run_reads_nothing_there(machine, monkeypatch):
    machine("here").put(KEY, [1, 2])
    there = machine("there")
    monkeypatch.setattr(Cache, "since", 1.0)
    assert there.get(KEY) is seal.MISSING


def test_a_url_that_fails_later_costs_the_cache_only(machine, monkeypatch):
    machine("here").put(KEY, [1, 2])
    there = machine("there")
    seal.prepare_key()

    def gone(*_, **__):
        raise OSError("no route to host")

    for call in ("cat_file", "find", "pipe_file"):
        monkeypatch.setattr(there.bucket.system, call, gone)
    assert there.get(KEY) is seal.MISSING
    there.put(KEY, 3)
    assert there.get(KEY) == 3  # from this machine


@pytest.mark.parametrize(
    ("key", "sentence"),
    [(None, "cannot be read and written: PermissionError: no"), (b"short", "got 5 bytes; expected 32")],
)
def test_a_key_that_cannot_be_had_is_said_before_the_run(machine, monkeypatch, key, sentence):
    machine("here")
    if key:
        fsspec.filesystem("memory").pipe("/lab/cache/key", key)
    else:
        monkeypatch.setattr(
            bucket.bucket().system, "pipe_file", lambda *_: (_ for _ in ()).throw(PermissionError("no"))
        )
    with pytest.raises(Misuse, match=sentence):
        seal.prepare_key()


def test_a_second_machine_computes_nothing_that_the_first_has(machine, tmp_path):
    found = []
    for name in ("here", "there"):
        machine(name)
        out = tmp_path / f"run_{name}"
        words = "run", "stereo/dense", "--limit", "1", "--samples", "0", "--engine", "serial", "--out", str(out)
        _, planned, _ = command(*words, "--dry-run")
        code, _, said = command(*words, "--quiet")
        assert code == 0, said
        found.append((planned, (out / "scores.csv").read_bytes()))
    (first, ours), (second, theirs) = found
    assert ours == theirs
    assert "6 to do" in first
    assert "6 known from earlier runs, 0 to do" in second
