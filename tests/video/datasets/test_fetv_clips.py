"""FETV's clips with their ratings."""

import pytest

import video_media as media
from beholder.errors import Misuse
from beholder.study.ratings import ratings_of
from beholder.video.accept import accept
from beholder.video.datasets.fetv_clips import RATES, fetv_clips
from beholder.video.files.clips import opened
from beholder.video.types import Prompt
from study_files import fetv_folder


def gif(root, name):
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    return media.animation(root / name, "GIF")


def test_clips_find_their_ratings(tmp_path):
    ratings, root = fetv_folder(tmp_path / "ratings"), tmp_path / "clips"
    shown = gif(root, "temporal/speed/videofusion/1.gif")
    gif(root, "temporal/actions/cogvideo/0.gif")
    gif(root, "temporal/actions/cogvideo/77.gif")
    found = fetv_clips(root, ratings=str(ratings))
    assert found.ids == ("cogvideo/000", "modelscope-t2v/001")
    sample = found.load("modelscope-t2v/001")
    assert sample.stimulus.media == shown
    assert sample.stimulus.columns == {"CLIPScore": 1.2}
    assert (sample.stimulus.system, sample.stimulus.group) == ("modelscope-t2v", "001")
    assert sample.reference.ratings["temporal"] == {"human0": 3.0, "human1": 4.0}
    assert found.remarks == ("1 clip is without ratings, and left out: cogvideo/077",)
    assert ratings_of(found).dimensions == ("static", "temporal", "alignment")


def test_other_clips_are_another_dataset(tmp_path):
    ratings = fetv_folder(tmp_path / "ratings")
    gif(tmp_path / "clips", "a/b/cogvideo/0.gif")
    before = fetv_clips(tmp_path / "clips", ratings=str(ratings)).fingerprint
    with (tmp_path / "clips/a/b/cogvideo/0.gif").open("ab") as file:
        file.write(b"\0")
    assert fetv_clips(tmp_path / "clips", ratings=str(ratings)).fingerprint != before


def test_no_clips(tmp_path):
    with pytest.raises(Misuse, match=r"with 0 clips, none of them rated; expected such as cogvideo/204\.gif"):
        fetv_clips(tmp_path)
    with pytest.raises(Misuse, match="which is not a folder"):
        fetv_clips(tmp_path / "nowhere")


@pytest.mark.data
def test_the_real_clips(data):
    """specs/data.md 3.11: four generators, 33, 16, 16 and 24 frames, no delays stored; 7 of its prompts are here."""
    found = fetv_clips(data / "fetv_clips")
    assert len(found) == 28
    counts = {}
    for sample in found:
        assert sum(len(raters) for raters in sample.reference.ratings.values()) == 9
        if sample.stimulus.group == "204":
            clip = accept(sample.stimulus.media, Prompt())
            with opened(clip, 32) as stream:
                counts[sample.stimulus.system] = sum(1 for _ in stream.frames)
            assert (stream.clock, stream.ends_early) == ("assumed", "")
    assert counts == {"cogvideo": 33, "text2video-zero": 16, "modelscope-t2v": 16, "zeroscope": 24}
    assert set(RATES) == set(counts)
