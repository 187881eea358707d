"""Of each benchmark the verdict and the scores behind it."""

from beholder.evaluation.sections import Section
from beholder.reports import _notes
from beholder.reports._view import LEGEND
from beholder.reports.brief import ELSEWHERE, brief


def test_verdicts_and_what_failed(stereo: Section, saliency: Section, empty: Section) -> None:
    lines = brief([stereo, saliency, empty]).split("\n")
    assert lines[:3] == [
        "stereo/dense (version 1)",
        f"  {stereo.trust}",
        "  6 of 203 scores failed.",  # 7 models × (9 scenes × 3 regions + a pooled measure with a part); 2 × 3 failed
    ]
    assert stereo.trust.answer.startswith("No clear winner among 2 of 3 models: sgm, census")
    assert f"  {saliency.trust}" in lines
    assert lines[-4:] == ["motion/static (version 1)", "  There is no verdict: nothing was judged.", "", LEGEND]


def test_the_judged_scores_with_blind_models_counts_and_status(stereo: Section) -> None:
    text = brief([stereo])
    assert "Scores" in text
    assert "Further measures" not in text
    assert "(blind)" in text
    assert "reference status" in text
    assert "held" in text


def test_a_sentence_on_very_many_is_cut(stereo: Section) -> None:
    answer = "No clear winner: " + ", ".join(f"model{at}" for at in range(200))
    long = stereo._replace(trust=stereo.trust._replace(answer=answer))
    line = brief([long]).split("\n")[1]
    cut = line.removeprefix("  ").removesuffix(f" … {ELSEWHERE}")
    assert 280 < len(cut) <= 300
    assert _notes.trust(long).startswith(f"{cut}, model")
    assert "html" in ELSEWHERE


def test_nothing_is_nothing() -> None:
    assert brief([]) == ""
