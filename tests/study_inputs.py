"""What the measures of study are tried with."""

import math

from hypothesis import strategies as st

from beholder.core.sample import STATUSES
from beholder.study.combinations import Combination
from beholder.study.measures.turing import Said, Truth
from beholder.study.ratings import Judged
from beholder.study.tables import Coefficient, Size
from measure_inputs import Inputs, reordered

_numbers = st.floats(-2, 1)
_coefficients = st.builds(
    lambda value, reach: Coefficient(value, value - reach, min(value + reach, 1.0)), _numbers, st.floats(0, 1)
)
_sizes = st.builds(
    Size, st.just("quality"), st.integers(2, 9), st.integers(2, 99), st.just(2), st.sampled_from(STATUSES)
)

_right = st.sampled_from([0.0, 1.0])
_trials = st.lists(
    st.tuples(_right | st.just(math.nan), st.dictionaries(st.sampled_from("abc"), _right, max_size=3)),
    min_size=1,
    max_size=12,
).map(lambda trials: ([answer for answer, _ in trials], [Judged(values) for _, values in trials]))


def _unanswered(found, judged):
    """An item to which there is no answer, and one that nobody rated."""
    return [*found, math.nan, 1.0], [*judged, Judged({"a": 1.0}), Judged({})]


_judged = st.builds(
    Judged,
    st.dictionaries(st.sampled_from("abc"), st.integers(1, 5).map(float), min_size=1, max_size=3),
    st.sampled_from(["one", "two", "three", "four"]),
    st.sampled_from("pqr"),
)
_said = st.lists(st.tuples(st.integers(0, 6).map(float), _judged), min_size=1, max_size=8).map(
    lambda rows: ([number for number, _ in rows], [judged for _, judged in rows])
)
_combined = st.lists(
    st.tuples(st.integers(0, 6).map(float), st.integers(0, 6).map(float), _judged), min_size=1, max_size=8
).map(
    lambda rows: (
        [Combination(a, {"m": b, "n": a}, {"m": a, "n": b}) for a, b, _ in rows],
        [judged for *_, judged in rows],
    )
)


def _unrated(said, judged):
    """An item that nobody rated."""
    return [*said, said[0]], [*judged, Judged({}, "one", "p")]


_said_of = st.integers(1, 5).flatmap(lambda of: st.builds(Said, st.integers(0, of).map(float), st.just(of)))
_true = st.builds(Truth, st.booleans())
_told = st.lists(st.tuples(_said_of, _true), min_size=1, max_size=8).map(
    lambda rows: ([said for said, _ in rows], [truth for _, truth in rows])
)

INPUTS = {
    "study.turing": Inputs(
        pairs=st.tuples(_said_of, _true),
        perfect=lambda truth: Said(float(truth.signal)),
        empty=(Said(0, 0), Truth(signal=True)),
        blurred=lambda said, truth: (said, truth),
        shuffled=None,
        settings={},
    ),
    "study.turing.dprime": Inputs(
        pairs=_told,
        perfect=None,  # the log-linear rule keeps it from the ends
        empty=([], []),
        blurred=lambda said, truths: ([*said, Said(0, 0)], [*truths, Truth(signal=True)]),
        shuffled=reordered,
        settings={},
    ),
    "study.alignment": Inputs(
        pairs=_said,
        perfect=lambda judged: [one.mean for one in judged],
        empty=([], []),
        blurred=_unrated,
        shuffled=reordered,
        settings={"spearman": [{"scope": "within"}], "kendall": [{"scope": "between"}]},
    ),
    "study.alignment.rater_spearman": Inputs(
        pairs=_said,
        perfect=None,  # two raters who differ leave no order that is both's
        empty=([], []),
        blurred=_unrated,
        shuffled=reordered,
        settings={},
    ),
    "study.ablation": Inputs(
        pairs=_combined,
        perfect=lambda judged: [Combination(one.mean, {}, {}) for one in judged],
        empty=([], []),
        blurred=_unrated,
        shuffled=reordered,
        settings={"ablation": [{"by": "spearman"}]},
    ),
    "study.agreement": Inputs(
        pairs=st.tuples(_coefficients, _sizes),
        perfect=lambda size: Coefficient(1.0),
        empty=(Coefficient(math.nan, reason="there is one rater"), Size("quality", 1, 9, 9)),
        blurred=lambda found, size: (found, size),
        shuffled=None,
        settings={},
    ),
    "study.consistency": Inputs(
        pairs=_trials,
        perfect=None,  # people who err on different items leave nobody who errs as all of them do
        empty=([], []),
        blurred=_unanswered,
        shuffled=reordered,
        settings={},
    ),
}
