"""G-Eymol as its authors released it: gravitational attention, with all that its paper does not say."""

from __future__ import annotations

from dataclasses import dataclass, field
from warnings import catch_warnings, simplefilter

import numpy as np

from beholder.attention.gaze.extraction import geymol_fixations
from beholder.attention.maps.scaling import colours
from beholder.attention.models._paths import (
    AROUND,
    SIDE,
    Paths,
    Rng,
    clip_inside,
    fixation_seconds,
    last_point,
    observer_count,
    one_or_many,
)
from beholder.attention.types import Floats, Picture, Scanpath
from beholder.core.cite import source
from beholder.errors import Misuse
from beholder.jit import compiled
from beholder.vision.scales import Image

# All constants are the program's [V].
WEIGHT, DAMPING = 0.2, 1.5  # of all channels together; per frame
MARGIN = 5  # px from the border that the focus keeps
LOOSE, STEPS = 0.1, 100  # both tolerances of the solver, and its steps at most
PORTION = np.arange(10) * 0.1  # of a frame: it is left at 0.9
TRACE, SMEAR, FADE = 35, 51, 0.9  # px: radius of what is inhibited, width of its blur; what is left of it
BETWEEN = 0.32  # s from one trace to the next at 25 frames a second


@source("Zanca2020,ZancaMelacci2020", answers="scanpath", family="gravitational", supervised="no")
def geymol(
    picture: Picture,
    *,
    rng: Rng,
    many: int | None = None,
    seconds: float = 5.0,
    hertz: float = 25.0,
    after: Scanpath | None = None,
) -> Paths:
    """The released program of the gravitational model: eight channels, a soft kernel, a window, 25 frames per second.

    Deviation: the program differs from the equations of its paper (see `gravity`) as follows:
    1. the kernel is 23 d / (d² + 22) at 225 px, not d / d²;
    2. masses farther than half the longer side from the focus in x or y do not pull;
    3. each channel is divided by its greatest mass within that window, so that masses depend on where the eye is;
    4. masses are the gradients (Sobel, 5 × 5) of eight channels: blue, green, red, brightness, and four Gabor responses
       rounded to 8 bits, without their negative lobes; the paper has brightness alone;
    5. every frame advances time by 0.9 of a frame;
    6. after every frame the place, but not the velocity, is cut to a whole pixel;
    7. the field is constant within a pixel, so that the solver's tolerance (0.1) has no meaning;
    8. inhibition is a blurred disc of 35 px, added every 0.32 s to 0.9 of the earlier inhibition and cut at 1, instead
       of a differential equation;
    9. at 5 px from the border the place is held and the velocity kept: the eye may stick to a wall.

    Fixations are those of `geymol_fixations`, in px of the picture. Randomness comes from `rng`. With `after`, a path
    of earlier fixations, the model continues from the last one; each fixation has left one disc for every 0.32 s that
    it took, and at least one. The program itself cannot continue a path.
    """
    if not (0 < seconds < np.inf and 3 <= hertz < np.inf):
        raise Misuse(f"got seconds={seconds}, hertz={hertz}; expected above 0 s, and 3 frames per second or more")
    scene, shape = Scene(channels(picture)), picture.shape
    ratio = np.divide(shape, scene.shape)
    begun, inhibited = start_states(scene.shape, observer_count(many), rng), np.zeros(scene.shape)
    if after is not None:
        begun[:, :2] = last_point(after, shape)[::-1] / ratio
        inhibited = _traces(after, ratio, inhibited)
    paths = []
    for start in begun:
        places = walk(scene, start, hertz=hertz, frames=int(seconds * hertz), inhibited=inhibited)[:, :2]
        times = 1000 * np.arange(len(places)) / hertz
        paths.append(geymol_fixations(clip_inside((places * ratio)[:, ::-1], shape), times))
    return one_or_many(paths, many)


def start_states(shape: tuple[int, int], count: int, rng: Rng) -> Floats:
    """(count, 4): row, column and their velocities (px a frame) that observers begin with."""
    reach = int(AROUND * min(shape))
    place = np.array([shape[0] // 2, shape[1] // 2]) + rng.integers(-reach, reach, (count, 2), endpoint=True)
    speed = 2 * rng.uniform(0.3, 0.7, (count, 2)) * rng.choice([-1, 1], (count, 2))
    return np.concatenate([place, speed], axis=1)


def channels(picture: Picture) -> list[Image]:
    """Blue, green, red, brightness and four Gabor responses of a picture whose longer side is 224 px."""
    import cv2

    whole = np.ascontiguousarray(np.rint(255 * colours(picture)).astype(np.uint8)[..., ::-1])
    factor = SIDE / max(picture.shape)
    size = int(picture.shape[1] * factor), int(picture.shape[0] * factor)
    small = whole if size == picture.shape[::-1] else cv2.resize(whole, size, interpolation=cv2.INTER_CUBIC)
    bgr = np.asarray(small, np.float32) / np.float32(255)
    brightness = cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY)
    patches = [cv2.getGaborKernel((21, 21), 8, turn * np.pi / 4, 10, 0.5, 0, ktype=cv2.CV_32F) for turn in range(4)]
    responses = [cv2.filter2D(brightness, cv2.CV_8U, patch) for patch in patches]
    return [*np.moveaxis(bgr, 2, 0), brightness, *responses]


def sobel(channel: Image) -> Floats:
    """The magnitude of the 5 × 5 Sobel gradient."""
    import cv2

    plane = np.ascontiguousarray(channel)
    across, down = (cv2.Sobel(plane, cv2.CV_64F, *order, ksize=5) for order in ((1, 0), (0, 1)))
    return np.asarray(np.hypot(across, down))


def soft_kernel(n: int) -> Floats:
    """(2, n, n): (n//10 + 1) d / (‖d‖² + n//10) for the offset d = (rows, columns) from the middle."""
    offset = np.stack(np.meshgrid(*2 * [np.arange(n) - n // 2], indexing="ij")).astype(np.float64)
    return np.asarray((n // 10 + 1) * offset / ((offset**2).sum(axis=0) + n // 10))


@compiled
def _attract(masses: Floats, kernel: Floats, row: int, column: int, found: Floats) -> None:
    """Put into `found` the kernel's two sums over the window of masses around a pixel.

    Columns are added up side by side, so that the loop becomes vectors.
    """
    half = kernel.shape[1] // 2
    top, left = max(row - half, 0), max(column - half, 0)
    bottom, right = min(row + half + 1, masses.shape[0]), min(column + half + 1, masses.shape[1])
    down, along = np.zeros(right - left), np.zeros(right - left)
    for r in range(top, bottom):
        mass = masses[r, left:right]
        rows = kernel[0, r - row + half, left - column + half : right - column + half]
        columns = kernel[1, r - row + half, left - column + half : right - column + half]
        for at in range(right - left):
            down[at] += rows[at] * mass[at]
            along[at] += columns[at] * mass[at]
    found[0], found[1] = down.sum(), along.sum()


@dataclass(eq=False)
class Scene:
    """Channels of a picture as masses, less what is inhibited; what they do to each pixel is found once."""

    of: list[Image]
    masses: Floats = field(init=False)  # (k, rows, columns), before inhibition
    inhibition: Floats = field(init=False)

    def __post_init__(self) -> None:
        self.masses = np.stack([sobel(channel) for channel in self.of])
        side = max(self.shape)
        self.n = side + 1 if side % 2 == 0 else side
        self.kernel = soft_kernel(self.n)
        self.inhibited(np.zeros(self.shape))

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.masses.shape[1], self.masses.shape[2]

    def inhibited(self, inhibition: Floats) -> None:
        """Take another inhibition (rows, columns) from here on."""
        self.inhibition = inhibition
        self.now = self.masses * (1 - inhibition)
        self.tops = self.now.reshape(len(self.now), -1).argmax(axis=1)
        self.known: dict[tuple[int, int], Floats] = {}
        self.sums: dict[bytes, Floats] = {}

    def pull(self, row: int, column: int) -> Floats:
        """The acceleration of a focus in a pixel, the nearest one of the picture: px a frame squared."""
        row, column = (min(max(at, 0), n - 1) for at, n in zip((row, column), self.shape, strict=True))
        if (row, column) not in self.known:
            self.known[row, column] = self._pull(row, column)
        return self.known[row, column]

    def _pull(self, row: int, column: int) -> Floats:
        found = np.empty(2)
        _attract(self._weighed(self._greatest(row, column)), self.kernel, row, column, found)
        return found

    def _greatest(self, row: int, column: int) -> Floats:
        """The greatest mass of each channel within the window: mostly that of the whole picture."""
        half = self.n // 2
        top, left = max(row - half, 0), max(column - half, 0)
        found = self.now.reshape(len(self.now), -1)[np.arange(len(self.now)), self.tops]
        down, right = np.divmod(self.tops, self.shape[1])
        for channel in np.flatnonzero((abs(down - row) > half) | (abs(right - column) > half)):
            found[channel] = self.now[channel, top : row + half + 1, left : column + half + 1].max()
        return np.asarray(found)

    def _weighed(self, greatest: Floats) -> Floats:
        """The sum of all channels, each over its greatest mass; made once for the same ones."""
        key = greatest.tobytes()
        if key not in self.sums:
            self.sums[key] = np.tensordot(WEIGHT / len(greatest) / np.where(greatest > 0, greatest, 1), self.now, 1)
        return self.sums[key]

    def slope(self, state: Floats, time: float = 0.0) -> Floats:
        """The right-hand side of the differential equation at a state of rows, columns and their velocities."""
        pulled = self.pull(int(state[0]), int(state[1]))
        return np.concatenate([state[2:], pulled - DAMPING * state[2:]])


def trace(inhibition: Floats, row: int, column: int) -> Floats:
    """min(1, 0.9 I + G): inhibition after a look at a pixel, G a blurred disc that keeps off the border."""
    import cv2

    rows, columns = inhibition.shape
    middle = keep_off(column, columns, TRACE), keep_off(row, rows, TRACE)
    disc = cv2.circle(np.zeros((rows, columns)), middle, TRACE, 1, -1)
    smooth = cv2.GaussianBlur(disc, (SMEAR, SMEAR), 0)
    return np.asarray(np.minimum(1, FADE * inhibition + smooth / smooth.max()))


def keep_off(at: int, side: int, margin: int) -> int:
    """The row or column, so many pixels off both borders: pixels 0 … side − 1, the near border first, as there.

    >>> keep_off(3, 168, 5), keep_off(80, 168, 5), keep_off(165, 168, 5), keep_off(20, 60, 35)
    (5, 80, 162, 35)
    """
    if at < margin:
        return margin
    return side - margin - 1 if at + margin >= side else at


def _traces(after: Scanpath, ratio: Floats, inhibition: Floats) -> Floats:
    """Inhibition after the fixations of a path."""
    for point, seconds in zip(after.points[:, ::-1] / ratio, fixation_seconds(after), strict=True):
        for _ in range(max(1, round(float(seconds) / BETWEEN))):
            inhibition = trace(inhibition, int(point[0]), int(point[1]))
    return inhibition


def _solved(scene: Scene, state: Floats, frame: int) -> Floats:
    """The state 0.9 of a frame later."""
    from scipy.integrate import odeint

    with catch_warnings():
        simplefilter("ignore")  # odeint warns when its 100 steps do not do, and goes on, as in the program
        found = odeint(scene.slope, state, frame + PORTION, rtol=LOOSE, atol=LOOSE, mxstep=STEPS)
    return np.asarray(found[-1])


def walk(scene: Scene, start: Floats, *, hertz: float, frames: int, inhibited: Floats | None = None) -> Floats:
    """States (frames, 4) of one observer after each frame; the scene begins without inhibition unless it is given."""
    scene.inhibited(np.zeros(scene.shape) if inhibited is None else inhibited)
    state, found = np.asarray(start, np.float64), np.empty((frames, 4))
    for frame in range(frames):
        state = _solved(scene, state, frame)
        state[:2] = [keep_off(int(at), side, MARGIN) for at, side in zip(state[:2], scene.shape, strict=True)]
        found[frame] = state
        if (frame + 1) % int(hertz / 3) == 0:
            scene.inhibited(trace(scene.inhibition, int(state[0]), int(state[1])))
    return found
