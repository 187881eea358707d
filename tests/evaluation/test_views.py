"""Views of a sample: small files beside its picture, one record, and a fault that costs the views only."""

import json

import numpy as np
import pytest
from PIL import Image

import beholder as bh
import toys
from attention_gallery import NAMES, bump, gallery, spot
from beholder.core.film import Film
from beholder.core.views import View, Views
from beholder.engines.serial import Serial
from beholder.evaluation.drawn import facts_file, read_drawn
from beholder.evaluation.figures import answers_folder, draw_samples
from beholder.evaluation.views import write_views
from beholder.io.drawing import svg
from beholder.io.film import read

GREEN = np.full((30, 40, 3), (0, 128, 0), np.uint8)


def film():
    return Film([(at / 10, np.full((32, 48, 3), 20 * at, np.uint8)) for at in range(10)], 1.0)


def pixels(file):
    with Image.open(file) as picture:
        return np.asarray(picture)


def test_every_kind_of_picture_is_written_and_described(tmp_path):
    layer = np.dstack([GREEN[:15, :20], np.full((15, 20), 100, np.uint8)])
    shared = (
        View("picture", GREEN, "what was shown"),
        View("people", svg((30, 40), "<g/>"), "where they looked", "dots", over="picture"),
    )
    one = (View("answer", layer, "its map", over="picture", faint=True), View("movie", film(), "what it saw"))
    facts = write_views(Views(shared, {"mine": one, "a/b": one}, "a prompt"), tmp_path / "s.webp")
    picture, people = facts["shared"]
    assert facts["note"] == "a prompt"
    assert (picture["file"], picture["shape"], picture["poster"]) == ("s/views/all-0.webp", [30, 40], "")
    assert (people["shape"], people["over"], people["legend"]) == ([30, 40], "picture", "dots")
    assert [own["model"] for own in facts["models"]] == ["mine", "a/b"]
    answer, movie = facts["models"][1]["views"]
    assert (answer["file"], answer["shape"], answer["faint"]) == ("s/views/1-0.webp", [15, 20], True)
    assert pixels(tmp_path / picture["file"]).tolist() == GREEN.tolist()  # few colours: no loss
    assert pixels(tmp_path / answer["file"]).shape == (15, 20, 4)
    assert read(tmp_path / movie["file"]).shape == (10, 32, 48, 3)
    assert (tmp_path / movie["poster"]).is_file()


@pytest.fixture
def kept(tmp_path):
    """A benchmark, and a run's folder with what one model answered to a sample."""
    bench = bh.load("attention/saliency", dataset=f"table:{gallery(tmp_path / 'dataset', NAMES[:1])}")
    place = answers_folder(tmp_path / "run", bench) / "one"
    place.mkdir(parents=True)
    np.save(place / f"{NAMES[0]}.npy", bump(*spot(NAMES[0])))
    return bench, tmp_path / "run"


def record(bench, folder):
    (sheet,) = draw_samples(bench, folder, models=["one"], samples=1, say=print, engine=Serial())
    return read_drawn(facts_file(folder / sheet))


def test_views_lie_beside_the_sheet(kept):
    found = record(*kept)
    assert (found["id"], [view["title"] for view in found["views"]["shared"]]) == (NAMES[0], ["picture", "people"])
    (own,) = found["views"]["models"]
    assert [view["title"] for view in own["views"]] == ["answer", "against people"]


def test_views_that_cannot_be_drawn_cost_themselves_only(kept):
    bench, folder = kept

    def broken(sample, answers):
        raise ValueError("this map has no top")

    found = record(toys.vary(bench, views=broken), folder)
    assert found == {"id": NAMES[0], "fault": "ValueError: this map has no top"}


@pytest.mark.parametrize("file", ["/etc/passwd", "../../secret.webp", "a/../../b.webp"])
def test_a_record_leads_to_nothing_outside_its_folder(tmp_path, file):
    write_views(Views((View("picture", GREEN, ""),), {}), tmp_path / "s.webp")
    texts = dict.fromkeys(("title", "poster", "alt", "legend", "over"), "")
    view = {**texts, "file": file, "shape": [1, 1], "faint": False}
    (tmp_path / "s.json").write_text(json.dumps({"views": {"shared": [view], "models": [], "note": ""}}))
    assert read_drawn(tmp_path / "s.json") is None
