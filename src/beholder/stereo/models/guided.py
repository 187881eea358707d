"""Cost-volume filtering: costs are averaged over what looks alike."""

from __future__ import annotations

from beholder.core.cite import source
from beholder.errors import Misuse
from beholder.stereo.matching import volume
from beholder.stereo.matching.fill import Fill
from beholder.stereo.types import Map, Pair


@source("Rhemann2011,He2013", family="local")
def guided(pair: Pair, *, radius: int = 9, smoothing: float = 1e-4, fill: Fill = True) -> Map:
    """Least difference of colour and gradient, smoothed by the guided filter of each image; left-right check.

    Window of 2 · `radius` + 1, ε = `smoothing` for levels of 0 … 1. Integer disparities; pixels that fail the check are
    holes, which `fill` fills from the background.

    Deviation: Rhemann et al. smooth the filled pixels with a weighted median at the end, and demand that the two
    maps are equal, not only within 1.
    """
    if radius < 1 or not smoothing > 0:
        raise Misuse(f"got radius={radius}, smoothing={smoothing}; expected 1 or more, and a number above 0")
    views = (pair, volume.mirrored(pair))
    smooth = (volume.guided(volume.ad_gradient(v), v.left, radius=radius, smoothing=smoothing) for v in views)
    left, right = (volume.winners(costs)[0] for costs in smooth)
    return volume.consistent(left, right[:, ::-1], fill=fill)
