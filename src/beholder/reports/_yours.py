"""The user's own models: which they are, where they stand, and whether they beat the blind models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from beholder.errors import listed
from beholder.verdicts.against_blind import LOST

if TYPE_CHECKING:
    from beholder.evaluation.sections import Section

NAMED = 3  # own models that get a sentence each; the others are counted


def own_models(section: Section) -> list[str]:
    """The user's models, best first; those that could not be judged come last."""
    scores = section.scores
    own = [str(name) for name in scores.loc[scores["role"] == "model", "model"].unique()]
    standing = _standing(section)
    return sorted(own, key=lambda name: standing.index(name) if name in standing else len(standing))


def told(section: Section) -> list[str]:
    """A sentence on each of the user's models, or on the first of many and how many more there are."""
    own = own_models(section)
    more = [f"And {len(own) - NAMED} more models of yours."] * (len(own) > NAMED)
    return [*(_one(section, name) for name in own[:NAMED]), *more]


def place(section: Section, name: str) -> str:
    """Where a model stands among all that were judged; a dash where it was not.

    The official judge's order counts: `3/12` is the third of twelve.
    """
    standing = _standing(section)
    return f"{standing.index(name) + 1}/{len(standing)}" if name in standing else "—"


def _standing(section: Section) -> list[str]:
    return [str(name) for name in section.verdicts[0].standing.index] if section.verdicts else []


def _one(section: Section, name: str) -> str:
    standing = _standing(section)
    if name not in standing:
        why = section.verdicts[0].left_out.get(name, "") if section.verdicts else ""
        return f"Your model {name} could not be judged{f': {why}' if why else ''}."
    verdict = section.verdicts[0]
    where = f"is number {standing.index(name) + 1} of {len(standing)} by {verdict.method}"
    if name in verdict.leading and len(verdict.leading) > 1 and not verdict.untested:
        where = f"is one of the {len(verdict.leading)} that lead, of {len(standing)}"
    return f"Your model {name} {where}{_against_blind(section, name)}."


def _against_blind(section: Section, name: str) -> str:
    """Whether it beats the blind models: the end of a sentence."""
    own = section.blind[section.blind["model"] == name]
    if own.empty:
        return ""
    lost = own[own["outcome"].isin(LOST)]
    if not lost.empty:
        blind = listed(list(dict.fromkeys(map(str, lost["blind"]))), most=2)
        return f", and is not ahead of the blind {blind} on {len(lost)} of {len(own)} scores"
    sure = (own["outcome"] == "better").all()
    return ", and beats the blind models" if sure else ", and is ahead of the blind models, but not clearly"
