"""The re-analysis of Zanca et al.'s Table 2: numbers of specs/scanpath-and-study.md 5.1, and SciPy's tests."""

import numpy as np
import pytest
from scipy import stats

from beholder.claims import zanca_study as study
from beholder.claims.page import SECTIONS


def test_the_overall_interval_includes_chance_and_dprime_is_small():
    claim = study.close_to_chance()
    assert claim.holds
    assert "d′ 0.176, criterion 0.013" in claim.here
    assert "[0.496, 0.564], t = 1.77, p = 0.085" in claim.here
    sample = np.random.default_rng(0).normal(size=35)
    sample = 0.53 + 0.10 * (sample - sample.mean()) / sample.std(ddof=1)
    assert study.interval(study.TABLE_2["overall"], 35).p == pytest.approx(stats.ttest_1samp(sample, 0.5).pvalue)


def test_experts_alone_and_against_the_others():
    assert "[0.495, 0.605]" in study.experts_are_better().here
    rows = study.TABLE_2["expert evaluators"], study.TABLE_2["naive evaluators"]
    theirs = stats.ttest_ind_from_stats(*rows[0], 18, *rows[1], 17, equal_var=False)
    assert study.welch((rows[0], 18), (rows[1], 17))[1] == pytest.approx(theirs.pvalue)
    assert study.experts_are_better().verdict == "is not shown"


def test_neither_a_difference_nor_equivalence_is_shown():
    assert study.cannot_be_told().verdict == "is not shown"


def test_the_printed_kappa_needs_equal_n():
    claim = study.kappa_as_printed()
    assert claim.holds is False
    assert "2.9 each" in claim.here
    equal = np.array([10, 9, 8, 5, 5, 4, 2, 1, 0, 7.0])  # ten raters, specs 6: 0.3552977
    assert study.literal_kappa(equal, 10 - equal, 10) == pytest.approx(0.3552977, abs=1e-7)
    assert study.literal_kappa(equal, 10 - equal, 35) < -0.8


def test_the_gap_of_experts_is_within_what_the_design_gives_by_chance():
    claim = study.kappa_by_expertise()
    assert claim.holds is None
    assert "groups of 18 and 17 differ by 0.11 or more" in claim.here


def test_87_participants_and_no_sign_of_skill():
    assert "takes 87 participants" in study.enough_people().here
    assert "0.112" in study.skill_of_people().here
    assert study.asked_for_half().holds


def test_it_has_a_section():
    assert study in SECTIONS["study"]
