"""Models that people's fixations taught are not scored on the dataset that those came from."""

from functools import partial

import pytest
from typer.testing import CliRunner

from attention_folders import one_based_nus_folder
from beholder.attention.maps.densities import Fitted
from beholder.attention.models.conditional import conditional
from beholder.attention.models.fitted import fitted
from beholder.attention.models.judd_like import judd_like
from beholder.attention.models.scenewalk import RATES, Rates, scenewalk
from beholder.attention.types import Picture
from beholder.cli import app
from beholder.errors import Misuse
from beholder.registry.find import find, names
from beholder.registry.models import Plug
from beholder.registry.trained_on import trained_on


@pytest.mark.parametrize("spec", ["judd_like", "mine=judd_like(centre=false)"])
def test_judd_like_is_refused_on_eyecrowd_by_the_command_line(tmp_path, spec):
    dataset = one_based_nus_folder(tmp_path / "dataset")
    words = [
        "run",
        "attention/saliency",
        "--dataset",
        f"eyecrowd:{dataset}",
        "--model",
        spec,
        "--out",
        str(tmp_path / "out"),
    ]
    done = CliRunner().invoke(app, words)
    assert isinstance(done.exception, Misuse)  # the command's exit code is 2
    assert "was trained on eyecrowd" in str(done.exception)
    assert not (tmp_path / "out").exists()


def test_nor_are_densities_fitted_of_it(tmp_path):
    dataset = one_based_nus_folder(tmp_path / "dataset")
    with pytest.raises(Misuse, match="'judd_like' was trained on eyecrowd"):
        fitted(Picture(None), of="judd_like", on=f"eyecrowd:{dataset}")


@pytest.mark.parametrize(
    ("spec", "dataset"),
    [
        ("conditional(of=saccadic_prior)", "eyecrowd"),
        ("wta_argmax(of=judd_like)", "eyecrowd"),
        ("visits(of=saccadic_prior)", "eyecrowd"),
        ("fitted(of=judd_like, on='mit1003:PATH')", "eyecrowd"),
        ("fitted(of='mine=judd_like(centre=false)', on='mit1003:PATH')", "eyecrowd"),
        ("scenewalk(rates=fitted)", "mit1003"),
        ("conditional(of='scenewalk(rates=fitted)')", "mit1003"),
        ("conditional(of='scenewalk(of=judd_like)')", "eyecrowd"),
        ("from_sampler(of='levy(of=judd_like)')", "eyecrowd"),
    ],
)
def test_what_calls_another_has_learnt_what_that_has(spec, dataset):
    model = Plug(spec, "attention.models", "").function()
    assert trained_on(model, dataset) == dataset
    assert trained_on(model, "osie") == ""


@pytest.mark.parametrize(
    ("benchmark", "spec"),
    [
        ("conditional", "conditional(of=saccadic_prior)"),
        ("scanpath", "wta_argmax(of=judd_like)"),
        ("saliency", "visits(of=saccadic_prior)"),
        ("saliency", "fitted(of=judd_like, on='mit1003:nowhere')"),
    ],
)
def test_so_it_is_refused_by_the_command_line(tmp_path, benchmark, spec):
    dataset = one_based_nus_folder(tmp_path / "dataset")
    words = ["run", f"attention/{benchmark}", "--dataset", f"eyecrowd:{dataset}", "--model", f"mine={spec}"]
    done = CliRunner().invoke(app, [*words, "--out", str(tmp_path / "out")])
    assert isinstance(done.exception, Misuse)
    assert "model 'mine' was trained on eyecrowd" in str(done.exception)


def test_functions_and_objects_count_as_names_do():
    other = partial(scenewalk, of=partial(judd_like, centre=False))
    for model in (other, partial(conditional, of=other), Fitted(partial(judd_like, centre=False), None)):
        assert trained_on(model, "eyecrowd") == "eyecrowd"
    assert trained_on(partial(scenewalk, rates=RATES["fitted"]), "mit1003") == "mit1003"
    assert trained_on(partial(scenewalk, rates=Rates(attention=9.0)), "mit1003") == ""
    assert trained_on(partial(conditional, of="dir:maps (1)"), "mit1003") == ""


def test_a_users_file_is_opened_only_where_it_runs(tmp_path):
    (tmp_path / "net.py").write_text(
        "from beholder.core.cite import source\n\n"
        "@source('', trained_on='osie')\ndef net(picture):\n    return picture.pixels[..., 0]\n"
    )
    model = partial(find("attention.models", "wta_argmax"), of=f"{tmp_path / 'net.py'}:net")
    assert trained_on(model, "osie") == ""
    assert trained_on(model, "osie", files=True) == "osie"


def test_without_settings_only_two_have_learnt_from_people():
    every = {name: find("attention.models", name) for name in names("attention.models")}
    learnt = {name for name, model in every.items() if trained_on(model, "eyecrowd+mit1003+osie+cat2000")}
    assert learnt == {"judd_like", "saccadic_prior"}
