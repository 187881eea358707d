"""The claims on scanpaths: verdicts follow from scores and can fall; without data the page says what it needs."""

import inspect
import re

import numpy as np
import pandas as pd
import pytest

from beholder.attention.datasets.simulated import simulated
from beholder.attention.paths.viewing_time import ViewingTime
from beholder.claims import maps_and_paths as source
from beholder.claims import zanca_2020 as page
from beholder.claims.zanca_table_1 import joined
from beholder.cli.running import run as command
from beholder.core.scores import JUDGED
from beholder.evaluation.run import run

PICTURES = 10
NOISE = np.random.default_rng(0).normal(0, 0.05, PICTURES)
BLIND = ("uniform", "centre_stare", "shuffled_in_time")
WALKED = ("wta_argmax(of=itti)", "wta_lif(of=itti)", "wta_argmax(of=judd_like)")


def rows(measure, means, *, pooled=False):
    """Scores of models that differ by their means."""
    roles = dict.fromkeys(BLIND, "blind") | {"people": "ceiling"}
    units = ["all"] if pooled else [f"p{at}" for at in range(PICTURES)]
    kept = {"benchmark": "b", "version": 1, "dataset": "x", "repeat": 0, "criterion": "all", "better": "lower", "n": 1}
    kept |= {"lo": np.nan, "hi": np.nan, "state": "ok", "reason": "", "provenance": "verified"}
    kept |= re.fullmatch(r"(?P<measure>\w+)(?:\((?P<settings>.*)\))?(?:\.(?P<part>\w+))?", measure).groupdict("")
    return [
        kept
        | {"model": name, "role": roles.get(name, "model"), "unit": unit, "value": value + (0 if pooled else NOISE[at])}
        for name, value in means.items()
        for at, unit in enumerate(units)
    ]


def goodness(**other):
    """How good each is, people best; the paper is right in all."""
    good = (
        {"geymol": 8.0, "gravity": 7.5, "eymol": 6.0, "people": 9.0}
        | dict.fromkeys(WALKED, 3.0)
        | dict.fromkeys(BLIND, 1.0)
    )
    return good | other


def found(good=None, maps=None, reach=None, kl=None):
    good = good or goodness()
    kl = kl or {name: 3 - 0.3 * value for name, value in good.items()}
    paths = rows("string_edit", {name: 10 - value for name, value in good.items()})
    paths += rows("stde(norm=k)", good) + rows("stde(norm=rms)", good)
    paths += rows("reach", reach or {name: 40 - 4 * value for name, value in good.items()})
    paths += rows("string_edit.length", dict.fromkeys(good, 7.0))
    for measure in page.DIRECTIONS:
        paths += rows(measure, kl, pooled=True)
    paths += rows(page.CHANCE, {name: 0.1 * at for at, name in enumerate(good)}, pooled=True)
    paths += rows(page.SACCADES, dict.fromkeys(good, 41.0), pooled=True)
    maps = maps or {"itti": 0.5, "judd_like": 2.0} | {f"visits(of={name})": 1.0 for name in page.MECHANICS}
    shown = rows("auc", maps) + rows("nss", maps)
    return source.MapsAndPaths(pd.DataFrame(shown), pd.DataFrame(paths), ViewingTime(3.0, 8))


def order(ways):
    return page.order_of_divergences(joined(ways.maps, ways.paths))


CLAIMS = (
    page.gravity_has_best_paths,
    page.gravity_has_closest_amplitudes,
    order,
    page.mechanics_beat_maps,
    page.supervised_are_maps,
    page.saccades_are_short,
    page.gravity_beats_the_blind,
)


def test_the_tables_of_the_paper_are_quoted():
    assert page.quoted().splitlines()[2] == "| Gravitational model | no | 0.84 | 1.57 | 7.34 | 0.81 | 0.27 |"
    assert [row.kl for row in page.TABLES.values()] == sorted(row.kl for row in page.TABLES.values())


def test_everything_holds_where_it_does():
    assert [claim(found()).holds for claim in CLAIMS] == [True] * len(CLAIMS)


@pytest.mark.parametrize(
    ("claim", "ways"),
    [
        (page.gravity_has_best_paths, found(goodness(eymol=9.0))),
        (page.gravity_has_closest_amplitudes, found(goodness(eymol=8.8))),
        (order, found(kl=goodness())),
        (page.mechanics_beat_maps, found(goodness() | dict.fromkeys(WALKED, 8.5))),
        (
            page.supervised_are_maps,
            found(
                goodness(eymol=6) | {WALKED[2]: 9.0},
                maps={"judd_like": 0.0} | {f"visits(of={name})": 1.0 for name in page.MECHANICS},
            ),
        ),
        (page.saccades_are_short, found(reach=goodness())),
        (page.gravity_beats_the_blind, found(goodness() | dict.fromkeys(BLIND, 8.5))),
    ],
)
def test_each_verdict_can_fall(claim, ways):
    assert claim(ways).holds is False
    assert claim(ways).line.endswith("| does not hold |")


def test_a_claim_can_hold_in_part():
    assert page.gravity_has_best_paths(found(goodness(eymol=7.8))).holds is None
    assert "geymol: string_edit 4 of 4" in page.gravity_has_best_paths(found(goodness(eymol=7.8))).here
    assert order(found(goodness(eymol=7.8))).holds is None


def test_blind_models_that_people_do_not_beat_are_named():
    said = page.after(found(goodness(centre_stare=9.5)))
    assert "stde(norm=k): centre_stare;" in said
    assert "string_edit: none; stde(norm=k): none" in page.after(found())
    assert "mean fixations: geymol 7.0, gravity 7.0, eymol 7.0, people 7.0." in page.after(found())


def test_what_chance_alone_gives_stands_beside_the_divergence():
    said = page.sized(found().paths)
    assert "geymol 0.60, by chance 0.00 (41 saccades); gravity 0.75, by chance 0.10 (41 saccades);" in said
    assert "eymol 1.20, by chance 0.20 (41 saccades); people 0.30, by chance 0.30 (41 saccades)." in said
    ours = page.gravity_has_closest_amplitudes(found()).here
    assert "KL(people‖model): geymol 0.60 (by chance 0.00), gravity 0.75 (by chance 0.10); best of the paper's" in ours
    assert "KL(model‖people): geymol 0.60, gravity 0.75;" in ours


def test_people_in_another_order_do_look():
    assert page.gravity_beats_the_blind(found(goodness(shuffled_in_time=8.8))).holds is True
    assert (
        "geymol, string_edit: not above centre_stare"
        in page.gravity_beats_the_blind(found(goodness(centre_stare=8.8))).here
    )


def test_without_data_it_says_so(monkeypatch, tmp_path):
    monkeypatch.setenv("BEHOLDER_DATA", str(tmp_path))
    text = page.claims()
    assert "Not recomputed here: the data is absent" in text
    assert "| SAM | yes | 0.88 |" in text
    assert "one exchange each" in text


def test_models_look_as_often_as_in_a_run():
    commanded = inspect.signature(command).parameters["repeats"].default
    assert inspect.signature(run).parameters["repeats"].default == commanded == source.REPEATS
    assert f"{source.REPEATS} times per picture" in page.about(found(), 41)


@pytest.mark.slow
def test_all_models_go_both_ways(monkeypatch):
    monkeypatch.setattr(source, "PILED", 2)
    monkeypatch.setattr(source, "REPEATS", 2)
    ways = source.run_maps_and_paths(simulated()[:2])
    assert not (ways.maps["state"] == "failed").any()
    assert not (ways.paths["state"] == "failed").any()
    table = joined(ways.maps, ways.paths)
    full = {row.model for row in table if row.role in JUDGED and len(row.cells) == 6}
    assert {"gravity", "geymol", "eymol", "itti", "judd_like", "levy", "scanddm"} <= full
    assert {row.way for row in table if row.model == "itti"} == {"wta_argmax", "wta_lif"}
    assert all(claim(ways).source for claim in CLAIMS)
