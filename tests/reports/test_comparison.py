"""Two models side by side in every view: names are anybody's text, and what was measured once is marked."""

import json as decoder

import pytest

from beholder.core.scores import Score, table
from beholder.evaluation.comparisons import Compared
from beholder.reports.comparison.html import html
from beholder.reports.comparison.json import json
from beholder.reports.comparison.markdown import markdown
from beholder.reports.comparison.terminal import terminal
from beholder.verdicts.compare import compare

A, B = "<b>a</b>", "b|c [red]"


def score(model, unit, value, **more):
    """A row of a healthy score."""
    row = Score("toy/two", 3, model, "model", "p", unit, 0, "bad_pixels", "", "", "nonocc", "lower", value, 0, 0, 1,
                "ok", "", "")  # fmt: skip
    return row._replace(**more)


@pytest.fixture
def compared():
    """Two models with awkward names on two datasets, with a measure per unit, one measured once, and a picture."""
    rows = [
        score(model, f"u{u}", u + worse + u % 2, dataset=dataset)
        for dataset in ("p", "q<i>")
        for model, worse in ((A, 0.0), (B, 1.0))
        for u in range(7)
    ]
    same = {"measure": "density", "criterion": "all", "better": "higher"}
    rows += [score(A, "*", 0.9, lo=0.8, hi=0.95, **same), score(B, "*", 0.5, lo=0.4, hi=0.6, **same)]
    found = compare(table(rows), A, B)
    return Compared("toy/two", 3, found, {("bad_pixels", ""): "%"}, {("p", "u0"): "figures/p/u0.webp"})


@pytest.mark.parametrize("view", [terminal, markdown, html])
def test_the_answer_comes_first_and_every_dataset_stands_alone(view, compared):
    text = " ".join(view([compared]).split())
    assert text.index("significantly") < text.index("Where they differ most")
    for piece in ("toy/two (version 3)", "On p", "bad_pixels [%] ↓ nonocc", "density ↑ all", "0.900 [0.800, 0.950]"):
        assert piece in text, piece


def test_no_name_is_read_as_markup(compared):
    page = html([compared])
    assert "<b>a" not in page
    assert "<i>" not in page
    assert "<b>a" not in markdown([compared])
    assert "b\\|c" in markdown([compared])
    assert "[red]" in terminal([compared])


def test_pictures_are_linked(compared):
    assert '<img src="figures/p/u0.webp"' in html([compared])
    assert "(figures/p/u0.webp)" in markdown([compared])


def test_json_knows_no_nan(compared):
    (found,) = decoder.loads(json([compared]))["comparisons"]
    assert [row["p"] for row in found["table"] if row["measure"] == "density"] == [None, None]
    assert {row["picture"] for row in found["units"]} == {None, "figures/p/u0.webp"}
