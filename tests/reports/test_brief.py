"""One screen for any run: the answer, the user's models, what puts it in doubt, what failed."""

import numpy as np
import pandas as pd
import pytest

from beholder.core.scores import Score, table
from beholder.core.verdict import Note
from beholder.evaluation.sections import Section
from beholder.judges.mean_rank import mean_rank
from beholder.reports import _many
from beholder.reports.brief import LINES, brief
from beholder.verdicts.against_blind import against_blind
from beholder.verdicts.trust import Basis, trust


@pytest.fixture(autouse=True)
def _eighty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def fits(text: str) -> bool:
    """Whether it is one screen of 80 columns."""
    lines = text.split("\n")
    return len(lines) <= LINES and max(map(len, lines)) <= 80


def test_the_answer_then_yours_then_the_top_of_the_table_then_failures(stereo: Section) -> None:
    text = brief([stereo])
    assert fits(text)
    flat = " ".join(text.split())
    assert flat.startswith(f"stereo/dense (version 1) {stereo.trust}")
    assert "Your model sgm is one of 2 leaders of 3, with no clear winner, and beats every blind model." in flat
    assert "Your model block is 3rd of 3" in flat
    marked = [line for line in text.split("\n") if line.startswith("▶")]
    assert [line.split()[1:3] for line in marked] == [["1", "sgm"], ["3", "block"]]
    assert "flat (blind)" in text
    assert "not shown: 1 more score column" in text
    assert "failed: broken on teddy, venus: ValueError: got shape (1, 2)" in flat
    assert "density" not in text  # not judged


def crowd(models: int, *, own: dict[int, str] | None = None) -> Section:
    """A benchmark of very many baselines with long names, of which some are the user's."""
    rng, own = np.random.default_rng(1), own or {}
    cell = ("bad_pixels", "", "", "all", "lower")
    rows = [
        Score("stereo/dense", 1, own.get(at, f"matcher(window={at},cost=census,aggregation=guided)"),
              "model" if at in own else "baseline", "scenes", f"scene{unit}", 0, *cell,
              10.0 + at + rng.normal(), np.nan, np.nan, 1, "ok", "", "verified")
        for at in range(models) for unit in range(6)
    ]  # fmt: skip
    blind = [row._replace(model="flat", role="blind", value=500.0 + at) for at, row in enumerate(rows[:6])]
    scores = table([*rows, *blind])
    verdict = mean_rank(scores)
    found = against_blind(scores)
    line = trust([verdict], found, pd.DataFrame(columns=["model", "skill"]), Basis(6, ("scenes",)))
    facts = {"name": "stereo/dense", "measures": [], "datasets": [], "unjudged": []}
    return Section("stereo/dense", 1, scores, (verdict,), (), (), line, found, pd.DataFrame(), facts, ())  # type: ignore[arg-type]


def test_of_two_hundred_models_the_users_are_always_there() -> None:
    section = crowd(200, own={120: "mine", 199: "my_other_one"})
    text = brief([section])
    assert fits(text)
    assert "Your model mine is one of 200 leaders of 200, with no clear winner" in " ".join(text.split())
    assert [line.split()[:3] for line in text.split("\n") if line.startswith("▶")] == [
        ["▶", "121", "mine"],
        ["▶", "200", "my_other_one"],
    ]
    assert "matcher(wind…ation=guided)" in text  # a name that is too long loses its middle
    assert "  1  matcher" in text
    assert "not shown: 17" in text


def test_two_hundred_models_of_the_user_leave_room_for_the_best_of_the_others() -> None:
    text = brief([crowd(200, own={at: f"mine{at}" for at in range(1, 200)})])
    assert fits(text)
    assert "And 196 more models of yours." in text
    assert "  1  matcher(wind…ation=guided)" in text
    assert "of them yours)" in text


def test_caveats_and_failures_without_end_are_counted(stereo: Section) -> None:
    kinds = [Note("edited", f"caveat {at}: " + "words and more words " * 9) for at in range(30)]
    failures = [{"model": f"m{at}", "sample": "a", "reason": "why " * 99} for at in range(50)]
    answer = "No clear winner: " + ", ".join(f"model{at}" for at in range(200))
    section = stereo._replace(
        notes=tuple(kinds),
        facts={**stereo.facts, "failures": failures},  # type: ignore[typeddict-item]
        trust=stereo.trust._replace(answer=answer),
    )
    text = brief([section])
    assert fits(text)
    assert "-v shows each of them." in text
    assert "more failures" in text
    assert "▶" in text


def test_a_few_benchmarks_get_a_sentence_each(stereo: Section, saliency: Section, empty: Section) -> None:
    text = brief([stereo, saliency, empty])
    assert fits(text)
    flat = " ".join(text.split())
    assert stereo.trust.brief in flat
    assert saliency.trust.brief in flat
    assert "Yours: sgm 1/3, block 3/3." in flat
    assert "Nothing was judged." in flat
    assert [line for line in text.split("\n") if line in ("stereo", "attention", "motion")]


@pytest.mark.parametrize("count", [24, 60])
def test_many_benchmarks_get_a_line_each(stereo: Section, saliency: Section, empty: Section, count: int) -> None:
    each = [stereo, saliency, empty]
    several = [each[at % 3]._replace(benchmark=f"domain/benchmark{at}") for at in range(count)]
    text = brief(several)
    assert fits(text)
    rows = {line.split()[0]: line for line in text.split("\n") if line.startswith("domain/")}
    assert len(rows) == 24 if count == 24 else 20 < len(rows) < 35
    assert "sgm +1" in rows["domain/benchmark0"]
    assert rows["domain/benchmark0"].endswith("sgm 1/3")
    assert ("… and" in text) == (count == 60)


def test_nobody_is_called_best_without_brackets_where_a_blind_model_wins(stereo: Section) -> None:
    told = _many._leads(stereo._replace(trust=stereo.trust._replace(best=())))
    assert told == "(sgm +1)"


def test_nothing_is_nothing(empty: Section) -> None:
    assert brief([]) == ""
    assert "There is no verdict: nothing was judged." in brief([empty])
