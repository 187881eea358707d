"""Scripts made up from a seed: who is there, what happens between them, what the camera does."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from beholder.core.randomness import rng_for
from beholder.errors import Misuse, listed
from beholder.video.scene import Scene
from beholder.video.scenes.camera import MIDDLE, Camera
from beholder.video.scenes.figure import LENGTHS, Figure
from beholder.video.scenes.paths import Course, Orbit
from beholder.video.scenes.script import Held, Script, Shape, scene_of
from beholder.video.scenes.textures import DRAWN, PHOTOGRAPHS, SURFACES, Texture

OUTLINES = ("disc", "square", "triangle", "star")
Rng = np.random.Generator
Cast = tuple[tuple[Shape, ...], tuple[Figure, ...], str]  # shapes, figures, and what they do in words


class Written(NamedTuple):
    """A script, what is asked for in words, and what type of scene it is."""

    script: Script
    text: str
    subject: str
    scene: Scene


def write(seed: int, interaction: str, camera: str = "static") -> Written:
    """A scene from a seed, one of `INTERACTIONS` and one of `CAMERAS`."""
    if interaction not in INTERACTIONS or camera not in CAMERAS:
        raise Misuse(
            f"got the interaction {interaction!r} and the camera {camera!r}; expected one of "
            f"{listed(list(INTERACTIONS), most=9)} and one of {listed(list(CAMERAS), most=9)}"
        )
    rng = rng_for(seed, "scene", interaction, camera)
    shapes, figures, text = INTERACTIONS[interaction](rng)
    eye, said = CAMERAS[camera](rng)
    background = Texture(str(rng.choice([*DRAWN[:2], *SURFACES, *PHOTOGRAPHS])), _seed(rng))
    script = Script(_seed(rng), background, shapes, figures, eye)
    subject = "person" if figures else shapes[0].outline
    return Written(script, f"{text}{said}", subject, scene_of(script, interaction))


def _seed(rng: Rng) -> int:
    return int(rng.integers(1 << 30))


def _shape(rng: Rng, path: Course | Orbit | Held, level: float = 0.0, size: tuple[float, float] = (0.1, 0.24)) -> Shape:
    outline = str(rng.choice(OUTLINES))
    texture = Texture(str(rng.choice([*DRAWN, *PHOTOGRAPHS])), _seed(rng))
    return Shape(outline, float(rng.uniform(*size)), texture, path, float(rng.uniform(-40, 40)), level)


def _straight(rng: Rng, middle: complex, direction: float, fast: tuple[float, float] = (0.06, 0.2)) -> Course:
    """A straight line through a place at the middle of the scene."""
    step = cmath.rect(rng.uniform(*fast), direction)
    return Course(((MIDDLE, middle), (MIDDLE + 1, middle + step)))


def _alone(rng: Rng) -> Cast:
    middle = complex(rng.uniform(-0.08, 0.08), rng.uniform(-0.05, 0.05))
    shape = _shape(rng, _straight(rng, middle, rng.choice([0, math.pi]) + rng.uniform(-0.4, 0.4)), size=(0.09, 0.3))
    return (shape,), (), f"a {shape.outline} moves over a surface"


def _crossing(rng: Rng) -> Cast:
    first = rng.uniform(0, 2 * math.pi)
    middle = complex(rng.uniform(-0.05, 0.05), rng.uniform(-0.03, 0.03))
    behind = _shape(rng, _straight(rng, middle, first))
    before = _shape(rng, _straight(rng, middle + 0.02j, first + rng.uniform(1.6, 4.6)), level=1)
    return (behind, before), (), f"a {before.outline} crosses in front of a {behind.outline}"


def _collision(rng: Rng) -> Cast:
    """Two discs of equal mass meet and bounce: along the line between them they exchange their velocities."""
    angle = rng.uniform(-0.5, 0.5) + rng.choice([0, math.pi])
    sizes = rng.uniform(0.1, 0.17, 2)
    line = cmath.rect(1, angle)
    velocities = (
        line * complex(rng.uniform(0.12, 0.2), rng.uniform(-0.04, 0.04)),
        line * complex(-rng.uniform(0.05, 0.15)),
    )
    along = [(v / line).real for v in velocities]
    shapes = []
    for n, size in enumerate(sizes):
        at = (n - 0.5) * line * float(sizes.sum()) / 2
        later = velocities[n] + line * (along[1 - n] - along[n])
        knots = ((MIDDLE - 1, at - velocities[n]), (MIDDLE, at), (MIDDLE + 1, at + later))
        texture = Texture(str(rng.choice([*DRAWN, *PHOTOGRAPHS])), _seed(rng))
        shapes.append(Shape("disc", float(size), texture, Course(knots), float(rng.uniform(-20, 20)), float(n)))
    return tuple(shapes), (), "two discs collide and bounce off each other"


def _mutual_occlusion(rng: Rng) -> Cast:
    """Two shapes on one orbit: each hides the other in turn."""
    period, phase = rng.uniform(2.2, 3.4), rng.uniform(0, 2 * math.pi)
    radius = rng.uniform(0.13, 0.19)
    paths = [Orbit(0.01j, radius, period, phase + n * math.pi, slant=0.18) for n in range(2)]
    first, second = (_shape(rng, path, size=(0.14, 0.22)) for path in paths)
    return (first, second), (), f"a {first.outline} and a {second.outline} circle around each other"


def _figure(rng: Rng, path: Course, **more: object) -> Figure:
    return Figure(float(rng.uniform(0.32, 0.42)), path, phase=float(rng.uniform(0, 6.28)), seed=_seed(rng), **more)  # type: ignore[arg-type]


def _walk(rng: Rng) -> Cast:
    facing = int(rng.choice([-1, 1]))
    gait = float(rng.uniform(0.7, 0.95))
    figure = _figure(rng, Course(((0, 0j),)), facing=facing, gait=gait)
    pace = facing * gait * 0.62 * figure.height  # a double step is about 0.62 of the height with this stride
    path = Course(((MIDDLE, 0.01j), (MIDDLE + 1, pace + 0.01j)))
    return (), (Figure(**{**vars(figure), "path": path}),), "a person walks along"


def _wave(rng: Rng) -> Cast:
    path = Course(((0, complex(rng.uniform(-0.15, 0.15), 0.02)),))
    figure = _figure(rng, path, facing=int(rng.choice([-1, 1])), wave=float(rng.uniform(0.8, 1.2)))
    passing = _shape(rng, _straight(rng, 0.1j, rng.choice([0, math.pi]), (0.05, 0.12)), level=-1, size=(0.08, 0.14))
    return (passing,), (figure,), f"a person waves while a {passing.outline} passes behind"


def _hand_over(rng: Rng) -> Cast:
    """One reaches out, the other takes what is handed over; both hands meet in the middle."""
    height = float(rng.uniform(0.33, 0.4))
    arm = height * (LENGTHS["upper_arm"] + LENGTHS["forearm"])
    apart, shoulders = 0.9 * arm, (0.03 - LENGTHS["torso"]) * height
    meeting = complex(0, 0.02 + shoulders + 0.3 * arm)
    figures = []
    for side in (-1, 1):
        pelvis = complex(side * apart, 0.02)
        hanging = pelvis + complex(-side * 0.25 * arm, shoulders + 0.85 * arm)
        reach = Course(((MIDDLE - 0.9, hanging), (MIDDLE, meeting), (MIDDLE + 0.9, hanging)), eased=True)
        figures.append(Figure(height, Course(((0, pelvis),)), -side, reach=reach, seed=_seed(rng), phase=1.0 + side))
    thing = _shape(rng, Held(((0.0, 0), (MIDDLE, 1))), level=2, size=(0.06, 0.09))
    thing = Shape(thing.outline, thing.size, thing.texture, thing.path, 0.0, 2)
    return (thing,), tuple(figures), f"a person hands a {thing.outline} to another person"


INTERACTIONS: dict[str, Callable[[Rng], Cast]] = {
    "crossing": _crossing,
    "collision": _collision,
    "hand_over": _hand_over,
    "mutual_occlusion": _mutual_occlusion,
    "walk": _walk,
    "alone": _alone,
    "wave": _wave,
}


def _static(rng: Rng) -> tuple[Camera, str]:
    return Camera(), ""


def _pan(rng: Rng) -> tuple[Camera, str]:
    right = bool(rng.integers(2))  # the camera, so that the picture goes to the left
    pan = complex(rng.uniform(0.04, 0.12) * (-1 if right else 1), rng.uniform(-0.01, 0.01))
    return Camera(pan), f", the camera pans to the {'right' if right else 'left'}"


def _zoom(rng: Rng) -> tuple[Camera, str]:
    inwards = bool(rng.integers(2))
    return Camera(
        zoom=rng.uniform(0.06, 0.16) * (1 if inwards else -1)
    ), f", the camera zooms {'in' if inwards else 'out'}"


def _roll(rng: Rng) -> tuple[Camera, str]:
    return Camera(roll=rng.uniform(3, 8) * rng.choice([-1, 1])), ", the camera rolls"


def _hand(rng: Rng) -> tuple[Camera, str]:
    pan = complex(rng.uniform(-0.02, 0.02), 0)
    return Camera(pan, shake=rng.uniform(0.003, 0.007), seed=_seed(rng)), ", filmed by hand"


CAMERAS: dict[str, Callable[[Rng], tuple[Camera, str]]] = {
    "static": _static,
    "pan": _pan,
    "hand_held": _hand,
    "zoom": _zoom,
    "roll": _roll,
}
