"""Why a number of a clip is doubtful, whatever is measured."""

from __future__ import annotations

from collections.abc import Mapping

from beholder.core.measure import Result
from beholder.video.evidence import Evidence


def stated(value: float, parts: Mapping[str, float], found: Evidence, *doubts: str) -> Result:
    """A result that is `low`, with reasons, where the clip or the measure itself gives any."""
    reasons = [reason for reason in (*_of_clip(found), *doubts) if reason]
    return Result(value, parts, "low" if reasons else "ok", "; ".join(reasons))


def _of_clip(found: Evidence) -> tuple[str, str]:
    """That nobody says how fast the clip is shown, or that not all of it could be read."""
    rate = f"the clip's frame rate is not known; {found.facts.rate:g} frames/s were assumed"
    return (rate if found.facts.clock == "assumed" else "", found.facts.ends_early)
