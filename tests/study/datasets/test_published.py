"""Folders of published ratings: TC-Bench, texture and shape, Physion, VBench."""

from functools import partial

import pytest

from beholder.errors import Misuse
from beholder.study.datasets.physion import physion
from beholder.study.datasets.tcbench import tcbench
from beholder.study.datasets.texture_shape import texture_shape, trials
from beholder.study.datasets.vbench import comparisons, decided_by, vbench, win_ratios
from beholder.study.ratings import ratings_of
from study_files import physion_folder, tcbench_folder, texture_folder, vbench_folder, write


@pytest.fixture
def folder(data):
    def there(name):
        if not (data / name).is_dir():
            pytest.skip(f"{name} is not here: set BEHOLDER_DATA")
        return data / name

    return there


def test_tcbench(tmp_path):
    found = tcbench(tcbench_folder(tmp_path))
    assert found.ids == ("seine/00000-00000", "seine/00025-00001", "lavie/00000-00000")
    sample = found.load("seine/00025-00001")
    assert sample.reference.ratings == {
        "question_1": {"rater_1": 2, "rater_2": 1},
        "question_2": {"rater_1": 3, "rater_2": 2},
    }
    assert (sample.stimulus.columns, sample.stimulus.group) == ({"clip": 0.2, "gpt": 0.5}, "00025")
    assert found.remarks == (
        "1 item is rated by fewer people than the others: seine/00025-00001",
        "1 measure is without a value for some rated video, so left out: pips2",
        "1 video is measured but not rated: seine/00099-00000",
    )


def test_texture_shape(tmp_path):
    found = texture_shape(texture_folder(tmp_path))
    assert found.ids == ("edges/oven10", "edges/car3", "silhouettes/oven10", "silhouettes/car3")
    sample = found.load("edges/car3")
    assert sample.reference.ratings == {"edges": {"edges-01": 0.0, "edges-02": 1.0}}  # "na" is no right answer
    assert (sample.stimulus.columns, sample.stimulus.group) == ({"resnet50_shape": 1.0}, "car")
    assert [sample.stimulus.media is None for sample in found] == [False, True, True, True]
    assert trials(tmp_path)["response"].value_counts().to_dict() == {"oven": 4, "car": 4, "na": 2, "clock": 2}


def test_physion(tmp_path):
    found = physion(physion_folder(tmp_path))
    assert found.ids == tuple(f"{name}/pilot_000{n}" for name in ("drop", "towers") for n in (1, 2))
    sample = found.load("towers/pilot_0001")
    assert sample.reference.ratings == {"accuracy": {"people": 0.75}}
    assert sample.stimulus.columns == {"observers": 92.0}


def test_vbench(tmp_path):
    found = vbench(vbench_folder(tmp_path))
    # colour is read first: there the cat has number 0, and so it has in motion; the dog's comparisons do not agree
    assert found.ids == ("c/0000", "a/0000", "b/0000")
    assert found.load("a/0000").reference.ratings == {"colour": {"people": 0.0}, "motion": {"people": 0.75}}
    assert found.load("c/0000").reference.ratings == {"colour": {"people": 1.0}, "motion": {"people": 0.75}}
    assert found.remarks == (
        "1 comparison is without an answer, so left out: motion 0001: a and c",
        "1 comparison is answered differently in its two directions, so left out: motion 0001: a and b",
    )
    assert found.load("a/0000").stimulus.media == tmp_path / "a" / "cat.mp4"
    pairs = comparisons(tmp_path)
    assert pairs.values.tolist() == [
        ["colour", "0000", "c", "a", 1.0], ["motion", "0000", "a", "b", 1.0],
        ["motion", "0000", "a", "c", 0.5], ["motion", "0000", "b", "c", 0.0],
    ]  # fmt: skip
    assert win_ratios(pairs)["motion"].to_dict() == {"a": 0.75, "b": 0.0, "c": 0.75}
    decided = decided_by(pairs, {"a/0000": 1.0, "b/0000": 1.0})  # of c nothing is said
    assert win_ratios(decided)["motion"].to_dict() == {"a": 0.5, "b": 0.5}


def test_vbench_with_measures(tmp_path):
    scores = write(tmp_path / "scores.csv", "item,clip\na/0000,1\nb/0000,2\n")
    found = vbench(vbench_folder(tmp_path / "labels"), measures=str(scores))
    assert found.load("b/0000").stimulus.columns == {"clip": 2.0}
    assert "1 rated item is not in scores.csv: c/0000" in found.remarks


@pytest.mark.parametrize(
    ("loader", "made", "file", "text", "sentence"),
    [
        (tcbench, tcbench_folder, "eval_results/human_eval/i2v/human_scores_all.json", "[]", "got a list; expected {"),
        (
            tcbench,
            tcbench_folder,
            "eval_results/human_eval/i2v/human_scores_all.json",
            '{"x": 1}',
            "got 'x': 1; expected",
        ),
        (tcbench, tcbench_folder, "eval_results/human_eval/i2v/human_scores_all.json", "{}", "got no rating"),
        (
            texture_shape,
            texture_folder,
            "raw-data/edge-experiment/a.csv",
            "subj\nx\n",
            "no column called object_response",
        ),
        (
            physion,
            physion_folder,
            "results/csv/humans/human_accuracy-a_b.csv",
            "stim_ID\nx\n",
            "no column called correct",
        ),
        (vbench, vbench_folder, "a.json", '[{"prompt_en": "x"}]', "got an entry without human_anno"),
        (
            vbench,
            vbench_folder,
            "a.json",
            '[{"human_anno": {"a": {"b": 2}}}]',
            "got 2 for a against b; expected 0, 0.5 or 1",
        ),
    ],
)
def test_bad_files(tmp_path, loader, made, file, text, sentence):
    write(made(tmp_path) / file, text)
    with pytest.raises(Misuse) as told:
        loader(tmp_path)
    assert sentence in str(told.value)


@pytest.mark.parametrize("loader", [tcbench, texture_shape, physion, vbench])
def test_empty_folders(tmp_path, loader):
    with pytest.raises(Misuse, match="expected"):
        loader(tmp_path)
    with pytest.raises(Misuse, match="which is no"):
        loader(tmp_path / "none")


@pytest.mark.data
def test_the_real_tcbench(folder):
    # data.md 3.12
    found = tcbench(folder("tcbench_ratings"))
    table = ratings_of(found).table
    assert len(found) == 952
    assert table.drop_duplicates("item")["system"].value_counts().to_dict() == {
        "videocrafter": 196, "modelscope": 193, "lavie": 191, "seine": 186, "dynamicrafter": 186,
    }  # fmt: skip
    assert table.groupby(["item", "dimension"]).size().value_counts().to_dict() == {3: 2 * 951, 2: 2}
    assert table.groupby("dimension")["value"].mean().round(3).to_dict() == {"question_1": 2.056, "question_2": 2.296}
    means = table.groupby(["item", "dimension"])["value"].mean().unstack()
    rho = means.join(ratings_of(found).columns).corr("spearman").round(3)
    assert rho.loc[["clip", "viclip", "evalcrafter", "umtscore"], ["question_1", "question_2"]].values.tolist() == [
        [-0.174, -0.174], [-0.011, 0.021], [0.142, 0.138], [0.203, 0.251],
    ]  # fmt: skip
    assert [text.partition(":")[0] for text in found.remarks] == [
        "1 item is rated by fewer people than the others",
        "3 measures are without a value for some rated video, so left out",
        "2168 videos are measured but not rated",
    ]


@pytest.mark.data
def test_the_real_edges_and_silhouettes(folder):
    # data.md 3.15
    found = texture_shape(folder("texture_shape"))
    held = ratings_of(found)
    assert (len(found), len(held.table), len(held.media), found.remarks) == (320, 3200, 320, ())
    people = held.table.groupby(["dimension", "rater"])["value"].mean().groupby("dimension")
    printed = partial(pytest.approx, abs=0.000051)
    assert people.mean().to_dict() == printed({"edges": 0.8713, "silhouettes": 0.7531})
    assert people.std().to_dict() == printed({"edges": 0.1009, "silhouettes": 0.0651})
    networks = held.columns.groupby(held.columns.index.str.partition("/").get_level_values(0)).mean().T
    assert networks["edges"].to_dict() == printed(
        {"alexnet": 0.4, "googlenet": 0.2812, "resnet50": 0.1812, "resnet50_shape": 0.4875, "vgg": 0.2437}
    )
    assert networks["silhouettes"].to_dict() == printed(
        {"alexnet": 0.4437, "googlenet": 0.4875, "resnet50": 0.5437, "resnet50_shape": 0.4437, "vgg": 0.4813}
    )
    assert trials(folder("texture_shape"))["response"].nunique() == 17


@pytest.mark.data
def test_the_real_physion(folder):
    found = physion(folder("physion_tables"))
    table = ratings_of(found).table
    assert table.groupby("group").size().to_dict() == {
        name: 94 if name == "rollingsliding" else 150
        for name in (
            "clothiness",
            "collision",
            "containment",
            "dominoes",
            "drop",
            "linking",
            "rollingsliding",
            "towers",
        )
    }
    assert (
        ratings_of(found).columns["observers"].groupby(table.set_index("item")["group"]).first().to_dict()["drop"] == 92
    )
