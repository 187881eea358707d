"""What a dataset of stereo pairs holds, and what in it may have been misread: sizes, ranges, sides, scale."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from beholder.core.overview import Overview, read_some, tally
from beholder.core.sample import Dataset, Sample
from beholder.io.image import eight_bit
from beholder.stereo.datasets.pairs import SIXTEEN_BITS, pairs
from beholder.stereo.types import Image, Map, Pair, Truth

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]
SOME = 20  # pairs that are looked at, from all over the dataset
SHOWN = 3  # of them that are drawn
SCALES = (256.0, 100.0, 64.0, 16.0, 8.0, 4.0, 3.0, 2.0, 1.0)  # that labs store disparities with
BETTER, SURE = 0.6, 2.0  # share of the difference that another reading leaves, and the grey levels that it saves


def overview(dataset: Dataset[Pair, Truth]) -> Overview:
    """Counts, sizes and ranges of a dataset of pairs, and doubts where the images and the truth disagree.

    Whether the truth leads from left to right is tested by fetching each left pixel's partner: where another scale or
    exchanged sides make the two images agree much better, that is said. At most 20 pairs are looked at.
    """
    chosen = dataset.ids[:: -(-len(dataset) // SOME)]
    loaded, faults = read_some(dataset, chosen)
    facts = {"pairs": f"{len(dataset)}"} | ({"looked at": f"{len(chosen)}"} if len(chosen) < len(dataset) else {})
    doubts = [*faults, *_misread(loaded, dataset)]
    draw = partial(_drawn, [dataset.ids[0]] if not loaded else [one.id for one in loaded[:SHOWN]], dataset)
    return Overview(facts | (_facts(loaded) if loaded else {}), tuple(doubts), draw if loaded else None)


def _facts(samples: Sequence[Sample[Pair, Truth]]) -> dict[str, str]:
    truths = [sample.reference for sample in samples]
    known = np.concatenate([truth.disparity[np.isfinite(truth.disparity)] for truth in truths])
    facts = {
        "size": tally([f"{pair.shape[1]} × {pair.shape[0]} px" for pair in (one.stimulus for one in samples)]),
        "colours": tally(["colour" if one.stimulus.left.ndim == 3 else "grey" for one in samples]),
        "disparity": f"{known.min():.3g} … {known.max():.3g} px, median {np.median(known):.3g}",
        "range told to models": tally([f"{one.stimulus.max_disparity} px" for one in samples]),
        "truth known": f"{np.mean([np.isfinite(truth.disparity).mean() for truth in truths]):.0%} of pixels",
    }
    hidden = [
        1 - truth.regions["nonocc"].sum() / max(truth.regions["all"].sum(), 1) for truth in truths if _told(truth)
    ]
    if hidden:
        facts["occluded"] = f"{np.mean(hidden):.0%} of known pixels"
    return facts | {"regions": ", ".join(dict.fromkeys(name for truth in truths for name in truth.regions)) or "none"}


def _told(truth: Truth) -> bool:
    return {"nonocc", "all"} <= set(truth.regions)


def _misread(samples: Sequence[Sample[Pair, Truth]], dataset: Dataset[Pair, Truth]) -> Iterator[str]:
    """Doubts: what a different reading of the files would explain better, on most of the pairs."""
    if not samples:
        return
    wide = [one for one in samples if float(np.nanmax(one.reference.disparity)) > one.stimulus.shape[1]]
    best = _agreed([_better(sample, _divisor(dataset, sample.id)) for sample in samples])
    if best.startswith("scale="):
        top = max(float(np.nanmax(one.reference.disparity)) for one in samples)
        divisor = _divisor(dataset, samples[0].id)
        usual = {1.0: "As they are stored", SIXTEEN_BITS: f"With the usual {SIXTEEN_BITS:g}"}
        reach = f"{top:,.0f}" if top >= 10 else f"{top:.2g}"
        only = "only " if float(best.removeprefix("scale=")) < divisor else ""
        yield (
            f"{usual.get(divisor, f'With scale={divisor:g}')}, disparities reach {only}{reach} px; the images fit "
            f"better with {best}"
        )
    elif best == "swap=true":
        yield "left and right seem swapped: the images agree when they are exchanged; give swap=true"
    elif wide:
        top = max(float(np.nanmax(one.reference.disparity)) for one in wide)
        yield f"disparities reach {top:,.0f} px in images of {wide[0].stimulus.shape[1]} px; expected less; give scale="


def _divisor(dataset: Dataset[Pair, Truth], id: str) -> float:
    told = getattr(dataset.load, "divisor", None)
    return float(told(id)) if told else 1.0


def _agreed(found: Sequence[str]) -> str:
    """The setting that helps more than half of the pairs, or nothing."""
    most = max(set(found), key=found.count)
    return most if 2 * found.count(most) > len(found) else ""


def _better(sample: Sample[Pair, Truth], divisor: float) -> str:
    """The setting under which the two images agree much better than as they are read, or nothing."""
    left, right = (_grey(side) for side in (sample.stimulus.left, sample.stimulus.right))
    true = sample.reference.disparity
    readings = {f"scale={scale:g}": (left, right, true * (divisor / scale)) for scale in SCALES if scale != divisor}
    readings["swap=true"] = (right, left, true)
    tried = {setting: difference(*reading) for setting, reading in readings.items()}
    own, best = difference(left, right, true), min(tried, key=tried.__getitem__)
    if not np.isfinite(own):  # no pixel has its partner inside the image
        return best if np.isfinite(tried[best]) else ""
    return best if tried[best] < BETTER * own and own - tried[best] > SURE else ""


def difference(left: Floats, right: Floats, disparity: Map) -> float:
    """The mean difference in grey levels of left pixels and their partners; infinite where few lie in the image."""
    rows, columns = np.nonzero(np.isfinite(disparity))
    at = columns - np.rint(disparity[rows, columns]).astype(np.int64)
    inside = (at >= 0) & (at < left.shape[1])
    if inside.sum() < 0.2 * len(rows) or not inside.any():
        return float("inf")
    return float(np.abs(left[rows, columns] - right[rows, np.clip(at, 0, left.shape[1] - 1)])[inside].mean())


def _grey(image: Image) -> Floats:
    levels = eight_bit(image).astype(np.float64)
    return np.asarray(levels.mean(axis=-1) if levels.ndim == 3 else levels)


def _drawn(ids: Sequence[str], dataset: Dataset[Pair, Truth]) -> Figure:
    """Left image, right image and truth of some pairs, one below the other; the truth in colours with its scale."""
    from matplotlib.figure import Figure

    samples = [dataset.load(id) for id in ids]
    shape = samples[0].stimulus.shape
    figure = Figure((8.4, len(samples) * (2.5 * shape[0] / shape[1] + 0.45)), dpi=150, layout="compressed")
    axes = figure.subplots(len(samples), 3, squeeze=False)
    for row, sample in zip(axes, samples, strict=True):
        pictures: list[Any] = [eight_bit(side) for side in (sample.stimulus.left, sample.stimulus.right)]
        for one, picture, title in zip(row, pictures, ("left", "right"), strict=False):
            one.imshow(picture, cmap="gray", vmin=0, vmax=255)
            one.set_title(f"{sample.id}: {title}" if title == "left" else title, size=8)
        true = np.ma.masked_invalid(sample.reference.disparity)
        shown = row[2].imshow(true, cmap="viridis", interpolation="nearest")
        row[2].set_facecolor("#c4c4c4")
        row[2].set_title("true disparity; grey: unknown", size=8)
        bar = figure.colorbar(shown, ax=row[2], fraction=0.05, pad=0.02)
        bar.set_label("px", size=7)
        bar.ax.tick_params(labelsize=7)
        for one in row:
            one.set(xticks=[], yticks=[])
    return figure


def recognise(path: Path, columns: str = "") -> str:
    """The dataset of stereo that a path seems to be; nothing where it is none."""
    if not path.is_dir():
        return ""
    try:
        return "pairs" if len(pairs(path)) else ""
    except ValueError as fault:
        return "pairs" if "scale=" in str(fault) else ""  # pairs, of which one thing must be told
