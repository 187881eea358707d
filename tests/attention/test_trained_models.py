"""Models that people's fixations taught are not scored on the bed that those came from."""

import pytest
from typer.testing import CliRunner

from attention_folders import one_based_nus_folder
from beholder.attention.models.fitted import fitted
from beholder.attention.types import Picture
from beholder.cli import app
from beholder.spine.misuse import Misuse


@pytest.mark.parametrize("spec", ["judd_like", "mine=judd_like(centre=false)"])
def test_judd_like_is_refused_on_eyecrowd_by_the_command_line(tmp_path, spec):
    bed = one_based_nus_folder(tmp_path / "bed")
    words = ["run", "attention/saliency", "--bed", f"eyecrowd:{bed}", "--model", spec, "--out", str(tmp_path / "out")]
    done = CliRunner().invoke(app, words)
    assert isinstance(done.exception, Misuse)  # the command's exit code is 2
    assert "was trained on eyecrowd" in str(done.exception)
    assert not (tmp_path / "out").exists()


def test_nor_are_densities_fitted_of_it(tmp_path):
    bed = one_based_nus_folder(tmp_path / "bed")
    with pytest.raises(Misuse, match="'judd_like' was trained on eyecrowd"):
        fitted(Picture(None), of="judd_like", on=f"eyecrowd:{bed}")
