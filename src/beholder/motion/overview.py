"""What a dataset of movies holds: sizes, and of true flow its range, its parts, and what may have been misread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from beholder.core.measure import NotApplicable
from beholder.core.overview import Overview, read_some, tally
from beholder.core.sample import Dataset, Sample
from beholder.motion.datasets.flow import flow
from beholder.motion.figures.true_flow import NO_TRUTH, colours_of, draw_wheel, first_frame, top_speed
from beholder.motion.frame_pairs import FramePair
from beholder.motion.perceived import Probes
from beholder.motion.true_flow.parts import SPEEDS, within
from beholder.motion.true_flow.types import TrueFlow, Vectors, truth_of
from beholder.motion.types import Movie
from beholder.vision.warp import warped

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SOME = 20  # pairs that are looked at, from all over the dataset
SHOWN = 3  # of them that are drawn
BETTER, SURE = 0.6, 2.0  # share of the difference that another reading leaves, and the grey levels that it saves
# What a setting of the dataset would make of the flow, by what is said of it.
_UP = np.array([1, -1], np.float32)
READINGS: dict[str, tuple[str, Callable[[Vectors], Vectors]]] = {
    "v seems to point up": ("v_up=true", lambda flow: flow * _UP),
    "v seems to stand before u": ("row_first=true", lambda flow: flow[..., ::-1]),
    "v seems to stand before u, and to point up": (
        "row_first=true,v_up=true",
        lambda f: f[..., ::-1] * _UP,
    ),
    "the flow seems to lead from the second frame to the first": ("the flow of the other way", lambda flow: -flow),
    **{
        f"vectors seem to be {scale:g} times too long": (
            f"scale={scale:g}",
            partial(np.multiply, np.float32(1 / scale)),
        )
        for scale in (2, 10, 20, 64, 100, 256)
    },
}


def overview(dataset: Dataset[Any, Any]) -> Overview:
    """Counts, sizes and ranges of a dataset of motion, and doubts where the frames and the true flow disagree.

    Whether the flow leads from the first frame to the second is tested by fetching each pixel from where it goes: where
    another convention or scale makes the frames agree much better, that is said. At most 20 movies are looked at.
    """
    chosen = dataset.ids[:: -(-len(dataset) // SOME)]
    loaded, faults = read_some(dataset, chosen)
    facts = {"pairs" if _flows(loaded) else "movies": f"{len(dataset)}"}
    facts |= {"looked at": f"{len(chosen)}"} if len(chosen) < len(dataset) else {}
    facts |= _movies([one.stimulus for one in loaded])
    truths = [truth_of(one.reference) for one in _flows(loaded)]
    if truths:
        facts |= _facts(truths)
    doubts = (*faults, *_misread(_flows(loaded)))
    ids = [one.id for one in _flows(loaded)[:SHOWN]]
    return Overview(facts, doubts, partial(_drawn, ids, dataset) if ids else None)


def _flows(samples: Sequence[Sample[Any, Any]]) -> list[Sample[Any, Any]]:
    """Those of which a true flow is known, and whose frames are here."""
    return [
        one for one in samples if isinstance(one.reference, TrueFlow | Probes) and _frames(one.stimulus) is not None
    ]


def _frames(movie: Any) -> Any:
    try:
        return movie.frames
    except (NotApplicable, AttributeError):
        return None


def _movies(movies: Sequence[Any]) -> dict[str, str]:
    """Size and colours, of those whose frames are here."""
    seen = [movie for movie in movies if _frames(movie) is not None]
    if not seen:
        return {"frames": "not here"}
    sizes = [f"{movie.frames.shape[2]} × {movie.frames.shape[1]} px" for movie in seen]
    colours = ["colour" if isinstance(movie, FramePair) and movie.pictures.ndim == 4 else "grey" for movie in seen]
    return {"size": tally(sizes), "colours": tally(colours)}


def _facts(truths: Sequence[TrueFlow]) -> dict[str, str]:
    speeds = np.concatenate([truth.speed[truth.known] for truth in truths])
    u, v = np.concatenate([truth.flow[truth.known] for truth in truths]).T
    facts = {
        "speed": f"{speeds.min():.3g} … {speeds.max():.3g} px, median {np.median(speeds):.3g}",
        "u, v": f"{u.min():.3g} … {u.max():.3g}, {v.min():.3g} … {v.max():.3g} px (right and down)",
        "by speed": ", ".join(f"{name} {np.mean([within(t, name).mean() for t in truths]):.0%}" for name in SPEEDS),
    }
    if truths[0].flow.ndim == 2:
        facts["truth known"] = f"at {sum(len(truth.flow) for truth in truths)} probes"
    else:
        facts["truth known"] = f"{np.mean([truth.known.mean() for truth in truths]):.0%} of pixels"
    hidden = [within(truth, "unmatched").sum() / max(truth.known.sum(), 1) for truth in truths if truth.regions]
    return facts | ({"unmatched": f"{np.mean(hidden):.0%} of known pixels"} if hidden else {"occlusion mask": "none"})


def _misread(samples: Sequence[Sample[Any, Any]]) -> list[str]:
    """What another reading of the files would explain better, on most of the pairs."""
    dense = [one for one in samples if isinstance(one.reference, TrueFlow) and one.reference.flow.ndim == 3]
    found = [_better(one) for one in dense]
    if not found:
        return []
    most = max(set(found), key=found.count)
    if not most or 2 * found.count(most) <= len(found):
        return []
    return [f"{most}: the frames agree much better so; give {READINGS[most][0]}"]


def _better(sample: Sample[Movie, TrueFlow]) -> str:
    """What is said of a reading under which the frames agree much better than as they are read, or nothing."""
    flow = sample.reference.flow
    tried = {said: difference(sample.stimulus, change(flow)) for said, (_, change) in READINGS.items()}
    own, best = difference(sample.stimulus, flow), min(tried, key=tried.__getitem__)
    if not np.isfinite(own):
        return best if np.isfinite(tried[best]) else ""
    return best if tried[best] < BETTER * own and own - tried[best] > SURE else ""


def difference(movie: Movie, flow: Vectors) -> float:
    """The mean difference in grey levels of pixels and where they go; infinite where few stay in the frame."""
    first, second = movie.frames[:2]
    height, width = first.shape
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    ends = np.stack([x, y], axis=-1) + flow
    known = np.isfinite(flow).all(axis=-1)
    inside = known & (ends >= 0).all(axis=-1) & (ends <= [width - 1, height - 1]).all(axis=-1)
    if inside.sum() < 0.2 * known.sum() or not inside.any():
        return float("inf")
    return float(np.abs(warped(second, flow) - first)[inside].mean())


def _drawn(ids: Sequence[str], dataset: Dataset[Any, Any]) -> Figure:
    """First frame, second frame and true flow of some pairs, one below the other, and the wheel of colours."""
    from matplotlib.figure import Figure

    samples = [dataset.load(id) for id in ids]
    truths = [truth_of(one.reference) for one in samples]
    fastest = max(top_speed(truth) for truth in truths)
    height, width = samples[0].stimulus.frames.shape[1:]
    panel, gap, title, side = 2.5, 0.07, 0.24, 1.05  # inches
    row = panel * height / width + title
    size = (3 * (panel + gap) + gap + side, max(len(samples) * row + 0.1, 1.3))
    figure = Figure(size, dpi=150)
    for n, (sample, truth) in enumerate(zip(samples, truths, strict=True)):
        bottom = (size[1] - (n + 1) * row) / size[1]
        places = [
            ((gap + at * (panel + gap)) / size[0], bottom, panel / size[0], (row - title) / size[1]) for at in range(3)
        ]
        axes = [figure.add_axes(place, xticks=[], yticks=[]) for place in places]
        _pair(axes, sample, truth, fastest)
    draw_wheel(figure, fastest)
    return figure


def _pair(axes: Sequence[Any], sample: Sample[Any, Any], truth: TrueFlow, fastest: float) -> None:
    movie = sample.stimulus
    for n, title in enumerate((f"{sample.id}: first frame", "second frame")):
        axes[n].imshow(first_frame(movie, later=n), cmap="gray", vmin=0, vmax=255)
        axes[n].set_title(title, size=8, pad=3)
    if truth.flow.ndim == 3:
        axes[2].imshow(colours_of(truth.flow, fastest, NO_TRUTH), interpolation="nearest")
        axes[2].set_title("true flow; grey: unknown", size=8, pad=3)
        return
    frame = first_frame(movie)
    axes[2].imshow(frame, cmap="gray", vmin=0, vmax=255, alpha=0.5)
    axes[2].quiver(*movie.points.T, *truth.flow.T, color="#009e73", width=0.008, angles="xy", scale_units="xy")
    axes[2].set_title("true vectors at the probes", size=8, pad=3)


def recognise(path: Path, columns: str = "") -> str:
    """The dataset of motion that a path seems to be; nothing where it is none."""
    if not path.is_dir():
        return ""
    try:
        return "flow" if len(flow(path)) else ""
    except ValueError:
        return ""
