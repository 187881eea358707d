"""Table 1 of Zanca et al. (2020) for all models is joined from runs, and says where something is missing."""

import re

import pandas as pd
import pytest

from beholder.attention.types import scanpath
from beholder.claims import zanca_table_1 as page
from beholder.core.benchmark import Benchmark
from beholder.core.scores import COLUMNS
from beholder.errors import Misuse
from beholder.evaluation.record import save
from beholder.evaluation.run import run


def scores(dataset, **means):
    """Rows of a run on three pictures: measure → model → value; a name with the role of a blind model ends on !."""
    rows = []
    for label, models in means.items():
        names = re.fullmatch(r"(?P<measure>\w+)(?:\((?P<settings>.*)\))?(?:\.(?P<part>\w+))?", label).groupdict("")
        for model, value in models.items():
            for at, unit in ((0, "p0"), (0.5, "p1"), (1, "p2")):
                role = "blind" if model.endswith("!") else "model"
                row = dict.fromkeys(COLUMNS, "") | {
                    "benchmark": "b",
                    "version": 1,
                    "model": model.strip("!"),
                    "role": role,
                }
                row |= {"dataset": dataset, "unit": unit, "repeat": 0, **names, "criterion": "all"}
                row |= {"better": "higher", "value": value + at, "lo": float("nan"), "hi": float("nan"), "n": 1}
                rows.append(row | {"state": "ok", "provenance": "verified"})
    return pd.DataFrame(rows)


MAPS = scores(
    "x", **{"auc(preset=tuebingen)": {"itti": 0.5, "visits(of=gravity)": 0.6, "judd_like": 0.9, "uniform!": 0.0}}
)
PATHS = scores(
    "x",
    **{
        "string_edit": {"gravity": 7.0, "wta_argmax(of=itti)": 9.0, "wta_lif(of=itti)": 8.0, "uniform!": 9.5},
        "stde(norm=k)": {"gravity": 0.8},
        "stde(norm=rms)": {"gravity": 0.1},
        "amplitude_divergence.kl_model_people": {"gravity": 0.3},
    },
)


def test_maps_and_paths_of_a_model_are_one_row():
    rows = page.joined(MAPS, PATHS)
    assert [(row.model, row.way) for row in rows] == [
        ("gravity", ""),
        ("itti", "wta_lif"),
        ("itti", "wta_argmax"),
        ("judd_like", ""),
        ("uniform", ""),
    ]
    first, second = rows[:2]
    assert first.cells["AUC"].value == pytest.approx(1.1)
    assert first.cells["STDE"].value == pytest.approx(1.3)  # not that of the other norm
    assert first.cells["KL(model‖people)"].value == pytest.approx(0.8)
    assert second.cells["AUC"].value == pytest.approx(1.0)
    assert "STDE" not in second.cells


def test_the_order_of_the_runs_does_not_matter():
    assert page.joined(PATHS, MAPS) == page.joined(MAPS, PATHS)


def test_the_text_has_a_column_for_supervision():
    text = page.markdown(page.joined(MAPS, PATHS)).splitlines()
    assert text[0] == (
        "| model | path by | supervised | AUC | NSS | String-Edit | STDE | KL(people‖model) | KL(model‖people) |"
    )
    assert text[2].startswith("| gravity | itself | no | 1.10 [-0.14, 2.34] | — | 7.50")
    assert text[4].startswith("| itti | wta_argmax | no |")
    assert text[5].startswith("| judd_like | itself | yes |")
    assert text[6].startswith("| uniform (blind) |  |  | 0.50")


def test_single_persons_have_no_row():
    own = scores("x", string_edit={"gravity": 7.0, "person a": 6.0})
    own.loc[own["model"] == "person a", "role"] = "person"
    assert [row.model for row in page.joined(own)] == ["gravity"]


def test_runs_of_other_datasets_are_refused():
    with pytest.raises(Misuse, match="got runs on x, y; expected finished runs of one dataset"):
        page.joined(MAPS, scores("y", string_edit={"gravity": 7.0}))
    with pytest.raises(Misuse, match="no dataset"):
        page.joined()


def test_it_prints_runs_from_their_folders(tmp_path, capsys):
    from beholder.attention.datasets.simulated import simulated
    from beholder.attention.measures.string_edit import string_edit
    from beholder.judges.mean_rank import mean_rank

    def corner(picture):
        return scanpath([5.0, 50.0], [5.0, 50.0])

    bench = Benchmark("attention/scanpath", 1, simulated()[:2], (string_edit,), (mean_rank,))
    save(tmp_path / "run", run(bench, {"wta_argmax(of=mine)": corner}, jobs=0), bench)
    assert page.main([str(tmp_path / "run")]) == 0
    assert re.search(r"\| mine \| wta_argmax \| \? \| — \| — \| \d+\.\d\d", capsys.readouterr().out)
    assert page.main([]) == page.main([str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert "got no folder; expected those of runs" in said
    assert "holds no run.json" in said
