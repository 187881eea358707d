"""Skeletons name only points that they have."""

import pytest

from beholder.video.skeletons import SKELETONS


@pytest.mark.parametrize("skeleton", SKELETONS.values(), ids=list(SKELETONS))
def test_bones_joints_and_sides_are_between_known_points(skeleton):
    known = set(skeleton.points)
    assert len(known) == len(skeleton.points)
    for named in (*skeleton.bones, *skeleton.joints, *skeleton.mirrored):
        assert set(named) <= known
        assert len(set(named)) == len(named)


def test_each_bone_has_its_like_on_the_other_side():
    for skeleton in SKELETONS.values():
        other = {a: b for pair in skeleton.mirrored for a, b in (pair, pair[::-1])}
        bones = {frozenset(bone) for bone in skeleton.bones}
        assert {frozenset(other.get(p, p) for p in bone) for bone in bones} == bones
