"""Runs side by side: what can be compared is joined, what cannot is refused with a sentence."""

import json
import sys
from dataclasses import replace

import pytest

import beholder as bh
import toys
from beholder.cli import judging as command
from beholder.core.benchmark import Lineup
from beholder.core.sample import Dataset
from beholder.engines.progress import Silent
from beholder.errors import UNSEEN, Misuse, printable
from beholder.evaluation.record import read
from beholder.evaluation.sections import report, sections
from beholder.judges.mean_rank import mean_rank
from beholder.registry.load import judge_spec


def bench(dataset=None, version=1, judges=(mean_rank,)):
    criteria, lineup = (bh.Criterion("mean", toys.mean_rating),), Lineup(blind=toys.constant_blind)
    return bh.Benchmark("toy/x", version, dataset or toys.items(6), (toys.miss,), judges, criteria,
                        accept=toys.number, lineup=lineup)  # fmt: skip


def kept(folder, of, **models):
    bh.save(folder, bh.run(of, models, jobs=0), of)
    return read(folder)


def test_runs_of_one_benchmark_are_one_section(tmp_path):
    runs = [kept(tmp_path / "a", bench(), b=toys.brightness), kept(tmp_path / "b", bench(), c=toys.contrast)]
    (section,) = sections(runs)
    assert set(section.scores["model"]) == {"b", "c", "constant"}
    assert len(section.scores[section.scores["model"] == "constant"]) == 6  # the same blind model stands once
    assert section.verdicts[0].best == ("b",)
    assert section.facts["runs"] == 2
    assert [model["name"] for model in section.facts["models"]] == ["b", "constant", "c"]


def test_failures_of_all_runs_are_reported(tmp_path):
    def broken(_):
        raise ValueError("no idea")

    runs = [kept(tmp_path / "a", bench(), b=toys.brightness), kept(tmp_path / "b", bench(), c=broken)]
    (section,) = sections(runs)
    assert {(f["model"], f["sample"]) for f in section.facts["failures"]} == {("c", f"item{n}") for n in range(6)}
    assert section.facts["failed"] == 6
    assert "2 runs are merged here, over the same units." in report([tmp_path / "a", tmp_path / "b"], view="html")


def test_unlike_versions_are_refused(tmp_path):
    runs = [kept(tmp_path / "a", bench(), b=toys.brightness), kept(tmp_path / "b", bench(version=2), c=toys.contrast)]
    with pytest.raises(Misuse, match=r"has version 1 and .* has version 2"):
        sections(runs)


def test_unlike_official_measures_are_refused(tmp_path):
    other = replace(bench(), measures=(bh.fix(toys.miss_by, power=2),))
    runs = [kept(tmp_path / "a", bench(), b=toys.brightness), kept(tmp_path / "b", other, c=toys.contrast)]
    with pytest.raises(Misuse, match=r"is judged by miss and .* by miss_by\(power=2\)"):
        sections(runs)


def test_unlike_states_of_a_dataset_are_refused(tmp_path):
    other = replace(toys.items(6), content="mended")
    runs = [kept(tmp_path / "a", bench(), b=toys.brightness), kept(tmp_path / "b", bench(other), c=toys.contrast)]
    with pytest.raises(Misuse, match="different states of the dataset items"):
        sections(runs)


def test_parts_of_a_dataset_are_compared_on_common_ids_and_that_is_said(tmp_path):
    whole = toys.items(6)
    runs = [
        kept(tmp_path / "a", bench(whole), b=toys.brightness),
        kept(tmp_path / "b", bench(whole[:4]), c=toys.contrast),
    ]
    (section,) = sections(runs)
    assert set(section.scores["unit"]) == {"item0", "item1", "item2", "item3"}
    (note,) = [note for note in section.notes if note.kind == "shared"]
    assert str(note) == "On items the runs share 4 of up to 6 units, and are compared on those."
    assert (note.about, note.numbers) == (("items",), {"shared": 4, "units": 6})


def test_different_datasets_are_pooled_and_told_apart(tmp_path):
    other = replace(toys.items(4), name="others")
    runs = [kept(tmp_path / "a", bench(), b=toys.brightness, c=toys.contrast),
            kept(tmp_path / "b", bench(other), b=toys.brightness, c=toys.contrast)]  # fmt: skip
    (section,) = sections(runs)
    assert section.verdicts[0].standing.loc["b", "mean_rank"] < 2
    alone = [note for note in section.notes if note.kind == "dataset"]
    assert [note.about for note in alone] == [("items",), ("others",)]
    assert str(alone[0]).startswith("On items alone: ")


def test_the_same_name_with_other_scores_is_named_after_its_run(tmp_path):
    runs = [kept(tmp_path / "a", bench(), b=toys.brightness), kept(tmp_path / "b", bench(), b=toys.contrast)]
    (section,) = sections(runs)
    assert set(section.scores["model"]) == {"b", "b (b)", "constant"}


def test_who_answered_only_some_stands_in_a_second_table(tmp_path):
    some = bh.Recorded({f"item{i}": 0.5 for i in range(4)})
    run = kept(tmp_path / "a", bench(), b=toys.brightness, old=some)
    (section,) = sections([run])
    assert set(section.verdicts[0].left_out) == {"old"}
    assert set(section.common_verdicts[0].standing.index) == {"b", "old"}
    assert "over 4 units" in section.common_verdicts[0].says


def test_models_against_blind_ones_in_words(tmp_path):
    run = kept(tmp_path / "a", bench(), c=lambda patch: 5.0)
    (section,) = sections([run])
    assert "no better than a blind model on at least one measure: c" in map(str, section.notes)


def test_people_give_skill_or_a_sentence(tmp_path):
    of = toys.opinions(toys.items(12))
    (section,) = sections([kept(tmp_path / "a", of)], by=["mean_rank"])
    assert set(section.skill["model"]) == {"brightness", "contrast"}
    row = section.skill[(section.skill["model"] == "brightness") & (section.skill["measure"] == "miss")].iloc[0]
    assert 0.5 < row["skill"] <= 1.5
    assert (row["blind"], row["ceiling"]) == ("constant", "people")


def test_doubtful_references_are_named(tmp_path):
    of = toys.glances()
    (section,) = sections([kept(tmp_path / "a", of)], by=["mean_rank"])
    (note,) = [note for note in section.notes if note.kind == "status"]
    assert "rest on reference numbers quoted from memory" in str(note)


def test_other_judges_and_their_settings(tmp_path):
    run = kept(tmp_path / "a", bench(), b=toys.brightness, c=toys.contrast)
    (section,) = sections([run], by=["mean_score", "mean_rank(ties=average)"])
    assert [v.method for v in section.verdicts] == ["mean score", "mean rank"]
    with pytest.raises(Misuse, match="did you mean 'mean_rank'"):
        sections([run], by=["mean_rnk"])


def test_judges_are_found_again_by_their_spec():
    from functools import partial

    assert judge_spec(mean_rank) == "mean_rank"
    assert judge_spec(partial(mean_rank, ties="average")) == "mean_rank(ties='average')"
    assert judge_spec(toys.nobody) == "toys:nobody"


def test_save_wants_the_benchmark(tmp_path):
    scores = bh.run(bench(), {"b": toys.brightness}, jobs=0)
    scores.attrs = {}  # as in a table that was joined from others
    with pytest.raises(Misuse, match="got scores of toy/x but not that benchmark"):
        bh.save(tmp_path / "a", scores)


@pytest.mark.parametrize("text", ["{", '{"format": 99}'])
def test_damaged_records_are_refused(tmp_path, text):
    kept(tmp_path / "a", bench(), b=toys.brightness)
    (tmp_path / "a" / "run.json").write_text(text)
    with pytest.raises(Misuse, match=r"run\.json"):
        read(tmp_path / "a")


def test_report_and_cite_from_python(tmp_path):
    kept(tmp_path / "a", bench(), b=toys.brightness)
    assert "toy/x" in report(tmp_path / "a")
    assert json.loads(report(tmp_path / "a", view="json"))["sections"][0]["benchmark"] == "toy/x"
    assert "@article{Scharstein2002" in bh.cite(tmp_path / "a")


def test_a_family_is_judged_alone(tmp_path):
    from beholder.core.cite import source

    local = source("", family="local")(lambda patch: 0.4)
    wide = source("", family="global")(lambda patch: 0.6)
    run = kept(tmp_path / "a", bench(), local=local, wide=wide)
    (section,) = sections([run], family="local")
    assert list(section.verdicts[0].standing.index) == ["local"]
    assert "Only models of the family local are judged; 1 others are left out." in map(str, section.notes)
    with pytest.raises(Misuse, match="did you mean 'local'"):
        sections([run], family="locl")


def test_pools_over_unlike_samples_are_not_compared(tmp_path):
    whole = toys.items(6)
    of = toys.opinions(whole)
    runs = [kept(tmp_path / "a", of), kept(tmp_path / "b", toys.opinions(whole[:4]), c=toys.contrast)]
    (section,) = sections(runs, by=["mean_rank"])
    assert set(section.scores["measure"]) == {"miss"}
    (note,) = [note for note in section.notes if note.kind == "pooled"]
    assert "measures over many samples are left out: pearson" in str(note)


def test_runs_that_share_nothing_are_refused(tmp_path):
    whole = toys.items(6)
    runs = [
        kept(tmp_path / "a", bench(whole[:2]), b=toys.brightness),
        kept(tmp_path / "b", bench(whole[4:]), c=toys.contrast),
    ]
    with pytest.raises(Misuse, match="nothing to report"):
        sections(runs)


@pytest.mark.parametrize("text", ["", "benchmark\n", "[]"])
def test_damaged_tables_are_refused(tmp_path, text):
    kept(tmp_path / "a", bench(), b=toys.brightness)
    (tmp_path / "a" / "scores.csv").write_text(text)
    with pytest.raises(Misuse, match=r"scores\.csv"):
        read(tmp_path / "a")


VIEWS = ("terminal", "brief", "markdown", "html", "json")
EDITED = "The scores.csv of a was changed after the run: these are not the numbers that the run wrote."


def test_a_table_that_was_edited_is_said_to_be_in_every_report(tmp_path, capsys):
    run = kept(tmp_path / "a", bench(), b=toys.brightness, c=toys.contrast)
    file, facts = tmp_path / "a" / "scores.csv", tmp_path / "a" / "run.json"
    assert not run.edited
    assert not any("was changed" in one_line(report(run, view=view)) for view in VIEWS)
    file.write_text(file.read_text().replace("lower,", "lower,1", 1))
    for view in VIEWS:
        text = one_line(report(tmp_path / "a", view=view))
        assert text.count(EDITED) == 1, view
    assert one_line(report(tmp_path / "a", view="terminal")).index(EDITED) < 300
    command.report([tmp_path / "a"], view="csv")
    shown = capsys.readouterr()
    assert EDITED.rstrip(".") in shown.err
    assert (shown.out.startswith("benchmark,"), "changed" in shown.out) == (True, False)
    old = json.loads(facts.read_text())
    del old["scores"]
    facts.write_text(json.dumps(old))
    assert not any("was changed" in one_line(report(tmp_path / "a", view=view)) for view in VIEWS)


def one_line(text):
    return " ".join(text.split())


def test_files_that_are_missing_or_not_used_are_notes(tmp_path):
    dataset = replace(toys.items(3), remarks=("1 picture is not here: p7",))
    asked = bh.Recorded(dict.fromkeys(dataset.ids, 0.5), remarks=("1 file is not used: x.npy",))
    run = kept(tmp_path / "a", bench(dataset), old=asked)
    for view in VIEWS[2:]:
        text = report(run, view=view)
        assert "Dataset items: 1 picture is not here: p7." in text, view
        assert "Model old: 1 file is not used: x.npy." in text, view


ODD = "\x1b[2J=1+1\x00\u202eevil\nline"


def test_controls_of_names_ids_and_reasons_reach_no_report(tmp_path, capsys):
    def upset(patch):
        raise RuntimeError(ODD)

    def leaving(patch):
        sys.exit(ODD)

    whole = toys.items(3)
    dataset = Dataset(f"items{ODD}", tuple(f"{ODD}{id}" for id in whole.ids), odd_item, about=ODD)
    run = kept(tmp_path / "a", bench(dataset), **{f"good{ODD}": toys.brightness, "bad": upset, "exits": leaving})
    texts = [report(run, view=view) for view in (*VIEWS, "csv")]
    texts += [(tmp_path / "a" / name).read_text("utf-8") for name in ("scores.csv", "run.json")]
    for text in texts:
        assert not UNSEEN.search(text.replace("\n", ""))
        assert "evil" in text
    assert set(run.scores["state"]) == {"ok", "failed"}
    assert set(run.scores["unit"]) == {printable(id) for id in dataset.ids}
    Silent().say(f"model {ODD}")
    assert capsys.readouterr().err == "model " + printable(ODD) + "\n"


def odd_item(id):
    return replace(toys.rated(id.removeprefix(ODD)), id=id)
