"""Where a picture stood on the screen, and how a file counts: from its coordinates to px of the picture."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from beholder.attention.types import Floats, check_positive
from beholder.display import Screen
from beholder.errors import Misuse
from beholder.registry.find import nearest

ORIGINS = ("top_left", "bottom_left", "centre", "centre_down")
UNITS = ("px", "share")
PLACEMENTS = ("picture", "centre", "fit", "stretch")


@dataclass(frozen=True)
class Placing:
    """The geometry of a recording: what its coordinates are counted in, from where, and where pictures stood.

    `screen` is its size in px. Without it, coordinates are of the picture; with it they are of the screen, on which the
    picture stood at its own size in the middle (`centre`), as large as it fits (`fit`) or all over it (`stretch`), or
    of the `picture` after all. `origin` is where they count from: centre has y upwards, centre_down downwards.
    `left` and `top` are what the file calls the upper left corner of screen or picture, as on a second monitor;
    `offset` is the same for both axes, 0.5 where pixels are counted from 1.
    """

    px_per_deg: float = np.nan
    screen: str = ""
    width_cm: float = np.nan
    distance_cm: float = np.nan
    placement: str = ""
    origin: str = ""
    units: str = ""
    offset: float = 0.0
    left: float = 0.0
    top: float = 0.0

    def __post_init__(self) -> None:
        words = {"origin": ORIGINS, "units": UNITS, "placement": PLACEMENTS}
        for name, known in words.items():
            if (got := getattr(self, name)) not in ("", *known):
                raise Misuse(f"got {name}={got}{nearest(str(got), known)}; expected one of {', '.join(known)}")
        check_positive(px_per_deg=self.px_per_deg, width_cm=self.width_cm, distance_cm=self.distance_cm)
        if self.screen and self.size is None:
            raise Misuse(f"got screen={self.screen}; expected its width and height in px, such as screen=1920x1080")
        if self.placement in ("centre", "fit", "stretch") and not self.screen:
            raise Misuse(
                f"got placement={self.placement}; expected the screen's size as well, such as screen=1920x1080"
            )

    @property
    def size(self) -> tuple[int, int] | None:
        """Width and height of the screen in px; None where it is not known."""
        found = re.fullmatch(r"(\d+)\s*[x×]\s*(\d+)", str(self.screen).strip())
        return (int(found[1]), int(found[2])) if found else None

    @property
    def on_screen(self) -> bool:
        """Whether coordinates are px of the screen."""
        return bool(self.screen) and self.placement != "picture"

    @property
    def scale(self) -> float:
        """Pixels of the screen per degree: as given, or from the screen's width and distance."""
        if np.isfinite(self.px_per_deg):
            return float(self.px_per_deg)
        if not (np.isfinite(self.width_cm) and np.isfinite(self.distance_cm)):
            return float("nan")
        if self.size is None:
            raise Misuse("got width_cm and distance_cm; expected the screen's size in px as well: screen=1920x1080")
        return Screen(*self.size, self.width_cm, self.distance_cm).px_per_deg

    def on_picture(self, x: Floats, y: Floats, shape: tuple[int, int]) -> tuple[Floats, Floats]:
        """Places of a file in px of a picture of `shape` (rows, columns)."""
        width, height = self.size if self.on_screen and self.size else (shape[1], shape[0])
        x, y = (x * width, y * height) if self.units == "share" else (x, y)
        x, y = x - self.left - self.offset, y - self.top - self.offset
        x = x + width / 2 if self.origin.startswith("centre") else x
        y = {"bottom_left": height - y, "centre": height / 2 - y, "centre_down": height / 2 + y}.get(self.origin, y)
        if not self.on_screen:
            return x, y
        across, down = self._grown(shape)
        return (
            (x - (width - across * shape[1]) / 2) / across,
            (y - (height - down * shape[0]) / 2) / down,
        )

    def grown(self, shape: tuple[int, int]) -> float:
        """Pixels of the screen that one of the picture took, across."""
        return self._grown(shape)[0] if self.on_screen else 1.0

    def _grown(self, shape: tuple[int, int]) -> tuple[float, float]:
        ratios = (1.0, 1.0) if self.size is None else (self.size[0] / shape[1], self.size[1] / shape[0])
        if self.placement == "stretch":
            return ratios
        return (min(ratios),) * 2 if self.placement == "fit" else (1.0, 1.0)

    @property
    def told(self) -> str:
        """The same in words."""
        said = []
        if self.units == "share":
            said.append("coordinates from 0 to 1, as shares of " + ("the screen" if self.on_screen else "the picture"))
        else:
            said.append(f"px of {'the screen' if self.on_screen else 'the picture'}")
        if self.on_screen:
            how = {"fit": "as large as fits", "stretch": "stretched over the whole"}.get(
                self.placement, "at its own size"
            )
            said.append(f"the picture {how} in the middle of a screen of {self.screen} px")
        if self.origin not in ("", "top_left"):
            said.append({"bottom_left": "y counted from below"}.get(self.origin, "counted from the middle"))
        if self.origin in ("", "top_left") and self.units != "share":
            said.append(self._counted)
        return ", ".join(said)

    @property
    def _counted(self) -> str:
        """From where pixels count, in words.

        >>> Placing()._counted
        'pixels count from 0 at the upper left corner of the picture'
        >>> Placing(offset=0.5)._counted
        'pixel (1, 1) in the file is the middle of the first pixel of the picture'
        """
        across, down = self.left + self.offset, self.top + self.offset
        what = "screen" if self.on_screen else "picture"
        if across == down and across in (0.5, -0.5):  # as MATLAB counts, or from 0 at the middles of pixels
            first = f"{across + 0.5:g}"
            return f"pixel ({first}, {first}) in the file is the middle of the first pixel of the {what}"
        at = f"{across:g}" if across == down else f"({across:g}, {down:g})"
        return f"pixels count from {at} at the upper left corner of the {what}"

    @property
    def key(self) -> str:
        """What tells it from others, but for px per degree."""
        return (
            f"offset={self.offset:g},screen={self.screen},placement={self.placement},origin={self.origin},"
            f"units={self.units},left={self.left:g},top={self.top:g}"
        )
