"""Pictures of a benchmark as a whole: made from the ledger, first among the figures, and never a reason to fail."""

import json

import pytest

import toys
from beholder.evaluation.execute import Options, execute
from beholder.evaluation.figures import LedgerReadings, draw_overview
from beholder.evaluation.run import enlist, run
from beholder.reports._facts import pictures
from beholder.store.ledger import Ledger


@pytest.fixture(scope="module")
def done():
    book = Ledger()
    return book, run(toys.glances(), {}, jobs=0, repeats=2, ledger=book)


def drawing(seen):
    """An overview that notes what it was given."""

    def overview(scores, read):
        from matplotlib.figure import Figure

        seen.append((scores, read))
        return {"all of it": Figure(), "more": Figure()}

    return overview


def test_what_pooled_measures_read_of_every_sample_comes_from_the_ledger(done):
    book, _ = done
    found = LedgerReadings(toys.glances(), book, ["starer", "looker", "nobody"])
    assert set(found["starer"]) == set(toys.lines().ids)
    observed, reference = found["starer"]["g4"]
    assert observed == pytest.approx(0)  # the readout, not the answer
    assert isinstance(reference, toys.Looks)
    assert found["nobody"] == {}


def test_what_failed_was_not_read():
    def upset(stimulus):
        raise RuntimeError("no")

    book, bench = Ledger(), toys.vary(toys.glances(), baselines={})
    run(bench, {"upset": upset}, jobs=0, ledger=book)
    assert LedgerReadings(bench, book, ["upset"]) == {"upset": {}}


def test_the_figures_lie_beside_those_of_the_samples(done, tmp_path):
    book, scores = done
    seen = []
    bench = toys.vary(toys.glances(), overview=drawing(seen))
    found = draw_overview(bench, tmp_path, book, scores, print)
    assert found == [f"figures/toy_glances/lines/overview/{name}.png" for name in ("all_of_it", "more")]
    assert all((tmp_path / file).is_file() for file in found)
    assert seen[0][0] is scores
    assert set(seen[0][1]) == set(scores["model"])


def test_a_picture_that_cannot_be_drawn_costs_itself_only(done, tmp_path):
    book, scores = done
    said = []

    def broken(scores, read):
        raise ValueError("no colours")

    assert draw_overview(toys.vary(toys.glances(), overview=broken), tmp_path, book, scores, said.append) == []
    assert said == ["toy/glances: no overview (ValueError: no colours)"]
    assert draw_overview(toys.glances(), tmp_path, book, scores, said.append) == []


def test_a_run_draws_them_and_a_report_names_them(tmp_path):
    from beholder.engines.progress import Silent
    from beholder.evaluation.plan import Evaluation, Request, plan
    from beholder.evaluation.record import read
    from beholder.evaluation.sections import sections

    what = plan(Request("stereo/dense", ("random_dots(count=2,size=64)",)))
    (one,) = what.evaluations
    block = one.benchmark.provide("baseline", "block")
    lean = toys.vary(one.benchmark, baselines={"block": block}, sample=None, overview=drawing([]))
    entrants = {entrant.name: entrant for entrant in enlist(lean, {})}
    what = what._replace(evaluations=(Evaluation(lean, entrants),))
    made = execute(what, Options(out=tmp_path / "a", jobs=0, samples=1), Silent())
    (entry,) = json.loads((made.folder / "run.json").read_text())["benchmarks"]
    assert [figure.rpartition("/")[2] for figure in entry["figures"]] == ["all_of_it.png", "more.png"]
    (section,) = sections([read(made.folder)], near=made.folder)
    first = pictures(section)[0]
    assert (first.name, first.whole, first.alt) == ("all of it", True, "All samples: all of it")
    none = execute(what, Options(out=tmp_path / "b", jobs=0, samples=0), Silent())
    assert json.loads((none.folder / "run.json").read_text())["benchmarks"][0]["figures"] == []
