"""How known benchmarks count: regions, measures with their settings, what a hole costs, clipping and resolution.

A preset is the setting `preset=` of `stereo/dense`. Except for those of middlebury2, the default, the names of its
measures hold the preset, so that scores under different presets are different measures and never meet in a verdict:
`bad_pixels(delta=3.0,preset=kitti2012)`. The preset's own rule for holes is part of its name; another one is written
out: `d1(invalid=exclude,preset=kitti2015)`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from beholder.core.measure import Measure, Readout, fix
from beholder.errors import Misuse
from beholder.registry.find import nearest
from beholder.stereo.estimates import Invalid
from beholder.stereo.measures.disparity import bad_pixels, density, mae, quantile, rms
from beholder.stereo.measures.kitti import d1
from beholder.stereo.types import Map, Pair, disparity_map

QUANTILES = (0.5, 0.9, 0.95, 0.99)  # A50, A90, A95 and A99 of Middlebury's third table and of ETH3D


@dataclass(frozen=True)
class Preset:
    """What a benchmark takes over from a published one."""

    name: str
    regions: tuple[str, ...]
    measures: tuple[Measure, ...]  # judged
    extra: tuple[Measure, ...]  # reported beside
    about: str
    accept: Readout = disparity_map


def preset(name: str) -> Preset:
    """The preset of a name.

    >>> preset("kitti2015").regions
    ('all', 'nonocc', 'bg', 'fg')
    """
    if name not in PRESETS:
        raise Misuse(f"no preset called {name!r}{nearest(name, PRESETS)}")
    return PRESETS[name]()


def middlebury2() -> Preset:
    """Middlebury's second table: δ = 1, a hole is bad, three regions; the mean error stands beside it."""
    return Preset(
        "middlebury2",
        ("nonocc", "all", "disc"),
        (bad_pixels,),
        (mae,),
        "percentage of pixels wrong by more than 1 px, in Middlebury's regions of 2002",
    )


def scharstein2002() -> Preset:
    """The regions of the taxonomy of 2002, with the textureless one, which the second table left out."""
    under = _Under("scharstein2002", "error")
    return Preset(
        under.preset,
        ("nonocc", "textureless", "disc"),
        (under(bad_pixels, delta=1.0),),
        (under(rms, invalid="exclude"),),
        "percentage of pixels wrong by more than 1 px, in textureless regions too",
    )


def middlebury3() -> Preset:
    """Middlebury's third table: δ = 2, estimates clipped to the range, smaller maps enlarged.

    A hole is bad: the number is the SDK's totalbad. Its bad is this less its invalid, 100 · (1 − density) per cent.
    Means and quantiles are over the estimated pixels.
    """
    under = _Under("middlebury3", "error")
    others = [under(bad_pixels, delta=delta) for delta in (0.5, 1.0, 4.0)]
    means = [under(of, invalid="exclude") for of in (mae, rms)]
    return Preset(
        under.preset,
        ("nonocc", "all"),
        (under(bad_pixels, delta=2.0),),
        (*others, *means, *(under(quantile, q=q, invalid="exclude") for q in QUANTILES), under(density)),
        "percentage of pixels wrong by more than 2 px, after clipping to the range",
        clipped,
    )


def kitti2012() -> Preset:
    """KITTI 2012: more than 3 px, holes filled from the background first; also at 1, 2, 4 and 5 px and as estimated."""
    under = _Under("kitti2012", "fill-background")
    others = [under(bad_pixels, delta=delta) for delta in (1.0, 2.0, 4.0, 5.0)]
    return Preset(
        under.preset,
        ("nonocc", "all"),
        (under(bad_pixels, delta=3.0),),
        (*others, under(mae), under(bad_pixels, delta=3.0, invalid="exclude"), under(density)),
        "percentage of pixels wrong by more than 3 px, holes filled from the background",
    )


def kitti2015() -> Preset:
    """KITTI 2015: more than 3 px and 5 %, holes filled first; all, background and foreground; also as estimated."""
    under = _Under("kitti2015", "fill-background")
    return Preset(
        under.preset,
        ("all", "nonocc", "bg", "fg"),
        (under(d1),),
        (under(d1, invalid="exclude"), under(density)),
        "percentage of pixels wrong by more than 3 px and 5 %, holes filled from the background",
    )


def eth3d() -> Preset:
    """ETH3D's two-view benchmark: δ = 1, over the estimated pixels only, how many these are stands beside it.

    Deviation: a negative disparity is no estimate here; ETH3D counts it as a wrong one.
    """
    under = _Under("eth3d", "exclude")
    others = [under(bad_pixels, delta=delta) for delta in (0.5, 2.0, 4.0)]
    return Preset(
        under.preset,
        ("nonocc", "all"),
        (under(bad_pixels, delta=1.0),),
        (*others, under(mae), under(rms), *(under(quantile, q=q) for q in QUANTILES), under(density)),
        "percentage of the estimated pixels wrong by more than 1 px",
        narrower,
    )


PRESETS: dict[str, Callable[[], Preset]] = {
    make.__name__: make for make in (middlebury2, scharstein2002, middlebury3, kitti2012, kitti2015, eth3d)
}


@dataclass(frozen=True)
class _Under:
    """Measures under a preset: with its rule for holes, and named after it."""

    preset: str
    rule: Invalid

    def __call__(self, of: Measure, *, invalid: Invalid | None = None, **settings: Any) -> Measure:
        told = settings | ({} if invalid is None else {"invalid": invalid})
        ruled = {} if of is density else {"invalid": invalid or self.rule}  # a density is of holes, not of errors
        return fix(of, {**told, "preset": self.preset}, **settings, **ruled)


def clipped(raw: Any, stimulus: Pair) -> Map:
    """An answer as Middlebury's SDK 1.6 takes it: enlarged from half or quarter size, and clipped to the pair's range.

    A map of half the size is enlarged by nearest neighbours and its disparities doubled; so with a quarter.
    Deviation: what is negative is no estimate, as everywhere here; the SDK clips it to 0.

    >>> pair = Pair(np.zeros((2, 4)), np.zeros((2, 4)), 16)
    >>> clipped([[3.0, 9.0]], pair)
    array([[ 6.,  6., 16., 16.],
           [ 6.,  6., 16., 16.]], dtype=float32)
    """
    return np.minimum(disparity_map(_enlarged(raw, stimulus.shape), stimulus), np.float32(stimulus.max_disparity))


def _enlarged(raw: Any, shape: Sequence[int]) -> Any:
    small = np.shape(raw) if raw is not None else ()
    for times in (2, 4):
        if small == tuple(-(-side // times) for side in shape) != tuple(shape) and np.asarray(raw).dtype.kind in "fiu":
            rows, columns = (np.arange(side) // times for side in shape)
            return np.asarray(raw, np.float32)[np.ix_(rows, columns)] * times
    return raw


def narrower(raw: Any, stimulus: Pair) -> Map:
    """An answer as ETH3D takes it: a disparity that is larger than the image is wide is none.

    >>> narrower([[3.0, 2.0, 1.0]], Pair(np.zeros((1, 3)), np.zeros((1, 3)), 16))
    array([[3., 2., 1.]], dtype=float32)
    >>> narrower([[3.5, 2.0, 1.0]], Pair(np.zeros((1, 3)), np.zeros((1, 3)), 16))
    array([[nan,  2.,  1.]], dtype=float32)
    """
    found = disparity_map(raw, stimulus)
    return np.where(found > stimulus.shape[1], np.float32(np.nan), found)
