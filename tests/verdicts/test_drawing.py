from itertools import pairwise

import numpy as np
import pytest
from matplotlib.text import Text

from beholder.core.scores import Score, plain, table
from beholder.errors import Misuse
from beholder.judges.mean_rank import mean_rank
from beholder.judges.nemenyi import nemenyi
from beholder.judges.pareto import pareto
from beholder.verdicts.drawing import draw_critical_difference, draw_pareto_layers


def scores(losses, criteria=("all",), better="lower"):
    return table(
        Score(
            "b", 1, f"m{m}", "model", "toy", f"u{u}", 0, "bad", "", "", c, better, float(v + k), 0, 0, 1, "ok", "", ""
        )
        for m, own in enumerate(losses)
        for u, v in enumerate(own)
        for k, c in enumerate(criteria)
    )


def texts(figure):
    (axes,) = figure.axes
    return [text.get_text() for text in axes.texts]


def drawn(figure, tmp_path):
    path = tmp_path / "figure.png"
    figure.savefig(path)
    return path.stat().st_size


def test_the_critical_difference_diagram(tmp_path):
    verdict = nemenyi(scores(np.arange(6)[:, None] + np.zeros((6, 12))))
    figure = draw_critical_difference(verdict)
    (axes,) = figure.axes
    bars = [line.get_xdata() for line in axes.lines if line.get_linewidth() == 3]
    # Ranks 1 … 6 and a critical difference between 2 and 3: each group spans three models.
    assert [bar.round().tolist() for bar in map(np.asarray, bars)] == [[1, 3], [2, 4], [3, 5], [4, 6]]
    assert {"m0  1.00", "6.00  m5"} <= set(texts(figure))
    width = verdict.standing.attrs["critical_difference"]
    assert any(np.allclose(line.get_xdata(), [1, 1 + width]) for line in axes.lines if len(line.get_xdata()) == 2)
    assert drawn(figure, tmp_path) > 1000


def test_a_diagram_of_very_many(tmp_path):
    figure = draw_critical_difference(
        nemenyi(scores(np.random.default_rng(0).normal(size=(300, 3)) + np.arange(300)[:, None]))
    )
    assert "the first 60 of 300 models" in figure.axes[0].get_title()
    assert figure.get_figheight() < 30
    assert drawn(figure, tmp_path) > 1000


def test_pareto_layers_from_best_to_worst(tmp_path):
    made = scores([[1, 5], [5, 1], [6, 6]])
    figure = draw_pareto_layers(made, pareto(made, over="units"))
    (axes,) = figure.axes
    lines = {
        tuple(np.round(line.get_ydata(), 3))
        for line in axes.lines
        if len(line.get_ydata()) == 2 and line.get_marker() == "o"
    }
    assert lines == {(1, 0.2), (0.2, 1), (0, 0)}
    assert {"m0", "m1", "m2"} <= set(texts(figure))
    assert [label.get_text() for label in axes.get_legend().get_texts()] == ["layer 1: 2", "layer 2: 1"]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["u0 all", "u1 all"]
    assert drawn(figure, tmp_path) > 1000


def test_where_more_is_better_the_most_is_on_top():
    made = scores([[1, 5], [3, 7]], better="higher")
    axes = draw_pareto_layers(made, pareto(made)).axes[0]
    above = {round(text.get_position()[0]): text.get_text() for text in axes.texts if text.get_position()[1] > 1}
    assert (above[0], above[1]) == ("3", "7")


def test_many_components_are_drawn_as_means():
    made = scores(np.random.default_rng(0).normal(size=(3, 12)), criteria=("all", "disc"))
    axes = draw_pareto_layers(made, pareto(made)).axes[0]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["all", "disc"]
    assert "means over units" in axes.get_legend().get_title().get_text()


def test_of_very_many_models_the_first_layers_are_drawn():
    made = scores(np.random.default_rng(0).normal(size=(80, 3)) + np.arange(80)[:, None])
    axes = draw_pareto_layers(made, pareto(made)).axes[0]
    assert "20 more models not drawn" in axes.get_legend().get_title().get_text()
    first = pareto(made).best
    assert {text.get_text() for text in axes.texts if text.get_text().startswith("m")} == set(first)


@pytest.mark.parametrize("many", [3, 12])
def test_names_do_not_overlap(many, tmp_path):
    made = scores([[m, 5.0 if m else 50.0] for m in range(many)])  # all lines but one end at the same point
    figure = draw_pareto_layers(made, pareto(made))
    drawn(figure, tmp_path)
    boxes = [Text.get_window_extent(text) for text in figure.axes[0].texts if text.get_text().startswith("m")]
    feet = sorted((box.y0, box.y1) for box in boxes)
    assert len(feet) == many
    assert all(lower[1] <= upper[0] + 1 for lower, upper in pairwise(feet))


def test_a_dollar_in_a_name_is_no_formula(tmp_path):
    made = plain(scores([[1, 2], [2, 1]])).replace({"model": {"m0": r"a$\nosuch$"}, "unit": {"u0": r"$\nosuch$"}})
    assert drawn(draw_pareto_layers(made, pareto(made)), tmp_path) > 1000
    assert drawn(draw_critical_difference(nemenyi(made)), tmp_path) > 1000


@pytest.mark.parametrize("losses", [[[1.0]], [[1.0, 1.0]], [[1.0, np.inf], [2.0, 3.0]], np.ones((40, 2))])
def test_odd_tables_are_drawn(losses, tmp_path):
    made = scores(losses)
    assert drawn(draw_pareto_layers(made, pareto(made)), tmp_path) > 1000
    assert drawn(draw_critical_difference(nemenyi(made)), tmp_path) > 1000


def test_other_verdicts_are_refused():
    made = scores([[1, 2], [2, 1]])
    for draw in (draw_critical_difference, lambda verdict: draw_pareto_layers(made, verdict)):
        with pytest.raises(Misuse, match="got a verdict by mean rank; expected one of"):
            draw(mean_rank(made))
