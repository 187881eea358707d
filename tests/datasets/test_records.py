"""Every record: complete, loadable, and true to the real bytes where they are here."""

import csv

import pytest
from typer.testing import CliRunner

from archives import archive
from beholder.cli import app
from beholder.datasets.cards import cited, listing, shown, usage
from beholder.datasets.record import records
from beholder.datasets.unpack import unpack
from beholder.errors import Misuse
from beholder.io.git_tree import EXECUTABLE, PLAIN, blob_id, read_folder, tree_id
from beholder.registry.find import find
from beholder.registry.load import dataset
from beholder.store.paths import FETCHED

RECORDS = {one.name: one for one in records()}
WHOLE = {  # folders of the real data that are whole, and where they stand in a record
    ("bluebirds", "bluebirds"): "bluebirds/bluebirds",
    ("perceived_flow_temporal", ""): "perceived_flow_temporal",
    ("huperflow", "csv"): "huperflow/csv",
    ("huperflow", "img/mov"): "huperflow/img/mov",
}
OURS = ("MANIFEST.tsv", "SOURCES.md")  # beside the copies


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_is_complete(name):
    one = RECORDS[name]
    assert bool(one.folders) != bool(one.steps)
    assert one.name == name
    assert one.licence
    assert one.permits
    if one.loader:
        find(*one.loader.split("/"))
        assert cited(one)
        assert usage(one).startswith("beholder run ")
    assert one.about in shown(one)
    assert name in listing()
    for folder in one.folders:
        assert len(folder.commit) == len(folder.tree) == 40
        bytes.fromhex(folder.commit + folder.tree)


@pytest.mark.data
@pytest.mark.parametrize(("name", "to"), WHOLE)
def test_tree_ids_are_those_of_the_real_bytes(name, to, data):
    (folder,) = [one for one in RECORDS[name].folders if one.to == to]
    found = {path: id for path, (_, id) in read_folder(data / WHOLE[name, to]).items() if path not in OURS}
    found = {path: (PLAIN, id) for path, id in found.items()}  # the copies have lost their modes, which were plain
    assert tree_id(found) == folder.tree


def manifest(folder):
    """The files of a folder of real data: where each was in its repository, its blob, and where it lies here."""
    rows = list(csv.DictReader((folder / "MANIFEST.tsv").read_text("utf-8").splitlines(), delimiter="\t"))
    return [row for row in rows if row["git_blob"] and (folder / row["local_path"]).is_file()]


@pytest.mark.data
def test_blobs_of_the_parts_are_those_of_the_manifests(data):
    checked = 0
    for file in sorted(data.rglob("MANIFEST.tsv")):
        for row in manifest(file.parent):
            own = file.parent / row["local_path"]
            assert blob_id(own).hex() == row["git_blob"], own
            checked += 1
    assert checked > 700


PARTS = {  # where parts of the datasets by name lie
    "andersson_gaze": "andersson_gaze",
    "bluebirds": "bluebirds",
    "eyecrowd": "eyecrowd_subset",
    "fetv": "fetv_ratings",
    "huperflow": "huperflow",
    "interiors_search": "interiors_search",
    "mit1003": "mit1003_subset",
    "perceived_flow_temporal": "perceived_flow_temporal",
    "second_order": "multi_order_motion",
    "sintel_slow": "multi_order_motion",
    "tcbench": "tcbench_ratings",
    "texture_shape": "texture_shape",
}


@pytest.mark.data
@pytest.mark.parametrize("name", PARTS)
def test_a_part_of_the_repository_is_unpacked_to_what_the_loader_reads(name, data, tmp_path):
    """The real files, at their paths in the repository of the record, come to lie where the loader looks for them."""
    one, here = RECORDS[name], data / PARTS[name]
    rows = manifest(here)
    assert {(row["repo"], row["commit"]) for row in rows} == {(f.repository, f.commit) for f in one.folders}
    parts = []
    for folder in one.folders:
        inside = folder.folder and f"{folder.folder}/"
        files = {row["repo_path"].removeprefix(inside): row for row in rows if row["repo_path"].startswith(inside)}
        blobs = {path: bytes.fromhex(row["git_blob"]) for path, row in files.items()}
        tree, executable = (tree_id({p: (mode, id) for p, id in blobs.items()}) for mode in (PLAIN, EXECUTABLE))
        assert files, folder  # the folder that the record names is one of the repository
        assert len(files) <= folder.files
        if len(files) == folder.files:
            assert folder.tree in (tree, executable)  # the copies have lost their modes; EyeCrowd's is executable
        parts.append(folder._replace(tree=tree, files=len(files)))
    packed = tmp_path / "part.tar.gz"
    packed.write_bytes(archive({row["repo_path"]: (here / row["local_path"]).read_bytes() for row in rows}))
    unpack(packed, parts, tmp_path / "set")
    place, _, loader = one.loader.partition("/")
    assert not loader or len(dataset(place, f"{loader}:{tmp_path / 'set'}")) > 0


def test_a_dataset_that_is_not_at_hand_says_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setenv("BEHOLDER_DATA", str(tmp_path))
    with pytest.raises(Misuse, match="--dataset osie:PATH; `beholder data get osie` fetches it"):
        dataset("attention.datasets", "osie")
    with pytest.raises(Misuse, match="--dataset kitti:PATH; `beholder data show kitti` says how to get it"):
        dataset("stereo.datasets", "kitti")
    with pytest.raises(Misuse, match=r"--dataset eyelink:PATH$"):
        dataset("attention.datasets", "eyelink")
    for words in (["get", "cat2000"], ["where", "cat2000"]):
        refused = CliRunner().invoke(app, ["data", *words])
        assert (
            "Then: beholder check PATH --as cat2000, and beholder run attention/saliency --dataset cat2000:PATH"
            in str(refused.exception)
        )
    (tmp_path / "osie").mkdir()
    (tmp_path / "osie" / FETCHED).write_text("{}")
    assert CliRunner().invoke(app, ["data", "where", "osie"]).stdout == f"{tmp_path / 'osie'}\n"


@pytest.mark.parametrize("words", [["list"], ["show", "osie"], ["where"], ["show", "kitti"]])
def test_the_verbs_need_no_network(words, monkeypatch, tmp_path):
    monkeypatch.setenv("BEHOLDER_DATA_HOST", "http://127.0.0.1:9")
    monkeypatch.setenv("BEHOLDER_DATA", str(tmp_path))
    done = CliRunner().invoke(app, ["data", *words])
    assert done.exit_code == 0, done.output
