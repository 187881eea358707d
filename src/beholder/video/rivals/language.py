"""Models of transformers that read pictures and text: a local one, asked for yes or no, for a number, or for words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.errors import Misuse
from beholder.video.networks.loading import first_line, network
from beholder.video.networks.weights import Weights
from beholder.video.types import Bytes

YES, NO = ("Yes", "yes", " Yes", " yes", "YES"), ("No", "no", " No", " no", "NO")
NOT_READ = (
    "score.",
    "lm_head.",
    "model.lm_head.",
    "language_model.lm_head.",
)  # what a body without a head leaves aside


@dataclass(frozen=True, eq=False)
class Speaker:
    """A model and what prepares its input."""

    model: Any
    processor: Any

    def inputs(self, frames: Sequence[Bytes], text: str) -> Any:
        """Pictures and then a question, as the model's own template has them, where there is one."""
        if getattr(self.processor, "chat_template", None):
            pictures: list[dict[str, str]] = [{"type": "image"} for _ in frames]
            turn = {"role": "user", "content": [*pictures, {"type": "text", "text": text}]}
            return self.prepared(frames, self.processor.apply_chat_template([turn], add_generation_prompt=True))
        return self.prepared(frames, f"{self.signs(len(frames))}{text}")

    def signs(self, many: int) -> str:
        """What stands for pictures in a text."""
        return f"{getattr(self.processor, 'image_token', None) or '<image>'} " * many

    def prepared(self, frames: Sequence[Bytes], text: str) -> Any:
        """Pictures and a text that has a sign for each of them."""
        pictures = import_module("PIL.Image")
        shown = [pictures.fromarray(np.ascontiguousarray(frame)) for frame in frames]
        return self.processor(images=shown, text=[text], return_tensors="pt")

    def yes(self, inputs: Any) -> float:
        """P(yes) / (P(yes) + P(no)) of the next word, over the ways in which both are written."""
        torch = import_module("torch")
        with torch.inference_mode():
            chance = self.model(**inputs).logits[0, -1].double().softmax(-1).numpy()
        yes, no = (float(chance[self._tokens(words)].sum()) for words in (YES, NO))
        return yes / (yes + no) if yes + no > 0 else float("nan")

    def _tokens(self, words: Sequence[str]) -> list[int]:
        """The numbers of words that are one token each."""
        tokenizer = self.processor.tokenizer
        coded = [tokenizer(word, add_special_tokens=False)["input_ids"] for word in words]
        known = {one[0] for one in coded if len(one) == 1 and one[0] != tokenizer.unk_token_id}
        if not known:
            raise Misuse(f"the model has no token for {words[0]!r}; expected one that answers in plain words")
        return sorted(known)

    def says(self, inputs: Any, most: int) -> str:
        """What the model answers, the likeliest word each time."""
        torch = import_module("torch")
        with torch.inference_mode():
            said = self.model.generate(**inputs, max_new_tokens=most, do_sample=False)
        own = said[:, inputs["input_ids"].shape[1] :]
        return str(self.processor.batch_decode(own, skip_special_tokens=True)[0])


def speaker(weights: Weights) -> Speaker:
    """A model that answers in words."""
    return Speaker(network(weights, "AutoModelForImageTextToText"), processor(weights))


@lru_cache(maxsize=2)
def processor(weights: Weights) -> Any:
    """What makes the input of a model; no code of its folder is run."""
    where = {"revision": weights.revision} if weights.revision else {"local_files_only": True}
    try:
        return import_module("transformers").AutoProcessor.from_pretrained(weights.place, **where)
    except Exception as fault:  # noqa: BLE001  (a broken file is told by whatever the readers of files raise)
        raise Misuse(f"{weights.place} has no processor that can be read: {first_line(fault)}") from None


@lru_cache(maxsize=1)
def regressor(weights: Weights, numbers: int) -> tuple[Speaker, NDArray[np.float64]]:
    """A model whose head gives numbers instead of words, and the head: score.weight (numbers, d)."""
    transformers = import_module("transformers")
    where = {"revision": weights.revision} if weights.revision else {"local_files_only": True}
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    try:
        made, told = transformers.AutoModel.from_pretrained(
            weights.place, **where, use_safetensors=True, output_loading_info=True
        )
    except Exception as fault:  # noqa: BLE001  (see above)
        raise Misuse(f"{weights.place} cannot be loaded for {weights.role}: {first_line(fault)}") from None
    missing = sorted(told["missing_keys"])
    odd = sorted(key for key in told["unexpected_keys"] if not key.startswith(NOT_READ))
    if missing or odd:
        raise Misuse(f"{weights.place} {'lacks' if missing else 'has unknown'} weights, such as {(missing or odd)[0]}")
    head = _score(weights)
    if head.shape[0] != numbers:
        raise Misuse(f"{weights.place} gives {head.shape[0]} numbers; expected {numbers} for {weights.role}")
    return Speaker(made.eval().requires_grad_(False), processor(weights)), head


def _score(weights: Weights) -> NDArray[np.float64]:
    """The head of a regression, from the files."""
    safetensors = import_module("safetensors")
    folder = Path(weights.place)
    if not folder.is_dir():
        folder = Path(import_module("huggingface_hub").snapshot_download(weights.place, revision=weights.revision))
    for file in sorted(folder.glob("*.safetensors")):
        with safetensors.safe_open(file, "pt") as held:
            if "score.weight" in held.keys():  # noqa: SIM118  (it is no dictionary)
                return np.asarray(held.get_tensor("score.weight").double().numpy())
    raise Misuse(f"{weights.place} has no score.weight; expected a model with a head that gives numbers")
