"""study/opinions from a user's own table: every oddity has a defined result, and the pictures are drawn."""

import numpy as np
import pandas as pd
import pytest

import beholder as bh
from beholder.engines.progress import Silent
from beholder.errors import Misuse
from beholder.evaluation import execute, plan
from beholder.study.datasets.texture_shape import texture_shape
from beholder.study.ratings import clean


def table(groups=12, systems=3, raters=3, seed=0):
    """Ratings of items whose quality a good measure sees, a bad one turns round and a blind one does not."""
    rng = np.random.default_rng(seed)
    rows = []
    for group in range(groups):
        for system in range(systems):
            quality = rng.normal() + 0.5 * system
            said = {
                "good": quality + 0.3 * rng.normal(),
                "bad": -quality,
                "flat": 1.0,
                "gaps": quality if group else np.nan,
            }
            for rater in range(raters):
                for dimension in ("sharp", "smooth"):
                    value = quality + 0.5 * rng.normal()
                    rows.append(
                        [f"{group}-{system}", f"s{system}", f"g{group}", dimension, f"r{rater}", value, *said.values()]
                    )
    return pd.DataFrame(rows, columns=["item", "system", "group", "dimension", "rater", "value", *said])


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """One run of the command on a table with missing values, a copy, a rater who missed an item, and a user's model."""
    place = tmp_path_factory.mktemp("opinions")
    frame = table()
    frame.loc[3, "value"] = np.nan
    frame = pd.concat([frame, frame.iloc[[7]]])
    frame.to_csv(place / "my.csv", index=False)
    (place / "my.py").write_text("def mine(item):\n    return item.columns['good'] * 2 - 1\n")
    request = plan.Request("study/opinions", (f"ratings:{place / 'my.csv'}",), models=(f"{place / 'my.py'}:mine",))
    return execute.execute(plan.plan(request), execute.Options(place / "out", jobs=0), Silent())


def rows_of(done, measure, model, **where):
    scores = done.scores[
        (done.scores["measure"] == measure) & (done.scores["model"] == model) & (done.scores["part"] == "")
    ]
    for name, value in {"settings": "", **where}.items():
        scores = scores[scores[name] == value]
    return scores


def test_a_measure_is_known_by_its_column_and_a_function_likewise(done):
    for criterion in ("sharp", "smooth", "all"):
        column, mine = (rows_of(done, "spearman", name, criterion=criterion).iloc[0] for name in ("good", "mine"))
        assert column["value"] == mine["value"] > 0.6  # a rank correlation does not see a scale
        assert column["lo"] < column["value"] < column["hi"]
    assert rows_of(done, "spearman", "bad", criterion="sharp")["value"].iloc[0] < -0.6


def test_people_are_scored_like_measures(done):
    people = rows_of(done, "spearman", "people", criterion="sharp").iloc[0]
    persons = [rows_of(done, "spearman", f"person r{n}", criterion="sharp")["value"].iloc[0] for n in range(3)]
    assert people["role"] == "ceiling"
    assert people["value"] == pytest.approx(np.mean(persons))


def test_each_oddity_has_a_defined_result(done):
    flat = rows_of(done, "spearman", "flat", criterion="sharp").iloc[0]
    assert (flat["state"], flat["reason"]) == ("na", "the measure says the same of every item")
    assert rows_of(done, "preference_accuracy", "flat", criterion="sharp")["value"].iloc[0] == 0.5
    gaps = rows_of(done, "spearman", "gaps", criterion="sharp").iloc[0]
    assert (gaps["state"], gaps["n"]) == ("ok", 33)  # the group without a value is left out, and counted
    assert done.failed == 0


def test_a_combination_turns_what_points_down_and_leaves_out_what_is_flat(done):
    whole = rows_of(done, "ablation", "z_sum", criterion="sharp")["value"].iloc[0]
    parts = done.scores[(done.scores["measure"] == "ablation") & (done.scores["model"] == "z_sum")]
    share = dict(zip(parts["part"], parts["value"], strict=True))
    assert whole > 0.75
    assert {"without good", "without bad", "without flat", "up_to good", "up_to bad"} <= share.keys()
    one = rows_of(done, "ablation", "good", criterion="sharp").iloc[0]
    assert (one["state"], one["reason"]) == ("na", "this is one measure; only a combination has others to leave out")


def test_the_pictures_are_drawn(done):
    drawn = {file.stem for file in (done.folder / "figures").rglob("*.png")}
    expected = {
        "agreement_with_people",
        "scatter",
        "ablation",
        "critical_difference",
        "rank_correlations_among_measures",
    }
    assert drawn == expected


def small(frame):
    return bh.run(
        bh.load("study/opinions", dataset=clean(frame).dataset("mine")),
        {"one": lambda item: len(item.id) * 1.0},
        jobs=0,
    )


def test_a_table_of_one_group_one_system_and_one_rater():
    frame = table(groups=6, systems=1, raters=1)[["item", "value"]].drop_duplicates("item")
    found = small(frame.assign(item=[f"i{'x' * n}" for n in range(len(frame))]))
    scores = found[(found["model"] == "one") & (found["part"] == "")].set_index(["measure", "settings"])
    assert scores.loc[("spearman", ""), "state"].iloc[0] == "ok"
    assert scores.loc[("spearman", "scope=between"), "state"].iloc[0] == "na"
    people = found[found["role"] == "ceiling"]
    assert set(people["state"]) == {"na"}  # nobody can be left out


def test_a_dimension_can_be_chosen_and_a_slip_is_told():
    chosen = bh.load("study/opinions", dimension="temporal")
    assert [criterion.name for criterion in chosen.all_criteria] == ["temporal"]
    with pytest.raises(Misuse, match="got the dimension 'tempral'; expected some of static, temporal, alignment"):
        bh.load("study/opinions", dimension="tempral")
    with pytest.raises(Misuse, match="holds no ratings"):
        bh.load("study/opinions", dataset=bh.load("stereo/dense").dataset)


def test_a_run_of_beholder_is_a_measure_under_test(tmp_path):
    frame = table(groups=6, raters=2)
    scores = bh.run(bh.load("stereo/dense", dataset="random_dots(count=3,size=64)"), {}, jobs=0)
    run = bh.save(tmp_path / "run", scores, bh.load("stereo/dense", dataset="random_dots(count=3,size=64)"))
    names = {"s0": "block", "s1": "sgbm", "s2": "flat"}
    groups = {f"g{n}": f"rds{n}" for n in range(3)}
    frame = frame[frame["group"].isin(groups)].replace({"system": names, "group": groups})
    bench = bh.load("study/opinions", dataset=clean(frame[frame.columns[:6]]).dataset("dots"))
    spec = f"bad=scored(run={str(run)!r},measure='bad_pixels(threshold=1)',criterion='all')"
    found = bh.run(bench, dict([spec.split("=", 1)]), jobs=0)
    own = found[(found["model"] == "bad") & (found["measure"] == "spearman") & (found["settings"] == "")]
    assert set(own["state"]) == {"ok"}
    block = scores[(scores["model"] == "block") & (scores["unit"] == "rds0") & (scores["criterion"] == "all")]
    from beholder.study.models.scored import scored
    from beholder.study.ratings import Item

    item = Item("x", "block", "rds0")
    label = "bad_pixels(threshold=1)"
    value = block[(block["measure"] == "bad_pixels") & (block["settings"] == "threshold=1")]["value"].iloc[0]
    assert scored(item, run=str(run), measure=label, criterion="all") == -value
    with pytest.raises(Misuse, match="has no measure called 'bad_pixel'"):
        scored(item, run=str(run), measure="bad_pixel")


def test_error_consistency_of_real_people(data):
    found = texture_shape(data / "texture_shape")
    bench = bh.load("study/opinions", dataset=found)
    scores = bh.run(bench, {}, jobs=0)
    own = scores[(scores["measure"] == "error_consistency") & (scores["part"] == "")].set_index(["model", "criterion"])[
        "value"
    ]
    assert own["people", "edges"] == pytest.approx(0.3184, abs=5e-5)
    assert own["people", "silhouettes"] == pytest.approx(0.4757, abs=5e-5)
