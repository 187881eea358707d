"""The rule-based writer, and the checks of what anybody wrote."""

import re
from random import Random

import pytest

from beholder.video.prompts.checks import LONGEST, SHORTEST, fault, reason, words
from beholder.video.prompts.combine import Combinations, Idea
from beholder.video.prompts.english import gerund, third_person
from beholder.video.prompts.vocabulary import GROUP, built_in
from beholder.video.prompts.writer import inflect, name, write

WORDS = built_in()


@pytest.fixture(scope="module")
def written():
    rng = Random(3)
    return [(idea, write(idea, rng)) for idea in Combinations(WORDS).draw(3000, rng)]


def test_nearly_all_sentences_pass_the_checks(written):
    faults = [reason(fault(one.text, (idea.subject.noun, idea.subject.plural))) for idea, one in written]
    assert faults.count("grammar") <= 3
    assert faults.count("still") == 0
    assert faults.count("banned") == 0
    assert faults.count("length") < 30


def test_sentences_vary_as_vmbenchs_do(written):
    lengths = [len(words(one.text)) for _, one in written]
    assert 22 < sum(lengths) / len(lengths) < 29  # VMBench: 26.2
    assert max(lengths) <= LONGEST
    texts = " ".join(one.text for _, one in written)
    for sign in (r"\bis \w+ing\b", r"\bbegins to\b", r"^With ", r"\. Then ", r", and then ", r"^In a"):
        assert any(re.search(sign, one.text) for _, one in written), sign
    assert not re.search(r"[{}^|]|  |\s[,.]", texts)


def test_subjects_and_verbs_agree(written):
    for idea, one in written:
        if idea.number == 1 and idea.subject.plural and not idea.other:
            said = re.search(r"\b(is|are|begins?)\b", one.text)
            assert not (said and said[1] in ("are", "begin")) or "people" in one.text or "as" in one.text, one.text
        if idea.number > 1:
            assert re.match(r"(two|three) ", one.subject)
            assert f"{third_person(idea.action.verb)} " not in one.text.split(idea.subject.plural)[1][:30], one.text


def test_the_same_seed_writes_the_same(written):
    rng = Random(3)
    again = [write(idea, rng) for idea in Combinations(WORDS).draw(3000, rng)]
    assert again == [one for _, one in written]


def _idea(text, noun, place, **more):
    return Idea(
        next(one for one in WORDS.actions if one.text.startswith(text)),
        next(one for one in WORDS.subjects if one.noun == noun),
        next(one for one in WORDS.places if one.name == place),
        **more,
    )


def test_names_articles_and_pronouns():
    herd = name(_idea("stampede", "zebra", "savanna", number=GROUP), Random(0))
    assert herd.phrase in ("a herd of zebras", "dozens of zebras", "hundreds of zebras")
    assert herd.plural == (not herd.phrase.startswith("a herd"))
    assert herd.fill("{its} head{s}") == "their heads"
    owl = name(_idea("land on", "owl", "forest"), Random(5))
    assert re.fullmatch(r"an owl|a (white|silent) owl", owl.phrase)
    man = name(_idea("walk slowly", "man", "library"), Random(0))
    assert man.fill("{they} {it} {its} {itself}") == "he him his himself"
    dog = next(one for one in WORDS.subjects if one.noun == "dog")
    child = name(_idea("play hide-and-seek", "girl", "park", other=dog), Random(1))
    assert child.fill("{b}, {the b}").endswith("dog, the dog")


def test_every_verb_of_an_action_is_inflected():
    assert inflect("wobble, ^lean over and ^fall", third_person) == "wobbles, leans over and falls"
    assert inflect("stop and ^dig", gerund) == "stopping and digging"
    forms = {
        "taxi": "taxiing",
        "lie": "lying",
        "hop": "hopping",
        "flee": "fleeing",
        "drip": "dripping",
        "see": "seeing",
    }
    assert {verb: gerund(verb) for verb in forms} == forms


GOOD = "A brown horse gallops along the wet beach, kicking up sand, and then slows to a walk."


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (GOOD, ""),
        (" ".join(GOOD.split()[:8]), "length"),
        (GOOD.rstrip(".") + ", and then runs on" * 15 + ".", "length"),
        (GOOD.replace("A brown", "An brown"), "grammar"),
        (GOOD.replace("A brown", "A orange"), "grammar"),
        (GOOD.replace("the wet", "the the wet"), "grammar"),
        (GOOD.lower(), "grammar"),
        (GOOD.rstrip("."), "grammar"),
        (GOOD.replace("beach,", "beach ,"), "grammar"),
        (GOOD.replace("A brown horse gallops", "Two brown horses is galloping"), "grammar"),
        (GOOD.replace("kicking", "{its} kicking"), "grammar"),
        (GOOD.replace("sand", "a naked body"), "banned"),
        ("A brown horse is there at the wet beach, and it is a very old one indeed.", "still"),
        (GOOD.replace("sand", "sand of the beach"), "a word twice"),
        (GOOD.replace("up sand", "up sand against under a wall"), "grammar"),
        (GOOD.replace("along the", "onto in the"), "grammar"),
        (GOOD.replace("kicking up sand", "tossing its heads"), "grammar"),
        ("A crackling log fire crackles in the hearth of the old house, and then dies down to embers.", "a word twice"),
    ],
)
def test_the_checks_find(text, why):
    assert reason(fault(text, ())) == why
    assert SHORTEST == 12


def test_a_noun_may_stand_twice_where_it_is_exempt():
    text = "A billiard ball strikes another billiard ball, stopping dead as the other one shoots away."
    assert reason(fault(text, ())) == "a word twice"
    assert fault(text, ("billiard ball",)) == fault(text) == ""
