"""`backend=deep` from end to end, on three clips and tiny random weights, and each network by itself."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from typer.testing import CliRunner

import video_checkpoints
from beholder.cli import app
from beholder.core.benchmark import Lineup
from beholder.core.scores import read
from beholder.errors import Misuse
from beholder.evaluation import record
from beholder.evaluation.plan import Request, plan
from beholder.evaluation.run import run
from beholder.io import video
from beholder.registry.load import load, memory_of
from beholder.video.datasets.scenes import scenes
from beholder.video.models.lawful import lawful
from beholder.video.networks import cotracker, grounding_dino, q_align, sam2, videomae, vitpose
from beholder.video.networks.loading import tokenizer
from beholder.video.networks.weights import find
from beholder.video.readouts.analysis import analyse
from beholder.video.release.evidence import release_evidence
from beholder.video.release.points import follow
from beholder.video.release.smoothness import windows
from beholder.video.types import Clip

torch = pytest.importorskip("torch", reason="torch is not installed: ./do test-deep")
pytest.importorskip("transformers", reason="transformers is not installed: ./do test-deep")
pytestmark = pytest.mark.deep

FIVE = ["commonsense_adherence", "motion_smoothness", "object_integrity", "perceptible_amplitude", "temporal_coherence"]
PARTS = {
    "commonsense_adherence": 5,
    "motion_smoothness": 6,
    "object_integrity": 8,
    "perceptible_amplitude": 8,
    "temporal_coherence": 4,
}
READ_BY = {  # a network → the measures that read what it sees; MSS has a threshold that depends on the subject's speed
    "videomae": {"commonsense_adherence"},
    "vitpose": {"object_integrity"},
    "sam2": {"perceptible_amplitude", "temporal_coherence", "motion_smoothness"},
}


@pytest.fixture(scope="module")
def clips(tmp_path_factory):
    """A folder of three short clips of one generator."""
    place = tmp_path_factory.mktemp("clips")
    for sample in list(scenes(3, seconds=1.0)):
        video.write(lawful(sample.stimulus).pixels, place / f"{sample.id}.mp4", hertz=12)
    return place


def bench_of(clips, weights, **settings):
    """The benchmark on the clips alone: no generator of ours takes part."""
    bench = load("video/motion", dataset=f"clips(folders='{clips}')", backend="deep", weights=str(weights), **settings)
    return replace(bench, lineup=Lineup())


@pytest.fixture(scope="module")
def first(clips, checkpoints, tmp_path_factory):
    """The folder of a run, with its report."""
    out = tmp_path_factory.mktemp("run") / "out"
    bench = bench_of(clips, checkpoints)
    record.save(out, run(bench, {"mine": f"dir:{clips}"}, engine="serial"), bench)
    made = CliRunner().invoke(app, ["report", str(out), "--as", "html"])
    assert made.exit_code == 0, made.output
    return out


def table(folder):
    rows = read(folder / "scores.csv")
    return rows[(rows["model"] == "mine") & rows["measure"].isin(FIVE)]


def test_three_clips_have_all_five_measures_with_their_parts(first):
    rows = table(first)
    whole = rows[rows["part"] == ""]
    assert len(whole) == 3 * 5
    assert whole["state"].isin(["ok", "low"]).all(), whole[["measure", "state", "reason"]]
    assert whole["value"].between(0, 1).all()
    for measure, least in PARTS.items():
        parts = rows[(rows["measure"] == measure) & (rows["part"] != "")]
        assert parts.groupby("unit")["part"].nunique().min() >= least, measure


def test_licences_and_sources_stand_in_run_json_and_on_the_page(first, checkpoints):
    [entry] = json.loads((first / "run.json").read_text())["benchmarks"]
    uses = {one["name"]: one for one in entry["uses"]}
    assert set(uses) == {"grounding_dino", "sam2", "vitpose", "videomae"}
    page = (first / "report.html").read_text()
    for name, one in uses.items():
        assert one["digest"] == find(name, checkpoints).digest
        assert one["source"] == str(checkpoints / name)
        assert "Apache-2.0" in one["licence"]
        assert one["digest"] in page
        assert one["source"] in page
    assert "Measured with" in page
    assert "the folder does not say" in page
    assert {"torch", "transformers"} <= set(json.loads((first / "run.json").read_text())["versions"])


@pytest.mark.parametrize("role", READ_BY)
def test_another_set_of_weights_changes_only_what_reads_them(clips, checkpoints, role, tmp_path):
    mixed = tmp_path / "weights"
    shutil.copytree(checkpoints, mixed)
    shutil.rmtree(mixed / role)
    video_checkpoints.MAKERS[role](mixed / role, seed=7)
    one, two = (_measured(bench_of(clips, weights), clips) for weights in (checkpoints, mixed))
    moved = {name for name in one if one[name] != two[name]}
    assert moved <= READ_BY[role]
    assert moved & (READ_BY[role] - {"motion_smoothness"})


def _measured(bench, clips):
    """What each of the five measures says of one clip, with its parts, as text: NaN is NaN."""
    prompt = bench.dataset[0].stimulus
    found = analyse(bench.accept(clips / "scene00.mp4", prompt), prompt)
    return {measure.card.name: str(measure(found, prompt)) for measure in bench.measures}


def test_other_weights_make_another_run(clips, checkpoints, tmp_path):
    shutil.copytree(checkpoints, tmp_path / "weights")
    video_checkpoints.videomae(tmp_path / "weights" / "videomae", seed=3)
    asked = [
        Request("video/motion", models=(f"dir:{clips}",), settings={"backend": "deep", "weights": str(weights)})
        for weights in (checkpoints, tmp_path / "weights")
    ]
    one, two = (plan(of).parts for of in asked)
    changed = {name for name in one if one[name] != two[name]}
    assert changed == {"--set", "the settings of video/motion", "videomae of video/motion"}
    assert memory_of(load("video/motion", backend="deep", weights=str(checkpoints))) == ""  # a path: not remembered


def test_the_released_rules_run_on_the_same_networks(clips, checkpoints):
    bench = bench_of(clips, checkpoints, definition="release")
    prompt = bench.dataset[0].stimulus
    found = release_evidence(bench.accept(clips / "scene00.mp4", prompt), prompt)
    for measure in bench.measures:
        assert np.isfinite(measure(found, prompt).value), measure.card.name


# Each network by itself.


@pytest.fixture(scope="module")
def frames():
    return lawful(scenes(1)[0].stimulus).pixels[:6]


def test_boxes_lie_in_the_frame_and_the_noun_is_read(frames, checkpoints):
    weights = find("grounding_dino", checkpoints)
    found = grounding_dino.detect(frames[0], "disc", weights)
    assert len(found.boxes)
    assert ((found.boxes >= 0) & (found.boxes <= 1)).all()
    assert (np.diff(found.scores) <= 0).all()
    other = grounding_dino.detect(frames[0], "cup", weights)
    assert not np.array_equal(found.scores, other.scores)
    assert_array_equal(found.scores, grounding_dino.detect(frames[0], "disc", weights).scores)


def test_a_detector_without_its_words_is_refused(checkpoints, tmp_path):
    shutil.copytree(checkpoints / "grounding_dino", tmp_path / "grounding_dino")
    for name in ("vocab.txt", "tokenizer_config.json"):
        (tmp_path / "grounding_dino" / name).unlink()
    with pytest.raises(Misuse, match=r"holds neither of tokenizer.json and vocab.txt"):
        tokenizer(find("grounding_dino", tmp_path))


def test_masks_go_from_boxes_or_masks_through_all_frames(frames, checkpoints):
    weights = find("sam2", checkpoints)
    boxes = np.array([[0.1, 0.1, 0.4, 0.5], [0.5, 0.2, 0.9, 0.9]])
    found = sam2.follow(list(frames), boxes, weights, (45, 80))
    assert found.shape == (6, 2, 45, 80)
    assert found.any()
    again = sam2.follow(list(frames), found[0], weights, (45, 80))
    assert again.shape == found.shape
    assert sam2.follow(list(frames), boxes[:0], weights, (45, 80)).shape == (6, 0, 45, 80)


def test_keypoints_are_seventeen_and_sure_up_to_one(frames, checkpoints):
    found = vitpose.keypoints(frames[0], np.array([[0.1, 0.1, 0.5, 0.9]] * 9), find("vitpose", checkpoints))
    assert len(found) == 9
    assert all(one.points.shape == (17, 2) and one.confidence.max() <= 1 for one in found)
    assert vitpose.keypoints(frames[0], np.zeros((0, 4)), find("vitpose", checkpoints)) == []


def test_equal_views_are_looked_at_once_and_count_as_often_as_they_are(checkpoints):
    weights = find("videomae", checkpoints)
    clip = Clip(np.random.default_rng(0).integers(0, 255, (21, 40, 70, 3)).astype(np.uint8), rate=8)
    seen = videomae.views(clip, 4, 32)
    assert len(seen.pixels) == 9  # six frames: windows at 0, 1 and 2, each cut in three places
    assert len(seen.which) == 30
    found = videomae.classes(clip, weights)
    assert_allclose(found.sum(axis=1), 1)
    made = videomae.classifier(weights)
    every = videomae.probabilities(made, seen.pixels[seen.which])
    assert_allclose(found, every, atol=1e-6)
    short = Clip(clip.pixels[:3], rate=8)
    assert len(videomae.views(short, 4, 32).pixels) == 3


def test_a_classifier_of_other_classes_is_refused(tmp_path):
    video_checkpoints.videomae(tmp_path / "videomae", labels=400)
    with pytest.raises(Misuse, match="distinguishes 400 classes; expected the five levels"):
        videomae.classifier(find("videomae", tmp_path))


ON_THE_HUB = """
import sys
from beholder.video.networks.loading import network
from beholder.video.networks.weights import find
found = find("vitpose", sys.argv[1])
print(found.digest, found.place, network(found, "VitPoseForPoseEstimation").config.num_labels)
"""


def test_an_id_of_the_hub_goes_to_the_library_with_the_commit_that_is_here(checkpoints, tmp_path):
    """In a process of its own: the library reads once where its copies of the hub are."""
    copies, commit = tmp_path / "hub" / "models--me--tiny", "0123456789abcdef0123456789abcdef01234567"
    shutil.copytree(checkpoints / "vitpose", copies / "snapshots" / commit)
    (copies / "refs").mkdir()
    (copies / "refs" / "main").write_text(commit)
    (tmp_path / "weights.toml").write_text('vitpose = "me/tiny"')
    done = subprocess.run(
        [sys.executable, "-c", ON_THE_HUB, str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "HF_HUB_CACHE": str(tmp_path / "hub"), "HF_HUB_OFFLINE": "1"},
    )
    assert done.stdout.split() == [commit, "me/tiny", "17"], done.stderr


# Opt-in adapters, with stand-ins of the published formats.

CODE = """
import numpy as np
import torch
from transformers import PretrainedConfig, PreTrainedModel

class TinyConfig(PretrainedConfig):
    model_type = "tiny_align"

class Tiny(PreTrainedModel):
    config_class = TinyConfig

    def __init__(self, config):
        super().__init__(config)
        self.scale = torch.nn.Parameter(torch.ones(1))
        self.post_init()

    def score(self, images, task_="quality", input_="image"):
        assert (task_, input_) == ("quality", "video")
        means = [np.mean([np.asarray(one) for one in video]) for video in images]
        return 1 + 4 * self.scale * torch.tensor(means) / 255
"""


@pytest.fixture
def aligned(tmp_path):
    """A model that brings its own code, as Q-Align does; its quality is brightness."""
    from safetensors.torch import save_file

    place = tmp_path / "q_align"
    place.mkdir()
    (place / "modeling_tiny.py").write_text(CODE)
    named = {"AutoConfig": "modeling_tiny.TinyConfig", "AutoModelForCausalLM": "modeling_tiny.Tiny"}
    (place / "config.json").write_text(
        json.dumps({"model_type": "tiny_align", "auto_map": named, "architectures": ["Tiny"]})
    )
    save_file({"scale": torch.ones(1)}, place / "model.safetensors", metadata={"format": "pt"})
    return tmp_path


def test_the_quality_of_a_frame_is_that_of_the_three_around_it(aligned):
    levels = np.array([10, 200, 30, 90, 90], np.uint8)
    clip = Clip(np.broadcast_to(levels[:, None, None, None], (5, 40, 64, 3)).copy(), rate=8)
    found = q_align.scores(clip, find("q_align", aligned))
    assert_allclose(found, levels[windows(5)].mean(axis=1) / 255, atol=1e-6)


def test_code_that_does_not_run_with_todays_library_is_told_in_a_sentence(aligned):
    file = aligned / "q_align" / "modeling_tiny.py"
    file.write_text("from transformers import NothingOfThatName\n" + file.read_text())
    with pytest.raises(Misuse, match=r"cannot be loaded with transformers .*: its own code was written for 4\.36"):
        q_align.scorer(find("q_align", aligned))


TRACKER = """
def forward(self, video: Tensor, queries: Tensor) -> Tuple[Tensor, Tensor]:
    steps = torch.arange(video.shape[1]).reshape(1, -1, 1, 1)
    way = (steps - queries[:, None, :, :1]) * torch.tensor([2.0, -1.0])
    return queries[:, None, :, 1:] + way, torch.ones(1, video.shape[1], queries.shape[1])
"""


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")  # torch says that of TorchScript
def test_a_point_tracker_is_asked_as_ours_is(tmp_path):
    made = torch.jit.ScriptModule()
    made.define(TRACKER)
    (tmp_path / "cotracker").mkdir()
    torch.jit.save(made, str(tmp_path / "cotracker" / "cotracker.pt"))
    grey = [np.zeros((30, 40), np.uint8)] * 4
    points = np.array([[5.0, 6.0], [20.0, 20.0]])
    weights = find("cotracker", tmp_path)
    places, seen = cotracker.follow(grey, points, 1, weights=weights)
    assert places.shape == follow(grey, points, 1)[0].shape
    assert_allclose(places[:, 0], [[3, 7], [5, 6], [7, 5], [9, 4]])
    assert seen.all()
    assert "CC-BY-NC 4.0" in weights.licence
    (tmp_path / "cotracker" / "cotracker.pt").write_bytes(b"no")
    with pytest.raises(Misuse, match="cannot be read as TorchScript"):
        cotracker.tracker(find("cotracker", tmp_path))
