"""Answers in files: what `dir:` reads, where it is found, and what is written."""

import json
import math
import shutil
from pathlib import Path

import numpy as np
import pytest

import video_media as media
from beholder.video.files.answers import held, located, read, show, write
from beholder.video.files.suffixes import clips_in
from beholder.video.types import Clip, Prompt


def test_a_clip_is_known_by_its_bytes(tmp_path):
    first = media.film(tmp_path / "a.mp4")
    again = shutil.copy(first, tmp_path / "b.mp4")
    other = media.film(tmp_path / "c.mp4", media.frames(5))
    digests = [read(Path(path)).content for path in (first, again, other)]
    assert digests[0] == digests[1] != digests[2]
    folder = media.frame_folder(tmp_path / "d")
    before = read(folder).content
    (folder / "3.png").write_bytes((folder / "4.png").read_bytes())
    assert read(folder).content != before


def test_a_manifest_beside_it_gives_its_rate(tmp_path):
    media.animation(tmp_path / "a.gif", "GIF")
    (tmp_path / "manifest.csv").write_text("video,fps,prompt\na.gif,10,A dog runs.\n")
    clip = read(tmp_path / "a.gif", limit=1)
    assert (clip.rate, clip.facts["text"]) == (10.0, "A dog runs.")
    assert math.isnan(read(media.film(tmp_path / "b.mp4")).rate)


@pytest.mark.parametrize("content", [b"", b"none"])
def test_what_cannot_be_read_is_said_at_once(tmp_path, content):
    (tmp_path / "a.mp4").write_bytes(content)
    with pytest.raises(ValueError, match="expected"):
        read(tmp_path / "a.mp4")


def test_where_an_answer_is(tmp_path):
    for name in ("a.MP4", "b.gif", "b.webm", "x/c.v2.mov", "a.keypoints.json", "e.keypoints.npz", "f.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    media.frame_folder(tmp_path / "x" / "d")
    found = {id: located(tmp_path, id) for id in ("a", "b", "x/c.v2", "x/d", "e", "f", "x", "x/c", "y/z")}
    names = {id: path and path.relative_to(tmp_path).as_posix() for id, path in found.items()}
    none = dict.fromkeys(("e", "f", "x", "x/c", "y/z"))
    assert names == {"a": "a.MP4", "b": "b.webm", "x/c.v2": "x/c.v2.mov", "x/d": "x/d", **none}
    assert [id for id, _ in clips_in(tmp_path)] == ["a", "b", "b", "x/c.v2", "x/d"]


def test_a_folder_of_clips_with_a_picture_is_no_clip(tmp_path):
    media.frame_folder(tmp_path / "a")
    media.film(tmp_path / "a" / "b.mp4")
    assert [id for id, _ in clips_in(tmp_path)] == ["a/b"]


def test_a_file_is_copied_and_frames_are_encoded(tmp_path):
    source = media.animation(tmp_path / "a.gif", "GIF", [80] * 12)
    write(read(source), tmp_path / "b.mp4")
    assert (tmp_path / "b.mp4").read_bytes() == source.read_bytes()
    write(Clip(media.frames(), rate=24.0), tmp_path / "c.mp4")
    again = held(read(tmp_path / "c.mp4"))
    assert again.rate == pytest.approx(24)
    assert np.abs(again.pixels.astype(int) - media.frames()).mean() < 3
    write(read(media.frame_folder(tmp_path / "d")), tmp_path / "d.mp4")
    assert held(read(tmp_path / "d.mp4")).rate == pytest.approx(8)  # as it is assumed


def test_a_clip_that_is_held_survives_its_file(tmp_path):
    path = media.film(tmp_path / "a.mp4", ticks=media.UNEVEN)
    clip = held(read(path))
    path.unlink()
    assert clip.pixels.shape == (12, 48, 64, 3)
    assert clip.rate == pytest.approx(11 / (500 / 600))
    assert clip.content
    assert held(clip) is clip
    assert math.isnan(held(read(media.animation(tmp_path / "b.gif", "GIF"))).rate)
    np.savez(tmp_path / "c.npz", frames=media.frames(), rate=6)
    assert held(read(tmp_path / "c.npz")).rate == pytest.approx(6)


def test_what_a_program_sees(tmp_path):
    show(Prompt("A dog runs.", "dog", rate=8, size=(480, 854), scene=object()), tmp_path)
    assert json.loads((tmp_path / "prompt.json").read_text()) == {
        **{"text": "A dog runs.", "subject": "dog", "seconds": None, "rate": 8},
        **{"height": 480, "width": 854},
    }
