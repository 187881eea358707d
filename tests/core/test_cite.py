import re
from functools import partial
from importlib import resources

import pytest

from beholder.core.cite import bibtex, key_of, library, source
from beholder.core.measure import fix
from beholder.errors import NeedsDataset
from beholder.registry.catalogue import places
from beholder.registry.find import find, names
from beholder.registry.load import load

EVERYTHING = [(place, name) for place in places() for name in names(place) if not place.endswith("reports")]


def keys(text):
    return [key.strip() for key in text.split(",") if key.strip()]


def made(place, name):
    """A dataset or a benchmark, where it can be made without anything being given; else the thing itself."""
    thing = find(place, name)
    if place.endswith("benchmarks"):
        try:
            return load(f"{place.partition('.')[0]}/{name}").dataset
        except NeedsDataset:
            return thing
    try:
        return thing() if place.endswith("datasets") else thing
    except (TypeError, NeedsDataset):
        return thing  # it needs a path


@pytest.mark.parametrize(("place", "name"), EVERYTHING, ids=lambda word: word)
def test_every_key_is_in_the_library(place, name):
    missing = [key for key in keys(key_of(made(place, name))) if key not in library()]
    assert not missing, f"{place} {name} cites {missing}: add the entry to references.bib"


@pytest.mark.parametrize(("place", "name"), EVERYTHING, ids=lambda word: word)
def test_measures_datasets_and_judges_say_where_they_come_from(place, name):
    if place.endswith(("measures", "datasets", "judges")):
        assert keys(key_of(made(place, name))), f"{place} {name} has no citation; give it cite=KEY"


def fields(entry):
    return dict(re.findall(r"^\s*(\w+)\s*=\s*[{\"](.+?)[}\"],?$", entry, re.MULTILINE))


def test_entries_are_whole():
    assert len(library()) >= 7
    for key, entry in library().items():
        assert re.match(r"@\w+\{" + re.escape(key) + ",", entry)
        assert entry.count("{") == entry.count("}"), key
        assert entry.count("@") == 1, key
        found = fields(entry)
        assert {"author", "title", "year"} <= set(found), f"{key} lacks an author, a title or a year"
        assert re.fullmatch(r"(18|19|20)\d\d", found["year"]), key
        assert found["year"] in key, f"{key} was published in {found['year']}"


def test_nothing_of_the_file_is_lost():
    text = resources.files("beholder").joinpath("references.bib").read_text("utf-8")
    assert text.count("@") == len(library()), "an entry does not parse, or a key stands twice"
    assert re.sub(r"\s", "", text) == re.sub(r"\s", "", "".join(library().values()))


def test_entries_of_some_keys_once_and_sorted():
    found = bibtex(["Scharstein2002, Cabezas2011", "Scharstein2002", ""])
    assert found == f"{library()['Cabezas2011']}\n\n{library()['Scharstein2002']}"
    assert bibtex([]) == bibtex([""]) == ""


def test_an_unknown_key_is_said():
    assert bibtex(["Nobody1999"]) == "% Nobody1999: no entry in references.bib; please cite it by hand"


def test_whose_key_it_is():
    @source("Key2000", family="local")
    def model(pair):
        return pair

    rms = find("stereo.measures", "rms")
    assert (key_of(model), model.facts) == ("Key2000", {"family": "local"})
    assert key_of(partial(model, 1)) == "Key2000"
    assert key_of(rms) == key_of(fix(rms, invalid="error")) == "Scharstein2002"
    assert key_of(find("stereo.datasets", "random_dots")()) == "Julesz1960"
    assert key_of(len) == key_of(None) == ""
