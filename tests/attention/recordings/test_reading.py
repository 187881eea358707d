"""Raw gaze of every kind of file becomes trials, evenly in time, with NaN where the eye was lost."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import attention_folders as made
from beholder.attention.recordings import bids, eyelink, tables
from beholder.attention.recordings.request import Request, read_trials
from beholder.attention.recordings.trials import even_gaze, gaps_ms, mark_lost, sampling_rate
from beholder.errors import Misuse


def table(tmp_path, head, rows, name="raw.csv"):
    file = tmp_path / name
    file.write_text("\n".join([head, *(",".join(map(str, row)) for row in rows)]) + "\n")
    return file


def test_a_table_by_observer_and_stimulus(tmp_path):
    rows = [(who, image, 4 * at, at, 2 * at) for who in "ab" for image in ("p", "q") for at in range(1, 4)]
    found = list(tables.read(table(tmp_path, "subject,image,time_ms,x,y", rows), named={}))
    assert [(one.observer, one.stimulus) for one in found] == [("a", "p"), ("a", "q"), ("b", "p"), ("b", "q")]
    assert_array_equal(found[3].gaze.y, [2, 4, 6])
    assert found[0].gaze.hertz == 250


def test_names_units_and_rates_of_a_table(tmp_path):
    file = table(tmp_path, "T,left,up,ok", [(0.002 * at, 5, 6, at != 1) for at in range(3)])
    named = {"time": "T", "x": "left", "y": "up", "valid": "ok"}
    (one,) = tables.read(file, named=named, unit="s")
    assert (one.stimulus, one.observer, one.gaze.hertz) == ("raw", "raw", 500)
    assert_array_equal(one.gaze.x, [5, np.nan, 5])
    (by_name,) = tables.read(table(tmp_path, "time_s,x,y", [(0.01 * at, 1, 2) for at in range(4)]), named={})
    assert by_name.gaze.hertz == pytest.approx(100)
    (by_rate,) = tables.read(table(tmp_path, "x,y", [(1, 2), (3, 4)]), named={}, hertz=60)
    assert by_rate.gaze.hertz == 60


@pytest.mark.parametrize(
    ("head", "rows", "sentence"),
    [
        ("time,x,z", [(0, 1, 2)], "expected one for y; name it: --column y=NAME"),
        ("x,y", [(0, 1)], "got no column of times"),
        ("time,x,y", [(0.002 * at, 1, 2) for at in range(3)], "got 500000 samples a second .* give --time-unit s"),
        ("time,x,y", [(4, 1, 2), (2, 1, 2)], "got the time 2 ms at sample 2, after 4 ms"),
        ("time,x,y", [(0, "left", 2), (2, "left", 2)], "got text in the column x"),
        ("time,x,y,observer", [(0, 1, 2, ""), (2, 1, 2, "a")], "1 rows without a stimulus or an observer"),
    ],
)
def test_tables_that_are_refused(tmp_path, head, rows, sentence):
    with pytest.raises(Misuse, match=sentence):
        list(tables.read(table(tmp_path, head, rows), named={}))


def test_steps_without_a_sample_are_lost():
    gaze = even_gaze(np.array([0.0, 4, 16, 20]), np.arange(4.0), np.zeros(4), 250.0)
    assert_array_equal(np.isnan(gaze.x), [False, False, True, True, False, False])
    assert_array_equal(gaps_ms(gaze), [8])
    assert sampling_rate(np.array([0.0, 4, 8, 20]), "f") == 250


def test_what_trackers_write_for_a_lost_eye():
    x, _ = mark_lost(np.array([0.0, -1, 0, 1e8, np.nan, 0]), np.array([0.0, -1, 5, 3, 2, -1]))
    assert_array_equal(np.isnan(x), [True, True, False, True, True, False])


def test_eyelink_by_pictures_and_by_words_of_yours(tmp_path):
    folder = made.eyelink_folder(tmp_path)
    found = list(eyelink.read(folder / "bob.asc"))
    assert [one.stimulus for one in found] == list(made.NAMES)
    assert {one.observer for one in found} == {"bob"}
    assert found[0].screen == made.SCREEN
    assert len(found[0].gaze) == 405
    assert np.isnan(found[0].gaze.x).sum() == 1
    assert_allclose(found[1].tracked.x, made.path(1, 1)[0] + 60)
    text = (folder / "bob.asc").read_text()
    (folder / "bob.asc").write_text(text.replace("!V IMGLOAD CENTER stimuli/", "SHOW ").replace(".png", ""))
    assert [one.stimulus for one in eyelink.read(folder / "bob.asc", starts="SHOW")] == list(made.NAMES)
    (whole,) = eyelink.read(folder / "bob.asc")  # nothing says what was shown
    assert whole.stimulus == "bob"
    with pytest.raises(Misuse, match="got no message that starts with 'BEGIN'"):
        list(eyelink.read(folder / "bob.asc", starts="BEGIN"))


def test_bids_by_events(tmp_path):
    root = made.bids_folder(tmp_path)
    found = list(bids.read(root))
    assert [(one.observer, one.stimulus) for one in found] == [(who, p) for who in ("01", "02") for p in ("p1", "p2")]
    assert found[0].px_per_deg == pytest.approx(9.95, abs=0.01)
    assert np.isnan(found[0].gaze.x).sum() == 1
    (file,) = (root / "sub-02").rglob("*_physio.tsv.gz")
    assert_array_equal(list(bids.read(file))[1].gaze.x, found[3].gaze.x)


def test_pictures_in_the_middle_of_the_screen(tmp_path):
    root = made.bids_folder(tmp_path)
    on_screen, on_picture = (read_trials(Request((root,), pictures=pictures)) for pictures in (None, root / "stimuli"))
    shift = [(200 - 80) / 2, (100 - 60) / 2]
    assert np.nanmedian(on_screen[0].gaze.x - on_picture[0].gaze.x) == shift[0]
    assert np.nanmedian(on_screen[0].gaze.y - on_picture[0].gaze.y) == shift[1]
    with pytest.raises(Misuse, match="got no picture p1"):
        read_trials(Request((root,), pictures=tmp_path / "sub-01"))


def test_geometry_gives_px_per_degree(tmp_path):
    file = table(tmp_path, "time_ms,x,y", [(4 * at, 1, 2) for at in range(9)])
    (one,) = read_trials(Request((file,), screen=(1024, 768), width_cm=40.5, distance_cm=75))
    assert one.px_per_deg == pytest.approx(33.1, abs=0.05)
    with pytest.raises(Misuse, match="expected the screen's px as well"):
        read_trials(Request((file,), width_cm=40.5, distance_cm=75))


def test_what_is_no_recording(tmp_path):
    with pytest.raises(Misuse, match=r"none\.csv, which does not exist"):
        read_trials(Request((tmp_path / "none.csv",)))
    (tmp_path / "a.edf").write_bytes(b"x")
    with pytest.raises(Misuse, match="edf2asc makes it"):
        read_trials(Request((tmp_path / "a.edf",)))
    with pytest.raises(Misuse, match="without sub-"):
        read_trials(Request((tmp_path,)))
