"""What is known of bones: which are mirror images of each other, and how long people's are."""

from __future__ import annotations

from collections.abc import Mapping

from beholder.video.types import Skeleton

SIDES = ("left", "right")
# Shares of the body's height, from memory of the tables after Drillis & Contini (1966): shoulder to hip, shoulder to
# elbow, elbow to wrist, hip to knee, knee to ankle.
_HEIGHTS = {
    ("shoulder", "hip"): 0.288,
    ("shoulder", "elbow"): 0.186,
    ("elbow", "wrist"): 0.146,
    ("hip", "knee"): 0.245,
    ("knee", "ankle"): 0.246,
}
# Length of a bone over that from shoulder to hip, by the names of its ends without their side.
PROPORTIONS: Mapping[frozenset[str], float] = {
    frozenset(ends): share / _HEIGHTS["shoulder", "hip"] for ends, share in _HEIGHTS.items()
}


def unsided(point: str) -> str:
    """The name of a point without its side.

    >>> unsided("left_knee"), unsided("nose")
    ('knee', 'nose')
    """
    side, _, rest = point.partition("_")
    return rest if side in SIDES and rest else point


def twins(skeleton: Skeleton) -> dict[int, int]:
    """Which bone is the mirror image of which, by their places among the bones.

    >>> arms = (("left_elbow", "left_wrist"), ("right_elbow", "right_wrist"))
    >>> points = tuple(name for bone in arms for name in bone)
    >>> twins(Skeleton("arms", points, arms, (), tuple(zip(*arms))))
    {0: 1, 1: 0}
    """
    other = {a: b for pair in skeleton.mirrored for a, b in (pair, pair[::-1])}
    places = {frozenset(bone): at for at, bone in enumerate(skeleton.bones)}
    found: dict[int, int] = {}
    for at, bone in enumerate(skeleton.bones):
        mirrored = places.get(frozenset(other.get(end, end) for end in bone), at)
        if mirrored != at:
            found[at] = mirrored
    return found
