"""A picture that is looked at and not here, or here and not looked at, is counted and named."""

import shutil

import pytest

import attention_films
import attention_folders
from beholder.registry.find import find


@pytest.mark.parametrize("name", sorted(attention_folders.FOLDERS))
def test_pictures_that_are_left_out_are_counted_and_named(name, tmp_path):
    folder = attention_folders.FOLDERS[name](tmp_path)
    make = find("attention.datasets", name)
    before = make(folder)
    seen = before.load.seen
    first, last = before.ids[0], before.ids[-1]
    shutil.copy(seen[first].file, seen[first].file.with_name(f"nobody{seen[first].file.suffix}"))
    seen[last].file.unlink()
    after = make(folder)
    said = "; ".join(after.remarks)
    assert last not in after.ids
    assert "1 picture is not in the recordings read, so left out: nobody." in said
    if name == "eyelink":  # a message is a line of words: none of them is known to be a picture
        return
    absent = len(seen) + before.about.count("1 further pictures are not here") - len(after.ids)
    noun = "picture is" if absent == 1 else "pictures are"
    assert f"{absent} {noun} named in the recordings but missing, so left out: " in said
    assert last in said


def test_films_that_are_not_here_are_counted_and_named(tmp_path):
    find_folder, coutrot = attention_films.FOLDERS.values()
    gaze = find("attention.datasets", "find_video_gaze")
    made = find_folder(tmp_path / "a")
    assert gaze(made).remarks == ("1 film is named in the recordings but missing, so left out: 003",)
    shutil.copy(made / "videos" / "001.mp4", made / "videos" / "004.mp4")
    assert gaze(made).remarks[1:] == ("1 film is without a recording, so left out: 004",)
    folder = coutrot(tmp_path / "b")
    next(folder.rglob("clip_2.*")).unlink()
    assert find("attention.datasets", "coutrot")(folder).remarks == ("1 film is not here and cannot be shown: clip_2",)
