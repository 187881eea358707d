"""Folders of clips as a dataset: their names, and what a manifest says."""

import math

import pytest

import video_media as media
from beholder.errors import Misuse
from beholder.registry.load import dataset as dataset_from
from beholder.video.datasets.clips import clips, union
from beholder.video.files.answers import located
from beholder.video.scene import Scene


def touch(root, *names):
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()
    return root


def test_a_folder_without_a_manifest(tmp_path):
    touch(tmp_path, "10.mp4", "9.GIF", "wan/a.b.webm", "notes.txt", "9.keypoints.json", ".hidden.mp4")
    media.frame_folder(tmp_path / "frames" / "c")
    found = clips(tmp_path)
    assert found.ids == ("9", "10", "frames/c", "wan/a.b")
    sample = found.load("wan/a.b")
    assert (sample.stimulus.text, sample.reference, sample.tags) == ("", Scene(), {})
    assert math.isnan(sample.stimulus.rate)
    assert found.remarks == ()
    assert clips(tmp_path, rate=12).load("9").stimulus.rate == 12


def test_a_manifest_says_what_clips_should_show(tmp_path):
    touch(tmp_path, "a.mp4", "b.mp4", "c.mp4")
    (tmp_path / "manifest.csv").write_text(
        "Clip,Caption,subject_noun,camera_motion,FPS,weather\n"
        "a.mp4,A dog runs.,dog,moving,8,rain\n"
        "b,Waves.,,,,\n"
        "z.mp4,Gone.,,,,\n"
    )
    found = clips(tmp_path)
    sample = found.load("a")
    assert (sample.stimulus.text, sample.stimulus.subject, sample.stimulus.rate) == ("A dog runs.", "dog", 8.0)
    assert sample.reference == Scene("A dog runs.", "dog", camera="moving")
    assert sample.tags == {"camera": "moving", "weather": "rain"}
    assert found.load("b").stimulus.text == "Waves."
    assert found.remarks == ("1 clip is not in the manifest: c", "1 row is of no clip that is here: z")
    assert found.fingerprint != clips(touch(tmp_path / "other", "a.mp4", "b.mp4", "c.mp4")).fingerprint


def test_a_manifest_elsewhere_and_one_alone(tmp_path):
    touch(tmp_path / "clips", "1.mp4")
    (tmp_path / "p.json").write_text('[{"index": "0001", "prompt": "A dog."}, {"index": "0002", "prompt": "A cat."}]')
    found = clips(tmp_path / "clips", manifest=str(tmp_path / "p.json"))
    assert found.load("1").stimulus.text == "A dog."
    alone = clips(manifest=str(tmp_path / "p.json"))
    assert (alone.name, alone.ids) == ("clips_p", ("0001", "0002"))
    assert alone.load("0002").stimulus.text == "A cat."


def test_a_clip_in_several_formats_is_one_sample(tmp_path):
    found = clips(touch(tmp_path, "a.mp4", "a.gif", "b.mp4"))
    assert found.ids == ("a", "b")
    assert found.remarks == ("1 clip is present in several formats: a (a.gif, a.mp4)",)


def test_the_union_of_folders_is_built_again_from_its_spec(tmp_path):
    folders = [touch(tmp_path / "wan", "a.mp4", "b.mp4"), touch(tmp_path / "my (1) model", "b.gif", "c.gif")]
    found = union(folders)
    assert (found.name, found.ids, found.remarks) == ("clips", ("a", "b", "c"), ())
    spec = f"clips(folders={';'.join(map(str, folders))!r})"
    again = dataset_from("video.datasets", spec)
    assert (again.ids, again.fingerprint) == (found.ids, found.fingerprint)


@pytest.mark.parametrize(
    ("names", "settings", "sentence"),
    [
        ((), {}, "with nothing; expected clips such as a.mp4"),
        (("notes.txt",), {}, "with notes.txt; expected clips such as a.mp4"),
        (("0.png", "1.png"), {}, "which holds the frames of one clip; expected its parent folder"),
        (("a.mp4",), {"manifest": "no.csv"}, "got the manifest no.csv, which is not a file"),
    ],
)
def test_what_is_wrong_is_said(tmp_path, names, settings, sentence):
    with pytest.raises(Misuse, match=sentence):
        clips(touch(tmp_path, *names), **settings)


def test_it_needs_clips_and_names_them_once(tmp_path):
    with pytest.raises(Misuse, match="it needs clips: --dataset clips:FOLDER"):
        clips()
    with pytest.raises(Misuse, match="which is not a folder"):
        clips(tmp_path / "nowhere")
    (tmp_path / "p.csv").write_text("file\na\na\n")
    with pytest.raises(Misuse, match=r"p\.csv: got 'a' twice"):
        clips(manifest=str(tmp_path / "p.csv"))


def test_links_lead_nowhere_and_names_lead_out(tmp_path):
    """Found by a vandal: a link to itself made 41 clips of one, and a dangling one, or a name in bytes, ended a run."""
    touch(tmp_path, "a.mp4")
    (tmp_path / "round").symlink_to(tmp_path)
    (tmp_path / "gone.mp4").symlink_to("/nowhere.mp4")
    (tmp_path / "bad\udcff.mp4").touch()
    found = union([tmp_path])
    assert found.ids == ("a", "gone")
    assert found.remarks == (r"1 clip is left out because its name is not valid UTF-8; rename it: bad\xff",)
    assert located(tmp_path, "gone") is None  # so that its row says that there is no answer
    for name in ("../secret", "/etc/hostname"):
        (tmp_path / "m.csv").write_text(f"file,prompt\n{name},b\n", "utf-8")
        with pytest.raises(Misuse, match=r"expected names inside a folder of clips, without \.\."):
            clips(manifest=str(tmp_path / "m.csv"))


def test_a_row_has_as_many_cells_as_the_head(tmp_path):
    (tmp_path / "m.csv").write_text("file,prompt\na.mp4,b,c\n", "utf-8")
    with pytest.raises(ValueError, match=r"row 1: got more or fewer cells than the header has columns"):
        clips(manifest=str(tmp_path / "m.csv"))
