"""What the measures of study are tried with."""

import math

from hypothesis import strategies as st

from beholder.study.ratings import Judged
from beholder.study.tables import Coefficient, Size
from measure_inputs import Inputs, reordered

_numbers = st.floats(-2, 1)
_coefficients = st.builds(
    lambda value, reach: Coefficient(value, value - reach, min(value + reach, 1.0)), _numbers, st.floats(0, 1)
)
_sizes = st.builds(Size, st.just("quality"), st.integers(2, 9), st.integers(2, 99), st.just(2))

_right = st.sampled_from([0.0, 1.0])
_trials = st.lists(
    st.tuples(_right | st.just(math.nan), st.dictionaries(st.sampled_from("abc"), _right, max_size=3)),
    min_size=1,
    max_size=12,
).map(lambda trials: ([answer for answer, _ in trials], [Judged(values) for _, values in trials]))


def _unanswered(found, judged):
    """An item to which there is no answer, and one that nobody rated."""
    return [*found, math.nan, 1.0], [*judged, Judged({"a": 1.0}), Judged({})]


INPUTS = {
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
