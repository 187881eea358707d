"""Any folder of frames with true flow: KITTI's, Sintel's, Spring's and Middlebury's layouts, or a lab's own."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from beholder.core.cite import source
from beholder.core.sample import Dataset, Sample, remark
from beholder.errors import Misuse
from beholder.io import image
from beholder.motion.frame_pairs import FramePair, grey
from beholder.motion.perceived import Probes, Scene
from beholder.motion.true_flow import naming, reading
from beholder.motion.true_flow.layouts import Files, Layout, recognised
from beholder.motion.true_flow.reading import Convention
from beholder.motion.true_flow.types import TrueFlow
from beholder.motion.types import Movie
from beholder.store.digest import digest_files

EXPECTED = (
    "expected frames with a .flo, .flo5, .npy, KITTI's 16-bit .png, or a .csv of x, y, u, v, named alike: "
    "frame_0001.png, frame_0002.png and frame_0001.flo; NAME_img1.png, NAME_img2.png and NAME_flow.flo; or the folders "
    "of KITTI, Sintel, Spring or Middlebury"
)


@source("Menze2015,Geiger2012,Butler2012,Mehl2023,Baker2011")
def flow(
    path: Path,
    *,
    render: str = "",
    v_up: bool = False,
    row_first: bool = False,
    scale: float = 1.0,
    hertz: float = 30.0,
    px_per_deg: float = 30.0,
) -> Dataset[Movie, TrueFlow | Probes]:
    """A folder of frames and the true flow from each to the next; which is which is found by the names of the files.

    Known by themselves: KITTI 2012 and 2015 (image_2, flow_occ, flow_noc), MPI-Sintel (clean, final, flow, occlusions,
    invalid; `render` chooses the frames, final by default), Spring, and Middlebury (other-data, other-gt-flow). In any
    other folder a truth belongs to the frame of its own number and the next one (frame_0001.flo, flow/0001.png), or to
    the only two frames whose names begin like its own (NAME_img1, NAME_img2, NAME_flow), in the same folder or in one
    of a like name. Images whose names say occ or invalid are masks, not 0 where a pixel is unmatched or not to be used.

    A table (.csv) with columns x, y, u, v is a truth at these points only; with seen_u, seen_v and observer it also has
    what people saw, and motion/perceived_flow can run on it, too. `v_up` says that v points up in the files,
    `row_first` that v stands before u, and vectors are divided by `scale`. Frame rate and px per degree are nominal:
    they matter only to models that work in seconds or degrees. Frames are grey levels as stored in the files, not
    luminance; models find the colours in `pictures`. Tags: scene, where ids have folders.
    """
    if not path.is_dir():
        raise Misuse(f"got {path}, which is not a folder; {EXPECTED}")
    if not scale > 0:
        raise Misuse(f"got scale={scale}; expected a number above 0, by which vectors are divided")
    layout = recognised(path, render) or _own(path)
    if not layout.pairs:
        partly = remark(layout.lacking, "true flow", "missing a frame")
        raise Misuse("; ".join([f"got {path} without a pair of frames with true flow", *partly, EXPECTED]))
    convention = Convention(v_up, row_first, scale)
    files = list(dict.fromkeys(file for pair in layout.pairs.values() for file in pair.every))
    annotations = [file for pair in layout.pairs.values() for file in pair.annotations]
    return Dataset(
        layout.name,
        tuple(layout.pairs),
        Pairs(layout.pairs, convention, hertz, px_per_deg),
        cite=layout.cite,
        licence=layout.licence,
        content=f"{digest_files(path, files, annotations)},{convention},{hertz},{px_per_deg}",
        status=layout.status,
        about=layout.about,
        people="recorded" if _asked(layout, convention) else "",
        remarks=(
            *remark(layout.lacking, "true flow", "missing a frame, and left out"),
            *remark(layout.backwards, "file", "about flow backwards in time, and left out"),
        ),
    )


@dataclass(frozen=True)
class Pairs:
    """The loader: frames and truth are read when a pair is asked for."""

    files: dict[str, Files]
    convention: Convention
    hertz: float
    px_per_deg: float

    def __call__(self, id: str) -> Sample[Movie, TrueFlow | Probes]:
        """Two frames, and what is known of the flow between them."""
        files = self.files[id]
        pictures = _pictures(files)
        frames = np.stack([grey(one) for one in pictures])
        tags = {"scene": id.rpartition("/")[0]} if "/" in id else {}
        if files.truth.suffix.lower() in naming.TABLES:
            points, told = reading.probes(files.truth, self.convention)
            return Sample(id, Scene(frames, self.hertz, self.px_per_deg, points=points), told, tags)
        truth = self.reference(id)
        _check_size(files, pictures.shape[1:3], truth)
        return Sample(id, FramePair(frames, self.hertz, self.px_per_deg, pictures=pictures), truth, tags)

    def reference(self, id: str) -> TrueFlow | Probes:
        """What is known of the flow, without the frames."""
        files = self.files[id]
        if files.truth.suffix.lower() in naming.TABLES:
            return reading.probes(files.truth, self.convention)[1]
        field = reading.field(files.truth, self.convention, limit=reading.room(files.first))
        true, regions = reading.regions(files, field, self.convention)
        return TrueFlow(true, regions)


def _own(path: Path) -> Layout:
    """The pairs of a folder that has no published layout."""
    found, alone, backwards = naming.pairs(path)
    about = "Your own frames and true flow."
    return Layout("flow", found, alone, "Baker2011", "yours to say", about, backwards=tuple(backwards))


def _asked(layout: Layout, convention: Convention) -> bool:
    """Whether people answered at the probes of the first pair."""
    truth = next(iter(layout.pairs.values())).truth
    return truth.suffix.lower() in naming.TABLES and isinstance(reading.probes(truth, convention)[1], Probes)


def _pictures(files: Files) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Both frames as they are in their files."""
    first, second = image.read(files.first), image.read(files.second)
    if first.shape[:2] != second.shape[:2]:
        raise ValueError(
            f"{files.second}: got a frame of {_size(second.shape)}; expected {_size(first.shape)}, as "
            f"{files.first.name} has; both frames must be of one size"
        )
    if first.ndim != second.ndim:  # one is grey
        first, second = (np.rint(grey(one)).astype(np.uint8) for one in (first, second))
    return np.stack([first, second])


def _check_size(files: Files, shape: tuple[int, ...], truth: TrueFlow | Probes) -> None:
    if isinstance(truth, TrueFlow) and truth.flow.shape[:2] != tuple(shape):
        raise ValueError(
            f"{files.truth}: got a flow of {_size(truth.flow.shape)} for frames of {_size(shape)}; expected one size; "
            "resize the frames, or the flow and its vectors with it"
        )


def _size(shape: tuple[int, ...]) -> str:
    return f"{shape[1]} × {shape[0]} px"
