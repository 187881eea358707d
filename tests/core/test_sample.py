import gc
import pickle
import weakref

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beholder.core.sample import STATUSES, Dataset, Sample, join, worst
from beholder.engines.parcels import pack
from beholder.errors import Misuse, NotFound
from beholder.registry import load
from beholder.store.digest import digest


class Loader:
    """Loads a sample that says its own id, and remembers what it was asked for."""

    def __init__(self):
        self.asked = []

    def __call__(self, id):
        self.asked.append(id)
        return Sample(id, f"stimulus of {id}", f"reference of {id}", {"first": id[:1]})


def dataset(ids="abcde", name="letters", **more):
    return Dataset(name, tuple(ids), Loader(), **more)


def numbered(id):
    return Sample(id, np.full(3, int(id)), int(id))


def doubled(sample):
    return Sample(sample.id, sample.stimulus * 2, sample.reference, sample.tags)


def louder(sample):
    return Sample(sample.id, sample.stimulus + "!", sample.reference, sample.tags)


def test_nothing_is_loaded_before_it_is_asked_for():
    letters = dataset(status="seed")
    other = dataset("xy", "others")
    everything = (letters[1:], letters.only("db"), letters.whole, letters.map(doubled), letters + other, iter(letters))
    assert len(letters.fingerprint) == 16
    assert len(everything) == 6
    assert letters.load.asked == other.load.asked == []
    assert letters[2].id == "c"
    assert letters[-1].id == "e"
    assert letters.load.asked == ["c", "e"]


def test_a_slice_keeps_the_fingerprint_and_every_id():
    letters = dataset()
    for part, ids in (
        (letters[1:3], "bc"), (letters[::2], "ace"), (letters[::-1], "edcba"), (letters.only("db"), "db"),
        (letters[1:][1:], "cde"), (letters[:0], ""),
    ):  # fmt: skip
        assert part.ids == tuple(ids)
        assert part.all_ids == tuple("abcde")
        assert part.fingerprint == letters.fingerprint
        assert part.whole == letters
        assert [s.stimulus for s in part] == [f"stimulus of {id}" for id in ids]


def test_what_is_left_out_of_a_slice_can_come_back():
    assert dataset()[:1].only("e")[0].id == "e"


def test_unknown_and_repeated_ids_are_refused():
    with pytest.raises(NotFound, match=r"dataset letters has no sample 'z'; it has a, b, c, d, e$"):
        dataset().only("az")
    with pytest.raises(NotFound, match="it has a, b, c, d, e and 21 more"):
        dataset("abcdefghijklmnopqrstuvwxyz").only(["?"])
    with pytest.raises(Misuse, match="got the sample id 'b' twice"):
        dataset("abcb")
    with pytest.raises(Misuse, match="got the sample id 'a' twice"):
        dataset().only("aba")
    with pytest.raises(Misuse, match="got status 'guess'; expected one of verified, seed"):
        dataset(status="guess")
    with pytest.raises(IndexError):
        dataset()[5]


def test_a_dataset_is_a_sequence():
    letters = dataset("ab")
    assert [s.id for s in reversed(letters)] == ["b", "a"]
    assert letters == letters[:]
    assert letters != letters[:1]
    assert hash(letters) == hash(letters[:])


class Heavy:
    """Something that can be watched being thrown away."""


def test_iteration_holds_one_sample_at_a_time():
    alive = weakref.WeakSet()

    def heavy(id):
        thing = Heavy()
        alive.add(thing)
        return Sample(id, thing, None)

    most = 0
    for number, sample in enumerate(Dataset("many", tuple(map(str, range(10_000))), heavy)):
        assert sample.id == str(number)
        most = max(most, len(alive))
    assert most <= 2  # the one at hand, and the one before it while the next is being loaded
    del sample
    gc.collect()
    assert not alive


def test_a_map_is_lazy_composes_and_is_another_dataset():
    numbers = Dataset(
        "numbers", ("1", "2", "3"), numbered, cite="Key", licence="free", status="verified", about="Some."
    )
    twice = numbers.map(doubled)
    four_times = twice.map(doubled, name="again")
    assert (twice.name, four_times.name) == ("numbers|doubled", "numbers|doubled|again")
    assert [s.stimulus[0] for s in four_times] == [4, 8, 12]
    assert [s.stimulus[0] for s in four_times[1:].map(doubled)] == [16, 24]
    assert len({numbers.fingerprint, twice.fingerprint, four_times.fingerprint}) == 3
    assert twice.fingerprint == numbers[:1].map(doubled).fingerprint
    assert (twice.cite, twice.licence, twice.status, twice.about) == ("Key", "free", "verified", "Some.")
    assert [s.stimulus[0] for s in pickle.loads(pickle.dumps(four_times))] == [4, 8, 12]


def test_a_mapped_dataset_is_not_rebuilt_as_the_dataset_that_it_was():
    dots = load.dataset("stereo.datasets", "random_dots(count=2,size=64)")
    nothing_done = dots.map(str, name="as text")
    assert dots.spec
    assert not nothing_done.spec
    assert pickle.loads(pickle.dumps(nothing_done))[0].startswith("<Sample rds0")


def test_a_join_qualifies_ids_and_dispatches():
    both = dataset("ab", "x", cite="One", licence="free", status="seed") + dataset(
        "bc", "y", cite="Two", status="memory"
    )
    assert both.name == "x+y"
    assert both.ids == ("x/a", "x/b", "y/b", "y/c")
    assert (both.cite, both.licence, both.status) == ("One,Two", "free", "memory")
    sample = both[2]
    assert (sample.id, sample.stimulus, sample.tags) == ("y/b", "stimulus of b", {"first": "b", "dataset": "y"})
    assert both.load.datasets["x"].load.asked == []
    thrice = join(both, dataset("q", "z"))
    assert thrice[1].stimulus == "stimulus of b"
    assert thrice[1].id == "x+y/x/b"


def test_joined_names_that_begin_alike_are_told_apart():
    both = join(dataset("a", "mit"), dataset("a", "mit/indoor"))
    assert [s.tags["dataset"] for s in both] == ["mit", "mit/indoor"]


def test_parts_that_are_joined_are_a_part_of_the_whole():
    whole = join(dataset("ab", "x"), dataset("cd", "y"))
    part = join(dataset("ab", "x")[:1], dataset("cd", "y")[1:])
    assert part.ids == ("x/a", "y/d")
    assert part.all_ids == whole.ids
    assert part.fingerprint == whole.fingerprint
    assert [s.id for s in part.whole] == list(whole.ids)


def test_datasets_of_one_name_cannot_be_joined():
    with pytest.raises(Misuse, match="cannot join datasets of the same name: letters, letters"):
        join(dataset(), dataset())


texts = st.text(max_size=3)
unlike = st.tuples(texts, st.lists(texts, unique=True, max_size=4).map(tuple), st.integers(1, 3), texts)


def print_of(name, ids, version, content):
    return Dataset(name, ids, numbered, version=version, content=content).fingerprint


@settings(deadline=None)
@given(unlike, unlike)
def test_fingerprints_tell_datasets_apart_by_name_ids_version_and_content(one, other):
    assert (print_of(*one) == print_of(*other)) == (one == other)


@pytest.mark.parametrize(
    "other", [("y", ("a",), 1, "c"), ("x", ("b",), 1, "c"), ("x", ("a",), 2, "c"), ("x", ("a",), 1, "d")]
)
def test_a_fingerprint_changes_with_each_of_them(other):
    assert print_of(*other) != print_of("x", ("a",), 1, "c")


def test_an_id_with_a_line_break_is_not_two_ids():
    assert print_of("x", ("a\nb",), 1, "") != print_of("x", ("a", "b"), 1, "")


def test_what_is_said_of_a_dataset_does_not_change_its_fingerprint():
    assert dataset(about="Nice.", licence="free", status="seed").fingerprint == dataset().fingerprint


def test_a_dataset_from_a_spec_travels_as_its_spec():
    dots = load.dataset("stereo.datasets", "random_dots(count=3,size=64)")
    for part in (dots, dots[1:], dots.only(["rds2", "rds0"])):
        sent = pack(part)
        assert len(sent) < 300
        back = pickle.loads(sent)
        assert (back.ids, back.all_ids, back.fingerprint) == (part.ids, dots.ids, dots.fingerprint)
        assert digest(back[0]) == digest(part[0])
        assert back.spec == dots.spec


def test_a_dataset_without_a_spec_travels_whole():
    numbers = Dataset("numbers", ("1", "2"), numbered, version=3, content="c", status="memory", cite="K", about="Some.")
    for part in (numbers, numbers[1:]):
        assert pickle.loads(pickle.dumps(part)) == part
    both = pickle.loads(pack(join(numbers[:1], load.dataset("stereo.datasets", "random_dots(count=2,size=64)"))))
    assert both.ids == ("numbers/1", "random_dots/rds0", "random_dots/rds1")
    assert both[1].stimulus.left.shape == (64, 64)


def test_the_worst_status_is_kept():
    assert worst([]) == ""
    assert [worst(STATUSES[:n]) for n in range(1, 7)] == list(STATUSES)
    assert worst(["placeholder", "verified"]) == "placeholder"
    with pytest.raises(Misuse, match="got the status 'sure' of a reference; expected one of verified"):
        worst(["seed", "sure"])
