"""From words to a set: seeded, exact, with every minimum; and the figure of what it covers."""

import json
from collections import Counter
from pathlib import Path

import pytest

from beholder.errors import Misuse
from beholder.video.prompts import make as making
from beholder.video.prompts.choose import minimums
from beholder.video.prompts.coverage import coverage
from beholder.video.prompts.figure import draw
from beholder.video.prompts.make import make
from beholder.video.prompts.tagger import tags
from beholder.video.prompts.tags import INTERACTIONS, PATTERNS, UNKNOWN
from beholder.video.prompts.vocabulary import Vocabulary, built_in

PROMPTS = ("full_info.json", "prompts.json", "prompts.txt")


def test_the_same_seed_gives_the_same_bytes(tmp_path):
    for name in ("a", "b"):
        making.write(make(600, 60), tmp_path / name, styles=("vmbench", "vbench"), candidates=True)
    making.write(make(600, 60, seed=1), tmp_path / "c", styles=("vmbench",), draw=False)
    files = sorted(path.name for path in (tmp_path / "a").iterdir())
    assert files == ["about.json", "candidates.jsonl", "coverage.png", "coverage.txt", *PROMPTS]
    for name in files:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes(), name
    assert (tmp_path / "a" / "prompts.txt").read_bytes() != (tmp_path / "c" / "prompts.txt").read_bytes()
    about = json.loads((tmp_path / "a" / "about.json").read_text())
    assert about["candidates"] == 600 == about["passed"] + sum(one["count"] for one in about["dropped"].values())
    assert about["pattern_by"] == "writer"


def test_a_set_is_balanced_and_meets_its_minimums():
    least = minimums(["biological=30", "interaction=25", "collision=8", "hand-over=6", "animal=15"])
    made = make(4000, 120, least=least, seed=4)
    counts = Counter(one.pattern for one in made.entries)
    assert sum(counts.values()) == len({one.prompt for one in made.entries}) == 120
    assert counts["biological"] == 30
    assert {counts[name] for name in PATTERNS if name != "biological"} == {18}
    acts = Counter(one.interaction for one in made.entries)
    assert sum(acts[name] for name in INTERACTIONS) >= 25
    assert acts["collision"] >= 8
    assert acts["hand-over"] >= 6
    assert sum(one.kind == "animal" for one in made.entries) >= 15
    assert [one.index for one in made.entries] == [f"{at:04}" for at in range(1, 121)]


def test_what_cannot_be_made_is_said():
    with pytest.raises(Misuse, match=r"weather: got .* short of 900"):
        make(1000, 100, least={"weather": 900})
    with pytest.raises(Misuse, match="expected 1 or more"):
        make(0)
    with pytest.raises(Misuse, match="no subject can do any action in any place"):
        make(10, 1, words=Vocabulary((), built_in().places, built_in().actions))


@pytest.mark.slow
def test_fifty_thousand_candidates_down_to_1050():
    """The paper's numbers, in one go; the shares are those that the page prints."""
    made = make(50_000, 1_050)
    assert len({one.prompt for one in made.entries}) == 1_050
    assert Counter(one.pattern for one in made.entries) == dict.fromkeys(PATTERNS, 175)
    assert len(made.passed) > 5_000
    found = coverage(tags(made.entries))
    shares = [*(found.share(name) for name in (*PATTERNS, UNKNOWN)), sum(found.interactions.values()) / found.prompts]
    page = (Path(__file__).parents[3] / "docs" / "how-to" / "make-prompts.md").read_text("utf-8")
    assert f"hold {made.settings['different']:,} different ideas" in page
    assert f"{made.dropped['same meaning']:,} are dropped" in page
    assert f"| words | 3,602 | {found.distinct['words']:,} |" in page
    assert f"| ours, seed 0 | {' | '.join(f'{100 * share:.1f} %' for share in shares)} |" in page


def test_the_figure_of_two_sets():
    entries = make(600, 40).entries
    figure = draw({"one": entries, "two": entries[:5]})
    assert [panel.get_title(loc="left")[:1] for panel in figure.axes] == ["a", "b", "c", "d"]
    assert len(draw({"one": entries}).legends) == 0
