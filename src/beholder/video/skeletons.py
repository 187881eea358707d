"""Skeletons by name: which keypoints a body has, which of them a bone joins, where it bends."""

from __future__ import annotations

from itertools import pairwise

from beholder.video.types import Skeleton


def _sides(*parts: str) -> tuple[tuple[str, str], ...]:
    return tuple((f"left_{part}", f"right_{part}") for part in parts)


def _limbs(*chain: str) -> tuple[tuple[str, str], ...]:
    """The bones of a chain of points, on both sides.

    >>> _limbs("hip", "knee")
    (('left_hip', 'left_knee'), ('right_hip', 'right_knee'))
    """
    pairs = list(pairwise(chain))
    return tuple((f"{side}_{a}", f"{side}_{b}") for side in ("left", "right") for a, b in pairs)


def _bends(first: str, at: str, last: str) -> tuple[tuple[str, str, str], ...]:
    return tuple((f"{side}_{first}", f"{side}_{at}", f"{side}_{last}") for side in ("left", "right"))


# The 17 points of COCO's people, in the order of its files.
COCO = Skeleton(
    "coco17",
    (
        "nose",
        *("left_eye", "right_eye", "left_ear", "right_ear", "left_shoulder", "right_shoulder", "left_elbow"),
        *("right_elbow", "left_wrist", "right_wrist", "left_hip", "right_hip", "left_knee", "right_knee"),
        *("left_ankle", "right_ankle"),
    ),
    (
        *_limbs("shoulder", "elbow", "wrist"),
        *_limbs("hip", "knee", "ankle"),
        *_limbs("shoulder", "hip"),
        ("left_shoulder", "right_shoulder"),
        ("left_hip", "right_hip"),
    ),
    (
        *_bends("shoulder", "elbow", "wrist"),
        *_bends("hip", "knee", "ankle"),
        *_bends("elbow", "shoulder", "hip"),
        *_bends("shoulder", "hip", "knee"),
    ),
    _sides("eye", "ear", "shoulder", "elbow", "wrist", "hip", "knee", "ankle"),
)

# The 17 points of AP-10K's animals. From memory, not checked against its files: the order of the points may differ.
QUADRUPED = Skeleton(
    "quadruped",
    (
        *("left_eye", "right_eye", "nose", "neck", "tail_root"),
        *("left_shoulder", "left_elbow", "left_front_paw", "right_shoulder", "right_elbow", "right_front_paw"),
        *("left_hip", "left_knee", "left_back_paw", "right_hip", "right_knee", "right_back_paw"),
    ),
    (
        ("nose", "neck"),
        ("neck", "tail_root"),
        *_limbs("shoulder", "elbow", "front_paw"),
        *_limbs("hip", "knee", "back_paw"),
    ),
    (
        ("nose", "neck", "tail_root"),
        *_bends("shoulder", "elbow", "front_paw"),
        *_bends("hip", "knee", "back_paw"),
    ),
    _sides("eye", "shoulder", "elbow", "front_paw", "hip", "knee", "back_paw"),
)

# The generated figure: it moves in the plane of the picture, so that its bones never change their length.
FIGURE = Skeleton(
    "figure",
    (
        *("head", "neck", "pelvis"),
        *("left_shoulder", "left_elbow", "left_wrist", "right_shoulder", "right_elbow", "right_wrist"),
        *("left_hip", "left_knee", "left_ankle", "right_hip", "right_knee", "right_ankle"),
    ),
    (
        ("neck", "head"),
        ("neck", "pelvis"),
        *_limbs("shoulder", "elbow", "wrist"),
        *_limbs("hip", "knee", "ankle"),
    ),
    (
        ("head", "neck", "pelvis"),
        *_bends("shoulder", "elbow", "wrist"),
        *_bends("hip", "knee", "ankle"),
    ),
    _sides("shoulder", "elbow", "wrist", "hip", "knee", "ankle"),
)

SKELETONS = {skeleton.name: skeleton for skeleton in (COCO, QUADRUPED, FIGURE)}
