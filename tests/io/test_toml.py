import tomllib

from hypothesis import given
from hypothesis import strategies as st

from beholder.io.toml import written

_texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
_plain = st.one_of(st.booleans(), st.integers(-(2**40), 2**40), st.floats(allow_nan=False), _texts)
_keys = st.text(min_size=1, max_size=6, alphabet='ab-_ .é"')
_tables = st.recursive(
    st.dictionaries(_keys, _plain | st.lists(_plain, max_size=3), max_size=3),
    lambda inner: st.dictionaries(_keys, inner | st.lists(inner, min_size=1, max_size=2), max_size=3),
    max_leaves=6,
)


@given(_tables)
def test_what_is_written_is_read_back(table):
    assert tomllib.loads(written(table)) == table
