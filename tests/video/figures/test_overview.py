"""Pictures of whole runs: part scores of video/motion, and severity curves of video/corruptions."""

import io
import math

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes

from beholder.core.scores import table
from beholder.verdicts.summary import summary
from beholder.video.corruptions.kinds import EVERY, KINDS, Change
from beholder.video.figures.overview import GROUPS, part_scores
from beholder.video.figures.severity import OURS, TARGET, severity_curves
from toys import absent, score

FIVE = [full for group in GROUPS.values() for full in group.values()]


def texts(figure):
    return [text.get_text() for text in figure.findobj(match=lambda one: hasattr(one, "get_text")) if text.get_text()]


def panels_of(figure):
    """The panels of part scores by the short names of measures."""
    return {axes.get_title().split(" ")[0]: axes for axes in figure.findobj(Axes)}


def saved(figures):
    for figure in figures.values():
        figure.savefig(io.BytesIO(), format="png", dpi=50)
    return figures


def motion_scores(suffix=""):
    """Two models and a blind one; CAS never applies, OIS not to the first clip."""
    rng = np.random.default_rng(0)
    rows = []
    for model, role in (("wan", "model"), ("mine", "model"), ("still", "blind")):
        for measure in FIVE:
            for unit in range(8):
                same = {"measure": measure + suffix, "role": role, "benchmark": "video/motion", "better": "higher"}
                gone = measure == FIVE[0] or (measure == FIVE[2] and unit == 0)
                value = float(np.clip(rng.normal(0.7, 0.1), 0, 1))
                rows.append(absent(model, str(unit), **same) if gone else score(model, str(unit), value, **same))
    return table(rows)


@pytest.mark.parametrize("suffix", ["", "_release"])
def test_part_scores_are_the_means_with_the_intervals_of_the_tables(suffix):
    scores = motion_scores(suffix)
    variant = {"settings": "exemptions=late", "benchmark": "video/motion", "better": "higher", "role": "model"}
    added = table([score("wan", str(unit), 0.0, measure=f"temporal_coherence{suffix}", **variant) for unit in range(8)])
    figure = saved(part_scores(pd.concat([scores, added]), {}))["part_scores"]  # a variant changes nothing
    panels = panels_of(figure)
    assert list(panels) == ["CAS", "MSS", "OIS", "PAS", "TCS"]
    expected = summary(scores).set_index(["model", "measure"]).loc[("wan", f"temporal_coherence{suffix}")]
    lines = [line for line in panels["TCS"].lines if len(line.get_xdata()) == 2 and line.get_linewidth() > 1]
    assert any(line.get_xdata() == pytest.approx([expected["lo"], expected["hi"]]) for line in lines)
    assert {"global", "local"} <= set(texts(figure))


def test_what_does_not_apply_is_said_and_has_no_dot():
    figure = part_scores(motion_scores(), {})["part_scores"]
    panel = panels_of(figure)["CAS"]
    assert [text.get_text() for text in panel.texts] == ["not applicable"] * 3
    assert [line for line in panel.lines if line.get_marker() == "o"] == []
    assert texts(figure).count("7/8") == 3  # OIS applies to seven of eight clips


def test_the_judged_stand_at_the_top_then_oracles_then_blind_models():
    same = {"measure": FIVE[0], "better": "higher"}
    roles = {"mine": "model", "ours": "baseline", "still": "blind", "truth": "oracle"}
    values = {"mine": 0.2, "ours": 0.4, "still": 0.9, "truth": 0.8}
    rows = [score(model, str(unit), values[model], role=role, **same) for model, role in roles.items() for unit in "ab"]
    names = [text.get_text() for text in part_scores(table(rows), {})["part_scores"].axes[0].get_yticklabels()]
    assert names == ["still", "truth", "mine", "ours"]  # from the foot to the top


def test_without_any_of_the_five_there_is_no_picture():
    assert part_scores(table([score(measure="other")]), {}) == {}


def readings():
    """Three clips of each kind: the target falls with severity, rivals are in units of their own."""
    rng = np.random.default_rng(0)
    names = ("motion_smoothness", "temporal_coherence", "object_integrity", "motion_total", "ssim", "mean_flow")
    found = {name: {} for name in (*names, "constant")}
    for kind, of in EVERY.items():
        for clip in "abc":
            for severity in range(6):
                change = Change(clip, kind, severity, of.target, of.expected, of.gated)
                for name, own in found.items():
                    value = 0.9 - 0.1 * severity * (name == of.target) if name in FIVE else 300 + rng.normal()
                    lost = kind == "wobble" and clip == "a" and name == of.target
                    own[f"{clip}/{kind}/{severity}"] = (math.nan if lost else float(value), change)
    return found


@pytest.fixture(scope="module")
def curves():
    found = readings()
    rho = {"measure": "severity_correlation", "value": -0.97}
    rows = [
        score(name, unit="*", criterion=kind, role="blind" if name == "constant" else "baseline", **rho)
        for name in found
        for kind in ("vanish", "exit")
    ]
    return saved(severity_curves(table(rows), found))


def panel_of(figure, kind):
    (found,) = [axes for axes in figure.axes if axes.get_title().split("\n")[0] == kind]
    return found


def test_there_is_a_panel_for_each_kind(curves):
    first, further = curves.values()
    shown = [axes.get_title().split("\n")[0].replace(" ", "_") for axes in first.axes if axes.get_title()]
    assert shown == list(KINDS)
    assert len(KINDS) == 21
    assert {axes.get_title().split("\n")[0].replace(" ", "_") for axes in further.axes if axes.get_title()} == (
        set(EVERY) - set(KINDS)
    )


def test_the_measure_that_should_answer_is_drawn_in_its_own_values(curves):
    panel = panel_of(curves["severity_curves"], "vanish")
    (line,) = [line for line in panel.lines if line.get_color() == TARGET]
    assert line.get_ydata() == pytest.approx(0.9 - 0.1 * np.arange(6))
    assert len(panel.collections) == 1  # its band
    assert "ρ −0.97" in texts(panel)
    assert panel.get_title() == "vanish\nTCS falls"


def test_rivals_are_drawn_thin_over_their_own_range_and_others_of_ours_not_at_all(curves):
    panel = panel_of(curves["severity_curves"], "vanish")
    thin = [line for line in panel.lines if line.get_color() != TARGET]
    assert len(thin) == 2  # ssim and mean_flow: neither the total nor a blind measure
    assert all(0 <= np.mean(line.get_ydata()) <= 1 for line in thin)
    assert OURS not in {line.get_color() for line in thin}
    unnamed = panel_of(curves["severity_curves"], "noise")
    assert len([line for line in unnamed.lines if line.get_color() == OURS]) == 3


def test_a_promise_to_keep_still_has_no_correlation_and_an_abstention_is_told(curves):
    assert "ρ −0.97" not in texts(panel_of(curves["severity_curves"], "exit"))
    assert "abstains 33%" in texts(panel_of(curves["severity_curves"], "wobble"))


def test_nothing_is_no_picture():
    assert severity_curves(table([score()]), {}) == {}
    assert severity_curves(table([score("a")]), {"a": {}}) == {}
