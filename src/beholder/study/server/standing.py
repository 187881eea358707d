"""How a study stands, from what its tables count."""

from __future__ import annotations

from typing import Any

from beholder.study.design.file import Study
from beholder.study.server.queries import COUNTED, Rows

KIND = {"complete": 0, "failed_checks": 0, "running": 0}


def standing(study: Study, sessions: Rows, items: Rows) -> dict[str, Any]:
    """Sessions by outcome (running: here now; away: may come back) and by kind, and exposure by class."""
    outcomes = {"running": 0, "away": 0}
    kinds = {group.name: {"quota": group.quota, **KIND} for group in study.groups}
    for row in sessions:
        here = int(row["here"] or 0)
        if row["outcome"]:
            outcomes[row["outcome"]] = outcomes.get(row["outcome"], 0) + row["many"]
        else:
            outcomes["running"] += here
            outcomes["away"] += row["many"] - here
        if row["kind"] in kinds:
            if row["outcome"] in COUNTED:
                kinds[row["kind"]][row["outcome"]] += row["many"]
            kinds[row["kind"]]["running"] += here
    return {
        "study": study.name,
        "title": study.title,
        "platform": study.platform,
        "participants": study.participants,
        "sessions": sum(row["many"] for row in sessions),
        "complete": outcomes.get("complete", 0),
        "failed_checks": outcomes.get("failed_checks", 0),
        "running": outcomes["running"],
        "by_outcome": outcomes,
        "by_kind": kinds,
        "exposure": {kind: spread([row for row in items if row["kind"] == kind]) for kind in study.classes},
    }


def spread(rows: Rows) -> dict[str, int]:
    """How evenly items were seen; `least` and `most` count leases too."""
    both = [row["answered"] + row["leased"] for row in rows]
    answered = [row["answered"] for row in rows]
    return {
        "items": len(rows),
        "least": min(both),
        "most": max(both),
        "answered_least": min(answered),
        "answered_most": max(answered),
        "answered": sum(answered),
        "leased": sum(row["leased"] for row in rows),
    }
