"""CoTracker3 (Karaev et al. 2024): paths of points through a clip. Opt-in; its licence is non-commercial.

Its folder holds cotracker.pt, a TorchScript of a network (video, queries) → (tracks, visibility); or the authors'
package `cotracker` and their file scaled_offline.pth.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.errors import Misuse
from beholder.video.networks.loading import first_line
from beholder.video.networks.weights import Weights, need_torch
from beholder.video.release.points import Grey
from beholder.video.types import Floats

VISIBLE = 0.9  # of a visibility that is no yes or no: the released threshold
WINDOW = 60  # frames that the offline network sees at once


def follow(
    frames: Sequence[Grey], points: Floats, start: int = 0, *, weights: Weights
) -> tuple[Floats, NDArray[np.bool_]]:
    """Where points of frame `start` are in every frame, (T, P, 2), px, and whether they are seen there, (T, P)."""
    if not len(points):
        return np.zeros((len(frames), 0, 2)), np.zeros((len(frames), 0), bool)
    torch = import_module("torch")
    grey = torch.from_numpy(np.stack(frames).astype(np.float32))
    video = grey[None, :, None].expand(-1, -1, 3, -1, -1)
    queries = torch.from_numpy(np.column_stack([np.full(len(points), start), points]).astype(np.float32))[None]
    with torch.inference_mode():
        tracks, seen = tracker(weights)(video, queries)
    places = np.array(tracks[0], float)
    visible = np.array(seen[0]).reshape(places.shape[:2])
    if places.shape != (len(frames), len(points), 2):
        raise Misuse(f"{weights.place} gave paths of {places.shape}; expected {(len(frames), len(points), 2)}")
    return places, visible if visible.dtype == bool else visible > VISIBLE


@lru_cache(maxsize=1)
def tracker(weights: Weights) -> Callable[[Any, Any], Any]:
    """(video (1, T, 3, H, W) of 0 … 255, queries (1, P, 3) of frame, x, y) → (tracks, visibility)."""
    need_torch(weights.role)
    folder = weights.folder
    script, package = folder / "cotracker.pt", folder / "cotracker" / "predictor.py"
    if script.is_file():
        return _script(script)
    if package.is_file():
        return _package(folder)
    raise Misuse(
        f"{folder} holds neither cotracker.pt (TorchScript) nor the package cotracker with its scaled_offline.pth"
    )


def _script(file: Path) -> Callable[[Any, Any], Any]:
    torch = import_module("torch")
    try:
        made: Callable[[Any, Any], Any] = torch.jit.load(str(file), map_location="cpu").eval()
    except Exception as fault:  # noqa: BLE001  (torch raises whatever its reader does)
        raise Misuse(f"{file} cannot be read as TorchScript: {first_line(fault)}") from None
    return made


def _package(folder: Path) -> Callable[[Any, Any], Any]:
    """The authors' predictor with their weights, of which nothing is run when they are read."""
    torch = import_module("torch")
    file = next(iter(sorted(folder.glob("*.pth"))), None)
    if file is None:
        raise Misuse(
            f"{folder} holds the package cotracker and no .pth; expected its weights scaled_offline.pth beside it"
        )
    sys.path.insert(0, str(folder))
    try:
        made = import_module("cotracker.predictor").CoTrackerPredictor(checkpoint=None, offline=True, window_len=WINDOW)
        given = torch.load(file, map_location="cpu", weights_only=True)
        made.model.load_state_dict(given.get("model", given), strict=True)
    except Exception as fault:  # noqa: BLE001  (the code of others: anything may come)
        raise Misuse(f"CoTracker in {folder} cannot be loaded: {first_line(fault)}") from None
    finally:
        sys.path.remove(str(folder))
    made.model.eval()
    return lambda video, queries: made(video, queries=queries, backward_tracking=True)
