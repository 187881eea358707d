"""What a notebook shows, and the figures of bh.plot: escaped, small, the user's model marked; and tables that last."""

import copy
import pickle
import subprocess

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex

import beholder as bh
import toys
from beholder.errors import Misuse
from beholder.evaluation.score_table import Scores
from beholder.reports.plots.dots import MINE

EVIL = "<script>$x_1$"


def flat_eight(pair):
    return np.full(pair.left.shape[:2], 8.0)


@pytest.fixture(scope="module")
def stereo():
    return bh.load("stereo/dense", limit=3)


@pytest.fixture(scope="module")
def scores(stereo):
    return bh.run(stereo, {EVIL: flat_eight}, jobs=0)


@pytest.fixture(scope="module")
def opinions():
    return bh.run(toys.opinions(), {"mine": toys.brightness}, jobs=0)


@pytest.fixture(scope="module")
def shown(stereo, scores):
    things = {
        "benchmark": stereo,
        "scores": scores,
        "verdict": stereo.judge(scores),
        "comparison": bh.compare(scores, EVIL, "sgbm"),
        "sample": stereo.dataset[0],
    }
    return {name: thing._repr_html_() for name, thing in things.items()}


@pytest.mark.parametrize("name", ["benchmark", "scores", "verdict", "comparison", "sample"])
def test_it_is_small_escaped_and_without_scripts(shown, name):
    html = shown[name]
    assert "<script" not in html
    assert len(html) < 12_000
    if name not in ("benchmark", "sample"):
        assert "&lt;script&gt;" in html


def test_the_answer_stands_first_and_the_own_model_stands_out(stereo, scores, shown):
    for name in ("scores", "verdict"):
        assert shown[name].index(stereo.judge(scores).trust.split(":")[0]) < shown[name].index("<table")
        assert shown[name].count('<tr class="mine">') == 1
    assert f'<tr class="mine"><td>{"&lt;script&gt;$x_1$"}</td>' in shown["scores"]


def test_colours_are_those_of_the_page(shown):
    assert all("[data-jp-theme-light=false] .bh .mine" in html for html in shown.values())
    assert all("background:#" not in html for html in shown.values())


def test_scores_are_a_pandas_table_that_lasts(scores):
    assert isinstance(scores, Scores)
    back = pickle.loads(pickle.dumps(scores))
    assert isinstance(back, Scores)
    pd.testing.assert_frame_equal(pd.DataFrame(back), pd.DataFrame(scores))
    assert back._repr_html_() == scores._repr_html_()
    for derived in (scores[scores["model"] == "sgbm"], scores.copy(), copy.deepcopy(scores), scores.assign(x=1)):
        assert type(derived) is pd.DataFrame
    assert type(pd.concat([scores, scores])) is pd.DataFrame
    assert scores.groupby("model")["value"].mean().notna().any()


def test_a_part_of_the_scores_still_knows_its_benchmark(scores, tmp_path):
    part = scores[scores["model"] != "block"]
    assert "block" not in [text.get_text() for text in bh.plot(part).axes[0].get_yticklabels()]
    assert bh.save(tmp_path / "run", part) == tmp_path / "run"
    assert "stereo/dense" in bh.report(tmp_path / "run")
    assert bh.compare(part, EVIL, "sgbm").says == bh.compare(tmp_path / "run", EVIL, "sgbm").says
    forgotten = pd.DataFrame(part)
    forgotten.attrs = {}
    with pytest.raises(Misuse, match="no longer knows its benchmarks"):
        bh.plot(forgotten)


def test_several_benchmarks_in_one_table(stereo, tmp_path):
    other = bh.load("stereo/semi_dense", limit=1)
    both = bh.run([stereo.on(stereo.dataset[:1]), other], flat_eight, jobs=0, baselines="none")
    assert list(dict.fromkeys(both["benchmark"])) == ["stereo/dense", "stereo/semi_dense"]
    assert both._repr_html_().count("<table>") == 2
    assert "stereo/semi_dense" in bh.report(both)
    with pytest.raises(Misuse, match="got scores of 2 benchmarks; name one with benchmark="):
        bh.plot(both)
    assert "stereo/semi_dense" in bh.plot(both, benchmark="stereo/semi_dense").get_suptitle()
    with pytest.raises(Misuse, match="got a int; expected a benchmark"):
        bh.run(3)


def test_dots_show_the_own_model_first_and_in_its_colour(scores):
    figure = bh.plot(scores)
    assert [axes.get_title(loc="left") for axes in figure.axes] == [
        "bad_pixels [%], nonocc",
        "bad_pixels [%]",
        "bad_pixels [%], disc",
    ]
    first, *others = figure.axes[0].get_yticklabels()
    assert (first.get_text(), to_hex(first.get_color())) == (EVIL, MINE)
    assert MINE not in {to_hex(text.get_color()) for text in others}
    figure.savefig("/dev/null", format="png")  # a name is no formula


def test_people_and_blind_models_are_drawn(opinions):
    words = [text.get_text() for text in bh.plot(opinions).legends[0].get_texts()]
    assert "people" in words
    assert any(word.startswith("best blind model (") for word in words)


@pytest.mark.parametrize("kind", ["pareto", "nemenyi", "mean_rank", "mean_score", "significance"])
def test_judges_are_drawn(scores, kind):
    assert bh.plot(scores, kind).axes


def test_verdicts_comparisons_sheets_and_samples_are_drawn(stereo, scores):
    assert bh.plot(stereo.judge(scores)).axes
    assert "% of units on which" in bh.plot(bh.compare(scores, EVIL, "sgbm")).axes[0].get_xlabel()
    titles = [axes.get_title() for axes in bh.plot(stereo, models={EVIL: flat_eight}).axes]
    assert EVIL in titles
    assert [axes.get_title() for axes in bh.plot(stereo.dataset[0]).axes] == [
        "stimulus left",
        "stimulus right",
        "reference disparity",
    ]


@pytest.mark.parametrize(
    ("draw", "says"),
    [
        (lambda stereo, scores: bh.plot(scores, "paretto"), "did you mean 'pareto'"),
        (lambda stereo, scores: bh.plot(scores, "skill"), "no skill to draw: that needs people"),
        (lambda stereo, scores: bh.plot(scores, measure="bad_pixel"), "did you mean 'bad_pixels'"),
        (lambda stereo, scores: bh.plot(stereo, "random_dots/rds9"), "did you mean"),
        (lambda stereo, scores: bh.plot(3), "got a int to plot; expected scores"),
        (lambda stereo, scores: bh.run(stereo, 3), "got a int as a model; expected a function"),
        (lambda stereo, scores: bh.run(stereo, [flat_eight, flat_eight]), "two models called 'flat_eight'"),
        (lambda stereo, scores: bh.load("stereo/dense", limit=0), "got limit=0"),
    ],
)
def test_wrong_words_get_a_sentence(stereo, scores, draw, says):
    with pytest.raises(Misuse, match=says):
        draw(stereo, scores)


def test_list_and_show_read_as_the_command_prints():
    assert repr(bh.show("bad_pixels")) == str(bh.show("bad_pixels"))
    assert "<pre>" in bh.list("judges")._repr_html_()
    with pytest.raises(Misuse, match=r"did you mean .*bad_pixels'"):
        bh.show("bad_pixel")


def test_a_bar_moves_in_its_place():
    """In IPython: one display that is written anew, and what is said stands below it."""
    pytest.importorskip("IPython", reason="the extra docs brings IPython")
    script = (
        "from IPython.core.interactiveshell import InteractiveShell\n"
        "from IPython.utils.capture import capture_output\n"
        "from beholder.engines.notebook import NotebookBar\n"
        "InteractiveShell.instance()\n"
        "with capture_output() as seen, NotebookBar() as bar:\n"
        "    bar.begin('<b>stereo', 4, 1)\n"
        "    for failed in (False, True, False): bar.step(failed)\n"
        "    bar.say('<i>slow')\n"
        "shown = [output._repr_mimebundle_()[0] if isinstance(output._repr_mimebundle_(), tuple) else "
        "output._repr_mimebundle_() for output in seen.outputs]\n"
        "last = shown[-1]\n"
        "assert '4 of 4 trials, 1 failed' in last['text/plain'], last\n"
        "assert '&lt;b&gt;stereo' in last['text/html'] and '&lt;i&gt;slow' in last['text/html'], last\n"
        "assert '<script' not in last['text/html']\n"
    )
    import sys

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
