"""VMBench's commonsense checkpoint, a VideoMAE V2 ViT-g, converted for transformers: every weight finds its place.

The released script never loads this file (D1), so its scores say nothing; here a weight that is missing, left over or
of another shape is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from beholder.errors import Misuse
from beholder.video.networks.videomae import LEVELS
from beholder.video.networks.weights import need_torch

HEADS = {384: 6, 768: 12, 1024: 16, 1280: 16, 1408: 16}  # by width: small, base, large, huge, giant
NESTED = ("model", "module", "state_dict")  # under which a checkpoint may hold its weights
EPS = 1e-6  # of all norms
SOURCE = "GD-ML/VMBench, vit_g_vmbench.pt, converted by Beholder"
BLOCK = {  # one block of the paper's network → one layer of the library's
    "norm1": "layernorm_before",
    "norm2": "layernorm_after",
    "attn.proj": "attention.output.dense",
    "mlp.fc1": "intermediate.dense",
    "mlp.fc2": "output.dense",
}
ENDS = {
    "patch_embed.proj": "videomae.embeddings.patch_embeddings.projection",
    "fc_norm": "fc_norm",
    "head": "classifier",
}


def convert(file: Path, folder: Path, *, heads: int = 0, frames: int = 16, side: int = 224) -> int:
    """Convert a checkpoint into a folder for the role videomae; how many numbers it holds.

    The file says all of its sizes but three: `heads` (known of the published widths), and the `frames` and `side` (px)
    of what it looks at, which are those of VMBench.
    """
    if not file.is_file():
        raise Misuse(f"got {file}, which is not a file; expected vit_g_vmbench.pt")
    need_torch("the conversion")
    given = read(file)
    made = converted(given, str(file.name), heads=heads, frames=frames, side=side)
    if folder.exists() and any(folder.iterdir()):
        raise Misuse(f"{folder} holds files already; expected an empty or a new folder")
    made.save_pretrained(folder, safe_serialization=True)
    (folder / "README.md").write_text(f"---\nsource: {SOURCE}\n---\n", "utf-8")
    return sum(one.numel() for one in made.state_dict().values())


def read(file: Path) -> dict[str, Any]:
    """The weights of a file by their names; nothing in it is run."""
    torch = import_module("torch")
    try:
        given = torch.load(file, map_location="cpu", weights_only=True)
    except Exception:  # noqa: BLE001  (torch raises whatever its unpickler does, and advises to trust the file)
        raise Misuse(
            f"{file.name} cannot be read as weights of torch: no such file, or it holds more than numbers"
        ) from None
    while isinstance(given, dict) and (inner := next((key for key in NESTED if isinstance(given.get(key), dict)), "")):
        given = given[inner]
    if not isinstance(given, dict) or not all(isinstance(value, torch.Tensor) for value in given.values()):
        raise Misuse(f"{file.name} holds a {type(given).__name__}; expected a dictionary of weights by name")
    return {str(key).removeprefix("module."): value for key, value in given.items()}


def converted(given: Mapping[str, Any], name: str, *, heads: int = 0, frames: int = 16, side: int = 224) -> Any:
    """The library's network with the weights of the paper's; `name` is what the file is called in sentences."""
    transformers = import_module("transformers")
    config = transformers.VideoMAEConfig(
        **_sizes(given, name, heads), image_size=side, num_frames=frames, layer_norm_eps=EPS, fc_norm_eps=EPS
    )
    made = transformers.VideoMAEForVideoClassification(config)
    found = dict(_renamed(given))
    expected = made.state_dict()
    for what, keys in (("lacks", expected.keys() - found.keys()), ("has unknown", found.keys() - expected.keys())):
        if keys:
            raise Misuse(
                f"{name} {what} weights of a VideoMAE V2: {len(keys)}, such as {min(keys)}; is it another network?"
            )
    for key, value in expected.items():
        if found[key].shape != value.shape:
            raise Misuse(f"{name}: {key} has the shape {tuple(found[key].shape)}; expected {tuple(value.shape)}")
    made.load_state_dict({key: value.float() for key, value in found.items()}, strict=True)
    made.fc_norm.eps = EPS
    return made.eval()


def _sizes(given: Mapping[str, Any], name: str, heads: int) -> dict[str, Any]:
    """What the shapes of a checkpoint say of its network."""
    wanted = ("patch_embed.proj.weight", "blocks.0.mlp.fc1.weight", "head.weight")
    lacking = [key for key in wanted if key not in given]
    if lacking:
        raise Misuse(
            f"{name} has no {lacking[0]}; expected VideoMAE V2 with a head of {LEVELS} classes: is it another one?"
        )
    width, channels, tubelet, patch, _ = given["patch_embed.proj.weight"].shape
    labels = given["head.weight"].shape[0]
    if labels != LEVELS:
        raise Misuse(f"{name} distinguishes {labels} classes; expected the five levels Bad … Perfect")
    if not heads and width not in HEADS:
        raise Misuse(f"{name} is {width} wide; expected one of {', '.join(map(str, HEADS))}, the published sizes")
    return {
        "hidden_size": width,
        "num_channels": channels,
        "tubelet_size": tubelet,
        "patch_size": patch,
        "num_hidden_layers": 1 + max(int(key.split(".")[1]) for key in given if key.startswith("blocks.")),
        "num_attention_heads": heads or HEADS[width],
        "intermediate_size": given["blocks.0.mlp.fc1.weight"].shape[0],
        "num_labels": labels,
        "qv_bias": "blocks.0.attn.q_bias" in given,
        "use_mean_pooling": True,
    }


def _renamed(given: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The weights by the library's names."""
    for key, value in given.items():
        stem, _, kind = key.rpartition(".")
        if key.startswith("blocks."):
            _, number, inner = key.split(".", 2)
            layer = f"videomae.encoder.layer.{number}."
            yield from ((layer + own, part) for own, part in _in_block(inner, kind, value))
        else:
            yield f"{ENDS[stem]}.{kind}" if stem in ENDS else key, value


def _in_block(inner: str, kind: str, value: Any) -> Iterator[tuple[str, Any]]:
    own = "attention.attention."
    if inner == "attn.qkv.weight":
        for name, part in zip(("query", "key", "value"), value.chunk(3), strict=True):
            yield f"{own}{name}.weight", part.contiguous()
    elif inner in ("attn.q_bias", "attn.v_bias"):
        yield f"{own}{'query' if 'q_' in inner else 'value'}.bias", value
    else:
        stem = inner.removesuffix(f".{kind}")
        yield f"{BLOCK[stem]}.{kind}" if stem in BLOCK else inner, value
