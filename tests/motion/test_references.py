"""The records of what is known: complete, trusted no further than they deserve, and open to a user's file."""

import numpy as np
import pytest
from scipy.integrate import quad

from beholder.core.sample import STATUSES
from beholder.errors import Misuse, NotFound
from beholder.motion import references as r
from beholder.motion.benchmarks.beyond import beyond
from beholder.motion.benchmarks.dynamic import dynamic
from beholder.motion.benchmarks.static import static

COMPLETE = 'stimulus = "bar"\nquantity = "x"\nsource = "s"\nstatus = "seed"\n'
EVERY = list(r.records().values())
each_record = pytest.mark.parametrize("of", EVERY, ids=lambda of: of.id)


@each_record
def test_a_record_says_what_it_is_and_where_it_is_from(of):
    assert of.status in STATUSES[1:]
    assert of.quantity
    assert len(of.source) > 4
    assert of.species in ("human", "macaque", "")


@each_record
def test_a_record_holds_a_number_a_range_or_an_order(of):
    kinds = [not np.isnan(of.value), of.spread_kind == "range", of.spread_kind == "ordinal", bool(of.levels)]
    assert sum(kinds) == 1
    if of.spread_kind == "range":
        assert of.low < of.high
    if of.spread_kind == "sd":
        assert of.spread > 0
    assert of.unit or of.spread_kind == "ordinal"


@pytest.mark.parametrize(
    ("id", "value", "status", "worst"),
    [
        ("diamond.bias", 44.0, "seed", "seed"),
        ("diamond.tau", 0.09, "memory", "placeholder"),
        ("diamond.alpha", 40.0, "placeholder", "placeholder"),
        ("bar.peak", 30.0, "seed", "placeholder"),
        ("bar.mt_shift", 0.06, "verified", "verified"),
        ("barber.start", 0.085, "verified", "verified"),
        ("grating.design", 0.27, "verified", "verified"),
    ],
)
def test_the_numbers_of_the_spec_with_the_trust_they_deserve(id, value, status, worst):
    found = r.record(id)
    assert (found.value, found.status, found.worst) == (value, status, worst)


def test_ranges_and_species_of_the_spec():
    assert (r.record("bar.evolution").low, r.record("bar.evolution").high) == (0.05, 0.4)
    assert (r.record("barber.lag").low, r.record("barber.lag").high) == (0.015, 0.02)
    assert r.record("diamond.convergence").high == 0.3
    assert {r.record(id).species for id in ("bar.peak", "bar.length", "bar.mt_shift")} == {"macaque"}


def test_every_spread_that_nobody_published_is_a_placeholder():
    spreads = [of for of in EVERY if of.spread_kind == "sd"]
    assert len(spreads) >= 9
    assert {of.worst for of in spreads} == {"placeholder"}


def test_what_a_person_expects_of_the_gaussian_score():
    density = lambda z: np.exp(-(z**2)) * np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)  # noqa: E731
    assert quad(density, -np.inf, np.inf)[0] == pytest.approx(r.HUMAN_EXPECTATION, abs=1e-9)
    people = np.random.default_rng(0).normal(40, 20, 4000)
    mean = np.mean([r.gaussian(float(x), r.record("diamond.alpha")) for x in people])
    assert mean == pytest.approx(0.57735, abs=0.02)


def test_a_user_file_overrides(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(
        '["diamond.alpha"]\nstimulus = "diamond"\nquantity = "α"\nvalue = 38\nspread = 6.5\nspread_kind = "sd"\n'
        'n = 5\nsource = "the paper, table 1"\nstatus = "verified"\n'
    )
    found = r.record("diamond.alpha", str(file))
    assert (found.value, found.spread, found.n, found.worst) == (38.0, 6.5, 5, "verified")
    assert r.record("diamond.bias", str(file)).value == 44
    assert r.record("diamond.alpha").value == 40
    assert len(r.records(str(file))) == len(EVERY)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('["diamond.alhpa"]\n', "no reference is called 'diamond.alhpa'; did you mean 'diamond.alpha'"),
        ('["diamond.tau"]\nunit = "ms"\n', "diamond.tau is in 'ms'; expected 's'"),
        (
            '["static.diamond"]\nvalue = 1.0\nspread = -6.0\nspread_kind = "sd"\n',
            "spread = -6.0 .* expected a value, a spread",
        ),
        ('["static.diamond"]\nvalue = nan\nspread = 6.0\nspread_kind = "sd"\n', "value = nan"),
        ('["static.diamond"]\nvalue = 1.0\n', "spread_kind = ''; expected"),
        ('["diamond.tau"]\nn = "four"\n', "n = 'four'; expected a number of observers"),
        ('["diamond.tau"]\nspecies = 3\n', "species = 3; expected text"),
        ('["diamond.tau"]\nwindow = 5\n', "window = 5; expected seconds from and to"),
        ('["diamond.tau"]\nwindow = ["a"]\n', r"window = \['a'\]; expected seconds from and to"),
    ],
)
def test_what_could_not_count_is_refused_before_anything_runs(tmp_path, text, says):
    file = tmp_path / "mine.toml"
    file.write_text(text + COMPLETE)
    for make in (static, dynamic, beyond):
        with pytest.raises(Misuse, match=says):
            make(reference=str(file))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[diamond.alpha]\nvalue = 1", "quoted name"),
        ("nonsense", "not valid TOML"),
        ('["a"]\nvalue = 1', "has no stimulus"),
        (f'["a"]\n{COMPLETE}valeu = 1', "did you mean 'value'"),
        (f'["a"]\n{COMPLETE}value = "1"', "expected a number"),
        (f'["a"]\n{COMPLETE}spread_kind = "iqr"', "expected one of sd, sem, range, ordinal"),
        ('["a"]\nstimulus = "bar"\nquantity = "x"\nsource = "s"\nstatus = "sure"', "expected one of verified"),
    ],
)
def test_a_file_that_is_wrong_is_refused_with_a_sentence(tmp_path, text, says):
    file = tmp_path / "wrong.toml"
    file.write_text(text)
    with pytest.raises(Misuse, match=says):
        r.records(str(file))


def test_what_is_not_there():
    with pytest.raises(NotFound, match=r"did you mean 'diamond\.alpha'"):
        r.record("diamond.alfa")
    with pytest.raises(Misuse, match="does not exist"):
        r.records("nowhere.toml")
    with pytest.raises(Misuse, match="for a Gaussian score"):
        r.normal("diamond.bias")
    assert r.normal("diamond.tau").spread == 0.03


def test_a_folder_and_a_file_that_is_no_text(tmp_path):
    with pytest.raises(Misuse, match="which is a folder"):
        r.records(str(tmp_path))
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(Misuse, match="which is not text"):
        r.records(str(tmp_path / "bytes.toml"))


def test_placeholders_are_named():
    used = {id: r.record(id) for id in ("diamond.tau", "diamond.bias", "diamond.alpha")}
    assert r.name_placeholders(used) == "rests on placeholders: diamond.alpha, diamond.tau"
    assert r.name_placeholders({"diamond.bias": used["diamond.bias"]}) == ""
