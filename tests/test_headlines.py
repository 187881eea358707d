"""Headlines that once claimed too much, on the very data that they were about: what the pages say first, now."""

from dataclasses import replace

import pytest

import beholder as bh
from beholder.evaluation.record import read
from beholder.evaluation.sections import sections
from beholder.reports.brief import brief
from beholder.reports.html import html
from beholder.reports.markdown import markdown
from beholder.reports.terminal import terminal


def section(folder, benchmark, models):
    bh.save(folder, bh.run(benchmark, models, jobs=0), benchmark)
    return sections([read(folder)])[0]


@pytest.mark.slow
def test_on_mit1003_nobody_is_best_where_a_blind_centre_wins(tmp_path, data):
    """Once: "bms has the best mean rank", while blind centre_bias beat it on NSS, CC, KL and SIM."""
    where = f"mit1003:{data / 'mit1003_subset'}"
    bench = bh.load("attention/saliency", dataset=where, parts=False)
    few = replace(bench.on(bench.dataset[:8]), lineup=bench.lineup._replace(baselines={}))
    found = section(tmp_path, few, {name: bh.model(name, few) for name in ("bms", "fine_grained")})
    assert found.trust.answer.startswith("No model is ahead of the blind model centre_bias on ")
    assert found.trust.best == ()
    for view in (terminal, markdown, html, brief):
        page = view([found])
        assert "No model is ahead of the blind model centre_bias" in page
        assert "is best" not in page
        assert "(best)" not in page
    assert few.judge(found.scores).trust == str(found.trust)  # one function, one line


@pytest.mark.slow
def test_on_moving_stimuli_a_lead_within_the_noise_is_no_win(tmp_path):
    """Once: "gated_diffusion 0.60 [0.36, 0.78]", with the next at 0.58 [0.33, 0.78] in the last of 34 notes.

    And dozens of notes "worse than the null" on gratings, where the vector average is right by construction.
    """
    bench = bh.load("motion/static", models="gated_diffusion,farneback")
    found = section(tmp_path, bench, {})
    assert found.trust.answer == "No clear winner among 2 models."
    assert not ((found.blind["criterion"] == "grating") & (found.blind["blind"] == "vector_average")).any()
    assert not (found.blind["outcome"] == "worse").any()
