"""What the store is kept in goes bad: a cache that cannot be written, damaged blobs, a damaged ledger, a lost key."""

import os
import random
import re
import shutil
import signal
import subprocess

import pytest

from fault_runs import COUNT, MODEL, Place

READ_ONLY = """
mount --bind cache cache && mount -o remount,ro,bind cache || exit 77
touch cache/probe 2> /dev/null && exit 77
"$@"
"""


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A finished run, with its cache."""
    place = Place(tmp_path_factory.mktemp("finished") / "place")
    code, said = place.run()
    assert code == 0, said
    return place.root


@pytest.fixture
def stopped(finished):
    """The same run as if it had been killed when all answers were in, before scores were written.

    It stands where it was made: elsewhere its model would be another file, and so another run.
    """
    kept = finished.with_name("kept")
    if not kept.exists():
        shutil.copytree(finished, kept)
    shutil.rmtree(finished)
    shutil.copytree(kept, finished)
    place = Place(finished)
    for file in (finished / "calls", *(finished / "out" / name for name in ("scores.csv", "run.json", "report.html"))):
        file.unlink()
    return place


@pytest.mark.parametrize("state", ["full", "empty"])
def test_a_cache_that_cannot_be_written(finished, tmp_path, undisturbed, tell, state):
    place = Place(tmp_path / "place")
    if state == "full":
        shutil.copytree(finished / "cache", place.root / "cache")
    else:
        (place.root / "cache").mkdir()
    words = ["unshare", "-rm", "bash", "-c", READ_ONLY, "bash", *place.words()]
    if not shutil.which("unshare"):
        pytest.skip("there is no `unshare`, so no folder can be made read-only for root")
    done = subprocess.run(words, cwd=place.root, env=place.env, capture_output=True, text=True, check=False)
    if done.returncode == 77:
        pytest.skip(f"no folder can be mounted read-only here: {done.stderr[-200:]}")
    assert done.returncode == 0, done.stderr
    assert place.scores() == undisturbed
    tell(f"a cache that cannot be written ({state})", "the same table, exit code 0")


def test_every_blob_damaged(stopped, undisturbed, tell):
    rng, blobs = random.Random(3), [file for file in (stopped.root / "cache" / "blobs").rglob("*") if file.is_file()]
    assert blobs
    for file in blobs:
        data = bytearray(file.read_bytes())
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        file.write_bytes(data[: rng.choice((len(data), len(data) // 2, 0))])
    code, said = stopped.run(out="anew")
    assert code == 0, said
    assert stopped.scores("anew") == undisturbed
    tell(f"all {len(blobs)} blobs of the cache damaged: a bit flipped, cut or emptied", "the same table, exit code 0")


def test_the_whole_cache_deleted(stopped, undisturbed, tell):
    shutil.rmtree(stopped.root / "cache")
    code, said = stopped.run()
    assert code == 0, said
    assert stopped.scores() == undisturbed
    assert not stopped.calls()
    tell("the cache deleted, its key with it", "the same table; no sample is asked again")


def test_the_key_of_all_seals_lost(stopped, undisturbed, tell):
    (stopped.root / "cache" / "key").write_bytes(os.urandom(32))
    code, said = stopped.run()
    assert code == 2, said
    code, again = stopped.run("--dry-run")
    assert code == 2, again
    assert "were sealed with another key" in again
    code, _ = stopped.run("--fresh")
    assert code == 0
    assert stopped.scores() == undisturbed
    heard = said.strip().splitlines()[-1].removeprefix("beholder: ").replace(f"{stopped.root}/", "")
    heard = re.sub(r"copy \S+/keys/\S+", "copy …/keys/…", heard)
    tell("the key beside the cache is another one", f"exit code 2: “{heard}”")


def flips(data, rng, count):
    for _ in range(count):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return data


DAMAGES = {
    "16 bits flipped anywhere": lambda data, rng: flips(data, rng, 16),
    "1,000 bits flipped": lambda data, rng: flips(data, rng, 1000),
    "cut to 60 %": lambda data, rng: data[: len(data) * 6 // 10],
    "its first 4 kB zeroed": lambda data, rng: bytes(4096) + data[4096:],
    "emptied": lambda data, rng: b"",
}


@pytest.mark.parametrize("kind", DAMAGES)
def test_the_ledger_damaged(stopped, undisturbed, tell, kind):
    ledger = stopped.root / "out" / "ledger.sqlite"
    assert not ledger.with_name("ledger.sqlite-wal").exists()  # all of it is in the file
    ledger.write_bytes(DAMAGES[kind](bytearray(ledger.read_bytes()), random.Random(4)))
    code, said = stopped.run()
    assert code == 0, said
    assert stopped.scores() == undisturbed
    if "zeroed" in kind or "1,000" in kind:
        assert "ledger.sqlite was damaged: " in said
        assert "finished outcomes could be read and are kept, the rest is computed again" in said
    heard = next((line for line in said.splitlines() if "damaged" in line or "cannot be read" in line), "")
    tell(
        f"the ledger damaged: {kind}",
        f"the same table; {len(stopped.calls())} of 24 samples asked again{f'; “{heard}”' if heard else ''}",
    )


HARMFUL = MODEL.replace(
    "    return",
    """    log, harmed = (pathlib.Path(__file__).with_name(name) for name in ("calls", "harmed"))
    if len(log.read_text().split()) > 12 and not harmed.exists():
        harmed.touch()
        pathlib.Path("out/ledger.sqlite-shm").write_bytes(b"cut short")
    return""",
)


def test_the_index_of_the_ledger_overwritten_by_a_model(tmp_path, undisturbed, tell):
    place = Place(tmp_path / "place", HARMFUL)
    code, said = place.run()
    finished, since = place.finished(), len(place.calls())
    assert code == -signal.SIGBUS, said  # see store/ledger.py: nobody can say anything then
    assert 0 < len(finished) < COUNT
    code, said = place.run()
    assert code == 0, said
    assert not finished & set(place.calls()[since:])
    assert place.scores() == undisturbed
    tell(
        "a model that overwrites ledger.sqlite-shm, which SQLite maps into memory",
        f"the run ends with SIGBUS; resumed: the same table, {len(finished)} of {COUNT} samples not asked again",
    )


def test_the_mark_of_the_folder_damaged(stopped, tell):
    (stopped.root / "out" / "config").write_bytes(b"\xff\xfe\0 no config")
    code, said = stopped.run()
    assert code == 2
    assert "out is not empty and holds no Beholder run; choose another --out" in said
    tell("the file config damaged", "exit code 2: “out is not empty and holds no Beholder run; choose another --out”")
