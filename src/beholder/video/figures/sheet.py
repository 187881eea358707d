"""Clips of one prompt: as a sheet of strips and timelines, and as films for a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from textwrap import fill
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

from beholder.core.film import Curve, Film, Moment
from beholder.core.measure import NotApplicable
from beholder.core.sample import Sample
from beholder.core.views import Views
from beholder.store.cache import cached
from beholder.store.digest import digest, package
from beholder.video.evidence import Event, Evidence
from beholder.video.figures import strips
from beholder.video.figures.events import LINES, events_of, numbers, words
from beholder.video.figures.series import series_of
from beholder.video.figures.strips import CELLS, GAP, INK, SOFT, TEXT, Scale, Shot
from beholder.video.files.clips import opened
from beholder.video.readouts.analysis import analyse
from beholder.video.types import Bytes, Clip, Prompt

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Inches. Across: the sheet, the names of lines, the path of the camera and what is beside it.
WIDE, LEFT, PATH, RIGHT = 9.0, 0.85, 1.0, 0.25
# Down: the tallest strip, the timeline below it, what is above, between and below.
TALLEST, TIMELINE, HEAD, BETWEEN, FOOT = 1.5, 1.45, 0.42, 0.2, 0.3
CLEAN = "In brackets: how many clean clips score lower."
NOTE = f"Filled marks are faults, hollow ones were excused by a rule; higher is stronger. {CLEAN}"
FIVE = 5  # measures of the paper, on a line of their own
FILM = 320  # px: the longer side of a film
_FOUND: WeakKeyDictionary[Clip, Evidence] = WeakKeyDictionary()  # films and the sheet ask one after the other


class Looked(NamedTuple):
    """A clip that was looked at, and what was found in it."""

    clip: Clip
    found: Evidence
    events: Sequence[tuple[str, Event]]
    says: str = ""  # its scores


def clip_sheet(sample: Sample[Prompt, Any], answers: Mapping[str, Clip], *, scores: bool = True) -> Figure:
    """For each model a strip of frames, a timeline, and the path of its camera.

    On a strip the strongest flagged frames have boxes, the others are evenly spread. The timelines share their axis and
    the ranges of their series. A clip in which nothing can move has a sentence instead. With `scores`, what the five
    measures say of each clip stands above it, by the paper's definition.
    """
    looked = {name: _look(clip, sample, scores) for name, clip in answers.items()}
    clips = {name: one for name, one in looked.items() if isinstance(one, Looked)}
    return draw_sheet(_title(sample), clips, {name: one for name, one in looked.items() if isinstance(one, str)})


def films(sample: Sample[Prompt, Any], answers: Mapping[str, Clip], *, scores: bool = True) -> dict[str, Film]:
    """Each model's clip with its timeline; a clip in which nothing can move has none."""
    looked = {name: _look(clip, sample, scores) for name, clip in answers.items()}
    clips = {name: one for name, one in looked.items() if isinstance(one, Looked)}
    scale = strips.scale_of([one.found for one in clips.values()])
    return {name: film_of(one, scale) for name, one in clips.items()}


def prompt_views(sample: Sample[Prompt, Any], answers: Mapping[str, Clip]) -> Views:
    """What was asked for; the answers are films."""
    return Views((), {}, sample.stimulus.text and f"Prompt: {sample.stimulus.text}")


def film_of(one: Looked, scale: Scale) -> Film:
    """A clip with what was found in it; the ranges of series are those of the sheet."""
    series = series_of(one.found)
    curves = {name: Curve(own.seconds, own.values, *scale.ranges[name], own.unit) for name, own in series.items()}
    moments = tuple(
        Moment(name, event.start, event.end, event.box, words(event), event.why) for name, event in one.events
    )
    note = f"{one.says}\n{CLEAN}" if one.says else ""
    return Film(_frames(one.clip), one.found.facts.seconds, LINES, moments, curves, note)


def _frames(clip: Clip) -> Iterator[tuple[float, Bytes]]:
    with opened(clip, FILM) as stream:
        yield from stream.frames


def _look(clip: Clip, sample: Sample[Prompt, Any], scores: bool) -> Looked | str:
    """What is found in a clip, or why nothing is."""
    try:
        found = _analysed(clip, sample.stimulus)
    except NotApplicable as why:
        return str(why)
    said = [f"{name} {number}" for name, number in numbers(found, sample.reference).items()] if scores else []
    says = "\n".join("   ".join(some) for some in (said[:FIVE], said[FIVE:]) if some)
    return Looked(clip, found, events_of(found, sample.reference), says)


def _analysed(clip: Clip, prompt: Prompt) -> Evidence:
    if clip not in _FOUND:
        ask = partial(analyse, clip, prompt)
        # The clips of baselines are drawn by every run that has them: their files are the same, byte by byte.
        key = digest("drawn", package(), clip.content, clip.rate, clip.poses)
        _FOUND[clip] = cached(key, ask) if clip.content else ask()
    return _FOUND[clip]


def _title(sample: Sample[Prompt, Any]) -> str:
    text = sample.stimulus.text
    return fill(f"{sample.id}: {text}" if text else sample.id, 120, max_lines=3, placeholder=" …")


def draw_sheet(title: str, clips: Mapping[str, Looked], without: Mapping[str, str]) -> Figure:
    """The sheet of clips whose evidence is known; `without` says of the others why there is none."""
    from matplotlib.figure import Figure

    rows = {name: strips.shots(one.clip, one.found.facts, one.events) for name, one in clips.items()}
    heights = [HEAD + _strip_height(shots) + BETWEEN + TIMELINE + FOOT for shots in rows.values()]
    notes = [*(f"{name}: not applicable, {why}" for name, why in without.items()), *([NOTE] if clips else [])]
    head, foot = 0.17 * (title.count("\n") + 1) + 0.12, 0.17 * len(notes) + 0.08
    figure = Figure((WIDE, sum(heights) + head + foot), dpi=150)
    tall = figure.get_figheight()
    _say(figure, title, tall - 0.08, size=TEXT + 1.5)
    top, scale = tall - head, strips.scale_of([one.found for one in clips.values()])
    for (name, one), height in zip(clips.items(), heights, strict=True):
        _clip(figure, name, one, rows[name], scale, top)
        top -= height
    for at, note in enumerate(reversed(notes)):
        _say(figure, note, 0.2 + 0.17 * at, size=TEXT, color=SOFT)
    return figure


def _say(figure: Figure, text: str, up: float, **how: Any) -> None:
    """A text at the left edge, its top so many inches above the foot."""
    how = {"color": INK, "va": "top", "parse_math": False, **how}
    figure.text(0.1 / WIDE, up / figure.get_figheight(), text, **how)


def _strip_height(shots: list[Shot]) -> float:
    height, width = shots[0].pixels.shape[:2]
    across = (WIDE - LEFT - RIGHT - PATH) / (CELLS * width + (CELLS - 1) * GAP)
    return min(TALLEST, float(height * across))


def _clip(figure: Figure, name: str, one: Looked, shots: list[Shot], scale: Scale, top: float) -> None:
    """One clip, its top so many inches above the foot."""
    wide, strip = WIDE - LEFT - RIGHT - PATH, _strip_height(shots)
    foot = top - HEAD - strip
    _say(figure, name, top - 0.1, size=TEXT + 1.5, weight="bold")
    figure.text((LEFT + wide) / WIDE, (top - 0.1) / figure.get_figheight(), one.says, ha="right", va="top", color=SOFT,
                size=TEXT)  # fmt: skip
    strips.draw_strip(_axes(figure, LEFT, foot, wide, strip), shots)
    strips.draw_timeline(_axes(figure, LEFT, foot - BETWEEN - TIMELINE, wide, TIMELINE), one.found, one.events, scale)
    strips.draw_path(_axes(figure, WIDE - PATH - 0.1, top - HEAD - PATH, PATH, PATH), one.found, scale.reach)


def _axes(figure: Figure, left: float, foot: float, width: float, height: float) -> Axes:
    """Axes at a place in inches from the lower left."""
    tall = figure.get_figheight()
    return figure.add_axes((left / WIDE, foot / tall, width / WIDE, height / tall), anchor="NW")
