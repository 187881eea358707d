import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from beholder.stats.ranks import ranks

TABLES = arrays(float, st.tuples(st.integers(1, 8), st.integers(1, 6)), elements=st.integers(0, 4).map(float))


@pytest.mark.parametrize("ties", ["min", "average"])
@given(losses=TABLES)
def test_ranks_are_those_of_scipy(ties, losses):
    from scipy.stats import rankdata

    assert (ranks(losses, ties) == rankdata(losses, method=ties, axis=0)).all()
