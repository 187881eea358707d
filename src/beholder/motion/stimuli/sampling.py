"""How a scene is sampled in space and time, and the guard that refuses what the samples cannot carry."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from beholder.errors import Misuse

Floats = NDArray[np.float64]

PREFILTER = 0.5  # px: standard deviation of the Gaussian behind every drawn edge
GRADES = ("ok", "coarse", "refused")


@dataclass(frozen=True)
class Sampling:
    """The grid on which a scene is drawn: a square of `size` pixels, `seconds` of motion after `preview` still frames.

    `shutter` > 1 averages that many instants around each frame, as a film camera does; 1 is a monitor's flash.
    """

    hertz: float = 100.0  # native; the web page of Tlapale et al. has 16, which aliases its own grating
    px_per_deg: float = 8.0  # the web page of Tlapale et al. (2012) [verified]
    size: int = 168  # px
    seconds: float = 0.45  # window of analysis of Tlapale et al. (2012) [seed]
    preview: int = 0
    shutter: int = 1
    aliasing: bool = False  # draw although the guard says that frames or pixels are too coarse

    def __post_init__(self) -> None:
        for name in ("hertz", "px_per_deg", "size", "seconds", "shutter"):
            if not 0 < getattr(self, name) < np.inf:
                raise Misuse(f"got {name}={getattr(self, name)}; expected a finite number above 0")
        if self.preview < 0 or self.pairs < 1:
            raise Misuse(f"got preview={self.preview} and {self.pairs} pairs of frames; expected 0 or more, 1 or more")

    @property
    def pairs(self) -> int:
        """Pairs of frames after the onset of motion."""
        return round(self.seconds * self.hertz)

    @property
    def extent(self) -> float:
        """Side of the frame in degrees."""
        return self.size / self.px_per_deg

    @property
    def blur(self) -> float:
        """The prefilter's standard deviation in degrees."""
        return PREFILTER / self.px_per_deg

    @property
    def times(self) -> Floats:
        """Seconds of each frame from the onset of motion; still frames have 0."""
        frames = np.arange(self.preview + self.pairs + 1) - self.preview
        return np.asarray(np.maximum(frames, 0) / self.hertz)

    @property
    def middle(self) -> float:
        """The time at which a travelling figure stands in the centre of the frame."""
        return self.pairs / self.hertz / 2


NATIVE = Sampling()
LEGACY16 = Sampling(hertz=16.0, aliasing=True)  # clock and pixels of the web page of Tlapale et al. [verified]
QUICK = Sampling(hertz=50.0, size=160, seconds=0.44)  # 22 pairs of 160 px: small enough for a first run


@dataclass(frozen=True)
class Check:
    """One question to a sampled scene: its figure, and from where on it is coarse or refused."""

    name: str
    value: float
    unit: str
    coarse: float
    refused: float
    remedy: str
    aliasing: bool = True  # `Sampling.aliasing` excuses it

    @property
    def grade(self) -> str:
        """Ok, coarse or refused. The limits themselves: coarse is exceeded, refused is reached."""
        return GRADES[2] if self.value >= self.refused else GRADES[1] if self.value > self.coarse else GRADES[0]

    def __str__(self) -> str:
        return f"{self.name} of {self.value:.3g} {self.unit}; expected less than {self.refused:.3g}; {self.remedy}"


def carrier(frequency: float, hertz: float, sampling: Sampling) -> list[Check]:
    """The two checks of a sinusoid of so many cycles per degree and per second; both alias from 1/2 on (Nyquist).

    >>> [round(check.value, 3) for check in carrier(0.27, 9.99, LEGACY16)]  # their grating on their clock
    [0.034, 0.624]
    """
    space, time = abs(frequency) / sampling.px_per_deg, abs(hertz) / sampling.hertz
    return [
        Check("a spatial frequency", space, "cycles/px", 0.25, 0.5, "raise px_per_deg"),
        Check("a temporal frequency", time, "cycles/frame", 0.25, 0.5, "raise hertz"),
    ]


def stroke(width: float, normal_speed: float, sampling: Sampling) -> list[Check]:
    """The two checks of a stroke: pixels across it, and how far it goes between frames, in widths of its own.

    Both are refused beyond their limit, not at it: 1 px is drawn, and so is a step of two widths.
    """
    thin, step = 1 / (width * sampling.px_per_deg), abs(normal_speed) / sampling.hertz / width
    beyond = np.nextafter
    return [
        Check("a line", thin, "lines/px", 0.5, float(beyond(1, 2)), "widen the line or raise px_per_deg"),
        Check("a step", step, "widths per frame", 1.0, float(beyond(2, 3)), "raise hertz or widen the line"),
    ]


def fit(reach: float, sampling: Sampling) -> Check:
    """The check that a scene stays in the frame: twice its farthest reach from the centre, and a margin of 1°."""
    return Check(
        "an extent",
        2 * reach,
        "deg",
        sampling.extent - 2,
        float(np.nextafter(sampling.extent, np.inf)),
        "enlarge the frame, shorten the movie or draw the figure smaller",
        aliasing=False,
    )


def guard(checks: Iterable[Check], sampling: Sampling) -> str:
    """The worst grade of some checks; a refused one is raised unless it is aliasing and the sampling allows that.

    >>> guard(carrier(0.27, 9.99, NATIVE), NATIVE), guard(carrier(0.27, 9.99, LEGACY16), LEGACY16)
    ('ok', 'refused')
    >>> coarse = Sampling(hertz=16)
    >>> guard(carrier(0.27, 9.99, coarse), coarse)
    Traceback (most recent call last):
    beholder.errors.Misuse: got a temporal frequency of 0.624 cycles/frame; expected less than 0.5; raise hertz
    """
    found = list(checks)
    for check in found:
        if check.grade == "refused" and not (check.aliasing and sampling.aliasing):
            raise Misuse(f"got {check}")
    return max((check.grade for check in found), key=GRADES.index, default="ok")
