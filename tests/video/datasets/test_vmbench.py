"""VMBench's prompts."""

import json
import math

import pytest

from beholder.errors import Misuse
from beholder.video.datasets.vmbench import vmbench

RECORD = {"index": "0001", "prompt": " A fox runs. ", "subject": "a fox", "subject_noun": "fox", "place": "forest"}


def test_a_file_or_a_folder(tmp_path):
    (tmp_path / "prompts").mkdir()
    file = tmp_path / "prompts" / "prompts.json"
    file.write_text(json.dumps([RECORD, {**RECORD, "index": "0002", "action": "none"}]))
    found = vmbench(tmp_path)
    assert vmbench(file).fingerprint == vmbench(tmp_path / "prompts").fingerprint == found.fingerprint
    sample = found.load("0001")
    assert (sample.stimulus.text, sample.stimulus.subject) == ("A fox runs.", "fox")
    assert math.isnan(sample.stimulus.rate)  # a prompt's rate would override those of files
    assert sample.tags == {"place": "forest"}
    assert found.load("0002").tags == {"place": "forest", "action": "none"}


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("{", "got no JSON"),
        ("{}", "got a dict; expected a list of prompts"),
        ('[{"prompt": "x"}]', "entry 1: got .* expected a record with index and prompt"),
        (json.dumps([RECORD, RECORD]), "entry 2: got the index 0001 twice"),
    ],
)
def test_what_is_wrong_is_said(tmp_path, content, sentence):
    (tmp_path / "prompts.json").write_text(content)
    with pytest.raises(Misuse, match=sentence):
        vmbench(tmp_path)


def test_it_is_not_there(tmp_path):
    with pytest.raises(Misuse, match=r"without prompts\.json; expected VMBench's folder of prompts"):
        vmbench(tmp_path)


@pytest.mark.data
def test_the_real_prompts(data):
    """specs/video.md 2.1: 1,050 prompts of 12 … 59 words, 26.2 on average, with 143 nouns, 51 places, 557 actions."""
    found = vmbench(data / "vmbench_prompts")
    samples = list(found)
    assert (len(found), found.ids[0], found.ids[-1]) == (1050, "0001", "1050")
    words = [len(sample.stimulus.text.split()) for sample in samples]
    assert (min(words), max(words)) == (12, 59)
    assert sum(words) / len(words) == pytest.approx(26.2, abs=0.05)
    assert len({sample.stimulus.subject for sample in samples}) == 143
    assert len({sample.tags["place"] for sample in samples}) == 51
    assert len({sample.tags["action"] for sample in samples}) == 557
