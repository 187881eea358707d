"""One clip on a sheet: frames with boxes, a timeline of what was flagged, and the path of the camera."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from beholder.video.evidence import Event, Evidence, Facts
from beholder.video.figures.events import COLOURS, LINES, flagged
from beholder.video.figures.series import Series, path_of, series_of
from beholder.video.files.clips import opened
from beholder.video.types import Bytes, Clip, Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CELLS = 7  # frames of a strip …
MARKED = 3  # … of which so many may be flagged ones
LONG_SIDE = 240  # px of a frame on a strip: about 150 dots to the inch
GAP = 6  # px between two frames
TEXT = 7.0  # points
INK, SOFT, FAINT = "#22282d", "#5a646b", "#c9cfd4"
LANE, DEEP = 1.0, 1.7  # heights of a line of events and of a series on the timeline, in one unit
SHORTEST = 0.006  # of the timeline: what is shorter is drawn as long as that
CLOSE = 1e-4  # s: times that differ by less are the same
LEAST = 0.05  # diagonals: the path of a camera that hardly moves is not blown up beyond this


class Shot(NamedTuple):
    """One frame on a strip."""

    seconds: float
    pixels: Bytes
    events: tuple[tuple[str, Event], ...]  # those that last while it is shown, and count


def choose(times: Floats, events: Sequence[tuple[str, Event]]) -> list[int]:
    """Which frames stand on a strip: those in the middle of the strongest events, the others evenly spread.

    >>> choose(np.arange(10) / 10, [("TCS", Event("vanish_or_emerge", 0.3, 0.5))])
    [0, 1, 2, 4, 5, 7, 9]
    """
    middles = np.array([(event.start + event.end) / 2 for _, event in events])
    shown = np.searchsorted(times, middles + CLOSE, side="right") - 1
    marked = list(dict.fromkeys(np.maximum(shown, 0).tolist()))[:MARKED]
    spread = np.linspace(0, len(times) - 1, CELLS - len(marked)).round().astype(int).tolist()
    chosen = sorted({*marked, *spread})
    while len(chosen) < min(CELLS, len(times)):  # a flagged frame is one of the others, too
        widest = int(np.diff(chosen).argmax())
        chosen.insert(widest + 1, (chosen[widest] + chosen[widest + 1]) // 2)
    return chosen


def shots(clip: Clip, facts: Facts, events: Sequence[tuple[str, Event]]) -> list[Shot]:
    """The frames of a strip, decoded."""
    counting, step = flagged(events), facts.seconds / len(facts.times)
    wanted = set(choose(facts.times, counting))
    with opened(clip, LONG_SIDE) as stream:
        kept = {at: frame for at, (_, frame) in enumerate(stream.frames) if at in wanted}
    times = {at: float(facts.times[at]) for at in sorted(kept)}
    return [
        Shot(
            start,
            kept[at],
            tuple(one for one in counting if one[1].start < start + step - CLOSE and one[1].end > start + CLOSE),
        )
        for at, start in times.items()
    ]


def draw_strip(axes: Axes, strip: Sequence[Shot]) -> None:
    """Frames in a row with their times; a flagged one has a frame and boxes in the colour of its measure."""
    height, width = strip[0].pixels.shape[:2]
    step = width + GAP
    row = np.full((height, step * len(strip) - GAP, 3), 255, np.uint8)
    for at, shot in enumerate(strip):
        row[:, at * step : at * step + width] = shot.pixels
    axes.imshow(row, interpolation="antialiased")
    axes.set_axis_off()
    for at, shot in enumerate(strip):
        names = list(dict.fromkeys(name for name, _ in shot.events))
        _mark(axes, shot, at * step, (height, width))
        colour = COLOURS[names[0]] if names else SOFT
        text = " ".join([f"{shot.seconds:.2f} s", *names])
        axes.text(at * step + width / 2, height + 3, text, ha="center", va="top", size=TEXT - 0.5, color=colour)


def _mark(axes: Axes, shot: Shot, left: float, shape: tuple[int, int]) -> None:
    from matplotlib.patches import Rectangle
    from matplotlib.patheffects import Normal, Stroke

    height, width = shape
    for name, event in shot.events:
        x, y, right, foot = event.box or (0.0, 0.0, 1.0, 1.0)
        line = 1.3 if event.box else 2.2
        where = (left + x * width, y * height)
        box = Rectangle(where, (right - x) * width, (foot - y) * height, fill=False, color=COLOURS[name], lw=line)
        box.set_path_effects([Stroke(linewidth=line + 1.2, foreground="white"), Normal()])
        axes.add_patch(box)


class Scale(NamedTuple):
    """What the clips on a sheet share."""

    seconds: float  # where the axis of time ends
    ranges: Mapping[str, tuple[float, float]]  # of each series
    reach: float  # diagonals: half the side of the square that the path of a camera stands in


def scale_of(several: Sequence[Evidence]) -> Scale:
    """What these clips share."""
    series = [series_of(found) for found in several]
    ranges = {name: range_of([one[name] for one in series]) for own in series[:1] for name in own}
    seconds = max((found.facts.seconds for found in several), default=1.0)
    return Scale(seconds, ranges, max(map(reach_of, several), default=LEAST))


def draw_timeline(axes: Axes, found: Evidence, events: Sequence[tuple[str, Event]], scale: Scale) -> None:
    """Events on a line for each measure, and series below them, each over its range; excused events are hollow."""
    foot = 0.0
    for name in LINES:
        foot -= LANE
        own = [event for of, event in events if of == name]
        axes.plot([0, found.facts.seconds], [foot + 0.1] * 2, color=FAINT, lw=0.6, zorder=0)
        _lane(axes, own, foot, COLOURS[name], SHORTEST * scale.seconds)
        axes.text(-0.006, foot + LANE / 2, name, transform=axes.get_yaxis_transform(), **_label(COLOURS[name]))
    for name, one in series_of(found).items():
        foot -= DEEP
        axes.plot([0, found.facts.seconds], [foot + 0.12 * DEEP] * 2, color=FAINT, lw=0.5, zorder=0)
        _curve(axes, one, foot, scale.ranges[name])
        most = f"0 … {scale.ranges[name][1]:.2g} {one.unit}" if one.from_zero else ""
        across = axes.get_yaxis_transform()
        axes.text(-0.006, foot + (0.66 if most else 0.5) * DEEP, name, transform=across, **_label(SOFT))
        axes.text(-0.006, foot + 0.26 * DEEP, most, transform=across, **_label(SOFT, TEXT - 2))
    axes.set_xlim(0, scale.seconds)
    axes.set_ylim(foot - 0.2, 0)
    axes.set_yticks([])
    axes.xaxis.set_major_formatter("{x:g} s")
    axes.tick_params(labelsize=TEXT - 0.5, colors=SOFT, length=2, pad=2)
    axes.spines[["top", "left", "right"]].set_visible(False)
    axes.spines["bottom"].set_color(FAINT)


def _label(colour: str, size: float = TEXT - 0.5) -> dict[str, Any]:
    return {"ha": "right", "va": "center", "size": size, "color": colour}


def _lane(axes: Axes, events: Sequence[Event], foot: float, colour: str, least: float) -> None:
    """The events of one measure: as high as they are strong."""
    for event in events:
        high = 0.75 * (0.35 + 0.65 * min(max(event.strength, 0.0), 1.0))
        width = max(event.end - event.start, least)
        face = "none" if event.why else colour
        axes.bar(
            event.start, high, width, foot + 0.1, align="edge", color=face, edgecolor=colour, lw=0.7, clip_on=False
        )


def _curve(axes: Axes, one: Series, foot: float, ends: tuple[float, float]) -> None:
    low, high = ends
    heights = foot + 0.12 * DEEP + 0.76 * DEEP * (one.values - low) / (high - low)
    axes.plot(one.seconds, heights, color=INK, lw=0.8)


def range_of(several: Sequence[Series]) -> tuple[float, float]:
    """The range that series of one kind share on a sheet."""
    values = np.concatenate([one.values[np.isfinite(one.values)] for one in several])
    one = several[0]
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 0.0)
    if one.from_zero:
        return 0.0, max(high, one.least)
    more = max(one.least - (high - low), 0.0) / 2
    return low - more, high + more


def reach_of(found: Evidence) -> float:
    """Half the side of the square that the path of the camera needs, in diagonals."""
    path = path_of(found.camera)
    return max(LEAST, 0.6 * float(np.ptp(path, axis=0).max()))


def draw_path(axes: Axes, found: Evidence, reach: float) -> None:
    """Where the camera points, from the open mark to the full one; `reach` is half the side of the square."""
    path = path_of(found.camera)
    middle = (path.min(axis=0) + path.max(axis=0)) / 2
    axes.plot(*path.T, color=INK, lw=0.9)
    axes.plot(*path[0], "o", ms=3.2, mfc="white", mec=INK, mew=0.8)
    axes.plot(*path[-1], "o", ms=3.2, color=INK)
    axes.set_xlim(middle[0] - reach, middle[0] + reach)
    axes.set_ylim(middle[1] + reach, middle[1] - reach)
    axes.set_aspect("equal")
    axes.set_xticks([])
    axes.set_yticks([])
    axes.spines[:].set_color(FAINT)
    axes.set_xlabel(f"camera path, ○ first\n{2 * reach:.2g} diagonals wide", size=TEXT - 0.5, color=SOFT, labelpad=2)
