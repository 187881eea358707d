"""Which columns stand side by side in a terminal, and how wide they are."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from beholder.reports._bands import FRAME, bands, widths

columns = st.lists(st.integers(1, 40), min_size=1, max_size=12)


@given(columns, st.integers(50, 200))
def test_every_column_stands_once_and_bands_fit(needs: list[int], width: int) -> None:
    found = bands(needs, width)
    assert [at for band in found for at in band[1:]] == list(range(1, len(needs)))
    for band in found:
        assert band[0] == 0
        assert len(band) <= 2 or 1 + sum(needs[at] + FRAME for at in band) <= width


@given(columns, st.integers(50, 200))
def test_no_band_could_have_held_the_next_column(needs: list[int], width: int) -> None:
    found = bands(needs, width)
    for band, after in pairwise(found):
        assert 1 + sum(needs[at] + FRAME for at in [*band, after[1]]) > width


@given(st.lists(st.tuples(st.integers(1, 15), st.integers(0, 30)), min_size=1, max_size=3), st.integers(60, 120))
def test_all_get_what_they_need_and_none_more_than_it_wants(columns: list[tuple[int, int]], width: int) -> None:
    needs = [need for need, _ in columns]
    wants = [need + more for need, more in columns]
    found = widths(needs, wants, width)
    assert all(need <= given <= want for need, given, want in zip(needs, found, wants, strict=True))
    assert 1 + sum(given + FRAME for given in found) <= width
    assert found == wants or 1 + sum(given + FRAME for given in found) == width
