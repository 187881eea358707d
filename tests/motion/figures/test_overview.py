"""Pictures of a whole benchmark of motion: what is drawn is what was measured."""

import io

import numpy as np
import pytest

from beholder.core.scores import Score, table
from beholder.io import image
from beholder.motion.courses.series import Seen
from beholder.motion.figures.overview import bars, mean_courses, of_courses, of_ends, summation
from motion_traces import DIAMETERS, NOWHERE, T, aimed, decay, gratings, pair
from motion_traces import summation as human_summation

PEOPLE = 1 / np.sqrt(3)
HUMAN = "people (placeholders),\nfrom the onset of the model's response"
BAND = "people ± 1 sd"


def row(model, measure, value, *, role="model", criterion="all", unit="a", better="higher"):
    name, _, settings = measure.removesuffix(")").partition("(")
    kept = ("b", 1, model, role, "dataset", unit, 0, name, settings, "", criterion, better)
    return Score(*kept, value, 0.0, 1.0, 1, "ok", "", "")


def seen(traces, percepts):
    return [Seen(*both) for both in zip(traces, percepts, strict=True)]


def readings(traces, percepts):
    return {str(at): both for at, both in enumerate(zip(traces, percepts, strict=True))}


def pixels(figure):
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png")
    buffer.seek(0)
    return image.read(buffer)


def keys(figure):
    return [text.get_text() for text in figure.legends[0].get_texts()]


def inside(figure):
    """Whether all of the legend lies on the figure."""
    figure.draw_without_rendering()
    box = figure.legends[0].get_window_extent()
    return box.x0 >= 0 and box.y0 >= 0 and box.x1 <= figure.bbox.width and box.y1 <= figure.bbox.height


def vertical(axes):
    return [line.get_xdata()[0] for line in axes.get_lines() if line.get_linestyle() == "--"]


def test_a_person_is_drawn_wherever_the_gaussian_score_is_and_nowhere_else():
    scores = table([row("m", name, 0.5) for name in ("bar_dynamics", "diamond_dynamics", "diamond_facts")])
    figure = bars(scores, ["bar_dynamics", "diamond_dynamics"], ["diamond_facts"])
    assert [vertical(axes) for axes in figure.axes] == [[], [pytest.approx(PEOPLE)], []]
    assert figure.axes[2].get_title().endswith("(not judged)")
    threshold = table([row("m", "coherence_score", 0.5)])  # by its card, not by a list
    assert vertical(bars(threshold, ["coherence_score"]).axes[0]) == [pytest.approx(PEOPLE)]
    signed = table([row("m", "final_score(mode=signed)", 0.5, criterion="bar")])
    assert vertical(bars(signed, ["final_score(mode=signed)"]).axes[0]) == [pytest.approx(PEOPLE)]


def test_models_stand_best_first_and_before_the_blind_ones():
    found = [row("worse", "s", 0.2), row("better", "s", 0.6), row("blind", "s", 0.9, role="blind")]
    names = [label.get_text() for label in bars(table(found), ["s"]).axes[0].get_yticklabels()]
    assert names == ["better", "worse", "blind"]
    lower = [row("near", "e", 5.0, better="lower"), row("far", "e", 40.0, better="lower")]
    names = [label.get_text() for label in bars(table(lower), ["e"]).axes[0].get_yticklabels()]
    assert names == ["near", "far"]


def test_ends_have_a_panel_a_class():
    scores = table([row("m", "final_score", 0.5, criterion=kind) for kind in ("bar", "diamond")])
    figures = of_ends(scores, {}, official=["final_score"])
    assert [axes.get_title().split("\n")[0] for axes in figures["scores"].axes] == ["bar", "diamond"]
    assert len(np.unique(pixels(figures["scores"]).reshape(-1, 3), axis=0)) > 5


def test_columns_say_their_unit_and_which_way_is_better():
    cells = [row("m", "bar_dynamics", 0.5), row("m", "mt_shift", 90.0, better="lower"), row("m", "of a user", 0.5)]
    figure = bars(table(cells), ["bar_dynamics"], ["mt_shift", "of a user"])
    titles = [axes.get_title().split("\n")[0] for axes in figure.axes]
    assert titles == ["bar_dynamics ↑", "mt_shift [ms] ↓", "of a user ↑"]
    assert [axes.get_xlabel() for axes in figure.axes] == ["score", "ms", "score"]
    assert keys(figure) == ["model", "95 % interval", "↑ higher is better", "↓ lower is better"]


def test_a_legend_tells_the_roles_by_the_colours_of_their_dots():
    cells = [row("m", "s", 0.2), row("o", "s", 0.6, role="oracle"), row("n", "s", 0.9, role="blind")]
    figure = bars(table(cells), ["s"])
    assert keys(figure) == ["model", "oracle", "blind", "95 % interval", "↑ higher is better"]
    dots = [line.get_color() for line in figure.axes[0].get_lines() if line.get_marker() == "o"]
    assert [line.get_color() for line in figure.legends[0].get_lines()[:3]] == dots
    assert inside(figure)  # the narrowest figure there is


def test_controls_are_drawn_and_change_no_order():
    columns = {"diamond": (0.6, 0.5), "diamond controls": (0.0, 1.0)}
    cells = [
        row(model, "final_score", values[at], criterion=kind)
        for kind, values in columns.items()
        for at, model in enumerate(("better", "worse"))
    ]
    figure = of_ends(table(cells), {}, official=["final_score"])["scores"]
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == ["better", "worse"]
    assert [axes.get_title().split("\n")[-1] for axes in figure.axes] == ["final_score ↑", "(not judged)"]


def test_other_readouts_of_a_measure_are_left_to_the_table():
    cells = [row("m", name, 0.5) for name in ("diamond_dynamics", "diamond_dynamics(readout=all)", "bar_peak")]
    figure = of_courses(table(cells), {}, official=["diamond_dynamics"])["scores"]
    assert [axes.get_title().split("\n")[0] for axes in figure.axes] == ["diamond_dynamics ↑", "bar_peak ↑"]


def test_figure_3c_average_fit_and_people():
    figure = mean_courses({"decays": seen(*pair(decay(40, 0, 0.09))), "lost": seen([NOWHERE] * 2, pair(0.0)[1])})
    first, second = figure.axes[:2]
    lines = {line.get_label(): line for line in first.get_lines()}
    assert lines["mean error of the model"].get_ydata() == pytest.approx(decay(40, 0, 0.09), abs=1e-6)
    assert lines["its fit"].get_ydata()[0] == pytest.approx(40, abs=0.1)
    assert lines[HUMAN].get_ydata()[0] == pytest.approx(40)
    assert "τ 90 ms" in first.texts[0].get_text()
    assert second.texts[0].get_text() == "no direction"
    assert pixels(figure).size


def test_people_begin_when_the_model_does_as_they_are_scored():
    """A model with the very α, β and τ of people, but late, lies on their curve, and not above it."""
    late = np.where(T < 0.03, np.nan, 40 * np.exp(-(T - 0.03) / 0.09))
    figure = mean_courses({"lost": seen([NOWHERE] * 2, pair(0.0)[1]), "late": seen(*pair(late))})
    lost, axes = figure.axes[:2]
    lines = {line.get_label(): line for line in axes.get_lines()}
    own, people = lines["mean error of the model"], lines[HUMAN]
    held = np.isfinite(own.get_ydata())
    at = np.interp(own.get_xdata()[held], people.get_xdata(), people.get_ydata())
    assert people.get_xdata()[0] == pytest.approx(30)
    assert at == pytest.approx(own.get_ydata()[held], abs=0.2)
    assert lost.get_lines()[0].get_xdata()[0] == 0  # without a response: from the onset of motion
    assert keys(figure) == [BAND, HUMAN, "mean error of the model", "its fit"]
    assert set(keys(figure)) == {*lines, BAND}


def test_a_bias_away_from_the_average_shows_its_side_outside_the_papers_mode():
    away = {"m": seen(*pair(-decay(40, 0, 0.09)))}
    course = [mean_courses(away, absolute=absolute).axes[0].get_lines()[1].get_ydata()[0] for absolute in (True, False)]
    assert course == pytest.approx([decay(40, 0, 0.09)[0], -decay(40, 0, 0.09)[0]])


def test_summation_is_the_share_of_the_gratings_way_in_each_window():
    traces, percepts = gratings(human_summation)
    figure = summation({"m": seen(traces, percepts)})
    early, _, late = figure.axes
    own = early.get_lines()[0]
    assert list(own.get_xdata()) == list(DIAMETERS)
    assert own.get_ydata()[2] == pytest.approx(30 / 37)  # at its best size, before the surround comes in
    assert late.get_lines()[0].get_ydata()[2] == pytest.approx(15 / 37)
    shape = early.get_lines()[-1].get_ydata()
    assert 0 < shape.argmax() < len(shape) - 1  # grows, then falls a little
    assert pixels(figure).size


def test_summation_is_drawn_in_the_windows_that_it_is_measured_in(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(
        '["grating.windows"]\nstimulus = "grating"\nquantity = "x"\nsource = "me"\nstatus = "verified"\nunit = "s"\n'
        "levels = [0.05, 0.1]\n"
    )
    figure = summation({"m": seen(*gratings(human_summation))}, reference=str(file))
    assert [axes.get_title().split("\n")[0] for axes in figure.axes] == ["0–50 ms", "50–100 ms"]


def test_what_the_dataset_does_not_hold_is_not_drawn():
    scores = table([row("m", "diamond_dynamics", 0.5)])
    found = of_courses(scores, {"m": readings(*pair(decay(40, 0, 0.09)))}, official=["diamond_dynamics"])
    assert set(found) == {"scores", "mean_course_of_diamonds"}
    both = {
        **readings(*pair(decay(40, 0, 0.09))),
        **{f"g{k}": v for k, v in readings(*gratings(human_summation)).items()},
    }
    found = of_courses(scores, {"m": both}, official=["diamond_dynamics"])
    assert set(found) == {"scores", "mean_course_of_diamonds", "spatial_summation"}
    assert set(of_courses(scores, {}, official=["diamond_dynamics"])) == {"scores"}


def test_a_panel_without_one_below_has_its_times():
    figure = mean_courses({f"m{n}": seen([aimed(0.0)] * 2, pair(0.0)[1]) for n in range(7)})
    figure.draw_without_rendering()
    timed = [any(label.get_visible() for label in axes.get_xticklabels()) for axes in figure.axes]
    assert timed[:7] == [False, False, True, True, True, True, True]


@pytest.mark.parametrize("count", [1, 2, 5])
def test_the_legend_of_mean_courses_fits_on_the_figure(count):
    assert inside(mean_courses({f"m{n}": seen(*pair(decay(40, 0, 0.09))) for n in range(count)}))


def test_a_curve_that_would_press_the_others_flat_leaves_the_frame_and_says_so():
    calm, wild = seen(*gratings(human_summation)), seen(*gratings(lambda d, c, t: 37.0 * (5 if d > 10 else 1)))
    figure = summation({"calm": calm, "wild": wild})
    assert figure.axes[0].get_ylim()[1] == 2
    texts = [text.get_text() for text in figure.legends[0].get_texts()]
    assert "wild (to 5.0)" in texts
    assert "calm" in texts
    assert summation({"calm": calm}).axes[0].get_ylim()[1] < 2


def test_equal_curves_of_summation_stand_side_by_side():
    both = seen(*gratings(human_summation))
    figure = summation({"a": both, "b": both})
    figure.draw_without_rendering()
    first, second = figure.axes[0].get_lines()[:2]
    assert list(first.get_xdata()) == list(second.get_xdata()) == list(DIAMETERS)
    gap = second.get_transform().transform((10, 1)) - first.get_transform().transform((10, 1))
    assert gap == pytest.approx([2 / 72 * figure.dpi, 0], abs=1e-6)
    assert figure.legends[0].get_title().get_text().startswith("curves are offset slightly")


def test_many_models_fit_on_a_page():
    figure = mean_courses({f"m{n}": seen([aimed(0.0)] * 2, pair(0.0)[1]) for n in range(30)})
    assert len([axes for axes in figure.axes if axes.get_visible()]) == 20
