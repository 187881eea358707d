import pytest

from beholder.core.measure import card
from beholder.errors import Misuse, NeedsDataset, NotFound
from beholder.registry.catalogue import shown
from beholder.registry.find import domains, find, names
from beholder.registry.listing import KINDS, described, inside, listing, places, preset_names
from beholder.registry.load import dataset, load


@pytest.fixture(autouse=True)
def _eighty_columns(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")


def test_a_listing_of_all_fits_one_screen_and_tells_how_to_see_more():
    lines = listing().splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines[:-4])) <= 80
    for domain in domains():
        counts = {kind: len(names(f"{domain}.{kind}")) for kind in KINDS[1:]}
        (head,) = [line for line in lines if line.startswith(f"{domain} benchmarks, with")]
        assert all(f"{count} {kind}" in head for kind, count in counts.items())
        own = {line.split()[0] for line in lines if line.startswith("  ")}
        assert set(names(f"{domain}.benchmarks")) <= own
    assert "list models" in lines[-1]


@pytest.mark.parametrize("words", [("stereo", "models"), ("models", "stereo"), ("stereo model",), ("Stereo", "MODELS")])
def test_a_listing_of_one_kind_in_one_domain_with_a_sentence_each(words):
    head, *lines = listing(*words).splitlines()
    assert head == f"stereo models ({len(names('stereo.models'))})"
    assert [line.split()[0] for line in lines] == names("stereo.models")
    assert "  block   Block matching of OpenCV: the local baseline" in lines
    assert max(map(len, lines)) <= 80


def test_a_listing_of_a_domain_a_kind_judges_presets_and_words():
    heads = [line.split(" (")[0] for line in listing("stereo").splitlines() if line and not line.startswith(" ")]
    assert heads == [*(f"stereo {kind}" for kind in KINDS), "stereo presets"]
    assert [line for line in listing("measures").splitlines() if line.startswith("  disparity.bad_pixels ")]
    assert listing("judges").startswith(f"judges ({len(names('judges'))})")
    assert "  tuebingen " in listing("attention", "presets")
    assert "  kitti2015 " in listing("presets")
    assert "  ceiling " in listing("words")


def test_a_listing_of_what_there_is_not():
    with pytest.raises(NotFound, match="got 'stero'; expected a domain or a kind; did you mean 'stereo'"):
        listing("stero")
    with pytest.raises(NotFound, match=r"got 'xyzzy'; .*; there are .*judges, .*reports, .*stereo"):
        listing("xyzzy")


def test_every_thing_of_ours_has_a_first_sentence():
    lacking = [(place, name) for place in places() for name in names(place) if not described(place, name)]
    lacking += [(domain, name) for domain, own in preset_names().items() for name in own
                if not described(f"{domain}.presets", name)]  # fmt: skip
    assert not lacking


def test_presets_are_those_that_there_are():
    from beholder.attention.presets import PRESETS as ATTENTION
    from beholder.stereo.presets import PRESETS as STEREO

    assert preset_names() == {"attention": list(ATTENTION), "stereo": list(STEREO)}


def test_the_card_of_a_preset():
    text = shown("tuebingen")
    assert text.startswith("tuebingen  (preset of attention: --set preset=tuebingen)")
    assert "auc(preset=tuebingen)" in text
    assert "Deviation:" in text
    assert "regions   all, nonocc, bg, fg" in shown("kitti2015")
    assert shown("mit-matlab") == shown("mit_matlab")


def test_words_of_the_glossary_and_kinds():
    assert shown("ceiling").startswith("ceiling  (a word)\n\nwhat people reach")
    text = shown("judges")
    assert "a function from the score table to a verdict" in text
    assert "  pareto " in text
    assert "stereo models" in shown("stereo")


def test_people_are_of_four_kinds_and_the_page_says_whose():
    text = shown("people")
    parts = {part.partition(":")[0]: part for part in text.split("\n\n")}
    assert "mit1003" in parts["recorded"]
    assert "fetv" in parts["recorded"]
    assert "classical" in parts["published"]
    assert "depths" not in text
    assert max(map(len, text.splitlines())) <= 80
    assert "attention: simulated" in parts["simulated"]
    assert "other observers predict the one left out" in text


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
