"""Prompt files: VMBench's and VBench's, ours read by our own dataset, and the rules that tag anybody's."""

import json
from pathlib import Path

import pytest

from beholder.errors import Misuse
from beholder.video.datasets.vmbench import vmbench
from beholder.video.prompts import files, tagger
from beholder.video.prompts.coverage import coverage, table
from beholder.video.prompts.entry import Entry
from beholder.video.prompts.make import make
from beholder.video.prompts.tags import PATTERNS, UNKNOWN


@pytest.fixture(scope="module")
def made():
    return make(3000, 240, seed=1)


def test_our_own_dataset_reads_the_file(made, tmp_path):
    files.write(made.entries, tmp_path)
    found = vmbench(tmp_path)
    assert found.ids == tuple(f"{at:04}" for at in range(1, 241))
    for entry in made.entries[::17]:
        sample = found.load(entry.index)
        assert (sample.stimulus.text, sample.stimulus.subject) == (entry.prompt, entry.subject_noun)
        assert sample.tags["pattern"] == entry.pattern
        assert sample.tags["pattern_by"] == "writer"
        assert sample.tags.get("interaction", "") == entry.interaction
    record = json.loads((tmp_path / "prompts.json").read_text())[0]
    assert list(record)[:6] == ["prompt", "subject", "subject_noun", "place", "action", "index"]  # as VMBench has them
    assert (tmp_path / "prompts.txt").read_text().splitlines() == [entry.prompt for entry in made.entries]


def test_files_come_back_as_they_were(made, tmp_path):
    files.write(made.entries, tmp_path, styles=("vmbench", "vbench"))
    assert files.read(tmp_path) == list(made.entries)
    back = files.read(tmp_path / "full_info.json")
    assert [one.record() for one in back] == [
        {**one.record(), "dimension": list(files.DIMENSIONS)} for one in made.entries
    ]
    files.write(back, tmp_path / "again")
    assert (tmp_path / "again" / "prompts.json").read_bytes() == (tmp_path / "prompts.json").read_bytes()
    texts = files.read(tmp_path / "prompts.txt")
    assert [one.prompt for one in texts] == [one.prompt for one in made.entries]


def test_vbenchs_own_fields_stay(tmp_path):
    record = {
        "prompt_en": "a bus turns the corner",
        "dimension": ["object_class"],
        "auxiliary_info": {"object_class": {"object": "bus"}},
    }
    (tmp_path / "full_info.json").write_text(json.dumps([record]))
    (entry,) = tagger.tags(files.read(tmp_path))
    files.write([entry], tmp_path / "out", styles=("vbench",))
    (written,) = json.loads((tmp_path / "out" / "full_info.json").read_text())
    assert written.items() >= record.items()
    assert (written["pattern"], written["pattern_by"]) == ("mechanical", "rules")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("{", "got no JSON"),
        ("[]", "without prompts"),
        ('["a"]', "entry 1: got 'a'; expected a record"),
        ('[{"prompt": " "}]', "entry 1"),
        ('[{"prompt": "a", "index": "1"}, {"prompt": "b", "index": "1"}]', "entry 2: got the index 1 twice"),
    ],
)
def test_what_is_no_prompt_file_is_refused(tmp_path, content, sentence):
    (tmp_path / "prompts.json").write_text(content)
    with pytest.raises(Misuse, match=sentence):
        files.read(tmp_path)
    with pytest.raises(Misuse, match="without prompts; expected a file"):
        files.read(tmp_path / "nothing")


@pytest.mark.parametrize(
    ("text", "subject", "pattern", "interaction"),
    [
        ("Rain drums on the roof of the barn.", "", "weather", ""),
        ("A man pours tea into a cup.", "", "biological", ""),
        ("Coffee pours into a cup and steams.", "coffee", "fluid", ""),
        ("A swarm of bees hangs from the branch.", "bee", "collective", ""),
        ("A candle flickers and goes out.", "candle", "energy", ""),
        ("A red car collides with a van.", "car", "mechanical", "collision"),
        ("The cook hands a plate to the waiter.", "cook", "biological", "hand-over"),
        ("A blue vase sways in the breeze on the sill.", "vase", "weather", ""),
        ("Two trains pass each other at dusk.", "train", "mechanical", "crossing"),
        ("A boy runs through the arcade, holding three apples.", "apple", "biological", ""),
        ("A blue vase is placed on the table in the hall.", "vase", "unknown", ""),
        ("Three apples are carried by a street performer.", "apple", "biological", ""),
        ("A quaxle does something to the quixle.", "quaxle", "unknown", ""),
        ("A musician walks along, his violin in hand, to the beat.", "musician", "biological", ""),
        ("Two women throw a ball back and forth.", "woman", "biological", "hand-over"),
        ("A boxer lands an uppercut.", "boxer", "biological", "collision"),
        ("Two friends clink their glasses together.", "friend", "biological", "collision"),
        ("Two friends exchange a high-five.", "friend", "biological", "collision"),
    ],
)
def test_rules_tag_plain_cases(text, subject, pattern, interaction):
    found = tagger.tag(Entry(text, subject_noun=subject))
    assert (found.pattern, found.interaction, found.by) == (pattern, interaction, "rules")


def test_rules_agree_with_the_writer(made):
    """The tagger reads sentences, the writer knows its action: both call most prompts the same."""
    again = tagger.tags(made.entries)
    for tag, least in (("pattern", 0.9), ("interaction", 0.95), ("kind", 0.95)):
        same = [getattr(a, tag) == getattr(b, tag) for a, b in zip(made.entries, again, strict=True)]
        assert sum(same) / len(same) > least, tag


@pytest.mark.data
def test_shares_of_vmbenchs_prompts(data: Path):
    found = coverage(tagger.tags(files.read(data / "vmbench_prompts")))
    assert found.prompts == sum(found.patterns.values()) == 1050
    assert (min(found.lengths), max(found.lengths)) == (12, 59)  # as the file has them
    assert found.distinct["nouns"] == 143
    assert found.share("biological") > 0.7  # two thirds of its subjects are people
    assert max(found.share(name) for name in PATTERNS if name not in ("biological", "mechanical")) < 0.1
    assert "biological" in table({"VMBench": found})
    page = (Path(__file__).parents[3] / "docs" / "how-to" / "make-prompts.md").read_text("utf-8")
    shares = [*(found.share(name) for name in (*PATTERNS, UNKNOWN)), sum(found.interactions.values()) / found.prompts]
    assert f"| VMBench | {' | '.join(f'{100 * share:.1f} %' for share in shares)} |" in page


# What one of us read in 60 prompts of VMBench: 20 that the rules call mechanical, 20 with two or more
# people, 20 of the rest, drawn with a seed. Those that are not named below: biological, no interaction.
READ = """0173 0151 0190 0183 0188 0215 0208 0298 0218 0247 0159 0149 0219 0207 0206 0256 0169 0263 0233 0252
0428 0365 0580 0379 0503 0424 0446 0325 0364 0507 0266 0636 0360 0377 1046 0429 0361 0577 0600 0378
0075 0621 0878 0914 1049 0176 0390 0689 0386 0146 0281 0535 0425 0117 0786 0438 1017 0655 0561 0745"""
PATTERN_READ = {
    "mechanical": "0151 0190 0183 0188 0215 0208 0298 0218 0247 0149 0219 0207 0206 0256 0169 0233 0252 0176 0146",
    "collective": "0365 0446 0364 0360 0361",
    "fluid": "0281",
}
INTERACTION_READ = {
    "0173": "collision",
    "0149": "collision",
    "0424": "hand-over",
    "0266": "collision",
    "0507": "hand-over",
}


@pytest.mark.data
def test_the_rules_against_sixty_prompts_that_were_read(data: Path):
    """The numbers that the page prints; the rules were mended while reading, so they are no better elsewhere."""
    read = {index: pattern for pattern, own in PATTERN_READ.items() for index in own.split()}
    found = {one.index: one for one in tagger.tags(files.read(data / "vmbench_prompts"))}
    right = [found[index].pattern == read.get(index, "biological") for index in READ.split()]
    acts = [found[index].interaction == INTERACTION_READ.get(index, "") for index in READ.split()]
    assert [sum(right[at : at + 20]) for at in (0, 20, 40)] == [17, 20, 17]
    assert [sum(acts[at : at + 20]) for at in (0, 20, 40)] == [19, 19, 20]
    page = (Path(__file__).parents[3] / "docs" / "how-to" / "make-prompts.md").read_text("utf-8")
    assert "54 of 60" in page
    assert "17 of 20" in page
    assert "58 of 60" in page
