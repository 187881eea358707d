"""Readers of BIDS eye tracking, of long tables and of van Hateren's images."""

import gzip

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import attention_folders as made
from beholder.io import bids, hateren, table


def test_bids_comes_back(tmp_path):
    root = made.bids_folder(tmp_path)
    first, second = bids.recordings(root)
    assert bids.entities(second) == {"sub": "02", "task": "look", "recording": "eye1"}
    held = bids.read(first, root)
    assert (held.hertz, held.start) == (500, 1.0)
    assert held.screen["ScreenDistance"] == 0.57  # inherited from the root
    assert [event["stim_file"] for event in held.events] == ["p1.png", "p2.png", "n/a"]
    assert len(held.columns["x_coordinate"]) == 1000
    assert held.columns["x_coordinate"][0] == 100
    assert np.isnan([held.columns[name][50] for name in ("x_coordinate", "y_coordinate", "pupil_size")]).all()


def test_the_nearest_json_wins(tmp_path):
    root = made.bids_folder(tmp_path)
    (root / "task-look_physio.json").write_text('{"StartTime": 9, "Manufacturer": "far"}')
    held = bids.read(bids.recordings(root)[0], root)
    assert held.start == 1.0


def test_bids_that_is_damaged(tmp_path):
    root = made.bids_folder(tmp_path)
    file = bids.recordings(root)[0]
    with gzip.open(file, "wt") as text:
        text.write("1\t2\t3\t4\n1\t2\n")
    with pytest.raises(ValueError, match="line 2: got 2 values; expected 4"):
        bids.read(file, root)
    file.write_bytes(b"not compressed")
    with pytest.raises(ValueError, match="got no compressed table"):
        bids.read(file, root)
    file.with_name("sub-01_task-look_recording-eye1_physio.json").write_text("[")
    with pytest.raises(ValueError, match="got no JSON object"):
        bids.read(file, root)


def test_a_table_has_numbers_and_texts(tmp_path):
    (tmp_path / "a.csv").write_text("\ufeffname,x\n007,1.5\nNone,n/a\n", "utf-8")
    found = table.read(tmp_path / "a.csv", ["name"])
    assert found["name"].tolist()[0] == "007"
    assert found["name"].isna().tolist() == [False, True]
    assert_array_equal(found["x"], [1.5, np.nan])
    with pytest.raises(ValueError, match=r"a\.xls: got the suffix '\.xls'; expected \.csv, \.tsv, \.parquet"):
        table.read(tmp_path / "a.xls")
    (tmp_path / "b.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match=r"b\.csv: got no table that can be read"):
        table.read(tmp_path / "b.csv")


def test_light_is_big_endian_and_cut_to_the_middle(tmp_path):
    whole = np.arange(hateren.WHOLE[0] * hateren.WHOLE[1], dtype=np.uint32).astype(np.uint16).reshape(hateren.WHOLE)
    whole[128, 256] = 0x0102
    hateren.write(whole, tmp_path / "a.iml")
    assert (tmp_path / "a.iml").read_bytes()[2 * (128 * 1536 + 256) :][:2] == b"\x01\x02"
    found = hateren.read(tmp_path / "a.iml")
    assert found.shape == hateren.CUT
    assert_array_equal(found, whole[128:896, 256:1280])
    hateren.write(found, tmp_path / "b.iml")
    assert_array_equal(hateren.read(tmp_path / "b.iml"), found)


def test_light_of_another_size_is_refused(tmp_path):
    (tmp_path / "a.iml").write_bytes(bytes(100))
    with pytest.raises(ValueError, match=r"a\.iml: got 100 bytes; expected 1572864 \(1024 x 768\)"):
        hateren.read(tmp_path / "a.iml")
    with pytest.raises(ValueError, match=r"got uint8 of \(768, 1024\)"):
        hateren.write(np.zeros(hateren.CUT, np.uint8), tmp_path / "a.iml")
