"""The clips that preferences are about: found by their names, and by the prompts that a manifest gives them."""

from __future__ import annotations

import difflib
from dataclasses import replace
from pathlib import Path

from beholder.errors import Misuse, listed
from beholder.video.accept import accept
from beholder.video.files import manifest as manifests
from beholder.video.files.answers import located
from beholder.video.files.suffixes import clips_in, stem
from beholder.video.recipe.preferences import Preferences
from beholder.video.types import Clip, Prompt


def clips_of(preferences: Preferences, folder: Path) -> dict[str, Clip]:
    """The clip of each item, by its path below the folder, with or without a suffix; one that lacks is refused."""
    if not folder.is_dir():
        raise Misuse(f"got --clips {folder}, which is not a folder; expected one with the clips that were compared")
    places = {item: preferences.media.get(item) or located(folder, stem(item)) for item in preferences.items}
    if lost := [item for item, place in places.items() if place is None]:
        _refuse_lost(lost, folder, len(places))
    return {item: _opened(item, place) for item, place in places.items() if place is not None}


def _refuse_lost(lost: list[str], folder: Path, many: int) -> None:
    known = [name for name, _ in clips_in(folder)]
    near = difflib.get_close_matches(stem(lost[0]), known, 1)
    hint = (
        f"did you mean {near[0]!r}?" if near else f"there are {listed(known, most=3)}" if known else "it has no clips"
    )
    raise Misuse(f"{len(lost)} of the {many} clips are not in {folder}, the first {lost[0]!r}; {hint}")


def _opened(item: str, place: Path) -> Clip:
    try:
        return accept(place, Prompt())
    except (ValueError, OSError) as fault:
        raise Misuse(f"the clip {item!r} cannot be read: {fault}") from fault


def every_clip(folder: Path) -> dict[str, Clip]:
    """All clips below a folder."""
    if not folder.is_dir() or not (found := list(clips_in(folder))):
        raise Misuse(f"got --clips {folder}, which holds no clips; expected a folder with some")
    return {name: _opened(name, place) for name, place in found}


def with_prompts(preferences: Preferences, folder: Path) -> Preferences:
    """The same with prompts as groups, where preferences have none and a manifest in the folder says them."""
    file = manifests.found(folder) if not any(preferences.groups) else None
    if file is None:
        return preferences
    known = manifests.matched([stem(item) for item in preferences.items], manifests.read(file))
    prompts = tuple(known[stem(item)].text if stem(item) in known else "" for item in preferences.items)
    return replace(preferences, groups=prompts) if all(prompts) else preferences
