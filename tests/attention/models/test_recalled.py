"""Folders of maps walk: wta_argmax and wta_lif take what --model takes, for the pictures of a dataset."""

import numpy as np
import pytest

import beholder as bh
from attention_gallery import NAMES, bump, gallery, spot
from beholder.attention.models._recalled import RecalledAnswers, map_model
from beholder.attention.models.wta_argmax import wta_argmax
from beholder.attention.models.wta_lif import wta_lif
from beholder.attention.types import Picture
from beholder.errors import Misuse
from beholder.evaluation.plan import Request, plan

FEW = NAMES[:2]


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    """A dataset of two pictures, a folder of maps for them, and the dataset opened."""
    root = tmp_path_factory.mktemp("recalled")
    dataset, maps = gallery(root / "dataset", FEW), root / "maps"
    maps.mkdir()
    for name in FEW:
        np.save(maps / f"{name}.npy", bump(*spot(name)))
    on = f"table:{dataset}"
    return f"dir:{maps}", on, bh.load("attention/scanpath", dataset=on).dataset


def test_a_map_of_a_folder_guides(places):
    of, on, dataset = places
    assert isinstance(map_model(of, on), RecalledAnswers)
    for sample in dataset:
        wanted = spot(sample.id)
        first = wta_argmax(sample.stimulus, of=of, on=on, fixations=2).points[0]
        assert np.abs(first - wanted).max() <= 1
        path = wta_lif(sample.stimulus, rng=np.random.default_rng(0), of=of, on=on, fixations=1)
        assert np.abs(path.points[0] - wanted).max() <= 3


def test_other_models_are_opened_by_their_spec(places):
    picture = places[2][0].stimulus
    plain = wta_argmax(picture, of="itti", fixations=3)
    np.testing.assert_array_equal(wta_argmax(picture, of="itti()", fixations=3).points, plain.points)


def test_a_picture_that_is_not_in_the_dataset_is_said(places):
    of, on, _ = places
    strange = Picture(np.zeros((48, 64, 3), np.uint8))
    with pytest.raises(LookupError, match="this picture is not in the dataset fixations_fixations"):
        wta_argmax(strange, of=of, on=on)


@pytest.mark.parametrize(
    ("of", "said"),
    [
        ("dir:nowhere", "got dir:nowhere, which is not a folder"),
        ("ittti", "no model called 'ittti'"),
        ("gravity", "a scanpath model; expected a map model"),
    ],
)
def test_what_cannot_guide_is_misuse(places, of, said):
    with pytest.raises(Misuse, match=said):
        wta_argmax(places[2][0].stimulus, of=of)


def test_other_maps_in_the_folder_are_another_run(places, tmp_path):
    maps = tmp_path / "maps"
    maps.mkdir()
    np.save(maps / f"{FEW[0]}.npy", bump(*spot(FEW[0])))
    order = Request("attention/scanpath", (places[1],), (f"mine=wta_argmax(of='dir:{maps}',on='{places[1]}')",))
    first = plan(order).digest
    assert plan(order).digest == first
    np.save(maps / f"{FEW[0]}.npy", np.zeros((48, 65)))
    assert plan(order).digest != first
