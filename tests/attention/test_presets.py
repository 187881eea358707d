import numpy as np
import pytest

from beholder.attention import presets
from beholder.attention.measures.auc import auc_borji, sauc_mit
from beholder.attention.measures.nss import nss
from beholder.attention.presets import PRESETS, preset
from beholder.attention.readouts import Surface
from beholder.attention.types import Controls, Lookers, scanpath
from beholder.core.measure import NotApplicable, arguments, card, result
from beholder.errors import Misuse

RNG = np.random.default_rng(0)
OTHERS = Controls(
    RNG.uniform(0, 40, (60, 2)), np.array(["a", "b"] * 30), np.tile([0.0, 250.0], 30), np.array(list("pqrst") * 12)
)
GROUP = Lookers(
    {who: scanpath(RNG.uniform(0, 64, 5), RNG.uniform(0, 48, 5), onset_ms=np.arange(5) * 250.0) for who in "ab"},
    (48, 64),
    3.0,
    OTHERS,
)
FOUND = Surface(RNG.random((48, 64)))


def values(measures):
    found = {}
    for of in measures:
        try:
            found[card(of).label] = result(of(FOUND, GROUP)).value
        except NotApplicable as reason:
            found[card(of).label] = str(reason)
    return found


@pytest.mark.parametrize("name", PRESETS)
def test_every_result_names_its_preset(name):
    its = preset(name)
    named = [card(of).label for of in (*its.measures, *its.extra)]
    assert len(set(named)) == len(named)
    assert all(one.endswith(f"preset={name})") for one in named)
    assert its.name == name
    assert its.about


@pytest.mark.parametrize("name", PRESETS)
def test_all_of_them_have_a_value_for_a_map_but_information(name):
    its = preset(name)
    for one, found in values((*its.measures, *its.extra)).items():
        if one.startswith(("information", "log_", "sauc(prior=removed")):
            assert "a map is not a density" in found
        else:
            assert np.isfinite(found), one


def test_presets_differ_where_the_field_does():
    found = {name: values(preset(name).measures) for name in PRESETS}
    assert found["mit-matlab"]["nss(preset=mit-matlab)"] == nss(FOUND, GROUP, ddof=1, duplicates="merge").value
    assert found["tuebingen"]["nss(preset=tuebingen)"] == nss(FOUND, GROUP).value
    assert found["mit-matlab"]["sim(preset=mit-matlab)"] != found["tuebingen"]["sim(preset=tuebingen)"]
    assert (
        found["salicon"]["auc_borji(preset=salicon)"]
        == auc_borji(FOUND, GROUP, splits=1, step=0.01, draws=100_000).value
    )
    assert found["salicon"]["sauc_mit(preset=salicon)"] == sauc_mit(FOUND, GROUP, pictures=0, splits=0, step=0.01).value
    assert found["seed"]["kl_added(preset=seed)"] != found["tuebingen"]["kl(preset=tuebingen)"]


@pytest.mark.parametrize("name", ["beholder", "tuebingen"])
def test_the_official_measures_of_today(name):
    named = [card(of).name for of in preset(name).measures]
    assert named == ["information_gain", "auc", "sauc", "nss", "cc", "kl", "sim"]


def test_codes_that_pad_with_zeros_keep_their_border():
    for name in ("tuebingen", "mit-matlab"):
        between = [of for of in preset(name).measures if card(of).name in ("cc", "kl", "sim")]
        assert [arguments(of)["border"] for of in between] == ["constant"] * 3
    between = [of for of in preset("beholder").measures if card(of).name in ("cc", "kl", "sim")]
    assert [arguments(of) for of in between] == [{"of": "halves"}] * 3


def test_deviations_are_told():
    assert "Deviation:" in presets.tuebingen.__doc__
    assert "over observers" in presets.tuebingen.__doc__


def test_settings_are_fixed_in_the_measures():
    kl = next(of for of in preset("seed").measures if card(of).name == "kl_added")
    assert arguments(kl) == {"direction": "model-people"}
    assert preset("mit_matlab").name == "mit-matlab"


def test_no_such_preset():
    with pytest.raises(Misuse, match="no preset called 'tubingen'; did you mean 'tuebingen'"):
        preset("tubingen")
