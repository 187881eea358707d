"""The user's own models: which they are, where they stand, and whether they beat the blind models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from beholder.reports._pages.places import OWN, fate, places

if TYPE_CHECKING:
    from beholder.evaluation.sections import Section

NAMED = 3  # own models that get a sentence each; the others are counted


def own_models(section: Section) -> list[str]:
    """The user's models, best first; those that could not be judged come last."""
    scores = section.scores
    own = [str(name) for name in scores.loc[scores["role"] == OWN, "model"].unique()]
    standing = [str(name) for name in section.verdicts[0].standing.index] if section.verdicts else []
    return sorted(own, key=lambda name: standing.index(name) if name in standing else len(standing))


def told(section: Section) -> list[str]:
    """A sentence on each of the user's models, or on the first of many and how many more there are."""
    own = own_models(section)
    more = [f"And {len(own) - NAMED} more models of yours."] * (len(own) > NAMED)
    found = places(section, own[:NAMED])
    said = [f"Your model {name} {fate({section.benchmark: place}, several=False)}" for name, place in found.items()]
    return [*said, *more]


def place(section: Section, name: str) -> str:
    """Where a model stands among all that were judged, as `3/12`; equals share a place. A dash where it was not."""
    found = places(section, [name])[name]
    return f"{found.rank}/{found.of}" if found.rank else "—"
