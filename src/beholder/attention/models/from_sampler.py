"""A model that only draws scanpaths, as a forecast: a kernel density of its next landings, always flagged as such."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from inspect import signature
from typing import Any

from beholder.attention.forecasts.landings import Kernel, KernelFits, Landings, checked_sampler
from beholder.attention.types import Picture
from beholder.core.cite import facts_of, source
from beholder.errors import Misuse
from beholder.registry.find import find, names
from beholder.registry.load import dataset as opened_dataset
from beholder.registry.spec import configure, parse, resolve

ENOUGH = 200  # landings: with fewer the density follows single ones


@source("Kummerer2021", answers="forecast", family="plug")
def from_sampler(
    picture: Picture,
    *,
    of: str | Callable[..., Any] = "gravity",
    samples: int = ENOUGH,
    bandwidth: float | None = None,
    on: str = "",
    seed: int = 0,
) -> Landings:
    """A density of the next fixation, estimated from simulated scanpaths: from_sampler(of='gravity(side=96)').

    `of` is a built-in model (gravity, geymol, eymol, levy, scanddm, wta_argmax), FILE.py:FUNCTION or a function. It
    takes `after`, the fixations so far, and continues from the last one; how much it remembers of the others is up to
    the model. p = (1 − w) KDE_h + w / N, with h = `bandwidth` degrees, 2 unless given, and w = 0.1. With
    on='mit1003:PATH', a dataset as --dataset takes it, h and w are those that make people's next fixations most likely
    on its other pictures. This is an estimate, not a likelihood, so the scores are marked low confidence, with the
    number of samples, bandwidth and w beside them.
    """
    if samples < ENOUGH:
        raise Misuse(f"got samples={samples}; expected {ENOUGH} or more landings: fewer do not make a density")
    if bandwidth is not None and (on or not bandwidth > 0):
        raise Misuse(
            f"got bandwidth={bandwidth}, on={on!r}; expected above 0 degrees, or a dataset to fit it on, not both"
        )
    sampler = _sampler(of)
    kernel = Kernel() if bandwidth is None else Kernel(float(bandwidth))
    if on:
        kernel = _fits(of, on, samples, seed).kernel(picture)
    return Landings(sampler, picture, samples, kernel, seed)


def _sampler(of: str | Callable[..., Any]) -> Callable[..., Any]:
    if not isinstance(of, str):
        return checked_sampler(of, getattr(of, "__name__", repr(of)))
    name, settings = parse(of)
    found = checked_sampler(resolve("attention.models", name), name)
    guide = settings.get("of", getattr(signature(found).parameters.get("of"), "default", None))
    if guide in names("attention.models"):
        settings = {**settings, "of": LastMap(find("attention.models", guide))}
    return configure(found, settings, f"model {name}")


@dataclass(frozen=True, eq=False)
class LastMap:
    """A model of maps that keeps its last map: samplers ask for it again before every fixation."""

    model: Callable[[Picture], Any]
    _last: dict[str, tuple[Picture, Any]] = field(default_factory=dict, repr=False)

    def __call__(self, picture: Picture) -> Any:
        """The map of a picture."""
        kept = self._last.get("map")
        if kept is None or kept[0] is not picture:
            self._last["map"] = kept = (picture, self.model(picture))
        return kept[1]

    @property
    def facts(self) -> dict[str, str]:
        """The facts of the model."""
        return facts_of(self.model)


@cache
def _fits(of: str | Callable[..., Any], on: str, samples: int, seed: int) -> KernelFits:
    """Kernels are fitted once per process."""
    return KernelFits(_sampler(of), opened_dataset("attention.datasets", on), samples, seed)
