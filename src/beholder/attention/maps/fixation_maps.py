"""From fixations to maps: where people looked, as counts, as a smooth map, and as a heat map."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Literal, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from beholder.attention.types import Floats, Lookers, Scanpath
from beholder.vision.blur import Border, blurred_points, cutoff_blurred

Weight = Literal["pooled", "observer", "duration"]
Where = tuple[NDArray[np.intp], NDArray[np.intp]]
T = TypeVar("T")

SIGMA_PX = 24.0  # where the geometry is not known: the blur of the MIT300, MIT1003 and OSIE maps (spec 4.1, 6)
LUMA = np.array([0.299, 0.587, 0.114])  # ITU-R BT.601
_MADE: WeakKeyDictionary[Any, dict[Hashable, Any]] = WeakKeyDictionary()


def made_once(owner: Any, key: Hashable, make: Callable[[], T]) -> T:
    """The value of `make()`, computed once per owner and key, and forgotten with the owner."""
    kept = _MADE.get(owner)
    if kept is None:
        kept = _MADE.setdefault(owner, {})
    if key not in kept:
        kept[key] = make()
    found: T = kept[key]
    return found


def before_confined(group: Lookers) -> Lookers:
    """A whole group with all its fixations, if a criterion has confined it (`criteria.confine`), or itself."""
    found: Callable[[], Lookers | None] | None = _MADE.get(group, {}).get("before confined")
    return (found and found()) or group


def sigma_px(lookers: Lookers, degrees: float = 1.0) -> float:
    """A blur of so many degrees in px; where px per degree are not known, 1 degree is taken as 24 px.

    >>> nobody = Lookers({}, (8, 10), px_per_deg=35.0)
    >>> sigma_px(nobody), sigma_px(Lookers({}, (8, 10)), 0.5)
    (35.0, 12.0)
    """
    if not degrees >= 0:
        raise ValueError(f"got a sigma of {degrees} degrees; expected 0 or more")
    scale = lookers.px_per_deg
    return float(degrees * (scale if np.isfinite(scale) else SIGMA_PX))


def pixels(points: Floats, shape: tuple[int, int]) -> Where:
    """Rows and columns of the pixels that hold some points (x, y): floor of each; none may lie outside.

    >>> pixels(np.array([[9.9, 0.0]]), (8, 10))
    (array([0]), array([9]))
    """
    x, y = np.ascontiguousarray(points.T)
    if len(x) and not (x.min() >= 0 and y.min() >= 0 and x.max() < shape[1] and y.max() < shape[0]):
        held = (x >= 0) & (x < shape[1]) & (y >= 0) & (y < shape[0])
        off = points[np.flatnonzero(~held)[0]]
        raise ValueError(
            f"got a fixation at ({off[0]:g}, {off[1]:g}); expected it inside {shape[1]} x {shape[0]}; "
            "see `types.keep_inside`"
        )
    return y.astype(np.intp), x.astype(np.intp)  # what is cut off is the floor: none is negative


def fixation_map(lookers: Lookers, *, weight: Weight = "pooled") -> Floats:
    """f = Σ_i Σ_k w δ(x − x_f(k)): how often each pixel was fixated.

    With "pooled" every fixation weighs 1; with "observer" every observer who fixated at all weighs 1, whatever the
    number of fixations; with "duration" a fixation weighs its milliseconds.

    Deviation: Le Meur & Baccino divide by the number of observers; no measure sees the factor. They print δ(t) = 1
    at t = 1; it is at 0.

    >>> from beholder.attention.types import scanpath
    >>> fixation_map(Lookers({"a": scanpath([0, 0, 1], [0, 0, 0])}, (1, 3)))
    array([[2., 1., 0.]])
    """
    found = np.zeros(lookers.shape)
    np.add.at(found, pixels(lookers.points, lookers.shape), fixation_weights(lookers, weight))
    return found


def fixation_weights(lookers: Lookers, weight: Weight = "pooled") -> Floats:
    """The weight of each fixation, in the order of `Lookers.points`."""
    if weight not in ("pooled", "observer", "duration"):
        raise ValueError(f"got weight={weight!r}; expected 'pooled', 'observer' or 'duration'")
    return np.concatenate([np.empty(0), *(_path_weights(path, weight) for path in lookers.paths.values())])


def _path_weights(path: Scanpath, weight: Weight) -> Floats:
    if weight == "duration":
        unknown = int(np.isnan(path.duration_ms).sum())
        if unknown:
            raise ValueError(
                f"got {unknown} fixations without a duration; expected a duration for each; or use weight='pooled'"
            )
        return path.duration_ms
    return np.full(len(path), 1.0 if weight == "pooled" else 1.0 / max(1, len(path)))


def continuous_map(
    lookers: Lookers, *, sigma: float = 1.0, border: Border = "reflect", weight: Weight = "pooled"
) -> Floats:
    """S = f ∗ G_σ: the fixation map blurred by a Gaussian of σ degrees (see `sigma_px`), cut at 4 σ.

    With the border "reflect", the default, mass that leaves the picture comes back, so that many fixations all over
    the picture give an even map. With "constant" it is lost, as in the Tübingen benchmark, and every map is dim at its
    edges: a uniform density then has a CC of 0.2 on MIT1003. No fixation gives a map of zeros.

    >>> from beholder.attention.types import scanpath
    >>> one = Lookers({"a": scanpath(1, 0)}, (1, 3), px_per_deg=0.5)
    >>> continuous_map(one, border="constant").round(4), continuous_map(one).sum().round(9)
    (array([[0.0837, 0.6187, 0.0837]]), np.float64(1.0))
    """
    where, weighed = _weighed_pixels(lookers, weight)
    return blurred_points(where, lookers.shape, sigma=sigma_px(lookers, sigma), border=border, weights=weighed)


def others_map(group: Lookers, who: str, *, sigma: float = 1.0) -> Floats:
    """The smooth map of everyone but one: the group is blurred once, and each one's own map is taken away from it.

    It is `continuous_map(group.without(who))` but for rounding; what rounding brings below 0 is 0.

    >>> from beholder.attention.types import scanpath
    >>> two = Lookers({"a": scanpath(1, 0), "b": scanpath(0, 0)}, (1, 3), px_per_deg=0.5)
    >>> others_map(two, "b").round(4)
    array([[0.1067, 0.7866, 0.1067]])
    """
    everyone = made_once(group, ("smooth", sigma), lambda: continuous_map(group, sigma=sigma))
    own = continuous_map(group.only(who), sigma=sigma)
    return np.maximum(everyone - own, 0.0, out=own)


def _weighed_pixels(lookers: Lookers, weight: Weight) -> tuple[Where, Floats]:
    """The fixated pixels in reading order and their weights: who looked first must not change a digit of a map."""
    flat = np.ravel_multi_index(pixels(lookers.points, lookers.shape), lookers.shape)
    heaps, member = np.unique(flat, return_inverse=True)
    rows, columns = np.unravel_index(heaps, lookers.shape)
    return (rows, columns), np.asarray(np.bincount(member, fixation_weights(lookers, weight), len(heaps)), np.float64)


def mit_map(lookers: Lookers, *, cycles: float = 8.0) -> Floats:
    """The MIT benchmark's map: the fixation map, duplicates merged, low-passed at 8 cycles an image.

    See `beholder.vision.blur.cutoff_blurred`; rounding below 0 is made 0.
    """
    return np.maximum(cutoff_blurred((fixation_map(lookers) > 0).astype(float), cycles=cycles), 0.0)


def heat_map(values: Floats, pixels: NDArray[np.uint8] | None = None, *, strength: float = 0.85) -> NDArray[np.uint8]:
    """A map as colours, dark blue to yellow; over a picture in grey, the more opaque the higher the value.

    Returns (H, W, 3), 0 … 255. The map is brought to 0 … 1 by its maximum (a negative minimum is raised to 0 first); a
    map without a positive value is all blue.

    >>> heat_map(np.array([[0.0, 1.0]])).tolist()
    [[[13, 8, 135], [240, 249, 33]]]
    """
    from matplotlib import colormaps

    raised = values - min(float(values.min()), 0.0)
    scaled = raised / raised.max() if raised.max() > 0 else raised
    colours = np.asarray(colormaps["plasma"](scaled))[..., :3] * 255
    if pixels is not None:
        if pixels.shape[:2] != values.shape:
            raise ValueError(f"got a picture of {pixels.shape[:2]}; expected {values.shape}, the shape of the map")
        below = (pixels @ LUMA if pixels.ndim == 3 else pixels)[..., None]  # grey, so that all colour is heat
        opaque = strength * scaled[..., None] ** 0.5  # the root lets weak places be seen
        colours = opaque * colours + (1 - opaque) * below
    return np.asarray(np.rint(colours), np.uint8)
