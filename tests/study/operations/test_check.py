"""What would go wrong with participants is found before: each fault is named, and stops the server."""

import json
import re
from datetime import date

import pytest
from PIL import Image

import study_places
from beholder.errors import Misuse
from beholder.study.operations import check as checking
from beholder.study.operations.check import check, refuse
from beholder.study.operations.giveaways import SHOWN, cues_of, table
from beholder.study.operations.place import demo_folder, place
from beholder.study.server.store import Store

TODAY = date(2026, 1, 1)


@pytest.fixture
def folder(tmp_path):
    study_places.write(tmp_path, top="retain_until = 2030-01-01")
    return tmp_path


def found(folder, **more):
    return [one.says for one in check(place(str(folder)), today=TODAY, **more) if one.fault]


def notes(folder, **more):
    return [one.says for one in check(place(str(folder)), today=TODAY, **more) if not one.fault]


def test_a_whole_study_has_no_faults(folder, tmp_path):
    store = Store(str(tmp_path / "answers.sqlite"), b"k" * 32)
    assert found(folder, store=store) == []
    store.close()


def test_a_database_that_keeps_nothing(folder):
    class Broken:
        def round_trip(self):
            raise OSError("no space left on device")

    assert "does not keep what is written (no space left on device)" in found(folder, store=Broken())[0]


def spoil(folder, what):
    track, picture = folder / "tracks" / "trial-0-human.json", folder / "media" / "trial0.png"
    if what == "no picture":
        picture.unlink()
    elif what == "half a picture":
        picture.write_bytes(picture.read_bytes()[:200])
    elif what == "no track":
        track.unlink()
    elif what == "no JSON":
        track.write_text("[[0, 0.5")
    elif what == "back in time":
        track.write_text("[[0, 0.5, 0.5], [0, 0.6, 0.6]]")
    elif what == "pixels":
        track.write_text("[[0, 512, 384], [1, 500, 300]]")
    elif what == "the same twice":
        (folder / "tracks" / "trial-0-synthetic.json").write_text(track.read_text())
    elif what == "outside":
        (folder.parent / "away.png").write_bytes(picture.read_bytes())
        rename(folder, "media/trial0.png", "../away.png")
    elif what == "another kind":
        Image.open(picture).save(folder / "media" / "trial0.bmp")
        rename(folder, "media/trial0.png", "media/trial0.bmp")


def rename(folder, old, new):
    file = folder / "items.csv"
    file.write_text(file.read_text().replace(old, new))


@pytest.mark.parametrize(
    ("what", "says"),
    [
        ("no picture", "got media/trial0.png, which does not exist"),
        ("half a picture", "cannot be opened as a picture"),
        ("no track", "got tracks/trial-0-human.json, which does not exist"),
        ("no JSON", "cannot be opened as a track"),
        ("back in time", "its times do not increase"),
        ("pixels", "expected fractions of its size"),
        ("the same twice", "items trial-0-human, trial-0-synthetic show the same"),
        ("outside", "lies outside the study's folder"),
        ("another kind", "browsers show .png"),
    ],
)
def test_files(folder, what, says):
    spoil(folder, what)
    assert any(says in fault for fault in found(folder)), found(folder)


def test_a_file_that_is_too_large(folder, monkeypatch):
    monkeypatch.setitem(checking.LARGEST, "picture", 100)
    assert "expected a picture of at most 0.0001 MB" in found(folder)[0]


def test_what_only_the_researcher_can_write(folder):
    rename_in = folder / "study.toml"
    rename_in.write_text(rename_in.read_text().replace("someone@example.org", "FILL IN: your address"))
    assert found(folder) == ["FILL IN is still in consent.contact; only you know what to write there"]
    assert found(folder, public=False) == [], "alone at one's own machine, it can be tried"
    with pytest.raises(Misuse, match="small cannot be served: FILL IN is still"):
        refuse(place(str(folder)), check(place(str(folder)), today=TODAY))


def test_a_date_that_has_passed(folder):
    says = [one.says for one in check(place(str(folder)), today=date(2031, 1, 1)) if one.fault]
    assert says == ["retain_until is 2030-01-01, which has passed; run beholder study purge, or set another date"]


def test_classes_that_can_be_told_by_their_length(folder):
    file = folder / "tracks" / "trial-0-human.json"
    file.write_text(json.dumps([*json.loads(file.read_text()), [1.1, 0.5, 0.5]]))
    assert any("differ in length or frame rate between classes" in note for note in notes(folder))


def test_too_many_items_for_too_few_people(tmp_path):
    study_places.write(tmp_path, top="participants = 4")
    assert any("4 participants give each of 8 items 1.5 answers" in note for note in notes(tmp_path))


def test_a_two_alternative_trial_shows_two_items(tmp_path):
    """4 participants × 6 trials × 1 item of each class on 8 items: 3 answers each, which is enough."""
    file = study_places.write(tmp_path, trial="two_alternative", top="participants = 4")
    assert not any("participants give each" in note for note in notes(tmp_path))
    file.write_text(file.read_text().replace("participants = 4", "participants = 2"))
    assert any("class human: 2 participants give each of 8 items 1.5 answers" in note for note in notes(tmp_path))


def test_until_when_answers_are_kept_must_be_said(tmp_path):
    study_places.write(tmp_path)
    assert found(tmp_path) == [
        "retain_until is not set: write how long answers are kept, such as retain_until = 2036-12-31; participants "
        "and ethics boards ask for it"
    ]
    assert found(tmp_path, public=False) == [], "alone at one's own machine, it can be tried"


def give_away(folder):
    """People's dot rests, a model's never does."""
    for at in range(8):
        still = [[t / 10, 0.5, 0.5 + at / 1000] for t in range(11)]
        moving = [[t / 10, 0.1 + t / 12 + at / 1000, 0.5] for t in range(11)]
        (folder / "tracks" / f"trial-{at}-human.json").write_text(json.dumps(still))
        (folder / "tracks" / f"trial-{at}-synthetic.json").write_text(json.dumps(moving))


def test_what_gives_the_classes_away_is_a_fault_unless_it_is_wanted(folder):
    assert not any("without judging them" in one for one in found(folder) + notes(folder)), "tracks at random"
    give_away(folder)
    said = [one for one in found(folder) if "share of time at rest" in one]
    assert said, found(folder)
    assert said[0].startswith("people can nearly always tell the classes apart without judging them, by ")
    assert 'declare it intended: cues = ["share of time at rest"] under [analysis]' in said[0]
    assert not found(folder, public=False), "alone at one's own machine, it can be tried"
    wanted = {one.partition("cues = [")[2].partition("]")[0] for one in found(folder)}
    file = folder / "study.toml"
    file.write_text(file.read_text() + f"[analysis]\ncues = [{', '.join(sorted(wanted))}]\n")
    assert found(folder) == []
    assert any("share of time at rest" in note for note in notes(folder)), "it is said all the same"


def test_of_many_files_some_are_opened_and_that_is_said(folder, monkeypatch):
    monkeypatch.setattr(checking, "OPENED", 5)
    assert "21 tracks exist and are small enough; 5 of them, chosen at random, were opened" in notes(folder)
    monkeypatch.setitem(checking.OPEN, "track", lambda path: pytest.fail(f"{path} was opened"))
    monkeypatch.setattr(checking, "OPENED", 0)
    assert found(folder) == []
    (folder / "tracks" / "trial-0-human.json").unlink()
    assert any("trial-0-human.json, which does not exist" in one for one in found(folder)), "all are looked for"


def test_a_design_that_cannot_be_drawn(tmp_path):
    study_places.write(tmp_path, groups=4, count=6)  # three of each class, and no two of one group: six groups
    assert any("trials cannot be drawn" in fault for fault in found(tmp_path)), found(tmp_path)


def test_the_demo_has_no_faults(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert found("demo") == []
    assert (demo_folder() / "study.toml").is_file()


def test_cues_stand_in_a_table_strong_or_not(folder):
    """Who reads that nothing was found shall see how much was looked for."""
    study = place(str(folder)).study
    head, *lines = table(study, folder)
    assert head.startswith(f"How well trivial cues alone tell {study.signal} from {study.noises[0]}: AUC")
    strongest = cues_of(study, folder)
    assert len(lines) == min(len(strongest), SHOWN) > 1
    first = strongest[0]
    assert lines[0].split() == f"{first.name} {first.auc:.2f} [{first.lo:.2f}, {first.hi:.2f}]".split()
    assert table(study.model_copy(update={"trial": "rating", "right": {}, "items": study.items[:1]}), folder) == []


@pytest.mark.parametrize(("codes", "platform", "fault", "says"), [
    ("", "prolific", True, 'codes.failed_checks is not stated: .* failed_checks = "COMPLETE"'),
    ("", "open", False, "codes.failed_checks is not stated"),
    ('failed_checks = "COMPLETE"', "prolific", False, "people who fail checks get the same code as everybody else"),
    ('failed_checks = "F1"\nscreened_out = "F1"', "prolific", False, "codes.screened_out is F1, as for those"),
])  # fmt: skip
def test_codes_that_pay_who_should_not_be_paid_are_told(tmp_path, codes, platform, fault, says):
    file = study_places.write(tmp_path, top=f'platform = "{platform}"')
    file.write_text(file.read_text().replace('failed_checks = "FAILED"', codes))
    found = [one for one in check(place(str(file))) if re.search(says, one.says)]
    assert [one.fault for one in found] == [fault]
