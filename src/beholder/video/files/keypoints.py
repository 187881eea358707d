"""Keypoints beside a clip: NAME.keypoints.json or NAME.keypoints.npz.

Ours is a record of `people`, an array (people, T, K, 2 or 3) of x, y and maybe confidence of 0 … 1; and of `skeleton`:
a name of `beholder.video.skeletons`, or in JSON {"name": …, "points": […], "bones": [[a, b], …], "joints": [[a, b, c],
…], "mirrored": [[left, right], …]}, in an archive the arrays `points`, `bones`, `joints`, `mirrored`. What is not seen
is null or NaN. `unit` is "px" (of the clip, whose upper left pixel is 0, 0) or "share" (of its width and height);
without it, coordinates that all lie within −1 … 2 are shares.

COCO's records (`images`, `annotations`, `categories`) and plain lists of {image_id, keypoints, …}, as AlphaPose and
COCO's results have them, are read, too: in px, of 17 points unless `categories` says otherwise. `track_id`, `idx` or
`person_id` tell bodies apart; without these, each is the one that was nearest in the frame before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from beholder.io.bounds import FLOOR, PARSED, check_text
from beholder.io.reading import parse_json
from beholder.video.files.arrays import archive
from beholder.video.files.pictures import natural
from beholder.video.files.stream import MOST_FRAMES
from beholder.video.files.suffixes import KEYPOINTS, stem
from beholder.video.skeletons import COCO, SKELETONS
from beholder.video.types import Floats, Poses, Skeleton

TRACKS = ("track_id", "idx", "person_id")
MOST_PEOPLE = 1000
SHARES = (-1.0, 2.0)  # coordinates that all lie within are shares: a point may lie outside of the frame


class Body(NamedTuple):
    """One body in one frame, as a list of detections has it."""

    frame: int
    track: str  # nothing where it is not said
    points: Floats  # (K, 3)


def beside(clip: Path, shape: tuple[int, int]) -> tuple[Poses, ...]:
    """The keypoints of a clip of some height and width, where a file beside it has any."""
    places = (clip.with_name(stem(clip) + ending) for ending in KEYPOINTS)
    file = next((place for place in places if place.is_file()), None)
    return () if file is None else read(file, shape)


def read(file: Path, shape: tuple[int, int]) -> tuple[Poses, ...]:
    """The keypoints in a file, of a clip of some height and width."""
    try:
        held = _archive(file) if file.suffix.lower() == ".npz" else _json(file)
        if isinstance(held, list) or "annotations" in held:
            skeleton, bodies = _detected(held)
            return tuple(_poses(skeleton, one, shape, "px") for one in _gathered(bodies, len(skeleton.points)))
        return _ours(held, shape)
    except Exception as fault:  # NumPy raises what it likes over damaged bytes
        said = f"no {fault}" if isinstance(fault, KeyError) else str(fault).removeprefix(f"{file}: ")
        raise ValueError(
            f"{file}: got no keypoints that can be read ({said}); see beholder.video.files.keypoints"
        ) from (fault)


def _archive(file: Path) -> dict[str, Any]:
    with archive(file, FLOOR) as held:
        arrays: dict[str, Any] = {name: held[name] for name in held}
    if "skeleton" not in arrays:
        arrays["skeleton"] = {name: arrays[name].tolist() for name in Skeleton._fields if name in arrays}
    return {name: array.item() if getattr(array, "ndim", 1) == 0 else array for name, array in arrays.items()}


def _json(file: Path) -> Any:
    check_text(file, PARSED * FLOOR)
    return parse_json(file.read_text("utf-8-sig"))


def _ours(held: Mapping[str, Any], shape: tuple[int, int]) -> tuple[Poses, ...]:
    skeleton = _skeleton(held["skeleton"])
    people = np.array(held["people"], np.float64)  # null becomes NaN
    people = people[None] if people.ndim == 3 else people
    if people.ndim != 4 or people.shape[2] != len(skeleton.points) or people.shape[3] not in (2, 3):
        raise ValueError(f"got people of {people.shape}; expected (people, T, {len(skeleton.points)}, 2 or 3)")
    unit = held.get("unit") or ("share" if _within(people[..., :2]) else "px")
    if unit not in ("px", "share"):
        raise ValueError(f"got the unit {unit!r}; expected px or share")
    return tuple(_poses(skeleton, one, shape, unit) for one in people)


def _within(points: Floats) -> bool:
    known = points[np.isfinite(points)]
    return bool(((known >= SHARES[0]) & (known <= SHARES[1])).all())


def _skeleton(said: Any) -> Skeleton:
    if isinstance(said, str):
        if said not in SKELETONS:
            raise ValueError(
                f"got the skeleton {said!r}; expected one of {', '.join(SKELETONS)}, or its points and bones"
            )
        return SKELETONS[said]
    links = {name: tuple(tuple(map(str, link)) for link in said.get(name, ())) for name in Skeleton._fields[2:]}
    points = tuple(map(str, said["points"]))
    if unknown := [end for several in links.values() for link in several for end in link if end not in points]:
        raise ValueError(f"got a bone, joint or pair with {unknown[0]!r}; expected some of its points")
    return Skeleton(str(said.get("name", "given")), points, **links)  # type: ignore[arg-type]


def _poses(skeleton: Skeleton, body: Floats, shape: tuple[int, int], unit: str) -> Poses:
    """One body (T, K, 2 or 3) in shares of the frame; what has no confidence is not seen."""
    scale = np.array([1.0, 1.0]) if unit == "share" else 1 / np.array([shape[1], shape[0]], np.float64)
    points = np.where(np.isfinite(body[..., :2]), body[..., :2] * scale, np.nan)
    seen = np.isfinite(points).all(axis=-1)
    confidence = np.where(seen, body[..., 2] if body.shape[-1] == 3 else 1.0, 0.0)
    confidence = np.clip(np.nan_to_num(confidence / (2.0 if confidence.max(initial=0) > 1 else 1.0)), 0, 1)
    points[confidence == 0] = np.nan
    return Poses(skeleton, points, confidence)


def _detected(held: Any) -> tuple[Skeleton, list[Body]]:
    """The skeleton and the bodies of COCO's records or of a list of detections."""
    whole = held if isinstance(held, dict) else {"annotations": held}
    skeleton = _category(whole.get("categories") or [])
    frames = _frames(whole.get("images") or [], whole["annotations"])
    made = [_body(said, frames[str(said["image_id"])], len(skeleton.points)) for said in whole["annotations"]]
    return skeleton, made


def _category(categories: Sequence[Mapping[str, Any]]) -> Skeleton:
    """The skeleton of a category that has points; its bones are pairs of places that count from 1."""
    own = next((category for category in categories if category.get("keypoints")), None)
    if own is None:
        return COCO
    points = tuple(map(str, own["keypoints"]))
    if points == COCO.points:
        return COCO
    bones = tuple((points[a - 1], points[b - 1]) for a, b in own.get("skeleton", ()))
    return Skeleton(str(own.get("name", "given")), points, bones)


def _frames(images: Sequence[Mapping[str, Any]], annotations: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """The place of every picture: in the order of their names, or by their numbers, which count from 0 or 1."""
    if images:
        order = sorted(images, key=lambda one: natural(str(one.get("file_name", one["id"]))))
        return {str(one["id"]): place for place, one in enumerate(order)}
    numbers = {str(said["image_id"]): _last_number(str(said["image_id"])) for said in annotations}
    first = 0 if 0 in numbers.values() else 1
    return {name: number - first for name, number in numbers.items()}


def _last_number(name: str) -> int:
    """The last number in a picture's name: the frame of frame_0012.jpg is 12."""
    found = re.findall(r"\d+", re.sub(r"\.[A-Za-z]\w*$", "", name))
    if not found:
        raise ValueError(f"got the picture {name!r}; expected a number in its name")
    return int(found[-1])


def _body(said: Mapping[str, Any], frame: int, count: int) -> Body:
    points = np.array(said["keypoints"], np.float64).reshape(-1, 3)
    if len(points) != count:
        raise ValueError(f"got {len(points)} points; expected {count}; name them in categories")
    if not 0 <= frame < MOST_FRAMES:
        raise ValueError(f"got frame {frame}; expected 0 … {MOST_FRAMES - 1}")
    points[points[:, 2] <= 0, :2] = np.nan
    track = next((str(said[name]) for name in TRACKS if said.get(name) is not None), "")
    return Body(frame, track, points)


def _gathered(bodies: Sequence[Body], count: int) -> list[Floats]:
    """Bodies over time, (T, K, 3) each, NaN where one is not there."""
    length = 1 + max((body.frame for body in bodies), default=-1)
    found: dict[str, Floats] = {}
    for body, track in _tracked(bodies):
        if len(found) >= MOST_PEOPLE and track not in found:
            raise ValueError(f"got more than {MOST_PEOPLE:,} bodies; expected fewer; are they tracked?")
        found.setdefault(track, np.full((length, count, 3), np.nan))[body.frame] = body.points
    return list(found.values())


def _tracked(bodies: Sequence[Body]) -> Iterator[tuple[Body, str]]:
    """Every body with a name for its track; without one, that of the nearest in the frame before."""
    before: dict[str, Body] = {}
    for frame in sorted({body.frame for body in bodies}):
        now: dict[str, Body] = {}
        near = {name: body for name, body in before.items() if body.frame == frame - 1}
        for at, body in enumerate(one for one in bodies if one.frame == frame):
            free = [name for name in near if name not in now]
            closest = min(free, key=lambda name: _distance(near[name], body), default=f"{frame} {at}")
            now[body.track or closest] = body
            yield body, body.track or closest
        before = now


def _distance(one: Body, other: Body) -> float:
    """Mean distance of the points that both bodies have; infinite where there are none."""
    apart = np.hypot(*(one.points - other.points)[:, :2].T)
    return float(np.mean(apart[np.isfinite(apart)])) if np.isfinite(apart).any() else float("inf")
