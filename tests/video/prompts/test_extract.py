"""Stage a: what captions tell."""

import pytest

from beholder.errors import Misuse
from beholder.video.prompts.extract import Found, captions, extract, parse, write
from beholder.video.prompts.vocabulary import read_folder

CAPTIONS = """id,prompt,time
1,"A cat walking on the beach, 4k, cinematic",1
2,"two astronauts dancing in a desert",2
3,An old man rides a bike through the city street at night,3
4,"cinematic shot of horses galloping across a field, sunset",2
5,"=HYPERLINK(""x"") stunning colours",1
"""


@pytest.mark.parametrize(
    ("caption", "found"),
    [
        ("A cat walking on the beach, 4k, cinematic", Found("cat", "beach", "walking")),
        ("An old man rides a bike through the city street", Found("old man", "city street", "riding a bike")),
        ("Cinematic shot of horses galloping across a field", Found("horses", "field", "galloping")),
        ("Kids play football in the park", Found("kids", "park", "playing football")),
        ("a building in the evening", Found("building", "", "")),
        ("A nurse walks along a long hospital corridor", Found("nurse", "hospital corridor", "walking")),
        ("a flock of birds is flying over the sea", Found("flock of birds", "sea", "flying")),
    ],
)
def test_captions(caption, found):
    told = parse(caption)
    assert (told.subject, told.action) == (found.subject, found.action)
    assert told.place in (found.place, "street", "city")


def test_files_of_every_sort(tmp_path):
    (tmp_path / "vidprom.csv").write_text("\ufeff" + CAPTIONS, "utf-8")
    (tmp_path / "places365.txt").write_text("/a/airfield 0\n/b/beach 48\nice_skating_rink/indoor\n")
    (tmp_path / "plain.txt").write_text("Two dogs chase a ball in the garden.\n\n")
    found = extract([tmp_path / name for name in ("vidprom.csv", "places365.txt", "plain.txt")])
    assert found.captions == 9
    assert found.places["beach"] == 2
    assert {"cat", "horses", "two dogs"} <= set(found.subjects)
    write(found, tmp_path / "words")
    words, _ = read_folder(tmp_path / "words")
    assert {"cat", "man", "dog", "astronaut"} <= {subject.noun for subject in words.subjects}
    assert {"beach", "airfield", "ice rink", "garden"} <= {place.name for place in words.places}
    assert "gallop" in {action.text for action in words.actions}


def test_what_holds_no_captions_is_refused(tmp_path):
    (tmp_path / "a.csv").write_text("x,y\n1,2\n")
    with pytest.raises(Misuse, match="got the columns x, y; expected one of prompt, caption"):
        list(captions(tmp_path / "a.csv"))
    with pytest.raises(Misuse, match="which is not a file"):
        list(captions(tmp_path / "b.csv"))
    (tmp_path / "c.txt").write_bytes(b"\xff\xfe\x00caption")
    with pytest.raises(Misuse, match="cannot be read"):
        extract([tmp_path / "c.txt"])
    (tmp_path / "d.txt").write_text("\n")
    with pytest.raises(Misuse, match="nothing that our rules find"):
        extract([tmp_path / "d.txt"])
