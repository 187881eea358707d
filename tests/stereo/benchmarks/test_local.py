from beholder.registry.find import find, names
from beholder.stereo.benchmarks.local import local
from beholder.stereo.benchmarks.semi_dense import semi_dense
from beholder.stereo.datasets.random_dots import random_dots


def test_what_it_is():
    benchmark = local()
    assert (benchmark.name, benchmark.version) == ("stereo/local", 2)
    assert benchmark.official == semi_dense().official
    assert [c.name for c in benchmark.criteria] == ["nonocc", "disc"]
    assert local(random_dots(2)).dataset.name == "random_dots"


def test_all_local_models_take_part_and_no_others():
    every = {name: find("stereo.models", name) for name in names("stereo.models")}
    family = {name for name, model in every.items() if getattr(model, "facts", {}).get("family") == "local"}
    assert {label.partition("(")[0] for label in local().lineup.baselines} == family
    assert {model.func for model in local().lineup.baselines.values()} == {every[name] for name in family}
