"""From nothing to a run: `beholder data get NAME`, then `beholder run … --dataset NAME`, in a fresh environment."""

import os
import subprocess
import sys

import pytest

import attention_folders
import attention_searches
import study_files
import video_media
from beholder.datasets.fetch import get
from beholder.datasets.record import records
from beholder.registry.load import dataset
from huperflow_files import huperflow_folder
from made_records import refitted

RECORDS = {one.name: one for one in records()}
FOLDERS = {  # of the layout that is fetched: what each loader reads, and the folders beside
    "mit1003": attention_folders.nus_folder,
    "osie": attention_folders.one_based_nus_folder,
    "eyecrowd": attention_folders.one_based_nus_folder,
    **attention_searches.FOLDERS,
    "bluebirds": study_files.bluebirds_folder,
    "fetv": study_files.fetv_folder,
    "tcbench": study_files.tcbench_folder,
    "texture_shape": study_files.texture_folder,
    "fetv_clips": lambda root: video_media.fetv_clips_folder(root / "generated_video_examples").parent,
    "huperflow": huperflow_folder,
}
RUNS = {  # kinds of records that are run: a benchmark, and one of its own models that takes no time
    "osie": ("attention/saliency", "spectral_residual"),
    "unrestricted_search": ("attention/scanpath", "IVSN"),
    "texture_shape": ("study/opinions", "resnet50_shape"),
    "huperflow": ("motion/perceived_flow", "dis"),
}
PLUGIN = "records_of_a_lab"


@pytest.mark.parametrize("name", FOLDERS)
def test_what_is_fetched_is_what_the_loader_reads(host, tmp_path, name):
    """The folders of a repository come to lie where the loader looks for them."""
    made, archives = refitted(RECORDS[name], FOLDERS[name](tmp_path / "made"))
    for repository, data in archives.items():
        host.offer(repository, data)
    place = get(made, accept=lambda _: True, watch=lambda done, total: None).place
    where, _, loader = made.loader.partition("/")
    assert len(dataset(where, f"{loader}:{place}")) > 0
    assert len(host.asked) == len(archives)


def offer_plugin(root, made):
    """A package that offers records, and loaders of ours under the same names."""
    root.mkdir()
    (root / f"{PLUGIN}.py").write_text(
        "from beholder.datasets.record import Folder, Record\n" + "".join(f"{n} = {one!r}\n" for n, one in made.items())
    )
    facts = root / f"{PLUGIN}-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {PLUGIN}\nVersion: 1.0\n")
    points = {"beholder.datasets.records": [f"{name} = {PLUGIN}:{name}" for name in made]}
    for name, one in made.items():
        place, _, loader = one.loader.partition("/")
        points.setdefault(f"beholder.{place}", []).append(f"{name} = beholder.{place}.{loader}:{loader}")
    text = "".join(f"[{group}]\n" + "\n".join(lines) + "\n" for group, lines in points.items())
    (facts / "entry_points.txt").write_text(text)


@pytest.fixture
def beholder(host, tmp_path):
    """The command in an environment of its own, in which a package offers records of what the host has."""
    made = {}
    for name in RUNS:
        built_in, archives = refitted(RECORDS[name], FOLDERS[name](tmp_path / "made" / name), f"lab_{name}")
        made[f"lab_{name}"] = built_in
        for repository, data in archives.items():
            host.offer(repository, data)
    offer_plugin(tmp_path / "packages", made)
    home = tmp_path / "home"
    home.mkdir()
    env = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "BEHOLDER_DATA_HOST": os.environ["BEHOLDER_DATA_HOST"],
        "PYTHONPATH": str(tmp_path / "packages"),
        "COLUMNS": "120",
        "NUMBA_CACHE_DIR": os.environ.get("NUMBA_CACHE_DIR", ""),
    }

    def command(*words):
        return subprocess.run(
            [sys.executable, "-m", "beholder.cli", *words],
            cwd=home, env={k: v for k, v in env.items() if v}, capture_output=True, text=True, check=False,
        )  # fmt: skip

    command.home = home
    return command


@pytest.mark.slow
def test_get_then_run_twice_and_the_second_time_without_a_request(host, beholder):
    told = beholder("run", "attention/saliency", "--dataset", "lab_osie", "--out", "none")
    assert told.returncode == 2
    assert "`beholder data get lab_osie` fetches it" in told.stderr
    assert not host.asked  # nothing is fetched without being asked
    refused = beholder("data", "get", "lab_osie")
    assert (refused.returncode, host.asked) == (2, [])
    assert "say --yes to accept it" in refused.stderr
    for name, (benchmark, model) in RUNS.items():
        asked = []
        for turn in ("first", "second"):
            got = beholder("data", "get", f"lab_{name}", "--yes")
            assert got.returncode == 0, got.stderr
            assert ("fetched and verified" if turn == "first" else "at hand already") in got.stdout
            words = ["--baselines", model, "--jobs", "1", "--samples", "0", "--out", f"{name}-{turn}", "-q"]
            done = beholder("run", benchmark, "--dataset", f"lab_{name}", *words)
            assert done.returncode == 0, done.stderr
            asked.append(len(host.asked))
        assert asked[0] == asked[1]
        scores = {(beholder.home / f"{name}-{turn}" / "scores.csv").read_bytes() for turn in ("first", "second")}
        assert len(scores) == 1
    assert len(host.asked) == len(RUNS)
    checked = beholder("data", "check", "lab_osie")
    assert "every byte is as its record says" in checked.stdout
    assert "lab_osie" in beholder("data", "list").stdout
    assert len(host.asked) == len(RUNS)
