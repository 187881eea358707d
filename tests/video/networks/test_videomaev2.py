"""VMBench's checkpoint converted: the same function as the paper's network, written down here in plain torch."""

import math
import pickle
import shutil

import numpy as np
import pytest

from beholder.errors import Misuse
from beholder.video.networks.loading import network
from beholder.video.networks.videomae import classifier
from beholder.video.networks.videomaev2 import convert, converted
from beholder.video.networks.weights import find

torch = pytest.importorskip("torch", reason="torch is not installed: ./do test-deep")
pytest.importorskip("transformers", reason="transformers is not installed: ./do test-deep")
pytestmark = pytest.mark.deep

WIDTH, DEPTH, HEADS, SIDE, FRAMES, PATCH = 24, 2, 3, 28, 4, 14


def checkpoint(seed=0, labels=5):
    """Random weights by the names that the authors' file has."""
    torch.manual_seed(seed)
    shapes = {
        "patch_embed.proj.weight": (WIDTH, 3, 2, PATCH, PATCH),
        "patch_embed.proj.bias": (WIDTH,),
        "fc_norm.weight": (WIDTH,),
        "fc_norm.bias": (WIDTH,),
        "head.weight": (labels, WIDTH),
        "head.bias": (labels,),
    }
    for block in range(DEPTH):
        own = {
            "norm1.weight": (WIDTH,), "norm1.bias": (WIDTH,), "norm2.weight": (WIDTH,), "norm2.bias": (WIDTH,),
            "attn.q_bias": (WIDTH,), "attn.v_bias": (WIDTH,), "attn.qkv.weight": (3 * WIDTH, WIDTH),
            "attn.proj.weight": (WIDTH, WIDTH), "attn.proj.bias": (WIDTH,), "mlp.fc1.weight": (40, WIDTH),
            "mlp.fc1.bias": (40,), "mlp.fc2.weight": (WIDTH, 40), "mlp.fc2.bias": (WIDTH,),
        }  # fmt: skip
        shapes |= {f"blocks.{block}.{name}": shape for name, shape in own.items()}
    return {name: 0.3 * torch.randn(shape) for name, shape in shapes.items()}


def reference(weights, video):
    """The paper's network on (B, C, T, H, W): tubelets, fixed positions, pre-norm blocks, mean, norm, head."""
    functional = torch.nn.functional
    tokens = functional.conv3d(
        video, weights["patch_embed.proj.weight"], weights["patch_embed.proj.bias"], (2, PATCH, PATCH)
    )
    tokens = tokens.flatten(2).transpose(1, 2)
    tokens = tokens + positions(tokens.shape[1])
    for block in range(DEPTH):
        own = {name.split(".", 2)[2]: value for name, value in weights.items() if name.startswith(f"blocks.{block}.")}
        tokens = tokens + attention(own, normed(tokens, own, "norm1"))
        hidden = functional.gelu(normed(tokens, own, "norm2") @ own["mlp.fc1.weight"].T + own["mlp.fc1.bias"])
        tokens = tokens + hidden @ own["mlp.fc2.weight"].T + own["mlp.fc2.bias"]
    pooled = normed(tokens.mean(1), weights, "fc_norm")
    return pooled @ weights["head.weight"].T + weights["head.bias"]


def normed(x, weights, name):
    return torch.nn.functional.layer_norm(x, (WIDTH,), weights[f"{name}.weight"], weights[f"{name}.bias"], 1e-6)


def attention(own, x):
    bias = torch.cat([own["attn.q_bias"], torch.zeros(WIDTH), own["attn.v_bias"]])
    count, size = x.shape[1], WIDTH // HEADS
    query, key, value = (x @ own["attn.qkv.weight"].T + bias).reshape(-1, count, 3, HEADS, size).permute(2, 0, 3, 1, 4)
    weight = (query @ key.transpose(-1, -2) / math.sqrt(size)).softmax(-1)
    mixed = (weight @ value).transpose(1, 2).reshape(-1, count, WIDTH)
    return mixed @ own["attn.proj.weight"].T + own["attn.proj.bias"]


def positions(count):
    """Sines at even places, cosines at odd ones, of wavelengths that double every so often."""
    place, at = np.mgrid[:count, :WIDTH]
    angle = place / 10000 ** (2 * (at // 2) / WIDTH)
    return torch.from_numpy(np.where(at % 2, np.cos(angle), np.sin(angle))).float()


SIZES = {"heads": HEADS, "frames": FRAMES, "side": SIDE}


@pytest.fixture(scope="module")
def video():
    torch.manual_seed(9)
    return torch.randn(2, 3, FRAMES, SIDE, SIDE)


def test_the_converted_network_is_the_papers_function(video):
    given = checkpoint()
    with torch.no_grad():
        found = converted(given, "x.pt", **SIZES)(pixel_values=video.transpose(1, 2)).logits
        wanted = reference(given, video)
    assert wanted.std() > 0.1
    assert (found - wanted).abs().max() < 1e-6 * max(1, wanted.abs().max())


@pytest.mark.parametrize(
    "nested", [lambda w: w, lambda w: {"model": w}, lambda w: {"module": {f"module.{k}": v for k, v in w.items()}}]
)
def test_saved_and_loaded_again_it_is_identical_however_the_file_nests_its_weights(video, nested, tmp_path):
    given = checkpoint()
    torch.save(nested(given), tmp_path / "vit.pt")
    count = convert(tmp_path / "vit.pt", tmp_path / "videomae", **SIZES)
    assert count == sum(value.numel() for value in given.values())
    weights = find("videomae", tmp_path)
    assert "vit_g_vmbench.pt, converted by Beholder" in weights.source
    with torch.no_grad():
        found = classifier(weights)(pixel_values=video.transpose(1, 2)).logits
        direct = converted(given, "x.pt", **SIZES)(pixel_values=video.transpose(1, 2)).logits
    assert torch.equal(found, direct)


def without(name):
    return {key: value for key, value in checkpoint().items() if key != name}


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (
            lambda: without("blocks.1.norm2.bias"),
            "lacks weights of a VideoMAE V2: 1, such as videomae.encoder.layer.1.layernorm",
        ),
        (lambda: without("head.weight"), r"has no head.weight; expected VideoMAE V2 with a head of 5 classes"),
        (lambda: checkpoint() | {"blocks.0.ls1": torch.ones(3)}, "has unknown weights of a VideoMAE V2: 1"),
        (
            lambda: checkpoint() | {"fc_norm.bias": torch.ones(3)},
            r"fc_norm.bias has the shape \(3,\); expected \(24,\)",
        ),
        (lambda: checkpoint(labels=400), "distinguishes 400 classes; expected the five levels"),
        (lambda: [1, 2], "holds a list; expected a dictionary of weights"),
    ],
)
def test_a_weight_without_its_place_is_refused(given, sentence, tmp_path):
    torch.save(given(), tmp_path / "vit.pt")
    with pytest.raises(Misuse, match=sentence):
        convert(tmp_path / "vit.pt", tmp_path / "out", **SIZES)
    assert not (tmp_path / "out").exists()


def test_another_width_a_folder_in_use_and_no_file_are_told(tmp_path):
    with pytest.raises(Misuse, match="is 24 wide; expected one of 384, 768"):
        converted(checkpoint(), "x.pt")
    with pytest.raises(Misuse, match=r"is not a file; expected vit_g_vmbench.pt"):
        convert(tmp_path / "none.pt", tmp_path / "out")
    torch.save(checkpoint(), tmp_path / "vit.pt")
    with pytest.raises(Misuse, match="holds files already"):
        convert(tmp_path / "vit.pt", tmp_path, **SIZES)


class Bomb:
    def __reduce__(self):
        return (exec, ("raise SystemError('it ran')",))


def test_a_pickle_is_never_run(tmp_path):
    (tmp_path / "raw.pt").write_bytes(pickle.dumps({"head.weight": Bomb()}))
    torch.save({"head.weight": Bomb()}, tmp_path / "zip.pt")
    for name in ("raw.pt", "zip.pt"):
        with pytest.raises(Misuse, match="cannot be read as weights of torch"):
            convert(tmp_path / name, tmp_path / "out")


def test_a_checkpoint_that_does_not_fit_is_refused_when_it_is_loaded(checkpoints, tmp_path):
    from safetensors.torch import load_file, save_file

    place = tmp_path / "lacking" / "videomae"
    shutil.copytree(checkpoints / "videomae", place)
    own = load_file(place / "model.safetensors")
    del own["classifier.weight"]
    save_file(own, place / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(Misuse, match=r"lacks weights of VideoMAEForVideoClassification: 1, such as classifier.weight"):
        network(find("videomae", tmp_path / "lacking"), "VideoMAEForVideoClassification")
    save_file(
        own | {"classifier.weight": torch.ones(5, 32), "odd": torch.ones(1)},
        place / "model.safetensors",
        metadata={"format": "pt"},
    )
    with pytest.raises(Misuse, match=r"has unknown weights .* such as odd"):
        network(find("videomae", tmp_path / "lacking"), "VideoMAEForVideoClassification")
    (place / "model.safetensors").write_bytes(b"broken")
    with pytest.raises(Misuse, match="cannot be loaded as VideoMAEForVideoClassification for videomae"):
        network(find("videomae", tmp_path / "lacking"), "VideoMAEForVideoClassification")
