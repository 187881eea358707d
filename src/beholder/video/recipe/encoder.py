"""The VideoMAE whose head is trained: loaded from the user's weights, asked for features, and written with its head."""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from beholder.errors import Misuse
from beholder.store.cache import cached
from beholder.store.digest import digest, package
from beholder.video.networks.loading import first_line, library, where
from beholder.video.networks.videomae import BATCH, tensor, views
from beholder.video.networks.weights import ROLES, Weights, find, need_torch
from beholder.video.recipe.head import Head, Seen
from beholder.video.release.commonsense import CLASSES
from beholder.video.types import Clip

ADVICE = "a VideoMAE such as MCG-NJU/videomae-base"
UNSAID = "its folder does not say; ask whoever published the weights"
OURS = ("classifier.", "fc_norm.")  # what the recipe trains: a network for another task, or for none, lacks them
OTHERS = ("decoder.", "encoder_to_decoder.", "mask_token", "position_embeddings")  # of a network that was pre-trained
PREPROCESSOR = {  # what `networks/videomae.py` does with frames, in the words of transformers
    "image_processor_type": "VideoMAEImageProcessor",
    "do_resize": True,
    "do_center_crop": True,
    "do_rescale": True,
    "rescale_factor": 1 / 255,
    "do_normalize": True,
    "image_mean": [0.485, 0.456, 0.406],
    "image_std": [0.229, 0.224, 0.225],
    "resample": 2,
}


@dataclass(frozen=True, eq=False)
class Encoder:
    """A VideoMAE with a head of five classes, which knows nothing before it is trained."""

    model: Any
    weights: Weights

    @property
    def frames(self) -> int:
        """How many frames it looks at."""
        return int(self.model.config.num_frames)

    @property
    def side(self) -> int:
        """Of what size, px."""
        return int(self.model.config.image_size)

    def seen(self, clip: Clip) -> Seen:
        """What it makes of the views of a clip, before the head; kept in the cache."""
        key = digest("cas features", package(), self.weights.digest, clip.content or clip.pixels)
        found: Seen = cached(key, partial(self._seen, clip))
        return found

    def _seen(self, clip: Clip) -> Seen:
        torch = import_module("torch")
        looks = views(clip, self.frames, self.side)
        with torch.inference_mode():
            found = [
                self.pooled(torch.from_numpy(tensor(looks.pixels[at : at + BATCH]))).double().numpy()
                for at in range(0, len(looks.pixels), BATCH)
            ]
        return Seen(np.concatenate(found), np.bincount(looks.which) / len(looks.which))

    def pooled(self, pixels: Any) -> Any:
        """What the classifier reads of views (V, T, 3, S, S): the normed mean of the tokens, or the first one."""
        tokens = self.model.videomae(pixels).last_hidden_state
        return tokens[:, 0] if self.model.fc_norm is None else self.model.fc_norm(tokens.mean(1))

    def wearing(self, head: Head) -> Encoder:
        """The same network with a head; what is before the head is shared."""
        torch = import_module("torch")
        made = copy.copy(self.model)  # a shallow copy: only the head becomes another one
        made._modules = dict(self.model._modules)
        made.classifier = torch.nn.Linear(head.weight.shape[1], len(CLASSES)).requires_grad_(False)
        made.classifier.weight.copy_(torch.from_numpy(head.weight))
        made.classifier.bias.copy_(torch.from_numpy(head.bias))
        return replace(self, model=made)

    def save(self, folder: Path) -> None:
        """Write network, head and how frames are prepared, so that the role videomae of backend=deep loads them."""
        import json

        from beholder.io.atomic import write_whole

        self.model.config.id2label = dict(enumerate(CLASSES))
        self.model.config.label2id = {name: at for at, name in enumerate(CLASSES)}
        self.model.save_pretrained(folder)
        size = {"size": {"shortest_edge": self.side}, "crop_size": {"height": self.side, "width": self.side}}
        write_whole(folder / "preprocessor_config.json", json.dumps(PREPROCESSOR | size, indent=1) + "\n")


def located(weights: Path) -> Weights:
    """The VideoMAE in a folder: its own files, or those of its folder videomae."""
    role = replace(ROLES["videomae"], does="the network that gets a head", hub=ADVICE, licence=UNSAID)
    if not weights.is_dir():
        raise Misuse(f"got --weights {weights}, which is not a folder; expected one with a VideoMAE, or with videomae/")
    own = weights.resolve()
    itself = (own / "config.json").is_file()
    found = find(replace(role, name=own.name), own.parent) if itself else find(role, own)
    return replace(found, role=role.name, licence=UNSAID if UNSAID in found.licence else found.licence)


def encoder(weights: Weights) -> Encoder:
    """The network of some weights with a new head; refused where weights of the network itself are missing."""
    need_torch("the recipe")
    try:
        made, told = library().VideoMAEForVideoClassification.from_pretrained(
            weights.place, **where(weights), num_labels=len(CLASSES), use_safetensors=True,
            ignore_mismatched_sizes=True, output_loading_info=True,
        )  # fmt: skip
    except Exception as fault:  # noqa: BLE001  (a broken file is told by whatever the readers of files raise)
        raise Misuse(f"{weights.place} cannot be loaded as a VideoMAE: {first_line(fault)}") from None
    wrong = {
        "lacks": [key for key in told["missing_keys"] if not key.startswith(OURS)],
        "has unknown": [key for key in told["unexpected_keys"] if not key.startswith(OTHERS)],
        "has misshapen": [key for key, *_ in told["mismatched_keys"] if not key.startswith(OURS)],
    }
    for what, names in wrong.items():
        if names:
            raise Misuse(f"{weights.place} {what} weights of a VideoMAE: {len(names)}, such as {min(names)}")
    if (eps := getattr(made.config, "fc_norm_eps", None)) and made.fc_norm is not None:
        made.fc_norm.eps = eps
    return Encoder(made.eval().requires_grad_(False), weights)
