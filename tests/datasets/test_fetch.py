"""Datasets by name: each fault of a host gives its sentence and leaves nothing half-made."""

import tarfile
from hashlib import sha1
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


@pytest.mark.parametrize(
    ("faults", "says"),
    [
        ([404], "404"),
        ([403], "403"),
        ([503] * 9, "could not be fetched in 5 tries: the host answered 503"),
        (["redirect"] * 20, "without end"),
    ],
)
def test_a_host_that_fails_is_a_sentence(host, faults, says):
    host.offer("lab/set", archive(FILES))
    host.faults = faults
    with pytest.raises(Misuse, match=says):
        fetch(record())
    assert fetched("toy") is None


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


def test_somebody_elses_folder_is_left_alone(host):
    place = data_folder() / "toy"
    place.mkdir(parents=True)
    (place / "mine.txt").write_text("mine")
    with pytest.raises(Misuse, match="was not fetched by name"):
        fetch(record())
    assert (place / "mine.txt").read_text() == "mine"
