"""Pictures of samples: here or in workers, drawn again when an answer is newer, and each fault costs one."""

import os

import numpy as np
import pytest

import beholder as bh
from attention_gallery import NAMES, SHAPE, bump, gallery, spot
from beholder.evaluation import figures as draw
from beholder.evaluation.figures import answers_folder, drawn

THREE = NAMES[:3]


@pytest.fixture
def kept(tmp_path):
    """A benchmark, and a run's folder with the answers of two models to three samples."""
    bench = bh.load("attention/saliency", dataset=f"table:{gallery(tmp_path / 'dataset', THREE)}")
    folder = tmp_path / "run"
    for model in ("one", "two"):
        place = answers_folder(folder, bench) / model
        place.mkdir(parents=True)
        for name in THREE:
            np.save(place / f"{name}.npy", bump(*spot(name)))
    return bench, folder


def sheets(kept, **more):
    said = []
    files = drawn(*kept, shown=["one", "two", "absent"], samples=3, say=said.append, **more)
    return [kept[1] / file for file in files], said


def test_workers_draw_what_this_process_does(kept, monkeypatch):
    files, said = sheets(kept)
    assert [file.stem for file in files] == list(THREE)
    assert said == []
    here = [file.read_bytes() for file in files]
    for file in files:
        file.unlink()
    monkeypatch.setattr(draw, "WORTH", 0.0)
    asked = []
    monkeypatch.setattr(draw, "Local", lambda slots: asked.append(slots) or Pool(slots))
    again, said = sheets(kept, jobs=2)
    assert [file.read_bytes() for file in again] == here
    assert (asked, said) == ([2], [])


Pool = draw.Local


def test_a_damaged_answer_costs_its_own_picture_only(kept, monkeypatch):
    bench, folder = kept
    for name in THREE[1:]:
        (answers_folder(folder, bench) / "one" / f"{name}.npy").write_bytes(b"damaged")
    monkeypatch.setattr(draw, "WORTH", 0.0)
    for jobs in (1, 2):
        files, said = sheets(kept, jobs=jobs)
        assert [file.stem for file in files] == [THREE[0]]
        assert len(said) == 2
        assert all("no picture (ValueError: " in sentence for sentence in said)


def test_only_what_has_changed_is_drawn_again(kept):
    files, _ = sheets(kept)
    old = [file.stat().st_mtime_ns for file in files]
    newer = answers_folder(kept[1], kept[0]) / "two" / f"{THREE[1]}.npy"
    np.save(newer, np.ones(SHAPE))
    os.utime(newer, ns=(old[1] + 10**9, old[1] + 10**9))
    again = [file.stat().st_mtime_ns for file in sheets(kept)[0]]
    assert [new != was for new, was in zip(again, old, strict=True)] == [False, True, False]


def test_without_answers_there_is_no_picture(kept):
    assert drawn(*kept, shown=["absent"], samples=3, say=print) == []
    assert drawn(*kept, shown=["one"], samples=0, say=print) == []
