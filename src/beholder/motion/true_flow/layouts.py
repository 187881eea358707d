"""Folders of flow with ground truth as they are published: KITTI, MPI-Sintel, Spring, Middlebury. Which files are what.

The names are from memory where no folder was at hand to check them (Sintel's masks, Middlebury's folders).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from beholder.errors import Misuse


@dataclass(frozen=True)
class Files:
    """The files of one pair of frames."""

    first: Path
    second: Path
    truth: Path
    seen: Path | None = None  # the truth again, only where the second frame shows the point, as KITTI gives it
    hidden: Path | None = None  # an image that is not 0 where the second frame does not show the point
    invalid: Path | None = None  # an image that is not 0 where the truth is not to be used
    objects: Path | None = None  # an image that is not 0 on moving objects, as KITTI gives it

    @property
    def every(self) -> list[Path]:
        """All of them."""
        return [file for file in vars(self).values() if file]

    @property
    def annotations(self) -> list[Path]:
        """All but the frames."""
        return [file for file in self.every if file not in (self.first, self.second)]


@dataclass(frozen=True)
class Layout:
    """The pairs of a folder, and what is known of the dataset whose layout it has."""

    name: str
    pairs: dict[str, Files]
    lacking: list[str]  # truths that miss a frame
    cite: str
    licence: str
    about: str
    status: str = ""
    backwards: tuple[str, ...] = ()  # files of the flow from the second frame to the first, which is not read


def recognised(root: Path, render: str = "") -> Layout | None:
    """The published dataset that lies in a folder, by the names of its folders; None where it is no such folder."""
    found = next((layout for of in (kitti, spring, middlebury) if (layout := of(root))), None)
    return found or sintel(root, render)


def kitti(root: Path) -> Layout | None:
    """KITTI 2015 (image_2, flow_occ, flow_noc, obj_map) or 2012 (colored_0 or image_0), frames ID_10 and ID_11."""
    base = _inner(root, "training")
    shown = next((base / name for name in ("image_2", "colored_0", "image_0") if (base / name).is_dir()), None)
    if shown is None or not (base / "flow_occ").is_dir():
        return None
    wanted = {}
    for truth in sorted((base / "flow_occ").glob("*.png")):
        seen, objects = base / "flow_noc" / truth.name, base / "obj_map" / truth.name
        second = re.sub(r"\d+$", lambda last: f"{int(last[0]) + 1:0{len(last[0])}}", truth.stem)
        wanted[truth.stem] = Files(
            shown / truth.name, shown / f"{second}.png", truth, seen=_there(seen), objects=_there(objects)
        )
    year = "2015" if shown.name == "image_2" else "2012"
    about = "Streets from a moving car, with the sparse flow of a laser scanner (cars: of fitted models)."
    cite = "Menze2015" if year == "2015" else "Geiger2012"
    return _layout(f"kitti_flow_{year}", wanted, cite, "CC BY-NC-SA 3.0", about)


def sintel(root: Path, render: str = "") -> Layout | None:
    """MPI-Sintel: clean, final, flow, occlusions and invalid, each with a folder per scene; `render` says which frames.

    Without it the final ones are taken, which are the harder.
    """
    base = _inner(root, "training")
    renders = [name for name in ("final", "clean", "albedo") if (base / name).is_dir()]
    if not renders or not (base / "flow").is_dir() or not any((base / "flow").glob("*/*.flo")):
        return None
    if render and render not in renders:
        raise Misuse(f"got render={render!r}; expected one that {base} holds: {', '.join(renders)}")
    shown, wanted = base / (render or renders[0]), {}
    for truth in sorted((base / "flow").glob("*/*.flo")):
        scene, picture = truth.parent.name, f"{truth.stem}.png"
        second = re.sub(r"\d+$", lambda last: f"{int(last[0]) + 1:0{len(last[0])}}", truth.stem)
        masks = {part: _there(base / part / scene / picture) for part in ("occlusions", "occlusion", "invalid")}
        wanted[f"{scene}/{truth.stem}"] = Files(
            shown / scene / picture,
            shown / scene / f"{second}.png",
            truth,
            hidden=masks["occlusions"] or masks["occlusion"],  # copies have both names
            invalid=masks["invalid"],
        )
    about = f"An animated film, rendered ({shown.name}), with the flow of the renderer and occlusions."
    return _layout(f"sintel_{shown.name}", wanted, "Butler2012", "CC BY 3.0 (the film); see its page", about, "memory")


def spring(root: Path) -> Layout | None:
    """Spring: SCENE/frame_left, SCENE/flow_FW_left (.flo5), and matchmap_flow_FW_left in SCENE/maps."""
    base, wanted = _inner(root, "train"), {}
    for truth in sorted(base.glob("*/flow_FW_left/flow_FW_left_*.flo5")):
        scene, number = truth.parent.parent, truth.stem.rpartition("_")[2]
        after = f"{int(number) + 1:0{len(number)}}"
        shown = [scene / "frame_left" / f"frame_left_{at}.png" for at in (number, after)]
        hidden = scene / "maps" / "matchmap_flow_FW_left" / f"matchmap_flow_FW_left_{number}.png"
        wanted[f"{scene.name}/{number}"] = Files(shown[0], shown[1], truth, hidden=_there(hidden))
    about = "An animated film in high detail, with the flow of the renderer from left frame to left frame."
    return _layout("spring", wanted, "Mehl2023", "CC BY 4.0", about) if wanted else None


def middlebury(root: Path) -> Layout | None:
    """Middlebury's flow: other-gt-flow/NAME/flow10.flo and frame10, frame11 in other-data or its like."""
    shown = [
        root / f"other-{name}" for name in ("data", "color-twoframes", "color-allframes", "data-gray", "gray-twoframes")
    ]
    told = root / "other-gt-flow"
    if not told.is_dir() or not any(folder.is_dir() for folder in shown):
        return None
    place = next(folder for folder in shown if folder.is_dir())
    wanted = {
        truth.parent.name: Files(
            place / truth.parent.name / "frame10.png", place / truth.parent.name / "frame11.png", truth
        )
        for truth in sorted(told.glob("*/flow10.flo"))
    }
    about = "Small scenes, photographed under hidden texture or rendered, with dense flow of slow motion."
    return _layout("middlebury_flow", wanted, "Baker2011", "Middlebury: free to use; cite the paper", about, "memory")


def split(wanted: dict[str, Files]) -> tuple[dict[str, Files], list[str]]:
    """The pairs whose frames are both there, and the names of the others with what they lack."""
    there = {id: files for id, files in wanted.items() if files.first.is_file() and files.second.is_file()}
    return there, [f"{id} (no {' and no '.join(_missing(files))})" for id, files in wanted.items() if id not in there]


def _missing(files: Files) -> Iterable[str]:
    return [file.name for file in (files.first, files.second) if not file.is_file()]


def _layout(name: str, wanted: dict[str, Files], cite: str, licence: str, about: str, status: str = "") -> Layout:
    return Layout(name, *split(wanted), cite, licence, about, status)


def _inner(root: Path, name: str) -> Path:
    return root / name if (root / name).is_dir() else root


def _there(file: Path) -> Path | None:
    return file if file.is_file() else None
