"""Gaze on films: FIND's and Coutrot's layouts from small files, and FIND's clip where it is."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import attention_films as made
from beholder.attention.datasets._films import Reel, film_dataset, fixations_from_frames, stretches
from beholder.attention.datasets._gaze import Card
from beholder.attention.datasets.coutrot import coutrot
from beholder.attention.datasets.find_video_gaze import find_video_gaze
from beholder.attention.gaze.saccades import model_moves
from beholder.attention.maps.features import Clip, Unseen
from beholder.attention.measures.multimatch import multimatch
from beholder.attention.models.gravity import gravity
from beholder.attention.models.itti import itti
from beholder.attention.paths.pairs import read_scanpaths
from beholder.attention.types import scanpath
from beholder.core.measure import NotApplicable
from beholder.errors import Misuse
from beholder.io import film, structs
from beholder.registry.load import dataset as dataset_from


def test_runs_of_a_place_are_fixations():
    path = fixations_from_frames(made.places(0), made.HERTZ)
    assert_array_equal(path.points, made.PLACES)
    assert_allclose(path.onset_ms, [0, 720, 1360])
    assert_allclose(path.duration_ms, [720, 640, 640])
    assert (
        len(fixations_from_frames(np.full((4, 2), np.nan), 10.0))
        == len(fixations_from_frames(np.zeros((0, 2)), 10.0))
        == 0
    )


@pytest.mark.parametrize(("count", "seconds", "parts"), [(50, 1.0, 2), (50, 0, 1), (3, 0.01, 3), (50, 99, 1)])
def test_stretches_make_up_the_film(count, seconds, parts):
    found = stretches(count, 25.0, seconds=seconds)
    assert len(found) == parts
    assert [first for first, _ in found] == list(np.cumsum([0, *(n for _, n in found)])[:-1])
    assert sum(n for _, n in found) == count
    with pytest.raises(Misuse, match="got seconds=-1"):
        stretches(50, 25.0, seconds=-1)


def test_find(tmp_path):
    dataset = dataset_from("attention.datasets", f"find_video_gaze(seconds=1,side=32):{made.find_folder(tmp_path)}")
    assert dataset.ids == ("001/00", "001/01", "002/00", "002/01")
    first, second = dataset[0], dataset[1]
    assert isinstance(first.stimulus, Clip)
    assert first.stimulus.frames.shape == (25, 24, 32, 3)
    assert_array_equal(
        second.stimulus.frames, film.read(tmp_path / "videos" / "001.mp4", first=25, count=25, shape=(24, 32))
    )
    assert first.stimulus.px_per_deg == first.reference.px_per_deg == 17.5  # 35 of the film, shown at half its size
    assert_allclose(first.reference.paths["02"].points, (np.array(made.PLACES[:2]) + 1) / 2)
    assert_allclose(first.reference.paths["01"].duration_ms, [720, 280])
    assert_allclose(second.reference.paths["01"].onset_ms, [0, 360])  # a fixation over a cut is two
    assert first.tags == {"film": "001"}
    assert "ASSUMED to be 35" in dataset.about
    assert "The films of 1 further recordings are not here" in dataset.about
    assert set(first.reference.controls.picture) == set(dataset.ids) - {"001/00"}
    whole = find_video_gaze(tmp_path, seconds=0, side=0, px_per_deg=20)
    assert whole.ids == ("001", "002")
    assert whole[0].reference.shape == made.SHAPE
    assert "as given, 20 of the film" in whole.about
    assert whole.fingerprint != find_video_gaze(tmp_path, seconds=0, side=0).fingerprint


def test_a_strange_folder_of_films_is_told(tmp_path):
    folder = made.find_folder(tmp_path)
    with pytest.raises(Misuse, match="got side=8"):
        find_video_gaze(folder, side=8)
    made.mat(folder / "fix_data" / "001.mat", curr_v_all_s=made.cell(np.zeros((9, 2))))
    with pytest.raises(Misuse, match=r"001\.mat: got gaze of shape \(9, 2\); expected \(50, 2\)"):
        find_video_gaze(folder)
    made.mat(folder / "fix_data" / "001.mat", curr_v_all_s=np.zeros((0, 0)))
    with pytest.raises(Misuse, match="got nobody"):
        find_video_gaze(folder)
    for file in (folder / "videos").iterdir():
        file.unlink()
    with pytest.raises(Misuse, match="3 gaze files but none of their films"):
        find_video_gaze(folder)


def test_gaze_outside_a_film_follows_the_policy(tmp_path):
    gaze = {"a": scanpath([5, 200], [5, 5])}
    card = Card("films", "Some.", "Xu2018", "none")

    def dataset(outside):
        return film_dataset(
            {"f": Reel(gaze, made.SHAPE, 25.0, 9)}, card, root=tmp_path, annotations=[], outside=outside, side=0
        )

    assert (dataset("drop")[0].reference.dropped, len(dataset("drop")[0].reference.points)) == (1, 1)
    assert_allclose(dataset("clip")[0].reference.paths["a"].x, [5, 64])
    with pytest.raises(Misuse, match=r"films, f: got fixation 1 at \(200, 5\)"):
        dataset("raise")
    with pytest.raises(Misuse, match="got outside='wrap'"):
        dataset("wrap")


def test_coutrot(tmp_path):
    dataset = dataset_from("attention.datasets", f"coutrot(px_per_deg=10):{made.coutrot_folder(tmp_path)}")
    assert (dataset.name, dataset.ids) == ("coutrot_database1_dispersion", ("clip_1", "clip_2"))
    first, second = dataset
    assert list(first.reference.paths) == [f"OriginalSounds#{n:02}" for n in (1, 2, 3)]
    assert len(second.reference.paths) == 5
    assert set(second.reference.groups.values()) == set(made.SOUNDS)
    path = second.reference.paths["OriginalSounds#02"]
    assert_allclose(path.points, np.array(made.PLACES) + 1, atol=0.2)
    assert_allclose(path.duration_ms, [720, 640, 640], atol=1)
    assert isinstance(first.stimulus, Clip)
    assert len(first.stimulus) == made.FRAMES
    assert "OriginalSounds, FacesSounds" in dataset.about
    alone = coutrot(tmp_path, condition="FacesSounds")
    assert (alone.name, alone.ids) == ("coutrot_database1_dispersion_FacesSounds", ("clip_2",))
    assert coutrot(tmp_path, detector="velocity").name == "coutrot_database1_velocity"


def test_one_participant_loses_an_axis(tmp_path):
    held = made.recording(1, 0)
    made.mat(tmp_path / "coutrot_database2.mat", Coutrot_Database2={"Visual": {"clip_1": held}})
    dataset = coutrot(tmp_path, px_per_deg=10)
    assert dataset.cite == "Coutrot2014"
    assert list(dataset[0].reference.paths) == ["Visual#01"]


def test_a_film_that_is_not_here_can_be_scored_but_not_looked_at(tmp_path):
    folder = made.coutrot_folder(tmp_path)
    for file in (folder / "ERB3_Stimuli").iterdir():
        file.unlink()
    dataset = coutrot(folder, px_per_deg=10)
    assert "the frames of 2 are not here" in dataset.about
    sample = dataset[0]
    assert isinstance(sample.stimulus, Unseen)
    assert (sample.stimulus.shape, len(sample.stimulus)) == (made.SHAPE, made.FRAMES)
    with pytest.raises(NotApplicable, match="frames of this clip are not here"):
        gravity(sample.stimulus, rng=np.random.default_rng(0))
    with pytest.raises(NotApplicable, match="frames of this clip are not here"):
        itti(sample.stimulus)
    own = sample.reference.paths["OriginalSounds#01"]
    assert model_moves(own, sample.stimulus).saccades == 2
    assert multimatch(read_scanpaths(own, sample.stimulus), sample.reference).value > 0.8


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ({"data": np.zeros((3, 4, 2)), "info": {"vidwidth": 4, "vidheight": 3}}, r"got data of shape \(3, 4, 2\)"),
        ({"data": np.zeros((2, 4, 2)), "info": {"vidwidth": 4}}, "got no vidheight in info"),
        ({"data": np.zeros((2, 4, 2))}, r"got no CONDITION\.CLIP with data and info"),
    ],
)
def test_a_strange_database_is_told(tmp_path, held, said):
    made.mat(tmp_path / "coutrot_database1.mat", Coutrot_Database1={"Visual": {"clip_1": held}})
    with pytest.raises(Misuse, match=said):
        coutrot(tmp_path)


def test_databases_that_are_none(tmp_path):
    with pytest.raises(Misuse, match="with none of coutrot_database1"):
        coutrot(tmp_path)
    folder = made.coutrot_folder(tmp_path)
    with pytest.raises(Misuse, match="got condition='Silence'; expected one of OriginalSounds, FacesSounds"):
        coutrot(folder, condition="Silence")
    with pytest.raises(Misuse, match="got nan px per degree"):
        coutrot(folder, px_per_deg=np.nan)
    held = made.recording(2, 0)
    held["info"]["vidwidth"] = 99
    made.mat(folder / "coutrot_database1.mat", Coutrot_Database1={"Visual": {"clip_1": held}})
    with pytest.raises(Misuse, match=r"clip_1\.mp4: got frames of \(48, 64\); expected \(48, 99\)"):
        coutrot(folder)
    made.mat(folder / "coutrot_database1.mat", other=3)
    with pytest.raises(Misuse, match="got other; expected the struct Coutrot_Database1"):
        coutrot(folder)


def test_a_model_of_pictures_cannot_look_at_a_clip():
    with pytest.raises(NotApplicable, match=r"`Clip\.at` gives a frame"):
        itti(Clip(made.frames(), made.HERTZ))


@pytest.mark.slow
def test_the_real_clip(data):
    folder = data / "find_video_gaze"
    if not folder.is_dir():
        pytest.skip("FIND's clip is not here")
    dataset = find_video_gaze(folder, seconds=0)
    sample = dataset[0]
    assert sample.stimulus.frames.shape == (396, 180, 320, 3)
    assert sample.stimulus.hertz == pytest.approx(23.976, abs=1e-3)
    points = 4 * sample.reference.points  # data.md 3.6 has them in px of the film
    assert (points.min(axis=0).tolist(), points.max(axis=0).tolist()) == ([80, 59], [1223, 713])
    gaze = np.stack(structs.variable(folder / "fix_data" / "012.mat", "curr_v_all_s")).astype(float)
    paths = sample.reference.paths.values()
    lasts = np.rint(np.concatenate([path.duration_ms for path in paths]) * sample.stimulus.hertz / 1000).astype(int)
    held = np.repeat(points, lasts, axis=0)
    assert_allclose(held.reshape(gaze.shape), gaze)  # nothing is lost: 39 people, 396 frames
    parts = find_video_gaze(folder)
    assert parts.ids == tuple(f"012/{n:02}" for n in range(4))
    found = gravity(parts[0].stimulus, rng=np.random.default_rng(0), seconds=4.0, features="gradient+flow")
    assert 0 < multimatch(read_scanpaths(found, parts[0].stimulus), parts[0].reference).value < 1
