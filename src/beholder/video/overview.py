"""What a folder of clips holds: how many, how long, how large, and what a manifest says of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.core.overview import Overview
from beholder.core.sample import Dataset
from beholder.errors import listed
from beholder.io.columns import plain
from beholder.video.files import manifest
from beholder.video.files.clips import opened
from beholder.video.files.suffixes import clips_in
from beholder.video.types import Clip, Prompt

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHOWN, FRAMES, LOOKED = 4, 4, 12  # clips in the picture, frames of each, clips of which facts are read
STILL = (".webp", ".npy", ".npz")  # may as well be pictures, maps or fields
SIDE = 240  # px: the longer side of a frame in the picture


class Watched(NamedTuple):
    """A clip that was decoded: its size, frames, seconds, and some of its frames."""

    shape: tuple[int, int]
    frames: int
    seconds: float
    some: list[NDArray[np.uint8]]


def overview(dataset: Dataset[Any, Any]) -> Overview:
    """Counts, sizes and rates of clips, what their manifest says, and a picture of the first ones."""
    files: dict[str, Path] = getattr(dataset.load, "files", {})
    samples = [dataset.load(id) for id in dataset.ids]
    prompts = [one.stimulus.text for one in samples if isinstance(one.stimulus, Prompt)]
    blank = sum(not text for text in prompts)
    watched, faults = _watched({id: files[id] for id in dataset.ids[:LOOKED] if id in files})
    tags = sorted({key for one in samples for key in one.tags})
    facts = {
        "clips": f"{len(dataset):,}" if files else f"{len(dataset):,} prompts, no clips (models bring them)",
        "prompts": f"{len(prompts) - blank:,} of {len(prompts):,}"
        + (f", such as {_first(prompts)!r}" if blank < len(prompts) else ""),
        "tags": listed(tags, most=8),
        **_of_clips(list(watched.values())),
    }
    doubts = [f"{id} cannot be read: {fault}" for id, fault in faults.items()]
    if files and blank == len(prompts):
        doubts.append(_without_prompts(files))
    draw = partial(first_clips, dataset.name, watched) if watched else None
    return Overview({key: text for key, text in facts.items() if text}, tuple(doubts), draw)


def _without_prompts(files: dict[str, Path]) -> str:
    """What to do where no clip has a prompt: there may be a manifest under another name."""
    id, clip = next(iter(files.items()))
    likely = manifest.unnamed(clip.parents[id.count("/")], list(files))
    if likely is None:
        return "no clip has a prompt: a manifest.csv with the columns file and prompt says what each should show"
    table, column = likely
    known = plain(column) in manifest.WORDS["name"]
    return f"{table.name} looks like a manifest; give manifest={table.name}" + (
        "" if known else f" and --columns file={column}"
    )


def _first(prompts: Sequence[str]) -> str:
    text = next(text for text in prompts if text)
    return text if len(text) <= 60 else f"{text[:57]}…"


def _of_clips(watched: Sequence[Watched]) -> dict[str, str]:
    if not watched:
        return {}
    sizes = sorted({f"{one.shape[1]} × {one.shape[0]} px" for one in watched})
    rates = sorted({f"{one.frames / one.seconds:.4g}" for one in watched if one.seconds > 0})
    seconds = [one.seconds for one in watched]
    counts = [one.frames for one in watched]
    return {
        "frames": f"of the first {len(watched)}: {listed(sizes, most=3)}; {min(counts)} to {max(counts)} frames; "
        f"{min(seconds):.3g} to {max(seconds):.3g} s; {listed(rates, most=4)} frames per second",
    }


def _watched(files: dict[str, Path]) -> tuple[dict[str, Watched], dict[str, str]]:
    """The clips that can be decoded, and why others cannot."""
    found, faults = {}, {}
    for id, path in files.items():
        try:
            found[id] = _watch(path)
        except ValueError as fault:
            faults[id] = str(fault)
    return found, faults


def _watch(path: Path) -> Watched:
    with opened(Clip(path=path), SIDE) as stream:
        every = list(stream.frames)
        shape, step = stream.shape, stream.step
    times = [float(time) for time, _ in every]
    lasts = step if np.isfinite(step) else (times[-1] - times[0]) / max(1, len(times) - 1)
    chosen = sorted({round(at) for at in np.linspace(0, len(every) - 1, FRAMES)})
    return Watched(shape, len(every), times[-1] - times[0] + lasts, [np.asarray(every[at][1]) for at in chosen])


def first_clips(name: str, watched: dict[str, Watched]) -> Figure:
    """Some frames of the first clips, a row each."""
    from matplotlib.figure import Figure

    shown = dict(list(watched.items())[:SHOWN])
    tall = [2.2 * one.some[0].shape[0] / one.some[0].shape[1] + 0.3 for one in shown.values()]
    figure = Figure((2.2 * FRAMES, sum(tall) + 0.4), dpi=130, layout="constrained")
    panels = figure.subplots(len(shown), FRAMES, squeeze=False, height_ratios=tall)
    for row, (id, one) in zip(panels, shown.items(), strict=True):
        for axes in row:
            axes.set_axis_off()
        for axes, frame in zip(row, one.some, strict=False):
            axes.imshow(frame)
        row[0].set_title(f"{id}: {one.frames} frames, {one.seconds:.3g} s", size=8, loc="left", parse_math=False)
    figure.suptitle(f"{name}: frames from the first to the last", size=9, x=0.01, ha="left", parse_math=False)
    return figure


def recognise(path: Path, columns: str = "") -> str:
    """The dataset of video that a path seems to be: a folder with films or a manifest; nothing where it is none."""
    if not path.is_dir():
        return ""
    films = any(clip.is_file() and clip.suffix.lower() not in STILL for _, clip in clips_in(path))
    return "clips" if films or manifest.found(path) else ""
