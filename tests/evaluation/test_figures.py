"""Pictures of samples: here or in workers, drawn again when an answer is newer, and each fault costs one."""

import os
from contextlib import closing

import numpy as np
import pytest

import beholder as bh
from attention_gallery import NAMES, SHAPE, bump, gallery, spot
from beholder.engines.local import Local
from beholder.engines.serial import Serial
from beholder.evaluation import figures
from beholder.evaluation.figures import answers_folder, draw_samples

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


def sheets(kept, engine=None):
    said = []
    models = ["one", "two", "absent"]
    files = draw_samples(*kept, models=models, samples=3, say=said.append, engine=engine or Serial())
    return [kept[1] / file for file in files], said


@pytest.fixture
def workers(monkeypatch):
    monkeypatch.setattr(figures, "WORTH", 0.0)
    with closing(Local(2)) as engine:
        yield engine


@pytest.mark.slow
def test_workers_draw_what_this_process_does(kept, workers, monkeypatch):
    files, said = sheets(kept)
    assert [file.stem for file in files] == list(THREE)
    assert said == []
    here = [file.read_bytes() for file in files]
    for file in files:
        file.unlink()
    asked, submit = [], workers.submit
    monkeypatch.setattr(workers, "submit", lambda task, *args: asked.append(task) or submit(task, *args))
    again, said = sheets(kept, workers)
    assert [file.read_bytes() for file in again] == here
    assert (len(asked), said) == (2, [])  # the first is drawn here, to see how long it takes


def test_a_damaged_answer_costs_its_own_picture_only(kept, workers):
    bench, folder = kept
    for name in THREE[1:]:
        (answers_folder(folder, bench) / "one" / f"{name}.npy").write_bytes(b"damaged")
    for engine in (Serial(), workers):
        files, said = sheets(kept, engine)
        assert [file.stem for file in files] == [THREE[0]]
        assert len(said) == 2
        assert all("no picture (ValueError: " in sentence for sentence in said)


@pytest.mark.slow
def test_only_what_has_changed_is_drawn_again(kept):
    files, _ = sheets(kept)
    old = [file.stat().st_mtime_ns for file in files]
    newer = answers_folder(kept[1], kept[0]) / "two" / f"{THREE[1]}.npy"
    np.save(newer, np.ones(SHAPE))
    os.utime(newer, ns=(old[1] + 10**9, old[1] + 10**9))
    again = [file.stat().st_mtime_ns for file in sheets(kept)[0]]
    assert [new != was for new, was in zip(again, old, strict=True)] == [False, True, False]


def test_without_answers_there_is_no_picture(kept):
    assert draw_samples(*kept, models=["absent"], samples=3, say=print, engine=Serial()) == []
    assert draw_samples(*kept, models=["one"], samples=0, say=print, engine=Serial()) == []
