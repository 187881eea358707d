"""Every record: complete, loadable, and true to the real bytes where they are here."""

import csv

import pytest
from typer.testing import CliRunner

from beholder.cli import app
from beholder.datasets.cards import cited, listing, shown, usage
from beholder.datasets.record import records
from beholder.errors import Misuse
from beholder.io.git_tree import PLAIN, blob_id, read_folder, tree_id
from beholder.registry.find import find
from beholder.registry.load import dataset

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


@pytest.mark.data
def test_blobs_of_the_parts_are_those_of_the_manifests(data):
    checked = 0
    for manifest in sorted(data.glob("*/MANIFEST.tsv")):
        rows = list(csv.DictReader(manifest.read_text("utf-8").splitlines(), delimiter="\t"))
        for row in rows[:: max(1, len(rows) // 5)]:
            file = manifest.parent / row["local_path"]
            if file.is_file() and row.get("git_blob"):
                assert blob_id(file).hex() == row["git_blob"], file
                checked += 1
    assert checked > 50


def test_a_dataset_that_is_not_at_hand_says_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setenv("BEHOLDER_DATA", str(tmp_path))
    with pytest.raises(Misuse, match="--dataset osie:PATH; `beholder data get osie` fetches it"):
        dataset("attention.datasets", "osie")
    with pytest.raises(Misuse, match="--dataset kitti:PATH; `beholder data show kitti` says how to get it"):
        dataset("stereo.datasets", "kitti")
    with pytest.raises(Misuse, match=r"--dataset eyelink:PATH$"):
        dataset("attention.datasets", "eyelink")


@pytest.mark.parametrize("words", [["list"], ["show", "osie"], ["where"], ["show", "kitti"]])
def test_the_verbs_need_no_network(words, monkeypatch, tmp_path):
    monkeypatch.setenv("BEHOLDER_DATA_HOST", "http://127.0.0.1:9")
    monkeypatch.setenv("BEHOLDER_DATA", str(tmp_path))
    done = CliRunner().invoke(app, ["data", *words])
    assert done.exit_code == 0, done.output
