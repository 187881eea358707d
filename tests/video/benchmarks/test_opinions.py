"""video/opinions end to end, on GIFs and ratings that are made here."""

import numpy as np
import pytest
from PIL import Image

import video_media as media
from beholder.errors import NeedsDataset
from beholder.evaluation.run import run
from beholder.registry.load import load
from beholder.video.benchmarks.corruptions import OURS, RIVALS
from beholder.video.benchmarks.opinions import TRIVIAL, opinions
from study_files import fetv_folder

RATED = {"cogvideo/0": 1.5, "cogvideo/1": 2.5, "modelscope-t2v/0": 2.5, "modelscope-t2v/1": 3.5}  # in fetv_folder


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """Four clips of the same motion: the worse people rate one, the more noise is in it."""
    place = tmp_path_factory.mktemp("fetv")
    for name, rating in RATED.items():
        (place / "clips" / name).parent.mkdir(parents=True, exist_ok=True)
        noise = np.random.default_rng(9).normal(0, 8 * (5 - rating), (media.COUNT, *media.SHAPE, 1))
        pictures = [Image.fromarray(one) for one in (media.frames() + noise).clip(0, 255).astype(np.uint8)]
        pictures[0].save(place / "clips" / f"{name}.gif", save_all=True, append_images=pictures[1:])
    spec = f"fetv_clips(ratings={str(fetv_folder(place / 'ratings'))!r}):{place / 'clips'}"
    scores = run(load("video/opinions", dataset=spec, dimension="temporal"), {}, jobs=0)
    return scores[(scores["measure"] == "spearman") & (scores["settings"] == "") & (scores["part"] == "")]


def test_a_measure_of_noise_agrees_with_people_who_mind_noise(table):
    rho = table.set_index("model")["value"]
    assert all(rho[name] > 0.9 for name in ("trivial_difference", "flicker", "interpolation_error"))
    assert rho["person human0"] == pytest.approx(1)


def test_every_measure_has_a_row(table):
    assert {*OURS, *RIVALS, *TRIVIAL} <= set(table["model"])


def test_without_rated_clips_it_says_what_it_needs():
    with pytest.raises(NeedsDataset, match="--dataset fetv_clips:PATH"):
        opinions()
