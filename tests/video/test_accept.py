"""What a generator may give, and what is said of the rest."""

import math

import numpy as np
import pytest
from PIL import Image

import video_media as media
from beholder.video.accept import accept
from beholder.video.types import Clip, Prompt

BLANK = Prompt()


@pytest.mark.parametrize(
    "raw",
    [
        media.frames(),
        media.frames()[..., 0],
        media.frames()[..., :1],
        media.frames() / 255,
        (media.frames() / 255).astype(np.float32),
        list(media.frames()),
        tuple(media.frames()),
        [Image.fromarray(frame) for frame in media.frames()],
        [Image.fromarray(frame).quantize(4) for frame in media.frames()],  # with a palette
        [frame / 255 for frame in media.frames()],
        Clip(media.frames()),
    ],
)
def test_frames(raw):
    clip = accept(raw, BLANK)
    assert clip.pixels.dtype == np.uint8
    assert (clip.pixels == media.frames()).all()
    assert math.isnan(clip.rate)


def test_a_rate_comes_from_the_answer_or_else_from_the_prompt():
    asked = Prompt(rate=16.0)
    assert accept((media.frames(), 24), asked).rate == 24.0
    assert accept((media.frames(), np.float32(6)), BLANK).rate == 6.0
    assert accept(media.frames(), asked).rate == 16.0
    assert accept(Clip(media.frames(), rate=5.0), asked).rate == 5.0
    assert accept((media.frames(), math.nan), asked).rate == 16.0


def test_of_a_file_the_prompts_rate_is_a_manifests(tmp_path):
    path = media.film(tmp_path / "a.mp4")
    for raw in (path, str(path), Clip(path=path)):
        clip = accept(raw, BLANK)
        assert clip.content
        assert math.isnan(clip.rate)  # the file's own times count
        assert accept(raw, Prompt(rate=16.0)).rate == 16.0
        assert math.isnan(accept(raw, Prompt(rate=16.0, scene="a generated one")).rate)
    assert accept((path, 6), Prompt(rate=16.0)).rate == 6.0


def test_a_clip_of_a_file_keeps_what_its_maker_said(tmp_path):
    (tmp_path / "manifest.csv").write_text("file,fps,mood\na.mp4,10,good\n")
    path = media.film(tmp_path / "a.mp4")
    assert accept(path, Prompt(rate=16.0)).rate == 10.0
    clip = accept(Clip(path=path, rate=3.0, facts={"mood": "bad"}), BLANK)
    assert (clip.rate, clip.facts) == (3.0, {"mood": "bad", "rate": "10"})
    known = Clip(path=path, content="known")
    assert accept(known, BLANK).content == "known"


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (np.zeros((12, 3, 48, 64), np.uint8), r"\(T, C, H, W\), as torch has it; .* frames.transpose\(0, 2, 3, 1\)"),
        (np.zeros((3, 12, 48, 64), np.uint8), r"\(C, T, H, W\); .* give frames.transpose\(1, 2, 3, 0\)"),
        (np.zeros((1, 12, 3, 48, 64), np.uint8), "a batch; .* give its clips one by one"),
        (np.zeros((48, 64, 3), np.uint8), "one picture; .* give all frames"),
        (np.zeros((12, 48, 64, 4), np.uint8), r"with alpha; .* give frames\[..., :3\]"),
        (np.zeros((12, 48, 64, 7), np.uint8), r"got frames of \(12, 48, 64, 7\); expected \(T, H, W\)"),
        (np.zeros((48, 64), np.uint8), r"got frames of \(48, 64\); expected"),
        (np.zeros((0, 48, 64, 3), np.uint8), "none at all"),
        (np.zeros((12, 48, 64), np.int64), "got frames of int64; expected uint8, or floats of 0 … 1; convert them"),
        (np.zeros((12, 48, 64), bool), "got frames of bool"),
        (np.full((12, 48, 64), np.nan), "got NaN or infinity in frame 0"),
        (np.full((12, 48, 64), 200.0), r"got floats of 200 … 200 in frame 0; expected 0 … 1; divide by the white"),
        (np.linspace(-1, 1, 12 * 48 * 64).reshape(12, 48, 64), r"expected 0 … 1; give \(frames \+ 1\) / 2"),
        ([np.zeros((48, 64)), np.zeros((48, 65))], r"got frames of \(48, 64\) and \(48, 65\); expected one size"),
        ([], "got no frames"),
        (media.frames()[:, :8], "got frames of 64 x 8 px; expected sides of 16 … 8192 px"),
        ((media.frames(), 0), "got 0.0 frames per second"),
        (Clip(media.frames()[:0]), "none at all"),
        ("nowhere.mp4", r"nowhere\.mp4: got no file that can be read"),
    ],
)
def test_what_is_wrong_is_said(raw, sentence):
    with pytest.raises(ValueError, match=sentence):
        accept(raw, BLANK)


@pytest.mark.parametrize("raw", [3.0, {"frames": 1}, ["a.png", "b.png"], object()])
def test_what_is_no_clip_at_all(raw):
    with pytest.raises(TypeError, match="expected a clip: frames"):
        accept(raw, BLANK)
