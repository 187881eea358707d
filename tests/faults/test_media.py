"""Files that were cut short, as what is shown and as what is answered: their rows say so, others are as they were."""

import csv

import numpy as np
import pytest
from typer.testing import CliRunner

import attention_folders
import beholder as bh
import matlab_files
import stereo_folders
import video_media
from beholder.cli import app
from beholder.errors import Misuse
from beholder.io import disparity, flow, image

PARTS = (0.0, 0.5, 0.98)  # what is left of a file


def cut(file, share):
    """Cut a file short."""
    data = file.read_bytes()
    file.write_bytes(data[: int(len(data) * share)])


def rows(scores):
    """(model, sample, measure, part, criterion) → value, state, reason."""
    known = scores[scores["unit"] != "*"]
    keys = zip(*(known[name] for name in ("model", "unit", "measure", "part", "criterion", "repeat")), strict=True)
    told = zip(known["value"], known["state"], known["reason"], strict=True)
    return dict(zip(keys, told, strict=True))


def compare(whole, disturbed, bad):
    """The reasons of what was lost: all of the bad sample and whatever must read it; all else is as it was."""
    reasons = set()
    for key, told in disturbed.items():
        if told[1] in ("failed", "partial"):  # the latter: a measure over many samples lost this one
            reasons.add(told[2])
        else:
            assert bad not in key
            np.testing.assert_equal(told, whole[key])
    assert reasons
    return reasons


def stereo_answers(folder, suffix, ids):
    for at, id in enumerate(ids):
        disparity.write(40 * np.random.default_rng(at).random((64, 64)) + 1, folder / f"{id}{suffix}")


def maps(folder, suffix, ids):
    for at, id in enumerate(ids):
        values = np.random.default_rng(at).random((384, 384))
        file = folder / f"{id}{suffix}"
        file.parent.mkdir(parents=True, exist_ok=True)
        image.write((255 * values).astype(np.uint8), file) if suffix == ".png" else matlab_files.mat(file, map=values)


def flows(folder, suffix, ids):
    for at, id in enumerate(ids):
        flow.write(np.random.default_rng(at).random((96, 96, 2)).astype(np.float32), folder / f"{id}{suffix}")


ANSWERS = {
    ".pfm": ("stereo/dense", {"dataset": "random_dots(count=2,size=64)"}, stereo_answers),
    ".png": ("stereo/dense", {"dataset": "random_dots(count=2,size=64)"}, stereo_answers),
    ".npy": ("stereo/dense", {"dataset": "random_dots(count=2,size=64)"}, stereo_answers),
    ".flo": ("motion/perceived_flow", {"limit": 2}, flows),
    ".mat": ("attention/saliency", {"limit": 2}, maps),
}


@pytest.mark.parametrize("suffix", ANSWERS)
def test_an_answer_cut_short(tmp_path, tell, suffix):
    name, how, make = ANSWERS[suffix]
    bench = bh.load(name, **how)
    first, second = bench.dataset.ids
    models = {}
    for share in (1.0, *PARTS):
        folder = tmp_path / f"{100 * share:.0f}"
        folder.mkdir()
        make(folder, suffix, (first, second))
        cut(folder / f"{second}{suffix}", share)
        models[f"left{100 * share:.0f}"] = bh.model(f"dir:{folder}", bench)
    scores = bh.run(bench, models, jobs=0, baselines="none")
    found = rows(scores)
    whole = {key[1:]: value for key, value in found.items() if key[0] == "left100"}
    heard = set()
    for share in PARTS:
        own = {key[1:]: value for key, value in found.items() if key[0] == f"left{100 * share:.0f}"}
        assert compare(whole, own, second)
    for failure in scores.attrs["run"]["failures"]:
        assert failure["sample"] == second
        assert f"{second}{suffix}" in failure["reason"]
        heard.add(failure["reason"].replace(str(tmp_path), ""))
    tell(f"an answer {suffix} cut to 0, 50 and 98 %", f"its rows: failed, “{min(heard, key=len)[:150]}”")


def kitti(root):
    stereo_folders.kitti_folder(root)
    return "stereo/dense", f"kitti:{root}", root / "training" / "image_2" / "000001_10.png"


def eth3d(root):
    stereo_folders.eth3d_folder(root)
    return "stereo/dense", f"eth3d:{root}", root / "two_view_training_gt" / "forest_2s" / "disp0GT.pfm"


def osie(root):
    attention_folders.one_based_nus_folder(root)
    return "attention/saliency", f"osie:{root}", root / "eye" / "fixations.mat"


def osie_picture(root):
    attention_folders.one_based_nus_folder(root)
    return "attention/saliency", f"osie:{root}", root / "stimuli" / "p1.png"


@pytest.mark.parametrize("make", [kitti, eth3d, osie, osie_picture])
def test_an_input_cut_short(tmp_path, tell, make):
    heard = set()
    for share in PARTS:
        name, dataset, file = make(tmp_path / f"{100 * share:.0f}")
        whole = rows(bh.run(bh.load(name, dataset=dataset), jobs=0, baselines="none"))
        cut(file, share)
        try:
            bench = bh.load(name, dataset=dataset)
        except Misuse as fault:
            assert file.name in str(fault)  # noqa: PT017  (some datasets are refused, others lose a sample)
            heard.add(f"exit code 2: “{str(fault).replace(str(tmp_path), '')[:150]}”")
            continue
        found = rows(bh.run(bench, jobs=0, baselines="none"))
        held = {key[1] for key, (_, state, _) in found.items() if state != "failed"}
        (bad,) = {key[1] for key in found} - held
        reasons = compare(whole, found, bad)
        assert all(file.name in reason for reason in reasons), reasons
        heard.add(f"its rows: failed, “{min(reasons, key=len).replace(str(tmp_path), '')[:150]}”")
    tell(f"{file.name} of a dataset cut to 0, 50 and 98 %", "; ".join(sorted(heard)))


@pytest.mark.parametrize("movflags", ["", "faststart"], ids=["index last", "index first"])
def test_a_clip_cut_short(tmp_path, tell, movflags, monkeypatch):
    monkeypatch.chdir(tmp_path)
    heard = set()
    for share in (1.0, *PARTS):
        folder = tmp_path / f"mine{100 * share:.0f}"
        folder.mkdir()
        for name in ("one", "two"):
            video_media.film(folder / f"{name}.mp4", movflags=movflags)
        cut(folder / "two.mp4", share)
    models = [f"--model=dir:mine{100 * share:.0f}" for share in (1.0, *PARTS)]
    words = ["run", "video/motion", *models, "--samples", "0", "--baselines", "none", "--engine", "serial", "-q"]
    done = CliRunner().invoke(app, [*words, "--out", "out"])
    assert done.exit_code == 1, done.output
    with (tmp_path / "out" / "scores.csv").open(encoding="utf-8") as file:
        table = [row for row in csv.DictReader(file) if row["unit"] in ("one", "two")]
    for share in PARTS:
        own = [row for row in table if row["model"] == f"mine{100 * share:.0f}"]
        whole = [row for row in table if row["model"] == "mine100"]
        fine = [[(*row.values(),)[5:] for row in some if row["unit"] == "one"] for some in (own, whole)]
        assert fine[0] == fine[1]
        lost = [row for row in own if row["unit"] == "two"]
        reasons = {row["reason"].replace(str(tmp_path), "") for row in lost if row["state"] in ("failed", "low")}
        said = [reason for reason in reasons if "two.mp4" in reason or "cannot be decoded beyond frame" in reason]
        if said:
            assert not [row for row in lost if row["state"] == "ok"]
            heard.update(said)
        else:  # only the end of the index was lost, and every frame is there
            assert [row["value"] for row in lost] == [row["value"] for row in whole if row["unit"] == "two"]
            heard.add("no frame is lost: scored as the whole clip")
    kind = "index first" if movflags else "index last"
    shown = "”, “".join(sorted(one[:120] for one in heard))
    tell(f"a clip .mp4 ({kind}) cut to 0, 50 and 98 %", f"its rows: failed, or low confidence: “{shown}”")
