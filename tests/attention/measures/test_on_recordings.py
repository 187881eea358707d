"""Measures on real fixations: the reference values of one MIT300 picture and of 41 MIT1003 pictures."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from PIL import Image
from scipy.io import loadmat

from beholder.attention.maps.fixation_maps import continuous_map
from beholder.attention.measures.auc import auc
from beholder.attention.measures.hit_rate import hit_rate
from beholder.attention.measures.nss import nss
from beholder.attention.readouts import Surface
from beholder.attention.types import Lookers, scanpath
from beholder.stats import divergence
from beholder.stats.ranking import placed

EPS = np.finfo(float).eps
TABLE = {  # NSS at fixated pixels, CC, KL(people, model), SIM, AUC against all pixels
    "Judd": (2.0426, 0.5064, 1.4528, 0.3185, 0.8728),
    "ittikoch": (1.3818, 0.3130, 17.4215, 0.2114, 0.5795),
    "centre": (1.0824, 0.3040, 1.7953, 0.2599, 0.8348),
}


def grey(path):
    with Image.open(path) as picture:
        return np.asarray(picture.convert("L"), float)


def model(folder, name):
    if name != "centre":
        return grey(folder / "MODELS" / f"{name}_i210.jpg")
    prior = loadmat(folder / "code_forOptimization" / "center.mat")
    return cv2.resize(next(v for k, v in prior.items() if not k.startswith("_")).astype(float), (1024, 675))


@pytest.mark.data
@pytest.mark.parametrize("name", TABLE)
def test_mit300(data, name):
    folder = data / "mit300_demo"
    rows, columns = np.nonzero(loadmat(folder / "FIXATIONLOCS" / "i210.mat")["fixations"])
    people, values = grey(folder / "FIXATIONMAPS" / "i210.jpg"), model(folder, name)
    lookers, found = Lookers({"39 observers": scanpath(columns, rows)}, people.shape), Surface(values)
    assert len(lookers.points) == 259
    measured = (
        nss(found, lookers).value,
        divergence.pearson(values, people),
        divergence.kl(people, values, eps=EPS),
        divergence.shared_mass(divergence.shares(values), divergence.shares(people)),
        auc(found, lookers).value,
    )
    assert measured == pytest.approx(TABLE[name], abs=5.1e-5)


def observed(data):
    """Everyone who looked at the pictures that are here."""
    pictures = {path.name: path for path in (data / "mit1003_subset" / "stimuli").iterdir()}
    mat = loadmat(data / "mit1003_subset" / "eye" / "fixations.mat", squeeze_me=True, struct_as_record=False)
    for one in mat["fixations"]:
        if one.img in pictures:
            with Image.open(pictures[one.img]) as picture:
                width, height = picture.size
            paths = {str(k): scanpath(who.fix_x, who.fix_y) for k, who in enumerate(one.subjects)}
            yield Lookers(paths, (height, width), px_per_deg=35.0)


def left_out(group, who):
    """How well the others predict one: NSS, hit rate, and AUC against every 7th pixel."""
    others = Surface(continuous_map(group.without(who), border="nearest"))  # the border of the independent check
    one = replace(group.only(who), whole=None)  # this map serves one observer: its pixels are counted, not sorted
    rows, columns = np.floor(one.points).astype(int).T[::-1]
    seventh = placed(others.values[rows, columns], others.values.ravel()[::7]).midrank.mean()
    return nss(others, one).value, hit_rate(others, one).value, seventh


@pytest.mark.data
@pytest.mark.slow
def test_the_others_predict_one_on_mit1003(data):
    pictures = [
        np.mean([left_out(group, who) for who, path in group.paths.items() if len(path)], axis=0)
        for group in observed(data)
    ]
    assert len(pictures) == 41
    assert np.mean(pictures, axis=0) == pytest.approx((3.0483, 0.8648, 0.9119), abs=5.1e-5)
    assert np.min(pictures, axis=0)[0] == pytest.approx(1.472, abs=5e-4)
    assert np.max(pictures, axis=0)[0] == pytest.approx(5.096, abs=5e-4)
