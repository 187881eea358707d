"""The same command after a file behind a model or a dataset has changed: never the old score, and it is named."""

import csv
import json
import os
import subprocess
import sys

import numpy as np
import pytest
from PIL import Image

DOTS = ("--dataset", "random_dots(count=1,size=64)", "--samples", "0", "--jobs", "1")
IMPORTS = "import json\nfrom pathlib import Path\nimport numpy as np\nfrom flat import flat, kept, tried\n"
ABSENT = ("newest", "optional")  # their files come later
NAMED = {"newest": "checkpoints/"}  # else the file itself
FLAT = """
import os, time
import numpy as np
def flat(pair, level): return np.full(pair.left.shape[:2], float(level))
def tried(path):
    try: return open(path).close() is None
    except OSError: return False
def kept(level):
    with open("notes.tmp", "w") as file: file.write(f"{level} {time.time()}")
    os.replace("notes.tmp", "notes.txt")
    return float(open("notes.txt").read().split()[0])
"""
# Where a model keeps its one number → the file of it, relative to the folder of the command.
MODELS = {
    "beside": ("lab/beside.npy", "np.load(Path(__file__).with_name('beside.npy'))"),
    "subpackage": ("lab/net/layers/top.py", "LEVEL"),
    "absolute": ("elsewhere/absolute.npy", "np.load({folder!r} + '/elsewhere/absolute.npy')"),
    "data": ("settings.json", "json.load(open('settings.json'))['level']"),
    "newest": ("checkpoints/2.npy", "np.load(sorted(Path('checkpoints').glob('*.npy'))[-1])"),
    "optional": ("overrides.json", "json.load(open('overrides.json'))['level'] if tried('overrides.json') else 5"),
    "notes": ("", "kept(5)"),
    "mapped": ("lab/mapped.npy", "np.load(Path(__file__).with_name('mapped.npy'), mmap_mode='r')[()]"),
}


def store(file, level):
    file.parent.mkdir(parents=True, exist_ok=True)
    if file.suffix == ".npy":
        np.save(file, np.float64(level))
    else:
        file.write_text(f"LEVEL = {level}\n" if file.suffix == ".py" else json.dumps({"level": level}))


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with a model for each place, and one finished run of them all."""
    place = tmp_path_factory.mktemp("stale")
    store(place / "checkpoints" / "1.npy", 5)
    for name, (file, level) in MODELS.items():
        if file and name not in ABSENT:
            store(place / file, 5)
        more = "from net.layers.top import LEVEL\n" if name == "subpackage" else ""
        code = f"{IMPORTS}{more}def {name}(pair):\n"
        (place / "lab").mkdir(exist_ok=True)
        (place / "lab" / f"{name}.py").write_text(code + f"    return flat(pair, {level.format(folder=str(place))})\n")
    (place / "lab" / "flat.py").write_text(FLAT)
    command(place)
    return place


def command(place, *more, out="out", code=0, models=MODELS):
    words = [word for name in models for word in ("--model", f"lab/{name}.py:{name}")]
    where = ("--out", out) if out else ()
    return beholder(place, "run", "stereo/dense", *DOTS, *words, *where, *more, code=code)


def beholder(place, *words, code=0):
    done = subprocess.run(
        [sys.executable, "-m", "beholder.cli", *words],
        cwd=place, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == code, done.stderr
    return done


def values(folder, model):
    with (folder / "scores.csv").open(encoding="utf-8") as file:
        return [row["value"] for row in csv.DictReader(file) if row["model"] == model]


@pytest.mark.parametrize("where", [name for name in MODELS if MODELS[name][0]])
def test_a_changed_file_behind_a_model_is_named_and_its_old_score_not_shown(place, where):
    file = place / MODELS[where][0]
    before = None if where in ABSENT else (file.read_bytes(), file.stat())
    store(file, 7)
    if before:  # of the same size and age, as from an archive
        os.utime(file, ns=(before[1].st_atime_ns, before[1].st_mtime_ns))
    refused = command(place, code=2)
    file.write_bytes(before[0]) if before else file.unlink()
    assert f"{NAMED.get(where, MODELS[where][0])} has changed since; start over with --fresh" in refused.stderr
    assert refused.stdout == ""


def test_what_a_model_never_opened_blocks_nothing(place):
    scores = (place / "out" / "scores.csv").read_bytes()
    ledger = (place / "out" / "ledger.sqlite").stat().st_mtime_ns
    (place / "lab" / "unrelated.py").write_text("raise SystemExit\n")
    command(place)
    assert (place / "out" / "scores.csv").read_bytes() == scores
    assert (place / "out" / "ledger.sqlite").stat().st_mtime_ns == ledger


def test_without_out_it_is_another_run_and_the_old_one_stands(place):
    one = {"data": MODELS["data"]}
    store(place / "settings.json", 5)
    command(place, out="", models=one)
    (first,) = (place / "runs").iterdir()
    store(place / "settings.json", 9)
    said = command(place, out="", models=one)
    (second,) = set((place / "runs").iterdir()) - {first}
    assert "settings.json has changed since runs/" in said.stderr
    assert values(first, "data") != values(second, "data")
    store(place / "settings.json", 5)
    assert str(first.relative_to(place)) in command(place, out="", models=one).stdout
    assert len(list((place / "runs").iterdir())) == 2


def test_what_cannot_be_seen_can_be_said(place):
    weights, one = place / "weights.bin", {"beside": MODELS["beside"]}
    weights.write_bytes(b"one")
    command(place, "--depends", "weights.bin", out="said", models=one)
    weights.write_bytes(b"two")
    assert (
        "weights.bin has changed" in command(place, "--depends", "weights.bin", out="said", models=one, code=2).stderr
    )
    missing = command(place, "--depends", "weigths.bin", out="said", models=one, code=2)
    assert "got --depends 'weigths.bin', which is not there" in missing.stderr
    for odd, sentence in (("", "not there"), ("/dev/zero", "no regular file"), ("/", "more than 10,000 files")):
        refused = command(place, "--depends", odd, out="said", models=one, code=2)
        assert sentence in refused.stderr or "cannot be read" in refused.stderr
    other = command(place, "--seed", "1", out="said", models=one, code=2)
    assert "--seed was 0 and is 1, weights.bin is not part of this one" in other.stderr


def test_a_changed_picture_is_named_though_only_our_own_models_looked_at_it(tmp_path):
    lab = tmp_path / "lab"
    lab.mkdir()
    rows = [f"{name},{who},{n},{x},{y}" for name in "ab" for who in "pq" for n, x, y in ((0, 9, 9), (1, 40, 20))]
    (lab / "fixations.csv").write_text("\n".join(["stimulus,observer,index,x,y", *rows]) + "\n")
    for name in "ab":
        Image.fromarray(np.random.default_rng(ord(name)).integers(0, 255, (48, 64), np.uint8)).save(lab / f"{name}.bmp")
    saliency = ("run", "attention/saliency", "--dataset", "fixations:lab", "--model", "spectral_residual", "--out", "o")
    words = (*saliency, "--baselines", "none", "--samples", "0", "--jobs", "1")
    beholder(tmp_path, *words)
    assert beholder(tmp_path, *words).stdout
    before = (lab / "b.bmp").stat()
    Image.new("L", (64, 48)).save(lab / "b.bmp")
    os.utime(lab / "b.bmp", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert (lab / "b.bmp").stat().st_size == before.st_size
    refused = beholder(tmp_path, *words, code=2)
    assert "o holds older scores: lab/b.bmp has changed since; start over with --fresh" in refused.stderr
