"""Files as nobody means them: what may happen to the bytes of a good one, and how a reader has to take it."""

import os
import re
import signal
from contextlib import contextmanager

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

DEEP = os.environ.get("HYPOTHESIS_PROFILE") == "deep"
SECONDS = 5  # of computing that a reader may take to refuse a small file
HUGE = [
    b"\xff\xff\xff\xff",
    b"\xff\xff\xff\x7f",
    b"\x7f\xff\xff\xff",
    b"\0\0\0\0",
    b"\0\0\0\x80",
    b"\x80\0\0\0",
    b"\0\0\1\0",
]
# What stands where a number or a word is expected.
WORDS = [
    b"",
    b"0",
    b"-1",
    b"1e999",
    b"-1e999",
    b"nan",
    b"1e-320",
    b"9" * 400,
    b"9" * 5000,
    b"2147483648",
    b"1.5",
    b"null",
    b"true",
    b"{}",
    b"[]",
    b"[[]]",
    b'"x"',
    b"''",
    b"n/a",
    b"\xff",
    b"\0",
    b"\xe2\x80\xae",
    b"\xd9\xa3",
    b"\xc2\xb2",
    b"\x1b[31m",
    b"../x",
    b"/",
    b"=1+1",
    b"\n",
    b"\t",
    b",",
    b"a" * 200_000,
]


def examples(few):
    """So many in every run of the tests, and many more where HYPOTHESIS_PROFILE=deep asks for them."""
    return settings(
        max_examples=few * (100 if DEEP else 1),
        deadline=None,
        database=None,
        derandomize=not DEEP,
        suppress_health_check=list(HealthCheck),
        print_blob=DEEP,
    )


@st.composite
def damaged(draw, whole, others=()):
    """The bytes of a file after one to three accidents; now and then bytes that never were such a file."""
    if draw(st.integers(0, 19)) == 0:
        return whole[: draw(st.integers(0, 12))] + draw(st.binary(max_size=200))
    for _ in range(draw(st.integers(1, 3))):
        whole = draw(st.sampled_from(ACCIDENTS))(draw, whole, others)
    return whole


def _place(draw, whole):
    """Somewhere, and often in the head."""
    return min(draw(st.one_of(st.integers(0, 160), st.integers(0, max(len(whole), 1)))), len(whole))


def _cut(draw, whole, others):
    return whole[: _place(draw, whole)]


def _flip(draw, whole, others):
    at = _place(draw, whole)
    return whole[:at] + bytes(byte ^ draw(st.integers(1, 255)) for byte in whole[at : at + 1]) + whole[at + 1 :]


def _insert(draw, whole, others):
    at = _place(draw, whole)
    return whole[:at] + draw(st.binary(min_size=1, max_size=16)) + whole[at:]


def _repeat(draw, whole, others):
    at, end = sorted((_place(draw, whole), _place(draw, whole)))
    return whole[:end] + whole[at:end] * draw(st.integers(1, 3)) + whole[end:]


def _remove(draw, whole, others):
    at, end = sorted((_place(draw, whole), _place(draw, whole)))
    return whole[:at] + whole[end:]


def _huge(draw, whole, others):
    at = _place(draw, whole)
    return whole[:at] + draw(st.sampled_from(HUGE)) + whole[at + 4 :]


def _word(draw, whole, others):
    """One number or word is another."""
    found = list(re.finditer(rb"[\w.+-]+", whole[:20_000]))
    if not found:
        return whole
    one = draw(st.sampled_from(found))
    return whole[: one.start()] + draw(st.sampled_from(WORDS)) + whole[one.end() :]


def _swap(draw, whole, others):
    """The head of another file."""
    if not others:
        return whole
    other, at = draw(st.sampled_from(others)), _place(draw, whole)
    return other[:at] + whole[at:]


ACCIDENTS = (_cut, _flip, _insert, _repeat, _remove, _huge, _word, _word, _swap)


class Hang(BaseException):  # no reader may catch it
    pass


@contextmanager
def within(seconds=SECONDS):
    """What computes for longer is a hang, whatever else the machine does; so is what waits for much longer."""

    def stop(*_):
        raise Hang(f"it takes more than {seconds} s")

    clocks = {signal.ITIMER_PROF: (signal.SIGPROF, seconds), signal.ITIMER_REAL: (signal.SIGALRM, 20 * seconds)}
    before = {sent: signal.signal(sent, stop) for sent, _ in clocks.values()}
    for clock, (_, most) in clocks.items():
        signal.setitimer(clock, most)
    try:
        yield
    finally:
        for clock, (sent, _) in clocks.items():
            signal.setitimer(clock, 0)
            signal.signal(sent, before[sent])


def refuses_or_reads(read, path):
    """A reader gives something, or a ValueError whose sentence names the file; nothing else, and soon."""
    try:
        with within():
            read(path)
    except FileNotFoundError:
        raise
    except ValueError as fault:
        if path.name not in str(fault) and path.stem not in str(fault):
            raise AssertionError(f"the file is not named: {fault!r}") from fault
