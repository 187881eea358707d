"""Prompts as a study."""

import pytest

from beholder.errors import Misuse
from beholder.study.design.file import read
from beholder.study.design.new import new
from beholder.video.exhibits.prompts import prompts, written


def test_every_prompt_is_shown_and_can_be_kept_or_dropped(tmp_path):
    file = tmp_path / "mine.txt"
    file.write_text("".join(f"Dog number {at} runs over the wet grass.\n" for at in range(12)))
    study = read(new("prompts", tmp_path / "s", options={"file": str(file), "count": 4, "raters": 3}))
    judged = [item for item in study.items if item.use == "trial"]
    assert [item.id for item in judged] == [f"prompt-{at:04}" for at in range(1, 13)]
    assert {item.show for item in study.items} == {"picture"}
    assert [answer.label for answer in study.questions[0].answers] == ["Keep it", "Drop it"]
    assert "sentences, one at a time" in study.consent.text
    assert "clip" not in study.consent.text  # nothing is watched
    assert study.consent.contact.startswith("FILL IN")
    assert study.participants == 9  # 12 prompts x 3 raters / 4 trials
    assert len({(tmp_path / "s" / item.media).read_bytes() for item in judged}) == 12


def test_a_long_prompt_fits_on_its_picture():
    short, long = written("A dog runs."), written("A dog runs over the wet grass. " * 12)
    assert short.shape[1] == long.shape[1]
    assert long.shape[0] > short.shape[0]
    assert (long[-20:] == 255).all()
    assert (long[:, -20:] == 255).all()
    assert (long < 128).any()


def test_too_few_are_refused(tmp_path):
    (tmp_path / "mine.txt").write_text("A dog runs.\n")
    with pytest.raises(Misuse, match="got 1 prompts; expected 6 or more"):
        prompts(file=str(tmp_path / "mine.txt"))
    with pytest.raises(Misuse, match="--set file=PROMPTS"):
        prompts()
