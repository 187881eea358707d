"""Any folder of stereo pairs with true disparities, whatever its files are called."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from beholder.core.cite import source
from beholder.core.sample import Dataset, Sample, remark
from beholder.errors import Misuse
from beholder.io import arrays, disparity, image
from beholder.stereo.datasets import _folder, _naming
from beholder.stereo.datasets._naming import MASKS, REGIONS, Scene
from beholder.stereo.regions import textureless
from beholder.stereo.types import Map, Mask, Pair, Truth
from beholder.store.digest import digest_files

SIXTEEN_BITS = 256.0  # KITTI: a 16-bit grey value is 256 times the disparity
DENSE = 0.5  # known share of a truth from which regions can be made of it
FLOATS = (".pfm", ".npy", ".npz", ".tif", ".tiff")  # formats that hold px
EIGHT_BITS = ("L", "P", "1")  # Pillow's words for them
STEP = 16  # the range of disparities is rounded up to a multiple of it, as matchers want it
EXPECTED = (
    "expected a left image, a right image and a disparity map of one name: left/right/disp, imL/imR/disp, "
    "im0/im1/disp0, view1/view5/disp1, NAME_left/NAME_right/NAME_disp, or folders left, right and disp with equal names"
)


@source("Scharstein2002")
def pairs(
    path: Path,
    *,
    scale: float | None = None,
    unknown: float | None = None,
    max_disparity: int | None = None,
    swap: bool = False,
) -> Dataset[Pair, Truth]:
    """A folder of rectified pairs with true disparities of the left view; which file is what is found by its name.

    Names may be left/right/disp, imL/imR, im0/im1/disp0, view1/view5/disp1, im2/im6/disp2, NAME_left/NAME_right/
    NAME_disp, or folders left, right and disp (or gt) with equal file names, in any case and with spaces. The truth is
    PFM, .npy, .npz or a float .tif in px, a 16-bit PNG (256 times the disparity, as KITTI has it), or an 8-bit one with
    its `scale`; values are divided by `scale`, and −1 turns the sign round. Unknown is what is not finite, 0 in a PNG,
    and the value `unknown`. Masks (nonocc, occ, valid, all, disc) are read where there are; other regions are made from
    a dense truth by Middlebury's rules. `swap` exchanges the two images.

    `max_disparity` is the setting, or the ndisp of a calib.txt beside the pair; failing both, the range is taken from
    the truth, rounded up to a multiple of 16, and a remark says so: models then know something that they would not.
    """
    root = _folder.folder(path, "a folder of stereo pairs").resolve()
    _refuse_kitti(root)
    if scale is not None and not (np.isfinite(scale) and scale):
        raise Misuse(f"got scale={scale}; expected what stored values are divided by, such as 256 or 4")
    found = _naming.scenes(root)
    whole = {name: scene for name, scene in found.items() if not scene.lacking}
    partly = _naming.incomplete(found)
    if not whole:
        lacking = remark(partly, "scene", "incomplete")
        raise Misuse("; ".join([f"got {path} without a whole pair", *lacking, EXPECTED]))
    _refuse_eight_bits(whole, scale, path)
    annotations = [file for scene in whole.values() for file in _told(scene)]
    files = [file for scene in whole.values() for file in scene.parts if file] + annotations
    told = f"scale={scale},unknown={unknown},max_disparity={max_disparity},swap={swap}"
    guessed = [name for name, scene in whole.items() if max_disparity is None and _ndisp(scene) is None]
    return Dataset(
        "pairs",
        tuple(whole),
        Pairs(whole, scale, unknown, max_disparity, swap),
        cite="Scharstein2002",
        licence="yours to say",
        content=f"{digest_files(root, list(dict.fromkeys(files)), annotations)},{told}",
        about="Your own stereo pairs with true disparities.",
        remarks=(
            *remark(partly, "scene", "incomplete, and left out"),
            *remark(guessed, "scene", "without a range of disparities, which is taken from the truth"),
        ),
    )


@dataclass(frozen=True)
class Pairs:
    """The loader: images and truth are read when a pair is asked for."""

    scenes: dict[str, Scene]
    scale: float | None
    unknown: float | None
    max_disparity: int | None
    swap: bool

    def __call__(self, id: str) -> Sample[Pair, Truth]:
        """One pair."""
        scene = self.scenes[id]
        left, right, truth = (file for file in scene.parts if file)
        true = _known(scene, self._read(truth))
        most = self.max_disparity or _ndisp(scene) or reach(true)
        _folder.check_range(true, most, truth)
        pair = _folder.pair(*((right, left) if self.swap else (left, right)), most)
        if true.shape != pair.shape:
            raise ValueError(
                f"{truth}: got a map of {_size(true.shape)} for images of {_size(pair.shape)}; expected one size; "
                "resize the images, or the map and its values with it"
            )
        masks, status = _regions(scene, true)
        masks["textureless"] = masks.get("nonocc", masks["all"]) & textureless(pair.left)
        return Sample(id, pair, Truth(true, masks, status))

    def divisor(self, id: str) -> float:
        """What the stored values of a truth are divided by."""
        truth = self.scenes[id].parts[2]
        if self.scale or truth is None:
            return self.scale or 1.0
        return 1.0 if truth.suffix.lower() in FLOATS else _naming.scale_of(truth) or SIXTEEN_BITS

    def _read(self, path: Path) -> Map:
        found = read(path, self.scale)
        if self.unknown is not None:
            found = np.where(np.isclose(found * (self.scale or 1), self.unknown), np.float32(np.nan), found)
        return _positive(found, path)


def read(path: Path, scale: float | None = None) -> Map:
    """The disparities in a file of any format, divided by `scale`; NaN where there are none."""
    suffix = path.suffix.lower()
    if suffix in (".npy", ".npz"):
        values = arrays.only(path)
        if values.ndim != 2 or values.dtype.kind not in "fiu":
            raise ValueError(f"{path}: got {values.dtype} of shape {values.shape}; expected numbers (H, W), in px")
        return _finite(values / (scale or 1))
    if suffix in (".pfm", ".tif", ".tiff"):
        return _finite(disparity.read(path) / (scale or 1))
    mode, levels = _levels(path)
    if mode[0] not in "IL1":
        raise ValueError(f"{path}: got an image of mode {mode}; expected grey levels; this is a picture for display")
    divisor = scale or _naming.scale_of(path) or SIXTEEN_BITS
    return np.where(levels > 0, levels / divisor, np.nan).astype(np.float32)


def reach(true: Map) -> int:
    """A range of disparities that holds a true map."""
    largest = float(np.nanmax(true, initial=0.0))
    return STEP * (int(largest) // STEP + 1)


def _levels(path: Path) -> tuple[str, np.ndarray[Any, np.dtype[Any]]]:
    try:
        with image.opened(path) as picture:
            return picture.mode, np.asarray(picture)
    except FileNotFoundError:
        raise
    except (OSError, SyntaxError) as fault:
        raise ValueError(f"{path}: got no whole image ({fault}); expected grey levels; write it again") from fault


def _finite(values: np.ndarray[Any, np.dtype[Any]]) -> Map:
    return np.where(np.isfinite(values), values, np.nan).astype(np.float32)


def _positive(true: Map, path: Path) -> Map:
    """A map without negative disparities; one that has them counts otherwise than is said."""
    below = true[true < 0]
    if not below.size:
        return true
    if len(np.unique(below)) == 1:
        raise ValueError(
            f"{path}: got the value {below[0]:g} in {below.size} pixels; expected 0 px or more; where it says that the "
            f"disparity is unknown, give unknown={below[0]:g}"
        )
    raise ValueError(
        f"{path}: got disparities of {below.min():g} … {np.nanmax(true):g} px; expected 0 or more; where their sign is "
        "turned round, give scale=-1"
    )


def _known(scene: Scene, true: Map) -> Map:
    """The truth where a mask `valid` lets it be known."""
    mask = scene.of("valid")
    return np.where(lit(mask, true.shape), true, np.float32(np.nan)) if mask else true


def _regions(scene: Scene, true: Map) -> tuple[dict[str, Mask], str]:
    """Regions from masks, or made from a truth that is dense enough."""
    known = np.isfinite(true)
    seen, hidden = scene.of("nonocc"), scene.of("occ")
    given = {"all": known} | {kind: known & lit(file, true.shape) for kind in REGIONS if (file := scene.of(kind))}
    if seen or hidden:
        given["nonocc"] = known & (lit(seen, true.shape) if seen else ~lit(hidden, true.shape))
    if known.mean() < DENSE:
        return given, ""
    return _folder.completed(true, given)


def lit(path: Path | None, shape: tuple[int, ...]) -> Mask:
    """Where a mask is set: at more than 0.6 of its greatest level, so that Middlebury's 128, occluded, is not."""
    levels = image.read(path) if path else np.zeros(shape, np.uint8)
    grey = levels.max(axis=-1) if levels.ndim == 3 else levels
    if grey.shape != shape:
        raise ValueError(f"{path}: got a mask of {_size(grey.shape)}; expected {_size(shape)}, as the truth has")
    return np.asarray((grey > 0) & (grey > 0.6 * float(grey.max())))


def _told(scene: Scene) -> list[Path]:
    """All files of a scene that no model is shown."""
    return [file for kind in ("truth", *MASKS, *REGIONS) if (file := scene.of(kind))]


def _ndisp(scene: Scene) -> int | None:
    """What the calib.txt beside a pair says of the range."""
    left = scene.parts[0]
    written = _folder.calibration(_folder.first_existing(left.parent, ["calib.txt"]) if left else None).get("ndisp", "")
    return int(written) if written.isdigit() else None


def _refuse_eight_bits(found: dict[str, Scene], scale: float | None, path: Path) -> None:
    """Refuse 8-bit truths of unknown scale before anything runs: a wrong scale gives a plausible map."""
    truths = [scene.parts[2] for scene in found.values()] if scale is None else []
    for truth in truths:
        if truth and _naming.scale_of(truth) is None and _mode(truth) in EIGHT_BITS:
            raise Misuse(
                f"{truth}: got an 8-bit truth, whose scale is not in the file; expected the grey levels per px of "
                f"disparity (Middlebury has 3, 4, 8 or 16); give it: pairs(scale=4):{path}"
            )


def _mode(truth: Path) -> str:
    """Pillow's word for the pixels of an image, from its header; nothing for maps, and for what is damaged."""
    if truth.suffix.lower() in FLOATS:
        return ""
    try:
        with image.opened(truth) as picture:
            return str(picture.mode)
    except (OSError, SyntaxError):  # told when the pair is read
        return ""


def _refuse_kitti(root: Path) -> None:
    """KITTI's truths have `occ` in their names, which would be taken for masks; it has a loader of its own."""
    for base in (root, root / "training"):
        if any(base.glob("disp_occ*")):
            raise Misuse(f"got {root}, the layout of KITTI; expected another; give kitti:{root}")


def _size(shape: tuple[int, ...]) -> str:
    return f"{shape[1]} × {shape[0]} px"
