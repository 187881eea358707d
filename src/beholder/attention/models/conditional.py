"""Models of scanpaths that can say how probable each next fixation is, as forecasts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from beholder.attention.forecasts.forecast import Next
from beholder.attention.types import Floats, Picture, Scanpath
from beholder.core.cite import facts_of, key_of, source
from beholder.errors import Misuse
from beholder.registry.find import find
from beholder.registry.spec import configure, parse, resolve
from beholder.registry.trained_on import lessons


@source("Kummerer2021", answers="forecast", family="plug")
def conditional(picture: Picture, *, of: str | Callable[..., Any] = "scenewalk") -> Next:
    """A scanpath model's own density of each next fixation: conditional(of='scenewalk(of=gbvs)').

    `of` is a built-in model, FILE.py:FUNCTION, or a function that has an attribute `conditional_log_density`: a
    function of a picture and a `Scanpath`, with the settings by name, that returns natural logarithms (H, W) of
    probabilities that add up to 1. A model that only draws scanpaths has no such density: use from_sampler.
    """
    name, settings = parse(of) if isinstance(of, str) else (getattr(of, "__name__", repr(of)), {})
    model: Any = resolve("attention.models", name) if isinstance(of, str) else of
    if hasattr(model, "forecast"):
        found: Next = configure(model.forecast, settings, f"model {name}")(picture)
        return found
    if not hasattr(model, "conditional_log_density"):
        raise Misuse(
            f"got of={name!r}, which has no conditional_log_density; expected a model with a likelihood, such as "
            "scenewalk; for a model that only draws scanpaths use from_sampler(of=…)"
        )
    return LikelihoodForecast(model.conditional_log_density, picture, settings)


@dataclass(frozen=True, eq=False)
class LikelihoodForecast:
    """A model's likelihood, as a forecast on one picture."""

    density: Callable[..., Floats]
    picture: Picture
    settings: dict[str, Any] = field(default_factory=dict)

    def __call__(self, history: Scanpath) -> Floats:
        """log p of the next fixation."""
        return self.density(self.picture, history, **self.settings)


@dataclass(frozen=True)
class Likelihood:
    """A built-in model of scanpaths with a likelihood, as a model of forecasts; it keeps its citation."""

    of: str

    def __call__(self, picture: Picture) -> Next:
        """The forecast of a picture."""
        return conditional(picture, of=self.of)

    @property
    def cite(self) -> str:
        """Where the model comes from."""
        return key_of(self._model)

    @property
    def facts(self) -> dict[str, str]:
        """The facts of the model."""
        seen = ", ".join(lessons(self._model))
        return {**facts_of(self._model), "answers": "forecast"} | ({"trained_on": seen} if seen else {})

    @property
    def _model(self) -> Callable[..., Any]:
        name, settings = parse(self.of)
        return configure(find("attention.models", name), settings, f"model {name}")
