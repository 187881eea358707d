"""Folders as labs really keep them: each is read right, or refused with the sentence that tells how to mend it.

Every folder is made from the same known truth, and what is read is compared with that. Folders of stereo pairs and of
flow stand in test_lab_folders_of_frames.py.
"""

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from typer.testing import CliRunner

import attention_folders
import beholder as bh
import video_media
from beholder.cli import app
from beholder.datasets.checking import check, draw, save
from beholder.errors import Misuse
from beholder.io import image
from beholder.registry.load import dataset
from beholder.registry.models import models

SIZES = {"Cat 1": (300, 400), "harbour": (240, 320), "tree": (300, 400)}  # rows, columns
PEOPLE = ("ann", "bob", "Müller")
PLACE = "attention.datasets"


def truth(picture: str, who: str) -> np.ndarray:
    """x, y (px of the picture) and ms of each fixation; exact in one decimal."""
    rng = np.random.default_rng([list(SIZES).index(picture), PEOPLE.index(who)])
    height, width = SIZES[picture]
    count = 4 + PEOPLE.index(who)
    points = rng.uniform((0, 0), (width - 1, height - 1), (count, 2)).round(1)
    return np.column_stack([points, rng.integers(100, 600, count)])


def pictures(folder: Path, names=SIZES, suffix=".png") -> None:
    rng = np.random.default_rng(9)
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        image.write(rng.integers(0, 255, (*SIZES[name], 3), dtype=np.uint8), folder / f"{name}{suffix}")


def rows(names=SIZES):
    """(picture, who, number from 1, x, y, ms) of every fixation."""
    return [
        (name, who, at, *each)
        for name in names
        for who in PEOPLE
        for at, each in enumerate(truth(name, who).tolist(), 1)
    ]


def same(found, names=SIZES, *, within=1e-6, durations=True):
    """Whether a dataset holds the truth."""
    assert {id.casefold() for id in found.ids} == {name.casefold() for name in names}
    for id in found.ids:
        name = next(name for name in names if name.casefold() == id.casefold())
        paths = found.reference(id).paths
        assert sorted(paths) == sorted(PEOPLE)
        for who, path in paths.items():
            x, y, ms = truth(name, who).T
            assert_allclose(path.x, x, atol=within)
            assert_allclose(path.y, y, atol=within)
            assert_allclose(path.duration_ms, ms if durations else np.nan, atol=1e-6)
    return True


def doubts(checked):
    return " ".join(checked.overview.doubts)


def test_a_german_table_with_semicolons_decimal_commas_and_latin_letters(tmp_path):
    pictures(tmp_path / "Bilder der Studie 2", suffix=".PNG")
    lines = ["Versuchsperson;Bild;Nr;X-Wert;Y-Wert;Dauer (ms)"]
    lines += [
        f"{who};{name.upper()}.png;{n};{x:g};{y:g};{ms:g}".replace(".", ",").replace(",png", ".png")
        for name, who, n, x, y, ms in rows()
    ]
    (tmp_path / "Fixationen final (2).csv").write_bytes("\r\n".join(lines).encode("cp1252"))
    with pytest.raises(
        Misuse, match=r"which of them is stimulus and which observer and which x and which y. Say it: --columns"
    ):
        check(str(tmp_path), kind="fixations")
    columns = "image=bild,subject=Versuchsperson,x=X-Wert,y=Y-Wert,duration=Dauer (ms)"
    found = check(str(tmp_path), columns=columns)
    assert (found.kind, found.overview.doubts) == ("fixations", ())
    assert "Latin-1, semicolons between columns, decimal commas" in found.text
    assert same(found.dataset)


def test_an_eyelink_report_in_px_of_the_screen(tmp_path):
    pictures(tmp_path / "stimuli")
    (tmp_path / "notes.md").write_text("ask Bob")
    head = "RECORDING_SESSION_LABEL\tpicture\tCURRENT_FIX_INDEX\tCURRENT_FIX_X\tCURRENT_FIX_Y\tCURRENT_FIX_DURATION"
    lines = [head]
    for name, who, n, x, y, ms in rows():
        height, width = SIZES[name]
        lines.append(f"{who}\t{name}.bmp\t{n}\t{x + (1024 - width) / 2}\t{y + (768 - height) / 2}\t{ms:.0f}")
    (tmp_path / "Fixation_Report.txt").write_text("\n".join(lines), "utf-16")
    asked = check(str(tmp_path))
    assert asked.kind == "fixations"
    assert "but pictures are 300 px high" in doubts(asked)
    assert "these look like coordinates of the screen; give its size, such as screen=1024x768" in doubts(asked)
    assert doubts(asked) in asked.dataset.remarks  # a run says it, too
    mended = check(str(tmp_path), settings={"screen": "1024x768", "width_cm": 40.5, "distance_cm": 75})
    assert mended.overview.doubts == ()
    assert mended.overview.facts["px per degree"] == "33.1"  # as MIT1003's screen has it: tests/test_display.py
    assert same(mended.dataset)


def test_pixels_that_count_from_one_and_a_missing_picture(tmp_path):
    pictures(tmp_path, ["harbour", "tree"])
    lines = ["image,subject,fixation,x,y,duration"]
    lines += [f"{name}.png,{who},{n},{x + 0.5},{y + 0.5},{ms}" for name, who, n, x, y, ms in rows()]
    lines += ["tree.png,edge,1,400,300,200", "tree.png,edge,2,1,1,200"]  # the last pixel, and the first
    (tmp_path / "fix.csv").write_text("\n".join(lines), "utf-8-sig")
    asked = check(str(tmp_path))
    assert "pixels seem to be counted from 1; give offset=0.5" in doubts(asked)
    mended = check(str(tmp_path), settings={"offset": 0.5})
    assert mended.overview.doubts == ()
    assert "1 picture is named in the recordings but missing, so left out: Cat 1" in mended.text
    edge = mended.dataset.reference("tree").paths["edge"]
    assert_allclose(edge.points, [[399.5, 299.5], [0.5, 0.5]])  # the middles of the last pixel and of the first
    assert_allclose(mended.dataset.reference("harbour").paths["ann"].x, truth("harbour", "ann")[:, 0])


def test_durations_in_seconds(tmp_path):
    pictures(tmp_path)
    records = [
        {"filename": f"{n}.png", "participant": w, "x": x, "y": y, "dur": ms / 1000} for n, w, _, x, y, ms in rows()
    ]
    (tmp_path / "fixations.json").write_text(json.dumps(records))
    asked = check(str(tmp_path), kind="fixations")
    assert re.search(
        r"durations lie between 0\.1\d* and 0\.5\d* ms: these look like seconds; give time=s", doubts(asked)
    )
    mended = check(str(tmp_path), kind="fixations", settings={"time": "s"})
    assert mended.overview.doubts == ()
    assert "taken in the order of their rows" in mended.text
    assert same(mended.dataset)


def test_the_second_of_two_monitors(tmp_path):
    pictures(tmp_path)
    lines = ["stim,obs,n,x,y,dur_ms"]
    for name, who, n, x, y, ms in rows():
        height, width = SIZES[name]
        lines.append(f"{name},{who},{n},{1920 + x + (1920 - width) / 2},{y + (1080 - height) / 2},{ms}")
    (tmp_path / "gaze export.csv").write_text("\n".join(lines))
    told = {"columns": "index=n"}
    asked = check(str(tmp_path), **told)
    assert "screen=1920x1080 and, as x begins at" in doubts(asked)
    assert "left=1920 for a second monitor" in doubts(asked)
    half = check(str(tmp_path), **told, settings={"screen": "1920x1080"})
    assert "left=1920 looks right" in doubts(half)
    mended = check(str(tmp_path), **told, settings={"screen": "1920x1080", "left": 1920})
    assert mended.overview.doubts == ()
    assert same(mended.dataset)


def test_shares_of_the_picture_and_pupil_labs_from_below(tmp_path):
    pictures(tmp_path)
    plain, core = ["image,subject,id,x,y"], ["image,subject,id,start_timestamp,duration,norm_pos_x,norm_pos_y"]
    for name, who, n, x, y, ms in rows():
        height, width = SIZES[name]
        plain.append(f"{name},{who},{n},{x / width!r},{y / height!r}")
        core.append(f"{name},{who},{n},{n / 7!r},{ms},{x / width!r},{1 - y / height!r}")
    for name, lines in (("plain.csv", plain), ("fixations.csv", core)):
        (tmp_path / name).write_text("\n".join(lines))
    with pytest.raises(Misuse, match=r"got x and y from 0 to 1 .* give units=share"):
        check(str(tmp_path / "plain.csv"))
    with pytest.raises(Misuse, match=r"with fixations\.csv, plain\.csv of .* give the file itself"):
        check(str(tmp_path))
    assert same(check(str(tmp_path / "plain.csv"), settings={"units": "share"}).dataset, durations=False)
    found = check(str(tmp_path / "fixations.csv"))
    assert "y counted from below" in found.overview.facts["coordinates"]
    assert same(found.dataset)
    assert_allclose(
        found.dataset.reference("tree").paths["ann"].onset_ms[:2], [1000 / 7, 2000 / 7]
    )  # seconds, by its name


def test_a_tobii_export_with_a_row_for_each_sample(tmp_path):
    pictures(tmp_path)
    head = ["Participant name", "Presented Media name", "Eye movement type", "Eye movement type index"]
    head += [
        "Gaze event duration [ms]",
        "Fixation point X [MCS px]",
        "Fixation point Y [MCS px]",
        "Pupil diameter left",
    ]
    lines = ["\t".join(head)]
    for name, who, n, x, y, ms in rows():
        own = [
            who,
            f"{name}.png",
            "Fixation",
            str(n),
            f"{ms:.0f}",
            f"{x:g}".replace(".", ","),
            f"{y:g}".replace(".", ","),
        ]
        lines += ["\t".join([*own, f"3,{at}"]) for at in range(3)]
        lines.append("\t".join([who, f"{name}.png", "Saccade", str(n), "20", "", "", "3,1"]))
        lines.append("\t".join([who, "", "Unclassified", "", "", "", "", ""]))
    file = tmp_path / "Project 1 Data Export.tsv"
    file.write_text("\n".join(lines), "utf-8")
    found = check(str(tmp_path))
    assert found.kind == "fixations"
    assert "rows are no fixation by Eye movement type, or repeat one, and are left out" in found.text
    assert same(found.dataset)
    older = {
        "Participant name": "ParticipantName",
        "Presented Media name": "MediaName",
        "Eye movement type\t": "GazeEventType\t",
    }
    older |= {"Eye movement type index": "FixationIndex", "Gaze event duration [ms]": "GazeEventDuration"}
    older |= {f"Fixation point {axis} [MCS px]": f"FixationPoint{axis} (MCSpx)" for axis in "XY"}
    for new, old in older.items():
        lines[0] = lines[0].replace(new, old)
    file.write_text("\n".join(lines), "utf-8")
    assert lines[0].startswith("ParticipantName\tMediaName\tGazeEventType\tFixationIndex\tGazeEventDuration\tFix")
    assert same(check(str(tmp_path)).dataset)


def test_raw_gaze_of_two_people_in_seconds(tmp_path):
    pictures(tmp_path, ["tree"])
    points = [(60.0, 70.0), (300.0, 200.0), (120.0, 250.0)]
    samples = attention_folders.trace(points, each=125, jump=12)
    for who in ("p01", "p02"):
        body = [f"{at / 500},{x:.2f},{y:.2f},Tree.JPG" for at, (x, y) in enumerate(samples)]
        (tmp_path / f"{who}.csv").write_text("\n".join(["time_s,gaze_x,gaze_y,image", *body]))
    with pytest.raises(Misuse, match=r"got no px per degree; the velocity detector needs them"):
        check(str(tmp_path))
    found = check(str(tmp_path), settings={"px_per_deg": 30})
    assert (found.kind, found.dataset.ids) == ("gaze", ("tree",))
    paths = found.dataset.reference("tree").paths
    assert sorted(paths) == ["p01", "p02"]
    assert_allclose(paths["p02"].points, points, atol=2)
    assert_allclose(paths["p02"].duration_ms, 250, atol=30)


PLACES = [(60.0, 70.0), (300.0, 200.0), (120.0, 250.0)]
NOWHERE = (-700.0, 900.0)  # what the tracker wrote where it calls a sample lost
PRO_LAB = (
    *("Participant name", "Recording name", "Presented Stimulus name", "Recording timestamp [μs]"),
    *("Gaze point X [MCS px]", "Gaze point Y [MCS px]", "Validity left", "Validity right"),
)
STUDIO = (
    *("ParticipantName", "RecordingName", "MediaName", "RecordingTimestamp (μs)"),
    *("GazePointX (MCSpx)", "GazePointY (MCSpx)", "ValidityLeft", "ValidityRight"),
)


def tobii(folder: Path, head, good, bad) -> np.ndarray:
    """Raw gaze as Tobii exports it: every fifth sample lost, with a place that is none, others good in one eye only."""
    pictures(folder, ["tree"])
    samples = attention_folders.trace(PLACES, each=125, jump=12)
    lost = np.arange(len(samples)) % 5 == 2
    lines = ["\t".join(head)]
    for at, place in enumerate(samples):
        x, y = NOWHERE if lost[at] else place
        eyes = (bad, bad) if lost[at] else [(good, good), (good, bad), (bad, good)][at % 3]
        lines.append("\t".join(map(str, ["P1", "Rec 1", "Tree.JPG", 2000 * at, f"{x:.1f}", f"{y:.1f}", *eyes])))
    (folder / "Data export.tsv").write_text("\n".join(lines), "utf-8")
    return lost


@pytest.mark.parametrize(
    ("head", "good", "bad", "told"),
    [
        (PRO_LAB, "Valid", "Invalid", "good where it says valid"),
        (PRO_LAB, 0, 4, "good at 0, as Tobii counts from 0 (good) to 4 (lost)"),
        (STUDIO, "TRUE", "FALSE", "good where it is above 0"),
        (STUDIO, 0, 1, "good at 0"),
    ],
)
def test_raw_gaze_of_tobii_with_the_validity_of_each_eye(tmp_path, head, good, bad, told):
    lost = tobii(tmp_path, head, good, bad)
    found = check(str(tmp_path), settings={"px_per_deg": 30})
    assert (found.kind, found.overview.doubts) == ("gaze", ())
    facts = found.overview.facts
    assert told in facts["valid"]
    assert facts["valid"].endswith("a sample counts where either is good")
    assert facts["sampling rate"] == "500 Hz"
    assert facts["detector"] == "found by velocity (threshold=30, shortest_ms=60)"
    assert facts["lost"] == f"{100 * lost.mean():.1f} % of {len(lost)} samples"
    assert f"x = {head[4]}, y = {head[5]}, time = {head[3]}, stimulus = {head[2]}, observer = P" in facts["columns"]
    assert_allclose(found.dataset.reference("tree").paths["P1"].points, PLACES, atol=2)


def test_validity_that_is_not_used_or_the_wrong_way_round_is_doubted(tmp_path):
    tobii(tmp_path, (*PRO_LAB[:6], "ok (validity)", "comment"), 1, 0)
    told = {"px_per_deg": 30}
    assert "not used: ok (validity); if it says which samples are good, give --columns valid='ok (validity)'" in doubts(
        check(str(tmp_path), settings=told)
    )
    inverted = check(str(tmp_path), columns="valid=ok (validity)", settings=told)
    assert re.search(r"5\d % of the samples with a place are lost by ok \(validity\): good at 0", doubts(inverted))
    tobii(tmp_path, PRO_LAB, "Valid", "perhaps")
    with pytest.raises(Misuse, match=r"in the column Validity left: '.*' in row 2 .* words such as valid and invalid"):
        check(str(tmp_path), settings=told)


@pytest.mark.parametrize(
    ("head", "settings", "sentence"),
    [
        ("when,gaze_x,gaze_y", {"px_per_deg": 30}, r"--columns time=COLUMN, or give the rate: --set hertz=250"),
        ("time,gaze_x,up", {}, r"expected one for y; name it: --columns y=COLUMN"),
        ("time_s,gaze_x,gaze_y", {"px_per_deg": 30}, r"give --set time=us or time=s \(in a run gaze\(time=us\)\)"),
        ("time,gaze_x,gaze_y", {}, r"give --set px_per_deg=35 \(in a run gaze\(px_per_deg=35\)\)"),
        ("time,gaze_x,gaze_y", {"hertz": -1}, r"got hertz=-1; expected a number above 0"),
    ],
)
def test_what_raw_gaze_lacks_is_asked_for_in_words_that_work_here(tmp_path, head, settings, sentence):
    (tmp_path / "p01.csv").write_text("\n".join([head, *(f"{4 * at},5,6" for at in range(9))]))
    with pytest.raises(Misuse, match=sentence) as refused:
        check(str(tmp_path), kind="gaze", settings=settings)
    assert not re.search(r"--(hertz|column|time-unit|px-per-deg|width-cm)\b", str(refused.value))


def german(folder: Path, second: str) -> Path:
    """A table with decimal commas and the name of who recorded it; the x of its second fixation is as said."""
    pictures(folder, ["tree"])
    lines = ["tree;a;1;10,5;20,5;200", f"tree;a;2;{second};9,5;210", "tree;a;3;30,5;40,5;220", "tree;b;1;-5,5;8,5;230"]
    (folder / "t.csv").write_text("\n".join(["image;subject;nr;x;y;duration;by", *(f"{line};Ida" for line in lines)]))
    return folder / "t.csv"


@pytest.mark.parametrize("missing", ["#NV", "#N/A", ".", ""])
def test_a_fixation_without_a_place_is_not_outside(tmp_path, missing):
    facts = check(str(german(tmp_path, missing))).overview.facts
    assert facts["without a place"] == "1 fixation, left out"
    assert facts["outside pictures"] == "1 fixation, left out"
    assert facts["x"].startswith("-5.5 to 30.5")


def test_the_cell_that_is_no_number_is_named_with_its_row(tmp_path):
    with pytest.raises(Misuse, match=r"got text in the column x: '#DIV/0!' in row 3 \(the head is row 1\); expected"):
        check(str(german(tmp_path, "#DIV/0!")))


def test_columns_that_are_meant_twice_or_are_no_observers(tmp_path):
    file = german(tmp_path, "1,5")
    for kind in ("", "fixations"):
        with pytest.raises(Misuse, match=r"got the column 'nr' as index and as duration; expected one meaning"):
            check(str(file), kind=kind, columns="index=nr,duration=nr")
    with pytest.raises(Misuse, match=r"twice; .* or by is not the column of observers"):
        check(str(file), columns="observer=by")


@pytest.mark.parametrize("kind", ["fixations", "gaze", "scanpaths"])
@pytest.mark.parametrize("scale", [0, -3, "inf"])
def test_no_degree_has_no_pixels(tmp_path, kind, scale):
    with pytest.raises(Misuse, match=r"got px_per_deg=.*; expected a number"):
        check(str(german(tmp_path, "1,5")), kind=kind, settings={"px_per_deg": scale})


def test_ratings_with_words_of_their_own(tmp_path):
    lines = ["Urteilende;Video Nr.;Note;Modell"]
    lines += [f"r{who};v{item};{who + item},5;{'AB'[item % 2]}" for who in range(3) for item in range(4)]
    file = tmp_path / "noten.csv"
    file.write_text("\n".join(lines))
    with pytest.raises(
        Misuse, match=r"no column called item.*; got Urteilende.*; or say which it is: --columns"
    ) as fault:
        check(str(file), kind="ratings")
    assert str(fault.value).count("Urteilende") == 1
    found = check(str(file), columns="item=Video Nr.,value=Note,rater=Urteilende,system=Modell")
    assert found.kind == "ratings"
    assert found.overview.facts["people × items"].startswith("3 × 4; 12 ratings")
    sample = found.dataset[2]
    assert (sample.id, sample.stimulus.system) == ("v2", "A")
    assert sample.reference.ratings == {"quality": {"r0": 2.5, "r1": 3.5, "r2": 4.5}}


def test_clips_with_a_manifest_of_odd_words(tmp_path):
    folder, names = tmp_path, ("Take 1", "take_02")
    for name in names:
        video_media.animation(folder / f"{name}.gif", "GIF")
    (folder / "manifest.csv").write_text("\n".join(["Datei;Anweisung", *(f"{name};show {name} now" for name in names)]))
    with pytest.raises(Misuse, match=r"no column names the clips; .* --columns file=COLUMN"):
        check(str(folder))
    found = check(str(folder), columns="file=Datei,prompt=Anweisung")
    assert found.kind == "clips"
    assert found.dataset[0].stimulus.text == f"show {names[0]} now"
    assert found.overview.draw is not None


def test_usual_words_of_ratings_are_guessed_and_the_one_table_of_a_folder_is_found(tmp_path):
    (tmp_path / "export.csv").write_text("clip name;judge;stars\na.mp4;Ann;5\na.mp4;Bob;4\nb.mp4;Ann;1\n")
    found = check(str(tmp_path), kind="ratings")
    assert found.dataset[0].reference.ratings == {"quality": {"Ann": 5, "Bob": 4}}
    (tmp_path / "more.csv").write_text("item,value\na,1\n")
    with pytest.raises(Misuse, match=r"with export.csv, more.csv of .*; give the file itself"):
        check(str(tmp_path), kind="ratings")


def test_a_saved_manifest_is_read_for_the_models_folder_too(tmp_path):
    video_media.animation(tmp_path / "Take 1.gif", "GIF")
    (tmp_path / "Liste.csv").write_text("Datei;Anweisung;fps\nTake 1.gif;show it;5\n")
    asked = check(str(tmp_path), kind="clips")
    assert "Liste.csv looks like a manifest; give manifest=Liste.csv and --columns file=Datei" in doubts(asked)
    save(check(str(tmp_path), columns="file=Datei,prompt=Anweisung", settings={"manifest": "Liste.csv"}))
    bench = bh.load("video/motion", dataset=str(tmp_path))
    clip = bh.model(f"dir:{tmp_path}", bench).recall("Take 1")
    assert (clip.rate, clip.facts["text"]) == (5, "show it")


def test_clips_whose_model_has_a_manifest_of_odd_words_say_what_to_do(tmp_path):
    video_media.animation(tmp_path / "a.gif", "GIF")
    (tmp_path / "manifest.csv").write_text("Datei\na\n")
    with pytest.raises(Misuse, match=r"no column names the clips.*beholder check .* --columns file=COLUMN") as fault:
        check(str(tmp_path))
    assert "ValueError" not in str(fault.value)


def test_two_tables_of_a_folder_are_both_remembered(tmp_path):
    for name, words in {"a.csv": "i,v", "b.csv": "j,w"}.items():
        (tmp_path / name).write_text(f"{words}\nx,1\ny,2\n")
    a, b = str(tmp_path / "a.csv"), str(tmp_path / "b.csv")
    save(check(a, kind="ratings", columns="item=i,value=v"))
    assert "\n[[tables]]" not in (tmp_path / "dataset.toml").read_text()  # one table keeps the simple form
    _, said = save(check(b, kind="ratings", columns="item=j,value=w"))
    assert "in place of" not in said
    for file in (a, b):
        again = check(file)
        assert (again.kind, again.dataset.ids) == ("ratings", ("x", "y"))
        assert again.command == f"beholder run study --dataset {file}"
    with pytest.raises(Misuse, match=r"says how to read a.csv and b.csv; .* give the file itself, such as .*a.csv"):
        check(str(tmp_path))
    _, said = save(check(a, settings={"dimension": ""}))
    assert "in place of what it said of" in said
    assert (tmp_path / "dataset.toml").read_text().count("\n[[tables]]") == 2


def test_pictures_of_two_folders_do_not_overwrite_each_other(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for place in ("one", "two/one"):
        Path(place).mkdir(parents=True)
        Path(place, "r 1.csv").write_text("item,value\nx,1\ny,2\n")
    drawn = [draw(check(what), None).name for what in ("one/r 1.csv", "two/one/r 1.csv")]
    assert drawn == ["check-one-r_1.png", "check-two-one-r_1.png"]


@pytest.fixture
def lab(tmp_path):
    """A folder whose columns nobody would guess."""
    pictures(tmp_path / "lab")
    lines = ["what,who,n,a,b,t"]
    lines += [f"{name},{who},{n},{x},{y},{ms / 1000}" for name, who, n, x, y, ms in rows()]
    (tmp_path / "lab" / "t.csv").write_text("\n".join(lines), "utf-8")
    return tmp_path / "lab"


COLUMNS = "stimulus=what,observer=who,index=n,x=a,y=b,duration=t"


def test_what_was_told_once_is_remembered(lab, monkeypatch):
    monkeypatch.chdir(lab.parent)
    said = CliRunner().invoke(
        app,
        [
            "check",
            "lab",
            "--as",
            "fixations",
            "--columns",
            COLUMNS,
            "--set",
            "time=s",
            "--save",
            "--figure",
            "seen.png",
        ],
    )
    assert said.exit_code == 0, said.output
    assert "Use it: beholder run attention --dataset lab\n" in said.output  # the short command that was earned
    assert (lab.parent / "seen.png").read_bytes()[:4] == b"\x89PNG"
    told = dataset(PLACE, f"fixations(columns='{COLUMNS}',time=s):lab")
    for spec in ("lab", "fixations:lab", "table:lab/t.csv"):
        found = dataset(PLACE, spec)
        assert same(found)
        assert any("lab/dataset.toml says how to read it: columns=" in remark for remark in found.remarks)
        assert found.fingerprint == told.fingerprint != dataset(PLACE, "fixations(time=us):lab").fingerprint
    assert_allclose(dataset(PLACE, "fixations(time=ms):lab")[0].reference.paths["ann"].duration_ms.max(), 0.5, atol=0.1)
    toml = lab / "dataset.toml"
    toml.write_text(toml.read_text().replace('time = "s"', 'tme = "s"'))
    with pytest.raises(Misuse, match=r"dataset.toml: dataset fixations has no setting 'tme'; did you mean 'time'"):
        dataset(PLACE, "lab")
    toml.unlink()
    with pytest.raises(Misuse, match=r"got the path lab and no dataset.toml there; expected NAME:lab"):
        dataset(PLACE, "lab")


def test_paths_in_dataset_toml_count_from_its_folder_and_stay_in_it(lab, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shown, outside = lab / "shown", tmp_path / "outside"
    shown.mkdir()
    for file in lab.glob("*.png"):
        file.rename(shown / file.name)
    shutil.copytree(shown, outside)
    (tmp_path / "shown").mkdir()  # an empty folder of the same name here has no say
    save(check("lab", kind="fixations", columns=COLUMNS, settings={"time": "s", "pictures": "lab/shown"}))
    toml = lab / "dataset.toml"
    assert 'pictures = "shown"' in toml.read_text()
    found = dataset(PLACE, "lab")
    assert same(found)
    assert found[0].stimulus.pixels.shape[2] == 3  # the picture was found
    assert any("pictures=shown" in remark for remark in found.remarks)
    save(check("lab"))  # what was remembered stays as it is
    assert 'pictures = "shown"' in toml.read_text()
    refused = r"dataset.toml: got .*outside.*, which lies outside of its folder; .* say it in the command, or link it"
    with pytest.raises(Misuse, match=refused):
        save(check("lab", settings={"pictures": "outside"}))
    for path in ("../outside", str(outside), "~/outside", "shown/../../outside"):
        toml.write_text(toml.read_text().replace('"shown"', f'"{path}"'))
        with pytest.raises(Misuse, match=refused):
            dataset(PLACE, "lab")
        assert same(dataset(PLACE, "fixations(pictures=outside):lab"))  # what a command says wins
        toml.write_text(toml.read_text().replace(f'"{path}"', '"shown"'))
    (lab / "linked").symlink_to(outside)
    toml.write_text(toml.read_text().replace('"shown"', '"linked"'))
    assert same(dataset(PLACE, "lab"))
    toml.write_text(f'file = "../lab/../secret.csv"\n{toml.read_text()}')
    with pytest.raises(Misuse, match=r"got ../lab/../secret.csv, which lies outside of its folder"):
        dataset(PLACE, "lab")


def test_columns_of_a_run_are_those_of_its_datasets(lab):
    runner = CliRunner()
    words = [
        "run",
        "attention/saliency",
        "--dry-run",
        "--baselines",
        "none",
        "--model",
        "spectral_residual",
        "--columns",
        COLUMNS,
    ]
    done = runner.invoke(app, [*words, "--dataset", f"fixations(time=s):{lab}"])
    assert done.exit_code == 0, done.output
    assert "attention/saliency on fixations_t: 3 samples" in done.output
    for more, sentence in (
        (["--dataset", "simulated"], "dataset simulated reads no table whose columns could be named"),
        ([], "got --columns without --dataset"),
    ):
        refused = runner.invoke(app, [*words, *more])
        assert isinstance(refused.exception, Misuse)
        assert sentence in str(refused.exception)


def test_scanpaths_of_models_in_one_table(lab):
    lines = ["net,picture,rep,nr,px,py"]
    lines += [
        f"{net},{name}.png,{rep},{n},{10 * n + rep},{20 + n}"
        for net in ("deep", "flat")
        for name in SIZES
        for rep in (1, 2)
        for n in (2, 1)
    ]
    file = lab / "walks.csv"
    file.write_text("\n".join(lines))
    columns = "model=net,stimulus=picture,repeat=rep,index=nr,x=px,y=py"
    found = check(str(file), kind="scanpaths", columns=columns)
    assert found.overview.facts["models × pictures"].startswith("2 × 3; 24 fixations in 12 scanpaths")
    assert "scanpaths of models, 8 fixations" in found.overview.draw().axes[0].get_title(loc="left")
    for name in ("scanpath", "saliency", "dynamics", "conditional"):
        with pytest.raises(Misuse, match=r"holds scanpaths of models, .* --dataset PEOPLE --model \"table\(columns="):
            bh.load(f"attention/{name}", dataset=found.spec)
    bench = bh.load("attention/scanpath", dataset=f"fixations(columns='{COLUMNS}',time=s):{lab / 't.csv'}")
    given = models(f"table(columns='{columns}'):{file}", bench)
    assert sorted(given) == ["deep", "flat"]
    first, second = given["deep"].recall("harbour")
    assert_allclose(first.points, [[11, 21], [21, 22]])
    assert_allclose(second.x, [12, 22])
    with pytest.raises(Misuse, match=r"which of them is x"):
        models(f"mine=table:{file}", bench)
    file.write_text("model,stimulus,x,y\ndeep,elsewhere,1,2\n")
    with pytest.raises(Misuse, match=r"answers none of the 3 samples"):
        models(f"mine=table:{file}", bench)


def test_a_kind_that_is_none_and_a_folder_that_is_nothing(tmp_path):
    with pytest.raises(Misuse, match=r"which is an empty folder"):
        check(str(tmp_path))
    (tmp_path / "notes.md").write_text("ask Bob")
    with pytest.raises(Misuse, match=r"nothing known by its content; say what it is: --as fixations, gaze"):
        check(str(tmp_path))
    with pytest.raises(Misuse, match=r"did you mean 'fixations' or 'fixatons'\?"):
        check(str(tmp_path), kind="fixatoins")
    with pytest.raises(Misuse, match=r"no dataset called 'nowhere' in .*, and no file or folder of that name"):
        dataset(PLACE, "nowhere")
    with pytest.raises(Misuse, match=r"got --as fixation, but no dataset is called that; did you mean 'fixations'"):
        check(str(tmp_path), kind="fixation")
    with pytest.raises(Misuse, match=r"neither a file nor a folder"):
        check(str(tmp_path / "nowhere"))
