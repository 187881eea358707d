"""Where weights are looked for, what is said of them, and what is refused; no network is loaded here."""

import json

import pytest
from typer.testing import CliRunner

from beholder.cli import app
from beholder.core.cite import library
from beholder.errors import Misuse
from beholder.video.networks import weights as table
from beholder.video.networks.perception import check
from beholder.video.networks.weights import ROLES, Role, chosen, find, need_torch, tell


@pytest.fixture(autouse=True)
def _nowhere(monkeypatch):
    monkeypatch.delenv(table.VARIABLE, raising=False)


def put(folder, kind="sam2_video", content=b"numbers"):
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps({"model_type": kind}))
    (folder / "model.safetensors").write_bytes(content)
    return folder


def test_a_given_folder_comes_before_the_variable_and_both_before_the_table(tmp_path, monkeypatch):
    put(tmp_path / "far" / "sam2")
    one = tmp_path / "one"
    one.mkdir()
    (one / "weights.toml").write_text('sam2 = "../far/sam2"')
    assert find("sam2", one).folder.resolve() == tmp_path / "far" / "sam2"
    monkeypatch.setenv(table.VARIABLE, str(tmp_path / "two"))
    put(tmp_path / "two" / "sam2")
    assert find("sam2", one).folder == tmp_path / "two" / "sam2"
    put(one / "sam2")
    assert find("sam2", one).folder == one / "sam2"


def test_what_is_missing_is_told_with_what_to_get_and_where_to_put_it(tmp_path):
    with pytest.raises(Misuse) as said:
        find("sam2", tmp_path)
    for words in (
        ROLES["sam2"].hub,
        "Apache-2.0",
        str(tmp_path / "sam2"),
        "config.json and *.safetensors",
        "weights.toml",
    ):
        assert words in str(said.value)
    with pytest.raises(Misuse, match=r"no weights of vitpose; get .* into \$BEHOLDER_WEIGHTS"):
        find("vitpose")
    with pytest.raises(Misuse, match="which is not there; expected one with folders"):
        find("sam2", tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("sam2 = 3", r"got sam2 = 3; expected \"a folder\", or \"owner/name\" of the hub"),
        ('sam2 = "nowhere"', "got sam2 = 'nowhere'; expected a folder that is there, or owner/name"),
        ('[sam2]\nlicence = "mine"', "expected"),
        ("sam2 = ", "is not valid TOML"),
    ],
)
def test_a_table_that_is_wrong_is_told(tmp_path, said, sentence):
    (tmp_path / "weights.toml").write_text(said)
    with pytest.raises(Misuse, match=sentence):
        find("sam2", tmp_path)


def test_another_network_and_a_folder_without_safetensors_are_refused(tmp_path):
    put(tmp_path / "a" / "sam2", kind="clip")
    with pytest.raises(Misuse, match=r"is of a network of the kind 'clip'; expected sam2_video or sam2 for sam2"):
        find("sam2", tmp_path / "a")
    pickled = put(tmp_path / "b" / "sam2")
    (pickled / "model.safetensors").rename(pickled / "pytorch_model.bin")
    with pytest.raises(Misuse, match=r"holds config.json, pytorch_model.bin; expected config.json and \*.safetensors"):
        find("sam2", tmp_path / "b")
    (put(tmp_path / "c" / "sam2") / "config.json").write_text("{")
    with pytest.raises(Misuse, match="is no configuration of a network"):
        find("sam2", tmp_path / "c")


def test_the_digest_is_of_the_bytes_and_the_licence_is_what_the_folder_says(tmp_path):
    first = find("sam2", put(tmp_path / "a" / "sam2").parent)
    assert find("sam2", put(tmp_path / "b" / "sam2").parent).digest == first.digest
    assert find("sam2", put(tmp_path / "c" / "sam2", content=b"others").parent).digest != first.digest
    assert first.licence.startswith("the folder does not say; of facebook/sam2.1-hiera-large: Apache-2.0 (from memory")
    (tmp_path / "a" / "sam2" / "README.md").write_text("---\nlicense: mit\ntags:\n- x\n---\nText: more\n")
    found = find("sam2", tmp_path / "a")
    assert (found.licence, found.digest) == ("mit (as its README says)", first.digest)
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "weights.toml").write_text('[sam2]\nat = "../a/sam2"\nlicence = "bought"')
    assert find("sam2", tmp_path / "d").licence == "bought"


def test_only_what_is_named_is_used_and_nothing_that_is_opt_in_unasked(tmp_path):
    for name, role in ROLES.items():
        put(tmp_path / name, *role.kinds[:1])
        (tmp_path / name / "cotracker.pt").write_bytes(b"")
    found = find("vitpose", tmp_path)
    assert list(chosen("", tmp_path)) == ["grounding_dino", "sam2", "vitpose", "videomae"]
    assert list(chosen("videomae + q_align", tmp_path)) == ["videomae", "q_align"]
    (tmp_path / "sam2" / "config.json").unlink()
    (tmp_path / "vitpose" / "config.json").unlink()
    with pytest.raises(
        Misuse, match=r"sam2 holds .*; also missing or wrong: vitpose; `beholder video weights` tells all"
    ):
        chosen("", tmp_path)
    with pytest.raises(Misuse, match=r"got the network 'sam'; did you mean 'sam2'\?"):
        chosen("sam", tmp_path)
    with pytest.raises(Misuse, match="vitpose starts from boxes of grounding_dino: name it, too"):
        check({"vitpose": found})


def test_a_network_of_somebody_elses_is_found_in_the_same_way(tmp_path):
    other = Role("clip", "likeness of frames", "openai/clip-vit-base-patch32", "MIT (from memory)", kinds=("clip",))
    put(tmp_path / "clip", kind="clip")
    assert find(other, tmp_path).used.name == "clip"


def test_a_licence_is_printed_once(tmp_path, capsys):
    found = find("sam2", put(tmp_path / "sam2", content=b"printed").parent)
    tell([found])
    tell([found])
    assert capsys.readouterr().err.count("sam2: weights from") == 1


def test_the_table_is_printed_and_every_paper_in_it_is_known(tmp_path):
    put(tmp_path / "sam2")
    ran = CliRunner().invoke(app, ["video", "weights", str(tmp_path)])
    assert ran.exit_code == 0, ran.output
    assert f"found in {tmp_path / 'sam2'}, digest" in ran.output
    assert all(role.hub in ran.output for role in ROLES.values() if role.name != "sam2")
    assert {role.cite for role in ROLES.values()} <= set(library())


@pytest.mark.parametrize(
    "command",
    [
        ["run", "video/motion", "--set", "backend=deep", "--limit", "1"],
        ["video", "convert", "vit_g_vmbench.pt", "videomae"],
    ],
)
def test_without_torch_every_command_says_what_to_install(monkeypatch, tmp_path, command):
    monkeypatch.setattr(table, "find_spec", lambda name: None)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "vit_g_vmbench.pt").write_bytes(b"")
    ran = CliRunner().invoke(app, command)
    assert isinstance(ran.exception, Misuse)
    assert "needs torch and transformers: not installed here; pip install torch transformers" in str(ran.exception)


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ("backend=deeep", "got backend='deeep'; expected classical or deep"),
        ("weights=x", "got weights with backend=classical"),
        ("networks=sam2", "got networks with backend=classical"),
    ],
)
def test_settings_that_contradict_one_another_are_refused(setting, sentence):
    ran = CliRunner().invoke(app, ["run", "video/motion", "--set", setting])
    assert isinstance(ran.exception, Misuse)
    assert sentence in str(ran.exception)


def test_what_needs_torch_says_which_of_the_two_is_missing(monkeypatch):
    monkeypatch.setattr(table, "find_spec", lambda name: None if name == "transformers" else object())
    with pytest.raises(Misuse, match=r"^x needs transformers: not installed here"):
        need_torch("x")
