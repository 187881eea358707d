"""Datasets by name: each fault of a host gives its sentence and leaves nothing half-made."""

import os
import shutil
import subprocess
import sys
import tarfile
from hashlib import sha1
from pathlib import Path
from random import Random

import pytest

from archives import COMMIT, archive
from beholder.datasets import download
from beholder.datasets.fetch import get, list_changed, remove
from beholder.datasets.record import Folder, Record
from beholder.errors import DiskFull, Misuse
from beholder.io.git_tree import EXECUTABLE, PLAIN, Blob, tree_id
from beholder.store.paths import FETCHED, data_folder, fetched

FILES = {
    "data/eye/a.bin": Random(1).randbytes(5000),
    "data/eye/in/b.txt": b"b",
    "data/other.txt": b"not asked for",
}
EYE = {"a.bin": FILES["data/eye/a.bin"], "in/b.txt": FILES["data/eye/in/b.txt"]}


def tree(files, mode=PLAIN):
    found = {}
    for path, data in files.items():
        blob = Blob(len(data))
        blob.add(data)
        found[path] = (mode, blob.id)
    return tree_id(found)


def record(tree_of=None, *, folder="data/eye", files=2, megabytes=0.1):
    one = Folder("lab/set", COMMIT, folder, tree_of or tree(EYE), files, megabytes, "eye")
    return Record("toy", "A toy.", "1 × 2", "MIT", "Anything.", "", "", folders=(one,))


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch):
    monkeypatch.setattr(download, "PAUSES", (0.0,) * 4)


def fetch(one, accept=lambda _: True):
    return get(one, accept=accept, watch=lambda done, total: None)


def nothing_is_left():
    return not [path for path in data_folder().rglob("*") if path.is_file() and path.suffix != ".lock"]


def test_a_tree_id_is_gits():
    assert tree({"a": b""}) == "496d6428b9cf92981dc9495211e6e1120fb6f2ba"  # git mktree, one empty file
    body = b"100755 run\0" + sha1(b"blob 0\0").digest()
    assert tree({"run": b""}, EXECUTABLE) == sha1(b"tree %d\0" % len(body) + body).hexdigest()


def test_what_was_fetched_is_whole_and_is_not_asked_for_again(host):
    host.offer("lab/set", archive(FILES))
    done = fetch(record())
    assert done.anew
    assert sorted(p.relative_to(done.place).as_posix() for p in done.place.rglob("*") if p.is_file()) == [
        FETCHED,
        "eye/a.bin",
        "eye/in/b.txt",
    ]
    assert fetched("toy") == done.place
    assert not list_changed(record(), done.place)
    asked = len(host.asked)
    assert not fetch(record()).anew
    assert len(host.asked) == asked
    (done.place / "eye/a.bin").write_bytes(b"changed")
    assert list_changed(record(), done.place) == ["eye"]
    assert remove("toy") > 0
    assert fetched("toy") is None


def test_executable_bits_count(host):
    host.offer("lab/set", archive({path: (0o755, data) for path, data in FILES.items()}))
    done = fetch(record(tree(EYE, EXECUTABLE)))
    assert not list_changed(record(tree(EYE, EXECUTABLE)), done.place)


def test_a_cut_off_download_is_resumed(host):
    host.offer("lab/set", archive(FILES))
    host.faults = ["cut", "cut"]
    assert fetch(record()).anew
    assert [bool(part) for _, part in host.asked] == [False, True, True]


@pytest.mark.parametrize("fault", [503, 429, "no length", "long"])
def test_a_bad_moment_is_waited_for(host, fault):
    host.offer("lab/set", archive(FILES))
    host.faults = [fault]
    assert fetch(record()).anew


def test_a_redirect_is_followed_to_the_file(host):
    host.offer("lab/set", archive(FILES))
    host.faults = ["moved"]
    assert fetch(record()).anew
    assert [path.startswith("/moved/") for path, _ in host.asked] == [False, True]


def test_a_host_that_trickles_is_waited_for(host, monkeypatch):
    monkeypatch.setattr(download, "PATIENCE", 10 * host.pause)  # less than the whole takes
    host.offer("lab/set", archive(FILES))
    host.faults = ["trickle"]
    assert fetch(record()).anew
    assert len(host.asked) == 1


def test_a_host_that_stops_sending_is_asked_for_the_rest(host, monkeypatch):
    monkeypatch.setattr(download, "PATIENCE", 2 * host.pause)
    host.offer("lab/set", archive(FILES))
    host.faults = ["stall"]
    assert fetch(record()).anew
    assert [bool(part) for _, part in host.asked] == [False, True]
    host.faults = ["stall"] * 9
    remove("toy")
    with pytest.raises(Misuse, match="in 5 tries: the host sent nothing for"):
        fetch(record())
    assert fetched("toy") is None


@pytest.mark.parametrize(
    ("faults", "says"),
    [
        ([404], "404"),
        ([403], "403"),
        ([503] * 9, "could not be fetched in 5 tries: the host answered 503"),
        (["redirect"] * 20, "without end"),
        (["cut"] * 9, "could not be fetched in 5 tries.*the same command goes on where it was"),
        (["long"] * 9, "could not be fetched in 5 tries"),
        (["short"], "is no whole archive|is not what its record says"),
    ],
)
def test_a_host_that_fails_is_a_sentence(host, faults, says):
    host.offer("lab/set", archive(FILES))
    host.faults = [*faults]
    with pytest.raises(Misuse, match=says):
        fetch(record())
    assert fetched("toy") is None
    assert not (data_folder() / "toy").exists()
    begun = list(data_folder().glob(".toy-*.part*"))
    assert bool(begun) == (faults[0] in ("cut", "long"))  # what can be gone on with is kept
    if begun:
        assert remove("toy") > 0
    assert nothing_is_left()


def test_no_host_is_a_sentence(host, monkeypatch):
    monkeypatch.setenv("BEHOLDER_DATA_HOST", "http://127.0.0.1:9")
    with pytest.raises(Misuse, match="cannot be reached"):
        fetch(record())


def link(name, to):
    member = tarfile.TarInfo(f"set-000/{name}")
    member.type, member.linkname = tarfile.SYMTYPE, to
    return member


def plain(name, size=1):
    member = tarfile.TarInfo(name)
    member.size = size
    return member


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (archive({**FILES, "data/eye/a.bin": b"other"}), "is not what its record says"),
        (archive({"data/eye/a.bin": FILES["data/eye/a.bin"]}), "is not what its record says"),
        (archive({"elsewhere/a.bin": b"a"}), "is not in the archive"),
        (archive({**FILES, "data/eye/c": b"more"}), "more than its record says"),
        (archive(FILES, extra=[plain("set-000/../../evil")]), "leads out of it"),
        (archive(FILES, extra=[plain("/evil")]), "leads out of it"),
        (archive(FILES, extra=[plain("set-000/data/eye/big", 2_000_000)]), "more than its record says"),
        (archive({"data/eye/in/b.txt": b"b"}, extra=[link("data/eye/a.bin", "/etc/passwd")]), "is not what its record"),
        (archive(FILES)[:1500], "is no whole archive"),
        (b"<html>log in</html>", "is no whole archive"),
    ],
)
def test_an_archive_that_is_not_the_one_is_refused_and_nothing_is_kept(host, data, says):
    host.offer("lab/set", data)
    with pytest.raises(Misuse, match=says):
        fetch(record())
    assert nothing_is_left()
    assert not (data_folder().parent / "evil").exists()


def test_the_licence_comes_first(host):
    host.offer("lab/set", archive(FILES))
    with pytest.raises(Misuse, match="was not accepted"):
        fetch(record(), accept=lambda _: False)
    assert not host.asked


def test_a_small_disk_is_noticed_before_a_request(host):
    with pytest.raises(DiskFull, match="no space left"):
        fetch(record(megabytes=1e12))
    assert not host.asked


SMALL = """
mkdir -p disk && mount -t tmpfs -o size={size} none disk || exit 77
BEHOLDER_DATA=disk {python} -c "
from test_fetch import BIG, big_record, fetch
from beholder.datasets import fetch as module
from beholder.errors import DiskFull
module.ROOM = 0  # what others fill after the look at the disk
try:
    fetch(big_record())
except DiskFull as fault:
    print(fault)
"
ls -A disk
"""
BIG = {"data/eye/a.bin": Random(2).randbytes(3_000_000)}


def big_record():
    return record(tree({"a.bin": BIG["data/eye/a.bin"]}), files=1, megabytes=3)


@pytest.mark.parametrize(("size", "left"), [("1m", "part"), ("4m", "")])  # while it is fetched, while it is unpacked
def test_a_disk_that_fills_up_is_a_sentence(host, tmp_path, size, left):
    if not shutil.which("unshare"):
        pytest.skip("there is no `unshare`, so no small disk can be made")
    host.offer("lab/set", archive(BIG))
    shell = SMALL.format(size=size, python=sys.executable)
    tests = str(Path(__file__).parent), str(Path(__file__).parents[1])
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(tests)}
    done = subprocess.run(
        ["unshare", "-rm", "bash", "-c", shell], cwd=tmp_path, env=env, capture_output=True, text=True, check=False
    )
    if done.returncode == 77 or "unshare:" in done.stderr:
        pytest.skip("this machine lets nobody mount a small disk")
    said, *there = done.stdout.splitlines()
    assert said.startswith("no space left for "), done.stdout + done.stderr
    assert "free some, and the same command continues" in said
    kept = [name for name in there if not name.endswith(".lock")]
    assert all(name.startswith(".toy-lab-set-") and ".part" in name for name in kept)
    assert bool(kept) == bool(left)


def test_somebody_elses_folder_is_left_alone(host):
    place = data_folder() / "toy"
    place.mkdir(parents=True)
    (place / "mine.txt").write_text("mine")
    with pytest.raises(Misuse, match="was not fetched by name"):
        fetch(record())
    assert (place / "mine.txt").read_text() == "mine"


@pytest.mark.parametrize("address", ["", "http://[::", "ftp://lab", "http://", "http://lab:99999", "lab"])
def test_a_host_that_is_no_address_is_a_sentence_before_anything_is_asked(host, monkeypatch, address):
    monkeypatch.setenv("BEHOLDER_DATA_HOST", address)
    with pytest.raises(Misuse, match=r"got BEHOLDER_DATA_HOST=.*expected an address"):
        fetch(record(), accept=lambda _: pytest.fail("the licence was asked for"))


@pytest.mark.parametrize(("fault", "says"), [("silent", "the host sent nothing"), ("trickle", "the host sent only")])
def test_a_host_that_sends_next_to_nothing_is_given_up_after_two_tries(host, monkeypatch, fault, says):
    monkeypatch.setattr(download, "PATIENCE", 3 * host.pause)
    monkeypatch.setattr(download, "SLOWEST", 1e6)
    host.offer("lab/set", archive(FILES))
    host.faults = [fault] * 9
    with pytest.raises(Misuse, match=f"in 2 tries: {says}"):
        fetch(record())
    assert len(host.asked) == 2


def test_more_than_a_dataset_can_hold_is_not_written(host, monkeypatch):
    monkeypatch.setattr("beholder.datasets.fetch.PART", (1, 2e5))
    host.offer("lab/set", archive(BIG))
    host.faults = ["no length"]
    with pytest.raises(Misuse, match=r"the host sends more than 0.0003 GB, too much for this dataset"):
        fetch(record())
    assert nothing_is_left()
