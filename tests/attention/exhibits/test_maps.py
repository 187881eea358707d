import numpy as np
import pytest

from beholder.attention.exhibits.maps import coloured, maps
from beholder.errors import Misuse
from beholder.study.design.drawing import draw
from beholder.study.design.file import read
from beholder.study.design.new import new


def test_pairs_of_maps(tmp_path):
    file = new("maps", tmp_path / "s", options={"dataset": "simulated(observers=3)", "model": ["centre"], "limit": 6})
    study = read(file)
    assert study.trial == "two_alternative"
    assert study.classes == ("centre", "people")
    assert study.right == {"people": "people"}
    drawn = [one for one in draw(study, {}, np.random.default_rng(0)) if one.use == "trial"]
    assert len(drawn) == 4
    assert all(one.kind in ("centre|people", "people|centre") for one in drawn)


def test_only_the_order_of_values_counts():
    rng = np.random.default_rng(0)
    picture, values = rng.integers(0, 255, (20, 30), np.uint8), rng.random((20, 30))
    assert (coloured(picture, values) == coloured(picture, np.exp(9 * values))).all()
    low = np.unravel_index(values.argmin(), values.shape)
    assert (coloured(picture, values)[low] == picture[low]).all()
    assert (coloured(picture, np.ones((20, 30)))[..., 0] == picture).all()


def test_one_map_is_no_pair():
    with pytest.raises(Misuse, match="got 1 maps per picture; expected two or more"):
        maps(dataset="simulated(observers=2)", model="centre", people=False)
    with pytest.raises(Misuse, match="expected two_alternative or rating"):
        maps(trial="yes_no")


def test_ratings_have_no_right_answer():
    shown = maps(dataset="simulated(observers=2)", model="centre", trial="rating", limit=2)
    assert shown.right == {}
    assert [answer.value for answer in shown.questions[0].answers] == list("12345")
