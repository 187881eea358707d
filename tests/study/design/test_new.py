import json
import re
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from beholder.errors import Misuse, NotFound
from beholder.study.commands import KINDS
from beholder.study.design.checks import with_instruction
from beholder.study.design.demo import demo, exhibition, is_current
from beholder.study.design.drawing import draw
from beholder.study.design.exhibition import Exhibition, Film, Piece, Still, choices
from beholder.study.design.file import Question, Trials, read
from beholder.study.design.new import at_hand, kinds, new
from beholder.study.design.preset import card, presets
from beholder.study.design.wording import CONSENT, FILL_IN
from beholder.study.design.writing import write


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return demo(tmp_path_factory.mktemp("studies") / "demo")


def test_the_demo_is_a_study_that_can_be_drawn_from(made):
    study = read(made)
    drawn = draw(study, {}, np.random.default_rng(0))
    assert study.per_class == {"human": 6, "synthetic": 6}
    assert {one.use for one in drawn} == {"practice", "trial", "check", "repeat"}
    assert len({item.group for item in study.items if item.use == "trial"}) == 24


def test_the_demo_says_that_it_is_made_up(made):
    study = read(made)
    for text in (study.consent.text, study.instructions, study.debrief):
        assert "tracks of people in this demo are simulated" in " ".join(text.split())
    assert {item.note for item in study.items if item.use == "trial"} == {"simulated"}


def test_nothing_but_the_movement_tells_the_classes_of_the_demo_apart(made):
    study = read(made)
    tracks = {item.id: json.loads((made.parent / item.track).read_text()) for item in study.items}
    times = {tuple(row[0] for row in track) for track in tracks.values()}
    assert len(times) == 1
    assert times.pop()[-1] == 2.5
    assert all(0 <= value <= 1 for track in tracks.values() for row in track for value in row[1:])
    by_group = {}
    for item in study.items:
        by_group.setdefault(item.group, set()).add(item.media)
    assert all(len(media) == 1 for media in by_group.values())


def test_the_demo_is_the_same_each_time(made, tmp_path):
    again = demo(tmp_path / "again")
    assert read(again).digest == read(made).digest
    for file in sorted(made.parent.rglob("*.*")):
        assert (again.parent / file.relative_to(made.parent)).read_bytes() == file.read_bytes()


def test_checks_are_read_on_any_size():
    small = with_instruction(np.zeros((60, 80, 3), np.uint8), "Please answer: a computer")
    assert small.shape == (60, 80, 3)
    assert (small == 255).all(axis=-1).any()
    assert (small[:5] == 0).all()


def test_what_can_be_made():
    assert kinds() == {
        "maps": "attention.exhibits",
        "scanpaths": "attention.exhibits",
        "clips": "video.exhibits",
        "prompts": "video.exhibits",
    }
    assert presets() == ["vmbench", "zanca2020"]


def test_a_full_folder_is_refused_and_a_fresh_one_replaces_only_the_study(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(Misuse, match="not empty; expected a new folder"):
        new("demo", tmp_path, fresh=True)
    (tmp_path / "mine.txt").unlink()
    new("demo", tmp_path)
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(Misuse, match="--fresh to replace"):
        new("demo", tmp_path)
    (tmp_path / "media" / "old.jpg").write_text("old")
    file = new("demo", tmp_path, fresh=True, study={"title": "Another", "trials": {"count": 4}})
    assert (tmp_path / "mine.txt").read_text() == "mine"
    assert not (tmp_path / "media" / "old.jpg").exists()
    assert read(file).title == "Another"
    assert read(file).trials.count == 4
    assert read(file).trials.practice == 2


def test_unknown_kinds_and_options_are_refused(tmp_path):
    with pytest.raises(NotFound, match="did you mean 'scanpaths'"):
        new("scanpats", tmp_path / "a")
    with pytest.raises(Misuse, match="has no setting 'colour'"):
        new("demo", tmp_path / "a", options={"colour": "red"})
    with pytest.raises(Misuse, match="has no setting 'videos'"):
        new("maps", tmp_path / "a", options={"videos": tmp_path})
    assert not (tmp_path / "a").exists()


def test_presets_say_what_they_need_and_what_is_at_hand(tmp_path, monkeypatch):
    (tmp_path / "mit1003_mine").mkdir()
    monkeypatch.setenv("BEHOLDER_DATA", str(tmp_path))
    with pytest.raises(Misuse) as fault:
        new("zanca2020", tmp_path / "a")
    said = str(fault.value)
    assert "--dataset coutrot:PATH (60 films" in said
    assert "--dataset mit1003:PATH (60 pictures" in said
    assert f"--dataset mit1003:{tmp_path / 'mit1003_mine'}, --dataset simulated" in said
    with pytest.raises(Misuse, match="for each of six generators"):
        new("vmbench", tmp_path / "a")
    assert at_hand("clips") == []


def test_the_same_track_twice_is_refused(tmp_path):
    shown = exhibition()
    twin = replace(shown.pieces[1], track=shown.pieces[0].track + 0.004)
    with pytest.raises(Misuse, match="got the same track twice: scene01-human and scene01-synthetic"):
        write(replace(shown, pieces=[shown.pieces[0], twin, *shown.pieces[2:]]), tmp_path / "a")
    assert not (tmp_path / "a").exists()


def test_the_same_clip_twice_is_refused_and_leaves_no_study(tmp_path):
    frames = [(at / 10, np.full((32, 32, 3), 20 * at, np.uint8)) for at in range(5)]
    with pytest.raises(Misuse, match="got the same clip twice: a and b"):
        write(_clips({"a": frames, "b": frames}), tmp_path)
    assert not (tmp_path / "study.toml").exists()


def test_a_fault_on_the_way_leaves_no_study(tmp_path):
    def broken():
        raise ValueError("broken")

    shown = exhibition()
    pieces = [*shown.pieces[:-1], replace(shown.pieces[-1], media=Still("broken", broken))]
    with pytest.raises(ValueError, match="broken"):
        write(replace(shown, pieces=pieces), tmp_path)
    assert not (tmp_path / "study.toml").exists()
    with pytest.raises(Misuse, match="not a file"):
        read(tmp_path / "study.toml")


def test_what_the_study_file_refuses_is_refused_before_anything_is_written(tmp_path):
    with pytest.raises(Misuse, match=r"this does not make a study: .*got items of 24 groups; expected 30"):
        write(exhibition(), tmp_path / "a", study={"trials": {"count": 60}})
    assert not (tmp_path / "a").exists()


def test_films_are_written_with_their_own_times(tmp_path):
    from beholder.io import film

    frames = [(at / 25, np.full((48, 64, 3), 40 * at, np.uint8)) for at in range(5)]
    file = write(_clips({"a": frames, "b": frames[::-1]}, times=frames), tmp_path)
    media = {item.id: file.parent / item.media for item in read(file).items}
    assert film.facts(media["a"]).frames == 5
    assert film.facts(media["a"]).shape == (48, 64)
    levels = film.read(media["a"]).mean(axis=(1, 2, 3))
    assert levels == pytest.approx([0, 40, 80, 120, 160], abs=4)


def test_large_pictures_are_made_smaller_and_carry_nothing_but_pixels(tmp_path):
    shown = exhibition()
    big = Still("big", lambda: np.zeros((100, 2000), np.uint8))
    file = write(replace(shown, pieces=[replace(shown.pieces[0], media=big), *shown.pieces[1:]]), tmp_path)
    with Image.open(file.parent / read(file).items[0].media) as picture:
        assert picture.size == (1280, 64)
        assert not picture.getexif()


def _clips(frames, times=()):
    del times
    question = Question(text="Better?", answers=choices(("1", "no"), ("2", "yes")))
    pieces = [
        Piece(
            id=name,
            kind="clip",
            group=name,
            show="clip",
            media=Film(name, lambda own=own: [(at / 25, pixels) for at, (_, pixels) in enumerate(own)], len(own) / 25),
        )
        for name, own in frames.items()
    ]
    trials = Trials(count=len(pieces), practice=0, checks=0, repeats=0)
    return Exhibition("Clips", (question,), "Look.", pieces, trial="rating", trials=trials)


def test_a_preset_says_where_it_differs_from_its_source(tmp_path):
    """Only what holds under the options that were chosen is written into the study."""
    options = {"dataset": "simulated(observers=3)", "model": ["levy"], "limit": 6}
    alike, raw = (
        read(new("zanca2020", tmp_path / way, options={**options, "rendering": way})) for way in ("fixations", "raw")
    )
    assert any("shown by their fixations" in one for one in alike.deviations)
    assert not any("shown by their fixations" in one for one in raw.deviations)
    assert len(raw.deviations) == len(alike.deviations) - 1 > 5
    assert "zanca2020 uses coutrot and mit1003; got simulated, so this is a different study" in alike.deviations
    assert "Here limit is 6; the preset has 60." in alike.deviations
    assert not alike.practice.feedback
    assert "incomplete" in [one.rule for one in alike.exclude]
    own = read(new("scanpaths", tmp_path / "own", options=options))
    assert own.deviations == ()
    assert (alike.follows, own.follows) == ("zanca2020", "")
    assert "one_answer" in [one.rule for one in own.exclude]


def test_exhibits_are_named_by_the_command():
    assert [name for name in (*kinds(), "demo") if name not in KINDS] == []


@pytest.mark.parametrize("name", presets())
def test_presets_have_a_card_and_are_named_by_the_command(name):
    assert name in KINDS
    text = card(name)
    assert text.startswith(f"{name}  (preset of a study: ")
    assert f"beholder study new {name}" in text
    assert "\n- " in text


def test_consent_says_what_ethics_boards_ask(made):
    """The template asks for it, the demo has it; both say what the software does with the answers of who stops."""
    for text in (CONSENT, read(made).consent.text):
        words = " ".join(text.split())
        asked = (
            "How long it takes",
            "Who may take part",
            "Who runs it",
            "Risks",
            "Payment",
            "What is stored",
            "Stopping",
        )
        assert [one for one in (*asked, "How long it is kept", "complaints") if one not in words] == []
        assert "'Stop taking part', which is on every page: your answers are then deleted" in words
        assert "instruction that says which answer to give" in words
        assert "trick" not in words
    assert FILL_IN not in read(made).consent.text


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"platform": "facebook"}, "platform: got 'facebook'; expected open, invite, prolific or mturk"),
        ({"name": "My Study"}, "name: got 'My Study'; expected at most 64 lower-case letters"),
        ({"participants": -3}, "participants: got -3; expected 1 or more"),
    ],
)
def test_what_the_study_file_refuses_is_refused_before_anything_is_made(said, why, tmp_path):
    with pytest.raises(Misuse, match=why):
        new("no such exhibit", tmp_path / "s", study=said)  # it is not even looked for


def test_names_of_any_kind_are_kept_and_files_have_plain_ones(tmp_path):
    names = ["it's", 'a"quote', "semi;colon,comma", "<b>tag", "日本語", " space "]
    track = np.column_stack([np.arange(5) / 4, np.full((5, 2), 0.5)])
    pieces = [Piece(name, "a", Still(name, _grey), group=name, track=track) for name in names]
    study = read(write(_exhibition_of(pieces), tmp_path / "s", study={"name": "s"}))
    assert [item.id for item in study.items] == names
    files = [file for item in study.items for file in (item.media, item.track)]
    assert [file for file in files if not re.fullmatch(r"(media|tracks)/[0-9A-Za-z-]+\.(jpg|json)", file)] == []


def _grey():
    return np.full((4, 4), 128, np.uint8)


def _exhibition_of(pieces):
    question = Question(text="?", answers=choices(("a", "A"), ("b", "B")))
    return Exhibition("T", (question,), "Look.", pieces, trials=Trials(count=2, practice=0, checks=0, repeats=0))


def test_a_demo_of_an_older_beholder_is_written_again_and_answers_stay(tmp_path, monkeypatch):
    from beholder.study.operations import place

    monkeypatch.setattr(place, "demo_folder", lambda: tmp_path / "demo")
    monkeypatch.chdir(tmp_path / "..")
    first = place.place("demo")
    assert is_current(first.folder)
    (first.folder / "answers.sqlite").write_text("answers")
    about = first.folder / "about.json"
    about.write_text(about.read_text().replace('"edition": 2', '"edition": 1'))
    first.file.write_text(first.file.read_text().replace("About three minutes", "FOREVER"))
    assert "FOREVER" not in place.place("demo").study.consent.text
    assert (first.folder / "answers.sqlite").read_text() == "answers"
    first.file.unlink()  # as a kill while it was written leaves it
    assert place.place("demo").file.is_file()
