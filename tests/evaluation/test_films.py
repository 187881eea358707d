"""Films of a run: written beside the picture of their sample, read back by reports, and each fault costs one film."""

import numpy as np
import pytest

import beholder as bh
import toys
from attention_gallery import NAMES, bump, gallery, spot
from beholder.core.film import Curve, Film, Moment
from beholder.engines.serial import Serial
from beholder.evaluation.drawn import facts_file, read_drawn, write_drawn
from beholder.evaluation.figures import answers_folder, draw_samples, list_records
from beholder.evaluation.films import write_films
from beholder.evaluation.record import Run
from beholder.evaluation.sections import Entry, _drawn
from beholder.io.film import read

BOX = (0.25, 0.5, 0.75, 1.0)


def frames(count=8, rate=4.0, level=90):
    return [(at / rate, np.full((36, 64, 3), level + 5 * at, np.uint8)) for at in range(count)]


def film(**more):
    curve = Curve(np.array([0.0, 1.0, 2.0]), np.array([0.5, np.nan, 1.0]), 0.0, 1.0, "diag/s")
    moments = (Moment("TCS", 0.5, 0.75, BOX, "vanish"), Moment("MSS", 1.0, 1.25, excused="shot cut"))
    made = {"frames": frames(), "seconds": 2.0, "rows": {"MSS": "smoothness", "TCS": "coherence"}, "moments": moments}
    return Film(**{**made, "curves": {"motion": curve}, "note": "TCS 0.50", **more})


def test_what_was_found_is_read_back(tmp_path):
    sheet = tmp_path / "a.b.webp"
    write_drawn({"films": write_films({"mine": film(), "others/one": film()}, sheet)}, sheet)
    mine, other = read_drawn(facts_file(sheet))["films"]
    assert (mine["model"], mine["file"], mine["poster"]) == ("mine", "a.b/mine.mp4", "a.b/mine.webp")
    assert (mine["shape"], mine["seconds"], mine["note"], mine["fault"]) == ([36, 64], 2.0, "TCS 0.50", "")
    assert mine["moments"][0] == {
        "row": "TCS", "start": 0.5, "end": 0.75, "box": list(BOX), "text": "vanish", "excused": "",
    }  # fmt: skip
    assert mine["moments"][1]["excused"] == "shot cut"
    assert mine["curves"]["motion"]["values"] == [0.5, None, 1.0]
    assert read(tmp_path / mine["file"]).mean(axis=(1, 2, 3)) == pytest.approx(90 + 5 * np.arange(8), abs=2)
    assert (tmp_path / other["file"]).is_file()  # a name that is no file name has one all the same
    assert (tmp_path / mine["poster"]).is_file()


def test_a_film_that_cannot_be_written_costs_itself_only(tmp_path):
    def broken():
        yield from frames()[:2]
        raise ValueError("frame 2 is damaged")

    several = {"broken": film(frames=broken()), "empty": film(frames=[]), "fine": film()}
    found = {one["model"]: one["fault"] for one in write_films(several, tmp_path / "a.webp")}
    assert found["broken"] == "ValueError: frame 2 is damaged"
    assert found["empty"]
    assert found["fine"] == ""
    assert not (tmp_path / "a" / "broken.mp4").exists()


@pytest.mark.parametrize("text", ["{", "[]", '{"films": [{"model": 1}]}', '{"films": 3}'])
def test_a_damaged_record_costs_the_films_only(tmp_path, text):
    (tmp_path / "a.json").write_text(text)
    assert read_drawn(tmp_path / "a.json") is None
    assert read_drawn(tmp_path / "none.json") is None


@pytest.fixture
def kept(tmp_path):
    """A benchmark with films of its answers, and a run's folder with what one model answered."""
    bench = bh.load("attention/saliency", dataset=f"table:{gallery(tmp_path / 'dataset', NAMES[:2])}")
    folder = tmp_path / "run"
    place = answers_folder(folder, bench) / "one"
    place.mkdir(parents=True)
    for name in NAMES[:2]:
        np.save(place / f"{name}.npy", bump(*spot(name)))
    asked = []

    def films(sample, answers):
        asked.append(sample.id)
        return {name: film() for name in answers}

    return toys.vary(bench, films=films, views=None), folder, asked


def draw(bench, folder):
    return draw_samples(bench, folder, models=["one"], samples=2, say=print, engine=Serial())


def test_films_lie_beside_the_sheet_and_are_made_once(kept):
    bench, folder, asked = kept
    sheets = draw(bench, folder)
    records = list_records(folder, sheets)
    assert records == [sheet.replace(".webp", ".json") for sheet in sheets]
    assert draw(bench, folder) == sheets
    assert asked == list(NAMES[:2])
    for record in records:
        (one,) = read_drawn(folder / record)["films"]
        assert (folder / record).parent.joinpath(one["file"]).is_file()


def test_reports_find_them_by_the_figure(kept, tmp_path):
    bench, folder, _ = kept
    sheets = draw(bench, folder)
    entry = Entry(Run(folder, None, {}), {"films": list_records(folder, sheets)})
    found = _drawn([entry], tmp_path)
    assert list(found) == [f"run/{sheet.removesuffix('.webp')}" for sheet in sheets]
    assert _drawn([entry._replace(facts={})], tmp_path) == {}
