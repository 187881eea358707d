import csv
import json

import numpy as np
import pytest

from beholder.attention.exhibits._looks import from_dataset, from_table
from beholder.attention.exhibits._walks import Walker, rests, sight, walkers
from beholder.attention.exhibits.scanpaths import scanpaths
from beholder.attention.types import scanpath
from beholder.errors import Misuse
from beholder.io import image, video
from beholder.study.design.cues import cues
from beholder.study.design.drawing import draw
from beholder.study.design.file import read
from beholder.study.design.new import new

HERTZ, SECONDS = 250.0, 2.0
MODEL = """
import numpy as np

def steps(picture, *, rng, seconds=5.0):
    n = int(4 * seconds) + 1
    points = rng.uniform(5, np.array(picture.shape[::-1]) - 5, (n, 2))
    return np.column_stack([points, np.full(n, 250.0)])

def same(picture):
    return np.array([[10.0, 10, 400], [60, 40, 400], [20, 30, 400], [70, 50, 400], [30, 12, 400], [9, 9, 400]])

def silent(picture, *, rng):
    return rng.uniform(5, 50, (30, 2))

def short(picture):
    return np.array([[10.0, 10, 400]])
"""


def _gaze(rng, count):
    """Samples of somebody who jumps every 0.25 s, in a picture of 96 x 64 px."""
    places = np.repeat(rng.uniform([10, 10], [86, 54], (9, 2)), round(HERTZ / 4), axis=0)[:count]
    return places + rng.normal(0, 0.3, places.shape)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Eight pictures and two films, samples of gaze of three people on each, and models in a file."""
    root = tmp_path_factory.mktemp("made")
    rng = np.random.default_rng(3)
    (root / "pictures").mkdir()
    (root / "videos").mkdir()
    count = round(HERTZ * SECONDS)
    rows = []
    for name in [f"p{at}" for at in range(8)] + ["film1", "film2"]:
        for who in "abc":
            gaze = _gaze(rng, count)
            gaze[100:140] = np.nan  # a blink of 0.16 s
            if (name, who) == ("p0", "a"):
                gaze[100:300] = np.nan  # 0.8 s: no blink
            rows += [(name, who, 1000 * at / HERTZ, *place) for at, place in enumerate(gaze)]
    for at in range(8):
        image.write(rng.integers(0, 255, (64, 96, 3), np.uint8), root / "pictures" / f"p{at}.png")
    for at in (1, 2):
        frames = rng.integers(0, 255, (50, 64, 96, 3), np.uint8)
        video.write(frames, root / "videos" / f"film{at}.mp4", hertz=25)
    with (root / "gaze.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("stimulus", "observer", "time_ms", "x", "y"))
        writer.writerows([(*row[:3], *("" if np.isnan(v) else v for v in row[3:])) for row in rows])
    (root / "models.py").write_text(MODEL)
    return root


@pytest.fixture(scope="module")
def recorded(place, tmp_path_factory):
    """A study of recorded gaze, as it was written."""
    said = []
    watch = type("Watch", (), {"begin": _nothing, "step": _nothing, "say": lambda self, text: said.append(text)})()
    options = {
        "gaze": place / "gaze.csv",
        "pictures": place / "pictures",
        "model": [f"mine={place / 'models.py'}:steps"],
        "px_per_deg": 20.0,
        "people": 2,
        "seconds": 1.5,
        "rendering": "raw",
    }
    file = new("scanpaths", tmp_path_factory.mktemp("studies") / "recorded", options=options, watch=watch)
    return file, said


def _nothing(self, *_, **__):
    pass


def _tracks(file, **wanted):
    study = read(file)
    items = [item for item in study.items if all(getattr(item, key) == value for key, value in wanted.items())]
    return {item.id: np.array(json.loads((file.parent / item.track).read_text())) for item in items}


def test_everything_is_shown_alike(recorded):
    file, _ = recorded
    tracks = _tracks(file)
    assert {track.shape for track in tracks.values()} == {(76, 3)}  # 1.5 s at 50 Hz
    assert len({tuple(track[:, 0]) for track in tracks.values()}) == 1
    study = read(file)
    for group in {item.group for item in study.items}:
        assert len({item.media for item in study.items if item.group == group}) == 1


def test_there_are_people_models_and_both_controls(recorded):
    study = read(recorded[0])
    notes = {(item.kind, item.note) for item in study.items if item.use == "trial" and item.kind != "synthetic"}
    assert notes == {("human", "")}  # six trials are too few for controls
    assert study.right == {"human": "human", "synthetic": "synthetic"}


def test_a_study_that_follows_no_preset_says_how_it_differs_from_the_source(recorded):
    """Facts of the study, not deviations: it does not claim to repeat anything."""
    assert read(recorded[0]).deviations == ()
    said = json.loads((recorded[0].parent / "about.json").read_text())["unlike the source"]
    assert "a study of its own" in said["what this is"]
    assert said["duration"] == "pictures 1.5 s; the source: pictures 5 s, films about 17 s"
    assert said["items"] == "8 pictures; the source: 60 pictures and 60 films"
    assert said["controls"] == "none; the source: none"
    assert said["rendering"].startswith("raw; ")
    assert {"trials", "models"} < set(said)


def test_controls_are_what_they_are_called(place):
    options = {"gaze": place / "gaze.csv", "pictures": place / "pictures", "videos": place / "videos"}
    how = {"model": f"{place / 'models.py'}:steps", "px_per_deg": 20.0, "seconds": 1.5, "film_seconds": 1.5}
    shown = scanpaths(**options, **how, rendering="raw")
    assert shown.trials.per_class == {"human": 3, "synthetic": 3, "human_fixations": 1, "human_reversed": 1}
    by = {(piece.group, piece.kind): piece for piece in shown.pieces if piece.use == "trial"}
    assert "changed for comparison: the dot followed a person's gaze backwards" in shown.debrief
    assert "These clips have no right answer" in " ".join(shown.debrief.split())
    assert "backwards" not in shown.instructions  # who knows of it looks for it
    assert "you will read more about how the clips were made" in shown.instructions
    group = next(group for group, kind in by if kind == "human_reversed")
    human, back = by[group, "human"].track, by[group, "human_reversed"].track
    assert np.abs(human[:, 1:] - back[::-1, 1:]).max() < 0.02  # not exactly: time is sampled, and smoothed, again
    assert by[group, "human_reversed"].note == "time-reversed human"
    made = by[group, "human_fixations"]
    assert made.note == "human fixations, synthetic saccades"
    assert np.median(np.hypot(*(made.track - human)[:, 1:].T)) < 0.05  # the same places at the same times
    assert {piece.stimulus for piece in shown.pieces} == {"picture", "film"}


def test_a_gap_longer_than_a_blink_leaves_the_trial_out_with_a_remark(recorded):
    file, said = recorded
    assert "gaze/p0-a" not in {item.id for item in read(file).items}
    assert any("p0 of a" in one and "the tracker lost the eye" in one for one in said)


def test_blinks_are_bridged(recorded):
    tracks = _tracks(recorded[0], kind="human")
    assert all(np.isfinite(track).all() for track in tracks.values())


def test_nobody_sees_two_of_one_picture(recorded):
    study = read(recorded[0])
    drawn = [one for one in draw(study, {}, np.random.default_rng(1)) if one.use == "trial"]
    groups = {item.id: item.group for item in study.items}
    assert len({groups[one.item] for one in drawn}) == len(drawn) == 6
    practised = {item.group for item in study.items if item.use == "practice"}
    assert len(practised) == 2
    assert not practised & {item.group for item in study.items if item.use == "trial"}


def test_checks_say_which_answer_to_give(recorded):
    checks = [item for item in read(recorded[0]).items if item.use == "check"]
    assert [item.expected for item in checks] == ["human", "synthetic"]
    white = (image.read(recorded[0].parent / checks[0].media) > 240).all(axis=-1).mean(axis=1)
    assert white.max() > 0.5  # the band that the words stand on


def test_fixations_alone_are_labelled(tmp_path):
    file = new(
        "scanpaths", tmp_path / "s", options={"dataset": "simulated(observers=3)", "model": ["levy"], "limit": 6}
    )
    study = read(file)
    notes = {item.note for item in study.items if item.kind == "human"}
    assert notes == {"human fixations, synthetic saccades"}
    assert "human_fixations" not in study.classes  # it would be the same as the human one
    assert "simulated" in study.instructions


@pytest.mark.parametrize("raw", [False, True])
def test_a_model_begins_where_a_person_began(raw):
    look = next(iter(from_dataset("simulated(observers=3)")))
    (walker,) = walkers(["gravity"], look.dataset)
    start = np.array([120.0, 90.0])
    seen = sight(look, seconds=1.0, seed=0, raw=raw)
    walk = walker.walk(seen, start, lasts=np.array([0.25]), rng=np.random.default_rng(0))
    assert np.hypot(*(walk.trace.points[0] - start)) < 1.5 * look.px_per_deg
    assert walk.notes == (() if raw else ("synthetic saccades",))
    if raw:
        assert np.hypot(*np.diff(walk.trace.points, axis=0).T).max() < 3 * look.px_per_deg  # in 10 ms: no jump


def test_recordings_and_models_are_shown_alike_by_their_fixations(place):
    """By default nothing of the recorder's noise, or of how a model glides, is left in what is shown."""
    options = {"gaze": place / "gaze.csv", "pictures": place / "pictures", "px_per_deg": 20.0, "seconds": 1.5}
    shown = scanpaths(**options, model=f"{place / 'models.py'}:steps")
    assert {piece.note for piece in shown.pieces if piece.kind == "human"} == {"human fixations, synthetic saccades"}
    assert "in the same way for all clips" in shown.instructions
    assert "synthetic in all clips" in shown.debrief
    assert shown.about["rendering"] == "fixations"
    raw = scanpaths(**options, model=f"{place / 'models.py'}:steps", rendering="raw")
    assert "We made the jumps" not in raw.instructions
    assert "synthetic" not in raw.debrief
    with pytest.raises(Misuse, match="got rendering=films; expected fixations or raw"):
        scanpaths(**options, rendering="films")


def test_a_trajectory_is_shown_by_where_it_stays():
    """Two places, 8 deg apart, with a glide of 0.3 s between them: two fixations, of which the first is held."""
    stays = np.repeat([[100.0, 100.0], [260.0, 100.0]], 50, axis=0)
    glide = np.column_stack([np.linspace(100, 260, 30), np.full(30, 100.0)])
    path = rests(np.concatenate([stays[:50], glide, stays[50:]]), 20.0)
    assert path.x == pytest.approx([100, 260], abs=3)
    assert path.onset_ms == pytest.approx([0, 800], abs=60)
    assert path.onset_ms[-1] + path.duration_ms[-1] == 1300  # to the end


def test_a_trajectory_that_glides_on_and_on_stops_where_it_is_slowest():
    seconds = np.arange(300) / 100
    slow = np.column_stack([100 + 100 * seconds + 20 * np.sin(2 * np.pi * seconds), np.full(300, 100.0)])
    path = rests(slow, 20.0)  # 5 deg/s on average, and 1.5 deg are left within 0.3 s
    assert path.onset_ms[0] == 0
    assert np.diff(path.onset_ms).max() < 1000


@pytest.mark.data
def test_gravity_is_not_given_away_by_how_it_moves(data, tmp_path):
    """On MIT1003, as it moves, it hardly rests, and the share of time at rest tells all; by its fixations, little."""
    options = {"dataset": f"mit1003:{data / 'mit1003_subset'}", "model": ["gravity"], "limit": 20}
    found = {}
    for rendering in ("fixations", "raw"):
        file = new("scanpaths", tmp_path / rendering, options={**options, "rendering": rendering})
        found[rendering] = {cue.name: cue.auc for cue in cues(read(file), file.parent)}
    assert found["raw"]["share of time at rest"] > 0.98
    assert found["raw"]["median speed"] > 0.98
    assert max(found["fixations"].values()) < 0.75


def test_a_model_that_hardly_fixates_is_not_shown_as_if_it_stood_still():
    def glides(picture):
        return scanpath([50, 60], [50, 60], onset_ms=[0, 900], duration_ms=[200, 900])

    look = next(iter(from_dataset("simulated(observers=3)")))
    seen = sight(look, seconds=1.0, seed=0)
    walk = Walker("glides", glides).walk(seen, np.zeros(2), lasts=np.array([0.25]), rng=np.random.default_rng(0))
    assert walk.trace.end == 0.0  # it is asked again, or left out


def test_what_a_reader_must_know_of_a_model_is_noted(place):
    look = next(iter(from_dataset("simulated(observers=3)")))
    file = place / "models.py"
    found = {one.name: one for one in walkers([f"{file}:{name}" for name in ("same", "silent")], look.dataset)}
    how = {"lasts": np.array([0.2, 0.3]), "rng": np.random.default_rng(0)}
    look = sight(look, seconds=1.0, seed=0)
    assert found["same"].walk(look, np.zeros(2), **how).notes == ("synthetic saccades", "starts at its own place")
    notes = found["silent"].walk(look, np.zeros(2), **how).notes
    assert notes == ("synthetic saccades", "of 16, the nearest to a person's start", "durations drawn from people's")


def test_a_model_named_twice_is_refused(place, tmp_path):
    models = [f"one={place / 'models.py'}:same", f"two={place / 'models.py'}:same"]
    options = {"gaze": place / "gaze.csv", "pictures": place / "pictures", "model": models, "seconds": 1.5}
    with pytest.raises(Misuse, match="got the same track twice: gaze/p0-one and gaze/p0-two"):
        new("scanpaths", tmp_path / "s", options=options)


def test_a_model_that_looks_for_too_short_a_time_makes_no_study(place):
    options = {"gaze": place / "gaze.csv", "pictures": place / "pictures", "seconds": 1.5}
    with pytest.raises(Misuse, match=r"got 0 pictures or films with .*; 8 trials are left out \(fixations of"):
        scanpaths(**options, model=f"{place / 'models.py'}:short")
    with pytest.raises(Misuse, match=r"left out \(refused by centre \(TypeError: .* to turn a map model into"):
        scanpaths(**options, model="centre")


def test_what_lies_in_no_folder_is_not_shown(place, tmp_path):
    with pytest.raises(Misuse, match="got no eye movements; expected --dataset"):
        scanpaths(pictures=place / "pictures")
    with pytest.raises(Misuse, match="without a file to show"):
        scanpaths(gaze=place / "gaze.csv", pictures=tmp_path)
    with pytest.raises(Misuse, match="nothing to show; expected --pictures DIR or --videos DIR"):
        scanpaths(gaze=place / "gaze.csv")
    image.write(np.zeros((64, 96), np.uint8), tmp_path / "other.png")
    with pytest.raises(Misuse, match="got no stimulus that has both a recording and a file"):
        scanpaths(gaze=place / "gaze.csv", pictures=tmp_path)


def test_what_cannot_be_read_is_refused_in_a_sentence(place, tmp_path):
    (tmp_path / "p0.png").write_bytes(b"no picture")
    with pytest.raises(Misuse, match=r"p0\.png: got no image that Pillow knows"):
        scanpaths(gaze=place / "gaze.csv", pictures=tmp_path)
    (tmp_path / "film1.mp4").write_bytes(b"no film")
    with pytest.raises(Misuse, match=r"film1\.mp4: got no film that can be read"):
        scanpaths(gaze=place / "gaze.csv", videos=tmp_path)
    image.write(np.zeros((64, 96), np.uint8), tmp_path / "p0.png")
    with pytest.raises(Misuse, match="got 1 pictures or films with a person's and a model's track; expected 2 or more"):
        scanpaths(gaze=place / "gaze.csv", pictures=tmp_path, model="levy", seconds=1.0)


def test_models_see_no_more_of_a_huge_picture_than_is_shown(tmp_path):
    image.write(np.zeros((1500, 3000), np.uint8), tmp_path / "wide.png")
    rows = [("stimulus", "observer", "time_ms", "x", "y"), *(("wide", "a", 4 * at, 50, 50) for at in range(300))]
    with (tmp_path / "gaze.csv").open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    (look,) = from_table(tmp_path / "gaze.csv", pictures=tmp_path, px_per_deg=60.0)
    assert (look.shape, look.load().shape, look.load().px_per_deg) == ((1500, 3000), (640, 1280), 25.6)


def test_two_at_a_time_have_one_target_and_no_controls(place):
    options = {"gaze": place / "gaze.csv", "pictures": place / "pictures", "videos": place / "videos", "seconds": 1.0}
    shown = scanpaths(**options, film_seconds=1.0, model=f"{place / 'models.py'}:steps", trial="two_alternative")
    assert shown.right == {"human": "human"}
    assert {piece.kind for piece in shown.pieces} == {"human", "synthetic", "check"}


@pytest.mark.slow
@pytest.mark.data
def test_mit1003_and_the_model_of_the_source(data, tmp_path):
    spec = f"mit1003:{data / 'mit1003_subset'}"
    file = new("zanca2020", tmp_path / "s", options={"dataset": [spec], "limit": 8})
    study = read(file)
    assert study.classes == ("human", "synthetic")
    assert [(group.name, group.at_least, group.at_most) for group in study.groups] == [
        ("expert", 3, None),
        ("naive", None, 2),
    ]
    assert {item.note for item in study.items if item.kind == "human"} == {"human fixations, synthetic saccades"}
    assert all(track.shape == (101, 3) for track in _tracks(file).values())  # 2 s


@pytest.mark.slow
@pytest.mark.data
def test_recorded_gaze_on_films(data, tmp_path):
    """Andersson's recordings of 500 Hz on two films of 720 x 576 in the middle of a screen of 1024 x 768."""
    from scipy.io import loadmat

    root = data / "andersson_gaze"
    rows = [("stimulus", "observer", "time_ms", "x", "y")]
    for name, word in (("BergoDalbana", "BergoDalbana"), ("triple_jump", "triple_jump")):
        for file in sorted(root.rglob(f"*video*{word}*_MN.mat")):
            pos = loadmat(file, simplify_cells=True)["ETdata"]["pos"]
            x, y = pos[:, 3] - (1024 - 720) / 2, pos[:, 4] - (768 - 576) / 2
            gone = (pos[:, 3] <= 0) | (pos[:, 5] == 5)
            times = 2.0 * np.arange(len(pos))
            rows += [
                (name, file.name[:4], t, *(("", "") if lost else (a, b)))
                for t, a, b, lost in zip(times, x, y, gone, strict=True)
            ]
    with (tmp_path / "gaze.csv").open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    options = {
        "gaze": tmp_path / "gaze.csv",
        "videos": root / "Stimuli" / "videos",
        "model": ["gravity"],
        "px_per_deg": 32.3,
        "film_seconds": 2.0,
        "rendering": "raw",
    }
    file = new("scanpaths", tmp_path / "s", options=options)
    study = read(file)
    assert {item.stimulus for item in study.items} == {"film"}
    assert {item.note for item in study.items if item.kind == "synthetic"} == {""}
    tracks = _tracks(file, kind="human")
    assert all(np.ptp(track[:, 1]) > 0.05 for track in tracks.values())  # they look around


def test_a_dataset_without_a_path_is_looked_for_above_its_pictures(place):
    fixations = [("stimulus", "observer", "index", "x", "y", "duration_ms")]
    fixations += [(f"p{at}", who, n, 20 + 9 * n, 30, 300) for at in range(3) for who in "ab" for n in range(5)]
    with (place / "fixations.csv").open("w", newline="") as file:
        csv.writer(file).writerows(fixations)
    looks = list(from_dataset(f"table:{place / 'fixations.csv'}", pictures=place / "pictures"))
    assert [look.id.rpartition("/")[2] for look in looks] == ["p0", "p1", "p2"]
    with pytest.raises(Misuse, match=r"found it neither in .*pictures nor above; give mit1003:PATH"):
        list(from_dataset("mit1003", pictures=place / "pictures"))
