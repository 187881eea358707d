"""A set of scenes as a dataset: drawn when asked for, tagged alike in every class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from beholder.core.sample import Dataset, Sample
from beholder.errors import Misuse
from beholder.motion.stimuli.drawing import Scene
from beholder.motion.stimuli.drawn import drawn
from beholder.motion.stimuli.sampling import LEGACY16, NATIVE, QUICK, Sampling, guard
from beholder.motion.types import Movie, Percept
from beholder.store.digest import digest

PROFILES = {"quick": QUICK, "native": NATIVE, "legacy16": LEGACY16}
OPTIONS = ("preview", "shutter")  # what a profile's name may set besides
CARDINAL = {0.0: "right", 90.0: "up", 180.0: "left", 270.0: "down"}  # the words of Tlapale et al. (2012)
TURNS = {1: "ccw", -1: "cw"}


@dataclass(frozen=True, eq=False)
class Shown:
    """A scene of a suite, the tags that only its class has, and how long and large it is shown, where that differs."""

    scene: Scene
    tags: Mapping[str, str]
    seconds: float = 0.0  # 0: as long as all of the suite
    size: int = 0  # px; 0: as large as all of the suite

    def within(self, sampling: Sampling) -> Sampling:
        """The sampling of this scene in a suite of that sampling."""
        return replace(sampling, seconds=self.seconds or sampling.seconds, size=self.size or sampling.size)


def sampling_of(name: str, full: bool, size: int) -> Sampling:
    """The sampling of a profile; without a name quick for the small set, native for the full one, in `size` pixels.

    A name may go on with still frames before the onset and instants that a frame averages:

    >>> made = sampling_of("native+preview=5+shutter=8", full=False, size=160)
    >>> made.hertz, made.preview, made.shutter
    (100.0, 5, 8)
    """
    first, *options = name.split("+")
    chosen = first or ("native" if full else "quick")
    if chosen not in PROFILES:
        raise Misuse(f"got the profile {chosen!r}; expected {', '.join(PROFILES)}")
    own = PROFILES[chosen]
    more: dict[str, Any] = dict(_option(one) for one in options)
    return replace(own, size=max(size, own.size) if full else size, **more)


def _option(text: str) -> tuple[str, int]:
    key, _, value = text.partition("=")
    if key not in OPTIONS or not value.isdigit():
        raise Misuse(f"got {text!r} in a profile; expected {' or '.join(f'{word}=N' for word in OPTIONS)} after a +")
    return key, int(value)


def suite(name: str, shown: Sequence[Shown], sampling: Sampling, *, cite: str, about: str) -> Dataset[Movie, Percept]:
    """The dataset of some scenes; ids are the first word of a class with a number, and say nothing."""
    kind = name.removesuffix("s")
    scenes = {f"{kind}{at}": one for at, one in enumerate(shown)}
    return Dataset(
        name,
        tuple(scenes),
        _Draw(scenes, sampling),
        cite=cite,
        licence="generated",
        content=digest([(one.scene, one.tags, *filter(None, [one.seconds, one.size])) for one in shown], sampling),
        about=about,
        people="published",
    )


@dataclass(frozen=True, eq=False)
class _Draw:
    scenes: Mapping[str, Shown]
    sampling: Sampling

    def __call__(self, id: str) -> Sample[Movie, Percept]:
        shown = self.scenes[id]
        its = shown.within(self.sampling)
        return Sample(id, drawn(shown.scene, its), shown.scene.percept, tags(shown, its))

    def reference(self, id: str) -> Percept:
        """What people make of a scene: nothing is drawn for it."""
        return self.scenes[id].scene.percept


def tags(shown: Shown, sampling: Sampling) -> dict[str, str]:
    """Class, direction, turn and what the class adds; `set` is the same for a scene and its mirror image.

    `aliased` says that the guard would refuse this sampling, which the profile allowed.
    """
    scene = shown.scene
    common = {"class": scene.percept.kind, "direction": compass(scene.direction)}
    settings = [value if key == "variant" else f"{key}={value}" for key, value in shown.tags.items()]
    refused = guard(scene.checks(sampling), sampling) == "refused"
    return {
        **common,
        **shown.tags,
        "turn": turn(scene),
        "set": " ".join([*common.values(), *settings]),
        "aliased": "yes" if refused else "no",
    }


def turn(scene: Scene) -> str:
    """The side to which a scene's edges mislead, ccw or cw; none where it is its own mirror image."""
    aside = (scene.percept.vector_average - scene.direction) % 360
    return TURNS[scene.turn] if aside else "none"


def compass(direction: float) -> str:
    """Right, up, left or down; any other direction in degrees.

    >>> compass(450), compass(45)
    ('up', '45')
    """
    return CARDINAL.get(direction % 360, f"{direction % 360:g}")
