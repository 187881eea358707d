"""The deep rivals from tiny checkpoints: loaded as a user's weights are, and compared with what is known of them."""

import json
from importlib.util import find_spec

import numpy as np
import pytest

from beholder.core.measure import NotApplicable
from beholder.errors import Misuse
from beholder.video.measures import deep_rivals as rivals
from beholder.video.rivals import asked, clouds, consistency, dover, raft_flow
from beholder.video.rivals.roles import ALL
from beholder.video.types import Clip, Prompt

pytestmark = pytest.mark.deep
if find_spec("torch") is None or find_spec("transformers") is None:
    pytest.skip("torch and transformers are not installed: ./do test-deep", allow_module_level=True)

import tiny_rivals as tiny  # noqa: E402  (it needs torch)


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    made = tmp_path_factory.mktemp("weights")
    tiny.dino(made / "dino")
    tiny.clip(made / "clip")
    tiny.raft(made / "raft")
    tiny.scripted(made / "dover")
    tiny.scripted(made / "fid")
    tiny.scripted(made / "fvd")
    tiny.llava(made / "videoscore", scores=5)
    tiny.llava(made / "videophy")
    tiny.llava(made / "judge")
    return made


@pytest.fixture(autouse=True)
def _weights(root, monkeypatch, tmp_path):
    monkeypatch.setenv("BEHOLDER_WEIGHTS", str(root))
    monkeypatch.setenv("BEHOLDER_CACHE", str(tmp_path / "cache"))


def film(count=5, shape=(60, 80), seed=0):
    return np.random.default_rng(seed).integers(0, 256, (count, *shape, 3)).astype(np.uint8)


STILL = Clip(np.repeat(film(1), 4, axis=0), rate=8.0)
WILD = Clip(film(4), rate=8.0)


@pytest.mark.parametrize(
    ("reads", "of"),
    [
        (consistency.dino_features, rivals.subject_consistency),
        (consistency.clip_features, rivals.background_consistency),
    ],
)
def test_what_stands_still_is_consistent_and_what_changes_is_less_so(reads, of):
    assert of(reads(STILL, Prompt()), None).value == pytest.approx(1, abs=1e-6)
    assert of(reads(WILD, Prompt()), None).value < 1 - 1e-6
    with pytest.raises(NotApplicable, match="1 frame: there is nothing to compare"):
        reads(Clip(film(1)), Prompt())


def test_dino_looks_at_the_whole_frame_and_clip_at_its_middle():
    pixels = film(2, (64, 128))
    other = pixels.copy()
    other[:, :, :20] = 0  # outside the square in the middle
    one, two = (consistency.clip_features(Clip(own), Prompt()).values for own in (pixels, other))
    assert np.abs(one - two).max() < 1e-6
    one, two = (consistency.dino_features(Clip(own), Prompt()).values for own in (pixels, other))
    assert np.abs(one - two).max() > 1e-4


def test_features_are_those_of_the_library_itself(root):
    """Of a square frame of the network's own size nothing is resized: the same numbers by hand."""
    import torch
    import transformers

    frames = film(2, (224, 224))
    made = transformers.ViTModel.from_pretrained(root / "dino", add_pooling_layer=False).eval()
    pixels = (frames / 255 - [0.485, 0.456, 0.406]) / [0.229, 0.224, 0.225]
    with torch.inference_mode():
        said = made(torch.from_numpy(pixels.transpose(0, 3, 1, 2)).float()).last_hidden_state[:, 0].numpy()
    assert np.abs(consistency.dino_features(Clip(frames), Prompt()).values - said).max() < 1e-5


def test_another_checkpoint_changes_what_is_said_though_the_clip_is_the_same(root, tmp_path, monkeypatch):
    before = consistency.dino_features(WILD, Prompt()).values
    tiny.dino(tmp_path / "dino", pooler=True, seed=1)  # and one with a pooler is loaded as well
    monkeypatch.setenv("BEHOLDER_WEIGHTS", str(tmp_path))
    assert np.abs(consistency.dino_features(WILD, Prompt()).values - before).max() > 1e-3


def test_a_dinov2_serves_as_well(tmp_path, monkeypatch):
    tiny.dinov2(tmp_path / "dino")
    monkeypatch.setenv("BEHOLDER_WEIGHTS", str(tmp_path))
    assert rivals.subject_consistency(consistency.dino_features(STILL, Prompt()), None).value == pytest.approx(1)


def test_raft_measures_what_the_network_says():
    found = raft_flow.raft_evidence(Clip(film(3, (128, 160)), rate=16.0), Prompt())
    assert len(found.flow) == 2
    assert len(found.fastest) == 1  # every second frame at 16 a second
    said = rivals.raft_magnitude(found, None)
    assert said.value == pytest.approx(found.flow.mean() / (1 / 16) / np.hypot(128, 160))


def test_dover_looks_at_fragments_and_takes_the_mean():
    """The network here gives the mean of what it is shown: of a grey clip the level, less mean, over deviation."""
    grey = Clip(np.full((10, 250, 300, 3), 128, np.uint8))
    assert dover.dover_technical_raw(grey, Prompt()) == pytest.approx(
        float(np.mean((128 - dover.MEAN) / dover.STD)), abs=1e-5
    )
    assert 0 < rivals.dover_technical(0.3, None).value < 1


def test_fragments_are_pieces_at_full_size_and_small_frames_are_enlarged():
    pixels = np.arange(448 * 448).reshape(448, 448, 1).repeat(3, axis=2) % 251
    frames = [pixels.astype(np.uint8)]
    made = dover.fragments(frames, np.zeros((7, 7, 2)))
    assert made.shape == (1, 224, 224, 3)
    assert (made[0, :32, :32] == frames[0][:32, :32]).all()
    assert (made[0, 32:64, 64:96] == frames[0][64:96, 128:160]).all()
    assert dover.fragments([film(1, (50, 90))[0]], np.full((7, 7, 2), 0.99)).shape == (1, 224, 224, 3)


def test_videoscore_gives_five_numbers_and_says_whose_words_it_was_asked_in(root):
    prompt = Prompt(text="the clip")
    found = asked.videoscore_numbers(WILD, prompt)
    said = rivals.videoscore(found, None)
    assert said.state == "low"
    assert "prompt.txt" in said.reason
    assert list(said.parts) == list(asked.DIMENSIONS)
    (root / "videoscore" / "prompt.txt").write_text('the clip "{text_prompt}"')
    try:
        again = asked.videoscore_numbers(WILD, prompt)
        assert rivals.videoscore(again, None).state == "ok"
        assert np.abs(again.values - found.values).max() > 1e-6
    finally:
        (root / "videoscore" / "prompt.txt").unlink()
    with pytest.raises(NotApplicable, match="the clip has no prompt"):
        asked.videoscore_numbers(WILD, Prompt())


def test_videoscore_is_the_head_on_the_last_token(root):
    from safetensors.torch import load_file

    from beholder.video.rivals.asking import located
    from beholder.video.rivals.language import regressor, speaker
    from beholder.video.rivals.roles import VIDEOSCORE

    made, head = regressor(located(VIDEOSCORE), 5)
    assert np.allclose(head, load_file(root / "videoscore" / "model.safetensors")["score.weight"])
    with pytest.raises(Misuse, match="gives 5 numbers; expected 4"):
        regressor(located(VIDEOSCORE), 4)
    with pytest.raises(Misuse, match=r"has unknown weights of AutoModelForImageTextToText: 1, such as score\.weight"):
        speaker(located(VIDEOSCORE))  # that one answers in words, and must fit whole
    assert not made.model.training


def test_videoscore_is_an_idefics2(tmp_path, monkeypatch):
    tiny.idefics2(tmp_path / "videoscore")
    monkeypatch.setenv("BEHOLDER_WEIGHTS", str(tmp_path))
    one, other = (asked.videoscore_numbers(clip, Prompt(text="the clip")).values for clip in (WILD, STILL))
    assert one.shape == (5,)
    assert np.abs(one - other).max() > 1e-9


def test_videophy_says_how_probable_yes_is():
    found = asked.videophy_chances(WILD, Prompt(text="the clip"))
    assert ((found.values > 0) & (found.values < 1)).all()
    said = rivals.videophy(found, None)
    assert said.value == said.parts["physical_commonsense"]
    alone = asked.videophy_chances(WILD, Prompt())
    assert np.isnan(alone.values[0])
    assert "semantic_adherence" not in rivals.videophy(alone, None).parts


def test_frechet_features_and_distance_by_hand(tmp_path):
    """The network here gives the mean of each channel, so that the distance of grey clips is known."""
    grey = [Clip(np.full((4, 40, 50, 3), level, np.uint8)) for level in (10, 30)]
    for reads, of in (
        (clouds.fid_features, rivals.frechet_inception_distance),
        (clouds.fvd_features, rivals.frechet_video_distance),
    ):
        found = [reads(clip, Prompt()) for clip in grey]
        assert found[0].values == pytest.approx(np.full_like(found[0].values, 10))
        assert found[0].values.shape == ((4, 3) if reads is clouds.fid_features else (1, 3))
        np.savez(tmp_path / "real.npz", mu=np.full(3, 50.0), sigma=np.zeros((3, 3)))
        said = of(found, [None] * 2, real=str(tmp_path / "real.npz"))
        assert said.parts["mean"] == pytest.approx(3 * 30**2)
        every = np.concatenate([one.values for one in found])
        assert said.value == pytest.approx(3 * 30**2 + np.var(every, axis=0, ddof=1).sum())


def test_real_clips_are_a_folder(tmp_path):
    for at, level in enumerate((40, 50, 60)):
        np.savez(tmp_path / f"{at}.npz", frames=np.full((4, 40, 50, 3), level, np.uint8))
    found = [clouds.fvd_features(Clip(np.full((4, 40, 50, 3), level, np.uint8)), Prompt()) for level in (40, 50, 60)]
    assert rivals.frechet_video_distance(found, [None] * 3, real=str(tmp_path)).value == pytest.approx(0, abs=1e-3)
    with pytest.raises(Misuse, match=r"expected a folder of clips, or an \.npz file"):
        rivals.frechet_video_distance(found, [None] * 3, real=str(tmp_path / "none"))


def test_a_network_of_the_library_serves_for_fid_and_fvd(tmp_path, monkeypatch):
    import transformers

    tiny.dino(tmp_path / "fid")
    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
    config = transformers.VideoMAEConfig(image_size=32, patch_size=16, **sizes)
    transformers.VideoMAEModel(config).save_pretrained(tmp_path / "fvd")
    monkeypatch.setenv("BEHOLDER_WEIGHTS", str(tmp_path))
    assert clouds.fid_features(WILD, Prompt()).values.shape == (4, 16)
    assert clouds.fvd_features(WILD, Prompt()).values.shape == (1, 16)


def test_what_is_no_torchscript_is_refused(tmp_path, monkeypatch):
    (tmp_path / "dover").mkdir()
    (tmp_path / "dover" / "DOVER.pt").write_bytes(b"weights")
    monkeypatch.setenv("BEHOLDER_WEIGHTS", str(tmp_path))
    with pytest.raises(Misuse, match=r"DOVER\.pt of dover is no TorchScript"):
        dover.dover_technical_raw(WILD, Prompt())


def test_each_says_its_licence_once_it_is_loaded(root, capsys, monkeypatch):
    from beholder.video.networks import weights

    monkeypatch.setattr(weights, "_told", set())
    (used,) = dover.dover_technical_raw.uses()
    assert "non-commercial" in capsys.readouterr().err
    assert "S-Lab" in used.licence
    assert used.digest
    dover.dover_technical_raw.uses()
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("role", ALL, ids=lambda role: role.name)
def test_a_missing_weight_is_one_sentence(role, tmp_path, monkeypatch):
    from beholder.video.rivals.asking import located

    monkeypatch.setenv("BEHOLDER_WEIGHTS", str(tmp_path))
    with pytest.raises(Misuse) as told:
        located(role)
    said = str(told.value)
    assert f"no weights of {role.name}" in said
    assert role.hub in said
    assert "\n" not in said


def test_a_run_names_what_it_used_in_run_json(root, tmp_path):
    """The command with two of them on three clips of a folder."""
    from typer.testing import CliRunner

    from beholder.cli import app

    clips = tmp_path / "clips"
    clips.mkdir()
    for n in range(3):
        np.savez(clips / f"{n}.npz", frames=film(4, seed=n), rate=8)
    argv = ["run", "video/motion", "--model", f"mine=dir:{clips}", "--measure", "deep_rivals.subject_consistency"]
    argv += ["--measure", f"deep_rivals.frechet_video_distance(real={clips})", "--out", str(tmp_path / "out")]
    said = CliRunner().invoke(app, [*argv, "--samples", "0", "--quiet", "--jobs", "1"])
    assert said.exit_code == 0, said.output
    run = json.loads((tmp_path / "out" / "run.json").read_text())
    assert {"dino", "fvd"} <= {used["name"] for used in _used(run)}
    table = (tmp_path / "out" / "scores.csv").read_text()
    assert "subject_consistency" in table
    assert "frechet_video_distance" in table


def _used(found):
    """Every record with a licence and a digest, wherever it stands."""
    if isinstance(found, dict):
        own = [found] if {"name", "licence", "digest"} <= set(found) else []
        return own + [one for value in found.values() for one in _used(value)]
    return [one for value in found for one in _used(value)] if isinstance(found, list) else []
