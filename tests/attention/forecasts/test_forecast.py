"""Forecasts: what a model may return, that it sees the past only, and that it is asked once."""

import pickle
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attention_forecasts import PICTURE, Drifting
from attention_walks import SHAPE
from beholder.attention.files import forecasts as forecast_files
from beholder.attention.forecasts.forecast import Forecast, Still, accept_forecast, fixation_number
from beholder.attention.models.centre import centre
from beholder.attention.models.saccadic_prior import forecast as blind
from beholder.attention.models.scenewalk import forecast as walking
from beholder.attention.types import Lookers, Picture, Salience, scanpath
from beholder.errors import Misuse

TIMES = {"onset_ms": np.arange(4) * 300.0, "duration_ms": np.full(4, 250.0)}
PATH = scanpath([10.0, 60.0, 35.0, 5.0], [5.0, 30.0, 20.0, 39.0], **TIMES)
EVEN = np.log(np.full(SHAPE, 1 / (SHAPE[0] * SHAPE[1])))


class Diary:
    """A forecast that notes what it was shown."""

    def __init__(self):
        self.seen = []

    def __call__(self, history):
        self.seen.append(history)
        return EVEN


def test_the_past_is_all_that_is_shown():
    diary = Diary()
    Forecast(diary, SHAPE).along(PATH)
    assert [len(history) for history in diary.seen] == [1, 2, 3]
    for history in diary.seen:
        for name in ("x", "y", "onset_ms", "duration_ms"):
            column = getattr(history, name)
            assert column.base is None  # no view, behind which the whole path would lie
            assert_allclose(column, getattr(PATH, name)[: len(history)])


def test_a_model_may_fill_one_array_again_and_again():
    drift, kept = Drifting(), np.empty(SHAPE)

    def refilled(history):
        kept[:] = drift(history)
        return kept

    assert_allclose(Forecast(refilled, SHAPE).along(PATH), Forecast(drift, SHAPE).along(PATH))
    assert len(set(Forecast(drift, SHAPE).along(PATH)[1:, 0].tolist())) > 1


def test_it_is_asked_once_a_path_whoever_measures():
    diary = Diary()
    found = Forecast(diary, SHAPE)
    lookers = Lookers({"a": PATH}, SHAPE)
    for count in (2, 3):
        confined, same = fixation_number(count).select(found, lookers)
        assert same is lookers
        assert confined.which(PATH).tolist() == [at == count - 1 for at in range(4)]
        confined.along(PATH)
    assert len(diary.seen) == 3
    found.along(PATH, "keep")
    assert [len(history) for history in diary.seen[3:]] == [0, 1, 2, 3]


def test_the_first_fixation_is_told_only_where_it_is_kept():
    found = Forecast(Drifting(), SHAPE)
    dropped, kept = found.along(PATH), found.along(PATH, "keep")
    assert np.isnan(dropped[0]).all()
    assert_allclose(dropped[1:], kept[1:])
    assert np.isfinite(kept[0]).all()
    with pytest.raises(Misuse, match="got first='forced'; expected 'drop' or 'keep'"):
        found.along(PATH, "forced")


def test_densities_and_maps_say_the_same_every_time():
    for raw in (centre(PICTURE), Salience(np.ones(SHAPE)), np.arange(2800.0).reshape(SHAPE)):
        found = accept_forecast(raw, PICTURE)
        assert found.before(PATH, 1) is found.before(PATH, 3)
    assert np.isnan(found.along(PATH)[:, 0]).all()  # a map has no probabilities
    assert accept_forecast(found, PICTURE) is found


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (len, "got int for the next fixation; expected natural logarithms"),
        (lambda history: EVEN[:5], r"got a forecast of shape \(5, 70\); expected \(40, 70\)"),
        (lambda history: np.exp(EVEN), "subtract the logsumexp"),
        (PATH, "got scanpaths; expected a function .* from_sampler"),
        ([PATH, PATH], "got scanpaths; expected a function .* conditional"),
        ({"answer": 1}, "got dict; expected a function from the fixations so far"),
        (np.ones((3, 3)), r"got a map of shape \(3, 3\); expected \(40, 70\)"),
    ],
)
def test_what_is_wrong_is_said(raw, sentence):
    with pytest.raises((ValueError, TypeError), match=sentence):
        accept_forecast(raw, PICTURE)


def test_a_fault_of_a_forecast_is_its_own():
    def broken(history):
        raise RuntimeError("no weights")

    with pytest.raises(RuntimeError, match="no weights"):
        accept_forecast(broken, PICTURE)


@pytest.mark.parametrize("model", [blind, lambda picture: walking(picture, of="uniform"), centre])
def test_forecasts_travel(model, tmp_path):
    found = accept_forecast(model(PICTURE), PICTURE)
    told = found.along(PATH)
    assert_allclose(pickle.loads(pickle.dumps(found)).along(PATH), told)
    forecast_files.write(found, tmp_path / "kept.npz")
    assert_allclose(accept_forecast(forecast_files.read(tmp_path / "kept.npz"), PICTURE).along(PATH), told)


def test_files_of_models_and_of_others(tmp_path):
    np.savez(tmp_path / "log.npz", log=EVEN)
    assert accept_forecast(forecast_files.read(tmp_path / "log.npz"), PICTURE).along(PATH)[1, 0] == pytest.approx(
        EVEN[0, 0]
    )
    np.save(tmp_path / "map.npy", np.ones(SHAPE))
    assert accept_forecast(forecast_files.read(tmp_path / "map.npy"), PICTURE).along(PATH)[1, 1] == 0.5
    np.savez(tmp_path / "foreign.npz", forecast=np.zeros(99, np.uint8))
    with pytest.raises(ValueError, match="saved by another user or another version"):
        forecast_files.read(tmp_path / "foreign.npz")


def test_what_no_other_process_can_open_is_recorded_along_the_last_path(tmp_path):
    found = accept_forecast(lambda history: Drifting()(history) + 0.0, PICTURE)
    forecast_files.write(found, tmp_path / "mine.npz")
    assert not (tmp_path / "mine.npz").exists()
    for path in (PATH.at([3, 1, 2]), PATH):
        found.along(path)
    kept = accept_forecast(forecast_files.read(tmp_path / "mine.npz"), PICTURE)
    assert_allclose(kept.along(PATH), found.along(PATH))
    assert_allclose(kept.before(PATH, 1).map, np.exp(Drifting()(PATH.at([0]))), rtol=1e-9)
    with pytest.raises(LookupError, match="recorded for another scanpath"):
        kept.along(PATH.at([2, 3]))
    (tmp_path / "mine.npz").unlink()
    beside = SimpleNamespace(of="beholder_user_1_mine")  # as what a user's file defines is pickled
    forecast_files.write(Forecast(Still(beside), SHAPE), tmp_path / "mine.npz")
    assert not (tmp_path / "mine.npz").exists()


def test_a_record_of_a_large_picture_is_thin_and_its_scores_are_exact(tmp_path):
    large = Picture(np.zeros((900, 1200), np.uint8))
    path = scanpath([600.0, 900.0], [450.0, 100.0])
    found = accept_forecast(lambda history: centre(large).log, large)
    forecast_files.write(found, tmp_path / "mine.npz")
    found.along(path)
    kept = forecast_files.read(tmp_path / "mine.npz")
    assert_allclose(kept.along(path), found.along(path))
    assert kept.before(path, 1).order.shape == (300, 400)
    assert_allclose(kept.before(path, 1).map, found.before(path, 1).map, rtol=0.05)


def test_numbers_begin_with_one():
    with pytest.raises(Misuse, match="expected 1 or more"):
        fixation_number(0)
    with pytest.raises(TypeError, match="expected a Forecast"):
        fixation_number(2).select(EVEN, Lookers({}, SHAPE))
