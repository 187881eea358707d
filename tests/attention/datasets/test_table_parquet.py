"""The plain table as Parquet: read by duckdb (extra parquet), by whatever pandas reads it with, or by nothing."""

import sys
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType, SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

import attention_folders as made
from beholder.attention.datasets.table import table
from beholder.io import table as tables

READERS = ("pyarrow", "fastparquet", "duckdb")


@pytest.fixture
def readers(monkeypatch):
    """Says which readers of Parquet are installed."""

    def only(*installed):
        monkeypatch.setattr(tables, "find_spec", lambda name: name in installed or None)

    return only


@pytest.fixture
def frame(tmp_path):
    """The rows of a small table whose observers and stimuli are numbers, as Parquet keeps them."""
    made.table_folder(tmp_path)
    rows = pd.read_csv(tmp_path / "fixations.csv")
    (tmp_path / "fixations.csv").unlink()
    return rows.assign(observer=rows["observer"].map({"ann": 1, "bob": 2}))


def pretend_duckdb(monkeypatch, rows):
    """A module in the place of duckdb that answers as it would for these rows, in the same words."""
    asked = []

    def read_parquet(file):
        asked.append(file)
        return SimpleNamespace(df=lambda: rows)

    module = ModuleType("duckdb")
    module.__spec__ = ModuleSpec("duckdb", None)
    module.read_parquet = read_parquet
    monkeypatch.setitem(sys.modules, "duckdb", module)
    return asked


def test_what_duckdb_reads_is_a_dataset(tmp_path, frame, readers, monkeypatch):
    readers("duckdb")
    asked = pretend_duckdb(monkeypatch, frame)
    (tmp_path / "fixations.parquet").write_bytes(b"PAR1")
    dataset = table(tmp_path, px_per_deg=30)
    assert set(asked) == {str(tmp_path / "fixations.parquet")}
    assert dataset.ids == made.NAMES
    for at, sample in enumerate(dataset):
        assert list(sample.reference.paths) == ["1", "2"]
        x, _, duration = made.path(at, 0)
        assert_array_equal(sample.reference.paths["1"].x, x)
        assert_array_equal(sample.reference.paths["1"].duration_ms, duration)


def test_texts_are_texts_and_what_is_empty_stays_empty(tmp_path, readers, monkeypatch):
    readers("duckdb")
    pretend_duckdb(monkeypatch, pd.DataFrame({"observer": [7, 8], "group": ["a", None], "x": [1.5, np.nan]}))
    (tmp_path / "t.parquet").write_bytes(b"PAR1")
    found = tables.read(tmp_path / "t.parquet", ("observer", "group"))
    assert found["observer"].tolist() == ["7", "8"]
    assert found["group"].isna().tolist() == [False, True]
    assert found["x"].dtype.kind == "f"


def test_without_a_reader_it_is_said_what_to_install(tmp_path, readers):
    readers()
    file = tmp_path / "f.parquet"
    file.write_bytes(b"PAR1")
    with pytest.raises(ValueError, match=r"f\.parquet: nothing installed reads Parquet; install beholder\[parquet\]"):
        table(file)


def test_a_damaged_file_is_told(tmp_path, readers, monkeypatch):
    readers("duckdb")
    pretend_duckdb(monkeypatch, None)
    monkeypatch.setattr(sys.modules["duckdb"], "read_parquet", lambda file: 1 / 0)
    (tmp_path / "f.parquet").write_bytes(b"PAR1")
    with pytest.raises(ValueError, match=r"f\.parquet: got no table that can be read \(division by zero\)"):
        tables.read(tmp_path / "f.parquet")


@pytest.mark.skipif(not any(map(find_spec, READERS)), reason="nothing installed reads Parquet (extra parquet)")
def test_a_real_file(tmp_path, frame):
    file = tmp_path / "fixations.parquet"
    if find_spec("duckdb"):
        import duckdb

        duckdb.sql("SELECT * FROM frame").write_parquet(str(file))
    else:
        frame.to_parquet(file)
    assert table(tmp_path)[0].reference.paths.keys() == {"1", "2"}
