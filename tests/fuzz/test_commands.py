"""Arbitrary words after `beholder`: it ends with 0, 1 or 2, tells why in print, and writes nothing elsewhere."""

import pytest
from hypothesis import given

from commands import command
from damage import examples, within
from words import VERBS, lines

pytestmark = pytest.mark.fuzz
UNSEEN = set("\x1b\u202e\x07\0")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Where the commands are given: with a home of its own, and a recording."""
    root = tmp_path_factory.mktemp("commands")
    for name in ("work", "home"):
        (root / name).mkdir()
    (root / "work" / "gaze.csv").write_text("subject,trial,time_ms,x,y\n1,1,0,5,5\n1,1,2,5.5,5\n1,1,4,n/a,5\n")
    return root


@pytest.fixture
def work(place, monkeypatch):
    monkeypatch.chdir(place / "work")
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(place / "home"))


@pytest.mark.usefixtures("work")
@pytest.mark.parametrize(("verb", "params"), VERBS, ids=lambda one: " ".join(one) if isinstance(one, tuple) else "")
def test_any_words_end_in_a_sentence(verb, params):
    @examples(1)
    @given(lines(verb, params))
    def holds(words):
        with within(120):
            code, out, err = command(*words)
        assert code in (0, 1, 2)
        assert code == 0 or out + err
        assert "Traceback" not in err
        assert not UNSEEN & set(out + err)

    holds()


def test_nothing_was_written_elsewhere(place):
    assert sorted(one.name for one in place.iterdir()) == ["home", "work"]
    assert not list((place / "home").iterdir())
