"""The recipe end to end, with a tiny VideoMAE of random weights and a made set whose order is planted."""

import json
import re
from importlib.util import find_spec

import numpy as np
import pytest
from typer.testing import CliRunner

from beholder.errors import Misuse
from beholder.video.recipe.evaluation import held_out
from beholder.video.recipe.made import made
from beholder.video.recipe.preferences import from_scores

deep = pytest.mark.deep
needs_torch = pytest.mark.skipif(find_spec("torch") is None, reason="torch is not installed: ./do test-deep")


@pytest.fixture(scope="module")
def small():
    return made(scenes=12, severities=6)


@pytest.fixture(scope="module")
def weights(tmp_path_factory):
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(0)
    sizes = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
    config = transformers.VideoMAEConfig(image_size=32, patch_size=8, num_frames=16, num_labels=7, **sizes)
    root = tmp_path_factory.mktemp("weights")
    transformers.VideoMAEForVideoClassification(config).save_pretrained(root / "videomae")
    (root / "videomae" / "README.md").write_text("---\nlicense: cc0-1.0\n---\nrandom numbers\n")
    return root


@pytest.fixture(scope="module")
def trained(small, weights, tmp_path_factory):
    """The recipe, run as the command runs it, on files."""
    from beholder.video.recipe.made import write
    from beholder.video.recipe.run import Request, run

    folder = tmp_path_factory.mktemp("made")
    file = write(small, folder)
    text = run(Request(str(file), weights, folder / "out", folder / "clips", refits=2))
    return folder / "out", text


def ranks(values):
    return np.argsort(np.argsort(values))


def rows(file):
    import csv

    with file.open(newline="") as held:
        return list(csv.DictReader(held))


@deep
@needs_torch
def test_it_recovers_the_planted_order_of_held_out_clips(trained, small):
    out, text = trained
    said = json.loads((out / "videomae" / "levels.json").read_text())
    assert said["held_out"]["spearman"]["value"] >= 0.9
    assert said["held_out"]["spearman"]["lo"] < said["held_out"]["spearman"]["value"]
    assert len(said["held_out"]["refits"]) == 2
    assert min(said["held_out"]["refits"]) >= 0.9
    held = [row for row in rows(out / "clips.csv") if row["use"] == "held out"]
    planted = [-small.severity[row["item"]] for row in held]
    assert np.corrcoef(ranks(planted), ranks([float(row["cas"]) for row in held]))[0, 1] >= 0.9
    assert re.search(r"On 18 held-out clips .* is 0\.9\d\d \[0\.\d+, [01]\.\d+\]", text)


@deep
@needs_torch
def test_no_prompt_is_trained_on_and_held_out(trained):
    out, _ = trained
    said = json.loads((out / "videomae" / "levels.json").read_text())
    prompts = [{name.partition("/")[0] for name in part} for part in said["clips"].values()]
    assert sum(map(len, prompts)) == len(set.union(*prompts)) == 12
    assert sum(said["counts"]["train"].values()) == len(said["clips"]["train"])
    assert said["cut_points"] == sorted(said["cut_points"])
    assert said["network"]["licence"].startswith("cc0-1.0")


@deep
@needs_torch
def test_the_deep_backend_loads_what_was_written_and_says_the_same(trained, small):
    from beholder.video.networks.videomae import classes
    from beholder.video.networks.weights import find
    from beholder.video.release.commonsense import WORTH

    out, _ = trained
    found = find("videomae", out)
    assert found.licence.startswith("cc0-1.0")
    for row in [row for row in rows(out / "clips.csv") if row["cas"]][:3]:
        said = classes(small.clips[row["item"]], found).mean(axis=0) @ WORTH
        assert said == pytest.approx(float(row["cas"]), abs=1e-5)


@deep
@needs_torch
def test_the_same_seed_gives_the_same_head(small, weights):
    from beholder.video.recipe.encoder import encoder, located
    from beholder.video.recipe.training import Plan, train

    network = encoder(located(weights))
    one, same, other = (train(small.preferences, small.clips, network, Plan(seed=s, refits=0)) for s in (5, 5, 6))
    assert (one.kept.held_out.cas == same.kept.held_out.cas).all()
    assert set(one.kept.split.test) != set(other.kept.split.test)


@deep
@needs_torch
def test_unfrozen_blocks_are_trained_and_the_others_are_not(small, weights, monkeypatch):
    from beholder.video.recipe import tuning
    from beholder.video.recipe.encoder import encoder, located
    from beholder.video.recipe.training import Plan, train

    monkeypatch.setattr(tuning, "EPOCHS", 2)
    network = encoder(located(weights))
    found = train(small.preferences, small.clips, network, Plan(unfreeze=1, refits=0)).kept
    before, after = network.model.state_dict(), found.encoder.model.state_dict()
    changed = {name for name in before if not np.array_equal(before[name].numpy(), after[name].numpy())}
    assert any("layer.1." in name for name in changed) == (found.curve.best > 0)
    assert not any("layer.0." in name or "embeddings" in name for name in changed)
    assert found.held_out.spearman.value > 0.9
    with pytest.raises(Misuse, match="got --unfreeze 3; expected 0"):
        train(small.preferences, small.clips, network, Plan(unfreeze=3, refits=0))


@deep
@needs_torch
def test_a_pretrained_network_without_a_head_gets_one_and_another_network_is_refused(tmp_path, weights):
    import transformers

    from beholder.video.recipe.encoder import encoder, located

    sizes = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 64}
    further = {"decoder_hidden_size": 16, "decoder_num_hidden_layers": 1, "decoder_num_attention_heads": 2}
    config = transformers.VideoMAEConfig(image_size=32, patch_size=8, **sizes, **further)
    transformers.VideoMAEForPreTraining(config).save_pretrained(tmp_path / "own")
    made_of = encoder(located(tmp_path / "own"))  # the folder itself, not one that holds videomae/
    assert made_of.model.classifier.out_features == 5
    config = json.loads((tmp_path / "own" / "config.json").read_text()) | {"num_hidden_layers": 2}
    (tmp_path / "own" / "config.json").write_text(json.dumps(config))
    with pytest.raises(Misuse, match=r"lacks weights of a VideoMAE: \d+, such as videomae.encoder.layer.1"):
        encoder(located(tmp_path / "own"))


@deep
@needs_torch
def test_wrong_input_is_told_in_a_sentence(trained, weights, tmp_path):
    from beholder.video.recipe.run import Request, run

    out, _ = trained
    folder = out.parent
    file = folder / "preferences.csv"
    with pytest.raises(Misuse, match="is there already; expected a new folder; --fresh replaces it"):
        run(Request(str(file), weights, out, folder / "clips"))
    with pytest.raises(Misuse, match="got no --clips"):
        run(Request(str(file), weights, tmp_path / "new"))
    (tmp_path / "few.csv").write_text("first,second,value\n" + "".join(f"00/{n},01/{n},{n % 2}\n" for n in range(5)))
    with pytest.raises(Misuse, match="comparisons of 10 clips; expected 20 or more"):
        run(Request(str(tmp_path / "few.csv"), weights, tmp_path / "new", folder / "clips"))
    (tmp_path / "lost.csv").write_text(file.read_text().replace("03/2,", "03/9,"))
    with pytest.raises(Misuse, match=r"1 of the 72 clips are not in .*, the first '03/9'; did you mean '03/\d'\?"):
        run(Request(str(tmp_path / "lost.csv"), weights, tmp_path / "new", folder / "clips"))
    with pytest.raises(Misuse, match="no weights of videomae"):
        run(Request(str(file), tmp_path, tmp_path / "new", folder / "clips"))


@deep
@needs_torch
def test_the_command_takes_a_reward_of_the_users(trained, weights, tmp_path, monkeypatch):
    """Our own measures and functions of a file are rewards; what is red is bad."""
    from beholder.cli import app

    out, _ = trained
    (tmp_path / "mine.py").write_text("def grey(clip):\n    from beholder.video.files.answers import held\n"
                                      "    return -float(held(clip).pixels[..., 0].mean())\n")  # fmt: skip
    argv = ["video", "train", f"reward:{tmp_path / 'mine.py'}:grey", "--clips", str(out.parent / "clips"), "--weights"]
    said = CliRunner().invoke(app, [*argv, str(weights), "--out", str(tmp_path / "new"), "--refits", "0", "-q"])
    assert said.exit_code == 0, said.output
    assert "No prompts are known" in said.output
    assert (tmp_path / "new" / "report.png").stat().st_size > 10_000


def test_without_torch_the_command_says_what_to_install(tmp_path, monkeypatch):
    from beholder.video.networks import weights as found
    from beholder.video.recipe.run import Request, run

    monkeypatch.setattr(found, "find_spec", lambda name: None)
    with pytest.raises(Misuse, match="training needs torch and transformers"):
        run(Request("made", tmp_path, tmp_path / "out"))


def test_held_out_numbers_by_hand():
    """Forty clips in order; a score that swaps two of ten held-out neighbours: ρ = 1 − 6 · 2 / (10 · 99)."""
    found = from_scores({f"{n:02d}": n for n in range(40)}, opponents=39)
    test = np.arange(10, 20)
    cas = np.linspace(0, 1, 10)
    cas[[3, 4]] = cas[[4, 3]]
    got = held_out(found, test, cas, prior=0.5)
    assert got.spearman.value == pytest.approx(1 - 12 / 990)
    assert got.spearman.lo < got.spearman.value < got.spearman.hi <= 1
    assert got.decided == 45
    assert got.accuracy.value == pytest.approx(44 / 45)
    assert got.parts == 1
