"""The claims on motion in video: the paper's tables as quoted, what they add up to, and verdicts that can fall."""

import json
import math

import numpy as np
import pandas as pd
import pytest

from beholder.claims import ling_2025 as page
from beholder.claims import ling_elsewhere as source
from beholder.claims.ling_elsewhere import Agreement, Elsewhere
from beholder.core.measure import NotApplicable
from beholder.study.scoreboards import vmbench
from beholder.video.data import printed
from beholder.video.data.printed import FIVE, Row

ELSEWHERE = Elsewhere(
    {"motion_total": Agreement(0.4, 0.1, 0.6, 0.3), "ssim": Agreement(0.2, -0.1, 0.4, 0.1)},
    {
        "MSS": np.array([0.9, 0.8, 0.7, 0.5]),
        "OIS": np.array([0.6, 0.65, 0.7, np.nan]),
        "PAS": np.array([0.1, 0.3, 0.25, 0.4]),
        "TCS": np.ones(4),
    },
    np.array([5.0, 4.0, 3.0, 2.0]),
)


# The tables, and what they add up to.


def test_six_methods_on_five_dimensions():
    assert {name: tuple(row.five.values()) for name, row in printed.spearman().items()} == {
        "SSIM": (-0.9, -12.1, 8.3, 17.8, -4.8),
        "RAFT": (-0.7, -17.0, -16.6, 47.7, -21.9),
        "CLIP": (21.5, 36.5, 31.7, -42.7, 28.0),
        "DOVER technical": (40.2, 32.6, 34.5, -6.2, 2.2),
        "InternVideo2.5": (22.7, 21.9, 29.6, 44.3, 15.8),
        "PMM": (69.9, 77.1, 65.8, 65.2, 54.5),
    }


@pytest.mark.parametrize(
    ("method", "average", "mean"),
    [
        ("SSIM", 1.6, 1.66), ("RAFT", -1.7, -1.70), ("CLIP", 15.0, 15.00), ("DOVER technical", 20.6, 20.66),
        ("InternVideo2.5", 26.9, 26.86), ("PMM", 62.2, 66.50),
    ],
)  # fmt: skip
def test_the_average_of_pmm_is_not_the_mean_of_its_row(method, average, mean):
    row = printed.spearman()[method]
    assert (row.average, row.mean) == (average, pytest.approx(mean))
    assert (abs(row.average - row.mean) > 0.1) == (method == "PMM")


@pytest.mark.parametrize(
    ("model", "average", "mean", "four"),
    [
        ("OpenSora-v1.2", 51.6, 51.60, 63.65), ("Mochi 1", 53.2, 53.26, 62.975),
        ("OpenSora-Plan-v1.3.0", 58.9, 58.92, 72.15), ("CogVideoX-5B", 60.6, 60.64, 69.65),
        ("HunyuanVideo", 63.4, 64.34, 73.90), ("Wan2.1", 78.4, 65.74, 77.70),
    ],
)  # fmt: skip
def test_two_averages_of_the_leaderboard_are_not_means(model, average, mean, four):
    row = printed.leaderboard()[model]
    assert (row.average, row.mean, page.as_released(row)) == (average, pytest.approx(mean), pytest.approx(four))
    assert (abs(row.average - row.mean) > 0.1) == (model in ("HunyuanVideo", "Wan2.1"))


def test_the_leaderboard_is_that_of_study():
    assert sorted(printed.leaderboard()) == sorted(vmbench()["model"].unique())


def test_nine_combinations_and_all_printed_changes_are_right():
    rows = printed.ablation()
    assert [row.accuracy for row in rows.values()] == [70.6, 66.9, 68.7, 65.2, 64.6, 64.1, 58.9, 66.1, 67.3]
    assert {name: row.measures for name, row in rows.items()}["without CAS"] == ("MSS", "OIS", "PAS", "TCS")
    assert {name: pytest.approx(float(row.change)) for name, row in rows.items() if row.change} == {
        name: change.by for name, change in page.changes().items()
    }
    assert min(page.changes(), key=lambda name: page.changes()[name].by) == "without CAS"


# Verdicts follow from the numbers, and fall with them.


def changed(monkeypatch, table, name, **values):
    rows = getattr(printed, table)()
    row = rows[name]
    average = values.pop("average", row.average)
    monkeypatch.setattr(page, table, lambda: {**rows, name: Row(average, {**row.five, **values})})


def test_best_on_all_five(monkeypatch):
    assert page.best_on_all_five(None).claim.verdict == "in its table; cannot be tested"
    changed(monkeypatch, "spearman", "RAFT", PAS=66.0)
    assert page.best_on_all_five(None).claim.verdict == "does not hold"


def test_averages(monkeypatch):
    assert "5 of 6 are the means of their rows: PMM has 66.50, not 62.2" in page.averages().claim.here
    assert page.averages().claim.holds is None
    changed(monkeypatch, "spearman", "PMM", average=66.5)
    assert page.averages().claim.holds is True


def test_35_3_is_a_difference(monkeypatch):
    found = page.improvement().claim
    assert "62.2 − 26.9 = 35.3 is in points of ρ × 100, not per cent, over InternVideo2.5" in found.here
    assert "66.5 − 26.9 = 39.6 points" in found.here
    assert found.verdict == "a difference, not per cent"
    changed(monkeypatch, "spearman", "PMM", average=50.0)
    assert page.improvement().claim.holds is False


def test_cas_is_the_largest_drop_by_half_a_point(monkeypatch):
    found = page.largest_drop(None).claim
    assert found.here.startswith("without CAS -6.5, without MSS -6.0, without OIS -5.4, without TCS -3.7")
    assert "first by 0.5 points" in found.here
    assert "3,000 pairs" in found.here  # 200 prompts × 15 pairs of six generators
    assert found.verdict == "in its table; cannot be tested"
    rows = printed.ablation()
    worse = rows["without MSS"]._replace(accuracy=60.0)
    monkeypatch.setattr(page, "ablation", lambda: {**rows, "without MSS": worse})
    assert page.largest_drop(None).claim.holds is False


def test_amplitude_alone_does_not_pay():
    found = page.each_pays().claim
    assert "MSS +7.2, OIS +1.2, PAS -0.4, TCS +3.7" in found.here
    assert found.holds is None


def test_amplitude_goes_against_integrity_only():
    found = page.trade_off(None)
    assert "CAS +0.77, MSS +0.26, OIS -0.54, TCS +0.49" in found.claim.here
    assert found.claim.verdict == "with OIS alone; not reproduced"
    assert found.elsewhere == "—"


def test_wan_is_first_but_not_with_78_4(monkeypatch):
    found = page.wan_is_best().claim
    assert found.here == (
        "Wan2.1 is first with 65.74, 1.4 points ahead of HunyuanVideo, not 15.0; without PAS it has 77.70"
    )
    assert found.verdict == "best, but not with 78.4"
    changed(monkeypatch, "leaderboard", "HunyuanVideo", OIS=90.0)
    assert page.wan_is_best().claim.holds is False


def test_the_order_of_the_leaderboard_is_kept():
    assert "HunyuanVideo has 64.34, not 63.4; Wan2.1 has 65.74, not 78.4. The order is the same" in (
        page.leaderboard_averages().claim.here
    )


def test_categories_are_counted_where_the_prompts_are(tmp_path):
    assert page.categories(None).claim.verdict == "not tested"
    folder = tmp_path / "prompts"
    folder.mkdir()
    (folder / "prompts.json").write_text(json.dumps([{"action": name} for name in ("run", "run", "jump")]))
    (folder / "action_type.txt").write_text("run\njump\nfly\nswim\n")
    assert page.counted(tmp_path) == {"prompts": 3, "actions": 2, "types": 4}
    assert page.categories(tmp_path).claim.verdict == "not found in the release"


@pytest.mark.data
def test_the_released_prompts_have_557_actions(data):
    folder = data / "vmbench_prompts"
    if not folder.is_dir():
        pytest.skip("the released prompts are not here")
    assert page.counted(folder) == {"prompts": 1050, "actions": 557, "types": 1294}  # specs/data.md 3.17


# What is measured elsewhere.


def rows(model, label, value, criterion="temporal"):
    measure, _, settings = label.partition("(")
    return {
        "model": model, "measure": measure, "settings": settings.rstrip(")"), "part": "", "criterion": criterion,
        "value": value, "lo": value - 0.2, "hi": value + 0.2,
    }  # fmt: skip


def test_the_table_of_opinions_is_read_by_measure():
    table = pd.DataFrame(
        [
            rows("ssim", "spearman", 0.3), rows("ssim", "spearman(scope=within)", 0.1),
            rows("flicker", "spearman", 0.2), rows("ssim", "spearman", 0.9, "alignment"),
            rows("jerk", "spearman", math.nan),
        ]
    )  # fmt: skip
    found = source.agreements(table)
    assert found["ssim"] == (0.3, pytest.approx(0.1), 0.5, 0.1)
    assert sorted(found) == ["flicker", "ssim"]
    assert math.isnan(found["flicker"].within)


def test_totals_and_pairs_over_clips_that_have_them():
    assert ELSEWHERE.correlation("PAS", "OIS") == (pytest.approx(0.5), 3)  # ranks 1 3 2 and 1 2 3
    # Means of what there is: 0.65, 0.6875, 0.6625, 0.6333: ranks 2 4 3 1 beside 4 3 2 1
    assert ELSEWHERE.total() == pytest.approx(1 - 6 * 6 / 60)
    assert ELSEWHERE.total(without="PAS") == pytest.approx(1.0)  # 0.833, 0.817, 0.8, 0.75


def test_a_measure_that_does_not_apply_says_nothing():
    def abstains(item, *, measure):
        raise NotApplicable("nothing moves")

    assert math.isnan(source.say(abstains, None, "jerk"))
    assert source.say(lambda item, *, measure: 0.5, None, "jerk") == 0.5


def test_without_the_clips_nothing_is_measured(monkeypatch):
    monkeypatch.setattr(source, "data_folder", lambda name: None)
    assert source.measured_elsewhere() is None


def test_the_section_stands_with_and_without_data(tmp_path):
    bare = page.section(None, None)
    assert "The printed averages are not the means" in bare
    assert "| PMM | 69.9 | 77.1 | 65.8 | 65.2 | 54.5 | 62.2 | 66.50 |" in bare
    assert "| without CAS | 64.1 | -6.5 | -6.5 | all five |" in bare
    assert "| Wan2.1 | 62.8 | 84.2 | 66.0 | 17.9 | 97.8 | 78.4 | 65.74 | 77.70 |" in bare
    assert "It needs fetv_clips" in bare
    full = page.section(ELSEWHERE, None)
    assert "motion_total 0.40 [0.10, 0.60], within generators 0.30; ssim 0.20" in full
    assert "ρ = +0.50 over 3 of FETV's clips" in full
    assert "It needs fetv_clips" not in full
    for line in full.splitlines():
        assert not line.startswith("|") or line.endswith("|")
    assert len([line for line in full.splitlines() if line.count("|") == 6]) >= 2 + 9
    assert FIVE == ("CAS", "MSS", "OIS", "PAS", "TCS")
