"""What happens in a generated scene, in seconds and frame diagonals: it can be drawn at any rate, size and length."""

from __future__ import annotations

from dataclasses import dataclass

from beholder.video.scene import Scene
from beholder.video.scenes.camera import Camera
from beholder.video.scenes.figure import Figure
from beholder.video.scenes.paths import Course, Orbit, speed
from beholder.video.scenes.textures import Texture

SMALL, LARGE = 0.12, 0.25  # diagonals: subjects below are small, above large

RESTING = Camera()


@dataclass(frozen=True)
class Held:
    """What somebody holds in the right hand: from when on, and which of the figures."""

    hands: tuple[tuple[float, int], ...]

    def holder(self, t: float) -> int:
        """Who holds it at a time.

        >>> Held(((0.0, 0), (1.25, 1))).holder(1.0)
        0
        """
        return [who for since, who in self.hands if t >= since or since == self.hands[0][0]][-1]


@dataclass(frozen=True)
class Shape:
    """A textured shape that moves and turns."""

    outline: str  # disc, square, triangle, star
    size: float  # diameter, diagonals
    texture: Texture
    path: Course | Orbit | Held
    spin: float = 0.0  # degrees per second, clockwise
    level: float = 0.0  # what has the higher one is in front


@dataclass(frozen=True)
class Script:
    """A lawful scene. Places are complex numbers: diagonals from the middle of the frame, x right and y down."""

    seed: int
    background: Texture
    shapes: tuple[Shape, ...] = ()
    figures: tuple[Figure, ...] = ()
    camera: Camera = RESTING
    grain: float = 1.5  # levels: the sensor's noise

    def place(self, shape: Shape, t: float) -> complex:
        """Where a shape is in the world."""
        if isinstance(shape.path, Held):
            return self.figures[shape.path.holder(t)].keypoints(t)["right_wrist"]
        return shape.path.at(t)

    def speed(self, shape: Shape, t: float) -> float:
        """How fast a shape moves against the background, diagonals per second as it is seen."""
        if isinstance(shape.path, Held):
            return abs(self.place(shape, t + 5e-4) - self.place(shape, t - 5e-4)) / 1e-3
        return speed(shape.path, t) * abs(self.camera.view(t).turn)


def scene_of(script: Script, interaction: str) -> Scene:
    """The type of a script's scene."""
    largest = max([*(shape.size for shape in script.shapes), *(figure.height for figure in script.figures)])
    size = "small" if largest < SMALL else "large" if largest > LARGE else "medium"
    camera = "moving" if script.camera.moves else "static"
    return Scene(size=size, camera=camera, interaction=interaction, status="derived")
