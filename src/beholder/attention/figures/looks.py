"""Pictures of looking: the fixations on a picture, people's heat map, and what each model makes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from beholder.attention.figures import curves
from beholder.attention.figures.curves import COLOURS, TEXT, Shown
from beholder.attention.maps.fixation_maps import LUMA, continuous_map, heat_map
from beholder.attention.measures.regions import TOPS
from beholder.attention.people.ceiling import observers
from beholder.attention.readouts import Surface, surface
from beholder.attention.types import Density, Floats, Lookers, Picture, Salience
from beholder.core.sample import Sample
from beholder.stats.ranking import top_mask

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NUMBERED = 3  # observers whose paths are drawn with numbers; more cannot be told apart
PEOPLE = "people"  # the ceiling's name in every run: whose answer to draw is the last one who was left out
KEPT = 0.2  # share of the picture in which hits, misses and false alarms are shown
ACROSS = 6  # models side by side at the most, so that names with their NSS do not touch
LEAST = 4  # as many as which a band is high, even if it has fewer models
FINE = 400  # px: no panel shows more
WIDE = 11.0  # inches
# Hit, miss, false alarm: red, green and blue as in the source, chosen apart for all common kinds of colour blindness.
CLASSES = {"hit": "#d7301f", "miss": "#7fc97f", "false alarm": "#2b5cab"}
SHADES = ("#fff7bc", "#fec44f", "#ec7014", "#8c2d04")  # 20, 10, 5 and 2 %
GREYED = 0.35  # of the contrast of a picture that lies below colours


def looks(sample: Sample[Picture, Lookers], answers: Mapping[str, Salience | Density], *, sigma: float = 1.0) -> Figure:
    """What people did on one picture, what each model says, and how they agree.

    Above: all fixations, the paths of three observers numbered; people's heat map; the most fixated 2, 5, 10 and 20 %;
    NSS along one path. Then each model's map (a density is drawn as it is) with its NSS, and below it where its highest
    fifth and people's agree. Last, curves: hit rate, ROC against fixations of other pictures, congruency of people over
    the fixation number. People's own curves leave each observer out in turn.
    """
    from matplotlib.figure import Figure

    shown = _ordered(answers, sample)
    bands = -(-len(shown) // ACROSS)
    across = max(1, -(-len(shown) // max(1, bands)))  # bands of equal length
    tall = WIDE / max(across, LEAST) * sample.stimulus.shape[0] / sample.stimulus.shape[1] + 0.22
    heights = [WIDE / 4 * sample.stimulus.shape[0] / sample.stimulus.shape[1] + 0.3, max(0.1, 2 * bands * tall), 2.7]
    figure = Figure((WIDE, sum(heights)), dpi=150, layout="constrained")
    parts: Any = figure.subfigures(3, 1, height_ratios=heights)
    best = shown[0] if shown else None
    _people(parts[0].subplots(1, 4), sample, best, sigma)
    if shown:
        _models(parts[1].subplots(2 * bands, across, squeeze=False), sample, shown, sigma)
    curves.curves(parts[2].subplots(1, 3), sample.reference, shown=shown)
    return figure


def fixations(axes: Axes, picture: Picture, *, lookers: Lookers, numbered: int = NUMBERED) -> None:
    """A picture with all fixations as dots, and the paths of some observers in colours, numbered in order."""
    axes.imshow(picture.pixels, cmap="gray", vmin=0, vmax=255)
    for at, name in enumerate(observers(lookers)):
        x, y = lookers.paths[name].points.T
        if at >= numbered:
            axes.plot(x, y, "o", color="white", markersize=2.2, markeredgecolor="black", markeredgewidth=0.4)
            continue
        colour = COLOURS[at % len(COLOURS)]
        axes.plot(x, y, "-", color=colour, linewidth=1.0, zorder=3)
        axes.plot(x, y, "o", color=colour, markersize=7, markeredgecolor="white", markeredgewidth=0.5, zorder=4)
        for order, point in enumerate(zip(x, y, strict=True), 1):
            axes.annotate(str(order), point, size=5, color="white", ha="center", va="center", zorder=5)
    _bare(axes, "fixations")


def heat(axes: Axes, picture: Picture, *, values: Floats, title: str = "") -> None:
    """A map as heat over a picture in grey."""
    thin = _thinned(values.shape)
    _show(axes, heat_map(values[thin], picture.pixels[thin]), values.shape)
    _bare(axes, title)


def tops(axes: Axes, picture: Picture, *, values: Floats, shares: Sequence[float] = TOPS) -> None:
    """The highest 2, 5, 10 and 20 % of a map, one inside the other, over a faint picture."""
    from matplotlib.colors import to_rgb
    from matplotlib.patches import Patch

    thin = _thinned(values.shape)
    pixels = faint(picture.pixels[thin])
    for share, colour in zip(sorted(shares, reverse=True), SHADES, strict=False):
        pixels[top_mask(values, share)[thin]] = to_rgb(colour)
    _show(axes, pixels, values.shape)
    marks = [
        Patch(color=colour, label=f"{share:.0%}") for share, colour in zip(sorted(shares)[::-1], SHADES, strict=False)
    ]
    _key(axes, marks)
    _bare(axes, "most fixated")


def classes(axes: Axes, picture: Picture, *, kept: NDArray[np.bool_], true: NDArray[np.bool_]) -> None:
    """Where a map is right about the most fixated part of a picture: hits, misses and false alarms, over it."""
    from matplotlib.colors import to_rgb

    thin = _thinned(kept.shape)
    pixels = faint(picture.pixels[thin])
    said, so = kept[thin], true[thin]
    masks = {"hit": said & so, "miss": ~said & so, "false alarm": said & ~so}
    for name, mask in masks.items():
        pixels[mask] = 0.25 * pixels[mask] + 0.75 * np.array(to_rgb(CLASSES[name]))
    _show(axes, pixels, kept.shape)
    _bare(axes, "")


def faint(pixels: NDArray[np.uint8]) -> Floats:
    """A picture in light grey, 0 … 1, for colours to lie on."""
    grey = (pixels @ LUMA if pixels.ndim == 3 else pixels) / 255
    return np.repeat((1 - GREYED * (1 - grey))[..., None], 3, axis=2)


def _ordered(answers: Mapping[str, Salience | Density], sample: Sample[Picture, Lookers]) -> list[Shown]:
    """Models with what is read of their answers, the best NSS first; people's own answer is not among them."""
    from beholder.attention.measures.nss import nss

    found = {name: surface(answer, sample.stimulus) for name, answer in answers.items() if name != PEOPLE}
    scored = [Shown(name, one, nss(one, sample.reference).value) for name, one in found.items()]
    return sorted(scored, key=lambda one: -one.nss)


def _people(panels: Any, sample: Sample[Picture, Lookers], best: Shown | None, sigma: float) -> None:
    picture, lookers = sample.stimulus, sample.reference
    smooth = continuous_map(lookers, sigma=sigma)
    fixations(panels[0], picture, lookers=lookers)
    heat(panels[1], picture, values=smooth, title=f"people's map, σ = {sigma:g}°")
    tops(panels[2], picture, values=smooth)
    if best is None:
        panels[3].set_axis_off()
        return
    curves.along_path(panels[3], lookers, of=best)


def _models(panels: Any, sample: Sample[Picture, Lookers], shown: Sequence[Shown], sigma: float) -> None:
    true = top_mask(continuous_map(sample.reference, sigma=sigma), KEPT)
    for axes in panels.ravel():
        axes.set_axis_off()
    for at, one in enumerate(shown):
        band, column = divmod(at, panels.shape[1])
        title = f"{one.name} · NSS {one.nss:.2f}"
        heat(panels[2 * band, column], sample.stimulus, values=_drawable(one.surface), title=title)
        classes(panels[2 * band + 1, column], sample.stimulus, kept=top_mask(one.surface.order, KEPT), true=true)
    from matplotlib.patches import Patch

    marks = [Patch(color=colour, label=name) for name, colour in CLASSES.items()]
    note = "each map with its NSS over all fixations; below: the top 20 % of each map against the 20 % most fixated"
    panels[0, 0].get_figure().legend(
        handles=marks,
        loc="outside lower center",
        ncols=3,
        fontsize=TEXT,
        frameon=False,
        title=note,
        title_fontsize=TEXT,
    )


def _drawable(found: Surface) -> Floats:
    """Values from 0, as heat is drawn; the least is no heat."""
    return np.asarray(found.values - found.values.min())


def _thinned(shape: tuple[int, ...]) -> tuple[slice, slice]:
    """Every k-th pixel: no panel shows more than 400."""
    step = max(1, max(shape) // FINE)
    return slice(None, None, step), slice(None, None, step)


def _show(axes: Axes, pixels: NDArray[Any], shape: tuple[int, ...]) -> None:
    axes.imshow(pixels, extent=(0, shape[1], shape[0], 0))


def _bare(axes: Axes, title: str) -> None:
    axes.set_axis_on()
    axes.set(xticks=[], yticks=[])
    axes.set_title(title, size=TEXT, pad=3)


def _key(axes: Axes, marks: Sequence[Any]) -> None:
    """What colours mean, below a picture, where it hides nothing."""
    axes.legend(
        handles=list(marks),
        loc="upper center",
        bbox_to_anchor=(0.5, 0.0),
        ncols=len(marks),
        fontsize=TEXT - 2,
        frameon=False,
        handlelength=1,
        columnspacing=1,
        borderpad=0.2,
    )
