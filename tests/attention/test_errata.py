"""What is wrong in Le Meur & Baccino (2013): each mended where it is computed, and said there."""

import inspect
from pathlib import Path

import numpy as np
import pytest

from beholder.attention.datasets import toronto
from beholder.attention.gaze import vectors
from beholder.attention.maps import fixation_maps as maps
from beholder.attention.measures import auc
from beholder.attention.measures.auc import eer
from beholder.attention.measures.mannan import mannan
from beholder.attention.measures.maps import kl
from beholder.attention.measures.nss import percentile
from beholder.attention.measures.string_edit import string_similarity
from beholder.attention.people import ceiling as people
from beholder.attention.people import picture_intervals as intervals
from beholder.attention.readouts import Surface
from beholder.attention.types import Lookers, scanpath
from beholder.stats import roc

SAID = [
    (maps.fixation_map, "They print δ(t) = 1"),
    (roc, "FPR = FP/(TP + FN)"),
    (roc, "plot it against the wrong axis"),
    (roc, "a high threshold over-detection"),
    (auc, "it is FP/(FP + TN), along the abscissa"),
    (kl, "Σ p log(r/p), which is never positive"),
    (eer, "FPR and TPR are equal there; it is the two errors that are equal"),
    (mannan, 'print "second" for the trace'),
    (mannan, "0 as the lower bound"),
    (intervals, 'α "confidence level"; it is the level of significance'),
    (string_similarity, "0.4 of ABCDE and ABAA a distance"),
    (string_similarity, "2 substitutions and 1 deletion"),
    (vectors.alignment, "its alignment needs five and five"),
    (percentile, "hold only without ties"),
    (people.congruency, "high dispersion is low congruency"),
    (toronto, "20 participants"),
    (toronto, "up to 11"),
]
PAGE = Path(__file__).parents[2] / "docs" / "reference" / "saliency.md"


@pytest.mark.parametrize(("of", "words"), SAID, ids=lambda one: one if isinstance(one, str) else one.__name__)
def test_it_is_said_where_it_is_computed(of, words):
    text = inspect.getsource(of) if inspect.ismodule(of) else inspect.getdoc(of)
    assert " ".join(words.split()) in " ".join(text.replace('"\n', "").replace('    "', " ").split())


def test_the_page_lists_them_with_both_counts_of_observers():
    page = PAGE.read_text("utf-8")
    assert "What is wrong in Le Meur & Baccino (2013)" in page
    for words in ("FIFA 27 observers", "8, up to 11 a picture, 27 elsewhere", "| `vectors.alignment` |"):
        assert words in page


def test_a_false_alarm_is_a_share_of_the_negatives():
    curve = roc.roc(np.array([3.0]), np.array([1.0, 2.0, 3.0, 4.0]))
    assert curve.fpr.tolist() == [0, 0.25, 0.5, 0.75, 1]  # of four negatives; of the one positive it would be above 1


def test_the_divergence_is_never_negative():
    here = Lookers({"a": scanpath([1, 3], [1, 2])}, (6, 8), px_per_deg=1.0)
    found = maps.continuous_map(here)[::-1]
    assert min(kl(Surface(found), here, direction=way).value for way in ("people-model", "model-people")) > 0


def test_figure_two_aligns_five_vectors_with_five():
    one = vectors.saccade_vectors(scanpath(np.cumsum([0, 5, 5, 0, -30, 0]), np.cumsum([0, 0, 0, 20, 0, -40])))
    other = vectors.saccade_vectors(scanpath(np.cumsum([0, 10, 0, -30, 0, 0]), np.cumsum([0, 0, 20, 0, -20, -20])))
    i, j = vectors.alignment(one, other)
    assert list(zip(i + 1, j + 1, strict=True)) == [(1, 1), (2, 1), (3, 2), (4, 3), (5, 4), (5, 5)]
