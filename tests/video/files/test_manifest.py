"""Manifests of anybody's making."""

import math

import pytest

from beholder.video.files.manifest import Record, beside, matched, read


def written(path, text):
    path.write_text(text, "utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("m.csv", "Video-ID,Caption,FPS,weather\na.mp4,A dog runs.,8,rain\n"),
        ("m.csv", "\ufeffVideo ID;Caption;FPS;weather\na.mp4;A dog runs.;8;rain\n"),
        ("m.tsv", "weather\tfile_name\tprompt\trate\nrain\t./a.mp4\tA dog runs.\t8000/1000\n"),
        ("m.json", '[{"video": "a", "text": "A dog runs.", "frame rate": 8, "weather": "rain"}]'),
        ("m.json", '{"a.mp4": {"prompt": "A dog runs.", "hz": 8.0, "weather": "rain"}}'),
        ("m.json", '{"version": 2, "clips": [{"id": "a", "text": "A dog runs.", "fps": "8", "weather": "rain"}]}'),
        ("m.jsonl", '{"id": "a", "text": "A dog runs.", "fps": 8, "weather": "rain"}\n\n'),
    ],
)
def test_columns_have_many_names(tmp_path, name, text):
    (record,) = read(written(tmp_path / name, text))
    assert (record.name, record.text, record.rate, record.more) == ("a", "A dog runs.", 8.0, {"weather": "rain"})
    assert record.facts == {"text": "A dog runs.", "rate": "8", "weather": "rain"}


def test_short_forms(tmp_path):
    text, rate = read(written(tmp_path / "m.json", '{"a.gif": "A dog runs.", "b": 12}'))
    assert (text.name, text.text) == ("a", "A dog runs.")
    assert (rate.name, rate.rate) == ("b", 12.0)


def test_the_noun_is_the_subject(tmp_path):
    rows = "id,subject,subject_noun,camera,size,interaction,rate\n7,a red fox,fox,moving,small,crossing,\n"
    (record,) = read(written(tmp_path / "m.csv", rows))
    assert (record.subject, record.more) == ("fox", {"subject": "a red fox"})
    assert (record.camera, record.size, record.interaction) == ("moving", "small", "crossing")
    assert math.isnan(record.rate)


def test_names_are_matched_as_far_as_they_are_unique():
    stems = ["wan/0001", "wan/0002", "wan/x", "wan/y", "wan/10"]
    records = [Record("/data/out/x"), Record("1"), Record("2"), Record("a/0002"), Record("p/y"), Record("q/y")]
    found = {stem: record.name for stem, record in matched(stems, records).items()}
    assert found == {"wan/0001": "1", "wan/0002": "a/0002", "wan/x": "/data/out/x"}


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("m.csv", "weather,mood\nrain,bad\n", "no column names the clips; got weather, mood; expected one called file"),
        ("m.csv", "file,prompt\n", "got no rows; expected one for each clip"),
        ("m.csv", "file,prompt\n,x\n", "row 1: got no file; expected the name of a clip"),
        ("m.csv", "file,fps\na,fast\n", "row 1: got the rate 'fast'; expected frames per second, such as 24"),
        ("m.csv", "file,fps\na,0\n", "row 1: got 0.0 frames per second; expected a number above 0"),
        ("m.csv", "file,fps\na,1/0\n", "row 1: got the rate '1/0'"),
        ("m.csv", 'file,prompt\na,"x\n', "got no table that can be read"),
        ("m.json", "[1]", "got '1'; expected a list of records"),
        ("m.json", "{", "got no JSON that can be read"),
        ("m.xlsx", "", r"got the suffix '\.xlsx'; expected \.csv"),
    ],
)
def test_what_is_wrong_is_said(tmp_path, name, text, sentence):
    with pytest.raises(ValueError, match=sentence):
        read(written(tmp_path / name, text))


def test_a_text_that_is_none(tmp_path):
    (tmp_path / "m.csv").write_bytes(b"file\n\xff\xfe\n")
    with pytest.raises(ValueError, match="got no text in UTF-8"):
        read(tmp_path / "m.csv")


def test_what_is_said_of_a_clip_in_its_folder(tmp_path):
    assert beside(tmp_path / "a.gif") is None
    written(tmp_path / "manifest.csv", "file,fps\na.gif,12\n")
    said = beside(tmp_path / "a.gif")
    assert said is not None
    assert said.rate == 12
    assert beside(tmp_path / "b.gif") is None
    written(tmp_path / "manifest.csv", "file,fps\na.gif,16\nb.gif,3\n")  # it is read again when it has changed
    assert [beside(tmp_path / name).rate for name in ("a.gif", "b.gif")] == [16, 3]
