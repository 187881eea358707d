"""Networks of transformers from weights that were found: loaded once per process, whole, on the CPU, ready to run.

Only safetensors are read, so that no file can run code; and a network is refused that has not found every weight.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from typing import Any

from beholder.errors import Misuse
from beholder.video.networks.weights import Weights, need_torch

WORDS = ("tokenizer.json", "vocab.txt")  # files that know the words of a network
NETWORKS = 8  # that a process keeps loaded


@lru_cache(maxsize=NETWORKS)
def network(weights: Weights, kind: str, **options: Any) -> Any:
    """The network of a class of transformers, with its weights; refused unless every one of them fits."""
    need_torch(weights.role)
    transformers = library()
    try:
        made, told = getattr(transformers, kind).from_pretrained(
            weights.place, **where(weights), use_safetensors=True, output_loading_info=True, **options
        )
    except Exception as fault:  # noqa: BLE001  (a broken file is told by whatever the readers of files raise)
        raise Misuse(f"{weights.place} cannot be loaded as {kind} for {weights.role}: {first_line(fault)}") from None
    for what, sentence in (
        ("missing_keys", "lacks"),
        ("unexpected_keys", "has unknown"),
        ("mismatched_keys", "has misshapen"),
    ):
        names = sorted(str(one[0] if isinstance(one, tuple) else one) for one in told.get(what) or ())
        if names:
            raise Misuse(
                f"{weights.place} {sentence} weights of {kind}: {len(names)}, such as {names[0]}; is it another one?"
            )
    made.eval().requires_grad_(False)
    return made


@lru_cache(maxsize=NETWORKS)
def tokenizer(weights: Weights) -> Any:
    """What turns words into the numbers that a network reads."""
    need_torch(weights.role)
    if not weights.revision and not any((weights.folder / name).is_file() for name in WORDS):
        raise Misuse(
            f"{weights.place} holds neither of {' and '.join(WORDS)}; get one of them, too: it knows the words"
        )
    try:
        return library().AutoTokenizer.from_pretrained(weights.place, **where(weights))
    except Exception as fault:  # noqa: BLE001  (see above)
        raise Misuse(
            f"{weights.place} has no tokenizer that can be read ({first_line(fault)}); "
            "get tokenizer.json and tokenizer_config.json as they were published"
        ) from None


def where(weights: Weights) -> dict[str, Any]:
    """A folder is never looked up on the hub; an id is, at its commit."""
    return {"revision": weights.revision} if weights.revision else {"local_files_only": True}


def library() -> Any:
    """The library, without its remarks and progress bars."""
    found = import_module("transformers")
    found.utils.logging.set_verbosity_error()
    found.utils.logging.disable_progress_bar()
    return found


def first_line(fault: BaseException) -> str:
    """The first line of what went wrong."""
    return (str(fault).strip().splitlines() or [type(fault).__name__])[0]
