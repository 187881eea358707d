"""τ_s: how much is too much, or enough, by the type of scene. The table is ours, explicit, and can be overridden.

VMBench (Ling et al. 2025) says that thresholds depend on the scene and does not give them; its released code has four
steps by amplitude. Here a threshold is a base times one factor for each thing that a scene type is made of: what the
prompt asks for, how large what moves is, how fast the camera moves. Factors for size and camera are read between the
rows of the table, so that a clip on the border of two classes has one score, not two.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from beholder.video.evidence import Evidence
from beholder.video.types import Floats

Kind = Literal["fluid", "crowd", "body", "thing", "unknown"]

# Words of prompts by what they let one expect; the first kind that fits counts. Fluids and crowds change everywhere at
# once, so that their sharpness is restless by nature.
WORDS: Mapping[Kind, str] = {
    "fluid": "water|wave|waves|river|waterfall|sea|ocean|rain|snow|storm|smoke|fog|fire|flame|flames|cloud|clouds|"
    "splash|fountain|steam|lava|explosion|fireworks|sparks|lightning|sand",
    "crowd": "crowd|crowds|flock|herd|swarm|school of fish|traffic|audience|parade|leaves|grass|foliage|confetti",
    "body": "person|people|man|men|woman|women|boy|boys|girl|girls|child|children|baby|dancer|player|dog|dogs|cat|"
    "cats|horse|horses|bird|birds|animal|animals|fish|bear|monkey|elephant|athlete|runner|skier|surfer|chef",
    "thing": "car|cars|truck|bus|train|plane|boat|ball|robot|machine|drone|bicycle|motorcycle|wheel|clock|toy|fan",
}


# What changes everywhere at once is restless by nature. Deforming and rigid things are alike: sharpness is of frames.
KINDS = (("fluid", 1.5), ("crowd", 1.25), ("body", 1.0), ("thing", 1.0), ("unknown", 1.0))


ALIAS = {"static": "still"}  # of a class of camera


class Row(NamedTuple):
    """One class of a scale, and what is multiplied at its middle."""

    name: str
    at: float
    factor: float


@dataclass(frozen=True)
class Thresholds:
    """The table. Speeds are frame diagonals per second, qualities natural logarithms, areas shares of the frame.

    `drop`, `noise` and `detail` are calibrated: twelve clean clips keep all their frames but one, and bursts of blur of
    1.2 px or more, or of JPEG at quality 14 or less, are seen in them. The factors are judgement, not measurement.
    """

    drop: float = 0.15  # of quality within 1/8 s, in a scene at rest
    drop_moving: float = 0.15  # more, in full motion
    detail: float = 0.6  # of both for detail, which changes less than sharpness does
    full_motion: float = 0.5  # subject and camera together: from here on, motion is full
    noise: float = 5.0  # robust standard deviations of the clip's own changes: a drop below that is no drop,
    most: float = 1.5  # but no clip is so noisy that fine contrast may fall by half (a log of squares: 2 ln 2 = 1.4)
    kinds: tuple[tuple[str, float], ...] = KINDS
    sizes: tuple[Row, ...] = (Row("small", 0.01, 1.0), Row("medium", 0.08, 1.0), Row("large", 0.35, 1.2))
    cameras: tuple[Row, ...] = (Row("still", 0.01, 1.0), Row("moving", 0.10, 1.1), Row("fast", 0.40, 1.3))
    amplitude: float = 0.30  # a subject so fast moves as much as can be asked for
    # Speed is seen against a thing's own size, too; τ grows with the fourth root of its diameter
    amplitude_sizes: tuple[Row, ...] = (Row("small", 0.01, 0.77), Row("medium", 0.08, 1.0), Row("large", 0.35, 1.2))


OURS = Thresholds()


class SceneType(NamedTuple):
    """What a threshold depends on."""

    kind: Kind
    area: float  # median share of the frame that moves, while anything does
    camera: float  # median speed of the camera

    def size_class(self, table: Thresholds = OURS) -> str:
        """Small, medium or large: the nearest row of the table."""
        return _nearest(table.sizes, self.area)

    def camera_class(self, table: Thresholds = OURS) -> str:
        """Still, moving or fast."""
        return _nearest(table.cameras, self.camera)


def scene_type(found: Evidence, scene: Any = None, table: Thresholds = OURS) -> SceneType:
    """The type of a clip's scene: what was asked for, where `scene` says it, else what is seen.

    `scene` may be a prompt (its words tell the kind), or anything with a class of `size` or `camera` of the table.
    """
    areas = found.motion.area[found.motion.area > 0]
    speeds = _lengths(found.camera.pan)
    area = float(np.median(areas)) if areas.size else 0.0
    speed = float(np.median(speeds)) if speeds.size else 0.0
    told = _told(table.sizes, getattr(scene, "size", None)), _told(table.cameras, getattr(scene, "camera", None))
    return SceneType(kind_of(scene), area if told[0] is None else told[0], speed if told[1] is None else told[1])


def _told(rows: tuple[Row, ...], name: Any) -> float | None:
    """Where a class stands on its scale, if it is one of the table's."""
    return next((row.at for row in rows if row.name == ALIAS.get(str(name), name)), None)


def kind_of(scene: Any) -> Kind:
    """What kind of motion the words of a prompt let one expect: its subject first, then its text.

    >>> from beholder.video.types import Prompt
    >>> kind_of(Prompt("A man walks along the sea", subject="man")), kind_of(Prompt("waves roll in")), kind_of(None)
    ('body', 'fluid', 'unknown')
    """
    for words in (getattr(scene, "subject", ""), getattr(scene, "text", "")):
        if not isinstance(words, str):
            continue
        for kind, known in WORDS.items():
            if re.search(rf"\b(?:{known})\b", words.lower()):
                return kind
    return "unknown"


def factor(table: Thresholds, of: SceneType) -> float:
    """What the type of the scene multiplies a threshold by."""
    return dict(table.kinds).get(of.kind, 1.0) * _between(table.sizes, of.area) * _between(table.cameras, of.camera)


def drop_threshold(found: Evidence, of: SceneType, table: Thresholds = OURS) -> Floats:
    """τ_s(t) of every frame, before the clip's own noise is considered: higher while subject or camera move fast."""
    speed = _motion_at(found)
    share = np.minimum(1.0, speed / table.full_motion)
    threshold: Floats = (table.drop + table.drop_moving * share) * factor(table, of)
    return threshold


def _motion_at(found: Evidence) -> Floats:
    """Speed of subject and camera together at every frame, from the analysed pairs around it."""
    pairs = found.motion.speed + _lengths(found.camera.pan)
    if not pairs.size:
        return np.zeros(len(found.facts.times))
    speed: Floats = np.interp(found.facts.times, found.motion.times, pairs)
    return speed


def _between(rows: tuple[Row, ...], at: float) -> float:
    """The factor between rows, on a logarithmic scale."""
    places = np.log([row.at for row in rows])
    return float(np.interp(np.log(max(at, 1e-9)), places, [row.factor for row in rows]))


def _nearest(rows: tuple[Row, ...], at: float) -> str:
    return min(rows, key=lambda row: abs(np.log(max(at, 1e-9)) - np.log(row.at))).name


def amplitude_threshold(scene: Any = None, table: Thresholds = OURS) -> float:
    """τ_s of perceptible amplitude, diagonals per second, by how large the subject was asked to be.

    The size that is seen does not count: whatever else moves in a clip adds to it, and would lower the score of both.
    """
    asked = _told(table.amplitude_sizes, getattr(scene, "size", None))
    return table.amplitude * (1.0 if asked is None else _between(table.amplitude_sizes, asked))


def _lengths(vectors: Floats) -> Floats:
    lengths: Floats = np.linalg.norm(vectors.reshape(-1, 2), axis=1)
    return lengths
