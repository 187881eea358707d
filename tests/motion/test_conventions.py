"""Answers whose u and v are swapped, or whose v points up: their scores tell, and a report says so."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import beholder as bh
from beholder.core.benchmark import Lineup
from beholder.core.scores import labels
from beholder.evaluation.record import describe_benchmark
from beholder.motion.benchmarks.dynamic import dynamic
from beholder.motion.benchmarks.perceived_flow import perceived_flow
from beholder.motion.benchmarks.static import static
from beholder.motion.conventions import caveats, caveats_at_probes, variants
from beholder.motion.measures.static import final_error
from beholder.motion.measures.truth import epe_truth
from beholder.motion.perceived import Local, Probes
from beholder.motion.types import Movie
from motion_movies import rigid


def seen(movie: Movie):
    """The one velocity that fits all gradients, in px/frame, u right and v down."""
    x, y = rigid(movie) * movie.px_per_deg / movie.hertz
    return np.tile([x, -y], (len(movie.seconds), 1))


def upright(movie):
    return seen(movie) * (1, -1)


def swapped(movie):
    return seen(movie)[:, ::-1]


@pytest.fixture(scope="module")
def bench():
    lean = static(models="none")
    return replace(lean, lineup=Lineup(), unjudged=lean.unjudged._replace(measures=(final_error,)))


@pytest.fixture(scope="module")
def rows(bench):
    return bh.run(bench, {"right": seen, "upright": upright, "swapped": swapped}, jobs=0)


def test_the_caveat_names_the_variant_that_would_be_better(rows):
    found = caveats(rows)
    assert set(found) == {"upright", "swapped"}
    assert found["upright"].startswith(
        "with the sign of v flipped, its mean error to people's final direction [deg] would be "
    )
    assert found["swapped"].startswith("with u and v swapped, its mean error ")
    assert found["swapped"].endswith("; the expected convention is image flow: u to the right, v down")


def test_the_parts_are_what_the_other_convention_gives(rows):
    wide = rows.assign(label=labels(rows)).pivot_table(index="unit", columns=["model", "label"], values="value")
    for name, part in (("upright", "v_flipped"), ("swapped", "uv_swapped")):
        other, right = wide[name, f"final_error.{part}"], wide["right", "final_error"]
        assert other.to_numpy() == pytest.approx(right.to_numpy(), abs=1e-6)


def test_it_is_in_run_json_and_so_in_reports(bench, rows):
    assert set(describe_benchmark(bench, rows)["caveats"]) == {"upright", "swapped"}


def test_dynamics_have_it_too():
    assert final_error in dynamic().unjudged.measures
    assert dynamic().hooks.caveats is caveats


def table(gains):
    """Rows of a model whose errors would be smaller by these gains were v turned over."""
    errors = {
        "": 60.0 + np.zeros(len(gains)),
        "v_flipped": 60.0 - np.asarray(gains),
        "uv_swapped": np.full(len(gains), 90.0),
    }
    rows = [
        {"model": "mine", "role": "model", "dataset": "d", "unit": f"u{at}", "measure": "final_error", "settings": "",
         "part": part, "value": value}
        for part, own in errors.items() for at, value in enumerate(own)
    ]  # fmt: skip
    return pd.DataFrame(rows)


def test_a_gain_within_noise_says_nothing():
    rng = np.random.default_rng(0)
    assert caveats(table(rng.normal(5, 40, 20))) == {}
    assert set(caveats(table(rng.normal(60, 40, 20)))) == {"mine"}
    assert caveats(table([90.0, 90.0])) == {}  # two stimuli say nothing
    assert set(caveats(table([90.0] * 5))) == {"mine"}


def test_variants_are_of_image_flow():
    down_right = np.array([[2.0, -1.0]])  # x, y up: u = 2, v = 1
    assert variants(down_right)["uv_swapped"].tolist() == [[1.0, -2.0]]  # u = 1, v = 2


def test_vectors_at_probes_have_it_too():
    assert perceived_flow().hooks.caveats is caveats_at_probes
    truth = np.array([[3.0, 1.0], [-1.0, 2.0], [0.5, -4.0]])
    for downwards in (False, True):
        probes = Probes(truth, truth[None, None], ("one",), downwards=downwards)
        found = epe_truth([Local(-truth[:, ::-1])], [probes])
        assert found.parts["uv_swapped"] == pytest.approx(0)
        assert found.parts["v_flipped"] > found.value / 2
    line = {"model": "mine", "role": "model", "dataset": "d", "unit": "s", "measure": "epe_truth", "settings": ""}
    shown = [("", 4.0, 3.0), ("v_flipped", 3.5, np.nan), ("uv_swapped", 0.5, np.nan)]
    rows = pd.DataFrame([{**line, "part": part, "value": value, "lo": lo} for part, value, lo in shown])
    said = "with u and v swapped, its mean error to the truth [px/frame] would be 0.5 instead of 4;"
    assert caveats_at_probes(rows)["mine"].startswith(said)
    assert caveats_at_probes(rows[rows["part"] != "uv_swapped"]) == {}
