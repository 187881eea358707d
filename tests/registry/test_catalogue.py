import pytest

from beholder.core.measure import card
from beholder.errors import Misuse, NeedsDataset, NotFound
from beholder.registry.catalogue import KINDS, inside, listing, places, shown
from beholder.registry.find import domains, find, names
from beholder.registry.load import dataset, load


def test_a_listing_holds_everything_there_is():
    text = listing()
    for domain in domains():
        for kind in KINDS:
            line = next((line for line in text.splitlines() if line.startswith(f"{domain} {kind} ")), "")
            assert all(name in line for name in names(f"{domain}.{kind}"))
    assert {"judges", "reports"} <= {line.partition(" ")[0] for line in text.splitlines()}


def test_a_listing_of_one_domain():
    assert [line.split()[:2] for line in listing("stereo").splitlines()] == [["stereo", kind] for kind in KINDS]
    with pytest.raises(
        NotFound, match="got 'stero'; expected a domain, judges, reports or engines; did you mean 'stereo'"
    ):
        listing("stero")
    with pytest.raises(NotFound, match=r"got 'xyzzy'; .*; there are .*judges, .*reports, .*stereo"):
        listing("xyzzy")


@pytest.mark.parametrize(("kind", "some"), [("judges", {"pareto", "mean_rank"}), ("reports", {"html", "brief"})])
def test_a_listing_of_judges_or_reports(kind, some):
    (line,) = listing(kind).splitlines()
    word, *found = line.replace(",", "").split()
    assert word == kind
    assert found == names(kind)
    assert some <= set(found)
    assert line.split() in [own.split() for own in listing().splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize("place", list(places()))
def test_everything_can_be_shown(place):
    for name in inside(place):
        text = shown(f"{place.partition('.')[0]}/{name}" if place.endswith("benchmarks") else name)
        assert name in text
        assert "(no description)" not in text, f"{place} {name} has no docstring"
        assert "no entry in references.bib" not in text, f"{place} {name} cites a key that is not there"


def test_the_card_of_a_measure():
    text = shown("bad_pixels")
    assert text == shown("disparity.bad_pixels")
    its = card(find("stereo.measures", "bad_pixels"))
    assert "disparity.bad_pixels  (stereo measure)" in text
    assert "B = 100/N" in text
    assert f"range     {its.bounds[0]} to {its.bounds[1]} %, lower is better" in text
    assert "taken     per sample" in text
    assert "settings  delta=1.0, invalid='error'" in text
    assert "source    Scharstein2002: A Taxonomy and Evaluation of Dense Two-Frame Stereo" in text


def test_the_card_of_a_model():
    text = shown("sgbm")
    assert "family    global" in text
    assert "settings  mode='hh', block=3," in text
    assert "rng" not in shown("random").partition("settings")[2]


def test_the_card_of_a_benchmark():
    bench, text = load("stereo/dense"), shown("stereo/dense")
    for line in (
        "stereo/dense  (benchmark)",
        f"version   {bench.version}",
        f"dataset   random_dots+motorcycle, {len(bench.dataset)} samples (generated; Middlebury",
        "measures  bad_pixels; beside them mae",
        "criteria  nonocc, all, disc",
        "judges    pareto, mean_rank",
        f"baselines {', '.join(bench.provided('baseline'))}",
        f"blind     {', '.join(bench.provided('blind'))}",
        "ceiling   none",
        f"answers   {', '.join(bench.files.suffixes)}",
    ):
        assert line in text
    assert shown("dense") == text


def test_a_benchmark_without_a_dataset_is_shown_too(monkeypatch):
    def refused(name):
        raise NeedsDataset("give one with --dataset")

    monkeypatch.setattr("beholder.registry.catalogue.load", refused)
    assert "dataset   none built in: give one with --dataset" in shown("stereo/dense")


@pytest.mark.parametrize("name", ["", "paretto", "stereo/dens", "stereo/", "/", "nowhere/dense"])
def test_what_there_is_not(name):
    with pytest.raises(NotFound, match=f"nothing is called '{name}'; (did you mean|there are)"):
        shown(name)


def test_a_dataset_with_settings_says_what_it_holds_then():
    text = shown("classical(full=true)")
    assert "settings  full=True, profile=''" in text
    made = dataset("motion.datasets", "classical(full=true)")
    assert f"samples   {len(made)}: {made.ids[0]} … {made.ids[-1]} (fingerprint {made.fingerprint})" in text
    assert "samples" not in shown("classical")


def test_models_measures_judges_and_benchmarks_with_settings():
    assert "settings  prior=0.1, presmoothing=1.0" in shown("slow_prior(prior=0.1)")
    assert "settings  mode='signed', reference=''" in shown("final_score(mode=signed)")
    assert "settings  prior=0.5, draws=5, seed=0" in shown("bradley_terry(draws=5)")
    text = shown("motion/static(mode=facts)")
    assert "measures  final_error;" in text
    assert "settings  mode='facts'" in text


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("classical(ful=true)", "dataset classical has no setting 'ful'; did you mean 'full'"),
        ("slow_prior(movie=1)", "model slow_prior has no setting 'movie'; there are presmoothing, prior"),
        ("motion/static(mod=facts)", "did you mean 'mode'"),
        ("classical(full)", "expected key=value"),
    ],
)
def test_settings_that_there_are_not(spec, says):
    with pytest.raises(Misuse, match=says):
        shown(spec)
