"""Our own words fit together, and others' words are read or refused with a sentence."""

import re

import pytest

from beholder.errors import Misuse
from beholder.video.prompts.checks import BANNED
from beholder.video.prompts.combine import Combinations
from beholder.video.prompts.tags import INTERACTIONS, KINDS, PATTERNS, matches
from beholder.video.prompts.vocabulary import (
    GROUP,
    SAME,
    allowed,
    built_in,
    known_action,
    known_place,
    known_subject,
    read_folder,
)

WORDS = built_in()


def _tokens(expression):
    return {word.strip().lstrip("!") for term in expression.split(",") for word in term.split("+") if word.strip()}


def test_there_are_words_of_every_pattern_kind_and_interaction():
    assert {action.pattern for action in WORDS.actions} == set(PATTERNS)
    assert {action.interaction for action in WORDS.actions} == {*INTERACTIONS, ""}
    assert {subject.kind for subject in WORDS.subjects} == set(KINDS) - {"crowd"}
    assert min(len(WORDS.subjects), len(WORDS.actions)) > 300
    assert len(WORDS.places) > 100


def test_every_tag_that_is_asked_for_is_somewhere():
    places = {tag for place in WORDS.places for tag in place.tags}
    subjects = {tag for subject in WORDS.subjects for tag in subject.tags}
    for subject in WORDS.subjects:
        assert _tokens(subject.where) <= places, subject.noun
    for action in WORDS.actions:
        assert _tokens(action.where) <= places, action.text
        assert (_tokens(action.who) | _tokens(action.other)) - {SAME} <= subjects, action.text


def test_every_subject_place_and_action_is_of_use():
    subjects, places, actions = set(), set(), set()
    for action in WORDS.actions:
        for subject in (one for one in WORDS.subjects if matches(action.who, one.tags)):
            there = {place.name for place in WORDS.places if allowed(action, subject, place)}
            places |= there
            subjects |= {subject.noun} if there else set()
            actions |= {action.text} if there else set()
    assert not {one.noun for one in WORDS.subjects} - subjects
    assert not {one.name for one in WORDS.places} - places
    assert not {one.text for one in WORDS.actions} - actions
    assert sum(Combinations(WORDS).counts().values()) > 10_000


def test_texts_have_only_known_slots_and_agree_in_number():
    for action in WORDS.actions:
        texts = (action.text, *action.details, *action.then)
        slots = {slot for text in texts for slot in re.findall(r"\{(.*?)\}", text)}
        assert slots <= {"its", "it", "itself", "s", "b", "the b"}, action.text
        if action.numbers != (1,) and GROUP not in action.numbers:  # 'its' would be wrong of two
            assert not any(re.search(r"(?<!\{)\bits\b", text) for text in texts), action.text
        assert not BANNED & set(re.findall(r"\w+", " ".join(texts).lower())), action.text


@pytest.mark.parametrize(
    ("action", "noun", "place", "can"),
    [
        ("swim with long, even strokes", "swimmer", "swimming pool", True),
        ("swim with long, even strokes", "swimmer", "library", False),
        ("gallop across the open ground", "horse", "savanna", False),
        ("gallop across the open ground", "zebra", "savanna", True),
        ("pour from a jug into a glass", "milk", "kitchen", True),
        ("pour from a jug into a glass", "lava", "volcano", False),
        ("soar in wide circles", "cow", "sky", False),
    ],
)
def test_what_is_implausible_is_not_combined(action, noun, place, can):
    did = next(one for one in WORDS.actions if one.text == action)
    who = next(one for one in WORDS.subjects if one.noun == noun)
    where = next(one for one in WORDS.places if one.name == place)
    assert allowed(did, who, where) is can


def test_words_of_others_are_looked_up(tmp_path):
    (tmp_path / "subjects.txt").write_text("# mine\nthree brown dogs\t7\nan accordionist\nquark\n\nthe river\n")
    (tmp_path / "places.txt").write_text("/b/beach 48\nswimming_pool/outdoor\nhyperspace\n")
    (tmp_path / "actions.txt").write_text("galloping wildly\nponders\n")
    words, unknown = read_folder(tmp_path)
    assert [subject.noun for subject in words.subjects] == ["dog", "accordionist", "river current"]
    assert [place.name for place in words.places] == ["beach", "swimming pool"]
    assert [(action.text, action.pattern) for action in words.actions] == [("gallop wildly", "biological")]
    assert unknown == {"subjects": ["quark"], "places": ["hyperspace"], "actions": ["ponders"]}
    assert known_subject("") is None
    assert known_place("") is None
    assert known_action("!") is None
    assert known_subject("another") is None


@pytest.mark.parametrize(
    ("phrase", "text"),
    [
        ("galloping", "gallop"),
        ("playing violin", "play a fast run on the violin"),
        ("playing cello", None),  # who plays the cello is not told by who plays the violin
        ("chases her tail", "chase {its} own tail"),
        ("tying her shoe laces", None),
        ("carrying", None),  # what?
        ("splashing", None),  # through what?
        ("pushing cart", None),
        ("moving past", None),
        ("leaping and spinning", None),
    ],
)
def test_whole_actions_are_matched_rather_than_verbs(phrase, text):
    found = known_action(phrase)
    assert (found.text if found else None) == text


def test_tables_of_others_are_read_or_refused(tmp_path):
    head = "place | phrases | tags | life\n"
    (tmp_path / "places.txt").write_text(head + "attic | in a dusty attic | indoor floor | \n")
    words, unknown = read_folder(tmp_path)
    assert words.places[0].tags == {"indoor", "floor", "ground", "attic"}
    assert not unknown
    joined = built_in().joined(words)
    assert len(joined.places) == len(WORDS.places) + 1
    for text, sentence in [
        (head + "attic | in a dusty attic\n", "row 1: got 'attic . in a dusty attic'; expected 4 cells"),
        ("place | tags\nattic | indoor\n", "got the columns place . tags; expected place . phrases"),
    ]:
        (tmp_path / "places.txt").write_text(text)
        with pytest.raises(Misuse, match=sentence):
            read_folder(tmp_path)
    (tmp_path / "places.txt").unlink()
    with pytest.raises(Misuse, match="expected one of them or more"):
        read_folder(tmp_path)
