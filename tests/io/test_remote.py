"""Files at a URL: fetched once, whole, and anew where they have changed."""

import pytest
from PIL import Image

import beholder as bh
from beholder.errors import Misuse
from beholder.io.remote import fetch
from beholder.store.paths import cache_folder

fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed: pip install 'beholder[cluster]'")

TABLE = "stimulus,observer,index,x,y,width,height\np1,ann,0,10,20,64,48\np1,bob,0,30,40,64,48\n"


@pytest.fixture
def bucket():
    """A folder with two files in fsspec's own memory."""
    system = fsspec.filesystem("memory")
    system.pipe({"/lab/set/a.txt": b"one", "/lab/set/deep/b.txt": b"two"})
    yield system
    system.rm("/lab", recursive=True)


def test_a_folder_is_copied_once_and_again_where_it_has_changed(bucket, tmp_path):
    first = fetch("memory://lab/set", tmp_path)
    assert {f.relative_to(first).as_posix(): f.read_text() for f in first.rglob("*.txt")} == {
        "a.txt": "one",
        "deep/b.txt": "two",
    }
    assert fetch("memory://lab/set", tmp_path) == first
    bucket.pipe("/lab/set/a.txt", b"other")
    second = fetch("memory://lab/set", tmp_path)
    assert (second != first, (second / "a.txt").read_text()) == (True, "other")
    assert not list(tmp_path.glob(".tmp-*"))


def test_a_file_keeps_its_name_and_what_is_here_is_not_copied(bucket, tmp_path):
    assert fetch("memory://lab/set/a.txt", tmp_path).name == "a.txt"
    assert fetch(f"file://{tmp_path}", tmp_path / "no") == tmp_path
    assert not (tmp_path / "no").exists()


@pytest.mark.parametrize(
    ("url", "sentence"), [("memory://lab/none", "nothing stands"), ("nope://x/y", "cannot be opened")]
)
def test_what_cannot_be_had_is_misuse(bucket, tmp_path, url, sentence):
    with pytest.raises(Misuse, match=sentence):
        fetch(url, tmp_path)


def test_a_dataset_at_a_url_is_the_dataset_of_the_folder(bucket, tmp_path):
    (tmp_path / "fixations.csv").write_text(TABLE)
    Image.new("RGB", (64, 48)).save(tmp_path / "p1.png")
    bucket.pipe({f"/lab/looks/{file.name}": file.read_bytes() for file in tmp_path.iterdir()})
    there = bh.load("attention/scanpath", dataset="table:memory://lab/looks").dataset
    here = bh.load("attention/scanpath", dataset=f"table:{tmp_path}").dataset
    assert (there.fingerprint, there.ids) == (here.fingerprint, here.ids)
    assert list((cache_folder() / "remote").rglob("fixations.csv"))
